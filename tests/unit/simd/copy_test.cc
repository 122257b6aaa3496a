// SPDX-License-Identifier: Apache-2.0
// Each way to copy a run on every target, and how one is chosen.
#include "backends/simd/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "ir/compiler.h"
#include "unit/simd/targets.h"

namespace xlashape::simd {
namespace {

constexpr int64_t kGuard = 128;

// Rates of two ways for 1 MiB of ordinary stores, and for 1 MiB past the caches.
Rates rates_of(int32_t plain, Rate other, int32_t ns) {
  Rates rates;
  rates.call_ns = 1;
  for (const int store : {0, 1}) {
    rates.ns_per_mib[static_cast<int>(Rate::kCopy)][store][2] = plain;
    rates.ns_per_mib[static_cast<int>(other)][store][2] = ns;
  }
  return rates;
}

class Copies : public core::testing::TargetTest {};

// Sizes around each block of lines and pages, and the limits of the ways, at any place in a line and a page.
TEST_P(Copies, WriteTheirBytesAndNoOthers) {
  const Kernels& kernels = choose_kernels(GetParam().features);
  constexpr int64_t kMost = kOwnCopyBytes + 65536 + 1;
  std::vector<char> from(kMost + 2 * kPageBytes), to(kMost + 2 * kPageBytes);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 2654435761u >> 24);
  std::vector<int64_t> sizes;
  for (const int64_t around : {int64_t{0}, int64_t{64}, int64_t{256}, int64_t{1024}, kPageBytes, 4 * kPageBytes,
                               4 * kPageBytes + 64, 8 * kPageBytes, 12 * kPageBytes + 4000, kOwnCopyBytes})
    for (const int64_t bytes : {around - 1, around, around + 1}) sizes.push_back(std::max<int64_t>(bytes, 0));
  sizes.push_back(kMost);
  constexpr int64_t kPlaces[][2] = {{0, 0}, {1, 0}, {0, 1}, {31, 63}, {4095, 33}, {64, 4032}};
  for (const Store store : {Store::kOrdinary, Store::kStream})
    for (const CopyKind kind : kCopyKinds) {
      if (!fits_copy(kind, store)) continue;
      for (const int64_t bytes : sizes)
        for (const auto& [src_at, dst_at] : kPlaces) {
          char* const dst = to.data() + kGuard + dst_at;
          const char* const src = from.data() + src_at;
          std::memset(dst - kGuard, 0x5a, static_cast<size_t>(bytes + 2 * kGuard));
          copy_run(kernels, kind, store, dst, src, bytes);
          kernels.fence();
          ASSERT_EQ(std::memcmp(dst, src, static_cast<size_t>(bytes)), 0)
              << static_cast<int>(kind) << " " << bytes << " " << src_at << " " << dst_at;
          const auto untouched = [](char c) { return c == 0x5a; };
          ASSERT_TRUE(std::all_of(dst - kGuard, dst, untouched) &&
                      std::all_of(dst + bytes, dst + bytes + kGuard, untouched))
              << static_cast<int>(kind) << " " << bytes << " " << src_at << " " << dst_at;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Copies, ::testing::ValuesIn(core::testing::kTargets),
                         [](const auto& info) { return info.param.name; });

TEST(CopyKinds, TheFastestThatFits) {
  constexpr int64_t kBytes = 1 << 20;
  EXPECT_EQ(choose_copy({}, Store::kOrdinary, kBytes), CopyKind::kPlain) << "nothing was measured";
  const Rates vectors = rates_of(1000, Rate::kCopyVectors, 900), pages = rates_of(1000, Rate::kCopyPages, 900),
              alike = rates_of(1000, Rate::kCopyVectors, 990), slower = rates_of(1000, Rate::kCopyVectors, 1100);
  EXPECT_EQ(choose_copy(vectors, Store::kOrdinary, kBytes), CopyKind::kVectors);
  EXPECT_EQ(choose_copy(vectors, Store::kStream, kBytes), CopyKind::kPlain);
  EXPECT_EQ(choose_copy(pages, Store::kStream, kBytes), CopyKind::kPages);
  EXPECT_EQ(choose_copy(pages, Store::kOrdinary, kBytes), CopyKind::kPlain);
  EXPECT_EQ(choose_copy(alike, Store::kOrdinary, kBytes), CopyKind::kPlain);
  EXPECT_EQ(choose_copy(slower, Store::kOrdinary, kBytes), CopyKind::kPlain);
  EXPECT_EQ(choose_copy(rates_of(0, Rate::kCopyVectors, 900), Store::kOrdinary, kBytes), CopyKind::kPlain)
      << "only one of them was measured";
  EXPECT_EQ(choose_copy(rates_of(1000, Rate::kCopyString, 900), Store::kOrdinary, kBytes),
            ir::kHasStringCopy ? CopyKind::kString : CopyKind::kPlain);
  EXPECT_EQ(predict_copy(vectors, CopyKind::kVectors, Store::kOrdinary, {kBytes, kBytes}), 901);
}

}  // namespace
}  // namespace xlashape::simd
