// What reshapes and transposes do to dimensions: XLA's own cases, and what must hold for all.
#include "shape/reshape.h"

#include <gmock/gmock.h>

#include <map>

#include "unit/random_shape.h"

namespace xlashape::core {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::Random;
using List = std::vector<int64_t>;

List factors(const List& a, const List& b) {
  Numbers pairs;
  EXPECT_EQ(common_factors(a, b, &pairs, nullptr), XLASHAPE_STATUS_OK);
  return {pairs.begin(), pairs.end()};
}

List unmodified(const List& a, const List& b) {
  Numbers pairs;
  EXPECT_EQ(unmodified_by_reshape(a, b, &pairs, nullptr), XLASHAPE_STATUS_OK);
  return {pairs.begin(), pairs.end()};
}

TEST(Reshape, CommonFactors) {
  EXPECT_THAT(factors({0}, {0}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(factors({1}, {}), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(factors({}, {1}), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(factors({0, 10}, {0, 10, 3}), ElementsAre(0, 0, 2, 3));
  EXPECT_THAT(factors({1, 0}, {1, 0, 1}), ElementsAre(0, 0, 1, 1, 2, 2, 2, 3));
  EXPECT_THAT(factors({0, 1}, {0, 1}), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(factors({}, {}), ElementsAre(0, 0));
  EXPECT_THAT(factors({2, 5, 1, 3}, {1, 10, 3, 1}), ElementsAre(0, 0, 0, 1, 2, 2, 3, 2, 4, 3, 4, 4));
  EXPECT_THAT(factors({1, 1, 3}, {1, 1, 3}), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(factors({2, 6}, {4, 3}), ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(factors({1, 2, 6}, {4, 1, 3, 1}), ElementsAre(0, 0, 1, 0, 3, 3, 3, 4));
  EXPECT_THAT(factors({1, 2, 1}, {1, 1, 1, 2}), ElementsAre(0, 0, 1, 1, 1, 2, 1, 3, 2, 4, 3, 4));
  EXPECT_THAT(factors({2, 3, 1}, {6, 1}), ElementsAre(0, 0, 2, 1, 3, 2));
  EXPECT_THAT(factors({3, 0}, {0}), ElementsAre(0, 0, 2, 1));
  EXPECT_THAT(factors({0, 1099511627776, 1099511627776}, {0, 1}), ElementsAre(0, 0, 3, 2));
  Numbers pairs;
  EXPECT_EQ(common_factors(List{2}, List{3}, &pairs, nullptr), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(common_factors(List{-2}, List{-2}, &pairs, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(common_factors(List{XLASHAPE_DIMENSION_UNBOUNDED}, List{2}, &pairs, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(common_factors(List{1099511627776, 1099511627776}, List{2}, &pairs, nullptr), XLASHAPE_STATUS_OVERFLOW);
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

TEST(Reshape, Unmodified) {
  EXPECT_THAT(unmodified({1, 1, 1, 1}, {1, 1, 1}), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(unmodified({1, 1, 1}, {1, 1, 1, 1}), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(unmodified({4, 1, 3, 5, 6, 7}, {2, 6, 1, 5, 1, 42}), ElementsAre(3, 3));
  EXPECT_THAT(unmodified({}, {}), ElementsAre());
}

TEST(Reshape, InsertedOrDeletedOnes) {
  Numbers deleted, inserted;
  ASSERT_EQ(inserted_or_deleted_ones(List{9, 1, 4}, List{1, 9, 4, 1}, &deleted, &inserted, nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_THAT(List(deleted.begin(), deleted.end()), ElementsAre(1));
  EXPECT_THAT(List(inserted.begin(), inserted.end()), ElementsAre(0, 3));
  EXPECT_EQ(inserted_or_deleted_ones(List{9, 1, 4}, List{3, 1, 12}, &deleted, &inserted, nullptr),
            XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_EQ(inserted_or_deleted_ones(List{9}, List{10}, &deleted, &inserted, nullptr), XLASHAPE_STATUS_OUT_OF_RANGE);
  ASSERT_EQ(inserted_or_deleted_ones(List{2, 3}, List{2, 3}, &deleted, &inserted, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_TRUE(deleted.empty() && inserted.empty());
}

TEST(Reshape, NormalizedTranspose) {
  Numbers dimensions, permutation;
  const auto normalized = [&](const List& sizes, const List& order) {
    EXPECT_EQ(normalized_transpose(sizes, order, &dimensions, &permutation, nullptr), XLASHAPE_STATUS_OK);
    return List(dimensions.begin(), dimensions.end());
  };
  EXPECT_THAT(normalized({32, 1, 10, 11}, {3, 1, 0, 2}), ElementsAre(32, 110));
  EXPECT_EQ(permutation, (Numbers{1, 0}));
  EXPECT_THAT(normalized({2, 3, 4}, {0, 1, 2}), ElementsAre(24));
  EXPECT_EQ(permutation, (Numbers{0}));
  EXPECT_THAT(normalized({}, {}), ElementsAre(1));
  EXPECT_EQ(permutation, (Numbers{0}));
  EXPECT_THAT(normalized({1, 1}, {1, 0}), ElementsAre(1));
  EXPECT_THAT(normalized({4, 2, 3}, {2, 0, 1}), ElementsAre(4, 6));
  EXPECT_EQ(permutation, (Numbers{1, 0}));
  EXPECT_THAT(normalized({0, 5}, {1, 0}), ElementsAre(0, 5));
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
