// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/filled.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "backends/simd/chunk_plan.h"
#include "backends/simd/run.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

using backends::LoopRange;

constexpr int64_t kMaxPrefetchLines = 1024;  // at once

// A chunk's place: the first index of each loop down to the one that is cut, and how many indices of that one.
struct ChunkPlace {
  int64_t index[kMaxSimdLoops];
  int64_t indices, src, dst;
};

// The chunks of a nest: a schedule in which a tile has some indices of one loop, with all inner loops.
class ChunkWalk {
 public:
  ChunkWalk(const xlashape_loops& nest, const Chunks& chunks) : nest_(nest) {
    schedule_.axes = chunks.loop + 1;
    for (int32_t l = 0; l <= chunks.loop; ++l)
      schedule_.axis[l] = {nest.extent[l], nest.src_stride[l], nest.dst_stride[l]};
    schedule_.clear();
    schedule_.take_plane(chunks.loop, chunks.indices);
    schedule_.order_loops_as_given();
    make_tiling(schedule_, &room_, &tiling_);
  }
  int64_t chunks() const { return tiling_.tiles; }

  // Makes `chunk` the next one.
  void go_to(int64_t chunk) { walk_.emplace(tiling_, chunk, tiling_.tiles); }
  // Returns false after the last one.
  bool next(ChunkPlace* chunk) {
    std::fill_n(chunk->index, schedule_.axes, 0);
    for (int i = 0; i < schedule_.loops; ++i) {
      const int l = schedule_.loop[i];
      chunk->index[l] = walk_->at(i) * schedule_.chunk[l];
    }
    TilePlace place;
    walk_->next(&place);
    chunk->indices = place.planes;
    chunk->src = nest_.src_offset + place.src;
    chunk->dst = nest_.dst_offset + place.dst;
    return place.rows > 0;
  }

 private:
  const xlashape_loops& nest_;
  Schedule schedule_;
  TilingArrays room_;
  Tiling tiling_;
  std::optional<TileWalk> walk_;
};

class Filler {
 public:
  // `plans`: one without room for tiles where there is one chunk, else two.
  Filler(const Kernels& kernels, const xlashape_relayout_ir& ir, const Chunks& chunks, Store store, const char* src,
         char* dst, std::span<ChunkPlan> plans)
      : kernels_(kernels),
        ir_(ir),
        nest_(*ir.nest),
        loop_(chunks.loop),
        store_(store),
        src_(src),
        dst_(dst),
        width_(ir.dst_container_bits / 8),
        fills_(ir.fill_policy == XLASHAPE_FILL_PADDING),
        walk_(nest_, chunks),
        plan_(plans),
        most_rectangles_(plans.size() > 1 ? kMaxRectangles : 0) {
    for (int64_t i = 0; i < 16; ++i) pattern_[i] = ir.fill[i % width_];
    is_byte_ = std::count(pattern_, pattern_ + 16, pattern_[0]) == 16;
    // How far each guard counts within a chunk, which follows from the outermost loop of the guard.
    for (int32_t g = 0; g < nest_.guard_count; ++g) span_[g] = 1;
    for (int32_t l = nest_.loop_count; l-- > loop_;)
      if (nest_.guard[l] >= 0) span_[nest_.guard[l]] = (l == loop_ ? chunks.indices : nest_.extent[l]) * nest_.step[l];
  }

  int64_t chunks() const { return walk_.chunks(); }

  void run(LoopRange chunks) {
    if (chunks.size() <= 0) return;
    walk_.go_to(chunks.begin);
    walk_.next(&chunk_);
    ChunkPlan* plan = &find();
    for (int64_t i = chunks.begin; i < chunks.end; ++i) {
      const bool staged = plan->staged;
      const char* const stage = plan->stage;
      const int64_t bytes = chunk_.indices * nest_.dst_stride[loop_];
      char* const to = dst_ + chunk_.dst;
      move(*plan, src_ + chunk_.src, to, bytes);
      const bool more = walk_.next(&chunk_);
      char* const next = dst_ + (more ? chunk_.dst : ir_.dst->positions * width_);
      if (more) plan = &find();
      if (staged) stream(to, stage, bytes, i + 1 < chunks.end ? plan : nullptr, src_ + chunk_.src, next);
      fill(to + bytes, next - (to + bytes), store_);
    }
  }

 private:
  void fill(char* dst, int64_t bytes, Store store) const {
    if (bytes <= 0 || !fills_) return;
    if (store == Store::kOrdinary && is_byte_) {
      std::memset(dst, pattern_[0], static_cast<size_t>(bytes));
    } else {
      kernels_.fill(dst, bytes, pattern_, store);
    }
  }
  // The pattern repeats with each element, so it may begin anew at the end of any number of elements.
  void fill_hole(char* dst, int64_t bytes) const {
    if (!fills_) return;
    if (bytes < 16 || bytes > 256 || store_ == Store::kStream || is_byte_) return fill(dst, bytes, store_);
    for (int64_t i = 0; i < bytes - 16; i += 16) std::memcpy(dst + i, pattern_, 16);
    std::memcpy(dst + bytes - 16, pattern_, 16);
  }

  // If the chunk is staged, this writes only its stage.
  void move(ChunkPlan& plan, const char* from, char* to, int64_t bytes) {
    if (plan.empty) return fill(to, bytes, store_);
    if (plan.staged) {
      // Even where padding may be anything: the stack's old content must not get out.
      if (!plan.filled) kernels_.fill(plan.stage, bytes, pattern_, Store::kOrdinary);
      plan.filled = true;
      return move_elements(plan, from, plan.stage, Store::kOrdinary);
    }
    if (plan.filled_first) fill(to, bytes, Store::kOrdinary);
    move_elements(plan, from, to, plan.filled_first ? Store::kOrdinary : store_);
    for (int h = 0; h < plan.holes && !plan.filled_first; ++h) fill_hole(to + plan.hole[h].at, plan.hole[h].bytes);
  }

  // Meanwhile prefetches what the next chunk reads and the pages that it is written to.
  void stream(char* to, const char* stage, int64_t bytes, const ChunkPlan* next, const char* next_src,
              char* next_dst) const {
    constexpr int64_t kStep = 1024;
    if (next == nullptr) return kernels_.copy(to, stage, bytes, Store::kStream);
    for (char* p = next_dst; p < next_dst + bytes; p += kPageBytes) ir::prefetch_to_write<3>(p);
    Prefetcher prefetcher(*next, next_src);
    for (int64_t i = 0, n = kStep - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % kLineBytes); i < bytes;
         i += n, n = kStep) {
      kernels_.copy(to + i, stage + i, std::min(n, bytes - i), Store::kStream);
      prefetcher.some(kStep / kLineBytes);
    }
  }

  void move_elements(const ChunkPlan& plan, const char* from, char* to, Store store) const {
    if (plan.rectangles <= most_rectangles_) {
      // The source of the edges is separate.
      if (plan.rectangles > 1) Prefetcher(plan, from, plan.first_piece[1]).some(kMaxPrefetchLines);
      for (int r = 0; r < plan.rectangles; ++r)
        run_tiles(plan.tiles[r].tiling, plan.tiles[r].kind, store, kernels_, from + plan.src[r], to + plan.dst[r]);
      return;
    }
    each_rectangle([&](const Rectangle& rectangle) {
      TilePlan tiles;
      choose(rectangle.axes, nest_.loop_count, width_, {.store = store, .kernels = kernels_.traits}, &tiles);
      run_tiles(tiles.tiling, tiles.kind, store, kernels_, src_ + rectangle.src_at,
                to + (rectangle.dst_at - chunk_.dst));
    });
  }

  // Whether everything is filled before elements are moved: many holes, or short ones.
  bool is_filled_first(const ChunkPlan& plan) const {
    if (plan.holes > kMaxHoles) return true;
    int64_t padding = 0;
    for (int h = 0; h < plan.holes; ++h) padding += plan.hole[h].bytes;
    return store_ == Store::kOrdinary && padding < plan.holes * kShortHole;
  }

  template <class Do>
  void each_rectangle(Do&& act) const {
    LoopRange ranges[kMaxSimdLoops];
    for (int32_t l = 0; l < nest_.loop_count; ++l)
      ranges[l] = l > loop_ ? LoopRange{0, nest_.extent[l]}
                            : LoopRange{chunk_.index[l], chunk_.index[l] + (l < loop_ ? 1 : chunk_.indices)};
    const auto leaf = [&](const LoopRange* part) {
      Rectangle rectangle;
      if (make_rectangle(ir_, part, &rectangle)) act(rectangle);
    };
    backends::split_guarded_loops(nest_, ranges, leaf);
  }

  // The plan of the current chunk. Two plans are kept, as whole tiles alternate with tiles at an edge.
  ChunkPlan& find() {
    int64_t left[kMaxFilledGuards];
    for (int32_t g = 0; g < nest_.guard_count; ++g) left[g] = nest_.high[g];
    for (int32_t l = 0; l <= loop_; ++l)
      if (nest_.guard[l] >= 0) left[nest_.guard[l]] -= chunk_.index[l] * nest_.step[l];
    for (int32_t g = 0; g < nest_.guard_count; ++g) left[g] = std::clamp<int64_t>(left[g], 0, span_[g]);
    for (size_t k = 0; k < plan_.size(); ++k)
      if (plan_[k].indices == chunk_.indices && std::equal(left, left + nest_.guard_count, plan_[k].left)) {
        last_ = k;
        return plan_[k];
      }
    last_ = plan_.size() - 1 - last_;
    ChunkPlan& plan = plan_[last_];
    plan.filled = false;
    plan.indices = chunk_.indices;
    std::copy(left, left + nest_.guard_count, plan.left);
    plan.empty = std::count(left, left + nest_.guard_count, 0) > 0;
    plan.rectangles = plan.holes = plan.pieces = 0;
    const int64_t bytes = chunk_.indices * nest_.dst_stride[loop_];
    if (!plan.empty) find_holes(nest_, loop_, chunk_.indices, bytes, width_, plan);
    plan.staged =
        !plan.empty && store_ == Store::kStream && bytes <= kStagedBytes && plan.holes * kHoleDistance > bytes;
    plan.filled_first = is_filled_first(plan);
    const Store store = plan.staged || plan.filled_first ? Store::kOrdinary : store_;
    each_rectangle([&](const Rectangle& rectangle) {
      const int r = plan.rectangles++;
      if (r >= most_rectangles_) return;
      choose(rectangle.axes, nest_.loop_count, width_, {.store = store, .kernels = kernels_.traits}, &plan.tiles[r]);
      plan.src[r] = rectangle.src_at - chunk_.src;
      plan.dst[r] = rectangle.dst_at - chunk_.dst;
      plan.first_piece[r] = plan.pieces;
      add_pieces(rectangle, nest_.loop_count, width_, plan.src[r], plan);
    });
    return plan;
  }

  const Kernels& kernels_;
  const xlashape_relayout_ir& ir_;
  const xlashape_loops& nest_;
  const int32_t loop_;
  const Store store_;
  const char* const src_;
  char* const dst_;
  const int64_t width_;
  const bool fills_;
  ChunkWalk walk_;
  unsigned char pattern_[16];
  bool is_byte_;  // whether all bytes of the pattern are equal
  int64_t span_[kMaxFilledGuards];
  ChunkPlace chunk_;  // the current one
  const std::span<ChunkPlan> plan_;
  const int most_rectangles_;  // that are kept
  size_t last_ = 0;
};

}  // namespace

namespace {

int64_t owned_bytes(const xlashape_relayout_ir& ir) { return ir.dst->positions * (ir.dst_container_bits / 8); }

// Chunks of at most so many bytes, and of whole lines.
Chunks cut(const xlashape_loops& nest, int64_t most) {
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    const int64_t stride = nest.dst_stride[l];
    if (stride > most) continue;
    int64_t indices = most / stride;
    const int64_t grain = 64 / std::gcd(stride, int64_t{64});
    if (indices > grain) indices -= indices % grain;
    return {l, std::min(indices, nest.extent[l])};
  }
  return {};
}

// Whether a chunk reads long pieces of the source, or all there is of them.
bool uses_lines(const xlashape_loops& nest, const Chunks& chunks, int64_t width) {
  int64_t run = width;
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    if (nest.src_stride[l] != run || nest.extent[l] == 1) continue;
    if (l < chunks.loop) return run >= kLeastPiece;
    if (l == chunks.loop && chunks.indices < nest.extent[l]) return run * chunks.indices >= kLeastPiece;
    run *= nest.extent[l];
    l = -1;
  }
  return true;
}

// Where more is padding than not, filling counts.
bool suits(const xlashape_relayout_ir& ir, const Chunks& chunks) {
  const bool is_near = ir.src_high - ir.src_low <= kNearSource && ir.dst->positions / 2 > ir.elements;
  return is_near || uses_lines(*ir.nest, chunks, ir.dst_container_bits / 8);
}

}  // namespace

Chunks cut_into_chunks(const xlashape_relayout_ir& ir, Store store) {
  const Chunks none;
  const xlashape_loops& nest = *ir.nest;
  const int64_t width = ir.dst_container_bits / 8;
  if (!ir.has_padding || ir.fill_policy == XLASHAPE_FILL_PRESERVE) return none;
  // Whole lines are faster for runs even where padding may be anything, unless most of it is padding.
  const int32_t last = nest.loop_count - 1;
  if (ir.fill_policy == XLASHAPE_FILL_UNSPECIFIED &&
      (store == Store::kOrdinary || ir.dst->positions / 4 > ir.elements || last < 0 || nest.src_stride[last] != width))
    return none;
  if (ir.elements == 0 || width == 0 || ir.src_container_bits != ir.dst_container_bits) return none;
  if (nest.guard_count > kMaxFilledGuards || nest.dst_offset != 0) return none;
  int64_t owned = owned_bytes(ir);
  for (int32_t l = 0; l < nest.loop_count; owned = nest.dst_stride[l++])
    if (nest.dst_stride[l] < width || nest.extent[l] > owned / nest.dst_stride[l]) return none;
  for (int32_t g = 0; g < nest.guard_count; ++g)
    if (nest.low[g] > 0) return none;

  // Long runs need no stage: few of their lines have padding too. Larger chunks use more of each source line.
  int64_t run = width;
  for (int32_t l = nest.loop_count; l-- > 0 && nest.dst_stride[l] == run && nest.guard[l] < 0;) run *= nest.extent[l];
  const bool staged = store == Store::kStream && run < kHoleDistance;
  for (const int64_t most : {staged ? kStagedBytes : kChunkBytes, kChunkBytes, kLargeChunkBytes}) {
    const Chunks chunks = cut(nest, most);
    if (chunks.loop >= 0 && suits(ir, chunks)) return chunks;
  }
  // Holes between a few bytes each take longer by themselves than reading a source line for each chunk.
  run = width;
  for (int32_t l = nest.loop_count; l-- > 0 && nest.dst_stride[l] == run;) run *= nest.extent[l];
  if (run < kShortHole || (run < kLineBytes && ir.dst->positions / 2 > ir.elements)) return cut(nest, kLargeChunkBytes);
  return none;
}

namespace {

// How much of the stack is taken for plans of chunks: sizes that the compiler does not know, or it would make room for
// the largest in any case.
struct FillerMemory {
  size_t plans = 1, tiles = 0, stage;  // the last two of each plan
  FillerMemory(const xlashape_loops& nest, const Chunks& chunks, Store store) {
    bool single = chunks.indices == nest.extent[chunks.loop];
    for (int32_t l = 0; l < chunks.loop; ++l) single &= nest.extent[l] == 1;
    stage = store == Store::kStream ? kStagedBytes : 0;
    if (!single) keep_two();
  }
  void keep_two() { plans = 2, tiles = kMaxRectangles; }
  size_t bytes() const { return plans * (stage + sizeof(ChunkPlan) + tiles * sizeof(TilePlan)); }
};

// Smaller ones, so that each task has several and none has much more than another one, or else as many as there are
// tasks. Those of a small destination remain as they are.
Chunks cut_for(const xlashape_relayout_ir& ir, const Chunks& chunks, int64_t tasks) {
  const xlashape_loops& nest = *ir.nest;
  const int64_t owned = owned_bytes(ir), stride = nest.dst_stride[chunks.loop];
  const int64_t most = std::max(owned / tasks, kPageBytes);
  if (tasks == 1 || owned < kChunkBytes || chunks.indices * stride <= most / 4) return chunks;
  for (int64_t bytes = most / 4; bytes <= most; bytes *= 2)
    if (const Chunks smaller = cut(nest, bytes); smaller.loop >= 0 && suits(ir, smaller)) return smaller;
  return {chunks.loop, std::clamp<int64_t>(most / stride, 1, chunks.indices)};
}

}  // namespace

int64_t filler_bytes(const xlashape_relayout_ir& ir, const Chunks& chunks, Store store) {
  FillerMemory memory(*ir.nest, chunks, store);
  if (owned_bytes(ir) >= kChunkBytes) memory.keep_two();
  return static_cast<int64_t>(memory.bytes());
}

void run_filled(const Kernels& kernels, const xlashape_relayout_ir& ir, const Chunks& whole, Store store,
                const char* src, char* dst, const TaskRange& part) {
  const Chunks chunks = cut_for(ir, whole, part.count);
  const FillerMemory sizes(*ir.nest, chunks, store);
  char* room = XLASHAPE_ON_STACK(sizes.bytes());
  const auto take = [&room](size_t bytes) { return std::exchange(room, room + bytes); };
  char* const stages = take(sizes.plans * sizes.stage);
  auto* const plans = reinterpret_cast<ChunkPlan*>(take(sizes.plans * sizeof(ChunkPlan)));
  std::uninitialized_default_construct_n(plans, sizes.plans);
  for (size_t i = 0; i < sizes.plans; ++i) {
    plans[i].stage = stages + i * sizes.stage;
    plans[i].tiles = reinterpret_cast<TilePlan*>(take(sizes.tiles * sizeof(TilePlan)));
    std::uninitialized_default_construct_n(plans[i].tiles, sizes.tiles);
  }
  Filler filler(kernels, ir, chunks, store, src, dst, {plans, sizes.plans});
  filler.run(backends::share(filler.chunks(), part.begin, part.end, part.count));
}

}  // namespace xlashape::simd
