// Every plan of the scalar backend against the reference walker: random shapes, layouts, boxes, strides, with a poisoned
// destination and guard bytes, and in any number of tasks.
#include "unit/random_relayout.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);

namespace xlashape {
namespace {

TEST(Relayout, MatchesTheReferenceOnRandomCases) {
  const int64_t count = testing::case_count(3000);
  const testing::OpenedBackend scalar(xlashape_backend_open_scalar, 0, 0);
  testing::Tally tally;
  for (int64_t i = 0; i < count; ++i) {
    testing::Random random(static_cast<uint64_t>(i) + 1);
    const testing::Case c = testing::random_case(random);
    testing::check_relayout(scalar, random, c, &tally);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "seed " << i + 1;
      return;
    }
  }
  EXPECT_EQ(tally.taken, count);
  EXPECT_GT(tally.with_nest, count / 3);  // the fast form is to be common even among such layouts
}

}  // namespace
}  // namespace xlashape
