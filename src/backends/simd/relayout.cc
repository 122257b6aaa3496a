#include "backends/simd/relayout.h"

#include <cstdio>
#include <cstring>

#include "backends/common/fill.h"
#include "backends/simd/filled.h"
#include "backends/simd/rectangle.h"
#include "backends/simd/walk.h"

namespace xlashape::simd {
namespace {

using backends::Range;
using backends::share;

bool fills(const xlashape_relayout_ir& ir) { return ir.fill_policy == XLASHAPE_FILL && ir.has_padding; }
bool packed(const xlashape_relayout_ir& ir) { return ir.src_container_bits < 8 || ir.dst_container_bits < 8; }

// The value within its container, as far as the two sides' containers differ.
Value value_of(const xlashape_relayout_ir& ir, int bits) {
  const bool equal = ir.src_container_bits == ir.dst_container_bits;
  const int value = equal ? bits : ir.value_bits;
  return {static_cast<uint8_t>((1 << value) - 1),
          static_cast<uint8_t>(ir.sign_extend && !equal ? 1 << (value - 1) : 0)};
}

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

void run_rectangle(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan,
                   const Range* ranges, const char* src, char* dst, const Part& part) {
  Rectangle rectangle;
  if (!make_rectangle(ir, ranges, &rectangle)) return;
  if (rectangle.packed()) {
    const Packed form{*machine.kernels, rectangle.src_bits, rectangle.dst_bits, value_of(ir, rectangle.src_bits),
                      plan.store};
    return move_packed(form, rectangle.axes, ir.nest->loop_count, src, rectangle.src_at, dst, rectangle.dst_at, part);
  }
  Block block;
  make_block(rectangle.axes, ir.nest->loop_count, rectangle.dst_bits / 8, part.count, plan.store, &block);
  const Range tiles = share(block.tiles, part.begin, part.end, part.count);
  run_block(block, *machine.kernels, src + rectangle.src_at, dst + rectangle.dst_at, tiles.begin, tiles.end,
            plan.store);
}

template <class Run>
void fill_runs(const xlashape_relayout_ir& ir, const Part& part, Run&& run) {
  const xlashape_loops& loops = *ir.fill_loops;
  if (ir.elements > 0 && loops.loop_count > 0)
    backends::walk_fill(loops, share(loops.extent[0], part.begin, part.end, part.count), run);
  const int64_t from = ir.elements > 0 ? ir.dst->data_positions : 0;  // from here on everything is padding
  const Range rest = share(ir.dst->positions - from, part.begin, part.end, part.count);
  const int64_t unit = ir.dst_container_bits < 8 ? 1 : ir.dst_container_bits / 8;
  if (rest.size() > 0) run((from + rest.begin) * unit, (from + rest.end) * unit);
}

void fill(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan, char* dst,
          const Part& part) {
  if (ir.dst_container_bits < 8) {
    // Parts cut runs anywhere, within bytes too: all of it belongs to the first.
    if (part.first())
      fill_runs(ir, {0, 1, 1}, [&](int64_t from, int64_t to) {
        fill_packed(*machine.kernels, ir.dst_container_bits, plan.store, dst, from, to, ir.fill[0]);
      });
    return;
  }
  const int64_t unit = ir.dst_container_bits / 8;
  unsigned char pattern[16];
  for (int64_t i = 0; i < 16; ++i) pattern[i] = ir.fill[i % unit];
  fill_runs(ir, part,
            [&](int64_t from, int64_t to) { machine.kernels->fill(dst + from, to - from, pattern, plan.store); });
}

// Bits of the last byte behind the last position.
void clear_spare_bits(const xlashape_relayout_ir& ir, char* dst) {
  const int64_t per_byte = 8 / ir.dst_container_bits, last = ir.dst->positions % per_byte;
  if (ir.fill_policy == XLASHAPE_FILL && last != 0)
    dst[ir.dst->positions / per_byte] &= static_cast<char>((1 << (last * ir.dst_container_bits)) - 1);
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
  if (ir.dst_container_bits < 8 && part.first()) clear_spare_bits(ir, dst);
  // Lines written past the caches are seen by other threads only after this.
  if (plan.store == Store::kStream) machine.kernels->fence();
}

[[gnu::noinline]] void execute_filled(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan,
                                      const char* src, char* dst, const Part& part) {
  run_filled(*machine.kernels, ir, plan.chunks, plan.store, src, dst, part);
  if (plan.store == Store::kStream) machine.kernels->fence();
}

// Packed elements that lie together in tiles worth a kernel's call; by itself each is moved as well by scalar.
bool takes_packed(const xlashape_relayout_ir& ir) {
  if (std::max(ir.src_container_bits, ir.dst_container_bits) > 8 || ir.elements <= kTinyElements) return false;
  Range ranges[kMaxLoops];
  for (int32_t l = 0; l < ir.nest->loop_count; ++l) ranges[l] = {0, ir.nest->extent[l]};
  Rectangle rectangle;
  if (!make_rectangle(ir, ranges, &rectangle)) return false;
  if (!rectangle.packed()) return true;
  Block block;
  make_packed_block(rectangle.axes, ir.nest->loop_count, rectangle.src_bits, rectangle.dst_bits, 1, &block);
  return block.transposes ? block.rows * block.columns >= 64 : block.unit >= 6;
}

}  // namespace

bool takes(const xlashape_relayout_ir& ir) {
  const xlashape_loops* nest = ir.nest;
  if (nest == nullptr || nest->loop_count > kMaxLoops) return false;
  if (!packed(ir) && ir.src_container_bits != ir.dst_container_bits) return false;
  if (ir.fill_loops != nullptr && ir.fill_loops->guard_count > backends::kMaxGuards) return false;
  if (packed(ir)) return takes_packed(ir);
  if (nest->loop_count == 0) return true;
  const int64_t width = ir.dst_container_bits / 8;
  for (int32_t l = 0; l < nest->loop_count; ++l)
    if (nest->src_stride[l] == width || nest->dst_stride[l] == width) return true;
  return false;
}

void init(const Machine& machine, const xlashape_relayout_ir& ir, RelayoutPlan* plan) {
  plan->fills = fills(ir);
  plan->tiny.width = 0;
  if (!packed(ir) && ir.nest->guard_count == 0 && !plan->fills && ir.elements <= kTinyElements &&
      ir.nest->loop_count <= kTinyLoops)
    set_tiny(ir, plan->tiny);
  const int64_t limit = ir.flags & XLASHAPE_RELAYOUT_READ_RESULT ? machine.stream_bytes_read : machine.stream_bytes;
  plan->store = ir.dst_high - ir.dst_low >= limit ? Store::kStream : Store::kOrdinary;
  plan->chunks = cut_into_chunks(ir, plan->store);
}

int64_t tasks(const xlashape_relayout_ir& ir, const RelayoutPlan&, int64_t max_workers) {
  constexpr int64_t kLeastBytes = 1 << 16;  // per task
  const int64_t most = (ir.dst_high - ir.dst_low) / kLeastBytes;
  return max_workers <= 1 ? 1 : std::clamp<int64_t>(std::min(4 * max_workers, most), 1, 1 << 20);
}

void execute(const Machine& machine, const xlashape_relayout_ir& ir, const RelayoutPlan& plan, const char* src,
             char* dst, int64_t begin, int64_t end, int64_t count) {
  if (begin >= end) return;
  if (plan.chunks.loop >= 0) return execute_filled(machine, ir, plan, src, dst, {begin, end, count});
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
  const auto bytes = [&](int64_t bits) { return ll((ir.elements * bits + 7) / 8); };
  const int64_t span = ir.dst_high - ir.dst_low;
  Range ranges[kMaxLoops];
  for (int32_t l = 0; l < nest.loop_count; ++l) ranges[l] = {0, nest.extent[l]};
  Rectangle rectangle;
  add("simd %s, ", machine.kernels->name);
  if (plan.tiny.width != 0) {
    add("plain loops, as there are no more than %lld elements", ll(kTinyElements));
  } else if (make_rectangle(ir, ranges, &rectangle)) {
    Block block;
    if (rectangle.packed()) {
      make_packed_block(rectangle.axes, nest.loop_count, rectangle.src_bits, rectangle.dst_bits, 1, &block);
      add("containers of %d bits to %d bits, ", rectangle.src_bits, rectangle.dst_bits);
    } else {
      make_block(rectangle.axes, nest.loop_count, rectangle.dst_bits / 8, 1, plan.store, &block);
      if (packed(ir)) add("containers of %d bits as whole bytes, ", ir.dst_container_bits);
    }
    const char* const unit = rectangle.packed() ? "elements" : "bytes";
    if (block.permutes()) {
      Passes passes;
      block_passes(block, &passes);
      add("permutes tiles of %lld pieces of %lld bytes into %lld runs of %lld bytes, in %d passes over elements of "
          "%lld bytes, as some dimensions are contiguous with others on both sides",
          ll(block.rows), ll(block.columns * block.unit), ll(block.columns), ll(block.rows * block.unit), passes.count,
          ll(block.element));
    } else if (block.transposes && block.row_digits > 0 && block.column_digits > 0) {
      add("transposes tiles of %lld x %lld elements", ll(block.rows), ll(block.columns));
      if (!rectangle.packed()) add(" of %lld bytes", ll(block.unit));
      add(", as each side is contiguous along another dimension");
    } else {
      add("moves runs of %lld %s, as both sides have them, %lld x %lld at a time", ll(block.unit), unit, ll(block.rows),
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
  if (plan.chunks.loop >= 0)
    add("; elements and padding in one pass, %lld indices of loop %d at a time", ll(plan.chunks.indices),
        plan.chunks.loop);
  add("; loops, extent (%s apart in source, destination):", packed(ir) ? "elements" : "bytes");
  for (int32_t l = 0; l < nest.loop_count; ++l)
    add(" %lld%s (%lld, %lld)", ll(nest.extent[l]), nest.guard[l] >= 0 ? " ragged" : "", ll(nest.src_stride[l]),
        ll(nest.dst_stride[l]));
  add("; reads %lld bytes, writes %lld%s", bytes(ir.src_container_bits),
      plan.fills ? ll(span) : bytes(ir.dst_container_bits), plan.fills ? ", filled" : "");
  return used;
}

}  // namespace xlashape::simd
