// Shapes: making them, asking them, their sizes.
#include <algorithm>

#include "flags.h"
#include "world.h"

namespace api_fuzz {

std::vector<int64_t> draw_dimensions(Input& input) {
  std::vector<int64_t> dimensions;
  if (input.one_in(10)) {  // rows of some thousand bytes
    dimensions = {input.within(2, 9), input.within(500, 9000)};
    return dimensions;
  }
  int64_t room = 4096;
  for (int64_t rank = input.below(6); rank > 0; --rank) {
    static constexpr int64_t kRound[] = {1, 1, 2, 4, 8, 8, 16, 32};
    int64_t size = input.one_in(3) ? input.pick(kRound) : input.within(1, 12);
    if (input.one_in(6)) size = input.one_in(10) ? 0 : input.within(1, 140);
    size = std::min(size, room);
    room /= std::max<int64_t>(size, 1);
    dimensions.push_back(size);
  }
  return dimensions;
}

std::vector<int64_t> dimensions_of(const xlashape_shape* shape) {
  std::vector<int64_t> list(static_cast<size_t>(xlashape_shape_rank(shape)));
  int64_t needed = 0;
  xlashape_shape_dimensions(shape, list.data(), static_cast<int64_t>(list.size()), &needed, nullptr);
  return list;
}

xlashape_shape* draw_array(Input& input) {
  const std::vector<int64_t> dimensions = draw_dimensions(input);
  xlashape_layout* layout = input.one_in(5) ? nullptr : draw_layout(input, dimensions);
  auto sizes = Numbers::of(dimensions, input);
  return MAKE(shapes, xlashape_shape_create_array, draw_type(input), sizes.data(), nullptr,
              static_cast<int64_t>(sizes.size()), layout, 0);
}

xlashape_shape* pick_tuple(Input& input) {
  xlashape_shape* shape = nullptr;
  for (int i = 0; i < 6; ++i) {
    shape = world.shapes.pick(input);
    if (xlashape_shape_category(shape) == XLASHAPE_CATEGORY_TUPLE) break;
  }
  return shape;
}

namespace {

void create_array(Input& input) {
  std::vector<int64_t> dimensions;
  for (int64_t rank = input.one_in(40) ? input.below(70) : input.below(6); rank > 0; --rank)
    dimensions.push_back(input.one_in(12) ? XLASHAPE_DIMENSION_UNBOUNDED : input.mostly(input.below(9), 20));
  auto sizes = Numbers::of(dimensions, input);
  Exact<uint8_t> dynamic(dimensions.size(), input);
  for (size_t i = 0; i < dynamic.size(); ++i) dynamic[i] = input.one_in(4);
  xlashape_layout* layout = input.one_in(3)   ? nullptr
                            : input.one_in(3) ? world.layouts.pick(input)
                                              : draw_layout(input, dimensions);
  const auto rank = input.one_in(60) ? input.wild() >> 60 : static_cast<int64_t>(dimensions.size());
  if (rank > static_cast<int64_t>(dimensions.size())) return;
  xlashape_shape* made =
      MAKE(shapes, xlashape_shape_create_array, draw_type(input), sizes.data(),
           input.one_in(2) ? dynamic.data() : nullptr, rank, layout, input.flags(XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT));
  if (made == nullptr) return;
  const auto got = ANSWER(int64_t, xlashape_shape_dimensions, made);
  check(!got || std::equal(got->begin(), got->end(), dimensions.begin()), "the dimensions differ");
}

void create_small(Input& input) { draw_array(input); }

void create_others(Input& input) {
  MAKE(shapes, xlashape_shape_create_token);
  MAKE(shapes, xlashape_shape_create_opaque);
  MAKE(shapes, xlashape_shape_create_buffer, world.shapes.pick(input));
}

void create_tuple(Input& input) {
  std::vector<xlashape_shape*> elements;
  for (int64_t count = input.below(5); count > 0; --count) elements.push_back(world.shapes.pick(input));
  auto list = Exact<xlashape_shape*>::of(elements, input);
  const auto count = input.one_in(60) ? input.wild() >> 63 : static_cast<int64_t>(elements.size());
  for (const xlashape_shape* element : elements)
    if (xlashape_shape_subshape_count(element) > 500) return;  // tuples of tuples would double at each step
  xlashape_shape* made = MAKE(shapes, xlashape_shape_create_tuple, list.data(), count);
  if (made != nullptr) check(GET(xlashape_shape_tuple_element_count, made) == count, "a tuple's elements");
}

void with_layout(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  xlashape_layout* layout = input.one_in(8)   ? nullptr
                            : input.one_in(4) ? world.layouts.pick(input)
                                              : draw_layout(input, dimensions_of(shape));
  xlashape_shape* made = MAKE(shapes, xlashape_shape_with_layout, shape, layout);
  if (made == nullptr || layout == nullptr) return;
  xlashape_layout* got = MAKE(layouts, xlashape_shape_layout, made);
  if (got != nullptr)
    check(GET(xlashape_layout_equal, got, layout, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
          "the layout given is not the one there");
}

void ask(Input& input) {
  xlashape_shape* shape = input.one_in(2) ? pick_tuple(input) : world.shapes.pick(input);
  xlashape_shape* other = world.shapes.pick(input);
  const xlashape_category category = GET(xlashape_shape_category, shape);
  check(category == 0 ? shape == nullptr : category >= 1 && category <= 5, "a shape's category");
  GET(xlashape_shape_element_type, shape);
  const int64_t rank = GET(xlashape_shape_rank, shape);
  const auto dimensions = ANSWER(int64_t, xlashape_shape_dimensions, shape);
  check(!dimensions || static_cast<int64_t>(dimensions->size()) == rank, "as many dimensions as the rank");
  const auto dynamic = ANSWER(uint8_t, xlashape_shape_dynamic_dimensions, shape);
  bool any = false;
  if (dynamic)
    for (const uint8_t d : *dynamic) any |= d != 0, check(d <= 1, "dynamic is neither 0 nor 1");
  check(GET(xlashape_shape_is_dynamic, shape) >= (any ? 1 : 0), "a dynamic dimension in a shape that is not");
  GET(xlashape_shape_is_unbounded, shape);
  const int32_t has_layout = GET(xlashape_shape_has_layout, shape);
  xlashape_layout* layout = MAKE(layouts, xlashape_shape_layout, shape);
  check(layout == nullptr || has_layout == 1, "a layout that is not there");
  const int64_t count = GET(xlashape_shape_tuple_element_count, shape);
  MAKE(shapes, xlashape_shape_tuple_element, shape, input.mostly(input.below(count), 20));
  check(GET(xlashape_shape_leaf_count, shape) <= GET(xlashape_shape_subshape_count, shape), "more leaves than shapes");
  const uint32_t mask = input.flags(kEqualBits);
  const int32_t equal = GET(xlashape_shape_equal, shape, other, mask);
  check(equal == GET(xlashape_shape_equal, other, shape, mask), "equality has a direction");
  GET(xlashape_shape_compatible, shape, other, mask);
  if (shape != nullptr) {
    check(GET(xlashape_shape_equal, shape, shape, mask) == 1 && GET(xlashape_shape_compatible, shape, shape, mask) == 1,
          "a shape is not equal to itself");
    const uint64_t hash = GET(xlashape_shape_hash, shape, mask);
    if (equal) check(hash == GET(xlashape_shape_hash, other, mask), "equal shapes hash differently");
  }
}

void sizes(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  xlashape_sizes empty = {};
  auto block = resized(empty, input);
  std::memset(block.data() + 4, 0xA5, block.size() - 4);
  xlashape_status status = CALL(xlashape_shape_sizes, shape, reinterpret_cast<xlashape_sizes*>(block.data()));
  if (status != XLASHAPE_STATUS_OK) {
    for (size_t i = 4; i < block.size(); ++i) check(block[i] == 0xA5, "sizes are written on failure");
  } else {
    xlashape_sizes s;
    if (block.size() >= sizeof s) {
      std::memcpy(&s, block.data(), sizeof s);
      check(s.storage_elements >= s.elements && s.bytes >= s.logical_bytes && s.data_bytes <= s.bytes,
            "sizes are in no order");
      check(s.storage_elements - s.elements == s.dimension_padding + s.tail_padding || s.dimension_padding < 0 ||
                s.storage_elements - s.elements >= s.tail_padding,
            "padding and storage disagree");
    }
  }
  int64_t number = -77;
  const auto written = [&](xlashape_status result) {
    check((result == XLASHAPE_STATUS_OK) == (number != -77), "a number is written on failure, or not on success"),
        number = -77;
  };
  written(CALL(xlashape_shape_element_count, shape, &number));
  written(CALL(xlashape_shape_byte_size, shape, input.mostly(8), input.flags(XLASHAPE_SIZE_XLA), &number));
  written(CALL(xlashape_shape_static_element_count, shape, &number));
  written(CALL(xlashape_shape_element_count_recursive, shape, &number));
  written(CALL(xlashape_shape_byte_size_recursive, shape, &number));
  written(CALL(xlashape_shape_max_elements_per_split, shape, &number));
  written(
      CALL(xlashape_shape_max_split_size, shape, input.mostly(input.below(GET(xlashape_shape_rank, shape))), &number));
  ANSWER(int64_t, xlashape_shape_strides, shape, static_cast<int32_t>(input.mostly(input.below(3))));
  ANSWER(int64_t, xlashape_shape_piece_granularity, shape);
  GET(xlashape_shape_true_rank, shape);
  GET(xlashape_shape_is_effective_scalar, shape);
}

void walk(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const int64_t rank = GET(xlashape_shape_rank, shape);
  Numbers index(static_cast<size_t>(rank), input);
  for (size_t i = 0; i < index.size(); ++i)
    index[i] = input.one_in(30) ? input.wild() : input.one_in(2) ? 0 : input.below(9);
  for (int i = 0; i < 20; ++i) {
    const int32_t inside = GET(xlashape_shape_index_in_bounds, shape, index.data(), rank);
    if (!inside && !input.one_in(8)) break;
    const int32_t more = GET(xlashape_shape_next_index, shape, index.data(), rank);
    if (inside && more)
      check(xlashape_shape_index_in_bounds(shape, index.data(), rank) == 1, "the next index is out of bounds");
    if (!more) break;
  }
  GET(xlashape_shape_index_in_bounds, shape, index.data(), input.wild() >> 63);
}

void churn(Input& input) { world.shapes.churn(input); }

constexpr Operation kOperations[] = {{create_array, 4}, {create_small, 4}, {create_others, 1},
                                     {create_tuple, 3}, {with_layout, 4},  {ask, 4},
                                     {sizes, 4},        {walk, 2},         {churn, 2}};

}  // namespace

Operations shape_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
