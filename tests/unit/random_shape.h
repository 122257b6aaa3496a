/* SPDX-License-Identifier: Apache-2.0 */
// Random arrays and layouts for property tests: everything that decides where elements lie,
// small enough to walk one by one.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "backends/common/sanitizer.h"
#include "layout/validate.h"
#include "shape/shape.h"

namespace xlashape::core::testing {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t in(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  bool chance(int percent) { return in(1, 100) <= percent; }
  template <class T>
  const T& of(const std::vector<T>& items) {
    return items[static_cast<size_t>(in(0, static_cast<int64_t>(items.size()) - 1))];
  }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64 engine_;
};

// How many random cases: XLASHAPE_TEST_CASES, else as many as is usual; an eighth of that where a sanitizer makes each
// ten times as slow. What is left out there the tests at real sizes make up for,
// as they run between pages that nobody may touch.
inline int64_t case_count(int64_t usual) {
  if (const char* given = std::getenv("XLASHAPE_TEST_CASES")) return std::atoll(given);
#if XLASHAPE_ADDRESS_SANITIZER || XLASHAPE_THREAD_SANITIZER
  return (usual + 7) / 8;
#else
  return usual;
#endif
}

struct LayoutLimits {
  int64_t max_tile = 8;
  bool tiles = true, padding = true, tail = true, element_size = true;
  bool lacks_order = true;  // now and then a memory space and no minor_to_major
};

inline std::vector<int64_t> random_dimensions(Random& random, int64_t max_rank, int64_t max_elements) {
  std::vector<int64_t> dimensions(static_cast<size_t>(random.in(0, max_rank)));
  int64_t room = max_elements;
  const bool tiny = random.chance(3);  // nothing, or one element
  for (int64_t& d : dimensions) {
    d = tiny                ? random.in(0, 1)
        : random.chance(15) ? 1
                            : random.in(random.chance(3) ? 0 : 1, std::min<int64_t>(std::max<int64_t>(room, 1), 40));
    room /= std::max<int64_t>(d, 1);
  }
  std::shuffle(dimensions.begin(), dimensions.end(), random.engine());
  return dimensions;
}

inline Ref<Layout> random_layout(Random& random, const std::vector<int64_t>& dimensions, xlashape_element_type type,
                                 const LayoutLimits& limits = {}) {
  auto layout = Ref<Layout>::adopt(new Layout);
  const auto rank = static_cast<int64_t>(dimensions.size());
  std::vector<int64_t> order(dimensions.size());
  for (int64_t i = 0; i < rank; ++i) order[static_cast<size_t>(i)] = rank - 1 - i;
  if (random.chance(70)) std::shuffle(order.begin(), order.end(), random.engine());
  layout->minor_to_major.assign(order);
  if (limits.padding && random.chance(25)) {
    for (const int64_t d : dimensions)
      layout->padded_dimensions.push_back(d + (random.chance(50) ? random.in(0, 3) : 0));
    layout->padding_value = static_cast<int32_t>(random.in(0, 5));
  }
  if (limits.tiles && random.chance(60)) {
    const int64_t levels = random.in(1, 3);
    const bool ones = random.chance(6);  // tiles that hold one position, whatever their rank
    for (int64_t level = 0; level < levels; ++level) {
      const int64_t size = random.in(1, std::clamp<int64_t>(rank + 1, 2, 4));
      layout->tile_ranks.push_back(size);
      for (int64_t i = 0; i < size; ++i) {
        const bool combine = i + 1 < size && random.chance(15);
        const int64_t power = int64_t{1} << random.in(0, 3);
        layout->tile_dimensions.push_back(combine             ? XLASHAPE_COMBINE_DIMENSION
                                          : ones              ? 1
                                          : random.chance(60) ? power
                                                              : random.in(1, limits.max_tile));
      }
    }
  }
  if (limits.tail && random.chance(20)) layout->tail_padding_alignment = random.in(1, 16);
  const ElementTypeInfo& info = element_type_info(type);
  if (limits.element_size && random.chance((info.classes & XLASHAPE_CLASS_SUB_BYTE) ? 60 : 10)) {
    std::vector<int64_t> widths;
    const int64_t least =
        type == XLASHAPE_TYPE_PRED || (info.classes & XLASHAPE_CLASS_SUB_BYTE) ? info.bits : info.storage_bits;
    for (const int64_t w : {1, 2, 4, 8, 16, 32, 64, 128})
      if (w >= least) widths.push_back(w);
    layout->element_size_in_bits = random.of(widths);
  }
  if (layout->has_tiles() && random.chance(25)) {
    int64_t& size = layout->tile_dimensions[static_cast<size_t>(random.in(0, layout->tile_dimensions.ssize() - 1))];
    if (size != XLASHAPE_COMBINE_DIMENSION) size = XLASHAPE_MATCH_DIMENSION;
  }
  if (limits.lacks_order && !layout->has_padding() && rank > 0 && random.chance(4)) {
    layout->minor_to_major.clear();
    layout->memory_space = random.chance(50) ? 5 : random.in(1, 127);
  }
  return layout;
}

inline Ref<Shape> random_array(Random& random, xlashape_element_type type, const std::vector<int64_t>& dimensions,
                               const LayoutLimits& limits = {}) {
  Ref<Shape> shape;
  auto err = XLASHAPE_INIT(xlashape_error);
  Ref<Layout> layout = random_layout(random, dimensions, type, limits);
  if (validate_layout(*layout, &err) || make_array(type, dimensions, {}, std::move(layout), &shape, &err))
    throw std::runtime_error(err.message);
  return shape;
}

inline const std::vector<xlashape_element_type>& all_types() {
  static const std::vector<xlashape_element_type> types = {
      XLASHAPE_TYPE_PRED, XLASHAPE_TYPE_S1,  XLASHAPE_TYPE_U2,  XLASHAPE_TYPE_S4,  XLASHAPE_TYPE_U4,  XLASHAPE_TYPE_S8,
      XLASHAPE_TYPE_BF16, XLASHAPE_TYPE_F32, XLASHAPE_TYPE_F64, XLASHAPE_TYPE_C64, XLASHAPE_TYPE_C128};
  return types;
}

}  // namespace xlashape::core::testing
