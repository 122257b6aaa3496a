// SPDX-License-Identifier: Apache-2.0
// The way of the memory through a picture: it joins all stops, and passes no text.
#include "view/way.h"

#include <gtest/gtest.h>

namespace xlashape::view {
namespace {

TEST(Way, JoinsWhatFollowsInMemory) {
  EXPECT_EQ(way_path({}, {}), "");
  EXPECT_EQ(way_path({{0, 5, 5}, {2, 9, 9}}, {}), "");
  EXPECT_EQ(way_path({{2, 30, 20}, {0, 10, 20}, {1, 20, 20}, {4, 0, 0}, {5, 0, 8}}, {}), "M10 20L20 20L30 20M0 0L0 8");
}

TEST(Way, PassesBehindTexts) {
  const std::vector<Stop> across = {{0, 100, 20}, {1, 0, 20}, {2, 0, 60}};
  EXPECT_EQ(way_path(across, {{40, 10, 60, 30}, {50, 10, 70, 30}}), "M100 20L70 20M40 20L0 20L0 60");
  EXPECT_EQ(way_path(across, {{40, 21, 60, 30}}), "M100 20L0 20L0 60");        // below the line
  EXPECT_EQ(way_path(across, {{-5, 10, 30, 30}}), "M100 20L30 20M0 30L0 60");  // over a stop
  EXPECT_EQ(way_path(across, {{-5, 10, 200, 30}}), "M0 30L0 60");              // over all of a line
  EXPECT_EQ(way_path({{7, 0, 0}, {8, 100, 50}}, {{20, 0, 40, 100}}), "M0 0L20 10M40 20L100 50");
}

}  // namespace
}  // namespace xlashape::view
