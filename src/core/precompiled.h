/* SPDX-License-Identifier: Apache-2.0 */
// The headers of the standard library that most files include, compiled once: they take most of the time otherwise.
#ifndef XLASHAPE_CORE_PRECOMPILED_H_
#define XLASHAPE_CORE_PRECOMPILED_H_
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#endif
