// SPDX-License-Identifier: Apache-2.0
// Bitcasts taken apart: each part moves nothing, and element by element they lead where the whole does.
#include "bitcast/decompose.h"

#include <gtest/gtest.h>

#include <numeric>

#include "bitcast/bitcast.h"
#include "index/index_map.h"
#include "ir/map.h"
#include "layout/rearrange.h"
#include "shape/dimensions.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using testing::parsed;
using testing::printed;
using testing::Random;

std::vector<int64_t> index_of(std::span<const int64_t> dimensions, int64_t number) {
  std::vector<int64_t> index(dimensions.size());
  for (size_t d = dimensions.size(); d-- > 0; number /= dimensions[d]) index[d] = number % dimensions[d];
  return index;
}

int64_t number_of(std::span<const int64_t> dimensions, const std::vector<int64_t>& index) {
  int64_t number = 0;
  for (size_t d = 0; d < dimensions.size(); ++d) number = number * dimensions[d] + index[d];
  return number;
}

std::vector<int64_t> transposed(const std::vector<int64_t>& index, std::span<const int64_t> permutation) {
  std::vector<int64_t> out;
  for (const int64_t d : permutation) out.push_back(index[static_cast<size_t>(d)]);
  return out;
}

// The three steps one after the other, element by element of `a`, against the places of both arrays.
void expect_same_memory(const Shape& a, const Shape& b, const BitcastSteps& steps) {
  Ref<IndexMap> map_a, map_b;
  if (make_index_map(a, &map_a, nullptr) || make_index_map(b, &map_b, nullptr)) return;
  int64_t elements = 1;
  for (const int64_t size : a.dimensions) elements *= size;
  for (int64_t n = 0; n < elements; ++n) {
    const auto in_a = index_of(a.dimensions, n);
    const auto in_from = transposed(in_a, steps.transpose1);
    const auto in_to = index_of(steps.reshape_to->dimensions, number_of(steps.reshape_from->dimensions, in_from));
    const auto in_b = transposed(in_to, steps.transpose2);
    ASSERT_EQ(ir::position(map_a->map, in_a.data()), ir::position(map_b->map, in_b.data())) << "element " << n;
  }
}

// Another view of the memory of `a`: its dimensions in physical order, some cut in two or merged where a layout allows
// that, and permuted.
Ref<Shape> other_view(Random& random, const Shape& a) {
  Ref<Shape> view;
  EXPECT_EQ(to_physical_order(a, &view, nullptr), XLASHAPE_STATUS_OK);
  std::vector<int64_t> sizes;
  for (const int64_t size : view->dimensions) {
    if (!sizes.empty() && random.chance(40)) {
      sizes.back() *= size;
    } else if (size > 3 && size % 2 == 0 && random.chance(50)) {
      sizes.push_back(2);
      sizes.push_back(size / 2);
    } else {
      sizes.push_back(size);
    }
  }
  Ref<Layout> layout = copy_layout(*view->layout);
  layout->minor_to_major.clear();
  for (size_t i = sizes.size(); i-- > 0;) layout->minor_to_major.push_back(static_cast<int64_t>(i));
  if (layout->has_padding() && static_cast<int64_t>(sizes.size()) != view->rank()) return nullptr;
  Ref<Shape> reshaped;
  if (make_array(a.element_type, sizes, {}, layout, &reshaped, nullptr)) return nullptr;
  if (random.chance(30)) return reshaped;
  std::vector<int64_t> permutation(sizes.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::shuffle(permutation.begin(), permutation.end(), random.engine());
  Ref<Shape> made;
  EXPECT_EQ(permute_dimensions(*reshaped, permutation, 0, &made, nullptr), XLASHAPE_STATUS_OK);
  return made;
}

TEST(Decompose, PartsMoveNothingAndLeadThere) {
  Random random(20260201);
  int found[4] = {};
  const int64_t cases = testing::case_count(3000);
  for (int64_t i = 0; i < cases; ++i) {
    testing::LayoutLimits plain;
    plain.tiles = plain.padding = random.chance(50);
    const Ref<Shape> a =
        testing::random_array(random, XLASHAPE_TYPE_F32, testing::random_dimensions(random, 4, 120), plain);
    const Ref<Shape> b = other_view(random, *a);
    if (!b) continue;
    SCOPED_TRACE(printed(*a) + " as " + printed(*b));
    BitcastSteps steps;
    const Status status = decompose_bitcast(*a, *b, 0, &steps, nullptr);
    if (status) {
      ASSERT_EQ(status, XLASHAPE_STATUS_NOT_FOUND);
      ASSERT_FALSE(is_reshape_or_transpose_bitcast(*a, *b, 0));
      ++found[0];
      continue;
    }
    ++found[steps.kind];
    ASSERT_TRUE(transpose_is_bitcast(*a, *steps.reshape_from, steps.transpose1, 0));
    ASSERT_TRUE(reshape_is_bitcast(*steps.reshape_from, *steps.reshape_to, 0));
    ASSERT_TRUE(transpose_is_bitcast(*steps.reshape_to, *b, steps.transpose2, 0));
    ASSERT_EQ(steps.kind == XLASHAPE_BITCAST_KIND_RESHAPE, reshape_is_bitcast(*a, *b, 0));
    ASSERT_NO_FATAL_FAILURE(expect_same_memory(*a, *b, steps));
  }
  for (const int kind : {XLASHAPE_BITCAST_KIND_RESHAPE, XLASHAPE_BITCAST_KIND_TRANSPOSE, XLASHAPE_BITCAST_KIND_TRT})
    EXPECT_GT(found[kind], cases / 100) << "kind " << kind;
  EXPECT_LT(found[0], cases / 2);
}

// XLA looks at the order alone, and takes any two arrays with as many elements for views of one memory.
TEST(Decompose, XlaAsksForTheNumberOfElementsOnly) {
  Random random(7);
  constexpr uint32_t kXla = XLASHAPE_BITCAST_XLA | XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE;
  for (int i = 0; i < 300; ++i) {
    const auto dimensions = testing::random_dimensions(random, 4, 120);
    std::vector<int64_t> others = dimensions;
    std::shuffle(others.begin(), others.end(), random.engine());
    if (others.size() > 1 && random.chance(50)) {
      others[0] *= others.back();
      others.pop_back();
    }
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    const Ref<Shape> b = testing::random_array(random, XLASHAPE_TYPE_S32, others);
    SCOPED_TRACE(printed(*a) + " as " + printed(*b));
    BitcastSteps steps;
    ASSERT_EQ(decompose_bitcast(*a, *b, kXla, &steps, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_TRUE(transpose_is_bitcast(*a, *steps.reshape_from, steps.transpose1, XLASHAPE_BITCAST_XLA));
    EXPECT_TRUE(reshape_is_bitcast(*steps.reshape_from, *steps.reshape_to, kXla));
    EXPECT_TRUE(transpose_is_bitcast(*steps.reshape_to, *b, steps.transpose2, XLASHAPE_BITCAST_XLA));
    EXPECT_EQ(decompose_bitcast(*a, *b, XLASHAPE_BITCAST_XLA, &steps, nullptr), XLASHAPE_STATUS_NOT_FOUND)
        << "types differ";
  }
}

}  // namespace
}  // namespace xlashape::core
