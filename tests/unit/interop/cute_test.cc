// SPDX-License-Identifier: Apache-2.0
// CuTe's text: on random arrays, every index taken through the printed modes lands where the index map has it.
#include <gmock/gmock.h>

#include <functional>

#include "index/index_map.h"
#include "interop/foreign.h"
#include "unit/random_shape.h"

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
    Ref<xlashape_index_map> map;
    ASSERT_EQ(make_index_map(*array, &map, nullptr), XLASHAPE_STATUS_OK);
    size_t at = 0;
    const Mode shape = read(text, at);
    ASSERT_EQ(text[at], ':');
    ++at;
    const Mode stride = read(text, at);
    ASSERT_EQ(at, text.size());
    const size_t rank = array->dimensions.size();
    std::vector<int64_t> index(rank, 0);
    std::function<void(size_t, int64_t)> visit = [&](size_t d, int64_t sum) {
      if (d == rank) {
        int64_t linear = 0;
        ASSERT_EQ(
            xlashape_index_map_linear_index(map.get(), index.data(), static_cast<int64_t>(rank), &linear, nullptr),
            XLASHAPE_STATUS_OK);
        ASSERT_EQ(linear, sum) << text;
        return;
      }
      const Mode& s = rank == 1 && !shape.list ? shape : shape.parts[d];
      const Mode& t = rank == 1 && !stride.list ? stride : stride.parts[d];
      for (index[d] = 0; index[d] < array->dimensions[d]; ++index[d]) visit(d + 1, sum + position(s, t, index[d]));
    };
    visit(0, 0);
  }
  EXPECT_GT(printed, 1000);
  EXPECT_GT(tiled, 50);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace xlashape::core::testing
