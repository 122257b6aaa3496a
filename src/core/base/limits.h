// How much of anything is still meant. Depends on nothing.
#pragma once
#include <cstdint>

namespace xlashape::core {

// More entries than any list of a layout or a shape may have: refused before anything is read or allocated.
inline constexpr int64_t kMaxListed = int64_t{1} << 24;

}  // namespace xlashape::core
