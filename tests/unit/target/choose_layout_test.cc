// SPDX-License-Identifier: Apache-2.0
// Which layouts compilers choose. What libtpu answers to thousands of arrays, of every branch of the rule, the test
// target_facts has (tests/oracle/tpu/facts.py); here is what no compiler is asked, and the rule from its words.
#include "target/choose_layout.h"

#include <algorithm>
#include <random>

#include "index/sizes.h"
#include "unit/shape/parsed.h"
#include "xlashape_target.h"

namespace xlashape::core {
namespace {

using testing::made_by;
using testing::parsed;
using testing::printed;

const TargetInfo& target_of(std::string_view name) {
  xlashape_target target = 0;
  EXPECT_EQ(target_from_name(name, &target, nullptr), XLASHAPE_STATUS_OK);
  return targets()[static_cast<size_t>(target)];
}
std::string chosen(std::string_view target, std::string_view text, uint32_t flags = 0) {
  const Ref<Shape> shape = parsed(text);
  return made_by([&](auto* out) { return shape_for_target(*shape, target_of(target), flags, out, nullptr); });
}
std::string new_tpu(std::string_view text) { return chosen("tpu:v5e", text); }
std::string old_tpu(std::string_view text) { return chosen("tpu:v2", text); }

TEST(Choose, NothingToTile) {
  EXPECT_EQ(new_tpu("f32[0,3]"), "f32[0,3]{1,0}");
  EXPECT_EQ(new_tpu("s4[3,0]"), "s4[3,0]{1,0:E(4)}");
  for (const char* target : {"cpu", "gpu"}) {
    EXPECT_EQ(chosen(target, "f32[1000,3]{0,1:T(8,128)}"), "f32[1000,3]{1,0}");
    EXPECT_EQ(chosen(target, "s4[8,3]"), "s4[8,3]{1,0:E(4)}");
    EXPECT_EQ(chosen(target, "f6e3m2fn[8]"), "f6e3m2fn[8]{0}");
    EXPECT_EQ(chosen(target, "f32[]"), "f32[]");
  }
}

TEST(Choose, OrdersThatAreKept) {
  const auto kept = [](std::string_view text) { return chosen("tpu:v5e", text, XLASHAPE_TARGET_KEEP_ORDER); };
  EXPECT_EQ(kept("f32[1000,3]{1,0}"), "f32[1000,3]{1,0:T(8,128)}");
  EXPECT_EQ(kept("f32[7,1000,3]{1,2,0:T(2,2)S(5)}"), "f32[7,1000,3]{1,2,0:T(4,128)}");
  EXPECT_EQ(kept("f32[3,0]{0,1}"), "f32[3,0]{0,1}");
  EXPECT_EQ(new_tpu("f32[1000,3]{1,0}"), "f32[1000,3]{0,1:T(4,128)}");
}

TEST(Choose, DynamicAndNested) {
  EXPECT_EQ(new_tpu("f32[<=1000,3]"), "f32[<=1000,3]{0,1:T(4,128)}");
  EXPECT_EQ(new_tpu("(f32[1000,3], (token[], bf16[7]), b(s8[3]), ())"),
            "(f32[1000,3]{0,1:T(4,128)}, (token[], bf16[7]{0:T(256)(128)(2,1)}), b(s8[3]{0:T(512)(128)(4,1)}), ())");
}

TEST(Choose, Refusals) {
  for (const char* text : {"f32[?,4]", "token[]", "opaque[]", "f6e3m2fn[4]", "f6e2m3fn[]", "(f32[4], f32[?])"})
    EXPECT_EQ(new_tpu(text), "UNSUPPORTED") << text;
  // The elements' bytes, or only those of the layout, do not fit.
  EXPECT_EQ(new_tpu("f32[2305843009213693952,3]"), "OVERFLOW");
  EXPECT_EQ(new_tpu("f32[1152921504606846976,1]"), "f32[1152921504606846976,1]{0,1:T(1,128)}");
  EXPECT_EQ(old_tpu("f32[1152921504606846976,1]"), "OVERFLOW");
  EXPECT_EQ(chosen("cpu", "f32[2305843009213693952]"), "OVERFLOW");
  for (const char* text : {"s8[9223372036854775807]", "s8[7,1317624576693539401]"})
    EXPECT_EQ(chosen("cpu", text), printed(*parsed(text)));
  EXPECT_EQ(chosen("cpu", "s1[9223372036854775807]"), "s1[9223372036854775807]{0:E(1)}");
  // As many positions as fit, but for the padding.
  EXPECT_EQ(new_tpu("u1[9223372036854771712]"), "u1[9223372036854771712]{0:T(4096)(128)(32,1)E(1)}");
  EXPECT_EQ(new_tpu("u1[9223372036854775807]"), "OVERFLOW");
  auto err = XLASHAPE_INIT(xlashape_error);
  Ref<Shape> made;
  const Ref<Shape> tuple = parsed("(f32[4], (token[], f32[5]), f32[?])");
  EXPECT_EQ(shape_for_target(*tuple, target_of("tpu:v4"), 0, &made, &err), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(err.index, 2);
}

TEST(Choose, HighRanks) {
  std::vector<int64_t> dimensions(1 << 20, 1);
  dimensions[5] = 1000;
  dimensions[7] = 3;
  Ref<Layout> layout;
  ASSERT_EQ(choose_layout(target_of("tpu:v5e"), XLASHAPE_TYPE_F32, dimensions, {}, &layout, nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_EQ(layout->minor_to_major[0], 5);
  EXPECT_EQ(layout->minor_to_major[1], (1 << 20) - 1);
  EXPECT_EQ(layout->rank(), 1 << 20);
  // As many dimensions greater than 1 as there can be, and more.
  dimensions.assign(62, 2);
  dimensions.insert(dimensions.begin(), 3, 1);
  ASSERT_EQ(choose_layout(target_of("tpu:v5e"), XLASHAPE_TYPE_U1, dimensions, {}, &layout, nullptr),
            XLASHAPE_STATUS_OVERFLOW);
  dimensions.resize(55);
  ASSERT_EQ(choose_layout(target_of("tpu:v5e"), XLASHAPE_TYPE_U8, dimensions, {}, &layout, nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_EQ(layout->minor_to_major[0], 54);
  EXPECT_EQ(layout->minor_to_major[1], 53);
}

// The rule, straight from its words, on every pair of dimensions.
TEST(Choose, NoOtherPairTakesLess) {
  std::mt19937_64 random(1);
  const auto pick = [&](int64_t bound) { return static_cast<int64_t>(random() % static_cast<uint64_t>(bound)); };
  for (int n = 0; n < 20000; ++n) {
    std::vector<int64_t> dimensions(2 + pick(4));
    for (int64_t& size : dimensions) size = pick(3) == 0 ? int64_t{1} << pick(11) : 1 + pick(300);
    const xlashape_element_type type = pick(2) == 0   ? XLASHAPE_TYPE_F32
                                       : pick(2) == 0 ? XLASHAPE_TYPE_BF16
                                                      : XLASHAPE_TYPE_U8;
    const TargetInfo& target = targets()[static_cast<size_t>(pick(static_cast<int64_t>(targets().size())))];
    Ref<Layout> best;
    ASSERT_EQ(choose_layout(target, type, dimensions, {}, &best, nullptr), XLASHAPE_STATUS_OK);
    const auto bytes = [&](Ref<Layout> layout) {
      Ref<Shape> array;
      int64_t size = -1;
      EXPECT_EQ(make_array(type, dimensions, {}, std::move(layout), &array, nullptr), XLASHAPE_STATUS_OK);
      EXPECT_EQ(array_bytes(*array, &size, nullptr), XLASHAPE_STATUS_OK);
      return size;
    };
    std::vector<int64_t> order(dimensions.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
    std::shuffle(order.begin(), order.end(), random);
    Ref<Layout> other;
    ASSERT_EQ(choose_layout(target, type, dimensions, order, &other, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_LE(bytes(best), bytes(other));
  }
}

}  // namespace
}  // namespace xlashape::core
