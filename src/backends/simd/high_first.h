/* SPDX-License-Identifier: Apache-2.0 */
// Runs of packed elements that start in the highest bits of a byte: unpacked and packed as those that start in the
// lowest, with the elements of each byte turned around while they are bytes.
#pragma once
#include "backends/simd/kernels.h"

namespace xlashape::simd {

// How packed elements are: bits of each, a mask of the value's, and whether others may write the same bytes.
struct HighFirst {
  const Kernels& kernels;
  int bits;
  uint8_t value;
  bool shared;
};

// `count` elements from the first of a byte on. Writes bytes, up to a vector more.
void unpack_high_first(const HighFirst& form, char* to, const char* from, int64_t count);
// The reverse. Changes `from`. Elements beside them in the last byte are kept.
void pack_high_first(const HighFirst& form, char* to, char* from, int64_t count);

}  // namespace xlashape::simd
