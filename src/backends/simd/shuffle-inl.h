/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: exchanges bytes, or parts of them, within groups of up to 16 bytes.
#if defined(XLASHAPE_SIMD_SHUFFLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_SHUFFLE_INL_H_
#undef XLASHAPE_SIMD_SHUFFLE_INL_H_
#else
#define XLASHAPE_SIMD_SHUFFLE_INL_H_
#endif

#include "backends/simd/lines-inl.h"

#if !HWY_HAVE_SCALABLE
HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

// The groups of a vector, which has whole ones in each 16 bytes. Whatever is beyond them comes out as anything.
template <int kBits, class D>
HWY_INLINE hn::Vec<D> ShuffleVector(D d, hn::Vec<D> v, const ShuffleTable& table) {
  const auto lookup = [&](hn::Vec<D> bytes, int to, int from)
                          HWY_ATTR { return hn::TableLookupBytesOr0(bytes, hn::LoadDup128(d, table.from[to][from])); };
  if constexpr (kBits == 8) {
    return lookup(v, 0, 0);
  } else {
    constexpr int kParts = 8 / kBits;
    const hn::Repartition<uint16_t, D> d16;
    const auto mask = hn::Set(d, static_cast<uint8_t>((1 << kBits) - 1));
    auto all = hn::Zero(d);
    hn::Vec<D> part[kParts];
    HWY_UNROLL(8)
    for (int from = 0; from < kParts; ++from)
      part[from] = hn::And(hn::BitCast(d, hn::ShiftRightSame(hn::BitCast(d16, v), from * kBits)), mask);
    for (int to = 0; to < kParts; ++to) {
      auto one = lookup(part[0], to, 0);
      HWY_UNROLL(8)
      for (int from = 1; from < kParts; ++from) one = hn::Or(one, lookup(part[from], to, from));
      all = hn::Or(all, hn::BitCast(d, hn::ShiftLeftSame(hn::BitCast(d16, one), to * kBits)));
    }
    return all;
  }
}

// `bytes` of whole groups. Reads and writes these and no others.
template <int kBits>
HWY_INLINE void ShuffleBytes(char* dst, const char* src, int64_t bytes, const ShuffleTable& table) {
  const Bytes16Tag d;
  int64_t i = 0;
  if (table.block == 16 && !table.backwards) {
    const LineTag wide;
    for (; i + kLanes<LineTag> <= bytes; i += kLanes<LineTag>)
      hn::StoreU(ShuffleVector<kBits>(wide, hn::LoadU(wide, U8(src + i)), table), wide, U8(dst + i));
  }
  // What a block writes behind its groups is written again by the next one.
  for (; i + 16 <= bytes; i += table.block) {
    const char* const from = table.backwards ? src + bytes - i - 16 : src + i;
    hn::StoreU(ShuffleVector<kBits>(d, hn::LoadU(d, U8(from)), table), d, U8(dst + i));
  }
  for (; i < bytes; i += table.group) {
    alignas(16) uint8_t group[16] = {};
    const auto size = static_cast<size_t>(table.group);
    std::memcpy(group + (table.backwards ? 16 - table.group : 0),
                table.backwards ? src + bytes - i - table.group : src + i, size);
    hn::Store(ShuffleVector<kBits>(d, hn::Load(d, group), table), d, group);
    std::memcpy(dst + i, group, size);
  }
}

HWY_NOINLINE void ShuffleGroups(char* dst, const char* src, int64_t bytes, const ShuffleTable& table) {
  switch (table.bits) {
    case 1:
      return ShuffleBytes<1>(dst, src, bytes, table);
    case 2:
      return ShuffleBytes<2>(dst, src, bytes, table);
    case 4:
      return ShuffleBytes<4>(dst, src, bytes, table);
    default:
      return ShuffleBytes<8>(dst, src, bytes, table);
  }
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
