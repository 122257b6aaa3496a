/* SPDX-License-Identifier: Apache-2.0 */
// Included once per target: batches of index conversions, a block of indices at a time, each step of the map over the
// whole block. Everything is a whole number in a double.
//
// Division. For whole 0 <= x < 2^51 and d >= 1 let i = fl(1/d) and q = x * i rounded to the nearest whole number. i and
// the product are each off by a relative 2^-53 at most, so the product is off from x/d by less than x/d * 2^-52 * (1 +
// 2^-53) < 1/(2d) * (1 + 2^-53); for d a power of two by nothing. Hence |q - x/d| < 1/2 + 1/5 for every other d >= 3: q
// is the floor or one more. q * d < 2^51 + d <= 2^52 is exact, as is r = x - q * d, and r < 0 tells that q is one too
// large. Rounding adds and takes away 1.5 * 2^52, whose unit in the last place is 1; the same number converts between
// int64 and double below 2^51.
#if defined(XLASHAPE_SIMD_INDEX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef XLASHAPE_SIMD_INDEX_INL_H_
#undef XLASHAPE_SIMD_INDEX_INL_H_
#else
#define XLASHAPE_SIMD_INDEX_INL_H_
#endif

#include "backends/simd/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

using DoubleTag = hn::ScalableTag<double>;
using Int64Tag = hn::ScalableTag<int64_t>;
inline constexpr auto kStep = kLanes<DoubleTag>;
inline constexpr double kShift = 6755399441055744.0;  // 1.5 * 2^52
inline constexpr int64_t kShiftBits = 0x4338000000000000;

struct IndexBlock {
  alignas(64) double value[kIndexValues][kIndexBlock];
  alignas(64) double x[kIndexBlock];
  alignas(64) int64_t bad[kIndexBlock];  // -1: a bad entry, 0: a good one
  alignas(64) int64_t whole[kIndexBlock];
};

HWY_INLINE hn::Vec<DoubleTag> ToDouble(hn::Vec<Int64Tag> v) {
  const DoubleTag d;
  const Int64Tag i;
  return hn::Sub(hn::BitCast(d, hn::Add(v, hn::Set(i, kShiftBits))), hn::Set(d, kShift));
}
HWY_INLINE hn::Vec<Int64Tag> ToInteger(hn::Vec<DoubleTag> v) {
  const DoubleTag d;
  const Int64Tag i;
  return hn::Sub(hn::BitCast(i, hn::Add(v, hn::Set(d, kShift))), hn::Set(i, kShiftBits));
}

// Entries outside [0, bound) become 0 and are marked in `bad`.
HWY_INLINE void LoadChecked(const int64_t* from, double bound, double* to, int64_t* bad) {
  const DoubleTag d;
  const Int64Tag i;
  const auto limit = hn::Set(i, static_cast<int64_t>(bound) - 1), zero = hn::Zero(i);
  for (int64_t n = 0; n < kIndexBlock; n += kStep) {
    const auto v = hn::LoadU(i, from + n);
    const auto out = hn::VecFromMask(i, hn::Or(hn::Gt(v, limit), hn::Lt(v, zero)));
    hn::Store(hn::Or(hn::Load(i, bad + n), out), i, bad + n);
    hn::Store(ToDouble(hn::AndNot(out, v)), d, to + n);
  }
}

// quotient = x / divisor; x = x mod divisor.
HWY_INLINE void Divide(double* x, double divisor, double* quotient) {
  const DoubleTag d;
  const auto by = hn::Set(d, divisor), inverse = hn::Set(d, 1.0 / divisor), shift = hn::Set(d, kShift);
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0);
  for (int64_t n = 0; n < kIndexBlock; n += kStep) {
    const auto v = hn::Load(d, x + n);
    const auto q = hn::Sub(hn::Add(hn::Mul(v, inverse), shift), shift);
    const auto r = hn::Sub(v, hn::Mul(q, by));
    const auto over = hn::VecFromMask(d, hn::Lt(r, zero));
    hn::Store(hn::Sub(q, hn::And(over, one)), d, quotient + n);
    hn::Store(hn::Add(r, hn::And(over, by)), d, x + n);
  }
}

HWY_INLINE void Clear(double* x) {
  const DoubleTag d;
  for (int64_t n = 0; n < kIndexBlock; n += kStep) hn::Store(hn::Zero(d), d, x + n);
}

HWY_INLINE void AddScaled(double* x, double factor, const double* value) {
  const DoubleTag d;
  const auto f = hn::Set(d, factor);
  for (int64_t n = 0; n < kIndexBlock; n += kStep)
    hn::Store(hn::Add(hn::Load(d, x + n), hn::Mul(f, hn::Load(d, value + n))), d, x + n);
}

HWY_INLINE void Assign(const double* from, double* to) {
  const DoubleTag d;
  for (int64_t n = 0; n < kIndexBlock; n += kStep) hn::Store(hn::Load(d, from + n), d, to + n);
}

HWY_INLINE void NoteReached(const double* x, double bound, int64_t* bad) {
  const DoubleTag d;
  const Int64Tag i;
  const auto limit = hn::Set(d, bound);
  for (int64_t n = 0; n < kIndexBlock; n += kStep) {
    const auto out = hn::BitCast(i, hn::VecFromMask(d, hn::Ge(hn::Load(d, x + n), limit)));
    hn::Store(hn::Or(hn::Load(i, bad + n), out), i, bad + n);
  }
}

HWY_INLINE bool AnyBad(const int64_t* bad) {
  const Int64Tag i;
  auto all = hn::Zero(i);
  for (int64_t n = 0; n < kIndexBlock; n += kStep) all = hn::Or(all, hn::Load(i, bad + n));
  return !hn::AllFalse(i, hn::Lt(all, hn::Zero(i)));
}

// Stores the values as integers, -1 where bad.
HWY_INLINE void StoreMarked(const double* x, const int64_t* bad, int64_t* to) {
  const DoubleTag d;
  const Int64Tag i;
  for (int64_t n = 0; n < kIndexBlock; n += kStep)
    hn::Store(hn::Or(ToInteger(hn::Load(d, x + n)), hn::Load(i, bad + n)), i, to + n);
}

// Handles a block's bad entries. Returns true if the batch ends at one, whose number is then *stop.
HWY_INLINE bool Bad(const IndexBlock& block, const IndexBatch& batch, int64_t first, int64_t count, int64_t* stop,
                    int64_t* bad) {
  for (int64_t n = 0; n < count; ++n) {
    if (block.bad[n] == 0) continue;
    if (!batch.marks) {
      *stop = first + n;
      return true;
    }
    ++*bad;
  }
  return false;
}

// Reads a column of up to a block from the caller's array; the next function writes one.
HWY_INLINE const int64_t* Taken(const int64_t* from, int64_t step, int64_t count, int64_t* room) {
  // Prefetches the block after the next: the work on this one would interrupt the processor's own prefetching.
  for (int64_t n = 0; n < kIndexBlock; n += 8) hwy::Prefetch(from + (2 * kIndexBlock + n) * step);
  if (step == 1 && count == kIndexBlock) return from;
  for (int64_t n = 0; n < count; ++n) room[n] = from[n * step];
  for (int64_t n = count; n < kIndexBlock; ++n) room[n] = 0;
  return room;
}
HWY_INLINE void Put(const int64_t* from, int64_t count, int64_t* to, int64_t step, Store store) {
  if (step == 1) {
    char* const dst = reinterpret_cast<char*>(to);
    const char* const src = reinterpret_cast<const char*>(from);
    return store == Store::kStream ? CopyStream(dst, src, 8 * count) : CopyOrdinary(dst, src, 8 * count);
  }
  for (int64_t n = 0; n < count; ++n) to[n * step] = from[n];
}

// How many entries the first block takes, so that the others begin with a line of the output.
HWY_INLINE int64_t FirstBlock(const int64_t* out) {
  return kIndexBlock - static_cast<int64_t>(reinterpret_cast<uintptr_t>(out) / 8 % 8);
}

HWY_NOINLINE int64_t ToLinear(const IndexBatch& batch, const int64_t* in, int64_t* out, int64_t begin, int64_t end,
                              int64_t* bad) {
  const xlashape_map_ir& m = *batch.map;
  IndexBlock block;
  int64_t most = FirstBlock(out + begin);
  for (int64_t first = begin, count; first < end; first += count, most = kIndexBlock) {
    count = HWY_MIN(most, end - first);
    std::memset(block.bad, 0, sizeof block.bad);
    for (int v = 0; v < m.rank; ++v) {
      const int64_t* from = in + first * batch.index_step + v * batch.dimension_step;
      LoadChecked(Taken(from, batch.index_step, count, block.whole), static_cast<double>(m.dimensions[v]),
                  block.value[v], block.bad);
    }
    for (int s = 0; s < m.sum_count; ++s) {
      Clear(block.x);
      for (int t = m.sum_first_term[s]; t < m.sum_first_term[s + 1]; ++t)
        AddScaled(block.x, static_cast<double>(m.term_coefficient[t]), block.value[m.term_value[t]]);
      for (int v = m.sum_first_value[s]; v < m.sum_first_value[s + 1]; ++v)
        Divide(block.x, static_cast<double>(m.value_divisor[v]), block.value[m.rank + v]);
    }
    Clear(block.x);
    for (int o = 0; o < m.output_count; ++o)
      AddScaled(block.x, static_cast<double>(m.output_stride[o]), block.value[m.output_value[o]]);
    int64_t stop;
    if (AnyBad(block.bad) && Bad(block, batch, first, count, &stop, bad)) {
      StoreMarked(block.x, block.bad, block.whole);
      Put(block.whole, stop - first, out + first, 1, batch.store);
      return stop;
    }
    StoreMarked(block.x, block.bad, block.whole);
    Put(block.whole, count, out + first, 1, batch.store);
  }
  return end;
}

HWY_NOINLINE int64_t ToMulti(const IndexBatch& batch, const int64_t* in, int64_t* out, int64_t begin, int64_t end,
                             int64_t* bad) {
  const xlashape_map_ir& m = *batch.map;
  IndexBlock block;
  for (int v = 0; v < m.rank + m.value_count; ++v) Clear(block.value[v]);  // a value that is not an output stays 0
  int64_t most = FirstBlock(out + begin * batch.index_step);
  for (int64_t first = begin, count; first < end; first += count, most = kIndexBlock) {
    count = HWY_MIN(most, end - first);
    std::memset(block.bad, 0, sizeof block.bad);
    LoadChecked(Taken(in + first, 1, count, block.whole), static_cast<double>(m.data_positions), block.x, block.bad);
    for (int o = 0; o < m.output_count; ++o) {
      double* value = block.value[m.output_value[o]];
      if (m.output_stride[o] == 1) {
        Assign(block.x, value);
        Clear(block.x);
      } else {
        Divide(block.x, static_cast<double>(m.output_stride[o]), value);
      }
    }
    for (int s = m.sum_count; s-- > 0;) {
      Clear(block.x);
      for (int v = m.sum_first_value[s]; v < m.sum_first_value[s + 1]; ++v)
        AddScaled(block.x, static_cast<double>(m.value_divisor[v]), block.value[m.rank + v]);
      NoteReached(block.x, static_cast<double>(m.sum_bound[s]), block.bad);
      for (int t = m.sum_first_term[s]; t < m.sum_first_term[s + 1]; ++t) {
        double* value = block.value[m.term_value[t]];
        if (m.term_coefficient[t] == 1) {
          Assign(block.x, value);
        } else {
          Divide(block.x, static_cast<double>(m.term_coefficient[t]), value);
        }
      }
    }
    if (batch.pads)
      for (int v = 0; v < m.rank; ++v) NoteReached(block.value[v], static_cast<double>(m.dimensions[v]), block.bad);
    int64_t stop = end;
    const bool ends = AnyBad(block.bad) && Bad(block, batch, first, count, &stop, bad);
    if (ends) count = stop - first;
    for (int v = 0; v < m.rank; ++v) {
      StoreMarked(block.value[v], block.bad, block.whole);
      Put(block.whole, count, out + first * batch.index_step + v * batch.dimension_step, batch.index_step, batch.store);
    }
    if (ends) return stop;
  }
  return end;
}

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
