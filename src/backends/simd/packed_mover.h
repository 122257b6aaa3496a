/* SPDX-License-Identifier: Apache-2.0 */
// Moves tiles of packed elements, strip by strip, in memory that packed.cc provides.
#pragma once
#include <algorithm>
#include <cstring>

#include "backends/common/packed_writer.h"
#include "backends/simd/choose_tiles.h"
#include "backends/simd/containers.h"
#include "backends/simd/packed.h"
#include "backends/simd/run.h"
#include "ir/compiler.h"

namespace xlashape::simd {

inline constexpr int64_t kPackedChunk = kPackedBytes / 2;  // elements of a run that are converted at a time

struct PackedStage {
  char *in, *transposed;
};

// What a mover uses of the stack: no more than the tiles of its plan take.
struct MoverMemory {
  int64_t *row, *column, *stage_row, *stage_column, *part_row;
  PackedStage packed;
  Stage tile;
};

inline void move_one(const Packed& packed, const char* src, int64_t from, backends::PackedWriter& dst, int64_t to) {
  dst.put(to, Containers(packed.src_bits).load(src, from) & packed.value);
}

// A tile, or the part of it that goes through the stage at once.
struct Strip : TilePlace {
  int64_t column = 0;  // where it begins in the tile
};

class StripWalk {
 public:
  // `src` and `dst`: where the rectangle is.
  StripWalk(const PackedPlan& plan, int64_t begin, int64_t end, int64_t src, int64_t dst)
      : tiles_(plan.tiling, begin, end),
        most_(plan.kind == PackedKernelKind::kRuns ? kMaxSide : plan.strip),
        src_(src),
        dst_(dst) {}
  // Returns a strip without rows after the last one.
  Strip next() {
    if (left_ == 0) {
      tiles_.next(&tile_);
      tile_.src += src_;
      tile_.dst += dst_;
      tile_.column = 0;
      left_ = tile_.columns;
    }
    Strip strip = tile_;
    strip.columns = std::min(left_, most_);
    left_ -= strip.columns;
    tile_.src += strip.columns;
    tile_.column += strip.columns;
    return strip;
  }

 private:
  TileWalk tiles_;
  const int64_t most_, src_, dst_;
  Strip tile_;
  int64_t left_ = 0;
};

class PackedMover {
 public:
  PackedMover(const Packed& packed, const PackedPlan& plan, const MoverMemory& room, const char* src, char* dst)
      : packed_(packed),
        kernels_(packed.kernels),
        from_(packed.src_bits),
        to_(packed.dst_bits),
        tiling_(plan.tiling),
        src_(src),
        dst_(dst),
        kind_(plan.kind),
        log_word_(kind_ == PackedKernelKind::kUnpacked ? 0 : from_.log_per_byte),
        row_(room.row),
        column_(room.column),
        stage_row_(room.stage_row),
        stage_column_(room.stage_column),
        part_row_(room.part_row),
        stage_(room.packed),
        tile_stage_(room.tile) {
    const TileDimension &rows = tiling_.rows, &columns = tiling_.columns;
    fill_table(rows, &StridedAxis::src, row_);
    fill_table(columns, &StridedAxis::dst, column_);
    for (int64_t r = 0; r < rows.whole; ++r) row_bits_ |= row_[r];
    for (int64_t c = 0; c < columns.whole; ++c) column_bits_ |= column_[c];
    if (plan.strip == columns.whole && kind_ != PackedKernelKind::kBytewise &&
        (kind_ == PackedKernelKind::kUnpacked || from_.bit(columns.whole) == 0))
      row_run_ = tiling_.row_run();
    // The columns of planes are not contiguous in the stage.
    if (kind_ == PackedKernelKind::kBytewise ? to_.bit(rows.whole) == 0 : log_word_ == 0)
      column_run_ = tiling_.column_run();
  }

  // The elements of a tile that fill bytes, and those that share a byte with others.
  void whole(const Strip& place, const Strip& next) {
    if (transposes()) return transpose(place, next);
    for_units(place, [&](int64_t from, int64_t to) { run(from, to, place.unit); });
  }
  void others(const Strip& place) {
    backends::PackedWriter writer(dst_, packed_.dst_bits, 0, packed_.shared);
    if (!transposes()) {
      for_units(place, [&](int64_t from, int64_t to) {
        ends(to, place.unit, [&](int64_t i) { move_one(packed_, src_, from + i, writer, to + i); });
      });
      return;
    }
    for_runs(place, [&](int64_t c, int64_t to, int64_t count) {
      ends(to, count, [&](int64_t i) {
        move_one(packed_, src_, place.src + row_[i % place.rows] + c + i / place.rows, writer, to + i);
      });
    });
  }
  // Whether there may be any of the latter.
  bool has_others(int64_t dst_at) const {
    int64_t odd = dst_at | column_bits_;
    odd |= transposes() ? tiling_.rows.whole | tiling_.rows.last : tiling_.unit | tiling_.last_unit;
    for (int i = 0; i < tiling_.loops; ++i) odd |= tiling_.loop[i].dst;
    return to_.bit(odd) != 0;
  }

 private:
  bool transposes() const { return kind_ != PackedKernelKind::kRuns; }

  template <class Do>
  void for_units(const Strip& place, Do&& act) const {
    for (int64_t c = 0; c < place.columns; ++c)
      for (int64_t r = 0; r < place.rows; ++r)
        act(place.src + row_[r] + c * place.unit, place.dst + column_[c] + r * place.unit);
  }
  // The destination's runs of a tile of single elements.
  template <class Do>
  void for_runs(const Strip& place, Do&& act) const {
    for (int64_t c = 0; c < place.columns;) {
      const int64_t run = column_run_ - (column_run_ == 1 ? 0 : (place.column + c) % column_run_);
      const int64_t together = std::min(run, place.columns - c);
      act(c, place.dst + column_[place.column + c], together * place.rows);
      c += together;
    }
  }
  template <class Do>
  void ends(int64_t at, int64_t count, Do&& act) const {
    const int64_t head = to_.head(at, count), tail = to_.tail(count, head);
    for (int64_t i = 0; i < head; ++i) act(i);
    for (int64_t i = count - tail; i < count; ++i) act(i);
  }

  // Writes whole bytes of the destination, read from bit `bit` of `from` on.
  void put(char* to, const char* from, int64_t bytes, int bit, char* scratch) {
    if (bit == 0) return kernels_.copy(to, from, bytes, packed_.store);
    if (packed_.store == Store::kOrdinary || bytes < 256) return kernels_.fixed.shift(to, from, bytes, bit);
    while (bytes > 0) {
      const int64_t some = std::min(bytes, 4096 - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) & 63));
      kernels_.fixed.shift(scratch, from, some, bit);
      kernels_.copy(to, scratch, some, packed_.store);
      to += some, from += some, bytes -= some;
    }
  }

  // The source elements, beginning at a whole byte: in place, or shifted into `buffer`.
  const char* aligned(int64_t at, int64_t count, char* buffer) const {
    const char* const from = src_ + from_.byte(at);
    const int bit = from_.bit(at);
    if (bit == 0) return from;
    const int64_t bytes = from_.byte(count);
    const int rest = from_.bit(count);
    if (bytes > 0) kernels_.fixed.shift(buffer, from, bytes, bit);
    if (rest > 0) {
      int last = static_cast<unsigned char>(from[bytes]) >> bit;
      if (bit + rest > 8) last |= static_cast<unsigned char>(from[bytes + 1]) << (8 - bit);
      buffer[bytes] = static_cast<char>(last);
    }
    return buffer;
  }

  void unpack(char* to, const char* from, int64_t count) const {
    kernels_.fixed.unpack[3 - from_.log_per_byte](to, from, count, packed_.value);
  }
  void pack(char* to, const char* from, int64_t count, int shift) const {
    kernels_.fixed.pack[3 - to_.log_per_byte](to, from, count, shift, packed_.value);
  }

  // Moves a run that is contiguous on both sides.
  void run(int64_t from, int64_t at, int64_t count) {
    const int64_t head = to_.head(at, count);
    int64_t left = count - head - to_.tail(count, head);
    from += head;
    char* to = dst_ + to_.byte(at + head);
    if (from_.bits == to_.bits) {
      if (left > 0) put(to, src_ + from_.byte(from), to_.byte(left), from_.bit(from), stage_.transposed);
      return;
    }
    while (left > 0) {
      // Parts end where a line ends.
      const auto into = static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) & 63) << to_.log_per_byte;
      const int64_t some = std::min(left, kPackedChunk - into);
      const char* bytes = src_ + from;
      if (from_.bits < 8) {
        unpack(stage_.in, aligned(from, some, stage_.transposed), some);
        bytes = stage_.in;
      }
      if (to_.bits < 8) {
        pack(stage_.transposed, bytes, some, 0);
        bytes = stage_.transposed;
      }
      kernels_.copy(to, bytes, to_.byte(some), packed_.store);
      to += to_.byte(some), from += some, left -= some;
    }
  }

  // Transposes a tile of single elements as `kind_` says.
  void transpose(const Strip& place, const Strip& next) {
    const int64_t words = (place.columns + (int64_t{1} << log_word_) - 1) >> log_word_;
    fetched_ = 0;
    if (kind_ == PackedKernelKind::kBytewise) {
      const int64_t pitch = (words + 63) / 64 * 64, height = to_.bytes(place.rows);
      gather(place, pitch);
      // Rows that the last group lacks are exchanged with those it has: memcheck takes both for uninitialised then.
      for (int64_t r = place.rows; r < height << to_.log_per_byte; ++r)
        std::memset(stage_.in + r * pitch, 0, static_cast<size_t>(words));
      kernels_.fixed.transpose_groups[3 - to_.log_per_byte](stage_.in, pitch, height);
      // First the rows that hold the first column of each byte now, then those that hold the second.
      for (int64_t k = 0, row = 0; k < to_.per_byte(); ++k)
        for (int64_t i = 0; i < height; ++i) stage_row_[row++] = ((i << to_.log_per_byte) + k) * pitch;
      transpose_bytes(height << to_.log_per_byte, words, 1);
      return scatter(place, next, 0, 1, place.columns, stage_.transposed, height, stage_.in);
    }
    gather(place, words);
    for (int64_t r = 0; r < place.rows; ++r) stage_row_[r] = r * words;
    transpose_bytes(place.rows, words, place.rows);
    if (log_word_ == 0) {
      pack(stage_.in, stage_.transposed, words * place.rows, 0);
      if (column_run_ > 1 || to_.bit(place.rows) != 0) return scatter_runs(place, next, stage_.in);
      return scatter(place, next, 0, 1, place.columns, stage_.in, to_.bytes(place.rows), stage_.transposed);
    }
    const int64_t pitch = to_.bytes(place.rows);
    for (int64_t k = 0; k < int64_t{1} << log_word_; ++k) {
      char* const plane = stage_.in + k * words * pitch;
      const int shift = static_cast<int>(k) * from_.bits;
      if (to_.bit(place.rows) == 0) {
        pack(plane, stage_.transposed, words * place.rows, shift);
      } else {
        // The excess that a column writes is overwritten by the next column or plane, or is in the slack after the
        // last.
        for (int64_t w = 0; w < words; ++w)
          pack(plane + w * pitch, stage_.transposed + w * place.rows, place.rows, shift);
      }
    }
    for (int64_t k = 0; k < int64_t{1} << log_word_ && k < place.columns; ++k)
      scatter(place, next, k, int64_t{1} << log_word_, ((place.columns - 1 - k) >> log_word_) + 1,
              stage_.in + k * words * pitch, pitch, stage_.transposed);
  }

  // Copies rows to stage_.in, `pitch` bytes apart.
  void gather(const Strip& place, int64_t pitch) {
    if (row_run_ == 1 && kind_ != PackedKernelKind::kUnpacked && from_.bit(place.src | row_bits_) == 0)
      return kernels_.fixed.collect(stage_.in, pitch, {row_, 1, place.src, place.rows, from_.log_per_byte}, src_,
                                    from_.bytes(place.columns));
    for (int64_t r = 0; r < place.rows;) {
      const int64_t together = row_run_ == 1 ? 1 : std::min(row_run_ - r % row_run_, place.rows - r);
      const int64_t count = together * place.columns, from = place.src + row_[r];
      char* const to = stage_.in + r * pitch;
      if (kind_ == PackedKernelKind::kUnpacked) {
        unpack(to, aligned(from, count, stage_.transposed), count);
      } else if (const char* bytes = aligned(from, count, to); bytes != to) {
        kernels_.copy(to, bytes, from_.bytes(count), Store::kOrdinary);
      }
      r += together;
    }
  }

  // Transposes `rows` rows of `words` bytes, at offsets stage_row_ of stage_.in, into stage_.transposed. `run`: how
  // many rows follow each other without a gap.
  void transpose_bytes(int64_t rows, int64_t words, int64_t run) {
    for (int64_t w = 0; w < words; ++w) stage_column_[w] = w * rows;
    TileParams params;
    params.row = stage_row_;
    params.column = stage_column_;
    params.stage = &tile_stage_;
    params.row_run = run;
    params.column_run = words;
    params.narrow = rows < 16 || words < 16;
    while (params.row_step * 2 * words <= 1024 && run % (params.row_step * 2) == 0) params.row_step *= 2;
    params.unzips = run > 1 && zips(words, 1);
    params.zips = words > 1 && zips(rows, 1);
    int64_t height = rows, width = words;
    if (params.narrow && !params.unzips && !params.zips) {
      // The kernel gathers such tiles once more, so they must fit its stage, including the gaps between rows.
      width = std::min<int64_t>(words, 512);
      height = kGatherBytes / ((width + 63) / 64 * 64 + 64) / 16 * 16;
      if (width < words) params.row_run = params.row_step = 1;
    }
    for (int64_t r = 0; r < rows; r += height) {
      // Tables begin with 0, so those of later rows are shifted.
      const int64_t first = stage_row_[r], some = std::min(height, rows - r);
      if (first != 0) {
        for (int64_t i = 0; i < some; ++i) part_row_[i] = stage_row_[r + i] - first;
        params.row = part_row_;
      }
      for (int64_t w = 0; w < words; w += width) {
        params.gathered = -1;
        const Tile tiles[3] = {
            {stage_.in + first + w, stage_.transposed + w * rows + r, some, std::min(width, words - w), 1, 1}, {}, {}};
        kernels_.fixed.transpose[0](tiles, params);
      }
    }
  }

  // Writes `count` columns, from `first` on in steps of `step`, that are `pitch` bytes apart in `from`.
  void scatter(const Strip& place, const Strip& next, int64_t first, int64_t step, int64_t count, const char* from,
               int64_t pitch, char* scratch) {
    if (column_run_ > 1) return scatter_runs(place, next, from);
    constexpr int64_t kSome = 16;
    const bool whole = to_.bit(place.dst | column_bits_ | place.rows) == 0;
    for (int64_t i = 0; i < count; i += kSome) {
      const int64_t some = std::min(kSome, count - i), c = place.column + first + i * step;
      if (whole) {
        kernels_.fixed.distribute(dst_, {column_ + c, step, place.dst, some, to_.log_per_byte}, from + i * pitch, pitch,
                                  pitch, packed_.store);
      } else {
        for (int64_t j = 0; j < some; ++j)
          deliver(place.dst + column_[c + j * step], place.rows, from + (i + j) * pitch, 0, scratch);
      }
      fetch(next, some * next.rows / place.columns + 1);
    }
  }
  // The same where columns are contiguous both in `from` and in the destination, or do not begin at a byte.
  void scatter_runs(const Strip& place, const Strip& next, const char* from) {
    for_runs(place, [&](int64_t c, int64_t to, int64_t count) {
      deliver(to, count, from, c * place.rows, from == stage_.in ? stage_.transposed : stage_.in);
      fetch(next, count / place.rows * next.rows / place.columns + 1);
    });
  }
  void deliver(int64_t to, int64_t count, const char* from, int64_t at, char* scratch) {
    const int64_t head = to_.head(to, count), bytes = to_.byte(count - head);
    if (bytes > 0) put(dst_ + to_.byte(to + head), from + to_.byte(at + head), bytes, to_.bit(at + head), scratch);
  }

  // Prefetches the source of `rows` rows of the next strip while this one is written.
  void fetch(const Strip& next, int64_t rows) {
    for (; rows > 0 && fetched_ < next.rows; rows -= row_run_, fetched_ += row_run_) {
      const char* const soon = src_ + from_.byte(next.src + row_[fetched_]);
      const int64_t bytes = from_.bytes(std::min(row_run_, next.rows - fetched_) * next.columns);
      for (int64_t i = 0; i < bytes + 63; i += 64) ir::prefetch<2>(soon + i);
    }
  }

  const Packed& packed_;
  const Kernels& kernels_;
  const Containers from_, to_;
  const Tiling& tiling_;
  const char* const src_;
  char* const dst_;
  const PackedKernelKind kind_;
  const int log_word_;                      // of the columns per byte in the stage
  int64_t row_bits_ = 0, column_bits_ = 0;  // all offsets or-ed
  int64_t fetched_ = 0;
  int64_t row_run_ = 1, column_run_ = 1;  // contiguous rows in the source, columns in the destination
  int64_t *const row_, *const column_, *const stage_row_, *const stage_column_, *const part_row_;
  const PackedStage stage_;
  Stage tile_stage_;
};

}  // namespace xlashape::simd
