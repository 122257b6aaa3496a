// SPDX-License-Identifier: Apache-2.0
// CuTe's text: on random arrays, every index taken through the printed modes lands where the index map has it.
#include <gmock/gmock.h>

#include <functional>

#include "index/index_map.h"
#include "interop/foreign.h"
#include "unit/random_shape.h"
#include "xlashape_interop.h"

namespace xlashape::core::testing {
namespace {

// A mode: a number, or a list of modes.
struct Mode {
  int64_t number = 0;
  std::vector<Mode> parts;
  bool list = false;
};

Mode read(const std::string& text, size_t& at) {
  Mode mode;
  if (text[at] != '(') {
    mode.number = std::stoll(text.substr(at));
    while (at < text.size() && (text[at] == '-' || (text[at] >= '0' && text[at] <= '9'))) ++at;
    return mode;
  }
  mode.list = true;
  ++at;
  while (text[at] != ')') {
    mode.parts.push_back(read(text, at));
    if (text[at] == ',') ++at;
  }
  ++at;
  return mode;
}

// CuTe's own rule: a coordinate into a mode of several runs through them, the first fastest.
int64_t position(const Mode& shape, const Mode& stride, int64_t coordinate) {
  if (!shape.list) return coordinate * stride.number;
  int64_t result = 0;
  for (size_t i = 0; i < shape.parts.size(); ++i) {
    result += coordinate % shape.parts[i].number * stride.parts[i].number;
    coordinate /= shape.parts[i].number;
  }
  return result;
}

// Each element of the array lies where CuTe's rule says.
void expect_positions(const Shape& array, const std::string& text) {
  Ref<xlashape_index_map> map;
  ASSERT_EQ(make_index_map(array, &map, nullptr), XLASHAPE_STATUS_OK);
  size_t at = 0;
  const Mode shape = read(text, at);
  ASSERT_EQ(text[at], ':');
  ++at;
  const Mode stride = read(text, at);
  ASSERT_EQ(at, text.size());
  const size_t rank = array.dimensions.size();
  std::vector<int64_t> index(rank, 0);
  std::function<void(size_t, int64_t)> visit = [&](size_t d, int64_t sum) {
    if (d == rank) {
      int64_t linear = 0;
      ASSERT_EQ(xlashape_index_map_linear_index(map.get(), index.data(), static_cast<int64_t>(rank), &linear, nullptr),
                XLASHAPE_STATUS_OK);
      ASSERT_EQ(linear, sum) << text;
      return;
    }
    const Mode& s = rank == 1 && !shape.list ? shape : shape.parts[d];
    const Mode& t = rank == 1 && !stride.list ? stride : stride.parts[d];
    for (index[d] = 0; index[d] < array.dimensions[d]; ++index[d]) visit(d + 1, sum + position(s, t, index[d]));
  };
  visit(0, 0);
}

TEST(Cute, RandomArraysLieAsPrinted) {
  Random random(11);
  int printed = 0, tiled = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const Ref<Shape> array = random_array(random, XLASHAPE_TYPE_F32, random_dimensions(random, 4, 600));
    std::string text;
    auto err = XLASHAPE_INIT(Error);
    if (print_cute(*array, &text, &err)) {
      EXPECT_EQ(err.code, XLASHAPE_STATUS_UNSUPPORTED);
      ++refused;
      continue;
    }
    ++printed;
    tiled += text.find("((") != std::string::npos || text.find(",(") != std::string::npos;
    expect_positions(*array, text);
    // And read again, as the same one.
    Ref<Shape> again;
    ASSERT_EQ(parse_cute(text, XLASHAPE_TYPE_F32, 0, &again, &err), XLASHAPE_STATUS_OK) << text << ": " << err.message;
    ASSERT_EQ(again->dimensions, array->dimensions) << text;
    expect_positions(*again, text);
  }
  EXPECT_GT(printed, 1000);
  EXPECT_GT(tiled, 50);
  EXPECT_GT(refused, 200);
}

// Parts in any order, but for a dimension's own, with any gaps: between rows, within a dimension, between elements.
TEST(Cute, RandomModesAreRead) {
  Random random(5);
  int gaps = 0, tiled = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto rank = static_cast<size_t>(random.in(1, 3));
    std::vector<std::string> sizes(rank), strides(rank);
    int64_t stride = random.chance(70) ? 1 : random.in(1, 3);
    bool gap = stride != 1, uneven = false;
    const int64_t parts = random.in(1, 7);
    for (int64_t k = 0; k < parts; ++k) {  // the fastest first
      const auto d = static_cast<size_t>(random.in(0, static_cast<int64_t>(rank) - 1));
      const int64_t size = random.in(1, 4);
      sizes[d] += (sizes[d].empty() ? "" : ",") + std::to_string(size);
      strides[d] += (strides[d].empty() ? "" : ",") + std::to_string(stride);
      const int64_t room = size + (random.chance(70) ? 0 : random.in(0, 5));
      gap |= room != size && k + 1 < parts;
      uneven |= room % size != 0 && k + 1 < parts;
      stride *= room;
    }
    std::string text = "(", behind = "):(";
    for (size_t d = 0; d < rank; ++d) {
      text += (d > 0 ? ",(" : "(") + (sizes[d].empty() ? "1" : sizes[d]) + ")";
      behind += (d > 0 ? ",(" : "(") + (strides[d].empty() ? "0" : strides[d]) + ")";
    }
    text += behind + ")";
    Ref<Shape> array;
    auto err = XLASHAPE_INIT(Error);
    ASSERT_EQ(parse_cute(text, XLASHAPE_TYPE_F32, 0, &array, &err), XLASHAPE_STATUS_OK) << text << ": " << err.message;
    expect_positions(*array, text);
    tiled += array->layout->has_tiles();
    std::string again;
    if (!uneven || print_cute(*array, &again, nullptr) == XLASHAPE_STATUS_OK) {
      again.clear();
      ASSERT_EQ(print_cute(*array, &again, &err), XLASHAPE_STATUS_OK) << text << ": " << err.message;
      expect_positions(*array, again);
    }
    Ref<Shape> compact;
    const Status status = parse_cute(text, XLASHAPE_TYPE_F32, XLASHAPE_STRIDES_COMPACT, &compact, &err);
    if (status == XLASHAPE_STATUS_OK) {
      ASSERT_FALSE(compact->layout->has_padding()) << text;
      expect_positions(*compact, text);
    } else {
      ASSERT_TRUE(gap) << text << ": " << err.message;
      ASSERT_EQ(status, XLASHAPE_STATUS_UNSUPPORTED);
      ++gaps;
    }
  }
  EXPECT_GT(gaps, 1000);
  EXPECT_GT(tiled, 1500);
}

}  // namespace
}  // namespace xlashape::core::testing
