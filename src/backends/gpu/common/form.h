/* SPDX-License-Identifier: Apache-2.0 */
// A loop nest in the form that kernels take: without loops of one element, in the order of the destination's memory,
// fused, and with elements as wide as the addresses allow.
#pragma once
#include <cstdint>

#include "backends/common/limits.h"
#include "xlashape_backend.h"

namespace xlashape::gpu {

struct FormLoop {
  int64_t extent, src_stride, dst_stride, step;
  int32_t guard;  // -1: none
};

struct Form {
  int32_t loop_count = 0;
  int32_t guard_count = 0;
  FormLoop loop[backends::kMaxLoops];  // outermost first
  int64_t low[backends::kMaxGuards], high[backends::kMaxGuards];
  int64_t src_offset = 0, dst_offset = 0;  // in the units of the strides
  int64_t element = 0;                     // bytes of one element; 0 if the sides' containers differ

  int64_t total() const;  // iterations
  // Whether every address of both sides is a multiple of `bytes` when the bases are.
  bool is_aligned_to(int64_t bytes) const;
  // Makes the iterations the destination's bytes [0, bytes), one after the other, if they are not: what is added fails
  // a guard. Returns false, with the form in pieces, if that takes more guards than kernels have, or other loops.
  bool complete(int64_t bytes, int64_t element_bytes);
};

// The form of a relayout's nest, in the units of its strides. Returns false if it has too many loops.
bool form_of(const xlashape_loops& loops, Form* form);

// For equal packed containers: counts in bytes instead if the innermost run consists of whole bytes. Returns false if
// not.
bool widen_to_bytes(int container_bits, Form* form);

// Makes elements up to 16 bytes wide, where the innermost loop and `alignment` of the bases allow it.
void widen(int64_t alignment, Form* form);

}  // namespace xlashape::gpu
