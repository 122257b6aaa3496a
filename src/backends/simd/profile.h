/* SPDX-License-Identifier: Apache-2.0 */
// What the backend assumes about the machine, or was told by a profile.
#pragma once
#include <cstdint>
#include <string_view>

#include "backends/simd/cost.h"

namespace xlashape::simd {

// From how many bytes of the destination on something pays. kNever: it does not. That would follow from the rates only
// roughly: it is measured in turns, at more sizes, and is what older releases read.
struct SpeedProfile {
  int64_t stream_runs;     // runs of a line and more written past the caches
  int64_t stream_squares;  // everything else
  int64_t stream_copy;     // an array that is one run
  int64_t stream_indices;  // results of index batches written past the caches
  int64_t share;           // several tasks
  Rates rates{};

  bool operator==(const SpeedProfile&) const = default;
};
inline constexpr int64_t kNever = int64_t{1} << 60;

// What is known of processors with these features (XLASHAPE_CPU_*) and caches (0: unknown), by family.
SpeedProfile default_profile(uint64_t cpu_features, int64_t l2_bytes, int64_t l3_bytes);

// Reads the lines of a profile ("key = value"). Keys that it does not know are of another release, and ignored. Returns
// the first key whose value cannot be, a part of the text, and changes nothing; empty where all is well.
std::string_view read_profile(const char* text, SpeedProfile* profile);
// The largest value of a line.
int64_t most_of(std::string_view key);

// Writes the lines, cut at capacity and NUL-terminated; returns their full length.
int64_t write_profile(const SpeedProfile& profile, char* text, int64_t capacity);

}  // namespace xlashape::simd
