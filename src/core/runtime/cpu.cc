// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu.h"

#include <algorithm>
#include <thread>

#include "base/cat.h"
#include "base/line.h"
#include "base/status.h"

namespace xlashape::core {
namespace {

struct FeatureName {
  char name[16];
  uint64_t features;
};

constexpr uint64_t kSsse3 = XLASHAPE_CPU_SSE2 | XLASHAPE_CPU_SSSE3;
constexpr uint64_t kSse4 = kSsse3 | XLASHAPE_CPU_SSE4;
constexpr uint64_t kAvx2 = kSse4 | XLASHAPE_CPU_AVX2;
constexpr uint64_t kAvx3 = kAvx2 | XLASHAPE_CPU_AVX3;
// Values of XLASHAPE_CPU.
constexpr FeatureName kLevels[] = {
    {"scalar", 0},
    {"ssse3", kSsse3},
    {"sse4", kSse4},
    {"avx2", kAvx2},
    {"avx3", kAvx3},
    {"avx3_dl", kAvx3 | XLASHAPE_CPU_AVX3_DL},
    {"neon", XLASHAPE_CPU_NEON},
    {"sve", XLASHAPE_CPU_NEON | XLASHAPE_CPU_SVE},
};
// Further features that a manifest may require: instruction sets that belong to a level.
constexpr FeatureName kParts[] = {
    {"sse2", XLASHAPE_CPU_SSE2},     {"popcnt", XLASHAPE_CPU_SSE4},   {"pclmul", XLASHAPE_CPU_SSE4},
    {"aes", XLASHAPE_CPU_SSE4},      {"bmi2", XLASHAPE_CPU_AVX2},     {"fma", XLASHAPE_CPU_AVX2},
    {"f16c", XLASHAPE_CPU_AVX2},     {"avx512f", XLASHAPE_CPU_AVX3},  {"avx512vl", XLASHAPE_CPU_AVX3},
    {"avx512dq", XLASHAPE_CPU_AVX3}, {"avx512bw", XLASHAPE_CPU_AVX3}, {"gfni", XLASHAPE_CPU_AVX3_DL},
};

}  // namespace

uint64_t x86_features(const X86Words& w) {
  const auto has = [](uint32_t word, std::initializer_list<int> bits) {
    for (const int bit : bits)
      if ((word >> bit & 1) == 0) return false;
    return true;
  };
  uint64_t features = 0;
  if (!has(w.leaf1_edx, {26})) return features;
  features |= XLASHAPE_CPU_SSE2;
  if (!has(w.leaf1_ecx, {9})) return features;
  features |= XLASHAPE_CPU_SSSE3;
  if (!has(w.leaf1_ecx, {1, 19, 20, 23, 25})) return features;  // PCLMUL, SSE4.1, SSE4.2, POPCNT, AES
  features |= XLASHAPE_CPU_SSE4;
  constexpr uint64_t kYmm = 0x6, kZmm = 0xE6;                                       // XCR0: XMM and YMM; and masks, ZMM
  if ((w.xcr0 & kYmm) != kYmm || !has(w.leaf1_ecx, {12, 28, 29})) return features;  // FMA, AVX, F16C
  if (!has(w.leaf7_ebx, {3, 5, 8}) || !has(w.extended1_ecx, {5})) return features;  // BMI1, AVX2, BMI2; LZCNT
  features |= XLASHAPE_CPU_AVX2;
  if ((w.xcr0 & kZmm) != kZmm || !has(w.leaf7_ebx, {16, 17, 28, 30, 31})) return features;  // F, DQ, CD, BW, VL
  features |= XLASHAPE_CPU_AVX3;
  // IFMA; VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNTDQ
  if (has(w.leaf7_ebx, {21}) && has(w.leaf7_ecx, {1, 6, 8, 9, 10, 11, 12, 14})) features |= XLASHAPE_CPU_AVX3_DL;
  return features;
}

bool features_up_to(std::string_view name, uint64_t* features) {
  for (const FeatureName& level : kLevels)
    if (name == level.name) {
      *features = level.features;
      return true;
    }
  return false;
}

bool features_named(std::string_view list, uint64_t* features, std::string_view* unknown) {
  *features = 0;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    std::string_view name = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    uint64_t found = 0;
    bool known = features_up_to(name, &found);
    for (const FeatureName& part : kParts)
      if (name == part.name) {
        found = part.features;
        known = true;
      }
    if (!known) {
      *unknown = name;
      return false;
    }
    *features |= found;
  }
  return true;
}

std::string feature_names(uint64_t features) {
  constexpr FeatureName kNames[] = {
      {"sse2", XLASHAPE_CPU_SSE2}, {"ssse3", XLASHAPE_CPU_SSSE3}, {"sse4", XLASHAPE_CPU_SSE4},
      {"avx2", XLASHAPE_CPU_AVX2}, {"avx3", XLASHAPE_CPU_AVX3},   {"avx3_dl", XLASHAPE_CPU_AVX3_DL},
      {"neon", XLASHAPE_CPU_NEON}, {"sve", XLASHAPE_CPU_SVE},
  };
  std::string names;
  for (const FeatureName& n : kNames)
    if ((features & n.features) != 0) names += cat({names.empty() ? "" : " ", n.name});
  return names;
}

Cpu detect_cpu() {
  Cpu cpu;
  X86Words words;
  if (read_x86_words(&words)) {
    cpu.features = x86_features(words);
  } else if (has_neon()) {
    cpu.features = XLASHAPE_CPU_NEON | (has_sve() ? XLASHAPE_CPU_SVE : 0);
  }
  const Caches caches = data_caches();
  cpu.l1_bytes = caches.bytes[0];
  cpu.l2_bytes = caches.bytes[1];
  cpu.l3_bytes = caches.bytes[2];
  return cpu;
}

std::string machine_identity(std::string_view architecture, std::string_view model, const Cpu& cpu,
                             uint32_t processors) {
  std::string text(architecture);
  if (!model.empty()) text += cat({"-", model});
  const int64_t caches[] = {cpu.l1_bytes, cpu.l2_bytes, cpu.l3_bytes};
  for (int level = 1; level <= 3; ++level) {
    const int64_t kib = caches[level - 1] >> 10;
    const bool is_mib = kib >= 1024 && kib % 1024 == 0;
    if (kib > 0) append(&text, "-l%d.%lld%s", level, ll(is_mib ? kib >> 10 : kib), is_mib ? "m" : "k");
  }
  append(&text, "-p%u", processors);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (!is_plain) c = '_';
  }
  return text.substr(0, 127);
}

std::string machine_identity(const Cpu& cpu) {
  return machine_identity(architecture(), processor_model(), cpu, std::max(std::thread::hardware_concurrency(), 1u));
}

}  // namespace xlashape::core
