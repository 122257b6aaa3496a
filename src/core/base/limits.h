/* SPDX-License-Identifier: Apache-2.0 */
// Limits on what callers may pass. Depends on nothing.
#pragma once
#include <cstdint>

namespace xlashape::core {

// The most entries that a list of a layout or a shape may have. Longer ones are refused before anything is allocated.
inline constexpr int64_t kMaxListed = int64_t{1} << 24;

}  // namespace xlashape::core
