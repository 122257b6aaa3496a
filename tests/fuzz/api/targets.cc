// Targets: their facts, and the layouts that their compilers choose. Called by an operation of utilities.cc, so that the
// seeds reach it and mean what they meant.
#include "world.h"

namespace api_fuzz {
namespace {

void facts(Input& input, xlashape_target target) {
  if (const char* name = GET(xlashape_target_name, target)) {
    auto text = Exact<char>::of(std::string(name), input);
    const bool damaged = input.one_in(8);
    if (damaged) text[0] = '#';
    xlashape_target found = -7;
    const xlashape_status status =
        CALL(xlashape_target_from_name, text.data(), static_cast<int64_t>(text.size()), &found);
    check(status == XLASHAPE_STATUS_OK ? found == target && !damaged : found == -7, "the target of a name");
  }
  xlashape_target_info untold = {};
  auto block = resized(untold, input);
  auto* info = reinterpret_cast<xlashape_target_info*>(block.data());
  const size_t room = block.size();
  const xlashape_status status = CALL(xlashape_target_properties, target, info);
  check(status != XLASHAPE_STATUS_OK || info->struct_size <= room, "a struct is written beyond its end");
  const int64_t elements = input.mostly(input.below(1000), 10);
  int64_t bytes = -7;
  if (CALL(xlashape_target_tuple_bytes, target, elements, &bytes) == XLASHAPE_STATUS_OK)
    check(bytes / 4 >= elements && bytes / 8 <= elements + 256, "the bytes of a table of pointers");
  TEXT(xlashape_target_memory_space_name, target, input.mostly(input.below(8), 10));
}

// What is chosen fits the array, which then has a size.
void layout(Input& input, xlashape_target target) {
  const std::vector<int64_t> dimensions = draw_dimensions(input);
  const auto rank = static_cast<int64_t>(dimensions.size());
  const xlashape_element_type type = draw_type(input);
  auto sizes = Numbers::of(dimensions, input);
  const std::vector<int64_t> order = input.permutation(rank);
  auto minor_to_major = Numbers::of(order, input);
  const bool ordered = input.one_in(2);
  if (ordered && rank > 0 && input.one_in(10)) minor_to_major[0] = input.wild();
  xlashape_layout* chosen = MAKE(layouts, xlashape_target_layout, target, type, sizes.data(),
                                 ordered ? minor_to_major.data() : nullptr, rank);
  if (chosen == nullptr) return;
  if (ordered)
    if (const auto kept = ANSWER(int64_t, xlashape_layout_minor_to_major, chosen))
      check(*kept == order, "an order that was given is not kept");
  xlashape_shape* array = MAKE(shapes, xlashape_shape_create_array, type, sizes.data(), nullptr, rank, chosen, 0u);
  if (array == nullptr) return check(ended.was_refused_memory, "a layout that was chosen does not fit its array");
  int64_t bytes = -1;
  const xlashape_status status = CALL(xlashape_shape_byte_size, array, 8, 0, &bytes);
  check(status == XLASHAPE_STATUS_OK || status == XLASHAPE_STATUS_NO_MEMORY, "an array of a chosen layout has no size");
}

}  // namespace

void targets(Input& input, xlashape_shape* shape) {
  const auto target = static_cast<xlashape_target>(input.mostly(1 + input.below(9), 20));
  facts(input, target);
  layout(input, target);
  const uint32_t flags = input.flags(XLASHAPE_TARGET_KEEP_ORDER);
  xlashape_shape* made = MAKE(shapes, xlashape_shape_for_target, shape, target, flags);
  if (made == nullptr) return;
  check(GET(xlashape_shape_compatible, shape, made, 0) == 1, "another shape for a target");
  xlashape_shape* again = MAKE(shapes, xlashape_shape_for_target, made, target, XLASHAPE_TARGET_KEEP_ORDER);
  if (again != nullptr) check(GET(xlashape_shape_equal, made, again, 0) == 1, "the same order gets other tiles");
}

}  // namespace api_fuzz
