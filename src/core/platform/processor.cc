// SPDX-License-Identifier: Apache-2.0
// The parts that need only the compiler, on every system.
#include "platform/processor.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(_M_X64) || defined(_M_IX86)
#include <intrin.h>
#endif

#include "base/cat.h"

namespace xlashape::core {
namespace {

#if defined(__x86_64__) || defined(__i386__) || defined(_M_X64) || defined(_M_IX86)

struct Registers {
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// Zeros where the processor has no such leaf.
Registers cpuid(uint32_t leaf) {
  Registers r;
#if defined(_MSC_VER) && !defined(__clang__)
  int words[4];
  __cpuid(words, static_cast<int>(leaf & 0x80000000));
  if (static_cast<uint32_t>(words[0]) < leaf) return r;
  __cpuidex(words, static_cast<int>(leaf), 0);
  r = {static_cast<uint32_t>(words[0]), static_cast<uint32_t>(words[1]), static_cast<uint32_t>(words[2]),
       static_cast<uint32_t>(words[3])};
#else
  if (!__get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx)) return {};
#endif
  return r;
}

uint64_t read_xcr0() {
#if defined(_MSC_VER) && !defined(__clang__)
  return _xgetbv(0);
#else
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
#endif
}

#define XLASHAPE_X86 1
#endif

}  // namespace

bool read_x86_words([[maybe_unused]] X86Words* words) {
#ifdef XLASHAPE_X86
  const Registers leaf1 = cpuid(1), leaf7 = cpuid(7);
  words->leaf1_ecx = leaf1.ecx;
  words->leaf1_edx = leaf1.edx;
  words->leaf7_ebx = leaf7.ebx;
  words->leaf7_ecx = leaf7.ecx;
  words->extended1_ecx = cpuid(0x80000001).ecx;
  constexpr uint32_t kOsxsave = 1u << 27;  // without it there is no xgetbv
  words->xcr0 = (leaf1.ecx & kOsxsave) != 0 ? read_xcr0() : 0;
  return true;
#else
  return false;
#endif
}

const char* architecture() {
#if defined(__x86_64__) || defined(_M_X64)
  return "x86_64";
#elif defined(__i386__) || defined(_M_IX86)
  return "i386";
#elif defined(__aarch64__) || defined(_M_ARM64)
  return "aarch64";
#elif defined(__arm__)
  return "arm";
#elif defined(__riscv)
  return sizeof(void*) == 8 ? "riscv64" : "riscv32";
#elif defined(__s390x__)
  return "s390x";
#elif defined(__wasm__)
  return "wasm32";
#else
  return "unknown";
#endif
}

#ifdef XLASHAPE_X86
std::string processor_model() {
  const Registers vendor = cpuid(0), leaf1 = cpuid(1);
  char text[64];
  const uint32_t words[] = {vendor.ebx, vendor.edx, vendor.ecx};
  std::memcpy(text, words, sizeof words);
  // As the manuals of Intel and AMD say: the extended numbers count for families 6 and 15 only.
  const uint32_t base = leaf1.eax >> 8 & 15;
  const uint32_t family = base == 15 ? base + (leaf1.eax >> 20 & 255) : base;
  const uint32_t high = base == 6 || base == 15 ? leaf1.eax >> 16 & 15 : 0;
  std::snprintf(text + sizeof words, sizeof text - sizeof words, "-%u-%u-%u", family, high << 4 | (leaf1.eax >> 4 & 15),
                leaf1.eax & 15);
  return text;
}
#endif

uint32_t Processors::usable() const {
  const int64_t quota = quota_thousandths > 0 ? (quota_thousandths - 1) / 1000 + 1 : affinity;
  return static_cast<uint32_t>(std::clamp<int64_t>(quota, 1, std::max(affinity, 1u)));
}

std::string Processors::describe() const {
  std::string text = std::to_string(online) + (online == 1 ? " processor" : " processors");
  if (affinity < online) text = cat({"affinity: ", std::to_string(affinity), " of ", text});
  if (quota_thousandths <= 0) return text;
  std::string quota = std::to_string(quota_thousandths % 1000 + 1000);  // four digits, of which the first is dropped
  quota[0] = '.';
  quota.resize(quota.find_last_not_of("0.") + 1);
  return cat({text, "; quota: ", std::to_string(quota_thousandths / 1000), quota});
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

}  // namespace xlashape::core
