/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: permutes the factors of a tile in the first cache, in passes over the whole tile.
#if defined(XLASHAPE_SIMD_PERMUTE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_PERMUTE_INL_H_
#undef XLASHAPE_SIMD_PERMUTE_INL_H_
#else
#define XLASHAPE_SIMD_PERMUTE_INL_H_
#endif

#include "backends/simd/narrow-inl.h"
#include "ir/compiler.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Planes of at most 64 bytes are transposed by table lookups; one lookup does whole planes where a table can be a whole
// vector.
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
inline constexpr int64_t kLookup = 64;
#else
inline constexpr int64_t kLookup = 16;
#endif
inline constexpr int64_t kSmallPlane = 64;

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if !HWY_HAVE_SCALABLE
HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// Reads and writes up to one line beyond the planes.
template <size_t kWidth>
HWY_NOINLINE void SmallPlanes(const char* in, char* out, const Pass& pass) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  const int64_t plane = pass.columns * pass.rows * kBytes;
  // Where each byte of a plane comes from.
  uint8_t source[kSmallPlane];
  int64_t at = 0;
  for (int64_t c = 0; c < pass.columns; ++c)
    for (int64_t r = 0; r < pass.rows; ++r)
      for (int64_t i = 0; i < kBytes; ++i) source[at++] = static_cast<uint8_t>((r * pass.columns + c) * kBytes + i);
  if (plane <= kLookup) {
    const hn::FixedTag<uint8_t, kLookup> d;
    const int64_t together = kLookup / plane;
    alignas(64) uint8_t table[kLookup];
    for (int64_t i = 0, first = 0, k = 0; i < kLookup; ++i, ++k) {
      if (k == plane) k = 0, first += plane;
      table[i] = static_cast<uint8_t>((first + source[k]) % kLookup);
    }
    const int64_t end = pass.planes * plane, step = together * plane;
    const auto indices = hn::Load(d, table);
    for (int64_t i = 0; i < end; i += step) {
      const auto v = hn::LoadU(d, U8(in + i));
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
      // Highway's operation for this does not take bytes.
      hn::StoreU(decltype(v){_mm512_permutexvar_epi8(indices.raw, v.raw)}, d, U8(out + i));
#else
      hn::StoreU(hn::TableLookupBytes(v, indices), d, U8(out + i));
#endif
    }
    return;
  }
  // Several vectors: each vector that is written takes its bytes from all that are read.
  constexpr int64_t kMost = kSmallPlane / 16;
  const Bytes16Tag d1;
  alignas(16) uint8_t table[kMost][kMost][16];
  const int64_t vectors = (plane + 15) / 16;
  for (int64_t j = 0; j < vectors; ++j)
    for (int64_t i = 0; i < vectors; ++i)
      for (int64_t k = 0; k < 16; ++k) {
        const int64_t from = j * 16 + k < plane ? source[j * 16 + k] - i * 16 : -1;
        table[j][i][k] = static_cast<uint8_t>(from >= 0 && from < 16 ? from : 0x80);
      }
  for (int64_t p = 0; p < pass.planes; ++p, in += plane, out += plane)
    for (int64_t j = 0; j < vectors; ++j) {
      auto sum = hn::TableLookupBytesOr0(hn::LoadU(d1, U8(in)), hn::Load(d1, table[j][0]));
      for (int64_t i = 1; i < vectors; ++i)
        sum = hn::Or(sum, hn::TableLookupBytesOr0(hn::LoadU(d1, U8(in + i * 16)), hn::Load(d1, table[j][i])));
      hn::StoreU(sum, d1, U8(out + j * 16));
    }
}

template <size_t kWidth>
HWY_INLINE void PlaneByElements(const char* in, char* out, int64_t rows, int64_t columns) {
  constexpr auto kBytes = static_cast<int64_t>(kWidth);
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t r = 0; r < rows; ++r)
      std::memcpy(out + (c * rows + r) * kBytes, in + (r * columns + c) * kBytes, kWidth);
}

// Transposes contiguous planes of `rows` x `columns` elements. Reads and writes up to kSlack bytes more.
template <size_t kWidth>
HWY_NOINLINE void TransposePlanes(const char* in, char* out, const Pass& pass) {
  constexpr auto kSide = static_cast<int64_t>(16 / kWidth), kBytes = static_cast<int64_t>(kWidth);
  const int64_t rows = pass.rows, columns = pass.columns, plane = rows * columns * kBytes;
  if (plane <= kSmallPlane) return SmallPlanes<kWidth>(in, out, pass);
  for (int64_t p = 0; p < pass.planes; ++p, in += plane, out += plane) {
    if constexpr (kWidth < 16) {
      if (zips(columns, kBytes) && rows >= kSide) {
        char* to[8];
        for (int64_t c = 0; c < columns; ++c) to[c] = out + c * rows * kBytes;
        Zip<kWidth, true>(columns, &in, to, rows * kBytes);
        continue;
      }
      if (zips(rows, kBytes) && columns >= kSide) {
        const char* from[8];
        for (int64_t r = 0; r < rows; ++r) from[r] = in + r * columns * kBytes;
        Zip<kWidth, false>(rows, from, &out, columns * kBytes);
        continue;
      }
      if (rows >= kSide && columns >= kSide) {
        const EvenRows row{in, columns * kBytes};
        const EvenColumns column{out, rows * kBytes};
        if (rereads(kBytes, row.pitch, rows)) {
          CoverNear<kWidth>(row, rows, columns, column);
          continue;
        }
        constexpr auto kLineSide = static_cast<int64_t>(64 / kWidth);
        for (int64_t c = 0; c < columns; c += kLineSide) {
          if (c + kLineSide > columns) c = HWY_MAX(columns - kLineSide, 0);
          Strip<kWidth, false>(row + c * kBytes, rows, HWY_MIN(kLineSide, columns - c), column, c);
        }
        continue;
      }
    }
    PlaneByElements<kWidth>(in, out, rows, columns);
  }
}

// Gathers whole pieces of the source, transposes planes in the first cache, and writes whole runs.
template <size_t kWidth>
HWY_NOINLINE void Permute(const Tile* tiles, TileParams& params) {
  const Tile& tile = tiles[0];
  const int64_t piece = tile.columns * tile.unit, run = tile.rows * tile.unit;
  Fetch fetch(tiles[1], params, 1,
              INT64_MAX);  // the processor follows no stream: nothing is read while planes are transposed
  char* from = params.stage->in[0];
  char* to = params.stage->in[1];
  for (int64_t r = 0; r < tile.rows; ++r) CopyOrdinary(from + r * piece, tile.src + params.row[r], piece);
  // Lines that are written through the cache are prefetched, as runs are too short for the processor to follow: RGB of
  // 6 MB into tiles went from 9 to 19 GB/s.
  if (params.store == Store::kOrdinary && tiles[1].rows > 0) {
    for (int64_t c = 0; c < tiles[1].columns; ++c) {
      const char* const next = tiles[1].dst + params.column[c];
      for (int64_t i = 0; i < tiles[1].rows * tiles[1].unit; i += kLine) ir::prefetch_to_write<2>(next + i);
    }
  }
  for (int i = 0; i < params.passes->count; ++i) {
    TransposePlanes<kWidth>(from, to, params.passes->pass[i]);
    char* const transposed = to;
    to = from;
    from = transposed;
  }
  for (int64_t c = 0; c < tile.columns; ++c) {
    char* const dst = tile.dst + params.column[c];
    for (int64_t i = 0, end; i < run; i = end) {
      end = HWY_MIN(run, i + 512 + static_cast<int64_t>(-reinterpret_cast<uintptr_t>(dst + i) & 63));
      fetch.some((end - i) / kLine + 1);
      Copy(dst + i, from + c * run + i, end - i, params.store);
    }
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
