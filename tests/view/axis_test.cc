// SPDX-License-Identifier: Apache-2.0
// Which places are shown: never more than asked, in order, both ends, and where the array ends.
#include "view/axis.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace xlashape::view {
namespace {

std::string described(const Axis& axis, int64_t most) {
  std::string text = "size " + std::to_string(axis.size) + " extent " + std::to_string(axis.extent) + " tile " +
                     std::to_string(axis.tile) + " most " + std::to_string(most) + ":";
  for (const Span& span : axis.spans) text += " " + std::to_string(span.begin) + "-" + std::to_string(span.end);
  return text;
}

Axis chosen(int64_t size, int64_t extent, int64_t tile, int64_t most) {
  Axis axis;
  axis.size = size, axis.extent = extent, axis.tile = tile;
  axis.choose(most);
  return axis;
}

bool is_shown(const Axis& axis, int64_t unit) {
  return std::any_of(axis.spans.begin(), axis.spans.end(),
                     [&](const Span& span) { return span.begin <= unit && unit < span.end; });
}

void check(int64_t size, int64_t extent, int64_t tile, int64_t most) {
  const Axis axis = chosen(size, extent, tile, most);
  SCOPED_TRACE(described(axis, most));
  ASSERT_FALSE(axis.spans.empty());
  int64_t shown = 0, last = -1;
  for (const Span& span : axis.spans) {
    ASSERT_LT(span.begin, span.end);
    ASSERT_GT(span.begin, last);  // a gap lies before each but the first
    last = span.end;
    shown += span.end - span.begin;
  }
  ASSERT_LE(last, extent);
  EXPECT_EQ(shown, axis.shown());
  EXPECT_LE(shown, std::max<int64_t>(most, 3));
  if (extent <= std::max<int64_t>(most, 3)) {
    EXPECT_EQ(shown, extent);
    return;
  }
  EXPECT_TRUE(is_shown(axis, 0));
  if (most >= 18 && size > 0) {
    EXPECT_TRUE(is_shown(axis, size - 1)) << "the array's last place";
    if (extent > size) {
      EXPECT_TRUE(is_shown(axis, size)) << "the padding's first place";
    }
  }
  if (shown <= 10'000) {
    EXPECT_EQ(static_cast<int64_t>(axis.units().size()), shown);
  }
}

TEST(Axis, SmallSizes) {
  for (int64_t size = 0; size <= 40; ++size)
    for (const int64_t pad : {0, 1, 2, 7, 100})
      for (const int64_t tile : {1, 2, 3, 4, 8, 16, 50, 200})
        for (int64_t most = 1; most <= 33; ++most) {
          const int64_t extent = std::max<int64_t>(1, (size + pad + tile - 1) / tile * tile);
          check(size, extent, tile, most);
        }
}

TEST(Axis, HugeSizes) {
  constexpr int64_t kHuge = int64_t{1} << 62;
  for (const int64_t size : {kHuge, kHuge - 1, kHuge / 2 + 1, int64_t{1} << 32, int64_t{1'000'000'007}})
    for (const int64_t tile : {int64_t{1}, int64_t{8}, int64_t{128}, int64_t{1} << 20, kHuge / 2, kHuge})
      for (const int64_t most : {3, 5, 6, 7, 23, 24, 25, 85, 256, 1 << 20})
        check(size, (size - 1) / tile * tile + tile, tile, most);
  check(1, kHuge, 1, 20);
  check(0, kHuge, 8, 20);
}

TEST(Axis, WholeTilesWhereThereIsRoom) {
  // Three tiles of 8: the first two and the last.
  const Axis axis = chosen(797, 800, 8, 24);
  ASSERT_EQ(axis.spans.size(), 2u);
  EXPECT_EQ(axis.spans[0].end, 16);
  EXPECT_EQ(axis.spans[1].begin, 792);
  EXPECT_EQ(axis.spans[1].end, 800);
  EXPECT_EQ(chosen(797, 800, 8, 23).shown(), 23 / 3 * 3);  // their ends
}

TEST(Axis, WidePaddingIsNotShownWhole) {
  // The padded width is a million: the array and a little of it.
  const Axis axis = chosen(5, 1'000'000, 1, 20);
  EXPECT_TRUE(is_shown(axis, 4));
  EXPECT_TRUE(is_shown(axis, 5));
  EXPECT_LT(axis.shown(), 10);
}

}  // namespace
}  // namespace xlashape::view
