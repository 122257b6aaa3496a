// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/common/zip.h"

#include <cstring>

#include "backends/gpu/common/loops.h"
#include "backends/gpu/common/pack.h"

namespace xlashape::gpu {
namespace {

constexpr int64_t kChunk = 16;

using Stride = int64_t FormLoop::*;

// The rows are contiguous where `apart` is the stride, and interleaved where `joined` is.
struct Sides {
  Stride apart, joined;
};

// Finds the loop over interleaved rows, and the one along them.
bool find_rows(const Form& form, Sides sides, int32_t* row, int32_t* run) {
  for (*row = 0; *row < form.loop_count; ++*row) {
    const FormLoop& rows = form.loop[*row];
    const int64_t bytes = rows.extent * form.element;
    if (rows.*sides.joined != form.element || (rows.extent != 2 && rows.extent != 4) || bytes > kChunk) continue;
    for (*run = 0; *run < form.loop_count; ++*run) {
      const FormLoop& along = form.loop[*run];
      if (along.*sides.joined == bytes && along.*sides.apart == form.element) return true;
    }
  }
  return false;
}

// Whether every chunk on the joined side is at a multiple of 16 bytes, and so are the pieces of `piece` bytes.
bool is_whole(const Form& form, Sides sides, int32_t row, int32_t run, int64_t piece) {
  const bool separates = sides.joined == &FormLoop::src_stride;
  if (form.loop[run].extent * form.element % piece != 0) return false;
  if (form.src_offset % (separates ? kChunk : piece) != 0 || form.dst_offset % (separates ? piece : kChunk) != 0)
    return false;
  for (int32_t l = 0; l < form.loop_count; ++l)
    if (l != run && (form.loop[l].*sides.apart % piece != 0 || (l != row && form.loop[l].*sides.joined % kChunk != 0)))
      return false;
  return true;
}

bool zip_sides(const Form& form, Sides sides, Zipping* made) {
  int32_t row, run;
  if (form.guard_count > XS_MAX_GUARDS || form.loop_count > XS_MAX_LOOPS - 2) return false;
  if (!find_rows(form, sides, &row, &run)) return false;
  const int64_t rows = form.loop[row].extent, piece = kChunk / rows, count = piece / form.element;
  if (!is_whole(form, sides, row, run, piece) || form.total() / (rows * count) >= kNarrow) return false;

  XsZip& args = made->args;
  std::memset(static_cast<void*>(&args), 0, sizeof args);
  args.src_offset = form.src_offset;
  args.dst_offset = form.dst_offset;
  args.total = form.total() / (rows * count);
  args.element = static_cast<xs_i32>(form.element);
  FormLoop within = form.loop[run];
  within.extent = count;
  args.row = converted(form.loop[row], true);
  args.run = converted(within, true);
  for (int32_t l = 0; l < form.loop_count; ++l) {
    FormLoop loop = form.loop[l];
    if (l == row) continue;
    if (l == run)
      loop = {loop.extent / count, loop.src_stride * count, loop.dst_stride * count, loop.step * count, loop.guard};
    args.loop[args.loop_count++] = converted(loop, true);
  }
  args.guard_count = form.guard_count;
  for (int32_t g = 0; g < form.guard_count; ++g) {
    args.low[g] = form.low[g];
    args.high[g] = args.last[g] = form.high[g];
    for (const XsLoop* loop : {&args.row, &args.run})
      if (loop->guard == g) args.last[g] -= (loop->extent - 1) * loop->step;
  }
  made->worth = run_worth(form.loop[run].extent * form.element);
  const bool separates = sides.joined == &FormLoop::src_stride;
  made->kernel = rows == 2   ? separates ? Kernel::xs_unzip_2 : Kernel::xs_zip_2
                 : separates ? Kernel::xs_unzip_4
                             : Kernel::xs_zip_4;
  return true;
}

}  // namespace

bool zip(const Form& form, int64_t alignment, Zipping* made) {
  return alignment % kChunk == 0 && (zip_sides(form, {&FormLoop::src_stride, &FormLoop::dst_stride}, made) ||
                                     zip_sides(form, {&FormLoop::dst_stride, &FormLoop::src_stride}, made));
}

}  // namespace xlashape::gpu
