// SPDX-License-Identifier: Apache-2.0
// The fast reference against the slow one, which walks every element through both maps: small random arrays with every
// feature of a layout.
#include "differential/cases.h"
#include "differential/fast_reference.h"
#include "differential/run.h"

namespace xlashape::core {
namespace {

using testing::Case;
using testing::Random;

// Counts the cases that go through tables.
void check(const Case& c, Random& random, int* with_tables) {
  const testing::Form form(c);
  ASSERT_EQ(form.status(), XLASHAPE_STATUS_OK) << form.message() << "\n" << c.name();
  const xlashape_relayout_ir& ir = form.ir();
  const auto src = testing::random_bytes(random, form.src_bytes());
  auto want = testing::random_bytes(random, form.dst_bytes());
  auto got = want;
  const auto* from = reinterpret_cast<const char*>(src.data()) - ir.src_low;
  reference::relayout(ir, from, reinterpret_cast<char*>(want.data()) - ir.dst_low);
  const testing::FastReference fast(ir);
  fast.run(from, reinterpret_cast<char*>(got.data()) - ir.dst_low);
  ASSERT_EQ(want, got) << c.name();
  *with_tables += fast.separable();
}

TEST(FastReference, SaysWhatTheSlowOneSays) {
  int with_tables = 0;
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    check(testing::random_case(random), random, &with_tables);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(with_tables, 1000);  // layouts whose tiles merge dimensions are no rarity there
}

TEST(FastReference, SaysSoOfCasesOfEachFamily) {
  for (const testing::Family& family : testing::families()) {
    int with_tables = 0, count = 0;
    for (uint64_t seed = 1; seed <= 60; ++seed) {
      Random random(seed);
      const Case c = family.make({random, seed, 1 << random.in(8, 14)});
      const testing::Form form(c);
      if (form.status() != XLASHAPE_STATUS_OK || form.dst_bytes() > 1 << 17) continue;
      check(c, random, &with_tables);
      if (HasFatalFailure()) FAIL() << family.name << " of seed " << seed;
      ++count;
    }
    EXPECT_GT(count, 30) << family.name;
    EXPECT_EQ(with_tables, count) << family.name;
  }
}

}  // namespace
}  // namespace xlashape::core
