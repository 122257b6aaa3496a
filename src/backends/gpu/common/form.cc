// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/common/form.h"

#include <algorithm>

#include "backends/gpu/kernels/arguments.h"

namespace xlashape::gpu {
namespace {

int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// Fuses loops that continue each other on both sides.
void fuse(Form* form) {
  int32_t kept = 0;
  for (int32_t l = 0; l < form->loop_count; ++l) {
    const FormLoop& inner = form->loop[l];
    if (kept > 0) {
      FormLoop& outer = form->loop[kept - 1];
      if (outer.guard < 0 && inner.guard < 0 && outer.src_stride == inner.src_stride * inner.extent &&
          outer.dst_stride == inner.dst_stride * inner.extent) {
        outer = {outer.extent * inner.extent, inner.src_stride, inner.dst_stride, 0, -1};
        continue;
      }
    }
    form->loop[kept++] = inner;
  }
  form->loop_count = kept;
}

// Whether every guard either holds or fails for all `count` neighbours of each group of the innermost loop.
bool guard_takes_groups(const Form& form, int64_t count) {
  const FormLoop& run = form.loop[form.loop_count - 1];
  const int64_t group = run.step * count;
  if (form.low[run.guard] % group != 0 || form.high[run.guard] % group != 0) return false;
  for (int32_t l = 0; l + 1 < form.loop_count; ++l)
    if (form.loop[l].guard == run.guard && form.loop[l].step % group != 0) return false;
  return true;
}

// Whether the innermost loop is a run on both sides, of which `count` elements can be joined into one.
bool can_join(const Form& form, int64_t element, int64_t count) {
  if (form.loop_count == 0) return false;
  const FormLoop& run = form.loop[form.loop_count - 1];
  if (run.src_stride != element || run.dst_stride != element || run.extent % count != 0) return false;
  if (run.guard >= 0 && !guard_takes_groups(form, count)) return false;
  const int64_t joined = element * count;
  if (form.src_offset % joined != 0 || form.dst_offset % joined != 0) return false;
  for (int32_t l = 0; l + 1 < form.loop_count; ++l)
    if (form.loop[l].src_stride % joined != 0 || form.loop[l].dst_stride % joined != 0) return false;
  return true;
}

void join(Form* form, int64_t count) {
  FormLoop& run = form->loop[form->loop_count - 1];
  run.extent /= count;
  run.src_stride *= count;
  run.dst_stride *= count;
  run.step *= count;
  if (run.extent == 1) --form->loop_count;
}

// Adds a guard that holds for the first `high` iterations of a loop. Returns its number, or -1 if there are too many.
int32_t add_guard(Form* form, int64_t high) {
  if (form->guard_count == XS_MAX_GUARDS) return -1;
  form->low[form->guard_count] = 0;
  form->high[form->guard_count] = high;
  return form->guard_count++;
}

// Extends a loop to `extent` iterations. Returns false if those that are added would not fail a guard.
bool extend(Form* form, FormLoop* loop, int64_t extent) {
  if (loop->guard < 0) {
    loop->guard = add_guard(form, loop->extent);
    loop->step = 1;
    if (loop->guard < 0) return false;
  } else if (loop->extent * loop->step < form->high[loop->guard]) {
    return false;
  }
  loop->extent = extent;
  return true;
}

}  // namespace

int64_t Form::total() const {
  int64_t total = 1;
  for (int32_t l = 0; l < loop_count; ++l) total *= loop[l].extent;
  return total;
}

bool Form::is_aligned_to(int64_t bytes) const {
  if (src_offset % bytes != 0 || dst_offset % bytes != 0) return false;
  for (int32_t l = 0; l < loop_count; ++l)
    if (loop[l].src_stride % bytes != 0 || loop[l].dst_stride % bytes != 0) return false;
  return true;
}

bool Form::complete(int64_t bytes, int64_t element_bytes) {
  if (dst_offset != 0) return false;
  FormLoop made[backends::kMaxLoops];  // innermost first
  int32_t count = 0;
  int64_t covered = element_bytes;
  for (int32_t l = loop_count; l >= 0; --l) {
    const int64_t next = l > 0 ? loop[l - 1].dst_stride : bytes;
    if (next > covered) {
      if (count > 0 && next % made[count - 1].dst_stride == 0 &&
          extend(this, &made[count - 1], next / made[count - 1].dst_stride)) {
        covered = next;
      } else if (next % covered == 0 && count < backends::kMaxLoops) {
        made[count++] = {next / covered, 0, covered, 1, add_guard(this, 1)};
        if (made[count - 1].guard < 0) return false;
        covered = next;
      }
    }
    if (next != covered || (l > 0 && count == backends::kMaxLoops)) return false;
    if (l == 0) break;
    covered *= loop[l - 1].extent;
    made[count++] = loop[l - 1];
  }
  loop_count = count;
  std::reverse_copy(made, made + count, loop);
  return true;
}

bool form_of(const xlashape_loops& loops, Form* form) {
  *form = Form();
  if (loops.loop_count > backends::kMaxLoops || loops.guard_count > backends::kMaxGuards) return false;
  form->src_offset = loops.src_offset;
  form->dst_offset = loops.dst_offset;
  form->guard_count = loops.guard_count;
  std::copy_n(loops.low, loops.guard_count, form->low);
  std::copy_n(loops.high, loops.guard_count, form->high);
  for (int32_t l = 0; l < loops.loop_count; ++l)
    if (loops.extent[l] != 1)
      form->loop[form->loop_count++] = {loops.extent[l], loops.src_stride != nullptr ? loops.src_stride[l] : 0,
                                        loops.dst_stride[l], loops.guard[l] >= 0 ? loops.step[l] : 0, loops.guard[l]};
  std::stable_sort(form->loop, form->loop + form->loop_count, [](const FormLoop& a, const FormLoop& b) {
    return magnitude(a.dst_stride) != magnitude(b.dst_stride) ? magnitude(a.dst_stride) > magnitude(b.dst_stride)
                                                              : magnitude(a.src_stride) > magnitude(b.src_stride);
  });
  if (loops.src_stride != nullptr) fuse(form);
  return true;
}

bool widen_to_bytes(int container_bits, Form* form) {
  const int64_t count = 8 / container_bits;
  if (!can_join(*form, 1, count)) return false;
  join(form, count);
  // From containers to bytes: everything is a multiple of `count` now, also what join did not change.
  form->src_offset /= count;
  form->dst_offset /= count;
  for (int32_t l = 0; l < form->loop_count; ++l) {
    form->loop[l].src_stride /= count;
    form->loop[l].dst_stride /= count;
  }
  form->element = 1;
  return true;
}

void widen(int64_t alignment, Form* form) {
  while (form->element * 2 <= 16 && alignment % (form->element * 2) == 0 && can_join(*form, form->element, 2)) {
    join(form, 2);
    form->element *= 2;
  }
}

}  // namespace xlashape::gpu
