// SPDX-License-Identifier: Apache-2.0
// xlashape_fmt.hpp with {fmt}, and operator<<.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>
#include <xlashape_fmt.hpp>

namespace {

TEST(Fmt, Formats) {
  const auto shape = xlashape::Shape::parse("f32[2,3]{0,1}");
  EXPECT_EQ(fmt::format("{} {} {}", shape, shape.layout(), shape.element_type()), "f32[2,3]{0,1} {0,1} f32");
  EXPECT_EQ(fmt::format("{:>16}", shape), "   f32[2,3]{0,1}");
  EXPECT_EQ(fmt::format("{}", xlashape::Error(xlashape::Status::kParse, "why")), "why");
  const auto error = xlashape::Shape::try_parse("f32[x").error();
  EXPECT_EQ(fmt::format("{}", error), error.text());
}

TEST(Stream, Prints) {
  const auto shape = xlashape::Shape::parse("f32[2,3]{0,1}");
  const auto error = xlashape::Shape::try_parse("f32[x").error();
  const std::vector<xlashape::Shape> parameters = {shape};
  std::ostringstream out;
  out << shape << ' ' << shape.layout() << ' ' << shape.element_type() << ' '
      << xlashape::ProgramShape::of(parameters, shape) << '|' << std::setw(16) << shape << '|' << error;
  EXPECT_EQ(out.str(),
            "f32[2,3]{0,1} {0,1} f32 ((unknown): f32[2,3]{0,1}) -> f32[2,3]{0,1}|   f32[2,3]{0,1}|" + error.text());
  EXPECT_NE(error.text().find("(at byte 4)"), std::string::npos);
  out.str("");
  out << xlashape::Shape() << xlashape::Layout() << static_cast<xlashape::ElementType>(999);
  EXPECT_EQ(out.str(), "<no shape><no layout><no element type>");
  EXPECT_EQ(testing::PrintToString(shape), "f32[2,3]{0,1}");
}

TEST(Fmt, ShowsWhatIsEmptyAsStreamsDo) {
  const auto alike = [](const auto& value) {
    std::ostringstream out;
    out << value;
    return fmt::format("{}", value) == out.str() ? out.str() : "not alike";
  };
  EXPECT_EQ(alike(xlashape::Shape()), "<no shape>");
  EXPECT_EQ(alike(xlashape::Layout()), "<no layout>");
  EXPECT_EQ(alike(xlashape::ProgramShape()), "<no program shape>");
  EXPECT_EQ(alike(static_cast<xlashape::ElementType>(999)), "<no element type>");
  const auto shape = xlashape::Shape::parse("f32[2]");
  const std::vector<xlashape::Shape> parameters = {shape};
  EXPECT_EQ(alike(xlashape::ProgramShape::of(parameters, shape)), "((unknown): f32[2]{0}) -> f32[2]{0}");
}

}  // namespace
