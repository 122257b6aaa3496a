#include "runtime/cpu.h"

#include <unistd.h>

#include <cstdio>

#include "base/cat.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define XLASHAPE_X86 1
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace xlashape {
namespace {

struct Name {
  std::string_view name;
  uint64_t features;
};

constexpr uint64_t kSsse3 = XLASHAPE_CPU_SSE2 | XLASHAPE_CPU_SSSE3;
constexpr uint64_t kSse4 = kSsse3 | XLASHAPE_CPU_SSE4;
constexpr uint64_t kAvx2 = kSse4 | XLASHAPE_CPU_AVX2;
constexpr uint64_t kAvx3 = kAvx2 | XLASHAPE_CPU_AVX3;
// What XLASHAPE_CPU may be.
constexpr Name kLevels[] = {
    {"scalar", 0},
    {"ssse3", kSsse3},
    {"sse4", kSse4},
    {"avx2", kAvx2},
    {"avx3", kAvx3},
    {"avx3_dl", kAvx3 | XLASHAPE_CPU_AVX3_DL},
    {"neon", XLASHAPE_CPU_NEON},
    {"sve", XLASHAPE_CPU_NEON | XLASHAPE_CPU_SVE},
};
// What a manifest may ask for beyond these: instructions that are counted as part of a level.
constexpr Name kParts[] = {
    {"sse2", XLASHAPE_CPU_SSE2},     {"popcnt", XLASHAPE_CPU_SSE4},   {"pclmul", XLASHAPE_CPU_SSE4},
    {"aes", XLASHAPE_CPU_SSE4},      {"bmi2", XLASHAPE_CPU_AVX2},     {"fma", XLASHAPE_CPU_AVX2},
    {"f16c", XLASHAPE_CPU_AVX2},     {"avx512f", XLASHAPE_CPU_AVX3},  {"avx512vl", XLASHAPE_CPU_AVX3},
    {"avx512dq", XLASHAPE_CPU_AVX3}, {"avx512bw", XLASHAPE_CPU_AVX3}, {"gfni", XLASHAPE_CPU_AVX3_DL},
};

#ifdef XLASHAPE_X86
uint64_t read_xcr0() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

uint64_t detect_features() {
  X86Words words;
  uint32_t eax, ebx, ecx, edx;
  if (!__get_cpuid(1, &eax, &ebx, &words.leaf1_ecx, &words.leaf1_edx)) return 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    words.leaf7_ebx = ebx;
    words.leaf7_ecx = ecx;
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx)) words.extended1_ecx = ecx;
  constexpr uint32_t kOsxsave = 1u << 27;  // without it there is no xgetbv
  if (words.leaf1_ecx & kOsxsave) words.xcr0 = read_xcr0();
  return x86_features(words);
}
#elif defined(__aarch64__) && defined(__linux__)
uint64_t detect_features() {
  const unsigned long hwcap = getauxval(AT_HWCAP);
  constexpr unsigned long kAsimd = 1ul << 1, kSve = 1ul << 22;
  if ((hwcap & kAsimd) == 0) return 0;
  return XLASHAPE_CPU_NEON | ((hwcap & kSve) != 0 ? XLASHAPE_CPU_SVE : 0);
}
#elif defined(__aarch64__)
uint64_t detect_features() { return XLASHAPE_CPU_NEON; }
#else
uint64_t detect_features() { return 0; }
#endif

// One line of a file of the kernel's, without its newline; "" where there is none.
std::string_view read_line(char (&line)[64], const char* format, int index) {
  char path[80];
  std::snprintf(path, sizeof path, format, index);
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return {};
  const size_t size = std::fread(line, 1, sizeof line, file);
  std::fclose(file);
  const std::string_view text(line, size);
  return text.substr(0, text.find('\n'));
}

int64_t ask_sysconf([[maybe_unused]] int level) {
#ifdef _SC_LEVEL1_DCACHE_SIZE
  constexpr int kNames[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  const long bytes = sysconf(kNames[level - 1]);
  if (bytes > 0) return bytes;
#endif
  return 0;
}

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
  for (const Name& level : kLevels)
    if (level.name == name) {
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
    for (const Name& part : kParts)
      if (part.name == name) {
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
  constexpr Name kNames[] = {
      {"sse2", XLASHAPE_CPU_SSE2}, {"ssse3", XLASHAPE_CPU_SSSE3}, {"sse4", XLASHAPE_CPU_SSE4},
      {"avx2", XLASHAPE_CPU_AVX2}, {"avx3", XLASHAPE_CPU_AVX3},   {"avx3_dl", XLASHAPE_CPU_AVX3_DL},
      {"neon", XLASHAPE_CPU_NEON}, {"sve", XLASHAPE_CPU_SVE},
  };
  std::string names;
  for (const Name& n : kNames)
    if ((features & n.features) != 0) names += cat({names.empty() ? "" : " ", n.name});
  return names;
}

int64_t cache_bytes(std::string_view text) {
  int64_t value = 0;
  size_t at = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && value < (int64_t{1} << 40); ++at)
    value = 10 * value + (text[at] - '0');
  if (at == 0) return 0;
  const std::string_view unit = text.substr(at);
  return unit.empty() ? value : unit == "K" ? value << 10 : unit == "M" ? value << 20 : unit == "G" ? value << 30 : 0;
}

Cpu detect_cpu() {
  Cpu cpu;
  cpu.features = detect_features();
  int64_t* const sizes[] = {&cpu.l1_bytes, &cpu.l2_bytes, &cpu.l3_bytes};
  for (int index = 0; index < 8; ++index) {
    char text[64];
    const std::string_view level = read_line(text, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
    if (level.size() != 1 || level[0] < '1' || level[0] > '3') continue;
    int64_t& bytes = *sizes[level[0] - '1'];
    if (read_line(text, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index) == "Instruction") continue;
    bytes = cache_bytes(read_line(text, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index));
  }
  for (int level = 1; level <= 3; ++level)
    if (*sizes[level - 1] == 0) *sizes[level - 1] = ask_sysconf(level);
  return cpu;
}

}  // namespace xlashape
