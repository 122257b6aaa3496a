// SPDX-License-Identifier: Apache-2.0
// What must hold for all reshapes and transposes: of what they do to dimensions. XLA's own cases are in
// tests/api/bitcast_test.cc and among the golden ones.
#include "shape/reshape.h"

#include <gtest/gtest.h>

#include <map>

#include "unit/random_shape.h"

namespace xlashape::core {
namespace {

using testing::Random;
using List = std::vector<int64_t>;

List factors(const List& a, const List& b) {
  Numbers pairs;
  EXPECT_EQ(common_factors(a, b, &pairs, nullptr), XLASHAPE_STATUS_OK);
  return {pairs.begin(), pairs.end()};
}

TEST(Reshape, RunsAreTheSmallest) {
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    List a, b;
    for (int d = 0, n = static_cast<int>(random.in(0, 4)); d < n; ++d) a.push_back(random.in(1, 12));
    int64_t rest = 1;
    for (const int64_t size : a) rest *= size;
    while (rest > 1 || random.chance(30)) {  // any list of the same product
      int64_t size = random.in(1, rest);
      while (rest % size) --size;
      b.push_back(size);
      rest /= size;
    }
    const List runs = factors(a, b);
    ASSERT_EQ(runs[0], 0);
    ASSERT_EQ(runs[1], 0);
    ASSERT_EQ(runs[runs.size() - 2], static_cast<int64_t>(a.size()));
    ASSERT_EQ(runs[runs.size() - 1], static_cast<int64_t>(b.size()));
    for (size_t r = 0; r + 2 < runs.size(); r += 2) {
      ASSERT_TRUE(runs[r + 2] > runs[r] || runs[r + 3] > runs[r + 1]);
      // No cut inside the run splits it, save at its edges.
      int64_t of_a = 1;
      std::map<int64_t, int> seen;
      for (int64_t d = runs[r]; d < runs[r + 2]; ++d) {
        of_a *= a[static_cast<size_t>(d)];
        if (d + 1 < runs[r + 2]) seen[of_a] = 1;
      }
      int64_t of_b = 1;
      for (int64_t d = runs[r + 1]; d < runs[r + 3]; ++d) {
        of_b *= b[static_cast<size_t>(d)];
        ASSERT_TRUE(d + 1 == runs[r + 3] || seen.count(of_b) == 0);
      }
      ASSERT_EQ(of_a, of_b);
    }
  }
}

// Element numbers of the transposed array, in its own row-major order.
List transposed(const List& dimensions, const List& permutation) {
  List input(dimensions.size()), stride(dimensions.size(), 1), index(dimensions.size(), 0), out;
  for (size_t i = 0; i < dimensions.size(); ++i) input[static_cast<size_t>(permutation[i])] = dimensions[i];
  for (size_t i = input.size(); i-- > 1;) stride[i - 1] = stride[i] * input[i];
  int64_t count = 1;
  for (const int64_t size : dimensions) count *= size;
  for (int64_t n = 0; n < count; ++n) {
    int64_t at = 0;
    for (size_t i = 0; i < index.size(); ++i) at += index[i] * stride[static_cast<size_t>(permutation[i])];
    out.push_back(at);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < dimensions[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

TEST(Reshape, NormalizingKeepsTheTranspose) {
  Random random(12);
  for (int i = 0; i < 5000; ++i) {
    const List dimensions = testing::random_dimensions(random, 5, 300);
    List permutation;
    for (size_t d = 0; d < dimensions.size(); ++d) permutation.push_back(static_cast<int64_t>(d));
    std::shuffle(permutation.begin(), permutation.end(), random.engine());
    Numbers sizes, order;
    ASSERT_EQ(normalized_transpose(dimensions, permutation, &sizes, &order, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(transposed(dimensions, permutation),
              transposed({sizes.begin(), sizes.end()}, {order.begin(), order.end()}));
    for (size_t d = 1; d < order.size(); ++d) ASSERT_NE(order[d], order[d - 1] + 1);  // as short as it can be
  }
}

}  // namespace
}  // namespace xlashape::core
