// Random relayouts of real sizes: 64 KiB to 64 MiB, dimensions around the numbers at which implementations switch
// algorithms.
#pragma once
#include "random_case.h"

namespace xlashape::cli {

inline constexpr int64_t kLargeBytes = int64_t{64} << 20;  // a side takes no more

Request large_request(Random& random);

}  // namespace xlashape::cli
