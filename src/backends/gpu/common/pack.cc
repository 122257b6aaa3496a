// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/common/pack.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/gpu/common/loops.h"

namespace xlashape::gpu {
namespace {

constexpr int64_t kBytes = XS_PACK_CHUNKS * 16;
constexpr int kAround = XS_MAX_LOOPS - 8;

using Stride = int64_t FormLoop::*;

class Slicer {
 public:
  Slicer(const Form& form, int64_t alignment) : form_(form), e_(form.element), alignment_(alignment) {}

  // Cuts the form into slices whose runs have about the given bytes on each side; `evenly`: without ragged slices.
  // Returns false if the slices do not fit the kernels.
  bool cut(int64_t src_bytes, int64_t dst_bytes, bool evenly, Packing* made) {
    evenly_ = evenly;
    std::fill_n(slices_, XS_MAX_GUARDS, 1);
    std::fill_n(part_, form_.loop_count, 1);
    grow(&FormLoop::src_stride, src_bytes);
    grow(&FormLoop::dst_stride, dst_bytes);
    int64_t bytes = e_;
    for (int32_t l = 0; l < form_.loop_count; ++l)
      if ((bytes *= part_[l]) > kBytes) return false;
    args_ = &made->args;
    std::memset(static_cast<void*>(args_), 0, sizeof *args_);
    args_->src_offset = form_.src_offset;
    args_->dst_offset = form_.dst_offset;
    args_->guard_count = form_.guard_count;
    std::copy_n(form_.low, form_.guard_count, args_->low);
    std::copy_n(form_.high, form_.guard_count, args_->high);
    std::copy_n(form_.loop, form_.loop_count, cut_);
    made->blocks = 1;
    for (int32_t l = 0; l < form_.loop_count; ++l)
      if (!add_around(l, &made->blocks)) return false;
    if (made->blocks >= kNarrow || !add_src() || !add_dst() || !add_lists()) return false;
    align();
    made->worth = worth(made->blocks);
    return true;
  }

 private:
  // The loop whose stride on this side is `run`, or -1.
  int32_t after(Stride stride, int64_t run) const {
    for (int32_t l = 0; l < form_.loop_count; ++l)
      if (form_.loop[l].*stride == run && form_.loop[l].extent > 1) return l;
    return -1;
  }

  // Takes loops that continue each other on a side, and part of the last one, until there are `wanted` bytes.
  void grow(Stride stride, int64_t wanted) {
    int64_t run = e_;
    while (run < wanted) {
      const int32_t l = after(stride, run);
      if (l < 0) break;
      const FormLoop& loop = form_.loop[l];
      const int64_t part = part_of(loop, run, (wanted + run - 1) / run);
      part_[l] = std::max(part_[l], part);
      if (part < loop.extent) break;
      run *= part;
    }
  }

  // How many of a loop's iterations to take: about `need`. A guarded loop is always cut without remainder.
  int64_t part_of(const FormLoop& loop, int64_t run, int64_t need) const {
    if (loop.extent < 2 * need) return loop.extent;
    if (evenly_ || loop.guard >= 0) {
      int64_t part = std::min(2 * need - 1, loop.extent);
      while (loop.extent % part != 0) --part;
      return part;
    }
    const int64_t grain = std::lcm(run, int64_t{16}) / run;  // for whole chunks of 16 bytes
    const int64_t parts = (loop.extent + need - 1) / need, even = (loop.extent + parts - 1) / parts;
    return std::min(loop.extent, (even + grain - 1) / grain * grain);
  }

  // Adds the part of loop l that is outside the slices. If the part inside does not divide the loop, a new guard limits
  // it.
  bool add_around(int32_t l, int64_t* blocks) {
    FormLoop& loop = cut_[l];
    const int64_t part = part_[l], parts = (loop.extent + part - 1) / part;
    if (loop.extent % part != 0) {
      const int32_t g = args_->guard_count;
      if (loop.guard >= 0 || g == XS_MAX_GUARDS) return false;
      args_->low[g] = 0;
      args_->high[g] = loop.extent;
      args_->limits |= 1 << g;
      ++args_->guard_count;
      loop.guard = g;
      loop.step = 1;
    }
    loop.extent = part;
    if (loop.guard >= 0) {
      args_->most[loop.guard] += (part - 1) * loop.step;
      slices_[loop.guard] *= parts;
    }
    if (parts == 1) return true;
    if (args_->loop_count == kAround || parts > kNarrow / *blocks) return false;
    FormLoop around = loop;
    around.extent = parts;
    around.src_stride *= part;
    around.dst_stride *= part;
    around.step *= part;
    args_->loop[args_->loop_count++] = converted(around, true);
    *blocks *= parts;
    return true;
  }

  bool add_factor(int list, const FormLoop& loop, int64_t extent, int64_t times, int64_t stride, int64_t spot) {
    if (factors_[list] == XS_MAX_FACTORS || extent > 0xFFFF || spot > 0xFFFF) return false;
    const XsLoop division = divided_by(extent, true);
    lists_[list][factors_[list]++] = {stride * times,
                                      loop.step * times,
                                      static_cast<xs_u32>(division.magic),
                                      static_cast<xs_u16>(extent),
                                      static_cast<xs_u16>(spot * times),
                                      division.shift,
                                      loop.guard};
    return true;
  }

  // Adds the source's run, and its rows in the order of the destination: each loop gets its stride in shared memory.
  bool add_src() {
    factors_[XS_SRC_ROWS] = factors_[XS_SRC_RUN] = 0;
    int64_t run = 1, rows = 1;
    std::fill_n(spot_, form_.loop_count, 0);
    for (int32_t l; (l = after(&FormLoop::src_stride, run * e_)) >= 0 && spot_[l] == 0 && cut_[l].extent > 1;) {
      spot_[l] = run * e_;
      run *= cut_[l].extent;
      if (run * e_ > kBytes || !add_factor(XS_SRC_RUN, cut_[l], cut_[l].extent, 1, 0, spot_[l])) return false;
      if (cut_[l].extent < form_.loop[l].extent) break;
    }
    // An odd number of words (or of elements if wider), to avoid bank conflicts.
    const int64_t word = std::max<int64_t>(e_, 4);
    const int64_t pitch = (run * e_ + word - 1) / word * word | word;
    for (int32_t l = form_.loop_count; l-- > 0;)  // the destination's innermost loop is the last
      if (cut_[l].extent > 1 && spot_[l] == 0) {
        spot_[l] = rows * pitch;
        rows *= cut_[l].extent;
        if (rows * pitch > kBytes || !add_factor(XS_SRC_ROWS, cut_[l], cut_[l].extent, 1, cut_[l].src_stride, spot_[l]))
          return false;
      }
    args_->src_run = static_cast<int32_t>(run);
    args_->src_rows = static_cast<int32_t>(rows);
    args_->pitch = static_cast<int32_t>(pitch);
    set_division(run, &args_->src_magic, &args_->src_shift);
    return rows <= XS_PACK_ROWS && rows * pitch <= kBytes;
  }

  // Adds the destination's run up to the size of its table, and the rest as rows.
  bool add_dst() {
    factors_[XS_DST_ROWS] = factors_[XS_DST_RUN] = 0;
    int64_t run = 1, rows = 1, next = e_;  // `next`: the stride that continues the run
    for (int32_t l = form_.loop_count; l-- > 0;) {
      const FormLoop& loop = cut_[l];
      if (loop.extent == 1) continue;
      int64_t first = 1;  // the part of the loop in the run
      if (loop.dst_stride == next) {
        first = std::min<int64_t>(loop.extent, XS_PACK_RUN / run);
        while (loop.extent % first != 0) --first;
        next = first == loop.extent && loop.extent == form_.loop[l].extent ? next * first : 0;
      }
      if (first > 1 && !add_factor(XS_DST_RUN, loop, first, 1, 0, spot_[l])) return false;
      if (first < loop.extent && !add_factor(XS_DST_ROWS, loop, loop.extent / first, first, loop.dst_stride, spot_[l]))
        return false;
      run *= first;
      rows *= loop.extent / first;
    }
    args_->dst_run = static_cast<int32_t>(run);
    args_->dst_rows = static_cast<int32_t>(rows);
    set_division(run, &args_->dst_magic, &args_->dst_shift);
    return rows <= XS_PACK_ROWS;
  }

  static void set_division(int64_t by, xs_u32* magic, xs_i32* shift) {
    const XsLoop division = divided_by(by, true);
    *magic = static_cast<xs_u32>(division.magic);
    *shift = division.shift;
  }

  bool add_lists() {
    int32_t count = 0;
    for (int list = 0; list < XS_PACK_LISTS; ++list) {
      if (count + factors_[list] > XS_MAX_FACTORS) return false;
      std::copy_n(lists_[list], factors_[list], args_->factor + count);
      args_->factor_end[list] = count += factors_[list];
    }
    return true;
  }

  // Finds which sides' rows are whole chunks of 16 bytes.
  void align() {
    bool src = alignment_ % 16 == 0 && form_.src_offset % 16 == 0 && args_->src_run * e_ % 16 == 0;
    bool dst = alignment_ % 16 == 0 && form_.dst_offset % 16 == 0 && args_->dst_run * e_ % 16 == 0;
    for (int32_t l = 0; l < args_->loop_count; ++l) {
      src &= args_->loop[l].src_stride % 16 == 0;
      dst &= args_->loop[l].dst_stride % 16 == 0;
    }
    for (int32_t d = 0; d < factors_[XS_SRC_ROWS]; ++d) src &= lists_[XS_SRC_ROWS][d].stride % 16 == 0;
    for (int32_t d = 0; d < factors_[XS_DST_ROWS]; ++d) dst &= lists_[XS_DST_ROWS][d].stride % 16 == 0;
    args_->src_aligned = src;
    args_->dst_aligned = dst;
  }

  // Contiguous bytes of the slice, whichever table they are in.
  int64_t run_of(Stride stride) const {
    int64_t run = e_;
    for (int32_t l; (l = after(stride, run)) >= 0 && cut_[l].extent > 1;) {
      run *= cut_[l].extent;
      if (cut_[l].extent < form_.loop[l].extent) break;
    }
    return run;
  }

  double worth(int64_t blocks) const {
    const double bytes = static_cast<double>(args_->src_run) * args_->src_rows * static_cast<double>(e_);
    const double used = static_cast<double>(form_.total() * e_) / (bytes * static_cast<double>(blocks));
    double whole = 1;  // slices at an edge take twice as long
    for (int32_t g = 0; g < args_->guard_count; ++g)
      if (args_->most[g] > 0) whole *= 1 - 0.5 / static_cast<double>(slices_[g]);
    // Making the tables costs as much as a kibibyte, looking up a fourth; moving single elements costs more.
    return 0.75 * used * whole * bytes / (bytes + 1024) * run_worth(run_of(&FormLoop::src_stride)) *
           run_worth(run_of(&FormLoop::dst_stride)) * (args_->src_aligned ? 1 : 0.85) * (args_->dst_aligned ? 1 : 0.85);
  }

  const Form& form_;
  const int64_t e_, alignment_;
  int64_t part_[backends::kMaxLoops];
  bool evenly_ = false;
  int64_t slices_[XS_MAX_GUARDS];      // number of slices along each guard
  FormLoop cut_[backends::kMaxLoops];  // the loops within a slice
  int64_t spot_[backends::kMaxLoops];
  XsFactor lists_[XS_PACK_LISTS][XS_MAX_FACTORS];
  int32_t factors_[XS_PACK_LISTS];
  XsPack* args_ = nullptr;
};

}  // namespace

bool pack(const Form& form, int64_t alignment, Packing* best) {
  best->worth = 0;
  if (form.guard_count > XS_MAX_GUARDS || form.total() == 0) return false;
  Slicer slicer(form, alignment);
  Packing one;
  bool cut = false;
  for (const int64_t src : {64, 128, 256, 512, 1024, 4096})
    for (const int64_t dst : {64, 128, 256, 512, 1024, 4096})
      for (const bool evenly : {false, true}) {
        if (evenly && cut && one.args.limits == 0) break;  // it is even already
        cut = slicer.cut(src, dst, evenly, &one);
        if (cut && one.worth > best->worth) *best = one;
      }
  return best->worth > 0;
}

}  // namespace xlashape::gpu
