// Text: what is printed is read again as what it was; anything else is refused or read.
#include "runtimes.h"

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
  MAKE(shapes, xlashape_shape_parse, text.data(), size_of(text), flags);
  MAKE(layouts, xlashape_layout_parse, text.data(), size_of(text));
  MAKE(shapes, xlashape_shape_parse_mlir, text.data(), size_of(text));
  MAKE(shapes, xlashape_shape_parse_cute, text.data(), size_of(text), draw_type(input), flags);
  MAKE(shapes, xlashape_shape_parse_numpy, text.data(), size_of(text), flags);
}

// A text's head, by itself, is read as the same and ends where the text is whole.
void check_shape_head(Input& input, const std::string& given, uint32_t flags) {
  auto text = Exact<char>::of(given, input);
  int64_t end = -1;
  xlashape_shape* head =
      make(world.shapes, F_xlashape_shape_parse_head, [&](xlashape_shape** made, xlashape_error* err) {
        return xlashape_shape_parse_head(text.data(), size_of(text), flags, made, &end, err);
      });
  check(head == nullptr ? end == -1 : end >= 0 && end <= size_of(given), "the end of a head");
  xlashape_shape* whole = nullptr;
  if (xlashape_shape_parse(text.data(), size_of(text), flags, &whole, nullptr) == XLASHAPE_STATUS_OK) {
    world.shapes.drop(whole);
    check(head == nullptr || GET(xlashape_shape_equal, head, whole, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
          "a whole text's head is another shape");
    check(head == nullptr || given.find_first_not_of(" \t\n\r\v\f", static_cast<size_t>(end)) == std::string::npos,
          "a whole text ends early");
  }
  if (head == nullptr) return;
  auto cut = Exact<char>::of(given.substr(0, static_cast<size_t>(end)), input);
  xlashape_shape* alone = nullptr;
  check(xlashape_shape_parse(cut.data(), size_of(cut), flags, &alone, nullptr) == XLASHAPE_STATUS_OK,
        "a head is no text");
  world.shapes.drop(alone);
  check(GET(xlashape_shape_equal, head, alone, XLASHAPE_EQUAL_METADATA_PREFIX) == 1, "a head is another shape alone");
}

void check_layout_head(Input& input, const std::string& given, int64_t want) {
  auto text = Exact<char>::of(given, input);
  int64_t end = -1;
  xlashape_layout* head =
      make(world.layouts, F_xlashape_layout_parse_head, [&](xlashape_layout** made, xlashape_error* err) {
        return xlashape_layout_parse_head(text.data(), size_of(text), made, &end, err);
      });
  check(head == nullptr ? end == -1 : end >= 0 && end <= size_of(given), "the end of a head");
  if (head == nullptr) return;
  check(given[static_cast<size_t>(end) - 1] == '}' && (want == 0 || end == want), "a layout's head ends elsewhere");
  auto cut = Exact<char>::of(given.substr(0, static_cast<size_t>(end)), input);
  xlashape_layout* alone = nullptr;
  check(xlashape_layout_parse(cut.data(), size_of(cut), &alone, nullptr) == XLASHAPE_STATUS_OK, "a head is no text");
  world.layouts.drop(alone);
  check(GET(xlashape_layout_equal, head, alone, XLASHAPE_EQUAL_METADATA_PREFIX) == 1, "a head is another layout alone");
}

void heads(Input& input) {
  static constexpr const char* kTails[] = {"",  " %x", ", f32[3]{0}", ") -> f32[]", " add(f32[2] %y), metadata={}",
                                           "x", "1",   "]",           "\x80",       "{ ROOT"};
  const std::string tail = input.pick(kTails);
  const uint32_t flags = input.flags(XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  check_shape_head(input, draw_text(input) + tail, flags);
  check_layout_head(input, draw_text(input) + tail, 0);
  const auto shape = TEXT(xlashape_shape_print, world.shapes.pick(input), 0);
  if (shape) {
    const std::string text(shape->begin(), shape->end());
    check_shape_head(input, text + tail, flags);
    xlashape_shape *whole = nullptr, *head = nullptr;
    if (xlashape_shape_parse(text.data(), size_of(text), flags, &whole, nullptr) == XLASHAPE_STATUS_OK) {
      world.shapes.drop(whole);
      int64_t end = 0;
      const std::string more = text + tail;
      check(xlashape_shape_parse_head(more.data(), size_of(more), flags, &head, &end, nullptr) == XLASHAPE_STATUS_OK &&
                end == size_of(text),
            "a text is no head before another");
      world.shapes.drop(head);
      check(GET(xlashape_shape_equal, head, whole, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
            "what follows a shape changes it");
    }
  }
  const auto layout = TEXT(xlashape_layout_print, world.layouts.pick(input), 0);
  if (layout) check_layout_head(input, std::string(layout->begin(), layout->end()) + tail, size_of(*layout));
}

// Texts that are shorter than nothing, or longer than any: refused before they are looked at.
void refuse_lengths(Input& input) {
  static constexpr int64_t kLengths[] = {-1, -2, INT64_MIN, INT64_MIN + 1};
  const int64_t length = input.pick(kLengths);
  auto text = Exact<char>::of(draw_text(input), input);
  const char* const at = text.data();
  const auto refused = [](const char* what) {
    check(ended.status == XLASHAPE_STATUS_INVALID_ARGUMENT || ended.was_refused_memory, what);
  };
  MAKE(shapes, xlashape_shape_parse, at, length, 0);
  refused("a shape's text of negative length is read");
  MAKE(layouts, xlashape_layout_parse, at, length);
  refused("a layout's text of negative length is read");
  MAKE(shapes, xlashape_shape_parse_mlir, at, length);
  refused("an MLIR type of negative length is read");
  MAKE(shapes, xlashape_shape_parse_cute, at, length, XLASHAPE_TYPE_F32, 0);
  refused("a CuTe layout of negative length is read");
  MAKE(shapes, xlashape_shape_parse_numpy, at, length, 0);
  refused("a NumPy array of negative length is read");
  int64_t end = -7;
  make(world.shapes, F_xlashape_shape_parse_head, [&](xlashape_shape** made, xlashape_error* err) {
    return xlashape_shape_parse_head(at, length, 0, made, &end, err);
  });
  refused("a head of negative length is read");
  make(world.layouts, F_xlashape_layout_parse_head, [&](xlashape_layout** made, xlashape_error* err) {
    return xlashape_layout_parse_head(at, length, made, &end, err);
  });
  refused("a layout's head of negative length is read");
  xlashape_element_type type = -7;
  CALL(xlashape_element_type_from_name, at, length, &type);
  refused("a name of negative length is read");
  check(end == -7 && type == -7, "an answer is written for a negative length");
  if (xlashape_runtime* const runtime = world.runtimes.any(input)) {
    CALL(xlashape_runtime_load_backend, runtime, at, length);
    refused("a path of negative length is read");
    CALL(xlashape_runtime_add_backend, runtime, at, length, draw_open(input), nullptr, release_owned, 0);
    refused("a backend's name of negative length is read");
  }
}

void layout_text(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  const uint32_t flags = input.flags(XLASHAPE_PRINT_STRICT);
  const auto printed = TEXT(xlashape_layout_print, layout, flags);
  if (!printed || flags > 3 || (flags & XLASHAPE_PRINT_WITHOUT_LAYOUT)) return;
  auto text = Exact<char>::of(*printed, input);
  xlashape_layout* read = MAKE(layouts, xlashape_layout_parse, text.data(), size_of(text));
  if (read != nullptr)
    check(GET(xlashape_layout_equal, read, layout, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
          "a layout's text is another layout");
}

void shape_text(Input& input) {
  xlashape_shape* shape = world.shapes.pick(input);
  const uint32_t flags = input.flags(3);
  const auto printed = TEXT(xlashape_shape_print, shape, flags);
  if (!printed || (flags & ~uint32_t{XLASHAPE_PRINT_STRICT}) != 0) return;
  auto text = Exact<char>::of(*printed, input);
  xlashape_shape* read =
      MAKE(shapes, xlashape_shape_parse, text.data(), size_of(text), XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
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
    same(MAKE(shapes, xlashape_shape_parse_mlir, text.data(), size_of(text)));
  }
  if (cute) {
    auto text = Exact<char>::of(*cute, input);
    MAKE(shapes, xlashape_shape_parse_cute, text.data(), size_of(text), xlashape_shape_element_type(shape), 0);
  }
  if (numpy) {
    auto text = Exact<char>::of(*numpy, input);
    same(MAKE(shapes, xlashape_shape_parse_numpy, text.data(), size_of(text), 0));
  }
}

constexpr Operation kOperations[] = {{parse, 3},       {heads, 3},      {refuse_lengths, 1},
                                     {layout_text, 2}, {shape_text, 3}, {foreign_text, 3}};

}  // namespace

Operations text_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
