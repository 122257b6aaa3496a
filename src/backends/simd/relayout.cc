// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/relayout.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "backends/common/limits.h"
#include "backends/simd/copy.h"
#include "backends/simd/filled.h"
#include "backends/simd/padding.h"
#include "backends/simd/parts.h"
#include "backends/simd/rectangle.h"
#include "backends/simd/run.h"
#include "backends/simd/value_blocks.h"
#include "backends/simd/values.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

using backends::LoopRange;
using backends::share;

// A mask of the bits that a container of `bits` keeps: those of the value, where the two sides' containers differ.
uint8_t value_of(const xlashape_relayout_ir& ir, int bits) {
  const int value = ir.src_container_bits == ir.dst_container_bits ? bits : ir.value_bits;
  return static_cast<uint8_t>((1 << value) - 1);
}

// -- A few elements ---------------------------------------------------------------------------------------------------

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

// Places are counted without a sign: what lies a step beyond the last element need not fit.
struct TinyPlace {
  uint64_t src, dst;
  TinyPlace operator+(const TinyPlace& step) const { return {src + step.src, dst + step.dst}; }
};

template <class T>
XLASHAPE_NOINLINE void run_tiny(const Tiny& t, const char* src, char* dst) {
  // Copies of the loops' numbers: as far as the compiler knows, each store may change those of the plan.
  const int64_t outer = t.extent[0], middle = t.extent[1], inner = t.extent[2];
  const auto step = [&](int l) { return TinyPlace{static_cast<uint64_t>(t.src[l]), static_cast<uint64_t>(t.dst[l])}; };
  const TinyPlace outer_step = step(0), middle_step = step(1), inner_step = step(2);
  TinyPlace first{static_cast<uint64_t>(t.src_offset), static_cast<uint64_t>(t.dst_offset)};
  for (int64_t i = 0; i < outer; ++i, first = first + outer_step) {
    TinyPlace begin = first;
    for (int64_t j = 0; j < middle; ++j, begin = begin + middle_step) {
      TinyPlace at = begin;
      for (int64_t k = 0; k < inner; ++k, at = at + inner_step) {
        T value;
        std::memcpy(&value, src + static_cast<int64_t>(at.src), sizeof value);
        std::memcpy(dst + static_cast<int64_t>(at.dst), &value, sizeof value);
      }
    }
  }
}

struct Bytes16 {
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
      return run_tiny<Bytes16>(tiny, src, dst);
  }
}

// -- Rectangles -------------------------------------------------------------------------------------------------------

// Whether the destination begins within a line, which matters where lines are written past the caches.
bool begins_within_line(const SimdRelayoutPlan& plan, const char* to) {
  return plan.store == Store::kStream && reinterpret_cast<uintptr_t>(to) % kLineBytes != 0;
}

void run_rectangle(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan,
                   const LoopRange* ranges, const char* src, char* dst, const TaskRange& part) {
  Rectangle rectangle;
  if (!make_rectangle(ir, ranges, &rectangle)) return;
  if (rectangle.packed()) {
    const Packed form{*processor.kernels, rectangle.src_bits,
                      rectangle.dst_bits, value_of(ir, rectangle.src_bits),
                      plan.store,         (ir.flags & XLASHAPE_IR_HAS_BOX) != 0};
    return move_packed(form, rectangle.axes, ir.nest->loop_count, src, rectangle.src_at, dst, rectangle.dst_at, part);
  }
  TilePlan tiles;
  char* const to = dst + rectangle.dst_at;
  const bool odd = begins_within_line(plan, to);
  if (plan.kind == PlanKind::kTiles && part.count == 1 && !(odd && plan.adapts)) {
    choose_again(plan.choice, rectangle.axes, ir.nest->loop_count, rectangle.dst_bits / 8, &tiles);
  } else {
    Conditions conditions = conditions_of(*processor.kernels, plan.store, part.count);
    conditions.odd = odd;
    choose(rectangle.axes, ir.nest->loop_count, rectangle.dst_bits / 8, conditions, &tiles);
  }
  run_tiles(tiles.tiling, tiles.kind, plan.store, *processor.kernels, src + rectangle.src_at, to, part);
}

// Whether something follows the elements: padding, spare bits, or the fence of stores past the caches.
void set_store(const xlashape_relayout_ir& ir, Store store, SimdRelayoutPlan* plan) {
  plan->store = plan->choice.store = store;
  plan->finishes = plan->fills || ir.dst_container_bits < 8 || store == Store::kStream;
}

// Makes the plan move these tiles.
void take(const TilePlan& tiles, const Rectangle& rectangle, SimdRelayoutPlan* plan) {
  plan->choice = tiles.choice;
  plan->kept.kind = KernelKind::kNone;
  const Schedule& schedule = tiles.schedule;
  if (schedule.axes > 1 || (schedule.axes == 1 && !schedule.has_run())) {
    plan->kind = PlanKind::kTiles;
    return keep(tiles, rectangle, &plan->kept);
  }
  plan->kind = PlanKind::kCopy;
  plan->copy = {rectangle.src_at, rectangle.dst_at,
                schedule.element * (schedule.axes == 1 ? schedule.axis[0].count : 1), CopyKind::kPlain};
}

// Whether other tiles are better for this destination, which begins within a line.
bool wants_others(const SimdRelayoutPlan& plan, const char* dst) {
  const KeptTiles& kept = plan.kept;
  const char* const to = dst + kept.dst_at;
  return plan.adapts && kept.kind == KernelKind::kTranspose && begins_within_line(plan, to) &&
         shift_to_lines(kept.tiling, kept.kind, kept.params, to) == 0;
}

void run_kept(const Processor& processor, const SimdRelayoutPlan& plan, const char* src, char* dst,
              const TaskRange& part) {
  const KeptTiles& kept = plan.kept;
  run_tiles(kept.tiling, kept.kind, kept.params, *processor.kernels, src + kept.src_at, dst + kept.dst_at, part);
}

// A single run. Parts begin at whole lines.
void run_copy(const Processor& processor, const SimdRelayoutPlan& plan, const char* src, char* dst,
              const TaskRange& part) {
  int64_t begin = 0, end = plan.copy.bytes;
  if (!part.all()) {
    const LoopRange lines = share(backends::divide_up(end, kLineBytes), part.begin, part.end, part.count);
    begin = lines.begin * kLineBytes;
    end = std::min(lines.end * kLineBytes, end);
    if (begin >= end) return;
  }
  src += plan.copy.src_at + begin;
  dst += plan.copy.dst_at + begin;
  copy_run(*processor.kernels, plan.copy.kind, plan.store, dst, src, end - begin);
}

// Fills what is not an element.
void finish(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, char* dst,
            const TaskRange& part) {
  if (plan.fills) fill_padding(*processor.kernels, ir, plan.store, dst, part);
  if (ir.dst_container_bits < 8 && part.first()) clear_spare_bits(ir, dst);
  // Other threads see lines written past the caches only after this.
  if (plan.store == Store::kStream) processor.kernels->fence();
}

// A separate function, as its frame is large.
XLASHAPE_NOINLINE void execute_rectangles(const Processor& processor, const xlashape_relayout_ir& ir,
                                          const SimdRelayoutPlan& plan, const char* src, char* dst,
                                          const TaskRange& part) {
  const xlashape_loops& nest = *ir.nest;
  LoopRange ranges[kMaxSimdLoops];
  for (int32_t l = 0; l < nest.loop_count; ++l) ranges[l] = {0, nest.extent[l]};
  if (nest.guard_count == 0) {
    run_rectangle(processor, ir, plan, ranges, src, dst, part);
  } else if (const NestCut cut = cut_rectangles(ir); cut.loop >= 0) {
    move_parts(*processor.kernels, ir, plan.store, cut, src, dst, part);
  } else {
    backends::split_guarded_loops(
        nest, ranges, [&](const LoopRange* inner) { run_rectangle(processor, ir, plan, inner, src, dst, part); });
  }
}

XLASHAPE_NOINLINE void execute_filled(const Processor& processor, const xlashape_relayout_ir& ir,
                                      const SimdRelayoutPlan& plan, const char* src, char* dst, const TaskRange& part) {
  run_filled(*processor.kernels, ir, plan.chunks, plan.store, src, dst, part);
  if (plan.store == Store::kStream) processor.kernels->fence();
}

// Whether packed elements are contiguous in tiles worth a kernel's call; the scalar backend moves single ones as well.
bool takes_packed(const xlashape_relayout_ir& ir) {
  if (std::max(ir.src_container_bits, ir.dst_container_bits) > 8 || ir.elements <= kTinyElements) return false;
  Rectangle rectangle;
  if (!make_whole_rectangle(ir, &rectangle)) return false;
  if (!rectangle.packed()) return true;
  if (const int row = reversed_axis(rectangle.axes, ir.nest->loop_count); row >= 0)
    return rectangle.axes[row].count >= kLeastReversed;
  PackedPlan plan;
  choose_packed(rectangle.axes, ir.nest->loop_count, rectangle.src_bits, rectangle.dst_bits, 1, &plan);
  const Tiling& tiling = plan.tiling;
  const int64_t rows = tiling.rows.whole, columns = tiling.columns.whole;
  if (plan.kind == PackedKernelKind::kRuns) return tiling.unit >= 6;
  return rows > 1 && columns > 1 && rows * columns >= 64;
}

}  // namespace

const char* refusal(const xlashape_relayout_ir& ir) {
  if (ir.values != nullptr) return values_refusal(ir);
  const xlashape_loops* nest = ir.nest;
  if (nest == nullptr) return "the two layouts have no common factors";
  if (nest->loop_count > kMaxSimdLoops) return "it takes too many loops";
  if (!is_packed(ir) && ir.src_container_bits != ir.dst_container_bits)
    return "the elements' containers differ, and are whole bytes";
  if (ir.fill_loops != nullptr && ir.fill_loops->guard_count > backends::kMaxGuards)
    return "padding comes from too many dimensions";
  if (is_packed(ir)) {
    Shuffle shuffle;
    const bool takes = takes_packed(ir) || (!fills(ir) && find_shuffle(ir, &shuffle));
    return takes ? nullptr : "packed elements lie too far apart, or are too few";
  }
  if (nest->loop_count == 0) return nullptr;
  const int64_t width = ir.dst_container_bits / 8;
  for (int32_t l = 0; l < nest->loop_count; ++l)
    if (std::abs(nest->src_stride[l]) == width || std::abs(nest->dst_stride[l]) == width) return nullptr;
  return "no dimension is contiguous on either side";
}

void init(const Processor& processor, const xlashape_relayout_ir& ir, SimdRelayoutPlan* plan) {
  plan->choice = {};
  plan->adapts = true;
  plan->fills = fills(ir);
  set_store(ir, ir.dst_high - ir.dst_low >= stream_limit(processor, ir) ? Store::kStream : Store::kOrdinary, plan);
  plan->kept.kind = KernelKind::kNone;
  plan->chunks = {};
  if (ir.values != nullptr) {
    plan->kind = PlanKind::kValues;
    return;
  }
  if (!is_packed(ir) && ir.nest->guard_count == 0 && !plan->fills && ir.elements <= kTinyElements &&
      ir.nest->loop_count <= kTinyLoops) {
    plan->kind = PlanKind::kTiny;
    return set_tiny(ir, plan->tiny);
  }
  if (!plan->fills && find_shuffle(ir, &plan->shuffle)) {
    plan->kind = PlanKind::kShuffle;
    return;
  }
  plan->kind = PlanKind::kRectangles;
  plan->chunks = cut_into_chunks(ir, plan->store);
  if (plan->chunks.loop >= 0) {
    plan->kind = PlanKind::kChunks;
    return;
  }
  // Guards cut a nest into rectangles that are known only when it runs.
  Rectangle rectangle;
  if (ir.nest->guard_count > 0 || !make_whole_rectangle(ir, &rectangle) || rectangle.packed()) return;
  TilePlan tiles;
  choose(rectangle.axes, ir.nest->loop_count, rectangle.dst_bits / 8, conditions_of(*processor.kernels, plan->store, 1),
         &tiles);
  take(tiles, rectangle, plan);
  if (plan->kind == PlanKind::kCopy)
    plan->copy.kind = plan->choice.copy = choose_copy(processor.profile.rates, plan->store, plan->copy.bytes);
}

// What moving tiles of at most so many elements takes, of so many bytes each, or packed.
int64_t tile_stack(int64_t elements, int64_t width, bool packed, bool panels) {
  const int64_t bytes = elements * width;
  // Rows by columns are no more than the array has: the tables are longest where one of the two is.
  const int64_t longest = std::min(bytes + 8, kMaxSide), other = std::min(bytes / longest + 16, kMaxSide);
  const int64_t tables = (longest + other) * int64_t{sizeof(int64_t)};
  // What stage_bytes answers for any such tile; packed ones have rows and columns of whole bytes.
  const int64_t gaps = 2 * kLineBytes * (elements + 8);
  const StageBytes most{std::min(kGatherBytes, 16 * bytes + gaps + 2048), std::min(kOutBytes, 8 * bytes + gaps)};
  int64_t stage = tables + 2 * most.in + most.out + 3 * kSlack + int64_t{sizeof(Passes)} * 8;
  if (panels) stage = std::max(stage, tables + kPanelBytes + kGatherBytes + 2 * kSlack);
  if (packed) {  // which may be moved as whole bytes, too
    const int64_t staged = std::min(kPackedBytes, std::max(kPageBytes, 8 * bytes + 512));
    stage = std::max(stage, 2 * tables + 1024 + most.in + most.out + 2 * staged + 4 * kSlack);
  }
  return stage;
}

// Tiles are known only when they run, but none has more elements than the array.
int64_t stack_bytes(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan) {
  if (plan.kind == PlanKind::kTiny || plan.kind == PlanKind::kCopy || plan.kind == PlanKind::kShuffle)
    return kFramesStack;
  const bool packed = is_packed(ir);
  if (plan.kind == PlanKind::kValues)
    return kFramesStack + values_stack(ir) + tile_stack(values_tile(ir), values_width(ir), packed, false);
  const int64_t elements = std::min(ir.elements, kLargeChunkBytes);
  int64_t stage =
      tile_stack(elements, container_bytes(packed ? 8 : ir.dst_container_bits), packed, plan.store == Store::kStream);
  if (plan.kind == PlanKind::kRectangles && elements * container_bytes(ir.dst_container_bits) >= kLargeChunkBytes &&
      !packed)
    stage += kKeptParts * int64_t{sizeof(KeptTiles)};
  if (plan.kind == PlanKind::kChunks) stage += filler_bytes(ir, plan.chunks, plan.store);
  return kFramesStack + stage;
}

// Whether the destination is cut into chunks depends on the stores.
bool may_store(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, Store store) {
  return (cut_into_chunks(ir, store).loop >= 0) == (plan.kind == PlanKind::kChunks);
}

bool has_choice(const SimdRelayoutPlan& plan) {
  return plan.kind != PlanKind::kTiny && plan.kind != PlanKind::kShuffle && plan.kind != PlanKind::kValues;
}

bool choose_for(const xlashape_relayout_ir& ir, const TileChoice& choice, SimdRelayoutPlan* plan) {
  if (!has_choice(*plan) || !fits_copy(choice.copy, choice.store)) return false;
  if (plan->kind != PlanKind::kCopy && choice.copy != CopyKind::kPlain) return false;
  Rectangle rectangle;
  if (plan->kind == PlanKind::kTiles && make_whole_rectangle(ir, &rectangle)) {
    TilePlan tiles;
    if (!choose_again(choice, rectangle.axes, ir.nest->loop_count, rectangle.dst_bits / 8, &tiles)) return false;
    set_store(ir, choice.store, plan);
    take(tiles, rectangle, plan);
    plan->adapts = false;
    return true;
  }
  if (!may_store(ir, *plan, choice.store)) return false;
  plan->chunks = cut_into_chunks(ir, choice.store);
  set_store(ir, choice.store, plan);
  plan->copy.kind = plan->choice.copy = choice.copy;
  return true;
}

// Each worker gets as many tasks as any other one, or one task of them all would be waited for. Several balance what
// other programs take of the processors, but each plans tiles anew.
int64_t tasks(const Processor& processor, const xlashape_relayout_ir& ir, int64_t max_workers) {
  // Elements of less than a byte take as long as bytes.
  const int64_t bytes = std::max(ir.dst_high - ir.dst_low, ir.elements);
  if (max_workers <= 1 || bytes < processor.profile.share) return 1;
  const int64_t workers = std::clamp<int64_t>(bytes / kTaskBytes, 1, std::min<int64_t>(max_workers, 1 << 18));
  return workers * std::clamp<int64_t>(bytes / (2 * kTaskBytes * workers), 1, 4);
}

int64_t stream_limit(const Processor& processor, const xlashape_relayout_ir& ir) {
  const SpeedProfile& profile = processor.profile;
  const xlashape_loops& nest = *ir.nest;
  int64_t limit = profile.stream_squares;
  for (int32_t l = 0; l < nest.loop_count && !is_packed(ir); ++l) {
    const int64_t width = ir.dst_container_bits / 8;
    if (nest.src_stride[l] != width || nest.dst_stride[l] != width || nest.extent[l] < kLineBytes / width) continue;
    limit = nest.loop_count == 1 ? profile.stream_copy : profile.stream_runs;
  }
  return ir.flags & XLASHAPE_IR_KEEP_IN_CACHE ? 2 * limit : limit;
}

namespace {

XLASHAPE_NOINLINE void execute_large(const Processor& processor, const xlashape_relayout_ir& ir,
                                     const SimdRelayoutPlan& plan, const char* src, char* dst, const TaskRange& part) {
  // In place every element is at its position already: only padding may be written.
  if (src == dst && (ir.flags & XLASHAPE_IR_IS_IDENTITY)) return finish(processor, ir, plan, dst, part);
  switch (plan.kind) {
    case PlanKind::kTiny:
      return;
    case PlanKind::kChunks:
      return execute_filled(processor, ir, plan, src, dst, part);
    case PlanKind::kCopy:
      run_copy(processor, plan, src, dst, part);
      break;
    case PlanKind::kShuffle:
      run_shuffle(plan.shuffle, *processor.kernels, plan.store, src, dst, part);
      break;
    case PlanKind::kValues:
      run_values(*processor.kernels, ir, plan.store, src, dst, part);
      break;
    case PlanKind::kTiles:
      // Where several tasks would have too few of the tiles for one, they choose others.
      if (plan.kept.kind != KernelKind::kNone && (part.count == 1 || plan.kept.tiling.tiles / 4 >= part.count) &&
          !wants_others(plan, dst)) {
        run_kept(processor, plan, src, dst, part);
        break;
      }
      [[fallthrough]];
    case PlanKind::kRectangles:
      execute_rectangles(processor, ir, plan, src, dst, part);
  }
  if (plan.finishes) finish(processor, ir, plan, dst, part);
}

}  // namespace

// Separate from the rest, which needs a frame.
void execute(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, const char* src,
             char* dst, const TaskRange& part) {
  if (part.begin >= part.end) return;
  if (plan.kind != PlanKind::kTiny) return execute_large(processor, ir, plan, src, dst, part);
  if (part.first()) run_tiny(plan.tiny, src, dst);
}

}  // namespace xlashape::simd
