#include "backends/simd/filled.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/simd/rectangle.h"
#include "backends/simd/walk.h"

namespace xlashape::simd {
namespace {

using backends::Range;

// Chunks that are streamed are put together within the first cache (of 4 to 24 KiB, 8 were fastest); others stay within the
// second while they are filled.
constexpr int64_t kStagedBytes = 8192, kChunkBytes = 131072;
// Lines that hold elements and padding would be written twice, through the cache; unless they are this far apart.
constexpr int64_t kLinesApart = 2048;
constexpr int64_t kLine = 64, kPage = 4096;
constexpr int kMaxGuards = 4, kMaxRectangles = 4, kMaxHoles = 256, kMaxPieces = 128;
constexpr int64_t kMostAhead = 1024;  // lines asked for at once

struct Hole {
  int64_t at, bytes;  // from the chunk's beginning
};

// A chunk without its place: those with as many elements along each guard are of one kind.
struct Kind {
  int64_t indices = 0;  // of the chunk's loop; 0: nothing is known yet
  int64_t left[kMaxGuards];
  bool empty, staged;
  int rectangles;  // more than kMaxRectangles: they are not kept
  Block block[kMaxRectangles];
  int64_t src[kMaxRectangles], dst[kMaxRectangles];
  int first_piece[kMaxRectangles];
  int holes;  // more than kMaxHoles: they are not kept
  Hole hole[kMaxHoles];
  // What it reads: pieces of memory, from the chunk's source on; more than kMaxPieces: they are not kept.
  int pieces;
  int64_t piece[kMaxPieces], piece_bytes[kMaxPieces];
  // Padding stays where it is from one chunk of a kind to the next.
  bool filled;
  alignas(64) char stage[kStagedBytes];
};

// Lists what a rectangle reads.
void add_pieces(const Rectangle& rectangle, int axes, int64_t width, int64_t at, Kind& kind) {
  bool taken[kMaxLoops] = {};
  int64_t bytes = width;
  for (int a = axes; a-- > 0;)
    if (!taken[a] && rectangle.axes[a].src == bytes) {
      bytes *= rectangle.axes[a].count;
      taken[a] = true;
      a = axes;
    }
  int64_t index[kMaxLoops] = {};
  for (bool more = true; more && kind.pieces <= kMaxPieces; ++kind.pieces) {
    if (kind.pieces < kMaxPieces) kind.piece[kind.pieces] = at, kind.piece_bytes[kind.pieces] = bytes;
    more = false;
    for (int a = axes; a-- > 0 && !more;) {
      if (taken[a]) continue;
      at += rectangle.axes[a].src;
      more = ++index[a] < rectangle.axes[a].count;
      if (!more) at -= index[a] * rectangle.axes[a].src, index[a] = 0;
    }
  }
}

// Asks for what a chunk will read, line by line.
class Ahead {
 public:
  Ahead(const Kind& kind, const char* src, int first = 0) : kind_(kind), src_(src), piece_(first) {
    if (kind.pieces > kMaxPieces) piece_ = kind.pieces;
  }
  void some(int64_t lines) {
    for (; lines > 0 && piece_ < kind_.pieces; --lines, at_ += kLine) {
      __builtin_prefetch(src_ + kind_.piece[piece_] + at_, 0, 2);
      if (at_ + kLine >= kind_.piece_bytes[piece_]) ++piece_, at_ = -kLine;
    }
  }

 private:
  const Kind& kind_;
  const char* const src_;
  int piece_;
  int64_t at_ = 0;
};

// The padding of a chunk, in memory order.
class HoleFinder {
 public:
  HoleFinder(const xlashape_loops& nest, int64_t width, Kind& kind) : nest_(nest), width_(width), kind_(kind) {
    std::copy(kind.left, kind.left + nest.guard_count, left_);
  }

  // In `owned` bytes at `at` there are so many indices of the loop, and nothing else.
  void find(int32_t loop, int64_t count, int64_t at, int64_t owned) {
    if (loop == nest_.loop_count) return add(at + width_, at + owned);
    const int64_t stride = nest_.dst_stride[loop], step = nest_.step[loop];
    const int32_t guard = nest_.guard[loop];
    const int64_t left = guard >= 0 ? left_[guard] : 0;
    const int64_t used = guard >= 0 ? std::min(count, (left + step - 1) / step) : count;
    const int64_t full = guard >= 0 ? std::min(count, left / step) : count;
    for (int64_t i = is_solid(loop + 1, stride, guard) ? full : 0; i < used && kind_.holes <= kMaxHoles; ++i) {
      if (guard >= 0) left_[guard] = left - i * step;
      find(loop + 1, loop + 1 < nest_.loop_count ? nest_.extent[loop + 1] : 1, at + i * stride, stride);
    }
    if (guard >= 0) left_[guard] = left;
    add(at + used * stride, at + owned);
  }

 private:
  // Whether the loops from this one on leave no hole in `owned` bytes, where the guard `full` holds throughout.
  bool is_solid(int32_t loop, int64_t owned, int32_t full) const {
    for (; loop < nest_.loop_count; owned = nest_.dst_stride[loop++]) {
      const int32_t guard = nest_.guard[loop];
      if (nest_.extent[loop] * nest_.dst_stride[loop] != owned) return false;
      if (guard >= 0 && guard != full && left_[guard] < nest_.extent[loop] * nest_.step[loop]) return false;
    }
    return owned == width_;
  }
  void add(int64_t begin, int64_t end) {
    if (begin >= end || kind_.holes > kMaxHoles) return;
    if (kind_.holes > 0 && last().at + last().bytes == begin) {
      last().bytes += end - begin;
    } else if (kind_.holes++ < kMaxHoles) {
      last() = {begin, end - begin};
    }
  }
  Hole& last() { return kind_.hole[kind_.holes - 1]; }

  const xlashape_loops& nest_;
  const int64_t width_;
  Kind& kind_;
  int64_t left_[kMaxGuards];
};

class Filler {
 public:
  Filler(const Kernels& kernels, const xlashape_relayout_ir& ir, const Chunks& chunks, Store store, const char* src,
         char* dst)
      : kernels_(kernels),
        ir_(ir),
        nest_(*ir.nest),
        loop_(chunks.loop),
        indices_(chunks.indices),
        store_(store),
        src_(src),
        dst_(dst),
        width_(ir.dst_container_bits / 8),
        fills_(ir.fill_policy == XLASHAPE_FILL) {
    for (int64_t i = 0; i < 16; ++i) pattern_[i] = ir.fill[i % width_];
    is_byte_ = std::count(pattern_, pattern_ + 16, pattern_[0]) == 16;
    // How far the guards count within a chunk: the outermost loop of each says.
    for (int32_t g = 0; g < nest_.guard_count; ++g) span_[g] = 1;
    for (int32_t l = nest_.loop_count; l-- > loop_;)
      if (nest_.guard[l] >= 0) span_[nest_.guard[l]] = (l == loop_ ? indices_ : nest_.extent[l]) * nest_.step[l];
  }

  int64_t chunks() const {
    int64_t count = pieces();
    for (int32_t l = 0; l < loop_; ++l) count *= nest_.extent[l];
    return count;
  }

  void run(Range chunks) {
    if (chunks.size() <= 0) return;
    go_to(chunks.begin);
    int64_t at = dst_at(), count = indices();
    const char* from = src_ + src_at();
    Kind* kind = &find(count);
    for (int64_t i = chunks.begin; i < chunks.end; ++i) {
      const bool staged = kind->staged;
      const char* const stage = kind->stage;
      const int64_t bytes = count * nest_.dst_stride[loop_];
      char* const to = dst_ + at;
      move(*kind, from, to, bytes);
      const bool more = next();
      at = more ? dst_at() : ir_.dst->positions * width_;
      const int64_t gap = dst_ + at - (to + bytes);
      if (more) {
        count = indices();
        from = src_ + src_at();
        kind = &find(count);
      }
      if (staged) stream(to, stage, bytes, i + 1 < chunks.end ? kind : nullptr, from, dst_ + at);
      fill(to + bytes, gap, store_);
    }
  }

 private:
  int64_t pieces() const { return (nest_.extent[loop_] + indices_ - 1) / indices_; }
  void go_to(int64_t chunk) {
    first_ = chunk % pieces() * indices_;
    chunk /= pieces();
    for (int32_t l = loop_; l-- > 0; chunk /= nest_.extent[l]) at_[l] = chunk % nest_.extent[l];
  }
  int64_t indices() const { return std::min(indices_, nest_.extent[loop_] - first_); }
  bool next() {
    if ((first_ += indices_) < nest_.extent[loop_]) return true;
    first_ = 0;
    for (int32_t l = loop_; l-- > 0; at_[l] = 0)
      if (++at_[l] < nest_.extent[l]) return true;
    return false;
  }
  int64_t place(int64_t offset, const int64_t* stride) const {
    for (int32_t l = 0; l < loop_; ++l) offset += at_[l] * stride[l];
    return offset + first_ * stride[loop_];
  }
  int64_t dst_at() const { return place(nest_.dst_offset, nest_.dst_stride); }
  int64_t src_at() const { return place(nest_.src_offset, nest_.src_stride); }

  void fill(char* dst, int64_t bytes, Store store) const {
    if (bytes > 0 && fills_) kernels_.fill(dst, bytes, pattern_, store);
  }
  // The pattern repeats with each element, so at the end of a few elements too.
  void fill_hole(char* dst, int64_t bytes) const {
    if (!fills_) return;
    if (store_ == Store::kOrdinary && is_byte_) {
      std::memset(dst, pattern_[0], static_cast<size_t>(bytes));
      return;
    }
    if (bytes < 16 || bytes > 256 || store_ == Store::kStream) return fill(dst, bytes, store_);
    for (int64_t i = 0; i < bytes - 16; i += 16) std::memcpy(dst + i, pattern_, 16);
    std::memcpy(dst + bytes - 16, pattern_, 16);
  }

  // Where a chunk is staged, only its stage is written.
  void move(Kind& kind, const char* from, char* to, int64_t bytes) {
    if (kind.empty) return fill(to, bytes, store_);
    if (kind.staged) {
      // Where padding may be anything too: the stack's bytes are nobody's business.
      if (!kind.filled) kernels_.fill(kind.stage, bytes, pattern_, Store::kOrdinary);
      kind.filled = true;
      return move_elements(kind, from, kind.stage, Store::kOrdinary);
    }
    if (kind.holes > kMaxHoles) fill(to, bytes, Store::kOrdinary);
    move_elements(kind, from, to, kind.holes > kMaxHoles ? Store::kOrdinary : store_);
    for (int h = 0; h < kind.holes && kind.holes <= kMaxHoles; ++h) fill_hole(to + kind.hole[h].at, kind.hole[h].bytes);
  }

  // What the next chunk reads, and the pages that it goes to, are asked for meanwhile.
  void stream(char* to, const char* stage, int64_t bytes, const Kind* next, const char* next_src,
              char* next_dst) const {
    constexpr int64_t kStep = 1024;
    if (next == nullptr) return kernels_.copy(to, stage, bytes, Store::kStream);
    for (char* p = next_dst; p < next_dst + bytes; p += kPage) __builtin_prefetch(p, 1, 3);
    Ahead ahead(*next, next_src);
    for (int64_t i = 0, n = kStep - static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % kLine); i < bytes;
         i += n, n = kStep) {
      kernels_.copy(to + i, stage + i, std::min(n, bytes - i), Store::kStream);
      ahead.some(kStep / kLine);
    }
  }

  void move_elements(const Kind& kind, const char* from, char* to, Store store) const {
    if (kind.rectangles <= kMaxRectangles) {
      // The edges' parts of the source lie apart.
      if (kind.rectangles > 1) Ahead(kind, from, kind.first_piece[1]).some(kMostAhead);
      for (int r = 0; r < kind.rectangles; ++r)
        run_block(kind.block[r], kernels_, from + kind.src[r], to + kind.dst[r], 0, kind.block[r].tiles, store);
      return;
    }
    const int64_t at = dst_at();
    each_rectangle(kind.indices, [&](const Rectangle& rectangle) {
      Block block;
      make_block(rectangle.axes, nest_.loop_count, width_, 1, store, &block);
      run_block(block, kernels_, src_ + rectangle.src_at, to + (rectangle.dst_at - at), 0, block.tiles, store);
    });
  }

  template <class Do>
  void each_rectangle(int64_t count, Do&& act) const {
    Range ranges[kMaxLoops];
    for (int32_t l = 0; l < nest_.loop_count; ++l)
      ranges[l] = l < loop_    ? Range{at_[l], at_[l] + 1}
                  : l == loop_ ? Range{first_, first_ + count}
                               : Range{0, nest_.extent[l]};
    const auto leaf = [&](const Range* part) {
      Rectangle rectangle;
      if (make_rectangle(ir_, part, &rectangle)) act(rectangle);
    };
    backends::peel(nest_, ranges, leaf);
  }

  // What the chunk at hand is. Two kinds are known at a time, as whole tiles and those at an edge take turns.
  Kind& find(int64_t count) {
    int64_t left[kMaxGuards];
    for (int32_t g = 0; g < nest_.guard_count; ++g) left[g] = nest_.high[g];
    for (int32_t l = 0; l <= loop_; ++l)
      if (nest_.guard[l] >= 0) left[nest_.guard[l]] -= (l < loop_ ? at_[l] : first_) * nest_.step[l];
    for (int32_t g = 0; g < nest_.guard_count; ++g) left[g] = std::clamp<int64_t>(left[g], 0, span_[g]);
    for (int k = 0; k < 2; ++k)
      if (kind_[k].indices == count && std::equal(left, left + nest_.guard_count, kind_[k].left)) {
        last_ = k;
        return kind_[k];
      }
    last_ = 1 - last_;
    Kind& kind = kind_[last_];
    kind.filled = false;
    kind.indices = count;
    std::copy(left, left + nest_.guard_count, kind.left);
    kind.empty = std::count(left, left + nest_.guard_count, 0) > 0;
    kind.rectangles = kind.holes = kind.pieces = 0;
    const int64_t bytes = count * nest_.dst_stride[loop_];
    HoleFinder(nest_, width_, kind).find(loop_, count, 0, bytes);
    kind.staged = store_ == Store::kStream && bytes <= kStagedBytes && kind.holes * kLinesApart > bytes;
    const Store store = kind.staged || kind.holes > kMaxHoles ? Store::kOrdinary : store_;
    each_rectangle(count, [&](const Rectangle& rectangle) {
      const int r = kind.rectangles++;
      if (r >= kMaxRectangles) return;
      kind.block[r] = {};
      make_block(rectangle.axes, nest_.loop_count, width_, 1, store, &kind.block[r]);
      kind.src[r] = rectangle.src_at - src_at();
      kind.dst[r] = rectangle.dst_at - dst_at();
      kind.first_piece[r] = kind.pieces;
      add_pieces(rectangle, nest_.loop_count, width_, kind.src[r], kind);
    });
    return kind;
  }

  const Kernels& kernels_;
  const xlashape_relayout_ir& ir_;
  const xlashape_loops& nest_;
  const int32_t loop_;
  const int64_t indices_;
  const Store store_;
  const char* const src_;
  char* const dst_;
  const int64_t width_;
  const bool fills_;
  unsigned char pattern_[16];
  bool is_byte_;  // all over
  int64_t span_[kMaxGuards];
  int64_t at_[kMaxLoops], first_ = 0;  // indices of the loops outside, and the chunk's first of its loop
  Kind kind_[2];
  int last_ = 0;
};

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
  if (nest.guard_count > kMaxGuards || nest.dst_offset != 0) return none;
  int64_t owned = ir.dst->positions * width;
  for (int32_t l = 0; l < nest.loop_count; owned = nest.dst_stride[l++])
    if (nest.dst_stride[l] < width || nest.extent[l] > owned / nest.dst_stride[l]) return none;
  for (int32_t g = 0; g < nest.guard_count; ++g)
    if (nest.low[g] > 0) return none;

  // Long runs need no stage: few of their lines hold padding too.
  int64_t run = width;
  for (int32_t l = nest.loop_count; l-- > 0 && nest.dst_stride[l] == run && nest.guard[l] < 0;) run *= nest.extent[l];
  const int64_t most = store == Store::kStream && run < kLinesApart ? kStagedBytes : kChunkBytes;
  for (int32_t l = 0; l < nest.loop_count; ++l) {
    const int64_t stride = nest.dst_stride[l];
    if (stride > most) continue;
    int64_t indices = most / stride;
    const int64_t grain = 64 / std::gcd(stride, int64_t{64});  // whole lines
    if (indices > grain) indices -= indices % grain;
    indices = std::min(indices, nest.extent[l]);
    // As much of each source line as is worth its coming.
    for (int32_t outer = 0; outer < l; ++outer)
      if (nest.src_stride[outer] == width) return none;
    if (nest.src_stride[l] == width && indices < nest.extent[l] && indices * width < 128) return none;
    return {l, indices};
  }
  return none;
}

void run_filled(const Kernels& kernels, const xlashape_relayout_ir& ir, const Chunks& chunks, Store store,
                const char* src, char* dst, const Part& part) {
  Filler filler(kernels, ir, chunks, store, src, dst);
  filler.run(backends::share(filler.chunks(), part.begin, part.end, part.count));
}

}  // namespace xlashape::simd
