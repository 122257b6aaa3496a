#include "backends/simd/relayout.h"

#include <cstdio>
#include <cstring>

#include "backends/common/fill.h"
#include "backends/common/peel.h"
#include "backends/simd/block.h"

namespace xlashape::simd {
namespace {

using backends::Range;
using backends::share;

bool fills(const xlashape_relayout_ir& ir) { return ir.fill_policy == XLASHAPE_FILL && ir.has_padding; }

// -- A handful of elements --------------------------------------------------------------------------------------------

constexpr int64_t kTinyElements = 64;
constexpr int kTinyLoops = 3;

void set_tiny(const xlashape_relayout_ir& ir, Tiny& tiny) {
  const xlashape_loops& nest = *ir.nest;
  tiny.width = ir.dst_container_bits / 8;
  tiny.src_offset = nest.src_offset;
  tiny.dst_offset = nest.dst_offset;
  for (int at = 0; at < kTinyLoops; ++at) {
    const int l = at - (kTinyLoops - nest.loop_count);
    tiny.extent[at] = l < 0 ? 1 : nest.extent[l];
    tiny.src[at] = l < 0 ? 0 : nest.src_stride[l];
    tiny.dst[at] = l < 0 ? 0 : nest.dst_stride[l];
  }
}

template <class T>
void run_tiny(const Tiny& t, const char* src, char* dst) {
  src += t.src_offset;
  dst += t.dst_offset;
  for (int64_t i = 0; i < t.extent[0]; ++i)
    for (int64_t j = 0; j < t.extent[1]; ++j) {
      const char* from = src + i * t.src[0] + j * t.src[1];
      char* to = dst + i * t.dst[0] + j * t.dst[1];
      for (int64_t k = 0; k < t.extent[2]; ++k, from += t.src[2], to += t.dst[2]) {
        T value;
        std::memcpy(&value, from, sizeof value);
        std::memcpy(to, &value, sizeof value);
      }
    }
}

struct Word16 {
  uint64_t low, high;
};

void run_tiny(const Tiny& tiny, const char* src, char* dst) {
  switch (tiny.width) {
    case 1:
      return run_tiny<uint8_t>(tiny, src, dst);
    case 2:
      return run_tiny<uint16_t>(tiny, src, dst);
    case 4:
      return run_tiny<uint32_t>(tiny, src, dst);
    case 8:
      return run_tiny<uint64_t>(tiny, src, dst);
    default:
      return run_tiny<Word16>(tiny, src, dst);
  }
}

// -- Rectangles -------------------------------------------------------------------------------------------------------

struct Part {
  int64_t begin, end, count;
};

void run_rectangle(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan,
                   const Range* ranges, const char* src, char* dst, const Part& part) {
  const xlashape_loops& nest = *ir.nest;
  Axis axes[kMaxLoops];
  src += nest.src_offset;
  dst += nest.dst_offset;
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    if (ranges[l].end <= ranges[l].begin) return;
    src += ranges[l].begin * nest.src_stride[l];
    dst += ranges[l].begin * nest.dst_stride[l];
    axes[l] = {ranges[l].size(), nest.src_stride[l], nest.dst_stride[l]};
  }
  Block block;
  make_block(axes, nest.loop_count, ir.dst_container_bits / 8, part.count, plan.store, &block);
  const Range tiles = share(block.tiles, part.begin, part.end, part.count);
  run_block(block, *machine.kernels, src, dst, tiles.begin, tiles.end, plan.store);
}

void fill(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan, char* dst,
          const Part& part) {
  const int64_t unit = ir.dst_container_bits / 8;
  unsigned char pattern[16];
  for (int64_t i = 0; i < 16; ++i) pattern[i] = ir.fill[i % unit];
  const auto run = [&](int64_t from, int64_t to) { machine.kernels->fill(dst + from, to - from, pattern, plan.store); };
  const xlashape_loops& loops = *ir.fill_loops;
  if (ir.elements > 0 && loops.loop_count > 0)
    backends::walk_fill(loops, share(loops.extent[0], part.begin, part.end, part.count), run);
  const int64_t from = ir.elements > 0 ? ir.dst->data_positions : 0;  // from here on everything is padding
  const Range rest = share(ir.dst->positions - from, part.begin, part.end, part.count);
  if (rest.size() > 0) run((from + rest.begin) * unit, (from + rest.end) * unit);
}

// Apart, as its frame is large.
[[gnu::noinline]] void execute(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan,
                               const char* src, char* dst, const Part& part) {
  const xlashape_loops& nest = *ir.nest;
  Range ranges[kMaxLoops];
  for (int32_t l = 0; l < nest.loop_count; ++l) ranges[l] = {0, nest.extent[l]};
  if (nest.guard_count == 0) {
    run_rectangle(machine, ir, plan, ranges, src, dst, part);
  } else {
    backends::peel(nest, ranges, [&](const Range* inner) { run_rectangle(machine, ir, plan, inner, src, dst, part); });
  }
  if (plan.fills) fill(machine, ir, plan, dst, part);
  // Lines written past the caches are seen by other threads only after this.
  if (plan.store == Store::kStream) machine.kernels->fence();
}

}  // namespace

bool takes(const xlashape_relayout_ir& ir) {
  const xlashape_loops* nest = ir.nest;
  if (nest == nullptr || nest->loop_count > kMaxLoops || ir.src_container_bits != ir.dst_container_bits) return false;
  if (ir.dst_container_bits < 8) return false;
  if (ir.fill_loops != nullptr && ir.fill_loops->guard_count > backends::kMaxGuards) return false;
  if (nest->loop_count == 0) return true;
  const int64_t width = ir.dst_container_bits / 8;
  for (int32_t l = 0; l < nest->loop_count; ++l)
    if (nest->src_stride[l] == width || nest->dst_stride[l] == width) return true;
  return false;
}

void init(const Machine& machine, const xlashape_relayout_ir& ir, RelayoutPlan* plan) {
  plan->fills = fills(ir);
  plan->tiny.width = 0;
  if (ir.nest->guard_count == 0 && !plan->fills && ir.elements <= kTinyElements && ir.nest->loop_count <= kTinyLoops)
    set_tiny(ir, plan->tiny);
  const int64_t limit = ir.flags & XLASHAPE_RELAYOUT_READ_RESULT ? machine.stream_bytes_read : machine.stream_bytes;
  plan->store = ir.dst_high - ir.dst_low >= limit ? Store::kStream : Store::kOrdinary;
}

int64_t tasks(const xlashape_relayout_ir& ir, const RelayoutPlan&, int64_t max_workers) {
  constexpr int64_t kLeastBytes = 1 << 16;  // per task
  const int64_t most = (ir.dst_high - ir.dst_low) / kLeastBytes;
  return max_workers <= 1 ? 1 : std::clamp<int64_t>(std::min(4 * max_workers, most), 1, 1 << 20);
}

void execute(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan, const char* src,
             char* dst, int64_t begin, int64_t end, int64_t count) {
  if (begin >= end) return;
  if (plan.tiny.width == 0) return execute(machine, ir, plan, src, dst, {begin, end, count});
  if (begin == 0) run_tiny(plan.tiny, src, dst);
}

size_t describe(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan, char* text,
                size_t capacity) {
  size_t used = 0;
  const auto add = [&](const char* format, auto... args) {
    const int n =
        std::snprintf(used < capacity ? text + used : nullptr, used < capacity ? capacity - used : 0, format, args...);
    used += static_cast<size_t>(n > 0 ? n : 0);
  };
  const auto ll = [](int64_t value) { return static_cast<long long>(value); };
  const xlashape_loops& nest = *ir.nest;
  const int64_t width = ir.dst_container_bits / 8, bytes = ir.elements * width, span = ir.dst_high - ir.dst_low;
  add("simd %s, ", machine.kernels->name);
  if (plan.tiny.width != 0) {
    add("plain loops, as there are no more than %lld elements", ll(kTinyElements));
  } else {
    Axis axes[kMaxLoops];
    for (int32_t l = 0; l < nest.loop_count; ++l) axes[l] = {nest.extent[l], nest.src_stride[l], nest.dst_stride[l]};
    Block block;
    make_block(axes, nest.loop_count, width, 1, plan.store, &block);
    if (block.transposes && block.row_digits > 0 && block.column_digits > 0) {
      add("transposes tiles of %lld x %lld elements of %lld bytes, as each side is contiguous along another dimension",
          ll(block.rows), ll(block.columns), ll(block.unit));
    } else {
      add("moves runs of %lld bytes, as both sides have them, %lld x %lld at a time", ll(block.unit), ll(block.rows),
          ll(block.columns));
    }
    if (block.loops > 0) add("; tiles");
    for (int i = 0; i < block.loops; ++i)
      add(" %lld%s", ll(block.loop[i].count), i == block.row_loop ? "d" : i == block.column_loop ? "s" : "");
    const bool soon = (ir.flags & XLASHAPE_RELAYOUT_READ_RESULT) != 0;
    add("; %s stores, as %lld bytes are %s %lld%s", plan.store == Store::kStream ? "streaming" : "ordinary", ll(span),
        plan.store == Store::kStream ? "no less than" : "less than",
        ll(soon ? machine.stream_bytes_read : machine.stream_bytes), soon ? " (read soon)" : "");
  }
  add("; loops, extent (bytes apart in source, destination):");
  for (int32_t l = 0; l < nest.loop_count; ++l)
    add(" %lld%s (%lld, %lld)", ll(nest.extent[l]), nest.guard[l] >= 0 ? " ragged" : "", ll(nest.src_stride[l]),
        ll(nest.dst_stride[l]));
  add("; reads %lld bytes, writes %lld%s", ll(bytes), ll(plan.fills ? span : bytes), plan.fills ? ", filled" : "");
  return used;
}

}  // namespace xlashape::simd
