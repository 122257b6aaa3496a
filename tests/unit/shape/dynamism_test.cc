// Dynamic dimensions.
#include "shape/dynamism.h"

#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using testing::made_by;
using testing::parsed;

TEST(Dynamism, ToStatic) {
  const auto fixed = [](const char* text) {
    return made_by([&](auto* out) { return to_static(*parsed(text), out, nullptr); });
  };
  EXPECT_EQ(fixed("(f32[<=2,3]{0,1:T(2)M(8)}, (b(s8[<=4]), token[]))"), "(f32[2,3]{0,1:T(2)}, (b(s8[4]{0}), token[]))");
  EXPECT_EQ(fixed("f32[?]"), "UNSUPPORTED");
  EXPECT_EQ(fixed("f32[2]"), "f32[2]{0}");
}

TEST(Dynamism, Set) {
  const std::vector<uint8_t> second = {0, 7}, none = {0, 0}, one = {1};
  const auto set = [](const char* text, const std::vector<uint8_t>& dynamic) {
    return made_by([&](auto* out) { return with_dynamic_dimensions(*parsed(text), dynamic, out, nullptr); });
  };
  EXPECT_EQ(set("f32[2,3]{0,1}", second), "f32[2,<=3]{0,1}");
  EXPECT_EQ(set("f32[<=2,3]", none), "f32[2,3]{1,0}");
  EXPECT_EQ(set("f32[?,3]", none), "INVALID_ARGUMENT");  // an unbounded dimension cannot be static
  EXPECT_EQ(set("f32[3,?]", second), "f32[3,?]{1,0}");
  EXPECT_EQ(set("b(f32[2,3])", second), "b(f32[2,<=3]{1,0})");
  EXPECT_EQ(set("f32[2,3]", one), "OUT_OF_RANGE");
  EXPECT_EQ(set("()", {}), "UNSUPPORTED");
}

TEST(Dynamism, Questions) {
  EXPECT_TRUE(is_bounded_dynamic(*parsed("(f32[2], (f32[<=3]))")));
  EXPECT_FALSE(is_bounded_dynamic(*parsed("(f32[2], f32[?])")));
  EXPECT_TRUE(is_bounded_dynamic(*parsed("f32[?,<=2]")));
  const auto fits = [](const char* dynamic, const char* bounds) {
    return fits_bounds(*parsed(dynamic), *parsed(bounds));
  };
  EXPECT_TRUE(fits("(f32[<=2,3], s8[9])", "(f32[2,4], s8[1])"));  // static arrays are not looked at
  EXPECT_FALSE(fits("(f32[<=5,3])", "(f32[4,3])"));
  EXPECT_FALSE(fits("f32[<=5]", "f32[5,1]"));
  EXPECT_FALSE(fits("f32[<=5]", "(f32[5])"));
  EXPECT_FALSE(fits("(f32[<=5])", "(f32[5], f32[5])"));
  EXPECT_TRUE(fits("f32[<=5]", "f32[?]"));
  EXPECT_TRUE(fits("f32[?]", "f32[5]"));
  EXPECT_FALSE(fits("f32[<=5]", "token[]"));
  int64_t count;
  ASSERT_EQ(static_element_count(*parsed("f32[2,?,3]"), &count, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(count, 6);
  EXPECT_EQ(static_element_count(*parsed("()"), &count, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
}

}  // namespace
}  // namespace xlashape::core
