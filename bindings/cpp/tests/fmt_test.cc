// xlashape_fmt.hpp with {fmt}.
#include <gtest/gtest.h>

#include <xlashape_fmt.hpp>

namespace {

TEST(Fmt, Formats) {
  const auto shape = xlashape::Shape::parse("f32[2,3]{0,1}");
  EXPECT_EQ(fmt::format("{} {} {}", shape, shape.layout(), shape.element_type()), "f32[2,3]{0,1} {0,1} f32");
  EXPECT_EQ(fmt::format("{:>16}", shape), "   f32[2,3]{0,1}");
  EXPECT_EQ(fmt::format("{}", xlashape::Error(xlashape::Status::kParse, "why")), "why");
}

}  // namespace
