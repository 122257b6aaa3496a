// SPDX-License-Identifier: Apache-2.0
// Bitcasts against walking every element, over random layouts; and the cases that say what each question means.
#include "bitcast/bitcast.h"

#include <gtest/gtest.h>

#include "bitcast/align.h"
#include "bitcast/placement.h"
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

// Positions of the elements in row-major order of `index_of`'s numbering, then the number of positions.
template <class F>
std::vector<int64_t> positions(const Shape& array, const Shape& numbering, F&& to_own) {
  Ref<IndexMap> map;
  if (make_index_map(array, &map, nullptr)) return {};
  std::vector<int64_t> out, index(numbering.dimensions.size(), 0), own(array.dimensions.size());
  int64_t count = 1;
  for (const int64_t size : numbering.dimensions) count *= size;
  for (int64_t n = 0; n < count; ++n) {
    to_own(index, n, &own);
    out.push_back(ir::position(map->map, own.data()));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < numbering.dimensions[d]) break;
      index[d] = 0;
    }
  }
  out.push_back(map->map.positions);
  return out;
}

std::vector<int64_t> row_major_positions(const Shape& array) {
  return positions(array, array, [](const auto& index, int64_t, auto* own) { *own = index; });
}

// Elements of `b` in the order of `a`, whose dimension permutation[i] is b's dimension i.
std::vector<int64_t> transposed_positions(const Shape& a, const Shape& b, std::span<const int64_t> permutation) {
  return positions(b, a, [&](const auto& index, int64_t, auto* own) {
    for (size_t i = 0; i < permutation.size(); ++i) (*own)[i] = index[static_cast<size_t>(permutation[i])];
  });
}

// Dimensions with the same product, cut or merged at random.
std::vector<int64_t> reshaped(Random& random, const std::vector<int64_t>& dimensions) {
  std::vector<int64_t> out;
  for (const int64_t size : dimensions) {
    if (!out.empty() && random.chance(25)) {
      out.back() *= size;
    } else if (size > 3 && random.chance(40)) {
      int64_t factor = random.in(2, size - 1);
      while (size % factor) --factor;
      out.push_back(factor);
      out.push_back(size / factor);
    } else {
      out.push_back(size);
    }
    if (random.chance(10)) out.push_back(1);
  }
  return out;
}

bool merges(const Shape& array) {
  const auto& sizes = array.layout->tile_dimensions;
  return std::find(sizes.begin(), sizes.end(), XLASHAPE_COMBINE_DIMENSION) != sizes.end();
}

// Two layouts of one another's making, so that bitcasts are common.
Ref<Shape> related(Random& random, const Shape& a, const std::vector<int64_t>& dimensions) {
  Ref<Layout> layout;
  if (random.chance(50) && !align_layouts(a, dimensions, 0, &layout, nullptr)) {
    Ref<Shape> made;
    if (!make_array(a.element_type, dimensions, {}, layout, &made, nullptr)) return made;
  }
  if (random.chance(50) && static_cast<int64_t>(dimensions.size()) >= a.rank()) {
    layout = make_row_major(static_cast<int64_t>(dimensions.size()));
    layout->tile_ranks = a.layout->tile_ranks;
    layout->tile_dimensions = a.layout->tile_dimensions;
    layout->tail_padding_alignment = a.layout->tail_padding_alignment;
    Ref<Shape> made;
    if (!make_array(a.element_type, dimensions, {}, layout, &made, nullptr)) return made;
  }
  return testing::random_array(random, a.element_type, dimensions);
}

TEST(Bitcast, ReshapeIsWhatWalkingFinds) {
  Random random(20240601);
  int yes = 0, undue = 0, undue_with_merging = 0;
  for (int i = 0; i < 30000; ++i) {
    const auto dimensions = testing::random_dimensions(random, 4, 200);
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    const Ref<Shape> b = related(random, *a, random.chance(30) ? dimensions : reshaped(random, dimensions));
    const auto of_a = row_major_positions(*a), of_b = row_major_positions(*b);
    if (of_a.empty() || of_b.empty()) continue;
    Placement pa, pb;
    ASSERT_EQ(place_elements(a->dimensions, a->layout.get(), {}, &pa, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(place_elements(b->dimensions, b->layout.get(), {}, &pb, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(pa.positions, of_a.back()) << printed(*a);
    const bool bits = a->layout->element_size_in_bits == b->layout->element_size_in_bits ||
                      a->layout->element_size_in_bits + b->layout->element_size_in_bits == 32;
    const bool alike = bits && of_a == of_b;
    const bool answer = reshape_moves_nothing(*a, *b);
    if (answer) {
      ++yes;
      ASSERT_TRUE(alike) << printed(*a) << " " << printed(*b);
    } else if (alike) {
      ++undue;
      undue_with_merging += merges(*a) || merges(*b);
      ASSERT_FALSE(pa.known && pb.known) << printed(*a) << " " << printed(*b);
    }
    // The public question asks for more, never for less.
    ASSERT_TRUE(!reshape_is_bitcast(*a, *b, 0) || alike) << printed(*a) << " " << printed(*b);
  }
  EXPECT_GT(yes, 3000);
  EXPECT_EQ(undue, undue_with_merging);  // known forms miss none
  EXPECT_LT(undue, yes / 50);
}

TEST(Bitcast, TransposeIsWhatWalkingFinds) {
  Random random(20240602);
  int yes = 0, undue = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto dimensions = testing::random_dimensions(random, 4, 200);
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_BF16, dimensions);
    std::vector<int64_t> permutation;
    for (int64_t d = 0; d < a->rank(); ++d) permutation.push_back(d);
    std::shuffle(permutation.begin(), permutation.end(), random.engine());
    Ref<Shape> b;
    ASSERT_EQ(permute_dimensions(*a, permutation, random.chance(30) ? XLASHAPE_PERMUTE_KEEP_LAYOUT : 0, &b, nullptr),
              XLASHAPE_STATUS_OK);
    if (random.chance(30)) {
      std::vector<int64_t> permuted(b->dimensions.begin(), b->dimensions.end());
      b = testing::random_array(random, XLASHAPE_TYPE_BF16, permuted);
    }
    const auto of_a = row_major_positions(*a), of_b = transposed_positions(*a, *b, permutation);
    if (of_a.empty() || of_b.empty()) continue;
    const bool alike = of_a == of_b;
    if (transpose_is_bitcast(*a, *b, permutation, 0)) {
      ++yes;
      ASSERT_TRUE(alike) << printed(*a) << " " << printed(*b);
    } else if (alike && a->layout->element_size_in_bits == b->layout->element_size_in_bits &&
               a->layout->padding_value == b->layout->padding_value &&
               a->layout->memory_space == b->layout->memory_space) {
      ++undue;
      ASSERT_TRUE(merges(*a) || merges(*b)) << printed(*a) << " " << printed(*b);
    }
  }
  EXPECT_GT(yes, 5000);
  EXPECT_LT(undue, yes / 50);
}

TEST(Bitcast, UntiledIsWhatWalkingFinds) {
  Random random(20240603);
  int yes = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto dimensions = testing::random_dimensions(random, 3, 100);
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    Ref<Layout> plain = copy_layout(*a->layout);
    plain->tile_ranks.clear();
    plain->tile_dimensions.clear();
    Ref<Shape> b;
    ASSERT_EQ(with_layout(*a, plain, &b, nullptr), XLASHAPE_STATUS_OK);
    auto of_a = row_major_positions(*a), of_b = row_major_positions(*b);
    if (of_a.empty() || of_b.empty()) continue;
    of_a.pop_back();
    of_b.pop_back();
    if (is_untiled(*a)) {
      ++yes;
      ASSERT_EQ(of_a, of_b) << printed(*a);
    } else if (!merges(*a)) {
      ASSERT_NE(of_a, of_b) << printed(*a);
    }
  }
  EXPECT_GT(yes, 3000);
}

// XLA's own question, restated from its definition: every unit index of either side lies alike on both.
bool unit_indices_lie_alike(const Shape& a, const Shape& b) {
  const auto of_a = row_major_positions(a), of_b = row_major_positions(b);
  if (of_a.size() != of_b.size()) return false;
  if (of_a.size() == 1) return true;  // no elements
  for (const Shape* side : {&a, &b}) {
    size_t step = 1;
    for (size_t d = side->dimensions.size(); d-- > 0;) {
      if (side->dimensions[d] > 1 && of_a[step] != of_b[step]) return false;
      step *= static_cast<size_t>(side->dimensions[d]);
    }
  }
  return true;
}

TEST(Bitcast, TheNarrowQuestionIsXlas) {
  Random random(20240604);
  int yes = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto dimensions = testing::random_dimensions(random, 4, 200);
    testing::LayoutLimits limits;
    limits.tiles = limits.padding = limits.tail = limits.element_size = false;
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions, limits);
    const Ref<Shape> b = related(random, *a, reshaped(random, dimensions));
    Ref<Layout> order = Ref<Layout>::adopt(new Layout);
    order->minor_to_major = b->layout->minor_to_major;
    order->memory_space = b->layout->memory_space;  // which lets an order be missing
    Ref<Shape> plain;
    ASSERT_EQ(with_layout(*b, order, &plain, nullptr), XLASHAPE_STATUS_OK);
    const bool answer = reshape_is_bitcast(*a, *b, XLASHAPE_BITCAST_XLA);
    ASSERT_EQ(answer, unit_indices_lie_alike(*a, *plain)) << printed(*a) << " " << printed(*b);
    yes += answer;
  }
  EXPECT_GT(yes, 2000);
}

TEST(Bitcast, EverythingInTheLayoutCounts) {
  const auto is = [](const char* a, const char* b, uint32_t flags = 0) {
    return reshape_is_bitcast(*parsed(a), *parsed(b), flags);
  };
  EXPECT_TRUE(is("f32[16,128]{1,0:T(8,128)}", "f32[2,8,128]{2,1,0:T(8,128)}"));
  EXPECT_TRUE(is("f32[16,128]{1,0:T(8,128)}", "f32[2048]{0}"));
  EXPECT_FALSE(is("f32[16,256]{1,0:T(8,128)}", "f32[4096]{0}"));
  EXPECT_TRUE(is("f32[16,256]{1,0:T(8,128)}", "f32[4096]{0}", XLASHAPE_BITCAST_XLA));
  EXPECT_TRUE(is("bf16[1,256]{1,0:T(8,128)(2,1)}", "bf16[256]{0:T(8,128)(2,1)}"));
  EXPECT_FALSE(is("f32[5]{0:L(8)}", "f32[5]{0}"));
  EXPECT_FALSE(is("s4[8]{0:E(4)}", "s4[8]{0}"));
  EXPECT_TRUE(is("f32[8]{0:E(32)}", "f32[8]{0}"));
  EXPECT_FALSE(is("f32[8]{0:S(1)}", "f32[8]{0}"));
  EXPECT_TRUE(is("f32[8]{0:S(1)}", "f32[8]{0}", XLASHAPE_BITCAST_XLA));
  EXPECT_FALSE(is("f32[8]{0:M(64)}", "f32[8]{0}"));
  EXPECT_FALSE(is("f32[8,2]{1,0:SC(0:4)}", "f32[16]{0}"));
  EXPECT_TRUE(is("f32[8,2]{1,0:SC(0:4)}", "f32[8,2]{1,0:SC(0:4)}"));
  EXPECT_FALSE(is("f32[2,3]{1,0:PD(2,4)PV(one)}", "f32[2,3]{1,0:PD(2,4)PV(zero)}"));
  EXPECT_TRUE(is("f32[2,3]{1,0:PD(2,4)PV(one)}", "f32[2,3]{1,0:PD(2,4)}"));
  EXPECT_TRUE(is("f32[2,3]{1,0:PV(one)}", "f32[6]{0:PV(zero)}"));  // nothing to fill
  EXPECT_FALSE(is("f32[2,3]{1,0}", "s32[6]{0}"));
  EXPECT_TRUE(is("f32[2,3]{1,0}", "s32[6]{0}", XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE));
  EXPECT_FALSE(is("f32[2,3]{1,0}", "s16[6]{0}", XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE));
  EXPECT_TRUE(is("f32[0,3]{1,0}", "f32[7,0]{0,1}"));
  EXPECT_TRUE(is("f32[0,1099511627776,1099511627776]{2,1,0}", "f32[0]{0}"));
  EXPECT_FALSE(is("f32[?,3]", "f32[?,3]"));
  // A merged dimension that no factor describes is still itself.
  EXPECT_TRUE(is("f32[3,4,5]{0,1,2:T(*,3,2)}", "f32[3,4,5]{0,1,2:T(*,3,2)}"));
  EXPECT_TRUE(is("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[112,110]{1,0:T(2,3)}"));
}

// What it deduces: tests/data/golden, which asks as XLA does.
TEST(Bitcast, DeducesOneTransposeOfWhatTheFlagsLeave) {
  SmallVec<int64_t, 8> permutation;
  const Ref<Shape> tiled = parsed("f32[5,3]{1,0:T(2,2)}"), plain = parsed("f32[3,5]{0,1}");
  EXPECT_TRUE(deduce_transpose(*tiled, *plain, XLASHAPE_BITCAST_XLA, &permutation));
  EXPECT_FALSE(deduce_transpose(*tiled, *plain, 0, &permutation));
  EXPECT_FALSE(is_reshape_or_transpose_bitcast(*parsed("f32[5,3]{1,0}"), *parsed("s32[3,5]{0,1}"), 0));
}

TEST(Bitcast, PlacementOverflowIsAnError) {
  const Ref<Shape> big = parsed("s8[1000000007,1000000007]{1,0:T(1000003,1000003)}");
  Placement placement;
  ASSERT_EQ(place_elements(big->dimensions, big->layout.get(), {}, &placement, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(placement.positions, int64_t{1000} * 1000003 * 1000 * 1000003);
  const Ref<Shape> huge = parsed("s8[3000000000,3000000000]{1,0:T(2000000001,2000000001)}");
  EXPECT_EQ(place_elements(huge->dimensions, huge->layout.get(), {}, &placement, nullptr), XLASHAPE_STATUS_OVERFLOW);
  EXPECT_FALSE(reshape_is_bitcast(*huge, *huge, 0));
}

}  // namespace
}  // namespace xlashape::core
