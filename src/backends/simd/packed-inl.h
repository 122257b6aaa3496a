/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: converts containers of 1, 2 and 4 bits from and to bytes.
#if defined(XLASHAPE_SIMD_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_PACKED_INL_H_
#undef XLASHAPE_SIMD_PACKED_INL_H_
#else
#define XLASHAPE_SIMD_PACKED_INL_H_
#endif

#include "backends/simd/squares-inl.h"

#if !HWY_HAVE_SCALABLE
HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

inline constexpr size_t kBytesAtOnce = 16 * kMaxBlocks;

template <class T>
using As = hn::FixedTag<T, kBytesAtOnce / sizeof(T)>;

// Unpacks kBytesAtOnce containers into bytes.
template <size_t kBits>
HWY_INLINE auto Spread(const uint8_t* from) {
  const As<uint8_t> d;
  if constexpr (kBits == 4) {
    const As<uint16_t> d16;
    const auto v = hn::PromoteTo(d16, hn::LoadU(hn::FixedTag<uint8_t, kBytesAtOnce / 2>(), from));
    return hn::And(hn::BitCast(d, hn::Or(v, hn::ShiftLeft<4>(v))), hn::Set(d, 0x0F));
  } else if constexpr (kBits == 2) {
    const As<uint32_t> d32;
    auto v = hn::PromoteTo(d32, hn::LoadU(hn::FixedTag<uint8_t, kBytesAtOnce / 4>(), from));
    v = hn::And(hn::Or(v, hn::ShiftLeft<12>(v)), hn::Set(d32, 0x000F000F));
    return hn::And(hn::BitCast(d, hn::Or(v, hn::ShiftLeft<6>(v))), hn::Set(d, 0x03));
  } else {
    uint64_t bits = 0;  // eight bytes are read, whatever the vector's length
    std::memcpy(&bits, from, kBytesAtOnce / 8);
    const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&bits));
    return hn::IfThenElseZero(mask, hn::Set(d, 1));
  }
}

// The reverse: packs the bits of each byte from `shift` on; its upper bits may be anything. Writes eight bytes or more.
template <size_t kBits, class V>
HWY_INLINE void Gather(V v, int shift, uint8_t* to) {
  const As<uint8_t> d;
  const As<uint16_t> d16;
  const As<uint32_t> d32;
  if constexpr (kBits == 1) {
    hn::StoreMaskBits(d, hn::TestBit(v, hn::Set(d, static_cast<uint8_t>(1 << shift))), to);
  } else if constexpr (kBits == 2) {
    auto w = hn::And(hn::ShiftRightSame(hn::BitCast(d32, v), shift), hn::Set(d32, 0x03030303));
    w = hn::And(hn::Or(w, hn::ShiftRight<6>(w)), hn::Set(d32, 0x000F000F));
    w = hn::And(hn::Or(w, hn::ShiftRight<12>(w)), hn::Set(d32, 0xFF));
    // Not TruncateTo: Highway 1.0.3 gets it wrong on AVX3_DL.
    const hn::FixedTag<uint8_t, kBytesAtOnce / 4> quarter;
    hn::StoreU(hn::DemoteTo(quarter, hn::BitCast(As<int32_t>(), w)), quarter, to);
  } else {
    auto w = hn::And(hn::ShiftRightSame(hn::BitCast(d16, v), shift), hn::Set(d16, 0x0F0F));
    w = hn::And(hn::Or(w, hn::ShiftRight<4>(w)), hn::Set(d16, 0xFF));
    const hn::FixedTag<uint8_t, kBytesAtOnce / 2> half;
    hn::StoreU(hn::TruncateTo(half, w), half, to);
  }
}

// Unpacks `count` containers into bytes. Reads only bytes that have one of them; writes up to a vector more.
template <size_t kBits>
HWY_NOINLINE void Unpack(char* to, const char* from, int64_t count, uint8_t value) {
  const As<uint8_t> d;
  constexpr auto kStep = static_cast<int64_t>(kBytesAtOnce), kRead = kStep * static_cast<int64_t>(kBits) / 8;
  const auto bits = hn::Set(d, value);
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep, from += kRead)
    hn::StoreU(hn::And(Spread<kBits>(U8(from)), bits), d, U8(to + i));
  if (i == count) return;
  alignas(64) char last[64];
  CopyShort(last, from, ((count - i) * static_cast<int64_t>(kBits) + 7) / 8);
  hn::StoreU(hn::And(Spread<kBits>(U8(last)), bits), d, U8(to + i));
}

// The reverse: packs each byte's value from bit `shift` on. Writes up to a vector more. kBits == 8: the result is
// bytes.
template <size_t kBits>
HWY_NOINLINE void Pack(char* to, const char* from, int64_t count, int shift, uint8_t value) {
  const As<uint8_t> d;
  constexpr auto kStep = static_cast<int64_t>(kBytesAtOnce), kWritten = kStep * static_cast<int64_t>(kBits) / 8;
  // Packing drops the bits above the container, so only a value that is narrower has to be cut out first.
  const bool cuts = kBits == 8 || value != (1 << kBits) - 1;
  const auto bits = hn::Set(d, value);
  const auto cut = [&](const char* p) HWY_ATTR {
    const auto v = hn::BitCast(d, hn::ShiftRightSame(hn::BitCast(As<uint16_t>(), hn::LoadU(d, U8(p))), shift));
    return hn::And(v, bits);
  };
  const auto one = [&](const char* p, char* q) HWY_ATTR {
    if constexpr (kBits == 8) {
      hn::StoreU(cut(p), d, U8(q));
    } else if (cuts) {
      Gather<kBits>(cut(p), 0, U8(q));
    } else {
      Gather<kBits>(hn::LoadU(d, U8(p)), shift, U8(q));
    }
  };
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep, to += kWritten) one(from + i, to);
  if (i == count) return;
  alignas(64) char last[64];
  CopyShort(last, from + i, count - i);
  one(last, to);
}

template <size_t kBlocks>
HWY_INLINE void ShiftVector(char* to, const char* from, int shift) {
  const Blocks<kBlocks> d;
  const hn::FixedTag<uint16_t, 8 * kBlocks> d16;
  const auto low = hn::Set(d, static_cast<uint8_t>(0xFF >> shift));
  const auto a = hn::ShiftRightSame(hn::BitCast(d16, hn::LoadU(d, U8(from))), shift);
  const auto b = hn::ShiftLeftSame(hn::BitCast(d16, hn::LoadU(d, U8(from + 1))), 8 - shift);
  hn::StoreU(hn::Or(hn::And(low, hn::BitCast(d, a)), hn::AndNot(low, hn::BitCast(d, b))), d, U8(to));
}

// Copies `bytes` bytes that begin at bit `shift` (1 to 7) of `from`. Reads one byte more than it writes.
HWY_NOINLINE void Shift(char* to, const char* from, int64_t bytes, int shift) {
  constexpr auto kStep = static_cast<int64_t>(kBytesAtOnce);
  int64_t i = 0;
  for (; i + kStep <= bytes; i += kStep) ShiftVector<kMaxBlocks>(to + i, from + i, shift);
  for (; i + 16 <= bytes; i += 16) ShiftVector<1>(to + i, from + i, shift);
  if (i == bytes) return;
  if (bytes >= 16) return ShiftVector<1>(to + bytes - 16, from + bytes - 16, shift);
  char in[32] = {}, out[16];
  CopyShort(in, from, bytes + 1);
  ShiftVector<1>(out, in, shift);
  CopyShort(to, out, bytes);
}

// Copies bytes in reverse, and within each of them its containers of `bits` bits.
HWY_NOINLINE void Reverse(char* to, const char* from, int64_t bytes, int bits) {
  alignas(16) static constexpr uint8_t kBackwards[16] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  // What becomes of half a byte.
  alignas(16) static constexpr uint8_t kHalf[3][16] = {{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15},
                                                       {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
                                                       {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  const Bytes16Tag d;
  const hn::Repartition<uint16_t, Bytes16Tag> d16;
  const auto backwards = hn::Load(d, kBackwards), low = hn::Set(d, 0x0F);
  const auto half = hn::Load(d, kHalf[bits == 1 ? 0 : bits == 2 ? 1 : 2]);
  const auto move = [&](char* into, const char* p) HWY_ATTR {
    auto v = hn::TableLookupBytes(hn::LoadU(d, U8(p)), backwards);
    if (bits < 8) {
      const auto lower = hn::TableLookupBytes(half, hn::And(v, low));
      const auto upper =
          hn::TableLookupBytes(half, hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(d16, v))), low));
      v = hn::Or(hn::BitCast(d, hn::ShiftLeft<4>(hn::BitCast(d16, lower))), upper);
    }
    hn::StoreU(v, d, U8(into));
  };
  int64_t i = 0;
  for (; i + 16 <= bytes; i += 16) move(to + i, from + bytes - i - 16);
  if (i == bytes) return;
  if (bytes >= 16) return move(to + bytes - 16, from);
  char all[16] = {};
  CopyShort(all + 16 - bytes, from, bytes);
  move(all, all);
  CopyShort(to, all, bytes);
}

// Transposes groups of rows byte by byte; a group has as many rows as containers fit a byte. Byte j of row k of a group
// then holds column k of that byte, from all rows of the group. `pitch` is a multiple of 64.
template <size_t kBits>
HWY_NOINLINE void TransposeGroups(char* rows, int64_t pitch, int64_t groups) {
  constexpr size_t kRows = 8 / kBits;
  const As<uint8_t> d;
  const As<uint16_t> d16;
  // Exchanges the upper part of each pair of parts in one row with the lower part in the other row.
  const auto swap = [&](auto& x, auto& y, int shift, uint8_t lower) HWY_ATTR {
    const auto up = hn::BitCast(d, hn::ShiftRightSame(hn::BitCast(d16, x), shift));
    const auto both = hn::And(hn::Xor(up, y), hn::Set(d, lower));
    y = hn::Xor(y, both);
    x = hn::Xor(x, hn::BitCast(d, hn::ShiftLeftSame(hn::BitCast(d16, both), shift)));
  };
  for (int64_t g = 0; g < groups; ++g, rows += static_cast<int64_t>(kRows) * pitch)
    for (int64_t i = 0; i < pitch; i += static_cast<int64_t>(kBytesAtOnce)) {
      hn::Vec<decltype(d)> v[kRows];
      HWY_UNROLL(8)
      for (size_t k = 0; k < kRows; ++k) v[k] = hn::LoadU(d, U8(rows + static_cast<int64_t>(k) * pitch + i));
      if constexpr (kBits == 4) {
        swap(v[0], v[1], 4, 0x0F);
      } else {
        constexpr size_t kHalf = kRows / 2;
        HWY_UNROLL(4)
        for (size_t k = 0; k < kHalf; ++k) swap(v[k], v[k + kHalf], 4, 0x0F);
        HWY_UNROLL(2)
        for (size_t k = 0; k < kRows; k += kHalf) {
          HWY_UNROLL(2)
          for (size_t j = 0; j < kHalf / 2; ++j) swap(v[k + j], v[k + j + kHalf / 2], 2, 0x33);
        }
        if constexpr (kBits == 1) {
          HWY_UNROLL(4)
          for (size_t k = 0; k < kRows; k += 2) swap(v[k], v[k + 1], 1, 0x55);
        }
      }
      HWY_UNROLL(8)
      for (size_t k = 0; k < kRows; ++k) hn::StoreU(v[k], d, U8(rows + static_cast<int64_t>(k) * pitch + i));
    }
}

// Copies rows of a tile to places `pitch` apart, and the reverse. Each row has `bytes` bytes and begins at unit
// base + at[i * step]; a byte has 1 << log units.
HWY_NOINLINE void Collect(char* to, int64_t pitch, const Places& places, const char* src, int64_t bytes) {
  for (int64_t i = 0; i < places.count; ++i) CopyOrdinary(to + i * pitch, src + places(i), bytes);
}
HWY_NOINLINE void Distribute(char* dst, const Places& places, const char* from, int64_t pitch, int64_t bytes,
                             Store store) {
  if (store == Store::kStream) {
    for (int64_t i = 0; i < places.count; ++i) CopyStream(dst + places(i), from + i * pitch, bytes);
  } else {
    for (int64_t i = 0; i < places.count; ++i) CopyOrdinary(dst + places(i), from + i * pitch, bytes);
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
