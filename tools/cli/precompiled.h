/* SPDX-License-Identifier: Apache-2.0 */
// The headers that most files of the command include, compiled once: they take half of the time otherwise.
#ifndef XLASHAPE_CLI_PRECOMPILED_H_
#define XLASHAPE_CLI_PRECOMPILED_H_
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <xlashape/target.hpp>
#endif
