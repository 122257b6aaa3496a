// What the processor can do and how large its caches are, as backends are told it. Reads no environment variable.
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

// This machine's.
Cpu detect_cpu();

// The features of an x86 processor from the words that CPUID answers. A set of registers that the operating system does
// not save (XCR0) is as good as not there.
uint64_t x86_features(const X86Words& words);

// All features up to the one that XLASHAPE_CPU names: ssse3, sse4, avx2, avx3, avx3_dl, neon, sve; scalar is none. False
// for an unknown name, which changes nothing.
bool features_up_to(std::string_view name, uint64_t* features);
inline constexpr const char* kLevelNames = "scalar, ssse3, sse4, avx2, avx3, avx3_dl, neon, sve";

// The features that a manifest asks for, "avx2,bmi2": false for a name that is none, with that name.
bool features_named(std::string_view list, uint64_t* features, std::string_view* unknown);

// "ssse3 sse4 avx2": each feature by its name.
std::string feature_names(uint64_t features);

}  // namespace xlashape::core
