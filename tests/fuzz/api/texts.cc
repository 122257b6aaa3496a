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

// A text's head, by itself, is read as the same and ends where the text is whole.
void check_shape_head(Input& input, const std::string& given, uint32_t flags) {
  auto text = Exact<char>::of(given, input);
  size_t end = SIZE_MAX;
  xlashape_shape* head =
      make(world.shapes, F_xlashape_shape_parse_head, [&](xlashape_shape** made, xlashape_error* err) {
        return xlashape_shape_parse_head(text.data(), text.size(), flags, made, &end, err);
      });
  check(head == nullptr ? end == SIZE_MAX : end <= given.size(), "the end of a head");
  xlashape_shape* whole = nullptr;
  if (xlashape_shape_parse(text.data(), text.size(), flags, &whole, nullptr) == XLASHAPE_OK) {
    world.shapes.drop(whole);
    check(head == nullptr || GET(xlashape_shape_equal, head, whole, XLASHAPE_COMPARE_METADATA_PREFIX) == 1,
          "a whole text's head is another shape");
    check(head == nullptr || given.find_first_not_of(" \t\n\r\v\f", end) == std::string::npos,
          "a whole text ends early");
  }
  if (head == nullptr) return;
  auto cut = Exact<char>::of(given.substr(0, end), input);
  xlashape_shape* alone = nullptr;
  check(xlashape_shape_parse(cut.data(), cut.size(), flags, &alone, nullptr) == XLASHAPE_OK, "a head is no text");
  world.shapes.drop(alone);
  check(GET(xlashape_shape_equal, head, alone, XLASHAPE_COMPARE_METADATA_PREFIX) == 1, "a head is another shape alone");
}

void check_layout_head(Input& input, const std::string& given, size_t want) {
  auto text = Exact<char>::of(given, input);
  size_t end = SIZE_MAX;
  xlashape_layout* head =
      make(world.layouts, F_xlashape_layout_parse_head, [&](xlashape_layout** made, xlashape_error* err) {
        return xlashape_layout_parse_head(text.data(), text.size(), made, &end, err);
      });
  check(head == nullptr ? end == SIZE_MAX : end <= given.size(), "the end of a head");
  if (head == nullptr) return;
  check(given[end - 1] == '}' && (want == 0 || end == want), "a layout's head ends elsewhere");
  auto cut = Exact<char>::of(given.substr(0, end), input);
  xlashape_layout* alone = nullptr;
  check(xlashape_layout_parse(cut.data(), cut.size(), &alone, nullptr) == XLASHAPE_OK, "a head is no text");
  world.layouts.drop(alone);
  check(GET(xlashape_layout_equal, head, alone, XLASHAPE_COMPARE_METADATA_PREFIX) == 1,
        "a head is another layout alone");
}

void heads(Input& input) {
  static constexpr const char* kTails[] = {"",  " %x", ", f32[3]{0}", ") -> f32[]", " add(f32[2] %y), metadata={}",
                                           "x", "1",   "]",           "\x80",       "{ ROOT"};
  const std::string tail = input.pick(kTails);
  const uint32_t flags = input.flags(XLASHAPE_KEEP_MISSING_LAYOUT);
  check_shape_head(input, draw_text(input) + tail, flags);
  check_layout_head(input, draw_text(input) + tail, 0);
  const auto shape = TEXT(xlashape_shape_print, world.shapes.pick(input), 0);
  if (shape) {
    const std::string text(shape->begin(), shape->end());
    check_shape_head(input, text + tail, flags);
    xlashape_shape *whole = nullptr, *head = nullptr;
    if (xlashape_shape_parse(text.data(), text.size(), flags, &whole, nullptr) == XLASHAPE_OK) {
      world.shapes.drop(whole);
      size_t end = 0;
      const std::string more = text + tail;
      check(xlashape_shape_parse_head(more.data(), more.size(), flags, &head, &end, nullptr) == XLASHAPE_OK &&
                end == text.size(),
            "a text is no head before another");
      world.shapes.drop(head);
      check(GET(xlashape_shape_equal, head, whole, XLASHAPE_COMPARE_METADATA_PREFIX) == 1,
            "what follows a shape changes it");
    }
  }
  const auto layout = TEXT(xlashape_layout_print, world.layouts.pick(input), 0);
  if (layout) check_layout_head(input, std::string(layout->begin(), layout->end()) + tail, layout->size());
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

constexpr Operation kOperations[] = {{parse, 3}, {heads, 3}, {layout_text, 2}, {shape_text, 3}, {foreign_text, 3}};

}  // namespace

Operations text_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
