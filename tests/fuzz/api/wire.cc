// Protocol buffers: written and read again, whole and damaged.
#include "world.h"

namespace api_fuzz {
namespace {

// True where the bytes stayed as they were.
bool damage(Input& input, std::vector<uint8_t>* bytes) {
  int64_t edits = input.one_in(3) ? input.within(1, 4) : 0;
  const bool whole = edits == 0 || bytes->empty();
  for (; edits > 0 && !bytes->empty(); --edits) {
    const int64_t at = input.below(static_cast<int64_t>(bytes->size()));
    switch (input.below(4)) {
      case 0:
        (*bytes)[static_cast<size_t>(at)] = input.byte();
        break;
      case 1:
        bytes->resize(static_cast<size_t>(at));
        break;
      case 2:
        bytes->insert(bytes->begin() + at, input.byte());
        break;
      default:
        (*bytes)[static_cast<size_t>(at)] ^= static_cast<uint8_t>(1 << input.below(8));
    }
  }
  return whole;
}

void shapes(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  auto bytes = ANSWER(uint8_t, xlashape_shape_to_proto, shape);
  if (!bytes) return;
  const bool whole = damage(input, &*bytes);
  auto wire = Exact<uint8_t>::of(*bytes, input);
  const uint32_t flags = whole ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : input.flags(1);
  xlashape_shape* read = MAKE(shapes, xlashape_shape_from_proto, wire.data(), static_cast<int64_t>(wire.size()), flags);
  if (read != nullptr && whole)
    check(GET(xlashape_shape_equal, read, shape, 0) == 1, "a shape's bytes are another shape");
}

void layouts(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  auto bytes = ANSWER(uint8_t, xlashape_layout_to_proto, layout);
  if (!bytes) return;
  const bool whole = damage(input, &*bytes);
  auto wire = Exact<uint8_t>::of(*bytes, input);
  xlashape_layout* read = MAKE(layouts, xlashape_layout_from_proto, wire.data(), static_cast<int64_t>(wire.size()));
  if (read != nullptr && whole)
    check(GET(xlashape_layout_equal, read, layout, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
          "a layout's bytes are another layout");
}

void programs(Input& input) {
  xlashape_program_shape* program = world.programs.pick(input);
  auto bytes = ANSWER(uint8_t, xlashape_program_shape_to_proto, program);
  if (!bytes) return;
  const bool whole = damage(input, &*bytes);
  auto wire = Exact<uint8_t>::of(*bytes, input);
  const uint32_t flags = whole ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : input.flags(1);
  xlashape_program_shape* read =
      MAKE(programs, xlashape_program_shape_from_proto, wire.data(), static_cast<int64_t>(wire.size()), flags);
  if (read != nullptr && whole)
    check(GET(xlashape_program_shape_equal, read, program, 0) == 1, "a program's bytes are another program");
}

// Of the wrong kind, or of none.
void confuse(Input& input) {
  auto bytes = ANSWER(uint8_t, xlashape_shape_to_proto, world.shapes.pick(input));
  std::vector<uint8_t> given = bytes ? *bytes : std::vector<uint8_t>(static_cast<size_t>(input.below(9)), input.byte());
  auto wire = Exact<uint8_t>::of(given, input);
  const auto size = input.one_in(30) ? -1 : static_cast<int64_t>(wire.size());
  MAKE(layouts, xlashape_layout_from_proto, wire.data(), size);
  MAKE(programs, xlashape_program_shape_from_proto, wire.data(), size, 0);
  ANSWER(int64_t, xlashape_path_from_proto, wire.data(), size);
}

constexpr Operation kOperations[] = {{shapes, 3}, {layouts, 2}, {programs, 3}, {confuse, 1}};

}  // namespace

Operations wire_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
