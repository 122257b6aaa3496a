// SPDX-License-Identifier: Apache-2.0
// Compiles the kernels once per target and chooses among them. Code of a target never runs on a CPU without its
// features.
#define HWY_WANT_AVX3_DL
#if defined(__aarch64__)
// One table serves SVE vectors of any length; SVE2 and fixed lengths add nothing useful here. NEON's table is always
// compiled, since SVE's refers to it.
#define HWY_DISABLED_TARGETS (HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#define HWY_BASELINE_TARGETS HWY_NEON
#elif defined(XLASHAPE_SIMD_FEW)
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX2 | HWY_AVX3_DL)
#elif defined(XLASHAPE_SIMD_LEAST)
#define HWY_COMPILE_ONLY_STATIC
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/kernels.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/index-inl.h"
#include "backends/simd/lines-inl.h"
#include "backends/simd/move-inl.h"
#include "backends/simd/packed-inl.h"
#include "backends/simd/panel-inl.h"
#include "backends/simd/permute-inl.h"
#include "backends/simd/shuffle-inl.h"
#include "backends/simd/strided-inl.h"
#include "backends/simd/transpose-inl.h"
#include "backends/simd/values-inl.h"

#if HWY_HAVE_SCALABLE
namespace xlashape::simd::N_NEON {
extern const FixedKernels kFixed;
}
#endif

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

#if HWY_HAVE_SCALABLE
using N_NEON::kFixed;

// Whether vectors are longer than NEON's. If not, SVE is slower: a division step takes 16 instructions with NEON, 20
// with SVE.
bool IsLonger() { return hn::Lanes(hn::ScalableTag<uint8_t>()) > 16; }
#else
extern const FixedKernels kFixed;
constinit const FixedKernels kFixed = {
    {Transpose<1>, Transpose<2>, Transpose<4>, Transpose<8>, Transpose<16>},
    {Permute<1>, Permute<2>, Permute<4>, Permute<8>, Permute<16>},
    {TransposePanel<1>, TransposePanel<2>, TransposePanel<4>, TransposePanel<8>, TransposePanel<16>, TransposePanel<0>},
    {Unpack<1>, Unpack<2>, Unpack<4>},
    {Pack<1>, Pack<2>, Pack<4>, Pack<8>},
    Shift,
    Reverse,
    {TransposeGroups<1>, TransposeGroups<2>, TransposeGroups<4>},
    Collect,
    ShuffleGroups,
    Distribute,
    {{LoadInt<uint8_t>, LoadInt<int8_t>},
     {LoadInt<uint16_t>, LoadInt<int16_t>},
     LoadBF16,
     LoadF16,
     LoadF64,
     LoadF64Odd,
     QuietF32,
     ExtendSigned,
     ExtendUnsigned,
     Mask,
     ClampInts,
     FloatToInt,
     {IntToFloat<uint8_t>, IntToFloat<int8_t>, IntToFloat<int32_t>},
     {Multiply<OneScale>, Multiply<EachScale>},
     {Divide<OneScale>, Divide<EachScale>},
     {Quantize<OneScale>, Quantize<EachScale>},
     {{Dequantize<uint8_t, OneScale>, Dequantize<uint8_t, EachScale>},
      {Dequantize<int8_t, OneScale>, Dequantize<int8_t, EachScale>},
      {Dequantize<int32_t, OneScale>, Dequantize<int32_t, EachScale>}},
     Store8,
     Store16,
     StoreF64,
     StoreF64OfInt,
     EncodeBF16,
     Encode16,
     Encode8},
};
#endif

extern const Kernels kKernels;
constinit const Kernels kKernels = {
    &HWY_STR(HWY_NAMESPACE)[2],  // without "N_"
    {kWholeLines, kLookup},     kFixed, Move, Strided, Copy, CopyPages, Fill, ToLinear, ToMulti, Fence,
};

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "xlashape_backend.h"

namespace xlashape::simd {

uint64_t compiled_targets() {
  constexpr struct {
    int64_t target;
    uint64_t feature;
  } kAll[] = {{HWY_AVX3_DL, XLASHAPE_CPU_AVX3_DL}, {HWY_AVX3, XLASHAPE_CPU_AVX3},   {HWY_AVX2, XLASHAPE_CPU_AVX2},
              {HWY_SSE4, XLASHAPE_CPU_SSE4},       {HWY_SSSE3, XLASHAPE_CPU_SSSE3}, {HWY_NEON, XLASHAPE_CPU_NEON},
              {HWY_SVE, XLASHAPE_CPU_SVE}};
  uint64_t features = 0;
  for (const auto& each : kAll)
    if ((HWY_TARGETS & each.target) != 0) features |= each.feature;
  return features;
}

const Kernels& choose_kernels(uint64_t cpu_features) {
  const auto has = [&](uint64_t bit) { return (cpu_features & bit) != 0; };
  (void)has;
#if HWY_TARGETS & HWY_AVX3_DL
  if (has(XLASHAPE_CPU_AVX3_DL)) return N_AVX3_DL::kKernels;
#endif
#if HWY_TARGETS & HWY_AVX3
  if (has(XLASHAPE_CPU_AVX3)) return N_AVX3::kKernels;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (has(XLASHAPE_CPU_AVX2)) return N_AVX2::kKernels;
#endif
#if HWY_TARGETS & HWY_SSE4
  if (has(XLASHAPE_CPU_SSE4)) return N_SSE4::kKernels;
#endif
#if HWY_TARGETS & HWY_SSSE3
  if (has(XLASHAPE_CPU_SSSE3)) return N_SSSE3::kKernels;
#endif
#if HWY_TARGETS & HWY_SVE
  if (has(XLASHAPE_CPU_SVE) && N_SVE::IsLonger()) return N_SVE::kKernels;
#endif
  return HWY_NAMESPACE::kKernels;
}

}  // namespace xlashape::simd
#endif
