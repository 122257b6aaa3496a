// SPDX-License-Identifier: Apache-2.0
// MLIR's tensor types: every element type both ways, dynamic dimensions both ways, and every cut and change of a text.
#include <gmock/gmock.h>

#include <set>

#include "interop/foreign.h"
#include "unit/interop/spoiled_text.h"
#include "unit/random_shape.h"

namespace xlashape::core::testing {
namespace {

TEST(Mlir, EveryTypeBothWays) {
  const std::set<int32_t> none = {XLASHAPE_TYPE_S1};  // its name, i1, is pred's
  std::set<std::string> texts;
  for (int32_t type = 0; type < 64; ++type) {
    if (!is_array_type(type)) continue;
    const int64_t dimensions[] = {2, 3};
    Ref<Shape> array, back;
    int64_t offset;
    ASSERT_EQ(make_array(type, dimensions, {}, nullptr, &array, nullptr), XLASHAPE_STATUS_OK);
    std::string text;
    const Status printed = print_mlir(*array, 0, &text, nullptr);
    EXPECT_EQ(printed != XLASHAPE_STATUS_OK, none.contains(type))
        << element_type_info(type).name() << ": its row has its name, or `none` here names it";
    if (printed != XLASHAPE_STATUS_OK) continue;
    EXPECT_TRUE(texts.insert(text).second) << text << " is the text of two types";
    ASSERT_EQ(parse_mlir(text, 0, &offset, &back, nullptr), XLASHAPE_STATUS_OK) << text;
    EXPECT_EQ(back->element_type, type) << text;
  }
  EXPECT_GE(texts.size(), 31u);
}

TEST(Mlir, DynamicDimensionsBothWays) {
  Random random(6);
  for (int i = 0; i < 2000; ++i) {
    std::vector<int64_t> dimensions = random_dimensions(random, 4, 600);
    std::vector<uint8_t> dynamic;
    for (int64_t& size : dimensions) {
      dynamic.push_back(random.chance(40));
      if (dynamic.back() && random.chance(40)) size = XLASHAPE_DIMENSION_UNBOUNDED;
    }
    Ref<Shape> array, back;
    int64_t offset;
    Ref<Layout> layout = make_row_major(static_cast<int64_t>(dimensions.size()));
    ASSERT_EQ(make_array(XLASHAPE_TYPE_BF16, dimensions, dynamic, std::move(layout), &array, nullptr),
              XLASHAPE_STATUS_OK);
    std::string text;
    auto err = XLASHAPE_INIT(Error);
    ASSERT_EQ(print_mlir(*array, 0, &text, &err), XLASHAPE_STATUS_OK) << err.message;
    ASSERT_EQ(parse_mlir(text, 0, &offset, &back, &err), XLASHAPE_STATUS_OK) << text << ": " << err.message;
    EXPECT_TRUE(equal(*array, *back, 0)) << text;
  }
}

// What is read of a spoiled text is a shape that prints as a text of the same shape, or an error with a place in it.
TEST(Mlir, EveryCutAndEveryChange) {
  const std::string whole = "tensor<?x14x?xcomplex<f32>, #stablehlo.bounds<8, ?, ?>>";
  int accepted = 0;
  const auto answered = [&](const std::string& text) {
    const std::vector<char> exact(text.begin(), text.end());  // of exactly that size, for the sanitizer
    Ref<Shape> shape, again;
    int64_t offset;
    auto err = XLASHAPE_INIT(Error);
    if (parse_mlir({exact.data(), exact.size()}, 0, &offset, &shape, &err)) {
      EXPECT_GE(err.offset, 0) << text;
      EXPECT_LE(err.offset, static_cast<int64_t>(text.size())) << text;
      EXPECT_FALSE(shape);
      return;
    }
    ++accepted;
    std::string printed;
    ASSERT_EQ(print_mlir(*shape, 0, &printed, nullptr), XLASHAPE_STATUS_OK) << text;
    ASSERT_EQ(parse_mlir(printed, 0, &offset, &again, nullptr), XLASHAPE_STATUS_OK) << printed;
    EXPECT_TRUE(equal(*shape, *again, 0)) << text;
  };
  for_each_spoiled_text(whole, std::string_view("\0 ?9x,<>-\xFF", 10), answered);
  EXPECT_GT(accepted, 20);
}

}  // namespace
}  // namespace xlashape::core::testing
