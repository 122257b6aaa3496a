/* SPDX-License-Identifier: Apache-2.0 */
// Every number at which the scalar backend decides differently. The tests at real sizes make sizes around each.
#pragma once
#include <cstdint>

namespace xlashape::scalar {

inline constexpr int64_t kTaskBytes = 1 << 16;    // of the destination: the least for a task
inline constexpr int64_t kCachedBytes = 8 << 20;  // a larger destination is probably not in a cache
inline constexpr int64_t kLineBytes = 64;
inline constexpr int64_t kAlikeBytes = 4096;    // lines this far apart share a set of the first cache
inline constexpr int64_t kAlikeLines = 4;       // so many of them fit that set, and others besides
inline constexpr int64_t kShortRow = 256;       // bytes
inline constexpr int64_t kPieceElements = 512;  // of a run that are converted at a time

inline constexpr int64_t kLimits[] = {kAlikeLines, kLineBytes, kShortRow,   kPieceElements,
                                      kAlikeBytes, kTaskBytes, kCachedBytes};

}  // namespace xlashape::scalar
