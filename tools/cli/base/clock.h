/* SPDX-License-Identifier: Apache-2.0 */
// Elapsed time, for limits and measurements.
#pragma once
#include <chrono>

namespace xlashape::cli {

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace xlashape::cli
