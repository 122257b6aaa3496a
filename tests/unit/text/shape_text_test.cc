#include "text/shape_text.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "outcome.h"

namespace xlashape::core {
namespace {

using namespace std::string_view_literals;

TEST(ShapeText, EveryElementType) {
  for (int32_t type = 1; type <= 36; ++type) {
    const char* name = element_type_info(type).name();
    if (type == XLASHAPE_TYPE_TUPLE || type == XLASHAPE_TYPE_BUFFER) {
      expect_fails(std::string(name) + "[]", XLASHAPE_STATUS_PARSE, 0);
      continue;
    }
    const Outcome out = parse(std::string(name) + "[]");
    EXPECT_EQ(out.status, XLASHAPE_STATUS_OK) << name;
    EXPECT_EQ(out.shape->element_type, type);
    if (is_array_type(type)) expect_reads(std::string(name) + "[1]", std::string(name) + "[1]{0}");
  }
  for (const char* name : {"F32", "f31", "f", "opaque_type", "invalid", "primitive_type_invalid", "f32x", "f32."})
    expect_fails(std::string(name) + "[]", XLASHAPE_STATUS_PARSE, 0);
}

TEST(ShapeText, Dimensions) {
  expect_reads("f32[007,-0,0]", "f32[7,0,0]{2,1,0}");
  expect_reads("f32[<=5,?,<=0]", "f32[<=5,?,<=0]{2,1,0}");
  expect_reads("f32[<=9223372036854775807]", "f32[<=9223372036854775807]{0}");
  expect_reads("f32[9223372036854775807]", "f32[9223372036854775807]{0}");
  expect_reads("f32[0,4294967296,4294967296]", "f32[0,4294967296,4294967296]{2,1,0}");
  const Outcome out = parse("f32[<=5,?,3]");
  EXPECT_EQ(out.shape->dynamic, (SmallVec<uint8_t, 8>{1, 1, 0}));
  EXPECT_EQ(out.shape->dimensions, (SmallVec<int64_t, 6>{5, XLASHAPE_DIMENSION_UNBOUNDED, 3}));

  expect_fails("f32", XLASHAPE_STATUS_PARSE, 3);
  expect_fails("f32[", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[2", XLASHAPE_STATUS_PARSE, 5);
  expect_fails("f32[2,]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[,2]", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[2 3]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[-1]", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[2,-9223372036854775808]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[9223372036854775808]", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[18446744073709551615]", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[18446744073709551616]", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[<=-1]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[<=9223372036854775808]", XLASHAPE_STATUS_PARSE, 6);  // no `?`
  expect_fails("f32[<=-9223372036854775808]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[<=?]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[<= ]", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("f32[< =2]", XLASHAPE_STATUS_PARSE, 4);
  expect_fails("f32[>=2]", XLASHAPE_STATUS_PARSE, 4);
  for (const char* number : {"1.5", "1e3", "2x3", "0x10", "1_2", "1.", ".5", "+1", "1-", "--1", "a"})
    expect_fails(std::string("f32[8,") + number + "]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[2]]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32(2)", XLASHAPE_STATUS_PARSE, 3);
}

// Wherever a text holds an integer: what does not fit int64 is refused in its place, and no other number is read.
TEST(ShapeText, NumbersThatDoNotFit) {
  const struct {
    std::string_view before, after;
  } places[] = {
      {"f32[", "]{0}"},        {"f32[<=", "]{0}"},       {"f32[4]{", "}"},         {"f32[4]{0:T(", ")}"},
      {"f32[4]{0:T(*,", ")}"}, {"f32[4]{0:T(2)(", ")}"}, {"f32[4]{0:L(", ")}"},    {"f32[4]{0:E(", ")}"},
      {"f32[4]{0:S(", ")}"},   {"f32[4]{0:SC(", ":2)}"}, {"f32[4]{0:SC(0:", ")}"}, {"f32[4]{0:SC(0:1,", ")}"},
      {"f32[4]{0:M(", ")}"},   {"f32[4]{0:PD(", ")}"},
  };
  for (const auto& place : places) {
    for (const std::string_view number :
         {"9223372036854775808", "9223372036854775809", "18446744073709551614", "18446744073709551615",
          "18446744073709551616", "18446744073709551617", "36893488147419103236", "-9223372036854775809",
          "-18446744073709551612", "100000000000000000000000000004", "+1", "1.0", "4e0", "0x4"}) {
      const std::string text = std::string(place.before) + std::string(number) + std::string(place.after);
      // Behind `{` such a word opens no layout, so that the brace is what is wrong.
      const bool word = number.find_first_of("+.ex") != std::string_view::npos && place.before == "f32[4]{";
      expect_fails(text, XLASHAPE_STATUS_PARSE, static_cast<int64_t>(place.before.size()) - (word ? 1 : 0));
    }
    // The smallest int64 fits, and is none of `?`, `*` and 0.
    const Outcome least = parse(std::string(place.before) + "-9223372036854775808" + std::string(place.after));
    EXPECT_TRUE(least.status == XLASHAPE_STATUS_PARSE || least.status == XLASHAPE_STATUS_INVALID_ARGUMENT)
        << place.before;
  }
  expect_reads("f32[04]{-0:T(007,00002)L(0003)E(-0)S(-00)SC(-0:003)M(-0)PD(0005)}", "f32[4]{0:T(7,2)L(3)SC(0:3)PD(5)}");
  const std::string most = "9223372036854775807";
  expect_reads("f32[4]{0:T(" + most + ")L(" + most + ")E(" + most + ")M(" + most + ")PD(" + most + ")}",
               "f32[4]{0:T(" + most + ")L(" + most + ")E(" + most + ")M(" + most + ")PD(" + most + ")}");
}

TEST(ShapeText, BlanksAndComments) {
  expect_reads(" f32 [ 2 , <= 3 ] { 1 , 0 : T ( 2 , * ) ( 4 ) E ( 4 ) S ( 1 ) SC ( 1 : 2 ) PD ( 2 , 3 ) } ",
               "f32[2,<=3]{1,0:T(2,*)(4)E(4)S(1)SC(1:2)PD(2,3)}");
  expect_reads("/*a*/f32/*b*/[//c\n2//d\r]/**/{/**/0/**/}/**///", "f32[2]{0}");
  expect_reads("b /**/ ( f32[] )", "b(f32[])");
  expect_reads("(\tf32[]\r\n,\n/*index=1*/token[])", "(f32[], token[])");
  expect_reads("f32[2] {0}", "f32[2]{0}");
  expect_fails("f32[2]/*", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[2]{0}/", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("f32[2]/*\0*/"sv, XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[2]//\0"sv, XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[2]\0"sv, XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f 32[2]", XLASHAPE_STATUS_PARSE, 0);
  expect_fails("f32[1 2]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[- 1]", XLASHAPE_STATUS_PARSE, 4);
}

TEST(ShapeText, Tuples) {
  expect_reads("()", "()");
  expect_reads("( )", "()");
  expect_reads("(f32[2])", "(f32[2]{0})");
  expect_reads("((),((f32[])),b(s8[1]))", "((), ((f32[])), b(s8[1]{0}))");
  const Outcome out = parse("(f32[1],(f32[2], token[]), opaque[], f32[3])");
  EXPECT_EQ(out.shape->elements.size(), 4u);
  EXPECT_EQ(out.shape->leaf_count, 5);
  EXPECT_EQ(out.shape->depth, 2);
  expect_fails("(", XLASHAPE_STATUS_PARSE, 1);
  expect_fails(")", XLASHAPE_STATUS_PARSE, 0);
  expect_fails("(f32[]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("(f32[],", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("(f32[],)", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("(,)", XLASHAPE_STATUS_PARSE, 1);
  expect_fails("(f32[] f32[])", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("())", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("()()", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("(f32[]}", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("(){0}", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("(f32[2]{})", XLASHAPE_STATUS_PARSE, 7);
}

TEST(ShapeText, Buffers) {
  const Outcome out = parse("b(f32[8,16]{0,1})");
  ASSERT_EQ(out.status, XLASHAPE_STATUS_OK);
  EXPECT_TRUE(out.shape->is_buffer());
  EXPECT_EQ(out.text, "b(f32[8,16]{0,1})");
  EXPECT_EQ(parse("b(f32[8,16])", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT).text, "b(f32[8,16])");
  expect_fails("b()", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("b(s32[], f32[])", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("b(b(s32[]))", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("b((s32[]))", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("b(token[])", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("b(opaque[])", XLASHAPE_STATUS_PARSE, 2);
  expect_fails("b", XLASHAPE_STATUS_PARSE, 1);
  expect_fails("b[2]", XLASHAPE_STATUS_PARSE, 1);
  expect_fails("B(s32[])", XLASHAPE_STATUS_PARSE, 0);
  expect_fails("b(s32[]", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("b(s32[]){:}", XLASHAPE_STATUS_PARSE, 8);
}

TEST(ShapeText, TokensAndOpaques) {
  expect_reads("token[ ]", "token[]");
  expect_reads("opaque[]", "opaque[]");
  // XLA aborts on these.
  expect_fails("token[2]", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("opaque[3]", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("token[]{0}", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("token[]{:}", XLASHAPE_STATUS_PARSE, 7);
  expect_fails("(opaque[]{:T(2)})", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("token", XLASHAPE_STATUS_PARSE, 5);
}

TEST(ShapeText, MissingLayouts) {
  const uint32_t keep = XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT;
  EXPECT_EQ(parse("f32[2,3]").text, "f32[2,3]{1,0}");
  EXPECT_EQ(parse("(f32[2,3],b(f32[2]),f32[2]{0})", keep).text, "(f32[2,3], b(f32[2]), f32[2]{0})");
  EXPECT_FALSE(parse("f32[2,3]", keep).shape->layout);
  EXPECT_TRUE(parse("f32[]", keep).shape->layout) << "scalars get the empty one";
  EXPECT_TRUE(parse("b(f32[])", keep).shape->elements[0]->layout);
}

TEST(ShapeText, BraceOpensALayoutOnlyBeforeAnIntegerOrColon) {
  expect_reads("f32[]{:}", "f32[]");
  expect_reads("f32[]{ /**/ : }", "f32[]");
  expect_reads("f32[2]{0:}", "f32[2]{0}");
  for (const char* text : {"f32[2]{}", "f32[2]{foo}", "f32[2]{1.5}", "f32[2]{0x1}", "f32[2]{", "f32[2]{(0)}"})
    expect_fails(text, XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[]{}", XLASHAPE_STATUS_PARSE, 5);
  expect_fails("f32[123,456]foobar{0,1}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[123,456]dense{foo}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2]{0}{0}", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("f32[2]{99999999999999999999}", XLASHAPE_STATUS_PARSE, 7);
}

TEST(ShapeText, RulesOfArrays) {
  expect_fails("f32[4294967296,4294967296]", XLASHAPE_STATUS_OVERFLOW, 0);
  expect_fails("(u8[], f32[4294967296,4294967296,0]{2,1,0})", XLASHAPE_STATUS_OVERFLOW, 7);
  expect_fails("b(u8[4294967296,4294967296])", XLASHAPE_STATUS_OVERFLOW, 2);
  // The first failure in the text is the one told.
  expect_fails("(f32[2,2]{1,1}, junk)", XLASHAPE_STATUS_INVALID_ARGUMENT, 9);
  expect_fails("(junk, f32[2,2]{1,1})", XLASHAPE_STATUS_PARSE, 1);
}

TEST(ShapeText, EmptyAndOtherBytes) {
  expect_fails("", XLASHAPE_STATUS_PARSE, 0);
  expect_fails({}, XLASHAPE_STATUS_PARSE, 0);
  expect_fails("   ", XLASHAPE_STATUS_PARSE, 3);
  expect_fails("// f32[2]", XLASHAPE_STATUS_PARSE, 9);
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(parse(text).status, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(parse("f32" + text).status, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(parse("f32[2]{0:S(" + text).status, XLASHAPE_STATUS_PARSE);
  }
  EXPECT_EQ(parse("\xff").text, "expected an element type, '(' or b(, found '\\xff'");
}

TEST(ShapeText, ErrorRecordIsOptionalAndOutputUntouched) {
  Ref<Shape> shape = parse("f32[2]").shape;
  const Shape* before = shape.get();
  EXPECT_EQ(parse_shape("f32[", 0, &shape, nullptr), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(shape.get(), before);
  Error old{};
  old.struct_size = 32;  // no room for a message
  EXPECT_EQ(parse_shape("f32[", 0, &shape, &old), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(old.offset, 4);
}

// Runs on a stack of 128 KiB, so that recursion would show.
template <class Body>
void on_small_stack(Body body) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
  pthread_t thread;
  const auto start = [](void* opaque) -> void* {
    (*static_cast<Body*>(opaque))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string repeat(std::string_view part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(ShapeText, DeepTuplesNeedNoStack) {
  on_small_stack([] {
    const std::string text = repeat("(", 5000) + "f32[2]{0}" + repeat(")", 5000);
    const Outcome out = parse(text);
    EXPECT_EQ(out.status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(out.text, text);
    EXPECT_TRUE(equal(*out.shape, *parse(out.text).shape, 0));
    const Outcome buffers = parse(repeat("(b(u8[]),", 5000) + "()" + repeat(")", 5000));
    EXPECT_EQ(buffers.status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(parse(repeat("(f32[1]{0:P(", 4000)).status, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(parse(repeat("f32[1]{0:P(", 5000) + "u8[]" + repeat(")}", 5000)).status,
              XLASHAPE_STATUS_INVALID_ARGUMENT);
  });
}

TEST(ShapeText, DepthIsCapped) {
  const size_t most = XLASHAPE_MAX_DEPTH;
  EXPECT_EQ(parse(repeat("(", most) + repeat(")", most)).status, XLASHAPE_STATUS_OK);
  EXPECT_EQ(parse(repeat("(", most) + "f32[]" + repeat(")", most)).shape->depth, XLASHAPE_MAX_DEPTH);
  EXPECT_EQ(parse(repeat("(", most - 1) + "b(f32[])" + repeat(")", most - 1)).status, XLASHAPE_STATUS_OK);
  expect_fails(repeat("(", most + 1) + repeat(")", most + 1), XLASHAPE_STATUS_PARSE, XLASHAPE_MAX_DEPTH);
  expect_fails(repeat("(", most) + "b(f32[])" + repeat(")", most), XLASHAPE_STATUS_PARSE, XLASHAPE_MAX_DEPTH);
  expect_fails(repeat("(", 100000), XLASHAPE_STATUS_PARSE, XLASHAPE_MAX_DEPTH);
  EXPECT_EQ(parse(repeat("f32[1]{0:P(", most + 1)).status, XLASHAPE_STATUS_PARSE);
}

// Long hostile texts: linear, each takes milliseconds; a byte looked at once per other byte would take minutes.
TEST(ShapeText, TimeIsLinear) {
  const size_t many = 200000;
  std::string order, splits;
  for (size_t i = 0; i < many; ++i) {
    order.append(i > 0 ? "," : "").append(std::to_string(i));
    splits.append("(").append(std::to_string(i)).append(":1)");
  }
  const std::string dimensions = "u8[2" + repeat(",0", many - 1) + "]{" + order;
  const std::string texts[] = {
      repeat("(", many),
      repeat("()", many),
      "(" + repeat("u8[],", many) + "u8[])",
      "(" + repeat("(),", many) + "())",
      repeat("(u8[],", 8000) + repeat("u8[],", many) + "u8[]",
      dimensions + "}",
      dimensions + ":SC" + splits + "}",
      dimensions + ":PD(" + order + ")}",
      "u8[" + repeat("<=1,?,", many) + "?]",
      "u8[" + std::string(many, '9') + "]",
      "u8[" + std::string(many, '0') + "]",
      "u8[4]{" + std::string(many, '0') + "}",
      "u8[4]{0:T" + repeat("(1)", many) + "}",
      "u8[4]{0:D(D" + repeat(",D+~", many) + ")}",
      "u8[4]{0:" + std::string(many, 'S') + "}",
      std::string(many, 'b'),
      std::string(many, ' ') + "u8[]",
      repeat("/**/", many) + "u8[]",
      repeat("/*", many),
      repeat("//\n", many) + "u8[]",
      "u8[2]" + repeat("{", many),
      repeat("u8[1]{0:P(", many),
      "(" + repeat("u8[2]{/**/", many),
  };
  for (const std::string& text : texts) {
    const std::clock_t start = std::clock();  // of this process: other work on the machine does not count
    const Outcome out = parse(text);
    if (out.status == XLASHAPE_STATUS_OK) {
      EXPECT_EQ(parse(out.text).text, out.text);
    }
    EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 10) << text.substr(0, 40);
  }
}

class RandomShapes {
 public:
  explicit RandomShapes(uint32_t seed) : random_(seed) {}

  Ref<Shape> shape(int depth) {
    Ref<Shape> made;
    const int64_t kind = up_to(9);
    if (kind == 0) {
      EXPECT_EQ(make_leaf(up_to(1) ? XLASHAPE_CATEGORY_TOKEN : XLASHAPE_CATEGORY_OPAQUE, &made, nullptr),
                XLASHAPE_STATUS_OK);
    } else if (kind == 1) {
      EXPECT_EQ(make_buffer(array(), &made, nullptr), XLASHAPE_STATUS_OK);
    } else if (kind <= 4 && depth > 0) {
      std::vector<Ref<Shape>> elements(static_cast<size_t>(up_to(12)));
      std::vector<Shape*> pointers;
      for (auto& element : elements) pointers.push_back((element = shape(depth - 1)).get());
      EXPECT_EQ(xlashape::core::make_tuple(std::span<Shape* const>(pointers), &made, nullptr), XLASHAPE_STATUS_OK);
    } else {
      made = array();
    }
    return made;
  }
  int64_t up_to(int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random_); }

 private:
  Ref<Shape> array() {
    int32_t type;
    do type = static_cast<int32_t>(1 + up_to(35));
    while (!is_array_type(type));
    SmallVec<int64_t, 8> dimensions;
    SmallVec<uint8_t, 8> dynamic;
    for (int64_t rank = up_to(7); rank > 0; --rank) {
      dimensions.push_back(up_to(9) == 0 ? XLASHAPE_DIMENSION_UNBOUNDED : up_to(100));
      dynamic.push_back(dimensions.back() == XLASHAPE_DIMENSION_UNBOUNDED || up_to(3) == 0);
    }
    Ref<Shape> made;
    Error err{};
    err.struct_size = sizeof err;
    EXPECT_EQ(make_array(type, std::span<const int64_t>(dimensions), std::span<const uint8_t>(dynamic),
                         up_to(5) == 0 && !dimensions.empty() ? Ref<Layout>() : layout(dimensions), &made, &err),
              XLASHAPE_STATUS_OK)
        << err.message;
    return made;
  }

  Ref<Layout> layout(const SmallVec<int64_t, 8>& dimensions) {
    const auto rank = static_cast<int64_t>(dimensions.size());
    Ref<Layout> made = make_row_major(rank);
    std::shuffle(made->minor_to_major.begin(), made->minor_to_major.end(), random_);
    if (up_to(1)) {
      for (int64_t levels = up_to(3); levels > 0; --levels) {
        made->tile_ranks.push_back(1 + up_to(3));
        for (int64_t i = made->tile_ranks.back(); i > 0; --i)
          made->tile_dimensions.push_back(up_to(4) == 0 ? XLASHAPE_COMBINE_DIMENSION : 1 + up_to(300));
      }
    }
    if (up_to(3) == 0) made->tail_padding_alignment = 1 + up_to(300);
    if (up_to(3) == 0) made->element_size_in_bits = up_to(64);
    if (up_to(3) == 0) made->memory_space = static_cast<int8_t>(up_to(255) - 128);
    if (up_to(3) == 0) made->metadata_prefix_bytes = up_to(INT64_MAX);
    if (up_to(3) == 0) made->padding_value = static_cast<int32_t>(up_to(5));
    if (up_to(3) == 0 &&
        std::find(dimensions.begin(), dimensions.end(), XLASHAPE_DIMENSION_UNBOUNDED) == dimensions.end())
      for (const int64_t size : dimensions) made->padded_dimensions.push_back(size + up_to(9));
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t size = dimensions[static_cast<size_t>(made->major(i))];
      if (up_to(5) > 0 || size < 3) continue;
      made->split_dimensions.push_back(i);
      made->split_sizes.push_back(up_to(2));
      for (int64_t index = 1; index <= made->split_sizes.back(); ++index) made->split_indices.push_back(index);
    }
    return made;
  }

  std::mt19937 random_;
};

// The text with blanks and comments wherever two tokens meet and one of them is a single character.
std::string spread(const std::string& text, RandomShapes& random) {
  static constexpr const char* kBlanks[] = {"", " ", "\t", "\r\n", "/* { */", "//(\n", " /**/ "};
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool comment = text.compare(i, 2, "/*") == 0;
    if (comment) i = text.find("*/", i) + 2;
    const bool single = std::strchr("()[]{},:", text[i]) != nullptr;
    if (single) out += kBlanks[random.up_to(6)];
    out += text[i];
    if (single) out += kBlanks[random.up_to(6)];
  }
  return out;
}

TEST(ShapeText, RandomShapesSurviveTheirText) {
  RandomShapes random(20240611);
  for (int round = 0; round < 3000; ++round) {
    const Ref<Shape> shape = random.shape(3);
    int64_t needed;
    ASSERT_EQ(print_shape(*shape, 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
    std::string text(needed, '#');
    ASSERT_EQ(print_shape(*shape, 0, text.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
    text.pop_back();
    for (const std::string& variant : {text, spread(text, random)}) {
      const Outcome out = parse(variant, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
      ASSERT_EQ(out.status, XLASHAPE_STATUS_OK) << variant << ": " << out.text;
      EXPECT_TRUE(equal(*shape, *out.shape, XLASHAPE_EQUAL_METADATA_PREFIX)) << variant;
      EXPECT_EQ(out.text, text);
    }
    // Cut or changed anywhere it is another shape or an error, and reads nothing beyond its end.
    std::string broken = text.substr(0, static_cast<size_t>(random.up_to(static_cast<int64_t>(text.size()))));
    if (!broken.empty() && random.up_to(1))
      broken[static_cast<size_t>(random.up_to(static_cast<int64_t>(broken.size()) - 1))] =
          static_cast<char>(random.up_to(255));
    const Outcome out = parse(broken);
    if (out.status != XLASHAPE_STATUS_OK) {
      EXPECT_GE(out.offset, 0);
      EXPECT_LE(out.offset, static_cast<int64_t>(broken.size()));
    }
  }
}

}  // namespace
}  // namespace xlashape::core
