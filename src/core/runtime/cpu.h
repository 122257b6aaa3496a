/* SPDX-License-Identifier: Apache-2.0 */
// The processor's features and cache sizes that backends are given. Reads no environment variable.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/processor.h"
#include "xlashape_backend.h"

namespace xlashape::core {

struct Cpu {
  uint64_t features = 0;  // XLASHAPE_CPU_*
  int64_t l1_bytes = 0;   // data caches, per core; 0: not known
  int64_t l2_bytes = 0;
  int64_t l3_bytes = 0;
};

// Those of this machine.
Cpu detect_cpu();

// A name for this machine as far as it decides what is fast: architecture, model, caches, and the number of processors
// that the process may use. A file may have it: a-z, 0-9, '-', '_' and '.', at most 127 of them.
std::string machine_identity(const Cpu& cpu);
// The same for any machine.
std::string machine_identity(std::string_view architecture, std::string_view model, const Cpu& cpu,
                             uint32_t processors);

// The features of an x86 processor from the words that CPUID gives. Registers that the operating system does not save
// (XCR0) count as missing.
uint64_t x86_features(const X86Words& words);

// All features up to the one that XLASHAPE_CPU names: ssse3, sse4, avx2, avx3, avx3_dl, neon, sve; scalar means none.
// False for an unknown name; *features is then unchanged.
bool features_up_to(std::string_view name, uint64_t* features);
inline constexpr const char* kLevelNames = "scalar, ssse3, sse4, avx2, avx3, avx3_dl, neon, sve";

// The features that a manifest requires, "avx2,bmi2". False for an unknown feature, whose name *unknown gets.
bool features_named(std::string_view list, uint64_t* features, std::string_view* unknown);

// The names of all features: "ssse3 sse4 avx2".
std::string feature_names(uint64_t features);

}  // namespace xlashape::core
