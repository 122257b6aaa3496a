/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts that exchange elements within short groups, all alike, while the groups stay in a row on both sides:
// another order of colours or of bytes, nibbles inside words. And rows that are reversed.
#pragma once
#include "backends/simd/run.h"

namespace xlashape::simd {

inline constexpr int kMaxShuffleLoops = 6;

struct Shuffle {
  int bits = 0;           // of a piece that is moved as a whole: 1, 2, 4, or 8 for bytes; 0: the relayout is none
  bool backwards;         // the groups of a row are in reverse in the source
  int64_t group, groups;  // bytes of a group, at most 16; groups of a row
  int64_t src_at, dst_at;
  int loops;
  StridedAxis loop[kMaxShuffleLoops];  // over rows, outermost first
  uint8_t from[128];                   // for each piece of a group in the destination: which one of the source's it is
};

// Returns false if the relayout is something else.
bool find_shuffle(const xlashape_relayout_ir& ir, Shuffle* shuffle);

// A part's share of the rows.
void run_shuffle(const Shuffle& shuffle, const Kernels& kernels, Store store, const char* src, char* dst,
                 const TaskRange& part);

}  // namespace xlashape::simd
