// New shapes from old ones: parts, layouts, dimensions, dynamism.
#include "flags.h"
#include "world.h"

namespace api_fuzz {
namespace {

void parts(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const uint32_t parts = input.flags(kPartBits);
  GET(xlashape_shape_has_parts, shape, parts);
  xlashape_shape* made = MAKE(shapes, xlashape_shape_without_parts, shape, parts);
  if (made != nullptr) check(GET(xlashape_shape_has_parts, made, parts) == 0, "parts that were taken away are there");
  GET(xlashape_shape_has_all_layouts, shape);
  xlashape_shape* row = MAKE(shapes, xlashape_shape_with_default_layouts, shape);
  if (row != nullptr) check(GET(xlashape_shape_has_all_layouts, row) == 1, "a default layout is missing");
  xlashape_shape* other = world.shapes.pick(input);
  xlashape_shape* copied = MAKE(shapes, xlashape_shape_copy_layouts, shape, other);
  if (copied != nullptr)
    check(GET(xlashape_shape_compatible, copied, other, 0) == 1, "a copied layout changed the shape");
  if (shape != nullptr) MAKE(shapes, xlashape_shape_copy_layouts, shape, shape);
}

void element_types(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  MAKE(shapes, xlashape_shape_with_packed_elements, shape);
  const xlashape_element_type type = draw_type(input);
  MAKE(shapes, xlashape_shape_with_element_type, shape, type);
  GET(xlashape_shape_has_element_type, shape, type);
  GET(xlashape_shape_leaves_have_classes, shape, input.flags(0x3FF));
  targets(input, shape);
  pictures(input, shape);
}

// Moves nothing: the index that was (i, j, k) is where it was.
void check_permuted(Input& input, const xlashape_shape* from, const xlashape_shape* to,
                    const std::vector<int64_t>& permutation) {
  xlashape_index_map* before = MAKE(maps, xlashape_index_map_create, from);
  xlashape_index_map* after = MAKE(maps, xlashape_index_map_create, to);
  if (before == nullptr || after == nullptr) return;
  const std::vector<int64_t> dimensions = dimensions_of(from);
  std::vector<int64_t> index, moved;
  for (const int64_t size : dimensions) {
    if (size <= 0) return;
    index.push_back(input.below(size));
  }
  for (const int64_t p : permutation) moved.push_back(index[static_cast<size_t>(p)]);
  int64_t a = -1, b = -2;
  const auto rank = static_cast<int64_t>(index.size());
  if (CALL(xlashape_index_map_linear_index, before, index.data(), rank, &a) != XLASHAPE_STATUS_OK) return;
  if (CALL(xlashape_index_map_linear_index, after, moved.data(), rank, &b) != XLASHAPE_STATUS_OK) return;
  check(a == b, "permuting dimensions moved an element");
}

void permute(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const int64_t rank = GET(xlashape_shape_rank, shape);
  std::vector<int64_t> order = input.permutation(rank);
  if (rank > 0 && input.one_in(20)) order[0] = input.wild();
  auto list = Numbers::of(order, input);
  const uint32_t flags = input.flags(XLASHAPE_PERMUTE_KEEP_LAYOUT);
  const int64_t given = input.one_in(40) ? rank - 1 : rank;
  xlashape_shape* made = MAKE(shapes, xlashape_shape_permute_dimensions, shape, list.data(), given, flags);
  if (made != nullptr && flags == 0 && xlashape_shape_has_layout(shape)) check_permuted(input, shape, made, order);
  MAKE(shapes, xlashape_shape_to_physical_order, shape);
}

void insert_and_delete(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const int64_t rank = GET(xlashape_shape_rank, shape);
  std::vector<int64_t> sizes;
  for (int64_t count = input.below(3); count > 0; --count)
    sizes.push_back(input.mostly(input.one_in(2) ? 1 : input.below(4)));
  auto list = Numbers::of(sizes, input);
  xlashape_shape* more =
      rank > 40 ? nullptr
                : MAKE(shapes, xlashape_shape_insert_dimensions, shape, input.mostly(input.below(rank + 1)),
                       list.data(), static_cast<int64_t>(list.size()), input.flags(XLASHAPE_INSERT_MOST_MAJOR));
  if (more != nullptr)
    check(GET(xlashape_shape_rank, more) == rank + static_cast<int64_t>(sizes.size()),
          "dimensions that were not inserted");
  std::vector<int64_t> some = input.permutation(rank);
  some.resize(static_cast<size_t>(input.below(rank + 1)));
  if (!some.empty() && input.one_in(20)) some[0] = input.wild();
  auto gone = Numbers::of(some, input);
  MAKE(shapes, xlashape_shape_delete_dimensions, shape, gone.data(), static_cast<int64_t>(gone.size()));
  MAKE(shapes, xlashape_shape_drop_degenerate_dimensions, shape);
  GET(xlashape_shape_has_degenerate_dimensions, shape);
}

void dimensions(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const int64_t rank = GET(xlashape_shape_rank, shape), dimension = input.mostly(input.below(rank));
  MAKE(shapes, xlashape_shape_with_dimension, shape, dimension, input.mostly(input.below(12), 10),
       static_cast<int32_t>(input.below(3)));
  GET(xlashape_shape_is_effectively_most_major, shape, dimension);
  GET(xlashape_shape_last_dimension_is_most_minor, shape);
  GET(xlashape_shape_is_untiled, shape);
}

void dynamism(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  xlashape_shape* fixed = MAKE(shapes, xlashape_shape_to_static, shape);
  if (fixed != nullptr) check(GET(xlashape_shape_is_dynamic, fixed) == 0, "a static shape is dynamic");
  const int64_t rank = GET(xlashape_shape_rank, shape);
  Exact<uint8_t> dynamic(static_cast<size_t>(rank), input);
  for (size_t i = 0; i < dynamic.size(); ++i) dynamic[i] = input.one_in(2);
  MAKE(shapes, xlashape_shape_with_dynamic_dimensions, shape, dynamic.data(), input.one_in(40) ? rank - 1 : rank);
  GET(xlashape_shape_is_bounded_dynamic, shape);
  GET(xlashape_shape_fits_bounds, shape, world.shapes.pick(input));
  if (shape != nullptr) check(GET(xlashape_shape_fits_bounds, shape, shape) == 1, "a shape does not fit itself");
}

constexpr Operation kOperations[] = {{parts, 2},      {element_types, 2}, {permute, 3}, {insert_and_delete, 3},
                                     {dimensions, 2}, {dynamism, 2}};

}  // namespace

Operations utility_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
