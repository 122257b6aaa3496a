// SPDX-License-Identifier: Apache-2.0
// The form that backends are tried by: it is a whole one, and says what the smoke test expects of it.
#include "exec/runtime.h"

#include <gtest/gtest.h>

#include <cstring>

#include "ir/reference.h"
#include "runtime/smoke.h"

namespace xlashape::core {
namespace {

TEST(Trial, MovesRowsToColumns) {
  alignas(16) char buffer[2048];  // as much as the smoke test has on its stack
  Arena arena(buffer, sizeof buffer);
  xlashape_relayout_ir form;
  ASSERT_EQ(plan_smoke_form(arena, &form, nullptr), XLASHAPE_STATUS_OK);
  const char* next = arena.make<char>(1);
  EXPECT_TRUE(next >= buffer && next < buffer + sizeof buffer);
  float src[kSmokeRows][kSmokeColumns], dst[kSmokeColumns][kSmokeRows];
  for (int i = 0; i < kSmokeRows; ++i)
    for (int j = 0; j < kSmokeColumns; ++j) src[i][j] = static_cast<float>(i * 10 + j);
  std::memset(dst, 0xFF, sizeof dst);
  reference::relayout(form, src, dst);
  for (int i = 0; i < kSmokeRows; ++i)
    for (int j = 0; j < kSmokeColumns; ++j) {
      EXPECT_EQ(dst[j][i], src[i][j]) << i << " " << j;
      const int64_t index[] = {i, j};
      EXPECT_EQ(reference::position(*form.dst, index), j * kSmokeRows + i);
    }
  // The smoke test's buffers are as large as the array, and what it asks goes the ways that real data goes.
  EXPECT_EQ(form.src_low, 0);
  EXPECT_EQ(form.dst_low, 0);
  EXPECT_EQ(form.src_high, static_cast<int64_t>(sizeof src));
  EXPECT_EQ(form.dst_high, static_cast<int64_t>(sizeof dst));
  ASSERT_NE(form.nest, nullptr);
  EXPECT_EQ(form.nest->loop_count, 2);
  EXPECT_EQ(form.value_bits, 32);
}

}  // namespace
}  // namespace xlashape::core
