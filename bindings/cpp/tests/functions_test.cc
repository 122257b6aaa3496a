// SPDX-License-Identifier: Apache-2.0
// What runtimes ask of shapes and layouts: hashes under a mask, heads of texts, boxes, bitcasts, float formats,
// targets, others' forms and back.
#include <gtest/gtest.h>

#include <xlashape.hpp>

namespace {

using xlashape::ElementType;
using xlashape::Layout;
using xlashape::ProgramShape;
using xlashape::Shape;
using xlashape::Status;
using List = std::vector<int64_t>;

TEST(Hash, LeavesOutWhatEqualityDoes) {
  const Shape a = Shape::parse("f32[2,3]{1,0:S(1)}"), b = Shape::parse("f32[2,3]{0,1}");
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_EQ(a.hash(XLASHAPE_EQUAL_IGNORE_LAYOUT), b.hash(XLASHAPE_EQUAL_IGNORE_LAYOUT));
  const Layout l = Layout::parse("{1,0:S(1)}"), m = Layout::parse("{1,0}");
  EXPECT_NE(l.hash(), m.hash());
  EXPECT_EQ(l.hash(XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE), m.hash(XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE));
}

TEST(Head, IsParsedAndTheRestLeft) {
  const auto shape = xlashape::parse_shape_head("(f32[2], s8[]) tuple(%a)");
  EXPECT_EQ(shape.value.to_string(), "(f32[2]{0}, s8[])");
  EXPECT_EQ(shape.rest, " tuple(%a)");
  const auto layout = xlashape::parse_layout_head("{1,0:T(2)}, x");
  EXPECT_EQ(layout.value.to_string(), "{1,0:T(2)}");
  EXPECT_EQ(layout.rest, ", x");
  EXPECT_EQ(xlashape::try_parse_shape_head("f32[2").error().status(), Status::kParse);
  EXPECT_EQ(xlashape::try_parse_layout_head("1,0").error().status(), Status::kParse);
}

TEST(Dimension, NumbersAndLetters) {
  EXPECT_EQ(xlashape::dimension_number(3, -1), 2);
  EXPECT_EQ(xlashape::dimension_letter(3, 0), 'z');
  EXPECT_EQ(xlashape::dimension_letter(3, 2), 'x');
  EXPECT_EQ(xlashape::dimension_letter(5, 0), '\0');
  EXPECT_EQ(xlashape::dimension_from_letter(4, 'p'), 0);
  EXPECT_EQ(xlashape::try_dimension_from_letter(3, 'p').error().status(), xlashape::Status::kNotFound);
}

TEST(ProgramShape, Layouts) {
  const Shape bare = Shape::parse("(f32[2]{0}, (s8[3], token[]))", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  EXPECT_EQ(bare.missing_layouts(), (std::vector<List>{{1, 0}}));
  EXPECT_TRUE(Shape::parse("(f32[2])").missing_layouts().empty());
  const std::vector<Shape> parameters = {bare};
  const ProgramShape program = ProgramShape::of(parameters, Shape::parse("f32[2]"));
  EXPECT_FALSE(program.has_all_layouts());
  const ProgramShape whole = program.try_with_default_layouts().value();
  EXPECT_TRUE(whole.has_all_layouts());
  EXPECT_EQ(whole.try_without_layout_fields(XLASHAPE_LAYOUT_FIELD_ALL).value().to_string(),
            "((unknown): (f32[2], (s8[3], token[]))) -> f32[2]");
}

TEST(Box, IsWalkedInMemoryOrderAndInParts) {
  const Shape array = Shape::parse("f32[2,3]{0,1}");
  const xlashape::Box box{{0, 0}, array.dimensions(), {1, 1}, array.layout().minor_to_major()};
  const auto map = xlashape::IndexMap::of(array);
  List index = box.index_at(0);
  for (int64_t number = 0; number < box.index_count(); ++number) {
    EXPECT_EQ(map.linear_index(index), number);
    EXPECT_EQ(box.index_at(number), index);
    EXPECT_EQ(box.next_index(index), number + 1 < box.index_count());
  }
  EXPECT_EQ(box.try_index_at(6).error().status(), Status::kOutOfRange);
  const xlashape::Box bad{{0, 0}, {1}, {1, 1}};
  EXPECT_EQ(bad.try_index_count().error().status(), Status::kInvalidArgument);
  EXPECT_FALSE(bad.next_index(index));
}

TEST(Bitcast, IsTakenApart) {
  const auto parts = xlashape::decompose_bitcast(Shape::parse("f32[4,6]{0,1}"), Shape::parse("f32[3,8]{0,1}"));
  EXPECT_EQ(parts.kind, xlashape::BitcastKind::kTrt);
  EXPECT_EQ(parts.transpose1, (List{1, 0}));
  EXPECT_EQ(parts.reshape_from.to_string(), "f32[6,4]{1,0}");
  EXPECT_EQ(parts.reshape_to.to_string(), "f32[8,3]{1,0}");
  EXPECT_EQ(parts.transpose2, (List{1, 0}));
  EXPECT_EQ(xlashape::try_decompose_bitcast(Shape::parse("f32[4]"), Shape::parse("f32[5]")).error().status(),
            Status::kNotFound);
}

TEST(Version, OfXla) { EXPECT_GE(xlashape::xla_version(), 20261026u); }
TEST(Version, BuildInfo) { EXPECT_EQ(std::string(xlashape::build_info()).rfind("version: ", 0), 0u); }

TEST(FloatFormat, IsTold) {
  EXPECT_EQ(xlashape::try_float_format(ElementType::kBF16).value().underflow_exponent, -125);
  EXPECT_EQ(xlashape::try_float_format(ElementType::kS32).error().status(), Status::kUnsupported);
  EXPECT_TRUE(xlashape::cast_preserves_values(ElementType::kS8, ElementType::kBF16));
  EXPECT_FALSE(xlashape::cast_preserves_values(ElementType::kBF16, ElementType::kS8));
}

TEST(Target, TellsWhatItIs) {
  using xlashape::Target, xlashape::target;
  const std::vector<Target> all = xlashape::targets();
  ASSERT_GE(all.size(), 9u);
  for (const Target one : all) EXPECT_EQ(target(xlashape::name(one)), one);
  EXPECT_EQ(xlashape::name(static_cast<Target>(all.size())), "");
  EXPECT_EQ(xlashape::try_target("tpu:v1").error().status(), Status::kNotFound);
  EXPECT_EQ(xlashape::properties(target("tpu:v4")).sublanes, 8);
  EXPECT_EQ(xlashape::try_properties(static_cast<Target>(-1)).error().status(), Status::kOutOfRange);
  EXPECT_EQ(xlashape::tuple_bytes(target("tpu:v5p"), 9), 64);
  EXPECT_EQ(xlashape::try_tuple_bytes(target("tpu:v5p"), -1).error().status(), Status::kInvalidArgument);
  EXPECT_EQ(xlashape::memory_space_name(target("tpu:v5e"), 1), "vmem");
  EXPECT_EQ(xlashape::try_memory_space_name(target("cpu"), 0).error().status(), Status::kUnsupported);
}

TEST(Target, ChoosesLayouts) {
  const xlashape::Target v5e = xlashape::target("tpu:v5e");
  const List sizes = {1000, 3}, order = {1, 0};
  EXPECT_EQ(xlashape::layout_for(v5e, ElementType::kF32, sizes).to_string(), "{0,1:T(4,128)}");
  EXPECT_EQ(xlashape::try_layout_for(v5e, ElementType::kF32, sizes, order).value().to_string(), "{1,0:T(8,128)}");
  EXPECT_EQ(xlashape::try_layout_for(v5e, ElementType::kF32, sizes, {1}).error().status(), Status::kInvalidArgument);
  const Shape tuple = Shape::parse("(f32[1000,3]{1,0}, token[])");
  EXPECT_EQ(xlashape::for_target(tuple, v5e).to_string(), "(f32[1000,3]{0,1:T(4,128)}, token[])");
  EXPECT_EQ(xlashape::for_target(tuple, v5e, XLASHAPE_TARGET_KEEP_ORDER).to_string(),
            "(f32[1000,3]{1,0:T(8,128)}, token[])");
  EXPECT_EQ(xlashape::try_for_target(Shape::token(), v5e).error().status(), Status::kUnsupported);
  EXPECT_EQ(xlashape::try_for_target(Shape(), v5e).error().status(), Status::kInvalidArgument);
}

TEST(Interop, Texts) {
  const Shape shape = Shape::parse("f32[2,3]{0,1}"), tiled = Shape::parse("bf16[3,4]{1,0:T(2,2)}");
  using xlashape::Notation, xlashape::read_shape, xlashape::to_notation;
  EXPECT_EQ(to_notation(Shape::parse("f32[2,3]"), Notation::kMlir), "tensor<2x3xf32>");
  EXPECT_EQ(read_shape("tensor<2x3xf32>"), Shape::parse("f32[2,3]"));
  EXPECT_EQ(read_shape("f32 " + to_notation(shape, Notation::kCute)), shape);
  for (const Notation notation : {Notation::kNumpy, Notation::kMemref})
    EXPECT_EQ(read_shape(to_notation(shape, notation)), shape);
  for (const Notation notation : {Notation::kOnednn, Notation::kPack, Notation::kJax})
    EXPECT_EQ(xlashape::with_words(shape, to_notation(tiled, notation)).destination,
              Shape::parse("f32[2,3]{1,0:T(2,2)}"));
  EXPECT_EQ(xlashape::try_to_notation(shape, Notation::kMlir).error().status(), Status::kUnsupported);
  EXPECT_EQ(xlashape::try_to_notation(tiled, Notation::kNumpy).error().status(), Status::kUnsupported);
  EXPECT_EQ(xlashape::try_read_shape("f32 (2,").error().status(), Status::kParse);
  EXPECT_THROW(read_shape("{'shape': 3}"), xlashape::Exception);
  EXPECT_EQ(xlashape::try_read_shape("memref<2xf32, strided<[1], offset: 3>>").error().status(), Status::kUnsupported);
  std::int64_t offset = 0;
  EXPECT_EQ(read_shape("memref<2xf32, strided<[1], offset: 3>>", 0, &offset), Shape::parse("f32[2]"));
  EXPECT_EQ(offset, 3);
  const xlashape::Arranged planes = xlashape::with_words(Shape::parse("u8[4,5,3]"), "HWC->CHW");
  EXPECT_EQ(planes.destination, Shape::parse("u8[4,5,3]{1,0,2}"));
  EXPECT_EQ(planes.result, Shape::parse("u8[3,4,5]"));
  EXPECT_EQ(xlashape::try_with_words(shape, "nChw16c").error().status(), Status::kInvalidArgument);
  EXPECT_EQ(xlashape::read_element_type("torch.bfloat16"), ElementType::kBF16);
  EXPECT_EQ(xlashape::try_read_element_type("float33").error().message(),
            "expected an element type, found 'float33': did you mean f32?");
}

TEST(Interop, Structs) {
  const Shape shape = Shape::parse("f32[2,3]{0,1}"), tiled = Shape::parse("bf16[3,4]{1,0:T(2,2)}");
  float data[6];
  const auto tensor = xlashape::try_to_dlpack(shape, 0, data);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(xlashape::from_dlpack(tensor->get()), shape);
  EXPECT_EQ(xlashape::try_to_dlpack(tiled, 0, data).error().status(), Status::kUnsupported);
  EXPECT_FALSE(xlashape::try_from_dlpack(nullptr));
  const auto layout = xlashape::try_to_pjrt(tiled);
  ASSERT_TRUE(layout);
  EXPECT_EQ(*xlashape::try_layout_from_pjrt(layout->get(), ElementType::kBF16, {3, 4}), tiled.layout());
}

}  // namespace
