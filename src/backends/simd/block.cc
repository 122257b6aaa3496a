#include "backends/simd/block.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "backends/simd/planes.h"

namespace xlashape::simd {
namespace {

// What a tile is to have, in bytes. Measured: 32 to 64 source rows at a time, 256 contiguous bytes or more written to each
// destination row, and as much of each source row as a page walk is worth.
struct Sizes {
  int64_t row_bytes;     // contiguous in the destination
  int64_t column_bytes;  // contiguous in the source
};

class Builder {
 public:
  Builder(const Axis* axes, int count, int64_t width, Block& block) : block_(block) {
    block_.unit = width;
    for (int i = 0; i < count; ++i) {
      const Axis& axis = axes[i];
      if (axis.count == 1) continue;
      if (used_ > 0 && axes_[used_ - 1].src == axis.src * axis.count && axes_[used_ - 1].dst == axis.dst * axis.count) {
        axes_[used_ - 1] = {axes_[used_ - 1].count * axis.count, axis.src, axis.dst};
      } else {
        axes_[used_++] = axis;
      }
    }
    for (int i = 0; i < used_; ++i) {
      if (axes_[i].src != width || axes_[i].dst != width) continue;
      block_.unit = width * axes_[i].count;
      remove(i);
      break;
    }
    block_.transposes = block_.unit <= 16 && std::has_single_bit(static_cast<uint64_t>(block_.unit));
  }

  // How far apart the rows of a tile are in the source; 1: there are none.
  int64_t row_pitch() const {
    const bool taken[kMaxLoops] = {};
    const int row = find(&Axis::dst, block_.unit, taken);
    return row >= 0 ? axes_[row].src : 1;
  }

  void build(const Sizes& sizes, int64_t unit_bytes) {
    int rows[kMaxLoops], columns[kMaxLoops];
    bool taken[kMaxLoops] = {};
    const int first_row = find(&Axis::dst, block_.unit, taken), first_column = find(&Axis::src, block_.unit, taken);
    if (first_row >= 0) taken[first_row] = true;
    if (first_column >= 0) taken[first_column] = true;
    block_.row_digits = gather(&Axis::dst, first_row, sizes.row_bytes, taken, rows, block_.row_digit, &block_.rows);
    block_.column_digits =
        gather(&Axis::src, first_column, sizes.column_bytes, taken, columns, block_.column_digit, &block_.columns);

    // Innermost first; turned around at the end.
    clear_loops();
    int64_t unit = block_.unit;
    if (unit > unit_bytes) {
      unit = unit_bytes;
      block_.last_unit = block_.unit - (block_.unit - 1) / unit * unit;
      block_.unit_loop = block_.loops;
      push({(block_.unit + unit - 1) / unit, unit, unit});
    }
    const int first = block_.loops;
    block_.last_rows = cut(block_.row_digit, block_.row_digits, rows, block_.rows, &block_.row_loop);
    block_.last_columns = cut(block_.column_digit, block_.column_digits, columns, block_.columns, &block_.column_loop);
    add_loops(first, taken);
    tile_unit_ = unit;
  }

  void finish() { block_.unit = tile_unit_; }

  // The same for tiles whose rows and columns share digits, if pieces and runs then have `least` bytes; else nothing is done.
  bool permute(int64_t run_bytes, int64_t tile_bytes, int64_t least) {
    if (block_.element == 0) {
      block_.element = std::min<int64_t>(block_.unit & -block_.unit, 16);
      if (block_.unit > block_.element) axes_[used_++] = {block_.unit / block_.element, block_.element, block_.element};
    }
    const int64_t element = block_.element;
    Digits digits;
    pick_digits(axes_, used_, element, run_bytes / element, tile_bytes / element, &digits);
    int64_t all = 1;
    for (int i = 0; i < digits.count; ++i) all *= digits.digit[i].count;
    if (digits.piece * element < least || digits.run * element < least) return false;
    if (all / digits.piece > kMaxSide || all / digits.run > kMaxSide) return false;
    // Wider elements have less to win: no more than so many passes.
    Passes passes;
    int64_t counts[kMaxDigits];
    for (int i = 0; i < digits.count; ++i) counts[i] = digits.digit[i].count;
    plan_passes(digits, counts, element, &passes);
    if (element > 1 && passes.count > 3) return false;

    block_.planes = 1;
    block_.digits = digits;
    block_.rows = all / digits.piece;
    block_.columns = all / digits.run;
    block_.unit = all / (block_.rows * block_.columns) * element;
    block_.row_digits = block_.column_digits = 0;
    clear_loops();
    block_.last_rows = block_.rows;
    block_.last_columns = block_.columns;
    bool taken[kMaxLoops] = {};
    int to[kMaxDigits];  // in the order of the destination: what the columns' table counts in
    for (int i = 0; i < digits.count; ++i) to[digits.digit[i].to] = i;
    for (int i = 0; i < digits.count; ++i) {
      const Digit& digit = digits.digit[i];
      if (const Digit& column = digits.digit[to[i]]; !column.in_target)
        block_.column_digit[block_.column_digits++] = {column.count, axes_[column.axis].src, axes_[column.axis].dst};
      const Axis whole = axes_[digit.axis], part{digit.count, whole.src, whole.dst};
      taken[digit.axis] = true;
      const bool row = !digit.in_source, column = !digit.in_target;
      if (row) block_.row_digit[block_.row_digits++] = part;
      const int64_t parts = (whole.count + part.count - 1) / part.count;
      if (parts == 1) continue;
      (row ? block_.row_loop : column ? block_.column_loop : block_.unit_loop) = block_.loops;
      push({parts, whole.src * part.count, whole.dst * part.count});
      int64_t& last = row ? block_.last_rows : column ? block_.last_columns : block_.last_unit;
      last = last / part.count * (whole.count - (parts - 1) * part.count);
    }
    add_loops(0, taken);
    return true;
  }

 private:
  // A loop that moves little on either side comes innermost: there the pages of that side are still known. By the larger
  // stride instead, or by the destination's alone, 5-D reversals of 400 MB take twice as long (measured with 4 KiB pages).
  static int64_t step(const Axis& axis) { return std::min(std::abs(axis.src), std::abs(axis.dst)); }
  void clear_loops() {
    block_.loops = 0;
    block_.row_loop = block_.column_loop = block_.unit_loop = -1;
    block_.last_unit = block_.unit;
  }
  // The loops over what no tile has, and all loops from `first` on put in order.
  void add_loops(int first, const bool* taken) {
    for (int i = used_; i-- > 0;)
      if (!taken[i]) push(axes_[i]);
    sort(first);
    std::reverse(block_.loop, block_.loop + block_.loops);
    for (int* loop : {&block_.row_loop, &block_.column_loop, &block_.unit_loop})
      if (*loop >= 0) *loop = block_.loops - 1 - *loop;
    block_.tiles = 1;
    for (int i = 0; i < block_.loops; ++i) block_.tiles *= block_.loop[i].count;
  }
  void sort(int first) {
    for (int i = first + 1; i < block_.loops; ++i)
      for (int j = i; j > first && step(block_.loop[j]) < step(block_.loop[j - 1]); --j) {
        std::swap(block_.loop[j], block_.loop[j - 1]);
        for (int* loop : {&block_.row_loop, &block_.column_loop, &block_.unit_loop}) {
          if (*loop == j) {
            *loop = j - 1;
          } else if (*loop == j - 1) {
            *loop = j;
          }
        }
      }
  }
  void push(const Axis& axis) { block_.loop[block_.loops++] = axis; }
  void remove(int i) {
    std::copy(axes_ + i + 1, axes_ + used_, axes_ + i);
    --used_;
  }

  int find(int64_t Axis::*stride, int64_t value, const bool* taken) const {
    for (int i = used_; i-- > 0;)
      if (!taken[i] && axes_[i].*stride == value) return i;
    return -1;
  }

  // The digits that go on from `first` without a gap on one side, until there are `bytes`; of the last one only a part.
  int gather(int64_t Axis::*stride, int first, int64_t bytes, bool* taken, int* which, Axis* digit, int64_t* product) {
    *product = 1;
    int digits = 0;
    const int64_t most = std::clamp<int64_t>(bytes / block_.unit, 1, kMaxSide);
    int next = first;
    while (next >= 0) {
      taken[next] = true;
      which[digits] = next;
      digit[digits] = axes_[next];
      const int64_t room = std::max<int64_t>(most / *product, 1), count = axes_[next].count;
      // All of it where that is little more.
      if (count * *product <= std::min(kMaxSide, most + most / 2)) {
        *product *= count;
        ++digits;
        if (*product >= most) break;
        next = find(stride, block_.unit * *product, taken);
        if (next >= 0 && most / *product < 2) break;
      } else {
        const int64_t parts = (count + room - 1) / room;
        int64_t chunk = (count + parts - 1) / parts;
        // Whole lines, where a few more make them.
        const int64_t bytes_each = block_.unit * *product;
        const int64_t grain = bytes_each >= 64 ? 1 : 64 / std::gcd(bytes_each, int64_t{64});
        chunk = std::min(count, (chunk + grain - 1) / grain * grain);
        while (chunk * *product > kMaxSide) chunk -= std::min(grain, chunk - 1);
        digit[digits].count = chunk;
        *product *= chunk;
        ++digits;
        break;
      }
    }
    return digits;
  }

  int64_t cut(const Axis* digit, int digits, const int* which, int64_t product, int* loop) {
    if (digits == 0) return product;
    const Axis& whole = axes_[which[digits - 1]];
    const int64_t chunk = digit[digits - 1].count, parts = (whole.count + chunk - 1) / chunk;
    if (parts == 1) return product;
    *loop = block_.loops;
    push({parts, whole.src * chunk, whole.dst * chunk});
    return product / chunk * (whole.count - (parts - 1) * chunk);
  }

  Block& block_;
  Axis axes_[kMaxLoops];
  int used_ = 0;
  int64_t tile_unit_ = 0;
};

}  // namespace

void make_block(const Axis* axes, int count, int64_t width, int64_t tasks, Store store, Block* block) {
  Builder builder(axes, count, width, *block);
  const bool stream = store == Store::kStream;
  Sizes sizes{stream ? 128 : 256, stream ? 2048 : 512};
  if (block->unit == 1) sizes.row_bytes = 64;
  // Rows so far apart fall upon each other in the second cache: as few as fill a line.
  if (stream && builder.row_pitch() % 65536 == 0) sizes.row_bytes = 64;
  // Within the caches fewer tiles are cheaper: f32[1000,1000] out of 1024 x 1024 went from 68 to 88 GB/s.
  // Past them some 64 runs of each source row (f32[256,256,256]{2,0,1} went from 25 to 34 GB/s, rows of 4000 bytes from 19 to
  // 28); two, where the destination goes on from run to run (f32[4096,4096] into T(8,128) from 26 to 30).
  if (!block->transposes)
    sizes = {stream ? 4096 : 65536, stream ? std::clamp<int64_t>(64 * block->unit, 8192, 65536) : 8192};
  int64_t unit_bytes = int64_t{1} << 20;
  builder.build(sizes, unit_bytes);
  if (stream && !block->transposes && block->column_run() > 1) {
    sizes.column_bytes = std::max<int64_t>(1024, 2 * block->unit);
    builder.build(sizes, unit_bytes);
  }
  const auto too_large = [&] {
    if (!block->transposes) return false;
    if (!block->narrow()) return block->rows * 64 > kGatherBytes;
    // Interleaves read straight from the source.
    if (block->column_run() > 1 && zips(block->rows, block->unit)) return false;
    if (block->row_run() > 1 && zips(block->columns, block->unit)) return false;
    const int64_t bytes = block->columns * block->unit;
    const bool together = block->row_digits > 0 && block->row_digit[0].src == bytes && block->column_loop < 0;
    const int64_t pitch = together && bytes <= 256 ? bytes : (bytes + 63) / 64 * 64 + 64;
    return block->rows * pitch > kGatherBytes || 16 * pitch > kGatherBytes;
  };
  // Where columns of the destination begin anywhere within a line, as much of each as a strip of them leaves room for: their
  // ends are written twice, through the cache.
  bool odd = false;
  for (int d = 0; d < block->column_digits; ++d) odd |= block->column_digit[d].dst % 64 != 0;
  odd &= block->transposes && block->row_loop >= 0;
  if (odd) {
    sizes = {std::min<int64_t>(1024, kOutBytes / 64 * block->unit - 64), stream ? 1024 : 256};
    builder.build(sizes, unit_bytes);
  }
  // Where one side has few elements, more of the other.
  if (block->transposes && block->columns * block->unit < 64) {
    sizes.row_bytes = 8192 / block->columns;
    builder.build(sizes, unit_bytes);
  } else if (block->transposes && block->rows * block->unit < 64) {
    sizes.column_bytes = 8192 / block->rows;
    builder.build(sizes, unit_bytes);
  }
  // Interleaves that go on where others ended: tiles of a page of the destination.
  if (const int loop = plane_loop(*block, Store::kStream); loop >= 0) {
    const int64_t planes = block->loop[loop].count;
    if (zips(block->rows, block->unit)) {
      sizes.column_bytes = std::max<int64_t>(4096 / (block->rows * planes), 64);
    } else {
      sizes.row_bytes = odd && stream ? kOutBytes / (block->columns * planes) - 128
                                      : std::max<int64_t>(4096 / (block->columns * planes), 64);
    }
    builder.build(sizes, unit_bytes);
  }
  while (too_large() || (tasks > 1 && block->tiles < 4 * tasks)) {
    if (block->transposes && too_large() && block->rows * block->unit >= 2 * sizes.row_bytes) {
      sizes.row_bytes /= 2;
    } else if (unit_bytes > 4096 && block->unit > 4096) {
      unit_bytes /= 2;
    } else if (sizes.column_bytes > 128) {
      sizes.column_bytes /= 2;
    } else if (sizes.row_bytes > 64) {
      sizes.row_bytes /= 2;
    } else {
      break;
    }
    builder.build(sizes, unit_bytes);
  }
  builder.finish();
  take_planes(tasks, store, block);
  // Where little lies together on one side, maybe much does when rows and columns share digits. Elements of 3, 5, 6, 7 and
  // 9 to 15 bytes are moved one by one otherwise, and so many rows in squares (so many columns are no slower in squares).
  if (block->rows == 1 && block->columns == 1) {
    if (!block->transposes) gather_runs(tasks, block);
    return;
  }
  const int64_t together = std::min(block->columns * block->row_run(), block->rows * block->column_run()) * block->unit;
  const bool composed = block->transposes && block->rows * block->unit < 16 && composes(block->rows, block->unit);
  const bool odd_unit = !block->transposes && block->unit < 16;
  if (together >= 64 && !composed && !odd_unit) return;
  const int64_t least = together >= 64 ? 256 : 2 * together;
  for (int64_t run = 512, bytes = kPermuteBytes; run >= 64 && builder.permute(run, bytes, std::min(least, run));
       run /= 2) {
    if (tasks == 1 || block->tiles >= 4 * tasks) break;
    bytes /= 2;
  }
}

int64_t Block::row_run() const {
  const int64_t width = columns * unit;
  const bool run = row_digits > 0 && row_digit[0].src == width && column_loop < 0 && (width <= 256 || !transposes);
  return run ? row_digit[0].count : 1;
}

int64_t Block::column_run() const {
  return column_digits > 0 && column_digit[0].dst == rows * unit && row_loop < 0 ? column_digit[0].count : 1;
}

void make_packed_block(const Axis* axes, int count, int src_bits, int dst_bits, int64_t tasks, Block* block) {
  Builder builder(axes, count, 1, *block);
  block->transposes = block->unit == 1;
  int64_t unit_count = int64_t{1} << 20;
  Sizes sizes{4096, 8192};
  // Elements of a strip: before and behind the squares it takes half the first cache.
  const int64_t room = kPackedBytes / 2 * 8 / std::max(src_bits, dst_bits);
  if (block->transposes) sizes = {512 / dst_bits, room * dst_bits / 512};
  builder.build(sizes, unit_count);
  // Where one side has few elements, more of the other.
  if (block->transposes && block->columns * src_bits < 512) {
    sizes.row_bytes = room / block->columns;
    builder.build(sizes, unit_count);
  } else if (block->transposes && block->rows * dst_bits < 512) {
    sizes.column_bytes = room / block->rows;
    builder.build(sizes, unit_count);
  }
  const auto too_large = [&] {
    block->strip = block->columns;
    if (!block->transposes) return false;
    const auto up = [](int64_t x, int64_t step) { return (x + step - 1) / step * step; };
    const int64_t per_byte = 8 / src_bits, across = up(block->columns, per_byte), out = up(block->rows, 8 / dst_bits);
    switch (packed_way(*block, src_bits, dst_bits)) {
      case PackedWay::kBytewise:
        return out * up(across / per_byte, 64) > kPackedBytes;
      case PackedWay::kPlanes:
        return block->rows * across / per_byte > kPackedBytes || across * out * dst_bits / 8 > kPackedBytes;
      default:
        return block->rows * block->columns > kPackedBytes || block->columns * out * dst_bits / 8 > kPackedBytes;
    }
  };
  // Sides are whole lines where they can, so no smaller than 64: then a tile fits.
  while (too_large() || (tasks > 1 && block->tiles < 4 * tasks)) {
    const int64_t least = too_large() ? 1 : 64;
    int64_t& larger = block->columns > block->rows ? sizes.column_bytes : sizes.row_bytes;
    int64_t& smaller = block->columns > block->rows ? sizes.row_bytes : sizes.column_bytes;
    if (unit_count > 4096 && block->unit > 4096) {
      unit_count /= 2;
    } else if (larger > least) {
      larger /= 2;
    } else if (smaller > least) {
      smaller /= 2;
    } else {
      break;
    }
    builder.build(sizes, unit_count);
  }
  // Rows far apart: more of each while its page is known.
  if (block->column_loop >= 0 && block->strip >= 64 && block->tiles >= 32 * tasks) {
    block->strip = block->strip / 8 * 8;
    sizes.column_bytes = kMaxSide;
    builder.build(sizes, unit_count);
  }
  builder.finish();
}

PackedWay packed_way(const Block& block, int src_bits, int dst_bits) {
  const int64_t in = block.strip * src_bits, out = block.rows * dst_bits;
  const bool whole = out % 8 == 0 && block.last_rows * dst_bits % 8 == 0;
  if (src_bits == dst_bits && in >= 128 && (whole || out >= 128)) return PackedWay::kBytewise;
  if (src_bits == 8 || (out >= 128 && (in >= 64 || in % 8 == 0))) return PackedWay::kPlanes;
  return PackedWay::kUnpacked;
}

}  // namespace xlashape::simd
