// Pictures of layouts: what each option changes, and what is refused.
#include <gtest/gtest.h>

#include <set>
#include <xlashape.hpp>

namespace {

using xlashape::draw;
using xlashape::DrawOptions;
using xlashape::Shape;
using xlashape::Status;
using xlashape::try_draw;

const Shape& tiled() {
  static const Shape shape = Shape::parse("u8[3,4]{0,1:T(2,2)}");
  return shape;
}
const Shape& large() {
  static const Shape shape = Shape::parse("bf16[16,256]{1,0:T(8,128)(2,1)}");
  return shape;
}

bool has(const std::string& picture, const std::string& part) { return picture.find(part) != std::string::npos; }

// The words of the row with that label.
std::string row(const std::string& picture, const std::string& label) {
  size_t at = 0;
  while (at < picture.size()) {
    const size_t end = picture.find('\n', at);
    std::string line = picture.substr(at, end - at);
    line.erase(0, line.find_first_not_of(' '));
    if (line.rfind(label + " |", 0) == 0) return line;
    if (end == std::string::npos) break;
    at = end + 1;
  }
  return "no row " + label + " in\n" + picture;
}

TEST(Draw, ShowsPositionsAsText) {
  DrawOptions ascii;
  ascii.flags = XLASHAPE_DRAW_ASCII;
  const std::string picture = draw(tiled(), ascii);
  EXPECT_EQ(picture.rfind("u8[3,4]{0,1:T(2,2)}\n", 0), 0U);
  EXPECT_EQ(row(picture, "0"), "0 | 0  2| 8 10|");
  EXPECT_EQ(row(picture, "2"), "2 | 4  6|12 14|");
  EXPECT_EQ(row(picture, "3"), "3 |.. ..|.. ..|");
  EXPECT_NE(draw(tiled()), picture);  // not ASCII
  DrawOptions color;
  color.flags = XLASHAPE_DRAW_COLOR;
  EXPECT_TRUE(has(draw(tiled(), color), "\x1b[48;2;"));
}

TEST(Draw, ShowsWhatIsAsked) {
  // Row 2 is the second pair of rows of the tile: 256 positions of 2 bytes on, in the register's second sublane.
  const std::pair<DrawOptions::Show, const char*> cases[] = {
      {DrawOptions::Show::kPosition, " 256 "}, {DrawOptions::Show::kIndex, "2,0 "}, {DrawOptions::Show::kByte, " 512 "},
      {DrawOptions::Show::kTile, " 0 "},       {DrawOptions::Show::kLane, " 1.0 "},
  };
  for (const auto& [show, cell] : cases) {
    DrawOptions options;
    options.flags = XLASHAPE_DRAW_ASCII;
    options.show = show;
    options.max_cells = 60;
    EXPECT_TRUE(has(row(draw(large(), options), "2"), cell)) << draw(large(), options);
  }
  DrawOptions nothing;
  nothing.show = DrawOptions::Show::kNothing;
  EXPECT_TRUE(has(draw(tiled(), nothing), "## ##"));
}

TEST(Draw, TakesEachNumber) {
  DrawOptions zoom;
  zoom.zoom = 2;
  EXPECT_TRUE(has(draw(large(), zoom), "each cell is a tile of 1,024 positions"));
  DrawOptions blocks;
  blocks.overlay_bytes = 2048;
  blocks.columns = 200;  // the sentence is on one line
  EXPECT_TRUE(has(draw(large(), blocks), "blocks of 2,048 bytes: the first row touches 2 blocks"));
  DrawOptions few;
  few.max_cells = 9;
  EXPECT_LT(draw(large(), few).size(), draw(large()).size());
  const Shape cube = Shape::parse("f32[5,2,2]");
  EXPECT_TRUE(has(draw(cube), "[4,:,:]"));
  DrawOptions alone;
  alone.at = {3, -1, -1};
  EXPECT_TRUE(has(draw(cube, alone), "[3,:,:]"));
  EXPECT_FALSE(has(draw(cube, alone), "[4,:,:]"));
}

TEST(Draw, ComparesTwoLayouts) {
  const std::string both = draw(tiled(), Shape::parse("u8[3,4]"));
  EXPECT_TRUE(has(both, "u8[3,4]{1,0}")) << both;
  EXPECT_TRUE(has(both, "a relayout reads 16 bytes and writes 12")) << both;
  EXPECT_EQ(try_draw(tiled(), Shape::parse("u8[3,5]")).error().status(), Status::kInvalidArgument);
}

TEST(Draw, MakesMarkup) {
  DrawOptions options;
  options.format = DrawOptions::Format::kHtml;
  EXPECT_EQ(draw(tiled(), options).rfind("<!doctype html>", 0), 0U);
  options.format = DrawOptions::Format::kSvg;
  EXPECT_TRUE(has(draw(tiled(), options), "<title>[2,3]: position 14,"));
  options.flags = XLASHAPE_DRAW_DATA;
  EXPECT_TRUE(has(draw(tiled(), options), "data-index=\"2,3\" data-position=\"14\""));
  const auto colors = [&options] {
    std::set<std::string> fills;
    const std::string picture = draw(tiled(), options);
    for (size_t at = 0; (at = picture.find("\" data-index", at)) != std::string::npos; ++at)
      fills.insert(picture.substr(at - 7, 7));
    return fills.size();
  };
  EXPECT_EQ(colors(), 12U);
  options.color_by = DrawOptions::ColorBy::kTile;
  EXPECT_EQ(colors(), 4U);
  options.color_by = DrawOptions::ColorBy::kDimension;
  EXPECT_EQ(colors(), 3U);
  options.color_dimension = 1;
  EXPECT_EQ(colors(), 4U);
}

TEST(Draw, RefusesWhatHasNoPicture) {
  EXPECT_EQ(try_draw(Shape::parse("token[]")).error().status(), Status::kUnsupported);
  EXPECT_EQ(try_draw(Shape::parse("f32[?]")).error().status(), Status::kUnsupported);
  EXPECT_EQ(try_draw(Shape()).error().status(), Status::kInvalidArgument);
  EXPECT_THROW(draw(Shape::parse("(f32[2])")), xlashape::Exception);
  EXPECT_THROW(draw(tiled(), Shape::parse("u8[3]")), xlashape::Exception);
  DrawOptions options;
  options.at = {0};
  EXPECT_EQ(try_draw(tiled(), options).error().message(), "at_count is 1, the rank is 2");
}

}  // namespace
