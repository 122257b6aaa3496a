// SPDX-License-Identifier: Apache-2.0
// Shapes, layouts, index maps as values.
#include <gtest/gtest.h>

#include <array>
#include <unordered_set>
#include <xlashape.hpp>

namespace {

using xlashape::Category;
using xlashape::ElementType;
using xlashape::IndexMap;
using xlashape::Layout;
using xlashape::Shape;
using xlashape::Span;
using xlashape::Status;
using List = std::vector<int64_t>;

constexpr const char* kTiled = "bf16[128,256]{1,0:T(8,128)(2,1)}";

TEST(Shape, CopiesAndMoves) {
  Shape a = Shape::parse(kTiled), b = a;
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.get(), b.get());
  const Shape c = std::move(a);
  EXPECT_FALSE(a);  // NOLINT: an empty one is what is asked for
  EXPECT_EQ(b, c);
  const Shape& same = b;
  b = same;
  EXPECT_EQ(b, c);
  b.reset();
  EXPECT_FALSE(b);
  EXPECT_TRUE(c);
}

TEST(Shape, Made) {
  EXPECT_EQ(Shape::array(ElementType::kF32, {2, 3}).to_string(), "f32[2,3]{1,0}");
  EXPECT_EQ(Shape::array(ElementType::kF32, List{2, 3}, Layout::parse("{0,1}")).to_string(), "f32[2,3]{0,1}");
  const std::array<uint8_t, 2> dynamic = {1, 0};
  EXPECT_EQ(Shape::array(ElementType::kF32, {2, 3}, {}, 0, dynamic).to_string(), "f32[<=2,3]{1,0}");
  EXPECT_EQ(Shape::array(ElementType::kF32, {}).to_string(), "f32[]");
  const Shape pair = Shape::tuple(std::vector<Shape>{Shape::parse("f32[2]"), Shape::token()});
  EXPECT_EQ(pair.to_string(), "(f32[2]{0}, token[])");
  EXPECT_EQ(pair.subshape({1}), Shape::token());
  EXPECT_EQ(pair.tuple_element(0), Shape::parse("f32[2]"));
  EXPECT_EQ(Shape::tuple({}).tuple_element_count(), 0);
  EXPECT_EQ(Shape::from_proto(pair.to_proto()), pair);
}

TEST(Shape, ManyDimensions) {
  const List ones(40, 1);
  EXPECT_EQ(Shape::array(ElementType::kU8, ones).dimensions(), ones);
  const std::string text = Shape::array(ElementType::kU8, List(200, 1)).to_string();
  EXPECT_EQ(Shape::parse(text).to_string(), text);
  EXPECT_GT(text.size(), 512u);
}

TEST(Shape, Hash) {
  const std::unordered_set<Shape> set = {Shape::parse("f32[2]"), Shape::parse("f32[2]{0}"), Shape::parse("f32[3]")};
  EXPECT_EQ(set.size(), 2u);
  EXPECT_EQ(std::hash<Layout>()(Layout::parse("{1,0}")), std::hash<Layout>()(Layout::row_major(2)));
}

TEST(Shape, Errors) {
  const auto result = Shape::try_parse("f32[2,x]");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().status(), Status::kParse);
  EXPECT_EQ(result.error().offset(), 6);
  EXPECT_STREQ(result.error().name(), "PARSE");
  EXPECT_FALSE(result.error().message().empty());
  try {
    (void)Shape::parse("f32[2,x]");
    FAIL();
  } catch (const xlashape::Exception& error) {
    EXPECT_EQ(error.error().offset(), 6);
    EXPECT_EQ(error.what(), std::string(result.error().message()) + " (at byte 6)");
    EXPECT_EQ(error.what(), error.error().text());
  }
  const xlashape::Error plain = Shape::parse("f32[?]").try_sizes().error();
  EXPECT_EQ(plain.text(), plain.message());
  EXPECT_EQ(xlashape::Exception(plain).what(), plain.message());
  EXPECT_EQ(Shape::try_parse("f32[2,3]{0,0}").error().status(), Status::kInvalidArgument);
  EXPECT_EQ(Shape::parse("f32[?]").try_sizes().error().status(), Status::kUnsupported);
  EXPECT_THROW(Shape::parse(kTiled).strides(xlashape::Unit::kBytes), xlashape::Exception);
  EXPECT_EQ(Shape::parse("s4[6,5]{1,0:E(4)}").piece_granularity(), (std::vector<int64_t>{2, 5}));
  EXPECT_FALSE(Shape::parse("token[]").try_piece_granularity());
  EXPECT_EQ(Shape::try_array(ElementType::kF32, {2}, {}, 0, std::array<uint8_t, 2>{}).error().status(),
            Status::kInvalidArgument);
  EXPECT_EQ(Shape::try_parse("f32[2]").value_or(Shape()).rank(), 1);
  EXPECT_FALSE(Shape::try_parse("f32[").value_or(Shape()));
}

TEST(Shape, Empty) {
  const Shape empty;
  EXPECT_FALSE(empty);
  EXPECT_EQ(empty.rank(), 0);
  EXPECT_EQ(empty.category(), Category::kNone);
  EXPECT_EQ(empty.try_sizes().error().status(), Status::kInvalidArgument);
  EXPECT_THROW(empty.dimensions(), xlashape::Exception);
  EXPECT_THROW((void)empty.to_string(), xlashape::Exception);
  EXPECT_FALSE(IndexMap::try_of(empty));
  EXPECT_EQ(Layout().rank(), 0);
}

TEST(ProgramShape, Parts) {
  using xlashape::ProgramShape;
  const std::vector<Shape> parameters = {Shape::parse("f32[2]"), Shape::parse("s32[]")};
  const std::vector<std::string> names = {"x", ""};
  const ProgramShape program = ProgramShape::of(parameters, parameters[0], names);
  EXPECT_EQ(program.to_string(), "(x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}");
  EXPECT_EQ(program.parameter(1), parameters[1]);
  EXPECT_EQ(program.parameter_name(0), "x");
  EXPECT_EQ(program.result(), parameters[0]);
  EXPECT_EQ(ProgramShape::from_proto(program.to_proto()), program);
  EXPECT_NE(ProgramShape::of({}, parameters[0]), program);
  EXPECT_EQ(program.try_parameter(2).error().status(), Status::kOutOfRange);
  EXPECT_EQ(ProgramShape::try_of(parameters, parameters[0], Span<const std::string>(names.data(), 1)).error().status(),
            Status::kInvalidArgument);
}

TEST(Layout, EveryFieldThereAndBack) {
  xlashape::LayoutSpec spec;
  spec.minor_to_major = {1, 0};
  spec.tiles = {{8, 128}, {XLASHAPE_COMBINE_DIMENSION, 1}};
  spec.padded_dimensions = {16, 256};
  spec.padding_value = xlashape::PaddingValue::kLowest;
  spec.element_size_in_bits = 4;
  spec.tail_padding_alignment_in_elements = 64;
  spec.memory_space = -3;
  spec.splits = {{0, {2, 4}}, {1, {128}}};
  spec.dynamic_shape_metadata_prefix_bytes = 32;
  const Layout layout = Layout::create(spec);
  EXPECT_EQ(layout.to_string(), "{1,0:T(8,128)(*,1)L(64)E(4)S(-3)SC(0:2,4)(1:128)M(32)PD(16,256)PV(lowest)}");
  const xlashape::LayoutSpec back = layout.spec();
  EXPECT_EQ(back.minor_to_major, spec.minor_to_major);
  EXPECT_EQ(back.tiles, spec.tiles);
  EXPECT_EQ(back.padded_dimensions, spec.padded_dimensions);
  EXPECT_EQ(back.padding_value, spec.padding_value);
  EXPECT_EQ(back.element_size_in_bits, spec.element_size_in_bits);
  EXPECT_EQ(back.tail_padding_alignment_in_elements, spec.tail_padding_alignment_in_elements);
  EXPECT_EQ(back.memory_space, spec.memory_space);
  ASSERT_EQ(back.splits.size(), spec.splits.size());
  for (std::size_t i = 0; i < spec.splits.size(); ++i) {
    EXPECT_EQ(back.splits[i].dimension, spec.splits[i].dimension);
    EXPECT_EQ(back.splits[i].indices, spec.splits[i].indices);
  }
  EXPECT_EQ(back.dynamic_shape_metadata_prefix_bytes, spec.dynamic_shape_metadata_prefix_bytes);
  const xlashape::LayoutSpec plain = Layout::parse("{1,0}").spec();
  EXPECT_EQ(plain.tail_padding_alignment_in_elements, 1);
  EXPECT_EQ(Layout::create(plain).to_string(), "{1,0}");
  spec.padded_dimensions = {1};
  EXPECT_EQ(Layout::try_create(spec).error().status(), Status::kInvalidArgument);
  EXPECT_THROW((void)Layout().spec(), xlashape::Exception);
  EXPECT_EQ(layout.try_tile_text(0).value(), "(8,128)");
  EXPECT_EQ(layout.try_split_text(1).value(), "(1:128)");
  EXPECT_EQ(layout.try_tile_text(2).error().status(), Status::kOutOfRange);
  EXPECT_EQ(Layout::from_proto(layout.to_proto()), layout);
  EXPECT_EQ(Layout::from_byte_strides(ElementType::kF32, {2, 3}, {4, 8}).to_string(), "{0,1}");
  EXPECT_FALSE(Layout::try_from_byte_strides(ElementType::kF32, {2, 3}, {4}));
  EXPECT_TRUE(Layout::row_major(3).is_dim0_major() && Layout::column_major(2).is_dim0_minor());
}

TEST(IndexMap, Batches) {
  const IndexMap map = IndexMap::of(Shape::parse("u8[3,4]{0,1:T(2,2)}"));
  const List indices = {0, 0, 1, 0, 2, 3};
  List linear(3), back(6);
  EXPECT_EQ(map.linear_indices(indices, linear), 0);
  EXPECT_EQ(linear, (List{0, 1, 14}));
  EXPECT_EQ(map.multidimensional_indices(linear, back), 0);
  EXPECT_EQ(back, indices);
  const List bad = {0, 0, 3, 0, 1, 0};
  EXPECT_EQ(map.linear_indices(bad, linear, XLASHAPE_INDEX_MARK_INVALID), 1);
  EXPECT_EQ(linear[1], -1);
  EXPECT_EQ(map.try_linear_indices(bad, linear).error().index(), 1);
}

TEST(IndexMap, Misuse) {
  const IndexMap map = IndexMap::of(Shape::parse("u8[3,4]"));
  List linear(2), indices(3);
  EXPECT_EQ(map.try_linear_index({3, 0}).error().status(), Status::kOutOfRange);
  EXPECT_EQ(map.try_linear_index({0}).error().status(), Status::kOutOfRange);
  EXPECT_THROW(map.linear_index({0, 0, 0}), xlashape::Exception);
  EXPECT_EQ(map.try_multidimensional_index(99, linear).error().status(), Status::kOutOfRange);
  EXPECT_EQ(map.try_multidimensional_index(0, indices).error().status(), Status::kOutOfRange);
  EXPECT_EQ(map.try_linear_indices(indices, linear).error().status(), Status::kOutOfRange);
  EXPECT_EQ(map.try_multidimensional_indices(linear, indices).error().status(), Status::kOutOfRange);
  EXPECT_THROW(IndexMap().linear_index({0}), xlashape::Exception);
}

TEST(IndexMap, EqualWhereShapesAre) {
  const Shape tiled = Shape::parse("u8[3,4]{0,1:T(2,2)}");
  IndexMap a = IndexMap::of(tiled), b = IndexMap::of(Shape::parse("u8[3,4]{0,1:T(2,2)}"));
  IndexMap other = IndexMap::of(Shape::parse("u8[3,4]"));
  EXPECT_TRUE(a == b && !(a != b) && a != other && IndexMap() == IndexMap() && a != IndexMap());
  EXPECT_EQ(a.shape(), tiled);
  a.swap(other);
  EXPECT_TRUE(other == b && a != b && a.linear_index({2, 3}) == 11);
  IndexMap taken(xlashape_index_map_retain(b.get())), alone(IndexMap::of(tiled).release());
  EXPECT_TRUE(taken == b && alone == IndexMap(alone) && alone != b && !alone.shape());
}

TEST(Result, ValuesInPlaceAndInTurn) {
  auto parsed = Shape::try_parse("f32[2,3]");
  Shape& shape = parsed.value();
  shape = Shape::parse("f32[4]");
  EXPECT_EQ(parsed->rank(), 1);
  const auto bytes = [](const Shape& s) -> xlashape::Result<int64_t> { return s.sizes().bytes; };
  EXPECT_EQ(*parsed.and_then(bytes), 16);
  EXPECT_EQ(*Shape::try_parse("f32[2]").and_then(IndexMap::try_of).and_then([](const IndexMap& map) {
    return map.try_linear_index({1});
  }),
            1);
  EXPECT_EQ(Shape::try_parse("f32[").and_then(bytes).error().status(), Status::kParse);
  auto failed = Shape::try_parse("f32[");
  EXPECT_THROW((void)failed.value(), xlashape::Exception);
}

TEST(Error, IsOneLineCutAtACharacter) {
  using xlashape::Error;
  EXPECT_EQ(Error(Status::kParse, "a\nb\x1b[31m\xff\x7f").message(), "a\\x0ab\\x1b[31m\\xff\\x7f");
  for (std::size_t before = 470; before < 485; ++before) {
    std::string text(before, '.'), whole = text.substr(0, 479);
    for (int i = 0; i < 9; ++i) {
      text += "\xe2\x82\xac";  // the euro sign
      if (whole.size() + 3 < 480) whole += "\xe2\x82\xac";
    }
    const Error error(Status::kParse, text);
    EXPECT_EQ(error.message(), whole);
    EXPECT_EQ(error.c_str(), whole);
  }
}

TEST(Error, IsEscapedAsTheLibraryDoes) {
  // There a path that a message names. Characters around each limit, and what is no UTF-8.
  const auto alike = [](const std::string& path) {
    const auto told = xlashape::Runtime::create().try_load_backend(path).error();
    const xlashape::Error ours(Status::kNotFound, path + ":");
    EXPECT_EQ(told.message().substr(0, ours.message().size()), ours.message());
  };
  const std::uint32_t limits[] = {0x20,   0x7F,   0x80,   0xA0,   0x61C,  0x61D,  0x800,  0x200B,  0x2010,  0x2028,
                                  0x202F, 0x2060, 0x2070, 0xD800, 0xE000, 0xFEFF, 0xFF00, 0x10000, 0x110000};
  std::string path = "/no/";
  for (const std::uint32_t limit : limits) {
    for (const std::uint32_t c : {limit - 1, limit}) {
      const auto last = static_cast<char>(0x80 | (c & 0x3F)), middle = static_cast<char>(0x80 | (c >> 6 & 0x3F));
      if (c < 0x80)
        path += static_cast<char>(c);
      else if (c < 0x800)
        path += {static_cast<char>(0xC0 | c >> 6), last};
      else if (c < 0x10000)
        path += {static_cast<char>(0xE0 | c >> 12), middle, last};
      else
        path += {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)), middle, last};
    }
  }
  alike(path);
  alike("/no/\x01\xc1\xbf\xe0\x9f\xbf\xf0\x8f\xbf\xbf\xf5\x80\x80\x80\xff\x80\xc2x\xe2\x82x\xf0\x9f\x98x");
}

TEST(Result, AnErrorOfATemporaryStays) {
  const xlashape::Error& error = Shape::try_parse("f32[").error();
  const Shape& shape = IndexMap::of(Shape::parse("f32[2]")).shape();
  EXPECT_EQ(error.offset(), 4);
  EXPECT_EQ(shape, Shape::parse("f32[2]"));
}

TEST(ElementType, Names) {
  EXPECT_EQ(xlashape::element_type("bf16"), ElementType::kBF16);
  EXPECT_EQ(xlashape::name(ElementType::kF8E4M3FN), "f8e4m3fn");
  EXPECT_EQ(xlashape::try_element_type("f33").error().status(), Status::kNotFound);
  EXPECT_EQ(xlashape::name(static_cast<ElementType>(999)), "");
}

}  // namespace
