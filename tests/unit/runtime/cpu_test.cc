// SPDX-License-Identifier: Apache-2.0
// CPU features from the words of CPUID, their names, and cache sizes.
#include "runtime/cpu.h"

#include <gtest/gtest.h>

namespace xlashape::core {
namespace {

constexpr uint32_t kAll = ~uint32_t{0};
constexpr X86Words kEverything = {kAll, kAll, kAll, kAll, kAll, ~uint64_t{0}};
constexpr uint64_t kTo[] = {0x1, 0x3, 0x7, 0xF, 0x1F, 0x3F};  // SSE2 ... AVX3_DL

TEST(Cpu, FeaturesFollowCpuid) {
  EXPECT_EQ(x86_features({}), 0u);
  EXPECT_EQ(x86_features(kEverything), kTo[5]);
  struct Missing {
    uint32_t X86Words::*word;
    int bit;
    uint64_t left;
  };
  for (const auto& [word, bit, left] : {
           Missing{&X86Words::leaf1_edx, 26, 0},
           {&X86Words::leaf1_ecx, 9, kTo[0]},
           {&X86Words::leaf1_ecx, 19, kTo[1]},
           {&X86Words::leaf1_ecx, 20, kTo[1]},
           {&X86Words::leaf1_ecx, 23, kTo[1]},
           {&X86Words::leaf1_ecx, 25, kTo[1]},
           {&X86Words::leaf1_ecx, 28, kTo[2]},
           {&X86Words::leaf1_ecx, 12, kTo[2]},
           {&X86Words::leaf7_ebx, 5, kTo[2]},
           {&X86Words::leaf7_ebx, 8, kTo[2]},
           {&X86Words::extended1_ecx, 5, kTo[2]},
           {&X86Words::leaf7_ebx, 16, kTo[3]},
           {&X86Words::leaf7_ebx, 31, kTo[3]},
           {&X86Words::leaf7_ecx, 1, kTo[4]},
           {&X86Words::leaf7_ecx, 8, kTo[4]},
           {&X86Words::leaf7_ebx, 21, kTo[4]},
       }) {
    X86Words words = kEverything;
    words.*word &= ~(uint32_t{1} << bit);
    EXPECT_EQ(x86_features(words), left) << "without bit " << bit;
  }
}

// The processor has them, the operating system does not save them: using them would be SIGILL.
TEST(Cpu, RegistersThatAreNotSavedDoNotCount) {
  X86Words words = kEverything;
  words.xcr0 = 0x7;  // x87, XMM, YMM
  EXPECT_EQ(x86_features(words), kTo[3]);
  words.xcr0 = 0x67;  // masks and half of ZMM
  EXPECT_EQ(x86_features(words), kTo[3]);
  words.xcr0 = 0x3;
  EXPECT_EQ(x86_features(words), kTo[2]);
  words.xcr0 = 0;
  EXPECT_EQ(x86_features(words), kTo[2]);
}

TEST(Cpu, LevelsByName) {
  uint64_t features = 99;
  const auto up_to = [&](const char* name) {
    EXPECT_TRUE(features_up_to(name, &features)) << name;
    return features;
  };
  EXPECT_EQ(up_to("scalar"), 0u);
  EXPECT_EQ(up_to("ssse3"), kTo[1]);
  EXPECT_EQ(up_to("sse4"), kTo[2]);
  EXPECT_EQ(up_to("avx2"), kTo[3]);
  EXPECT_EQ(up_to("avx3"), kTo[4]);
  EXPECT_EQ(up_to("avx3_dl"), kTo[5]);
  EXPECT_EQ(up_to("neon"), XLASHAPE_CPU_NEON);
  EXPECT_EQ(up_to("sve"), XLASHAPE_CPU_NEON | XLASHAPE_CPU_SVE);
  features = 99;
  for (const char* bad : {"", "AVX2", "avx", "avx2 ", "bmi2"}) EXPECT_FALSE(features_up_to(bad, &features)) << bad;
  EXPECT_EQ(features, 99u);
}

TEST(Cpu, ListsOfAManifest) {
  uint64_t features = 99;
  std::string_view unknown;
  EXPECT_TRUE(features_named("", &features, &unknown));
  EXPECT_EQ(features, 0u);
  EXPECT_TRUE(features_named("avx2,bmi2", &features, &unknown));
  EXPECT_EQ(features, kTo[3]);
  EXPECT_TRUE(features_named(" sse2 , gfni ", &features, &unknown));
  EXPECT_EQ(features, XLASHAPE_CPU_SSE2 | XLASHAPE_CPU_AVX3_DL);
  EXPECT_FALSE(features_named("avx2,amx", &features, &unknown));
  EXPECT_EQ(unknown, "amx");
  EXPECT_FALSE(features_named("avx2,,bmi2", &features, &unknown));
  EXPECT_EQ(unknown, "");
}

TEST(Cpu, CacheSizes) {
  EXPECT_EQ(cache_bytes("48K"), 48 << 10);
  EXPECT_EQ(cache_bytes("2M"), 2 << 20);
  EXPECT_EQ(cache_bytes("1G"), 1 << 30);
  EXPECT_EQ(cache_bytes("4096"), 4096);
  for (const char* bad : {"", "K", "-1K", "1KB", "99999999999999999999999999"}) EXPECT_EQ(cache_bytes(bad) >> 50, 0);
  EXPECT_EQ(cache_bytes("1KB"), 0);
}

TEST(Cpu, ThisMachine) {
  const Cpu cpu = detect_cpu();
#if defined(__x86_64__) || defined(__i386__)
  EXPECT_TRUE(cpu.features & XLASHAPE_CPU_SSE2);
  EXPECT_EQ(cpu.features >> 6, 0u);
  EXPECT_EQ(cpu.features & (cpu.features + 1), 0u) << "each level includes the ones below it";
#elif defined(__aarch64__)
  EXPECT_TRUE(cpu.features & XLASHAPE_CPU_NEON);
#else
  EXPECT_EQ(cpu.features, 0u);
#endif
  EXPECT_GE(cpu.l1_bytes, 0);
  if (cpu.l1_bytes > 0 && cpu.l2_bytes > 0) {
    EXPECT_GE(cpu.l2_bytes, cpu.l1_bytes);
  }
}

// A file has the name, so it must be one; and it must not change from run to run.
TEST(Identity, OfAnyMachine) {
  Cpu cpu;
  EXPECT_EQ(machine_identity("arm", "", cpu, 1), "arm-p1");
  cpu.l1_bytes = 48 << 10, cpu.l2_bytes = 2 << 20, cpu.l3_bytes = (105 << 20) + (512 << 10);
  EXPECT_EQ(machine_identity("x86_64", "GenuineIntel-6-143-8", cpu, 16),
            "x86_64-genuineintel-6-143-8-l1.48k-l2.2m-l3.108032k-p16");
  EXPECT_EQ(machine_identity("x86_64", "VIA VIA/..\n\xC3", {}, 4), "x86_64-via_via_..__-p4");
  EXPECT_EQ(machine_identity("a", std::string(500, 'b'), cpu, 1).size(), 127u);
}

TEST(Identity, OfThisMachine) {
  const Cpu cpu = detect_cpu();
  const std::string name = machine_identity(cpu);
  EXPECT_EQ(machine_identity(cpu), name);
  EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_."), name.npos) << name;
  EXPECT_EQ(name.find(architecture()), 0u) << name;
  EXPECT_NE(name.find("-p"), name.npos);
}

}  // namespace
}  // namespace xlashape::core
