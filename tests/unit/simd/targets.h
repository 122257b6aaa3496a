/* SPDX-License-Identifier: Apache-2.0 */
// The targets that the simd backend is compiled for, as tests ask for them.
#pragma once
#if defined(__aarch64__) && defined(__linux__)
#include <sys/prctl.h>
#endif

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "backends/simd/kernels.h"
#include "runtime/cpu.h"
#include "xlashape_backend.h"

extern "C" xlashape_status xlashape_backend_open_simd(const xlashape_host*, xlashape_backend*, xlashape_error*);

namespace xlashape::core::testing {

struct Target {
  const char* name;
  uint64_t features;
};
inline constexpr uint64_t kUpToSsse3 = XLASHAPE_CPU_SSE2 | XLASHAPE_CPU_SSSE3,
                          kUpToSse4 = kUpToSsse3 | XLASHAPE_CPU_SSE4, kUpToAvx2 = kUpToSse4 | XLASHAPE_CPU_AVX2,
                          kUpToAvx3 = kUpToAvx2 | XLASHAPE_CPU_AVX3;
inline constexpr Target kTargets[] = {
    {"Least", 0},
    {"SSSE3", kUpToSsse3},
    {"SSE4", kUpToSse4},
    {"AVX2", kUpToAvx2},
    {"AVX3", kUpToAvx3},
    {"AVX3_DL", kUpToAvx3 | XLASHAPE_CPU_AVX3_DL},
    {"NEON", XLASHAPE_CPU_NEON},
    {"SVE", XLASHAPE_CPU_NEON | XLASHAPE_CPU_SVE},
};

// What the backend says of itself when it runs this target: SVE only where its vectors are longer than NEON's.
inline std::string said(const Target& target) {
#if defined(__aarch64__) && defined(__linux__)
  if (target.features == 0) return "NEON";
  if ((target.features & XLASHAPE_CPU_SVE) != 0 && (prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK) < 32) return "NEON";
#else
  if (target.features == 0) return "SSSE3";
#endif
  return target.name;
}

// Why there is nothing to run with these features; empty where there is.
inline std::string missing_target(uint64_t features) {
  if ((features & ~detect_cpu().features) != 0) return "this CPU lacks it";
  if (features != 0 && (simd::compiled_targets() & std::bit_floor(features)) == 0) return "not compiled in this build";
  return "";
}

// A test of one target, where that can run.
class TargetTest : public ::testing::TestWithParam<Target> {
 protected:
  void SetUp() override {
    const std::string why = missing_target(GetParam().features);
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

}  // namespace xlashape::core::testing
