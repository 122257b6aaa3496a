// SPDX-License-Identifier: Apache-2.0
// NumPy's shape, strides and dtype: every element type both ways, strides both ways,
// and every cut and change of a text.
#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "interop/foreign.h"
#include "interop/strided.h"
#include "unit/interop/spoiled_text.h"
#include "unit/random_shape.h"

namespace xlashape::core::testing {
namespace {

TEST(Numpy, EveryTypeBothWays) {
  const std::set<int32_t> none = {};  // types that neither NumPy nor ml_dtypes has
  std::set<std::string> texts;
  for (int32_t type = 0; type < 64; ++type) {
    if (!is_array_type(type)) continue;
    const int64_t dimensions[] = {2, 3};
    Ref<Shape> array, back;
    ASSERT_EQ(make_array(type, dimensions, {}, make_column_major(2), &array, nullptr), XLASHAPE_STATUS_OK);
    std::string text;
    const Status printed = print_numpy(*array, &text, nullptr);
    EXPECT_EQ(printed != XLASHAPE_STATUS_OK, none.contains(type))
        << element_type_info(type).name() << ": its row has its name, or `none` here names it";
    if (printed != XLASHAPE_STATUS_OK) continue;
    EXPECT_TRUE(texts.insert(text).second) << text << " is the text of two types";
    ASSERT_EQ(parse_numpy(text, 0, &back, nullptr), XLASHAPE_STATUS_OK) << text;
    EXPECT_TRUE(equal(*array, *back, 0)) << text;
  }
  EXPECT_GE(texts.size(), 32u);
}

TEST(Numpy, ByteOrders) {
  const bool little = std::endian::native == std::endian::little;
  const std::string own = little ? "<" : ">", other = little ? ">" : "<";
  const auto read = [](const std::string& dtype) {
    Ref<Shape> shape;
    return parse_numpy("{'shape': (2,), 'dtype': '" + dtype + "'}", 0, &shape, nullptr);
  };
  for (const char* code : {"b1", "i1", "u1"})
    for (const std::string& order : {own, other, std::string("|"), std::string("=")})
      EXPECT_EQ(read(order + code), XLASHAPE_STATUS_OK) << order << code << ": one byte has no order";
  for (const char* code : {"i2", "i8", "u4", "f2", "f8", "c16"}) {
    EXPECT_EQ(read(own + code), XLASHAPE_STATUS_OK) << code;
    EXPECT_EQ(read(other + code), XLASHAPE_STATUS_UNSUPPORTED) << code;
  }
  EXPECT_EQ(read(own + "float32"), XLASHAPE_STATUS_PARSE) << "a name has no order";
}

TEST(Numpy, RandomStridesBothWays) {
  Random random(9);
  int printed = 0, back_again = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::vector<int64_t> dimensions = random_dimensions(random, 4, 600);
    const bool empty = std::count(dimensions.begin(), dimensions.end(), 0) > 0;
    const Ref<Shape> array = random_array(random, XLASHAPE_TYPE_F32, dimensions);
    std::string text;
    auto err = XLASHAPE_INIT(Error);
    if (print_numpy(*array, &text, &err)) {
      EXPECT_EQ(err.code, XLASHAPE_STATUS_UNSUPPORTED) << err.message;
      continue;
    }
    ++printed;
    Ref<Shape> back;
    if (parse_numpy(text, 0, &back, &err)) {
      EXPECT_EQ(err.code, XLASHAPE_STATUS_UNSUPPORTED) << text << ": " << err.message;
      continue;
    }
    ++back_again;
    // A dimension of one element has any stride, and so has every one of an array without elements.
    const Shape *one, *other;
    SmallVec<int64_t, 8> strides, again;
    ASSERT_EQ(strides_of(*array, "", &one, &strides, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(strides_of(*back, "", &other, &again, nullptr), XLASHAPE_STATUS_OK);
    for (size_t d = 0; d < strides.size(); ++d)
      if (dimensions[d] > 1 && !empty) {
        EXPECT_EQ(strides[d], again[d]) << text;
      }
  }
  EXPECT_GT(printed, 1000);
  EXPECT_GT(back_again, printed / 2);
}

// What is read of a spoiled text prints again, or there is an error; PARSE errors have a place in the text.
TEST(Numpy, EveryCutAndEveryChange) {
  const std::string whole = "{'shape': (2, 31), 'strides': (4, 8), 'dtype': 'float32'}";
  int accepted = 0;
  const auto answered = [&](const std::string& text) {
    const std::vector<char> exact(text.begin(), text.end());  // of exactly that size, for the sanitizer
    Ref<Shape> shape;
    auto err = XLASHAPE_INIT(Error);
    const Status status = parse_numpy({exact.data(), exact.size()}, 0, &shape, &err);
    if (status == XLASHAPE_STATUS_PARSE) {
      EXPECT_GE(err.offset, 0) << text;
      EXPECT_LE(err.offset, static_cast<int64_t>(text.size())) << text;
    }
    EXPECT_EQ(status == XLASHAPE_STATUS_OK, static_cast<bool>(shape)) << text;
    if (status) return;
    ++accepted;
    std::string printed;
    EXPECT_EQ(print_numpy(*shape, &printed, nullptr), XLASHAPE_STATUS_OK) << text;
  };
  for_each_spoiled_text(whole, std::string_view("\0 19',()-\xFF", 10), answered);
  EXPECT_GT(accepted, 20);
}

}  // namespace
}  // namespace xlashape::core::testing
