// SPDX-License-Identifier: Apache-2.0
// Ranges of the source that decide ranges of the destination, against a walk over all elements.
#include "exec/source_range.h"

#include <gtest/gtest.h>

#include "unit/random_relayout.h"

namespace xlashape::core {
namespace {

using testing::Case;
using testing::Random;

struct Bytes {
  int64_t begin, end;
};

// The bytes of one side that an element touches.
Bytes bytes_of(const xlashape_map_ir& map, int32_t container_bits, const int64_t* index) {
  const int64_t begin = ir::byte_of(reference::position(map, index), map.unit_bits);
  return {begin, begin + std::max(container_bits / 8, 1)};
}

struct Touched {
  Bytes src, dst;
};

std::vector<Touched> all_elements(const xlashape_relayout_ir& ir) {
  const auto rank = static_cast<size_t>(ir.src->rank);
  std::vector<int64_t> at(rank + 1), from(rank + 1), to(rank + 1);
  std::vector<Touched> touched;
  for (int64_t n = 0; n < ir.elements; ++n) {
    for (size_t d = 0; d < rank; ++d) from[d] = ir.src_base[d] + at[d], to[d] = ir.dst_base[d] + at[d];
    touched.push_back(
        {bytes_of(*ir.src, ir.src_container_bits, from.data()), bytes_of(*ir.dst, ir.dst_container_bits, to.data())});
    for (size_t d = rank; d-- > 0;) {
      if (++at[d] < ir.extent[d]) break;
      at[d] = 0;
    }
  }
  return touched;
}

struct Tally {
  int64_t asked = 0, without_element = 0, exact = 0;
};

void check_ranges(const Case& c, Random& random, Tally* tally) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message << "\n" << c.name();
  const std::vector<Touched> touched = all_elements(ir);
  const bool is_simple = ir.nest != nullptr;
  const int64_t size = ir.dst_high - ir.dst_low;
  for (int i = 0; i < 24; ++i) {
    const int64_t begin = ir.dst_low + random.in(-2, size + 1);
    const int64_t end = begin + (random.chance(50) ? 1 : random.in(0, random.chance(50) ? 20 : size + 2));
    Bytes want{INT64_MAX, INT64_MIN};
    for (const Touched& t : touched)
      if (begin < end && t.dst.begin < end && t.dst.end > begin)
        want = {std::min(want.begin, t.src.begin), std::max(want.end, t.src.end)};
    const ByteRange got = source_range(ir, {begin, end});
    const auto what = [&] {
      return c.name() + "\n[" + std::to_string(begin) + "," + std::to_string(end) + ") -> [" +
             std::to_string(got.begin) + "," + std::to_string(got.end) + "), wanted [" + std::to_string(want.begin) +
             "," + std::to_string(want.end) + ")";
    };
    const bool is_none = got.begin == 0 && got.end == 0;
    ASSERT_TRUE(is_none || (ir.src_low <= got.begin && got.begin < got.end && got.end <= ir.src_high)) << what();
    const bool is_wanted = want.begin < want.end;
    if (is_wanted) {
      ASSERT_TRUE(got.begin <= want.begin && got.end >= want.end) << what();
    } else if (is_simple) {
      ASSERT_TRUE(is_none) << what();
    }
    ++tally->asked;
    tally->without_element += is_simple && !is_wanted;
    tally->exact += is_wanted && got.begin == want.begin && got.end == want.end;
  }
}

TEST(SourceRange, AgainstEveryElement) {
  Random random(20261125);
  Tally tally;
  for (int64_t n = testing::case_count(4000); n > 0; --n) {
    check_ranges(testing::random_case(random), random, &tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.without_element, tally.asked / 10);
  EXPECT_GT(tally.exact, tally.asked / 10);
}

}  // namespace
}  // namespace xlashape::core
