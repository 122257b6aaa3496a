// Text: what is printed is read again as what it was; anything else is refused or read.
#include "world.h"

namespace api_fuzz {
namespace {

std::string draw_text(Input& input) {
  static constexpr const char* kWhole[] = {"f32[2,3]{1,0}",
                                           "(f32[2]{0}, (bf16[4], token[]))",
                                           "f32[8,16]{1,0:T(2,4)(2,1)}",
                                           "s4[9]{0:E(4)}",
                                           "pred[]",
                                           "opaque[]",
                                           "b(f32[4])",
                                           "f32[<=5,?]",
                                           "u8[64,20]{1,0:PD(64,21)}",
                                           "{1,0:T(8,128)(2,1)S(1)}",
                                           "{0:L(4)M(8)SC(0:1,2)}",
                                           "tensor<2x3xf32>",
                                           "tensor<?x4xf32, #stablehlo.bounds<8, ?>>",
                                           "(2,3):(3,1)",
                                           "((8,2),(128,3)):((128,3072),(1,1024))",
                                           "{'shape': (2, 3), 'dtype': '<f4'}"};
  static constexpr const char* kParts[] = {"f32",     "s4",
                                           "[",       "]",
                                           "{",       "}",
                                           "(",       ")",
                                           ",",       ":",
                                           "T(",      "*",
                                           "?",       "<=",
                                           "1",       "0",
                                           "128",     "9223372036854775807",
                                           "-1",      "99999999999999999999",
                                           "PD(",     "PV(",
                                           "tensor<", "x",
                                           "'",       "\x80",
                                           " "};
  std::string text;
  if (!input.one_in(6)) text = input.pick(kWhole);
  for (int64_t edits = input.below(4); edits > 0; --edits) {
    const auto at = static_cast<size_t>(input.below(static_cast<int64_t>(text.size()) + 1));
    switch (input.below(4)) {
      case 0:
        text.insert(at, input.pick(kParts));
        break;
      case 1:
        text.erase(at, 1);
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(input.byte()));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

void parse(Input& input) {
  auto text = Exact<char>::of(draw_text(input), input);
  const uint32_t flags = input.flags(1);
  MAKE(shapes, xlashape_shape_parse, text.data(), text.size(), flags);
  MAKE(layouts, xlashape_layout_parse, text.data(), text.size());
  MAKE(shapes, xlashape_shape_parse_mlir, text.data(), text.size());
  MAKE(shapes, xlashape_shape_parse_cute, text.data(), text.size(), draw_type(input), flags);
  MAKE(shapes, xlashape_shape_parse_numpy, text.data(), text.size(), flags);
}

void layout_text(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  const uint32_t flags = input.flags(XLASHAPE_PRINT_STRICT);
  const auto printed = TEXT(xlashape_layout_print, layout, flags);
  if (!printed || flags > 3 || (flags & XLASHAPE_PRINT_WITHOUT_LAYOUT)) return;
  auto text = Exact<char>::of(*printed, input);
  xlashape_layout* read = MAKE(layouts, xlashape_layout_parse, text.data(), text.size());
  if (read != nullptr)
    check(GET(xlashape_layout_equal, read, layout, XLASHAPE_COMPARE_METADATA_PREFIX) == 1,
          "a layout's text is another layout");
}

void shape_text(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const uint32_t flags = input.flags(3);
  const auto printed = TEXT(xlashape_shape_print, shape, flags);
  if (!printed || (flags & ~uint32_t{XLASHAPE_PRINT_STRICT}) != 0) return;
  auto text = Exact<char>::of(*printed, input);
  xlashape_shape* read = MAKE(shapes, xlashape_shape_parse, text.data(), text.size(), XLASHAPE_KEEP_MISSING_LAYOUT);
  if (read == nullptr) return;
  check(GET(xlashape_shape_compatible, read, shape, 0) == 1, "a shape's text is another shape");
  const auto again = TEXT(xlashape_shape_print, read, flags);
  check(!again || *again == *printed, "a shape that was read prints another text");
}

void foreign_text(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const auto mlir = TEXT(xlashape_shape_print_mlir, shape, input.flags(XLASHAPE_PRINT_WITHOUT_LAYOUT));
  const auto cute = TEXT(xlashape_shape_print_cute, shape);
  const auto numpy = TEXT(xlashape_shape_print_numpy, shape);
  const auto same = [&](const xlashape_shape* read) {
    if (read == nullptr) return;
    check(xlashape_shape_rank(read) == xlashape_shape_rank(shape), "a foreign text is read as another rank");
    check(xlashape_shape_element_type(read) == xlashape_shape_element_type(shape),
          "a foreign text is read as another type");
  };
  if (mlir) {
    auto text = Exact<char>::of(*mlir, input);
    same(MAKE(shapes, xlashape_shape_parse_mlir, text.data(), text.size()));
  }
  if (cute) {
    auto text = Exact<char>::of(*cute, input);
    MAKE(shapes, xlashape_shape_parse_cute, text.data(), text.size(), xlashape_shape_element_type(shape), 0);
  }
  if (numpy) {
    auto text = Exact<char>::of(*numpy, input);
    same(MAKE(shapes, xlashape_shape_parse_numpy, text.data(), text.size(), 0));
  }
}

constexpr Operation kOperations[] = {{parse, 3}, {layout_text, 2}, {shape_text, 3}, {foreign_text, 3}};

}  // namespace

Operations text_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
