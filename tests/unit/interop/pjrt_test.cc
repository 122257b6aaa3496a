// SPDX-License-Identifier: Apache-2.0
// PJRT_Buffer_MemoryLayout: what is written is read again as the same layout, stays in its block,
// and hostile ones are refused.
#include "interop/pjrt.h"

#include <gmock/gmock.h>

#include <cstring>

#include "unit/random_shape.h"
#include "xlashape_interop.h"

namespace xlashape::core::testing {
namespace {

using ::testing::HasSubstr;

constexpr uint8_t kCanary = 0xC5;

// A written block, with bytes behind it that nothing may touch.
struct Block {
  std::vector<int64_t> words;
  int64_t size = 0;

  explicit Block(const PjrtWriter& writer) : size(writer.size()) {
    words.assign(static_cast<size_t>(size) / 8 + 2, 0);
    std::memset(words.data(), kCanary, words.size() * 8);
    writer.write(bytes());
    for (size_t i = static_cast<size_t>(size); i < words.size() * 8; ++i) EXPECT_EQ(bytes()[i], kCanary);
  }
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(words.data()); }
  const PjrtMemoryLayout& layout() { return *reinterpret_cast<const PjrtMemoryLayout*>(words.data()); }
  // Whether a list that the block points to lies in it.
  bool holds(const void* items, size_t count) {
    if (count == 0) return items == nullptr;
    const auto* at = static_cast<const uint8_t*>(items);
    return at >= bytes() + sizeof(PjrtMemoryLayout) && at + 8 * count <= bytes() + size;
  }
};

TEST(PjrtLayout, RandomArraysComeBack) {
  Random random(4);
  int tiled = 0, strided = 0, refused = 0, back_again = 0;
  LayoutLimits limits;
  limits.tail = limits.element_size = false;
  for (int i = 0; i < 4000; ++i) {
    const xlashape_element_type type = random.of(all_types());
    const std::vector<int64_t> dimensions = random_dimensions(random, 4, 600);
    const bool empty = std::count(dimensions.begin(), dimensions.end(), 0) > 0;
    const Ref<Shape> array = random_array(random, type, dimensions, limits);
    const uint32_t flags = random.chance(50) ? XLASHAPE_PJRT_STRIDES : 0;
    auto err = XLASHAPE_INIT(Error);
    PjrtWriter writer;
    if (writer.prepare(*array, flags, &err)) {
      EXPECT_EQ(err.code, XLASHAPE_STATUS_UNSUPPORTED) << err.message;
      ++refused;
      continue;
    }
    Block block(writer);
    Ref<Layout> back;
    const PjrtMemoryLayout& written = block.layout();
    if (flags == 0) {
      ++tiled;
      ASSERT_EQ(written.type, kPjrtTiled);
      EXPECT_TRUE(block.holds(written.tiled.minor_to_major, dimensions.size()));
      EXPECT_TRUE(block.holds(written.tiled.tile_dim_sizes, written.tiled.num_tiles));
    } else {
      ++strided;
      ASSERT_EQ(written.type, kPjrtStrides);
      EXPECT_TRUE(block.holds(written.strides.byte_strides, dimensions.size()));
    }
    const Status status = layout_from_pjrt(block.bytes(), type, dimensions, 0, &back, &err);
    if (flags == 0) {
      ASSERT_EQ(status, XLASHAPE_STATUS_OK) << err.message;
      EXPECT_TRUE(equal(*back, *array->layout, 0));
      continue;
    }
    // A dimension of one element has any place and any width, so that only the strides need be the same.
    if (status) continue;
    ++back_again;
    Ref<Shape> again;
    ASSERT_EQ(make_array(type, dimensions, {}, back, &again, &err), XLASHAPE_STATUS_OK) << err.message;
    PjrtWriter once_more;
    ASSERT_EQ(once_more.prepare(*again, flags, &err), XLASHAPE_STATUS_OK) << err.message;
    Block other(once_more);
    for (size_t d = 0; d < dimensions.size(); ++d)
      if (dimensions[d] > 1 && !empty) {
        EXPECT_EQ(other.layout().strides.byte_strides[d], written.strides.byte_strides[d]);
      }
  }
  EXPECT_GT(tiled, 500);
  EXPECT_GT(strided, 300);
  EXPECT_GT(back_again, strided / 2);
  EXPECT_GT(refused, 300);
}

// XLA's own client leaves the sizes of the structs as its stack had them.
TEST(PjrtLayout, SizesOfStructsAreNotLookedAt) {
  const int64_t order[] = {0, 1}, dims[] = {8, 128}, strides[] = {4, 8}, dimensions[] = {2, 3};
  const size_t tile_sizes[] = {2};
  for (const size_t size : {size_t{0}, size_t{3}, size_t{75}, SIZE_MAX}) {
    PjrtMemoryLayout given{};
    given.struct_size = size;
    given.tiled = {size, nullptr, order, 2, dims, tile_sizes, 1};
    Ref<Layout> layout;
    ASSERT_EQ(layout_from_pjrt(&given, XLASHAPE_TYPE_F32, dimensions, 0, &layout, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(layout->tile_dimensions.size(), 2u);
    given.type = kPjrtStrides;
    given.strides = {size, nullptr, strides, 2};
    ASSERT_EQ(layout_from_pjrt(&given, XLASHAPE_TYPE_F32, dimensions, 0, &layout, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(layout->minor_to_major[0], 0);
  }
  alignas(8) char crooked[sizeof(PjrtMemoryLayout) + 8] = {};
  Ref<Layout> none;
  EXPECT_EQ(layout_from_pjrt(crooked + 2, XLASHAPE_TYPE_F32, {}, 0, &none, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
}

// Counts that add up to more than is there, or to more than fits: refused before a list is read.
TEST(PjrtLayout, HostileCounts) {
  const int64_t order[] = {1, 0}, dims[] = {8, 128};
  const int64_t dimensions[] = {2, 3};
  const auto refused = [&](std::vector<size_t> tile_sizes, const int64_t* tile_dims, const char* why) {
    auto given = XLASHAPE_INIT(PjrtMemoryLayout);
    given.tiled = {sizeof(PjrtTiled), nullptr, order, 2, tile_dims, tile_sizes.data(), tile_sizes.size()};
    Ref<Layout> none;
    auto err = XLASHAPE_INIT(Error);
    EXPECT_EQ(layout_from_pjrt(&given, XLASHAPE_TYPE_F32, dimensions, 0, &none, &err),
              XLASHAPE_STATUS_INVALID_ARGUMENT);
    EXPECT_THAT(err.message, HasSubstr(why));
    EXPECT_FALSE(none);
  };
  refused({SIZE_MAX}, dims, "tile_dim_sizes[0]");
  refused({SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1}, dims, "tile_dim_sizes[0]");
  refused({2, (size_t{1} << 24) - 1}, dims, "tile_dim_sizes[1]");
  refused({2}, nullptr, "tiled.tile_dims is NULL");
  refused({0}, nullptr, "tile level 0 has no sizes");
}

}  // namespace
}  // namespace xlashape::core::testing
