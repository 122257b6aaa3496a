/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts between containers of at most a byte, at least one of them packed (1, 2 or 4 bits). Positions count
// elements.
#pragma once
#include "backends/simd/run.h"

namespace xlashape::simd {

struct Packed {
  const Kernels& kernels;
  int src_bits, dst_bits;
  uint8_t value;  // mask of a container's value bits
  Store store;
  bool shared;  // whether others may write elements into the same bytes meanwhile
};

// Elements that share a byte of the destination with others belong to the first part, so that no two parts ever write
// the same byte.
void move_packed(const Packed& packed, const StridedAxis* axes, int count, const char* src, int64_t src_at, char* dst,
                 int64_t dst_at, const TaskRange& part);

}  // namespace xlashape::simd
