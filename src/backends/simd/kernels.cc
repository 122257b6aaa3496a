// Compiles the kernels once per target, and chooses among them. No target's code runs before the choice.
#define HWY_WANT_AVX3_DL
// Sizeless vectors cannot be array elements, which the squares are made of; SVE machines run the NEON kernels.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/kernels.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/index-inl.h"
#include "backends/simd/lines-inl.h"
#include "backends/simd/move-inl.h"
#include "backends/simd/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace xlashape::simd::HWY_NAMESPACE {

extern const Kernels kKernels;
constinit const Kernels kKernels = {
    &HWY_STR(HWY_NAMESPACE)[2],  // without "N_"
    16 * kMaxBlocks,
    {Transpose<1>, Transpose<2>, Transpose<4>, Transpose<8>, Transpose<16>},
    Move,
    Copy,
    Fill,
    ToLinear,
    ToMulti,
    Fence,
};

}  // namespace xlashape::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "xlashape_backend.h"

namespace xlashape::simd {

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
  return HWY_NAMESPACE::kKernels;
}

}  // namespace xlashape::simd
#endif
