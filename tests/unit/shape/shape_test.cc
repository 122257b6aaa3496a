// SPDX-License-Identifier: Apache-2.0
// A hash must never tell apart what the equality of the same mask does not: random shapes, all masks.
#include "shape/shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "layout/rearrange.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using testing::printed;
using testing::Random;

constexpr uint32_t kBits[] = {XLASHAPE_EQUAL_IGNORE_LAYOUT,
                              XLASHAPE_EQUAL_IGNORE_TILES,
                              XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE,
                              XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE,
                              XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT,
                              XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS,
                              XLASHAPE_EQUAL_IGNORE_PADDING,
                              XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY,
                              XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE,
                              XLASHAPE_EQUAL_IGNORE_FP_PRECISION,
                              XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION,
                              XLASHAPE_EQUAL_IGNORE_DIMENSIONS,
                              XLASHAPE_EQUAL_IGNORE_BUFFER,
                              XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX};
constexpr size_t kBitCount = sizeof kBits / sizeof kBits[0];

// `from` with one thing changed that some bit of the mask is about, or nothing (15).
Ref<Shape> variant(const Shape& from, int64_t what, bool in_buffer) {
  std::vector<int64_t> dimensions(from.dimensions.begin(), from.dimensions.end());
  std::vector<uint8_t> dynamic(from.dynamic.begin(), from.dynamic.end());
  xlashape_element_type type = from.element_type;
  Ref<Layout> layout = copy_layout(*from.layout);
  const bool has_dimension = !dimensions.empty();
  switch (what) {
    case 0:
      layout = nullptr;
      break;
    case 1:
      layout->tile_ranks.push_back(0);
      break;
    case 2:
      layout->element_size_in_bits += 1;
      break;
    case 3:
      layout->memory_space = 5;
      break;
    case 4:
      layout->tail_padding_alignment += 1;
      break;
    case 5:
      if (has_dimension && dimensions[static_cast<size_t>(layout->major(0))] > 1) {
        layout->split_dimensions.push_back(0);
        layout->split_sizes.push_back(1);
        layout->split_indices.push_back(1);
      }
      break;
    case 6:
      layout->padding_value = XLASHAPE_PAD_ONE;
      break;
    case 7:
      layout = make_column_major(from.rank());
      break;
    case 8:
      type = XLASHAPE_TYPE_S8;
      break;
    case 9:
      type = XLASHAPE_TYPE_BF16;
      break;
    case 10:
      if (has_dimension) dynamic[0] = !dynamic[0];
      break;
    case 11:
      if (has_dimension) dimensions[0] -= dimensions[0] > 1;
      break;
    case 12:
      if (has_dimension) dimensions[0] = XLASHAPE_DIMENSION_UNBOUNDED;
      break;
    case 13:
      layout->metadata_prefix_bytes = 8;
      break;
    default:
      break;
  }
  if (layout && layout->has_padding() && what == 12) layout->padded_dimensions.clear();
  Ref<Shape> array;
  if (make_array(type, dimensions, dynamic, std::move(layout), &array, nullptr)) return nullptr;
  Ref<Shape> wrapped = array;
  if (in_buffer && make_buffer(array, &wrapped, nullptr)) return nullptr;
  if (what == 14) {
    Shape* const elements[] = {wrapped.get()};
    EXPECT_EQ(make_tuple(elements, &wrapped, nullptr), XLASHAPE_STATUS_OK);
  }
  return wrapped;
}

TEST(Hash, IsThatOfTheEqualityUnderEachMask) {
  Random random(20250711);
  std::vector<int> equal_under(kBitCount, 0);
  int64_t unequal = 0, told_apart = 0;
  const int64_t cases = testing::case_count(100);
  const auto missing = [&] { return std::count(equal_under.begin(), equal_under.end(), 0) > 0; };
  for (int64_t i = 0; i < cases || (i < 10 * cases && missing()); ++i) {
    auto dimensions = testing::random_dimensions(random, 3, 200);
    dimensions.push_back(random.in(2, 5));
    const Ref<Shape> from = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    const bool in_buffer = random.chance(30);
    const bool only_buffer = i % 16 == 15;
    Ref<Shape> a = variant(*from, only_buffer || random.chance(50) ? 15 : random.in(0, 14), in_buffer),
               b = variant(*from, i % 16, in_buffer != (only_buffer || random.chance(20)));
    if (!a || !b) continue;
    if (random.chance(50)) {
      Shape *const ab[] = {a.get(), from.get()}, *const ba[] = {b.get(), from.get()};
      ASSERT_EQ(make_tuple(ab, &a, nullptr), XLASHAPE_STATUS_OK);
      ASSERT_EQ(make_tuple(ba, &b, nullptr), XLASHAPE_STATUS_OK);
    }
    for (uint32_t chosen = 0; chosen < 1u << kBitCount; ++chosen) {
      uint32_t mask = 0;
      for (size_t bit = 0; bit < kBitCount; ++bit)
        if (chosen >> bit & 1) mask |= kBits[bit];
      const bool same_hash = hash(*a, mask) == hash(*b, mask);
      if (equal(*a, *b, mask)) {
        ASSERT_TRUE(same_hash) << printed(*a) << " and " << printed(*b) << ", mask " << mask;
        if ((chosen & (chosen - 1)) == 0 && !equal(*a, *b, 0))
          for (size_t bit = 0; bit < kBitCount; ++bit) equal_under[bit] += chosen >> bit & 1;
      } else {
        ++unequal;
        told_apart += !same_hash;
      }
    }
  }
  // Each bit made shapes equal that are not; the hash tells most others apart.
  for (size_t bit = 0; bit < kBitCount && cases >= 100; ++bit)
    EXPECT_GT(equal_under[bit], 0) << "variant() makes no shapes that differ in what bit " << bit << " ignores";
  EXPECT_GT(told_apart * 10, unequal * 9) << told_apart << " of " << unequal;
}

TEST(Hash, OfWhatEqualsEverySizeCountsNone) {
  const Ref<Shape> five = testing::parsed("f32[5,2]"), six = testing::parsed("f32[6,2]"),
                   unknown = testing::parsed("f32[?,2]");
  constexpr uint32_t mask = XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION;
  EXPECT_TRUE(equal(*five, *unknown, mask) && equal(*six, *unknown, mask));
  EXPECT_EQ(hash(*five, mask), hash(*unknown, mask));
  EXPECT_EQ(hash(*six, mask), hash(*unknown, mask));
  EXPECT_NE(hash(*five, 0), hash(*six, 0));
}

}  // namespace
}  // namespace xlashape::core
