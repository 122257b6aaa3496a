// SPDX-License-Identifier: Apache-2.0
// Pictures of layouts: that each option arrives, and what is refused.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <xlashape.hpp>
#include <xlashape/draw.hpp>

namespace {

using xlashape::draw;
using xlashape::DrawOptions;
using xlashape::Shape;
using xlashape::Status;
using xlashape::try_draw;

bool has(const std::string& picture, const std::string& part) { return picture.find(part) != std::string::npos; }

constexpr const char *kSmall = "u8[3,4]{0,1:T(2,2)}", *kLarge = "bf16[16,256]{1,0:T(8,128)(2,1)}";

TEST(Draw, TakesEachOption) {
  using Show = DrawOptions::Show;
  using Format = DrawOptions::Format;
  using ColorBy = DrawOptions::ColorBy;
  const auto show = [](Show what) { return [what](DrawOptions& options) { options.show = what; }; };
  const auto color_by = [](ColorBy what, std::int32_t dimension) {
    return [=](DrawOptions& options) {
      options.format = Format::kSvg, options.flags = XLASHAPE_DRAW_DATA;
      options.color_by = what, options.color_dimension = dimension;
    };
  };
  // Row 2 of the large one is the second pair of rows of a tile: 256 positions of 2 bytes on, in the register's second
  // sublane. The cell at [2,3] of the small one begins with its colour.
  const struct {
    const char* shape;
    std::function<void(DrawOptions&)> set;
    const char* holds;
  } rows[] = {
      {kSmall, [](DrawOptions& options) { options.flags = XLASHAPE_DRAW_ASCII; }, "2 | 4  6|12 14|"},
      {kSmall, [](DrawOptions& options) { options.flags = XLASHAPE_DRAW_COLOR; }, "\x1b[48;2;"},
      {kLarge, show(Show::kPosition), " 256 "},
      {kLarge, show(Show::kIndex), "2,0 "},
      {kLarge, show(Show::kByte), " 512 "},
      {kLarge, show(Show::kLane), " 1.0 "},
      {kSmall, show(Show::kTile), " 0  0"},
      {kSmall, show(Show::kNothing), "## ##"},
      {kLarge, [](DrawOptions& options) { options.zoom = 2; }, "each cell is a tile of 1,024 positions"},
      {kLarge, [](DrawOptions& options) { options.overlay_bytes = 2048; },
       "blocks of 2,048 bytes: the first row touches 2 blocks"},
      {"f32[5,2,2]",
       [](DrawOptions& options) {
         options.at = {3, -1, -1};
       },
       "[3,:,:]"},
      {kSmall, [](DrawOptions& options) { options.format = Format::kHtml; }, "<!doctype html>"},
      {kSmall, [](DrawOptions& options) { options.format = Format::kSvg; }, "<title>[2,3]: position 14,"},
      {kSmall, color_by(ColorBy::kPosition, 0), "data-index=\"2,3\" data-position=\"14\""},
  };
  for (const auto& row : rows) {
    DrawOptions options;
    options.max_cells = 60;
    row.set(options);
    const std::string picture = draw(Shape::parse(row.shape), options);
    EXPECT_TRUE(has(picture, row.holds)) << row.holds << " is not in\n" << picture;
  }
  std::set<std::string> colored;
  for (const auto& [what, dimension] :
       {std::pair(ColorBy::kPosition, 0), {ColorBy::kTile, 0}, {ColorBy::kDimension, 0}, {ColorBy::kDimension, 1}}) {
    DrawOptions options;
    color_by(what, dimension)(options);
    colored.insert(draw(Shape::parse(kSmall), options));
  }
  EXPECT_EQ(colored.size(), 4u);
  DrawOptions few;
  few.max_cells = 9;
  EXPECT_LT(draw(Shape::parse(kLarge), few).size(), draw(Shape::parse(kLarge)).size());
  DrawOptions narrow;
  narrow.columns = 40;
  EXPECT_NE(draw(Shape::parse(kLarge), narrow), draw(Shape::parse(kLarge)));
}

TEST(Draw, ComparesTwoLayouts) {
  const std::string both = draw(Shape::parse(kSmall), Shape::parse("u8[3,4]"));
  EXPECT_TRUE(has(both, "a relayout reads 16 bytes and writes 12")) << both;
  EXPECT_EQ(try_draw(Shape::parse(kSmall), Shape::parse("u8[3,5]")).error().status(), Status::kInvalidArgument);
}

TEST(Draw, RefusesWhatHasNoPicture) {
  EXPECT_EQ(try_draw(Shape::parse("token[]")).error().status(), Status::kUnsupported);
  EXPECT_EQ(try_draw(Shape()).error().status(), Status::kInvalidArgument);
  EXPECT_THROW(draw(Shape::parse("(f32[2])")), xlashape::Exception);
  EXPECT_THROW(draw(Shape::parse(kSmall), Shape::parse("u8[3]")), xlashape::Exception);
  DrawOptions options;
  options.at = {0};
  EXPECT_EQ(try_draw(Shape::parse(kSmall), options).error().message(), "at_count is 1, the rank is 2");
}

}  // namespace
