#include "backends/simd/walk.h"

#include <algorithm>
#include <bit>

namespace xlashape::simd {

void fill_table(const Axis* digit, int digits, int64_t Axis::*stride, int64_t* table) {
  int64_t count = 1;
  table[0] = 0;
  for (int d = 0; d < digits; ++d) {
    const int64_t step = digit[d].*stride;
    if (count == 1) {
      for (int64_t i = 1, at = step; i < digit[d].count; ++i, at += step) table[i] = at;
    } else {
      for (int64_t i = 1; i < digit[d].count; ++i)
        for (int64_t j = 0; j < count; ++j) table[i * count + j] = table[j] + i * step;
    }
    count *= digit[d].count;
  }
}

TileWalk::TileWalk(const Block& block, int64_t begin, int64_t end) : block_(block), left_(end - begin) {
  for (int i = block.loops; i-- > 0;) {
    at_[i] = begin == 0 ? 0 : begin % block.loop[i].count;
    if (begin != 0) begin /= block.loop[i].count;
    src_ += at_[i] * block.loop[i].src;
    dst_ += at_[i] * block.loop[i].dst;
  }
  begin_innermost();
}

// Of the innermost loop so many tiles follow that differ in nothing but their place.
void TileWalk::begin_innermost() {
  rows_ = at_last(block_.row_loop) ? block_.last_rows : block_.rows;
  columns_ = at_last(block_.column_loop) ? block_.last_columns : block_.columns;
  unit_ = at_last(block_.unit_loop) ? block_.last_unit : block_.unit;
  const int inner = block_.loops - 1;
  if (inner >= 0) steps_ = std::max<int64_t>(block_.loop[inner].count - 2 - at_[inner], 0);
}

void TileWalk::next(Place* place) {
  place->src = src_;
  place->dst = dst_;
  place->rows = left_ > 0 ? rows_ : 0;
  place->columns = left_ > 0 ? columns_ : 0;
  place->unit = unit_;
  if (left_-- <= 0) return;
  if (steps_ > 0) {
    const int inner = block_.loops - 1;
    --steps_;
    ++at_[inner];
    src_ += block_.loop[inner].src;
    dst_ += block_.loop[inner].dst;
    return;
  }
  for (int i = block_.loops; i-- > 0;) {
    src_ += block_.loop[i].src;
    dst_ += block_.loop[i].dst;
    if (++at_[i] < block_.loop[i].count) break;
    src_ -= block_.loop[i].count * block_.loop[i].src;
    dst_ -= block_.loop[i].count * block_.loop[i].dst;
    at_[i] = 0;
  }
  begin_innermost();
}

namespace {

// Passes of the tiles at hand: they change only where a tile is cut short, on any of its three sides.
class PassesOf {
 public:
  explicit PassesOf(const Block& block) : block_(block) {}

  const Passes* operator()(const Tile& tile) {
    const bool whole_rows = tile.rows == block_.rows, whole_columns = tile.columns == block_.columns,
               whole_unit = tile.unit == block_.unit;
    const int kind = whole_rows + 2 * whole_columns + 4 * whole_unit;
    if (made_ >> kind & 1) return &passes_[kind];
    made_ |= 1u << kind;
    int64_t counts[kMaxDigits];
    const auto shorten = [&](bool in_source, bool in_target, int64_t whole, int64_t part) {
      int last = -1;  // only the last digit of a side is cut
      for (int i = 0; i < block_.digits.count; ++i) {
        const Digit& digit = block_.digits.digit[i];
        if (digit.in_source == in_source && digit.in_target == in_target) counts[last = i] = digit.count;
      }
      if (last >= 0) counts[last] = part / (whole / counts[last]);
    };
    shorten(false, true, block_.rows, tile.rows);
    shorten(true, false, block_.columns, tile.columns);
    shorten(true, true, block_.unit / block_.element, tile.unit / block_.element);
    plan_passes(block_.digits, counts, block_.element, &passes_[kind]);
    return &passes_[kind];
  }

 private:
  const Block& block_;
  unsigned made_ = 0;
  Passes passes_[8];
};

constexpr int64_t kPage = 4096;

// Stores past the caches wait for their page's translation, and all behind them too. A line of each page that the next
// tile comes to is asked for while this one is moved: bf16 into and out of T(8,128)(2,1) went from 15 to 17 and 22 GB/s,
// an interleave of 8 rows from 18 to 28. Into the first cache: asked for into the second nothing changes. Inlined by
// force, as GCC takes a function that does nothing but ask for one that does nothing.
[[gnu::always_inline]] inline void fetch_pages(const Tile& tile, const Tile& next, const Course& course,
                                               int64_t height) {
  const auto page = [](const char* p) { return reinterpret_cast<uintptr_t>(p) / kPage; };
  if (next.rows == 0 || next.columns > 64 * course.column_run) return;
  if (course.column_bits % kPage == 0 && page(tile.dst) == page(next.dst) && height < kPage) return;
  const int64_t span = course.column_run * height;
  for (int64_t plane = 0; plane < (course.unzips ? course.planes : 1); ++plane) {
    for (int64_t c = 0; c < next.columns; c += course.column_run) {
      const int64_t at = course.column[c] + plane * course.plane_dst;
      const char* const from = next.dst + at;
      if (page(tile.dst + at + span - 1) != page(from)) __builtin_prefetch(from, 1, 3);
      for (const char* p = reinterpret_cast<const char*>((page(from) + 1) * kPage); p < from + span; p += kPage)
        __builtin_prefetch(p, 1, 3);
    }
  }
}

}  // namespace

void block_passes(const Block& block, Passes* passes) {
  PassesOf of(block);
  *passes = *of({nullptr, nullptr, block.rows, block.columns, block.unit});
}

void run_block(const Block& block, const Kernels& kernels, const char* src, char* dst, int64_t begin, int64_t end,
               Store store) {
  if (begin >= end) return;
  int64_t row[kMaxSide], column[kMaxSide];
  Stage stage;
  fill_table(block.row_digit, block.row_digits, &Axis::src, row);
  fill_table(block.column_digit, block.column_digits, &Axis::dst, column);
  const auto log2 = [](int64_t bytes) { return std::bit_width(static_cast<uint64_t>(bytes)) - 1; };
  const TileKernel kernel = block.permutes()   ? kernels.fixed.permute[log2(block.element)]
                            : block.transposes ? kernels.fixed.transpose[log2(block.unit)]
                                               : kernels.move;
  Course course{row, column, 1, 1, 1, 0, block.row_pitch, &stage, store, block.narrow(), false, false};
  const int64_t width = block.columns * block.unit;
  course.row_run = block.row_run();
  for (int64_t step = 1; course.narrow && step <= course.row_run && step * width <= 1024; ++step)
    if (course.row_run % step == 0) course.row_step = step;
  course.column_run = block.column_run();
  course.unzips = course.row_run > 1 && zips(block.columns, block.unit);
  course.zips = course.column_run > 1 && zips(block.rows, block.unit);
  for (int d = 0; d < block.column_digits; ++d) course.column_bits |= block.column_digit[d].dst;

  course.planes = block.planes;
  course.plane_src = block.plane_src;
  course.plane_dst = block.plane_dst;
  if (block.row_digits > 0) {
    course.even_rows = block.row_digit[0].count;
    course.rows_apart = block.row_digit[0].src;
  }
  if (block.column_digits > 0) {
    course.even_columns = block.column_digit[0].count;
    course.columns_apart = block.column_digit[0].dst;
  }

  TileWalk walk(block, begin, end);
  const auto next = [&](Tile* tile) {
    Place place;
    walk.next(&place);
    *tile = {src + place.src, dst + place.dst, place.rows, place.columns, place.unit};
  };
  // This one and the two that come after it, moved back to the beginning as seldom as may be: what was written word by word
  // a moment ago is slow to copy.
  constexpr int kTiles = 16;
  Tile tiles[kTiles];
  for (int i = 0; i < 3; ++i) next(&tiles[i]);
  // Not where each column of a square has a page of its own: so many at a time cost more than they save.
  const bool squares = block.transposes && !block.permutes() && !block.narrow() && !course.zips && !course.unzips;
  const bool pages = store == Store::kStream && !squares;
  const int64_t height =
      block.rows * (course.zips ? block.planes : 1) * (block.row_pitch > 0 ? block.row_pitch : block.unit);
  PassesOf passes(block);
  for (Tile* tile = tiles; tile->rows > 0;) {
    if (block.permutes()) course.passes = passes(*tile);
    if (pages) fetch_pages(tile[0], tile[1], course, height);
    kernel(tile, course);
    if (tile + 3 < tiles + kTiles) {
      next(++tile + 2);
    } else {
      std::copy(tile + 1, tile + 3, tiles);
      tile = tiles;
      next(tile + 2);
    }
  }
}

}  // namespace xlashape::simd
