// SPDX-License-Identifier: Apache-2.0
#include "backends/scalar/relayout.h"

#include <cstdio>
#include <cstdlib>

#include "backends/common/element.h"
#include "backends/common/fill.h"
#include "backends/common/guarded_loops.h"
#include "backends/common/packed_writer.h"
#include "backends/scalar/kernels.h"
#include "backends/scalar/values.h"
#include "ir/map.h"

namespace xlashape::scalar {
namespace {

using backends::LoopRange;
using backends::share;

bool same_containers(const xlashape_relayout_ir& ir) { return ir.src_container_bits == ir.dst_container_bits; }
bool packed(int32_t bits) { return bits < 8; }

// Whether others may write elements into the same bytes meanwhile.
bool shares_bytes(const xlashape_relayout_ir& ir) { return (ir.flags & XLASHAPE_IR_HAS_BOX) != 0; }

bool fills(const xlashape_relayout_ir& ir) { return ir.fill_policy == XLASHAPE_FILL_PADDING && ir.has_padding; }

// Clears the bits of the last byte after the last position.
void clear_spare_bits(const xlashape_relayout_ir& ir, char* dst) {
  if (ir.fill_policy != XLASHAPE_FILL_PADDING || !packed(ir.dst_container_bits)) return;
  const int64_t end = ir.dst->positions * ir.dst_container_bits;
  if (end % 8 == 0) return;
  const int used = backends::dst_high_first(ir) ? 0xFF00 >> (end % 8) : (1 << (end % 8)) - 1;
  dst[end / 8] = static_cast<char>(dst[end / 8] & used);
}

// -- Without a nest ---------------------------------------------------------------------------------------------------

// Moves single elements between positions of the two sides.
class ElementMover {
 public:
  ElementMover(const xlashape_relayout_ir& ir, const char* src, char* dst)
      : ir_(ir),
        src_(src),
        dst_(dst),
        order_(backends::order_of(backends::src_high_first(ir), ir.src_container_bits)),
        packed_(dst, ir.dst_container_bits, backends::order_of(backends::dst_high_first(ir), ir.dst_container_bits),
                shares_bytes(ir)),
        convert_(ir),
        src_unit_(unit(*ir.src, ir.src_container_bits)),
        dst_unit_(unit(*ir.dst, ir.dst_container_bits)) {}
  // The element at `index` of the source.
  void move(const int64_t* index, int64_t from, int64_t to) {
    put(to, convert_(backends::load(src_, from * src_unit_, ir_.src_container_bits, order_), index));
  }
  XLASHAPE_NOINLINE void put(int64_t to, const backends::Wide& value) {
    if (packed(ir_.dst_container_bits)) return packed_.put(to, static_cast<int>(value.low));
    backends::store(dst_, to * dst_unit_, ir_.dst_container_bits, value);
  }

 private:
  // Bytes of a position; 1 where positions are bytes, or elements that are packed.
  static int unit(const xlashape_map_ir& map, int bits) { return packed(bits) || map.unit_bits == 8 ? 1 : bits / 8; }

  const xlashape_relayout_ir& ir_;
  const char* const src_;
  char* const dst_;
  const int order_;
  backends::PackedWriter packed_;
  const ElementStep convert_;
  const int src_unit_, dst_unit_;
};

void walk_positions(const xlashape_relayout_ir& ir, ElementMover& mover, LoopRange positions) {
  const backends::Wide fill = backends::load(reinterpret_cast<const char*>(ir.fill), 0, ir.dst_container_bits);
  int64_t index[ir::kMaxValues];
  for (int64_t p = positions.begin; p < positions.end; ++p) {
    if (ir::index_at(*ir.dst, p, index)) {
      mover.move(index, ir::position(*ir.src, index), p);
    } else if (ir.fill_policy == XLASHAPE_FILL_PADDING) {
      mover.put(p, fill);
    }
  }
}

void walk_elements(const xlashape_relayout_ir& ir, ElementMover& mover, LoopRange elements) {
  const int32_t rank = ir.src->rank;
  int64_t from[ir::kMaxValues], to[ir::kMaxValues], at[ir::kMaxValues];
  int64_t rest = elements.begin;
  for (int32_t d = rank; d-- > 0;) {
    at[d] = rest % ir.extent[d];
    rest /= ir.extent[d];
    from[d] = ir.src_base[d] + at[d];
    to[d] = ir.dst_base[d] + at[d];
  }
  for (int64_t n = elements.begin; n < elements.end; ++n) {
    mover.move(from, ir::position(*ir.src, from), ir::position(*ir.dst, to));
    for (int32_t d = rank; d-- > 0;) {
      ++from[d], ++to[d];
      if (++at[d] < ir.extent[d]) break;
      at[d] = 0;
      from[d] = ir.src_base[d];
      to[d] = ir.dst_base[d];
    }
  }
}

// The positions that a walk along the destination visits: all if it fills, else up to the last one that is touched. The
// tail, or the rest of one huge tile, may be far beyond the memory that exists.
int64_t positions_walked(const xlashape_relayout_ir& ir) {
  if (ir.fill_policy == XLASHAPE_FILL_PADDING) return ir.dst->positions;
  if (ir.dst_container_bits >= 8) return std::min(ir.dst->data_positions, ir.dst_high / (ir.dst_container_bits / 8));
  const int64_t in_byte = 8 / ir.dst_container_bits;
  return ir.dst_high > ir.dst->data_positions / in_byte ? ir.dst->data_positions : ir.dst_high * in_byte;
}

// Whether to go element by element: in a box, and where nothing is filled and there are fewer elements than positions
// to visit.
bool by_elements(const xlashape_relayout_ir& ir) {
  if ((ir.flags & XLASHAPE_IR_HAS_BOX) != 0) return true;
  return ir.fill_policy != XLASHAPE_FILL_PADDING && ir.elements < positions_walked(ir);
}

// Not inlined: its arrays of values would be on the stack of nests too.
XLASHAPE_NOINLINE void walk(const xlashape_relayout_ir& ir, const char* src, char* dst, int64_t begin, int64_t end,
                            int64_t count) {
  const bool elements = by_elements(ir);
  // Positions that share a byte stay in one task.
  const int64_t total = elements ? ir.elements : positions_walked(ir);
  if (elements && packed(ir.dst_container_bits)) {  // neighbours may share a byte: the first task does everything
    if (begin > 0) return;
    end = count = 1;
  }
  LoopRange part = share(total / 8 + (total % 8 != 0), begin, end, count);
  part = {part.begin * 8, part.end > total / 8 ? total : part.end * 8};
  ElementMover mover(ir, src, dst);
  if (elements) {
    walk_elements(ir, mover, part);
  } else {
    walk_positions(ir, mover, part);
  }
}

// -- Rectangles of a nest ---------------------------------------------------------------------------------------------

class RectangleMover {
 public:
  RectangleMover(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, const char* src, char* dst)
      : ir_(ir), nest_(*ir.nest), plan_(plan), src_(src), dst_(dst) {}

  void operator()(const LoopRange* ranges) const {
    int64_t from = nest_.src_offset, to = nest_.dst_offset;
    for (int32_t l = 0; l < nest_.loop_count; ++l) {
      if (ranges[l].end <= ranges[l].begin) return;
      from += ranges[l].begin * nest_.src_stride[l];
      to += ranges[l].begin * nest_.dst_stride[l];
    }
    // The outer loops of more than one index, outermost first.
    int64_t count[backends::kMaxLoops], at[backends::kMaxLoops], src_step[backends::kMaxLoops],
        dst_step[backends::kMaxLoops];
    int depth = 0;
    for (int i = 0; i < plan_.outer_count; ++i) {
      const int l = plan_.outer[i];
      if (ranges[l].size() == 1) continue;
      count[depth] = ranges[l].size();
      at[depth] = 0;
      src_step[depth] = nest_.src_stride[l];
      dst_step[depth] = nest_.dst_stride[l];
      ++depth;
    }
    backends::PackedWriter writer(dst_, ir_.dst_container_bits, 0, shares_bytes(ir_));
    Repeat rows{1, 0, 0};  // the innermost of them is the rows' loop
    if (plan_.method == Method::kRows && depth > 0) {
      --depth;
      rows = {count[depth], src_step[depth], dst_step[depth]};
    }
    while (true) {
      inner(ranges, from, to, rows, writer);
      int i = depth;
      while (i-- > 0) {
        from += src_step[i];
        to += dst_step[i];
        if (++at[i] < count[i]) break;
        from -= count[i] * src_step[i];
        to -= count[i] * dst_step[i];
        at[i] = 0;
      }
      if (i < 0) return;
    }
  }

 private:
  struct Repeat {
    int64_t count, src_step, dst_step;
  };

  void inner(const LoopRange* ranges, int64_t from, int64_t to, const Repeat& rows,
             backends::PackedWriter& writer) const {
    const int a = plan_.inner;
    const int64_t count = a < 0 ? 1 : ranges[a].size();
    switch (plan_.method) {
      case Method::kRows: {
        const int64_t bytes = count * ir_.dst_container_bits / 8;
        return copy_rows(src_ + from, rows.src_step, dst_ + to, rows.dst_step, rows.count, bytes);
      }
      case Method::kTranspose: {
        const int64_t across = ranges[plan_.across].size();
        const int64_t src_step = nest_.src_stride[a], dst_step = nest_.dst_stride[plan_.across];
        const bool is_large = ir_.dst_high - ir_.dst_low > kCachedBytes;
        const auto plane = [&]<class T>(T) {
          transpose_plane<T>(src_ + from, src_step, count, dst_ + to, dst_step, across, is_large);
        };
        switch (ir_.dst_container_bits) {
          case 8:
            return plane(uint8_t{});
          case 16:
            return plane(uint16_t{});
          case 32:
            return plane(uint32_t{});
          case 64:
            return plane(uint64_t{});
          default:
            return plane(Word16{});
        }
      }
      default: {
        const int64_t src_step = a < 0 ? 0 : nest_.src_stride[a], dst_step = a < 0 ? 0 : nest_.dst_stride[a];
        if (packed(ir_.dst_container_bits)) return pack(from, src_step, to, dst_step, count, writer);
        const backends::Conversion convert = backends::conversion(ir_);
        return backends::dispatch_containers(ir_.src_container_bits, ir_.dst_container_bits, [&]<int kSrc, int kDst>() {
          if constexpr (kDst > 0)
            for (int64_t i = 0; i < count; ++i)
              backends::store<kDst>(dst_, to + i * dst_step, ir_.dst_container_bits,
                                    convert(backends::load<kSrc>(src_, from + i * src_step, ir_.src_container_bits)));
        });
      }
    }
  }

  // Into elements of less than a byte.
  XLASHAPE_NOINLINE void pack(int64_t from, int64_t src_step, int64_t to, int64_t dst_step, int64_t count,
                              backends::PackedWriter& writer) const {
    const backends::Conversion convert = backends::conversion(ir_);
    const int bits = ir_.src_container_bits;
    writer.put(to, dst_step, count, [&](int64_t i) {
      const int64_t at = from + i * src_step;
      return static_cast<int>(
          convert(bits <= 8 ? backends::load<0>(src_, at, bits) : backends::load(src_, at, bits)).low);
    });
  }

  const xlashape_relayout_ir& ir_;
  const xlashape_loops& nest_;
  const ScalarRelayoutPlan& plan_;
  const char* src_;
  char* dst_;
};

void fill(const xlashape_relayout_ir& ir, char* dst, int64_t begin, int64_t end, int64_t count) {
  const auto run = [&](int64_t from, int64_t to, int64_t runs, int64_t distance) {
    for (int64_t i = 0; i < runs; ++i, from += distance, to += distance) {
      if (!packed(ir.dst_container_bits)) {
        fill_bytes(dst + from, dst + to, ir.fill, ir.dst_container_bits / 8);
      } else {
        const int bits = ir.dst_container_bits, order = backends::order_of(backends::dst_high_first(ir), bits);
        for (int64_t at = from; at < to; ++at) backends::store<0>(dst, at, bits, {ir.fill[0], 0}, order);
      }
    }
  };
  const xlashape_loops& loops = *ir.fill_loops;
  const int64_t unit = packed(ir.dst_container_bits) ? 1 : ir.dst_container_bits / 8;
  if (ir.elements > 0 && loops.loop_count > 0)
    backends::walk_fill(loops, share(loops.extent[0], begin, end, count), run);
  const int64_t from = ir.elements > 0 ? ir.dst->data_positions : 0;  // from here on everything is padding
  const LoopRange rest = share(ir.dst->positions - from, begin, end, count);
  if (rest.size() > 0) run((from + rest.begin) * unit, (from + rest.end) * unit, 1, 0);
}

// The outer loops follow the destination. If a run of the source is shorter than a cache line, the loop that continues
// in the same line comes last, if it is short too: the line is then fully used before it is evicted.
void finish_lines(const xlashape_relayout_ir& ir, int src_run, ScalarRelayoutPlan* plan) {
  constexpr int64_t kShort = 64;
  const xlashape_loops& nest = *ir.nest;
  if (src_run < 0 || nest.extent[src_run] * (ir.src_container_bits / 8) >= kLineBytes) return;
  int8_t* const end = plan->outer + plan->outer_count;
  int8_t* const next = std::min_element(plan->outer, end, [&](int8_t a, int8_t b) {
    return std::abs(nest.src_stride[a]) < std::abs(nest.src_stride[b]);
  });
  if (next != end && std::abs(nest.src_stride[*next]) < kLineBytes && nest.extent[*next] <= kShort)
    std::rotate(next, next + 1, end);
}

}  // namespace

void init(const xlashape_relayout_ir& ir, ScalarRelayoutPlan* plan) {
  plan->inner = plan->across = plan->split = -1;
  plan->outer_count = 0;
  plan->split_grain = 1;
  const xlashape_loops* nest = ir.nest;
  if (nest == nullptr || nest->loop_count > backends::kMaxLoops ||
      (ir.fill_loops && ir.fill_loops->guard_count > backends::kMaxGuards)) {
    plan->method = ir.elements == 0 && !fills(ir) ? Method::kNothing : Method::kWalk;
    return;
  }
  const int32_t loops = nest->loop_count;
  const bool bytes_on_both = same_containers(ir) && !packed(ir.dst_container_bits) && ir.values == nullptr;
  const int64_t width = ir.dst_container_bits / 8;
  int dst_run = -1, src_run = -1;  // the loops along which a side is contiguous
  for (int32_t l = 0; l < loops; ++l) {
    if (bytes_on_both && nest->dst_stride[l] == width) dst_run = l;
    if (bytes_on_both && nest->src_stride[l] == width) src_run = l;
  }
  const bool one_guard = dst_run >= 0 && src_run >= 0 && dst_run != src_run && nest->guard[dst_run] >= 0 &&
                         nest->guard[dst_run] == nest->guard[src_run];
  if (loops == 0 && bytes_on_both) {
    plan->method = Method::kRows;
  } else if (dst_run >= 0 && dst_run == src_run) {
    plan->method = Method::kRows;
    plan->inner = static_cast<int8_t>(dst_run);
  } else if (dst_run >= 0 && src_run >= 0 && !one_guard) {
    plan->method = Method::kTranspose;
    plan->inner = static_cast<int8_t>(dst_run);
    plan->across = static_cast<int8_t>(src_run);
  } else {
    plan->method = ir.values != nullptr ? Method::kValues : Method::kConvert;
    plan->inner = static_cast<int8_t>(loops - 1);  // the smallest destination stride
  }
  const auto grain = [&](int32_t l) -> int64_t {
    if (l == plan->inner && plan->method == Method::kRows) return 4096;
    return l == plan->inner || l == plan->across ? 64 : 1;
  };
  int64_t most = 1;
  // The loop with most to share is divided. Elements that share a byte stay in one task, so it and all loops outside it
  // must step by whole bytes.
  const auto whole = [&](int64_t units) {
    return !packed(ir.dst_container_bits) || units % (8 / ir.dst_container_bits) == 0;
  };
  bool whole_bytes = whole(nest->dst_offset);
  for (int32_t l = 0; l < loops; ++l) {
    if (l != plan->inner && l != plan->across) plan->outer[plan->outer_count++] = static_cast<int8_t>(l);
    whole_bytes = whole_bytes && whole(nest->dst_stride[l]);
    if (const int64_t parts = backends::divide_up(nest->extent[l], grain(l)); whole_bytes && parts > most) {
      most = parts;
      plan->split = static_cast<int8_t>(l);
      plan->split_grain = grain(l);
    }
  }
  if (packed(ir.dst_container_bits) && fills(ir)) plan->split = -1;
  if (plan->method == Method::kRows || plan->method == Method::kTranspose) finish_lines(ir, src_run, plan);
}

int64_t tasks(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, int64_t max_workers) {
  if (max_workers <= 1 || plan.method == Method::kNothing) return 1;
  const int64_t bytes = ir.dst_high - ir.dst_low;
  int64_t most = bytes / kTaskBytes;
  if (plan.method == Method::kWalk) {
    if (packed(ir.dst_container_bits) && by_elements(ir)) return 1;
  } else if (plan.split < 0) {
    return 1;
  } else {
    most = std::min(most, backends::divide_up(ir.nest->extent[plan.split], plan.split_grain));
  }
  return std::clamp<int64_t>(std::min(4 * max_workers, most), 1, 1 << 20);
}

void execute(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, const char* src, char* dst, int64_t begin,
             int64_t end, int64_t count) {
  if (plan.method == Method::kNothing || begin >= end) return;
  if (plan.method == Method::kWalk) {
    walk(ir, src, dst, begin, end, count);
  } else {
    if (plan.split < 0) {
      if (begin > 0) return;  // the first task does everything
      begin = 0, end = count = 1;
    }
    if (ir.fill_loops != nullptr) fill(ir, dst, begin, end, count);
    const xlashape_loops& nest = *ir.nest;
    LoopRange ranges[backends::kMaxLoops];
    for (int32_t l = 0; l < nest.loop_count; ++l) ranges[l] = {0, nest.extent[l]};
    if (plan.split >= 0 && count > 1) {
      const int64_t extent = nest.extent[plan.split];
      const LoopRange part = share(backends::divide_up(extent, plan.split_grain), begin, end, count);
      ranges[plan.split] = {part.begin * plan.split_grain, std::min(part.end * plan.split_grain, extent)};
    }
    if (plan.method == Method::kValues) {
      backends::split_guarded_loops(nest, ranges, ValueMover(ir, plan, src, dst, shares_bytes(ir)));
    } else if (const RectangleMover rectangle(ir, plan, src, dst); nest.guard_count == 0) {
      rectangle(ranges);
    } else {
      backends::split_guarded_loops(nest, ranges, rectangle);
    }
  }
  if (end == count) clear_spare_bits(ir, dst);
}

size_t describe(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, char* text, size_t capacity) {
  static constexpr const char* kNames[] = {"nothing", "walk", "rows", "transpose", "convert", "values"};
  size_t used = 0;
  const auto add = [&](const char* format, auto... args) {
    const int n = std::snprintf(used < capacity ? text + used : nullptr, used < capacity ? capacity - used : 0, format,
                                args..., 0);
    used += static_cast<size_t>(n > 0 ? n : 0);
  };
  add("scalar %s of %d bits", kNames[static_cast<int>(plan.method)], ir.dst_container_bits);
  if (ir.src_container_bits != ir.dst_container_bits) add(" (from %d)", ir.src_container_bits);
  if (ir.nest != nullptr) {
    add(", loops");
    for (int32_t l = 0; l < ir.nest->loop_count; ++l) {
      add(" %lld%s", static_cast<long long>(ir.nest->extent[l]), ir.nest->guard[l] >= 0 ? "*" : "");
      add("%s", l == plan.inner ? "d" : l == plan.across ? "s" : "");
    }
  } else {
    add(", no common factors");
  }
  if (fills(ir)) add(", filled");
  return used;
}

}  // namespace xlashape::scalar
