/* SPDX-License-Identifier: Apache-2.0 */
// The headers that most files of explain include, compiled once; src/core/precompiled.h is the library's.
#ifndef XLASHAPE_JS_PRECOMPILED_H_
#define XLASHAPE_JS_PRECOMPILED_H_
#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>
#include <xlashape/target.hpp>
#endif
