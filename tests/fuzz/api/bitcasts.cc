// Bitcasts and reshapes: a yes is checked where it can be, by both sides' index maps.
#include <algorithm>

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
  if (!is_plain_array(a) || !is_plain_array(b) ||
      xlashape_shape_element_count(a, &elements, nullptr) != XLASHAPE_STATUS_OK || elements == 0)
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
            XLASHAPE_STATUS_OK &&
        CALL(xlashape_index_map_linear_index, right, to.data(), static_cast<int64_t>(to.size()), &y) ==
            XLASHAPE_STATUS_OK)
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
  if (CALL(xlashape_shape_inserted_or_deleted_ones, a, b, nullptr, 0, &gone, nullptr, 0, &come) != XLASHAPE_STATUS_OK)
    return;
  check(gone >= 0 && come >= 0, "needed is not set");
  const int64_t room[] = {std::max<int64_t>(0, gone - input.one_in(4)),
                          std::max<int64_t>(0, come + input.within(-1, 1))};
  Numbers deleted(static_cast<size_t>(room[0]), input), inserted(static_cast<size_t>(room[1]), input);
  int64_t gone_again = -7, come_again = -7;
  const xlashape_status status = CALL(xlashape_shape_inserted_or_deleted_ones, a, b, deleted.data(), room[0],
                                      &gone_again, inserted.data(), room[1], &come_again);
  if (status == XLASHAPE_STATUS_NO_MEMORY) return;
  check(gone_again == gone && come_again == come, "needed differs when asked again");
  if (status != XLASHAPE_STATUS_OK)
    check(deleted.is_untouched() && inserted.is_untouched(), "an answer is written on failure");
}

bool keeps_order(Numbers& permutation) {
  for (size_t i = 0; i < permutation.size(); ++i)
    if (permutation[i] != static_cast<int64_t>(i)) return false;
  return true;
}

// Another view of the memory of `a`, mostly: reshaped where it stays together, then transposed.
xlashape_shape* draw_view(Input& input, xlashape_shape* a) {
  if (input.one_in(4)) return world.shapes.pick(input);
  xlashape_shape* b = input.one_in(3) ? a : MAKE(shapes, xlashape_shape_to_physical_order, a);
  if (b == nullptr || !is_plain_array(b)) return a;
  std::vector<int64_t> sizes = dimensions_of(b);
  int64_t merged;
  if (sizes.size() >= 2 && input.one_in(2) && !__builtin_mul_overflow(sizes[0], sizes[1], &merged)) {
    sizes[1] = merged;
    sizes.erase(sizes.begin());
  } else if (!sizes.empty() && sizes[0] % 2 == 0 && sizes[0] > 0 && sizes.size() < 20) {
    sizes[0] /= 2;
    sizes.insert(sizes.begin(), 2);
  }
  auto list = Numbers::of(sizes, input);
  const auto rank = static_cast<int64_t>(sizes.size());
  if (xlashape_layout* layout = MAKE(layouts, xlashape_shape_align_layouts, b, list.data(), rank, 0)) {
    xlashape_shape* cut = MAKE(shapes, xlashape_shape_create_array, xlashape_shape_element_type(b), list.data(),
                               nullptr, rank, layout, 0);
    if (cut != nullptr) b = cut;
  }
  if (input.one_in(3)) return b;
  auto order = Numbers::of(input.permutation(xlashape_shape_rank(b)), input);
  xlashape_shape* turned =
      MAKE(shapes, xlashape_shape_permute_dimensions, b, order.data(), static_cast<int64_t>(order.size()), 0);
  return turned != nullptr ? turned : b;
}

// The parts of a bitcast move nothing, each by itself.
void decompose(Input& input) {
  xlashape_shape* a = input.one_in(3) ? world.shapes.pick(input) : draw_array(input);
  xlashape_shape* b = draw_view(input, a);
  const uint32_t flags = input.flags(input.one_in(4) ? 3 : XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE);
  xlashape_bitcast_kind kind = -7;
  int64_t sizes[2] = {-7, -7}, again[2] = {-7, -7};
  const bool simple = GET(xlashape_shape_is_reshape_or_transpose_bitcast, a, b, flags) == 1;
  const xlashape_status asked = CALL(xlashape_shape_decompose_bitcast, a, b, flags, &kind, nullptr, 0, &sizes[0],
                                     nullptr, nullptr, nullptr, 0, &sizes[1]);
  check((asked == XLASHAPE_STATUS_OK) == (kind != -7), "a kind is written on failure, or not on success");
  check(asked != XLASHAPE_STATUS_NOT_FOUND || !simple, "a bitcast has no parts");
  if (asked != XLASHAPE_STATUS_OK) return;
  check(kind >= XLASHAPE_BITCAST_KIND_RESHAPE && kind <= XLASHAPE_BITCAST_KIND_TRT, "a kind of bitcast");
  check(sizes[0] == GET(xlashape_shape_rank, a) && sizes[1] == GET(xlashape_shape_rank, b), "needed of the transposes");
  const int64_t room[] = {std::max<int64_t>(0, sizes[0] - input.one_in(6)),
                          std::max<int64_t>(0, sizes[1] + input.within(-1, 4) / 2)};
  Numbers first(static_cast<size_t>(room[0]), input), second(static_cast<size_t>(room[1]), input);
  xlashape_shape* const nothing = reinterpret_cast<xlashape_shape*>(uintptr_t{0x5A50});
  xlashape_shape *from = nothing, *to = nothing;
  const bool want_from = !input.one_in(8), want_to = !input.one_in(8);
  kind = -7;
  const xlashape_status status =
      CALL(xlashape_shape_decompose_bitcast, a, b, flags, &kind, first.data(), room[0], &again[0],
           want_from ? &from : nullptr, want_to ? &to : nullptr, second.data(), room[1], &again[1]);
  check((status == XLASHAPE_STATUS_OK && want_from) == (from != nothing) &&
            (status == XLASHAPE_STATUS_OK && want_to) == (to != nothing),
        "a shape is written on failure, or not on success");
  if (from != nothing) world.shapes.drop(from);
  if (to != nothing) world.shapes.drop(to);
  if (status == XLASHAPE_STATUS_NO_MEMORY) return;
  check(again[0] == sizes[0] && again[1] == sizes[1], "needed differs when asked again");
  if (status != XLASHAPE_STATUS_OK) {
    check(kind == -7 && first.is_untouched() && second.is_untouched(), "an answer is written on failure");
    return;
  }
  if (room[0] < sizes[0] || room[1] != sizes[1] || from == nothing || to == nothing) return;
  check(kind == XLASHAPE_BITCAST_KIND_TRT || keeps_order(second), "the second transpose is one");
  check(kind != XLASHAPE_BITCAST_KIND_RESHAPE || keeps_order(first), "the first transpose is one");
  if ((flags & XLASHAPE_BITCAST_XLA) != 0) return;
  const auto list = [](Numbers& numbers) {
    return std::vector<int64_t>(numbers.data(), numbers.data() + numbers.size());
  };
  check_same_place(a, from, list(first), input, "the first transpose moves an element");
  check_same_place(from, to, {}, input, "the reshape moves an element");
  check_same_place(to, b, list(second), input, "the second transpose moves an element");
}

constexpr Operation kOperations[] = {{reshape, 4}, {transpose, 3}, {decompose, 4}, {ones, 1}};

}  // namespace

Operations bitcast_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
