/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: numbers change their format. Between its steps a number is in 32 bits, as an integer or as
// an f32. Each step takes a multiple of kValueGroup numbers that follow each other on both sides, may work in place,
// and reads and writes these and no others.
#if defined(XLASHAPE_SIMD_VALUES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_VALUES_INL_H_
#undef XLASHAPE_SIMD_VALUES_INL_H_
#else
#define XLASHAPE_SIMD_VALUES_INL_H_
#endif

#include "backends/simd/lines-inl.h"

#if !HWY_HAVE_SCALABLE
HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

using FloatTag = hn::CappedTag<float, kValueGroup>;
using WordTag = hn::Rebind<uint32_t, FloatTag>;
using IntTag = hn::Rebind<int32_t, FloatTag>;
using Words = hn::Vec<WordTag>;

template <class T>
HWY_INLINE const T* At(const char* p, int64_t i) {
  return reinterpret_cast<const T*>(p) + i;
}
template <class T>
HWY_INLINE T* At(char* p, int64_t i) {
  return reinterpret_cast<T*>(p) + i;
}

// f(words, i) of each vector of 32-bit numbers.
template <class F>
HWY_INLINE void MapWords(char* to, const char* from, int64_t count, F&& f) {
  const WordTag d;
  for (int64_t i = 0; i < count; i += kLanes<WordTag>)
    hn::StoreU(f(hn::LoadU(d, At<uint32_t>(from, i)), i), d, At<uint32_t>(to, i));
}

// -- Into 32 bits -----------------------------------------------------------------------------------------------------

// f(words, i) of each vector of integers.
template <class T, class F>
HWY_INLINE void Load(char* to, const char* from, int64_t count, F&& f) {
  const WordTag d;
  const hn::Rebind<std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>, WordTag> wide;
  const hn::Rebind<T, WordTag> narrow;
  for (int64_t i = 0; i < count; i += kLanes<WordTag>) {
    const auto v = hn::LoadU(narrow, At<T>(from, i));
    if constexpr (sizeof(T) == 4) {
      hn::StoreU(f(hn::BitCast(d, v), i), d, At<uint32_t>(to, i));
    } else {
      hn::StoreU(f(hn::BitCast(d, hn::PromoteTo(wide, v)), i), d, At<uint32_t>(to, i));
    }
  }
}

template <class T>
void LoadInt(char* to, const char* from, int64_t count, const ValueParams&) {
  Load<T>(to, from, count, [](Words v, int64_t) HWY_ATTR { return v; });
}
template <class T>
void IntToFloat(char* to, const char* from, int64_t count, const ValueParams&) {
  Load<T>(to, from, count, [](Words v, int64_t) HWY_ATTR {
    return hn::BitCast(WordTag(), hn::ConvertTo(FloatTag(), hn::BitCast(IntTag(), v)));
  });
}

// A NaN becomes the quiet one with its sign.
HWY_INLINE Words Quieted(Words v) {
  const WordTag d;
  const IntTag i;
  const auto magnitude = hn::And(v, hn::Set(d, 0x7FFFFFFFu));
  const auto is_nan = hn::RebindMask(d, hn::Gt(hn::BitCast(i, magnitude), hn::Set(i, 0x7F800000)));
  const auto nan = hn::Or(hn::And(v, hn::Set(d, 0x80000000u)), hn::Set(d, 0x7FC00000u));
  return hn::IfThenElse(is_nan, nan, v);
}

void QuietF32(char* to, const char* from, int64_t count, const ValueParams&) {
  MapWords(to, from, count, [](Words v, int64_t) HWY_ATTR { return Quieted(v); });
}
void LoadBF16(char* to, const char* from, int64_t count, const ValueParams&) {
  Load<uint16_t>(to, from, count, [](Words v, int64_t) HWY_ATTR { return Quieted(hn::ShiftLeft<16>(v)); });
}

// Subnormal numbers become normal by a subtraction that is exact, and that no mode of the processor changes.
void LoadF16(char* to, const char* from, int64_t count, const ValueParams&) {
  const WordTag d;
  const FloatTag f;
  Load<uint16_t>(to, from, count, [&](Words v, int64_t) HWY_ATTR {
    const auto sign = hn::ShiftLeft<16>(hn::And(v, hn::Set(d, 0x8000u)));
    const auto shifted = hn::ShiftLeft<13>(hn::And(v, hn::Set(d, 0x7FFFu)));
    const auto exponent = hn::And(shifted, hn::Set(d, 0x7C00u << 13));
    const auto normal = hn::Add(shifted, hn::Set(d, 112u << 23));
    const auto one_more = hn::BitCast(f, hn::Add(normal, hn::Set(d, 1u << 23)));
    const auto subnormal = hn::BitCast(d, hn::Sub(one_more, hn::BitCast(f, hn::Set(d, 113u << 23))));
    const auto special = hn::Add(normal, hn::Set(d, 112u << 23));
    auto magnitude = hn::IfThenElse(hn::Eq(exponent, hn::Zero(d)), subnormal, normal);
    magnitude = hn::IfThenElse(hn::Eq(exponent, hn::Set(d, 0x7C00u << 13)), special, magnitude);
    return Quieted(hn::Or(magnitude, sign));
  });
}

// To the nearest f32.
void LoadF64(char* to, const char* from, int64_t count, const ValueParams&) {
  const hn::CappedTag<double, kValueGroup / 2> wide;
  const hn::Rebind<float, decltype(wide)> f;
  const hn::Rebind<uint32_t, decltype(wide)> d;
  const hn::Rebind<int32_t, decltype(wide)> i32;
  for (int64_t i = 0; i < count; i += kLanes<decltype(wide)>) {
    const auto v = hn::BitCast(d, hn::DemoteTo(f, hn::LoadU(wide, At<double>(from, i))));
    const auto magnitude = hn::And(v, hn::Set(d, 0x7FFFFFFFu));
    const auto is_nan = hn::RebindMask(d, hn::Gt(hn::BitCast(i32, magnitude), hn::Set(i32, 0x7F800000)));
    const auto nan = hn::Or(hn::And(v, hn::Set(d, 0x80000000u)), hn::Set(d, 0x7FC00000u));
    hn::StoreU(hn::IfThenElse(is_nan, nan, v), d, At<uint32_t>(to, i));
  }
}

// To the f32 beside it whose last digit is 1, unless it is one itself. Rounded to fewer digits, or cut off to an
// integer of at most 16 bits, that gives what the f64 gives.
void LoadF64Odd(char* to, const char* from, int64_t count, const ValueParams&) {
  const hn::CappedTag<double, kValueGroup / 2> wide;
  const hn::Rebind<float, decltype(wide)> f;
  const hn::Rebind<int32_t, decltype(wide)> i32;
  for (int64_t i = 0; i < count; i += kLanes<decltype(wide)>) {
    const auto x = hn::LoadU(wide, At<double>(from, i));
    const auto nearest = hn::DemoteTo(f, x);
    const auto back = hn::PromoteTo(wide, nearest);
    const auto size = hn::Abs(x), reached = hn::Abs(back);
    const auto up = hn::IfThenElseZero(hn::Lt(reached, size), hn::Set(wide, 1.0));  // no step where it is a NaN
    const auto step = hn::DemoteTo(i32, hn::IfThenElse(hn::Gt(reached, size), hn::Set(wide, -1.0), up));
    const auto bits = hn::BitCast(i32, nearest);
    const auto is_even = hn::Eq(hn::And(bits, hn::Set(i32, 1)), hn::Zero(i32));
    const auto odd = hn::Add(bits, hn::IfThenElseZero(is_even, step));
    hn::StoreU(odd, i32, At<int32_t>(to, i));
  }
}

// -- Within 32 bits ---------------------------------------------------------------------------------------------------

// The low bits, with their sign.
void ExtendSigned(char* to, const char* from, int64_t count, const ValueParams& p) {
  const IntTag d;
  MapWords(to, from, count, [&](Words v, int64_t) HWY_ATTR {
    return hn::BitCast(WordTag(), hn::ShiftRightSame(hn::ShiftLeftSame(hn::BitCast(d, v), p.unused), p.unused));
  });
}
void ExtendUnsigned(char* to, const char* from, int64_t count, const ValueParams& p) {
  MapWords(to, from, count,
           [&](Words v, int64_t) HWY_ATTR { return hn::ShiftRightSame(hn::ShiftLeftSame(v, p.unused), p.unused); });
}
// What the destination's integer keeps.
void Mask(char* to, const char* from, int64_t count, const ValueParams& p) {
  MapWords(to, from, count, [&](Words v, int64_t) HWY_ATTR { return hn::And(v, hn::Set(WordTag(), p.mask)); });
}
void ClampInts(char* to, const char* from, int64_t count, const ValueParams& p) {
  const IntTag d;
  MapWords(to, from, count, [&](Words v, int64_t) HWY_ATTR {
    const auto clamped = hn::Min(hn::Max(hn::BitCast(d, v), hn::Set(d, p.least)), hn::Set(d, p.most));
    return hn::And(hn::BitCast(WordTag(), clamped), hn::Set(WordTag(), p.mask));
  });
}
// Scales and zero points of the numbers: one of all of them, or one each.
struct OneScale {
  const ValueParams& p;
  HWY_INLINE hn::Vec<FloatTag> Scale(int64_t) const { return hn::Set(FloatTag(), p.scale[0]); }
  HWY_INLINE hn::Vec<IntTag> Zero(int64_t) const { return hn::Set(IntTag(), p.zero_point[0]); }
};
struct EachScale {
  const ValueParams& p;
  HWY_INLINE hn::Vec<FloatTag> Scale(int64_t i) const { return hn::LoadU(FloatTag(), p.scale + i); }
  HWY_INLINE hn::Vec<IntTag> Zero(int64_t i) const { return hn::LoadU(IntTag(), p.zero_point + i); }
};

template <class Scales>
void Multiply(char* to, const char* from, int64_t count, const ValueParams& p) {
  const Scales scales{p};
  MapWords(to, from, count, [&](Words v, int64_t i) HWY_ATTR {
    return hn::BitCast(WordTag(), hn::Mul(hn::BitCast(FloatTag(), v), scales.Scale(i)));
  });
}
template <class Scales>
void Divide(char* to, const char* from, int64_t count, const ValueParams& p) {
  const Scales scales{p};
  MapWords(to, from, count, [&](Words v, int64_t i) HWY_ATTR {
    return hn::BitCast(WordTag(), hn::Div(hn::BitCast(FloatTag(), v), scales.Scale(i)));
  });
}
template <class T, class Scales>
void Dequantize(char* to, const char* from, int64_t count, const ValueParams& p) {
  const Scales scales{p};
  Load<T>(to, from, count, [&](Words v, int64_t i) HWY_ATTR {
    const auto distance = hn::Sub(hn::BitCast(IntTag(), v), scales.Zero(i));
    return hn::BitCast(WordTag(), hn::Mul(hn::ConvertTo(FloatTag(), distance), scales.Scale(i)));
  });
}

HWY_INLINE hn::Vec<FloatTag> ZeroForNaN(hn::Vec<FloatTag> x) { return hn::IfThenElseZero(hn::Eq(x, x), x); }

// The quotient is rounded, and is within the range before it becomes an integer; zero points are small enough for all
// of this to be exact.
template <class Scales>
void Quantize(char* to, const char* from, int64_t count, const ValueParams& p) {
  const Scales scales{p};
  const FloatTag f;
  const IntTag d;
  MapWords(to, from, count, [&](Words v, int64_t i) HWY_ATTR {
    const auto zero = scales.Zero(i);
    const auto least = hn::ConvertTo(f, hn::Sub(hn::Set(d, p.least), zero));
    const auto most = hn::ConvertTo(f, hn::Sub(hn::Set(d, p.most), zero));
    const auto quotient = ZeroForNaN(hn::Div(hn::BitCast(f, v), scales.Scale(i)));
    const auto whole = hn::Round(hn::Min(hn::Max(quotient, least), most));
    const auto sum = hn::Add(hn::ConvertTo(d, whole), zero);
    return hn::And(hn::BitCast(WordTag(), sum), hn::Set(WordTag(), p.mask));
  });
}

void FloatToInt(char* to, const char* from, int64_t count, const ValueParams& p) {
  const FloatTag f;
  const IntTag d;
  MapWords(to, from, count, [&](Words v, int64_t) HWY_ATTR {
    const auto x = ZeroForNaN(hn::BitCast(f, v));
    // 2^31 and more is beyond all, and no float below is more than the next one.
    const auto most = hn::Set(f, p.most == INT32_MAX ? 2147483520.f : static_cast<float>(p.most));
    const auto within = hn::Min(hn::Max(x, hn::Set(f, static_cast<float>(p.least))), most);
    const auto beyond = hn::RebindMask(d, hn::Ge(x, hn::Set(f, 2147483648.f)));
    const auto whole = hn::IfThenElse(beyond, hn::Set(d, p.most), hn::ConvertTo(d, within));
    return hn::And(hn::BitCast(WordTag(), whole), hn::Set(WordTag(), p.mask));
  });
}

// -- Out of 32 bits ---------------------------------------------------------------------------------------------------

// Of numbers that fit: not TruncateTo, which Highway 1.0.3 gets wrong on AVX3_DL.
template <class T, class F>
HWY_INLINE void Store(char* to, const char* from, int64_t count, F&& f) {
  const WordTag d;
  const hn::Rebind<T, WordTag> narrow;
  for (int64_t i = 0; i < count; i += kLanes<WordTag>)
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(IntTag(), f(hn::LoadU(d, At<uint32_t>(from, i))))), narrow,
               At<T>(to, i));
}

void Store8(char* to, const char* from, int64_t count, const ValueParams&) {
  Store<uint8_t>(to, from, count, [](Words v) HWY_ATTR { return v; });
}
void Store16(char* to, const char* from, int64_t count, const ValueParams&) {
  Store<uint16_t>(to, from, count, [](Words v) HWY_ATTR { return v; });
}

void StoreF64(char* to, const char* from, int64_t count, const ValueParams&) {
  const hn::CappedTag<double, kValueGroup / 2> wide;
  const hn::Rebind<float, decltype(wide)> f;
  for (int64_t i = 0; i < count; i += kLanes<decltype(wide)>)
    hn::StoreU(hn::PromoteTo(wide, hn::LoadU(f, At<float>(from, i))), wide, At<double>(to, i));
}
void StoreF64OfInt(char* to, const char* from, int64_t count, const ValueParams&) {
  const hn::CappedTag<double, kValueGroup / 2> wide;
  const hn::Rebind<int32_t, decltype(wide)> d;
  for (int64_t i = 0; i < count; i += kLanes<decltype(wide)>)
    hn::StoreU(hn::PromoteTo(wide, hn::LoadU(d, At<int32_t>(from, i))), wide, At<double>(to, i));
}

// A float of fewer bits: the digits that go are rounded to the nearest even number, which may carry into the exponent.
// Below the normal numbers an addition does the same: the sum's last digit is the last one that remains.
HWY_INLINE Words Encode(Words v, const NarrowFloat& n) {
  const WordTag d;
  const IntTag i;
  const FloatTag f;
  const auto magnitude = hn::And(v, hn::Set(d, 0x7FFFFFFFu));
  const auto odd = hn::And(hn::ShiftRightSame(magnitude, n.dropped), hn::Set(d, 1u));
  auto code = hn::Sub(hn::ShiftRightSame(hn::Add(magnitude, hn::Add(odd, hn::Set(d, n.below_half))), n.dropped),
                      hn::Set(d, n.rebias));
  if (n.has_subnormals) {
    const auto sum = hn::Add(hn::BitCast(f, magnitude), hn::BitCast(f, hn::Set(d, n.addend)));
    const auto is_small =
        hn::RebindMask(d, hn::Lt(hn::BitCast(i, magnitude), hn::Set(i, static_cast<int32_t>(n.least_normal))));
    code = hn::IfThenElse(is_small, hn::Sub(hn::BitCast(d, sum), hn::Set(d, n.addend)), code);
  }
  const auto is_over = hn::RebindMask(d, hn::Gt(hn::BitCast(i, code), hn::Set(i, static_cast<int32_t>(n.highest))));
  const auto is_nan = hn::RebindMask(d, hn::Gt(hn::BitCast(i, magnitude), hn::Set(i, 0x7F800000)));
  auto sign = hn::And(hn::ShiftRightSame(v, n.sign_shift), hn::Set(d, n.sign));
  if (!n.has_negative_zero) sign = hn::IfThenZeroElse(hn::Eq(code, hn::Zero(d)), sign);
  code = hn::IfThenElse(is_over, hn::Set(d, n.overflow), code);
  code = hn::IfThenElse(is_nan, hn::Set(d, n.nan), code);
  return n.has_nan ? hn::Or(code, sign) : hn::Xor(code, sign);
}

// Rounding carries into infinity where it should.
void EncodeBF16(char* to, const char* from, int64_t count, const ValueParams&) {
  const WordTag d;
  const IntTag i;
  Store<uint16_t>(to, from, count, [&](Words v) HWY_ATTR {
    const auto odd = hn::And(hn::ShiftRight<16>(v), hn::Set(d, 1u));
    const auto rounded = hn::Add(hn::Add(v, odd), hn::Set(d, 0x7FFFu));
    const auto magnitude = hn::BitCast(i, hn::And(v, hn::Set(d, 0x7FFFFFFFu)));
    const auto is_nan = hn::RebindMask(d, hn::Gt(magnitude, hn::Set(i, 0x7F800000)));
    const auto nan = hn::Or(hn::And(v, hn::Set(d, 0x80000000u)), hn::Set(d, 0x7FC00000u));
    return hn::ShiftRight<16>(hn::IfThenElse(is_nan, nan, rounded));
  });
}
void Encode16(char* to, const char* from, int64_t count, const ValueParams& p) {
  Store<uint16_t>(to, from, count, [&](Words v) HWY_ATTR { return Encode(v, p.narrow); });
}
void Encode8(char* to, const char* from, int64_t count, const ValueParams& p) {
  Store<uint8_t>(to, from, count, [&](Words v) HWY_ATTR { return Encode(v, p.narrow); });
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif  // XLASHAPE_SIMD_VALUES_INL_H_
