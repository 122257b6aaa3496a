// Tuples: paths, visits, parts of them; and program shapes.
#include "flags.h"
#include "world.h"

namespace api_fuzz {
namespace {

bool is_large(const xlashape_shape* shape) { return xlashape_shape_subshape_count(shape) > 500; }

// A path into the shape, mostly one that is there.
std::vector<int64_t> draw_path(Input& input, const xlashape_shape* shape) {
  std::vector<int64_t> path;
  const xlashape_shape* at = shape;
  xlashape_shape* inner = nullptr;
  while (path.size() < 8 && !input.one_in(4)) {
    const int64_t count = xlashape_shape_tuple_element_count(at);
    if (count == 0) break;
    path.push_back(input.mostly(input.below(count)));
    inner = nullptr;
    if (xlashape_shape_tuple_element(at, path.back(), &inner, nullptr) != XLASHAPE_STATUS_OK) break;
    world.shapes.drop(inner);
    at = inner;
  }
  return path;
}

void subshapes(Input& input) {
  xlashape_shape* shape = pick_tuple(input);
  auto path = Numbers::of(draw_path(input, shape), input);
  const auto length = input.one_in(60) ? -1 : static_cast<int64_t>(path.size());
  xlashape_shape* part = MAKE(shapes, xlashape_shape_subshape, shape, path.data(), length);
  xlashape_shape* other = world.shapes.pick(input);
  if (is_large(shape) || is_large(other)) return;
  xlashape_shape* made = MAKE(shapes, xlashape_shape_replace_subshape, shape, path.data(), length, other);
  if (made == nullptr) return;
  xlashape_shape* back = MAKE(shapes, xlashape_shape_subshape, made, path.data(), length);
  if (back != nullptr) check(GET(xlashape_shape_equal, back, other, 0) == 1, "what was put at a path is not there");
  if (part == nullptr) return;
  xlashape_shape* restored = MAKE(shapes, xlashape_shape_replace_subshape, made, path.data(), length, part);
  if (restored != nullptr)
    check(GET(xlashape_shape_equal, restored, shape, 0) == 1, "putting back gives another shape");
}

void visit(Input& input) {
  xlashape_shape* shape = pick_tuple(input);
  const uint32_t flags = input.flags(7);
  const int64_t capacity = input.below(12);
  Numbers path(static_cast<size_t>(capacity), input);
  int64_t length = -1, visited = 0;
  const bool known = (flags & ~7u) == 0, missing = (flags & XLASHAPE_VISIT_MISSING_LAYOUTS) != 0;
  for (int i = 0; i < 60; ++i) {
    const int64_t before = length;
    xlashape_shape* const nothing = reinterpret_cast<xlashape_shape*>(uintptr_t{0x5A50});
    xlashape_shape* part = nothing;
    const bool wanted = input.one_in(2);
    const xlashape_status status =
        CALL(xlashape_shape_next_subshape, shape, flags, path.data(), capacity, &length, wanted ? &part : nullptr);
    if (status != XLASHAPE_STATUS_OK) {
      check(length == before && part == nothing, "a visit that failed moved");
      if (status == XLASHAPE_STATUS_NOT_FOUND && known) {
        const int64_t all = (flags & XLASHAPE_VISIT_LEAVES) ? GET(xlashape_shape_leaf_count, shape)
                                                            : GET(xlashape_shape_subshape_count, shape);
        check(missing ? (visited == 0) == (GET(xlashape_shape_has_all_layouts, shape) == 1) && visited <= all
                      : visited == all,
              "a visit ended early or late");
      }
      return;
    }
    ++visited;
    check(length >= 0 && length <= capacity, "a path longer than its room");
    if (!wanted) continue;
    world.shapes.add(part, input);
    check(!missing || GET(xlashape_shape_has_all_layouts, part) == 0, "a visit to a shape that has its layout");
  }
}

void derive(Input& input) {
  xlashape_shape* tuple = pick_tuple(input);
  xlashape_shape* element = world.shapes.pick(input);
  const uint32_t mask = input.flags(kEqualBits | XLASHAPE_EQUAL_STRUCTURE_ONLY);
  check(!GET(xlashape_shape_is_prefix, tuple, element, mask) ||
            GET(xlashape_shape_is_prefix, tuple, element, mask | XLASHAPE_EQUAL_STRUCTURE_ONLY) == 1,
        "a prefix has other tuples");
  if (GET(xlashape_shape_is_prefix, tuple, element, XLASHAPE_EQUAL_STRUCTURE_ONLY) == 1 &&
      GET(xlashape_shape_is_prefix, element, tuple, XLASHAPE_EQUAL_STRUCTURE_ONLY) == 1)
    check(GET(xlashape_shape_subshape_count, tuple) == GET(xlashape_shape_subshape_count, element),
          "shapes of one structure differ in it");
  if (tuple != nullptr) check(GET(xlashape_shape_is_prefix, tuple, tuple, mask) == 1, "a shape is no prefix of itself");
  if (is_large(tuple) || is_large(element)) return;
  const int64_t count = GET(xlashape_shape_tuple_element_count, tuple), first = input.mostly(input.below(count + 1));
  xlashape_shape* slice =
      MAKE(shapes, xlashape_shape_slice_tuple, tuple, first,
           input.mostly(first >= 0 && first < count ? first + input.below(count - first + 1) : count));
  if (slice != nullptr) {
    check(GET(xlashape_shape_category, slice) == XLASHAPE_CATEGORY_TUPLE, "a slice is no tuple");
    check(first != 0 || GET(xlashape_shape_is_prefix, slice, tuple, mask) == 1, "a tuple's begin is no prefix of it");
  }
  xlashape_shape* more = MAKE(shapes, xlashape_shape_append_to_tuple, tuple, element);
  if (more != nullptr) check(GET(xlashape_shape_tuple_element_count, more) == count + 1, "nothing was appended");
  xlashape_shape* flat = MAKE(shapes, xlashape_shape_flatten_tuple, tuple);
  if (flat != nullptr)
    check(GET(xlashape_shape_tuple_element_count, flat) == GET(xlashape_shape_leaf_count, tuple), "leaves were lost");
}

void programs(Input& input) {
  std::vector<xlashape_shape*> shapes;
  std::vector<int64_t> lengths;
  std::string names;
  static constexpr const char* kNames[] = {"x", "", "param_1", "a.b", "y z", "\xC3\xA9", "\xFF", "(unknown)"};
  for (int64_t count = input.below(4); count > 0; --count) {
    shapes.push_back(world.shapes.pick(input));
    const std::string name = input.pick(kNames);
    names += name;
    lengths.push_back(static_cast<int64_t>(name.size()));
  }
  if (!lengths.empty() && input.one_in(30)) lengths[0] = input.wild() | INT64_MIN;
  auto list = Exact<xlashape_shape*>::of(shapes, input);
  auto text = Exact<char>::of(names, input);
  auto sizes = Numbers::of(lengths, input);
  const auto count = input.one_in(60) ? -1 : static_cast<int64_t>(shapes.size());
  xlashape_program_shape* made = MAKE(programs, xlashape_program_shape_create, list.data(), count, text.data(),
                                      input.one_in(4) ? nullptr : sizes.data(), world.shapes.pick(input));
  if (made != nullptr) check(GET(xlashape_program_shape_parameter_count, made) == count, "parameters were lost");
}

void ask_programs(Input& input) {
  xlashape_program_shape* program = world.programs.pick(input);
  const int64_t count = GET(xlashape_program_shape_parameter_count, program), index = input.mostly(input.below(count));
  check(program != nullptr || count == 0, "NULL has parameters");
  MAKE(shapes, xlashape_program_shape_parameter, program, index);
  TEXT(xlashape_program_shape_parameter_name, program, index);
  MAKE(shapes, xlashape_program_shape_result, program);
  TEXT(xlashape_program_shape_print, program, input.flags(3));
  const uint32_t mask = input.flags(kEqualBits);
  GET(xlashape_program_shape_equal, program, world.programs.pick(input), mask);
  if (program != nullptr)
    check(GET(xlashape_program_shape_equal, program, program, mask) == 1, "a program is not equal to itself");
}

// What holds of a program's layouts holds of its shapes'.
void program_layouts(Input& input) {
  xlashape_program_shape* program = world.programs.pick(input);
  GET(xlashape_program_shape_has_all_layouts, program);
  const uint32_t parts = input.one_in(2) ? XLASHAPE_PART_LAYOUT : input.flags(0x800000FFu);
  xlashape_program_shape* row = MAKE(programs, xlashape_program_shape_with_default_layouts, program);
  xlashape_program_shape* less = MAKE(programs, xlashape_program_shape_without_parts, program, parts);
  if (row != nullptr) check(GET(xlashape_program_shape_has_all_layouts, row) == 1, "a default layout is missing");
  for (xlashape_program_shape* made : {row, less})
    check(made == nullptr || GET(xlashape_program_shape_equal, made, program, XLASHAPE_EQUAL_IGNORE_LAYOUT) == 1,
          "another layout made another program");
  const int64_t index = input.below(GET(xlashape_program_shape_parameter_count, program));
  const auto parameter = [&](xlashape_program_shape* of) {
    return of == nullptr ? nullptr : MAKE(shapes, xlashape_program_shape_parameter, of, index);
  };
  xlashape_shape *was = parameter(program), *row_is = parameter(row), *less_is = parameter(less);
  const uint32_t mask = XLASHAPE_EQUAL_METADATA_PREFIX;
  if (was != nullptr && row_is != nullptr)
    if (xlashape_shape* want = MAKE(shapes, xlashape_shape_with_default_layouts, was))
      check(GET(xlashape_shape_equal, row_is, want, mask) == 1, "a program's default layout is not its shape's");
  if (was != nullptr && less_is != nullptr)
    if (xlashape_shape* want = MAKE(shapes, xlashape_shape_without_parts, was, parts))
      check(GET(xlashape_shape_equal, less_is, want, mask) == 1, "a program's shape lost other parts");
}

void churn(Input& input) { world.programs.churn(input); }

constexpr Operation kOperations[] = {{subshapes, 3},    {visit, 2},           {derive, 3}, {programs, 3},
                                     {ask_programs, 2}, {program_layouts, 2}, {churn, 1}};

}  // namespace

Operations tuple_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
