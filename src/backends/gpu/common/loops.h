/* SPDX-License-Identifier: Apache-2.0 */
// Loops in the form that kernels take: with the reciprocal of the extent.
#pragma once
#include <algorithm>
#include <bit>

#include "backends/gpu/common/form.h"
#include "backends/gpu/kernels/arguments.h"
#include "ir/divide.h"

namespace xlashape::gpu {

inline constexpr int64_t kNarrow = int64_t{1} << 31;  // counts below this are divided in 32 bits

inline XsLoop divided_by(int64_t extent, bool narrow) {
  XsLoop loop{};
  loop.extent = extent = std::max<int64_t>(extent, 1);  // without elements there is no iteration that divides
  loop.guard = -1;
  if (narrow) {
    const auto d = static_cast<uint64_t>(extent);
    loop.shift = static_cast<int32_t>(std::bit_width(d - 1));
    loop.magic = std::has_single_bit(d) ? uint64_t{1} << 31 : ((uint64_t{1} << (31 + loop.shift)) - 1) / d + 1;
  } else {
    const ir::Reciprocal r = ir::reciprocal(extent);
    loop.magic = r.magic;
    loop.shift = r.shift;
  }
  return loop;
}

inline XsLoop converted(const FormLoop& from, bool narrow) {
  XsLoop loop = divided_by(from.extent, narrow);
  loop.src_stride = from.src_stride;
  loop.dst_stride = from.dst_stride;
  loop.step = from.step;
  loop.guard = from.guard;
  return loop;
}

}  // namespace xlashape::gpu
