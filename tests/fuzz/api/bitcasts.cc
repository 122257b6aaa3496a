// Bitcasts and reshapes: a yes is checked where it can be, by both sides' index maps.
#include "world.h"

namespace api_fuzz {
namespace {

bool is_plain_array(const xlashape_shape* shape) {
  const xlashape_category category = xlashape_shape_category(shape);
  return (category == XLASHAPE_CATEGORY_ARRAY || category == XLASHAPE_CATEGORY_BUFFER) &&
         !xlashape_shape_is_unbounded(shape);
}

std::vector<int64_t> index_of(int64_t number, const std::vector<int64_t>& dimensions) {
  std::vector<int64_t> index(dimensions.size());
  for (size_t i = dimensions.size(); i-- > 0; number /= dimensions[i]) index[i] = number % dimensions[i];
  return index;
}

// Element `number` of both lies at one place.
void check_same_place(const xlashape_shape* a, const xlashape_shape* b, const std::vector<int64_t>& permutation,
                      Input& input, const char* what) {
  int64_t elements = 0;
  if (!is_plain_array(a) || !is_plain_array(b) || xlashape_shape_element_count(a, &elements, nullptr) != XLASHAPE_OK ||
      elements == 0)
    return;
  xlashape_index_map* left = MAKE(maps, xlashape_index_map_create, a);
  xlashape_index_map* right = MAKE(maps, xlashape_index_map_create, b);
  if (left == nullptr || right == nullptr) return;
  for (int i = 0; i < 8; ++i) {
    const int64_t number = input.below(elements);
    const std::vector<int64_t> from = index_of(number, dimensions_of(a));
    std::vector<int64_t> to;
    if (permutation.empty())
      to = index_of(number, dimensions_of(b));
    else
      for (const int64_t p : permutation) to.push_back(from[static_cast<size_t>(p)]);
    int64_t x = -1, y = -2;
    if (CALL(xlashape_index_map_linear_index, left, from.data(), static_cast<int64_t>(from.size()), &x) ==
            XLASHAPE_OK &&
        CALL(xlashape_index_map_linear_index, right, to.data(), static_cast<int64_t>(to.size()), &y) == XLASHAPE_OK)
      check(x == y, what);
  }
}

void reshape(Input& input) {
  xlashape_shape* a = world.shapes.pick(input);
  xlashape_shape* b = world.shapes.pick(input);
  const uint32_t flags = input.flags(3);
  // A shape of the same elements, laid out to make it a bitcast.
  std::vector<int64_t> dimensions = dimensions_of(a);
  if (dimensions.size() >= 2 && input.one_in(2)) {
    int64_t merged;
    if (!__builtin_mul_overflow(dimensions[0], dimensions[1], &merged)) {
      dimensions[1] = merged;
      dimensions.erase(dimensions.begin());
    }
  } else if (!dimensions.empty() && dimensions[0] % 2 == 0 && dimensions[0] > 0) {
    dimensions[0] /= 2;
    dimensions.insert(dimensions.begin(), 2);
  } else {
    dimensions.insert(dimensions.begin() + input.below(static_cast<int64_t>(dimensions.size()) + 1), 1);
  }
  auto sizes = Numbers::of(dimensions, input);
  const auto rank = static_cast<int64_t>(sizes.size());
  xlashape_layout* layout =
      rank > 60 ? nullptr : MAKE(layouts, xlashape_shape_align_layouts, a, sizes.data(), rank, flags);
  if (layout != nullptr) {
    xlashape_shape* made = MAKE(shapes, xlashape_shape_create_array, xlashape_shape_element_type(a), sizes.data(),
                                nullptr, rank, layout, 0);
    if (made != nullptr) {
      b = made;
      if ((flags & XLASHAPE_BITCAST_XLA) == 0)
        check_same_place(a, made, {}, input, "an aligned layout moves an element");
    }
  }
  if (GET(xlashape_shape_reshape_is_bitcast, a, b, flags) == 1 && (flags & XLASHAPE_BITCAST_XLA) == 0)
    check_same_place(a, b, {}, input, "a reshape that is a bitcast moves an element");
  GET(xlashape_shape_is_reshape_or_transpose_bitcast, a, b, flags);
}

void transpose(Input& input) {
  xlashape_shape* a = world.shapes.pick(input);
  const int64_t rank = GET(xlashape_shape_rank, a);
  if (rank > 40) return;
  const std::vector<int64_t> order = input.permutation(rank);
  auto list = Numbers::of(order, input);
  xlashape_shape* b = input.one_in(4) ? world.shapes.pick(input)
                                      : MAKE(shapes, xlashape_shape_permute_dimensions, a, list.data(), rank, 0);
  const uint32_t flags = input.flags(3);
  if (GET(xlashape_shape_transpose_is_bitcast, a, b, list.data(), input.one_in(40) ? rank - 1 : rank, flags) == 1 &&
      (flags & XLASHAPE_BITCAST_XLA) == 0 && rank > 0)
    check_same_place(a, b, order, input, "a transpose that is a bitcast moves an element");
  const auto found = ANSWER(int64_t, xlashape_shape_deduce_transpose, a, b, flags);
  if (found && !found->empty() && (flags & XLASHAPE_BITCAST_XLA) == 0)
    check_same_place(a, b, *found, input, "a transpose that was deduced moves an element");
}

void ones(Input& input) {
  xlashape_shape* a = world.shapes.pick(input);
  xlashape_shape* b =
      input.one_in(2) ? world.shapes.pick(input) : MAKE(shapes, xlashape_shape_drop_degenerate_dimensions, a);
  int64_t gone = -7, come = -7;
  if (CALL(xlashape_shape_inserted_or_deleted_ones, a, b, nullptr, 0, &gone, nullptr, 0, &come) != XLASHAPE_OK) return;
  check(gone >= 0 && come >= 0, "needed is not set");
  const int64_t room[] = {std::max<int64_t>(0, gone - input.one_in(4)),
                          std::max<int64_t>(0, come + input.within(-1, 1))};
  Numbers deleted(static_cast<size_t>(room[0]), input), inserted(static_cast<size_t>(room[1]), input);
  int64_t gone_again = -7, come_again = -7;
  const xlashape_status status = CALL(xlashape_shape_inserted_or_deleted_ones, a, b, deleted.data(), room[0],
                                      &gone_again, inserted.data(), room[1], &come_again);
  if (status == XLASHAPE_NO_MEMORY) return;
  check(gone_again == gone && come_again == come, "needed differs when asked again");
  if (status != XLASHAPE_OK)
    check(deleted.is_untouched() && inserted.is_untouched(), "an answer is written on failure");
}

constexpr Operation kOperations[] = {{reshape, 4}, {transpose, 3}, {ones, 1}};

}  // namespace

Operations bitcast_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
