// What is inside tuples: visiting, changing, and depth and sharing that would break a recursion.
#include "shape/tuples.h"

#include <gmock/gmock.h>

#include "shape/layouts.h"
#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using ::testing::ElementsAre;
using testing::made_by;
using testing::parsed;
using testing::printed;
using List = std::vector<int64_t>;

std::string text_of(std::span<const int64_t> path) {
  std::string text = "{";
  for (const int64_t step : path) text.append(text.size() > 1 ? "," : "").append(std::to_string(step));
  return text.append("}");
}

std::vector<std::string> visited(const Shape& shape, uint32_t flags) {
  std::vector<std::string> paths;
  SmallVec<int64_t, 16> path;
  const Shape* found;
  for (bool started = false; !next_subshape(shape, flags, started, &path, &found, nullptr); started = true) {
    EXPECT_EQ(found, subshape(shape, path));
    paths.push_back(text_of(path));
  }
  return paths;
}

// Nested so often: ((...(f32[]))).
Ref<Shape> nested(int depth) {
  Ref<Shape> shape = parsed("f32[]");
  for (int i = 0; i < depth; ++i) {
    Shape* element = shape.get();
    Ref<Shape> tuple;
    EXPECT_EQ(make_tuple({&element, 1}, &tuple, nullptr), XLASHAPE_STATUS_OK);
    shape = std::move(tuple);
  }
  return shape;
}

// (x, x) of (y, y) of ...: few shapes that stand for 2^levels.
Ref<Shape> doubled(int levels) {
  Ref<Shape> shape = parsed("f32[2,3]{0,1:T(2)}");
  for (int i = 0; i < levels; ++i) {
    Shape* elements[2] = {shape.get(), shape.get()};
    Ref<Shape> tuple;
    EXPECT_EQ(make_tuple(elements, &tuple, nullptr), XLASHAPE_STATUS_OK);
    shape = std::move(tuple);
  }
  return shape;
}

TEST(Tuples, Visit) {
  const Ref<Shape> shape = parsed("(f32[1], (f32[2], token[], ()), b(f32[3]))");
  EXPECT_THAT(visited(*shape, 0), ElementsAre("{}", "{0}", "{1}", "{1,0}", "{1,1}", "{1,2}", "{2}"));
  EXPECT_THAT(visited(*shape, XLASHAPE_VISIT_LEAVES), ElementsAre("{0}", "{1,0}", "{1,1}", "{2}"));
  EXPECT_THAT(visited(*shape, XLASHAPE_VISIT_POST_ORDER),
              ElementsAre("{0}", "{1,0}", "{1,1}", "{1,2}", "{1}", "{2}", "{}"));
  EXPECT_THAT(visited(*shape, XLASHAPE_VISIT_POST_ORDER | XLASHAPE_VISIT_LEAVES),
              ElementsAre("{0}", "{1,0}", "{1,1}", "{2}"));
  EXPECT_EQ(subshape_count(*shape), 7);
  EXPECT_THAT(visited(*parsed("f32[]"), 0), ElementsAre("{}"));
  EXPECT_THAT(visited(*parsed("f32[]"), XLASHAPE_VISIT_POST_ORDER), ElementsAre("{}"));
  EXPECT_THAT(visited(*parsed("()"), XLASHAPE_VISIT_LEAVES), ElementsAre());
  EXPECT_THAT(visited(*parsed("((), ())"), XLASHAPE_VISIT_POST_ORDER | XLASHAPE_VISIT_LEAVES), ElementsAre());
  SmallVec<int64_t, 16> nowhere = {0, 0};
  const Shape* found;
  EXPECT_EQ(next_subshape(*shape, 0, true, &nowhere, &found, nullptr), XLASHAPE_STATUS_OUT_OF_RANGE);
}

TEST(Tuples, SliceAppendReplaceFlatten) {
  const Ref<Shape> shape = parsed("(f32[1], (f32[2], token[]), s8[3])"), element = parsed("u8[7]");
  EXPECT_EQ(made_by([&](auto* out) { return slice_tuple(*shape, 1, 3, out, nullptr); }),
            "((f32[2]{0}, token[]), s8[3]{0})");
  EXPECT_EQ(made_by([&](auto* out) { return slice_tuple(*shape, 3, 3, out, nullptr); }), "()");
  EXPECT_EQ(made_by([&](auto* out) { return slice_tuple(*shape, 2, 1, out, nullptr); }), "OUT_OF_RANGE");
  EXPECT_EQ(made_by([&](auto* out) { return slice_tuple(*shape, 0, 4, out, nullptr); }), "OUT_OF_RANGE");
  EXPECT_EQ(made_by([&](auto* out) { return slice_tuple(*element, 0, 0, out, nullptr); }), "INVALID_ARGUMENT");
  EXPECT_EQ(made_by([&](auto* out) { return append_to_tuple(*parsed("()"), *element, out, nullptr); }), "(u8[7]{0})");
  EXPECT_EQ(made_by([&](auto* out) { return append_to_tuple(*element, *element, out, nullptr); }), "INVALID_ARGUMENT");
  EXPECT_EQ(made_by([&](auto* out) { return flatten_tuple(*shape, out, nullptr); }),
            "(f32[1]{0}, f32[2]{0}, token[], s8[3]{0})");
  EXPECT_EQ(made_by([&](auto* out) { return flatten_tuple(*element, out, nullptr); }), "(u8[7]{0})");
  const List inner = {1, 0}, root = {}, nowhere = {0, 0};
  EXPECT_EQ(made_by([&](auto* out) { return replace_subshape(*shape, inner, *element, out, nullptr); }),
            "(f32[1]{0}, (u8[7]{0}, token[]), s8[3]{0})");
  EXPECT_EQ(made_by([&](auto* out) { return replace_subshape(*shape, root, *element, out, nullptr); }), "u8[7]{0}");
  EXPECT_EQ(made_by([&](auto* out) { return replace_subshape(*shape, nowhere, *element, out, nullptr); }),
            "OUT_OF_RANGE");
  EXPECT_EQ(printed(*shape), "(f32[1]{0}, (f32[2]{0}, token[]), s8[3]{0})");  // the old one is as it was
}

TEST(Tuples, Questions) {
  const Ref<Shape> shape = parsed("(s32[3], (u8[2,2], b(s4[5])))");
  EXPECT_TRUE(has_element_type(*shape, XLASHAPE_TYPE_S4));
  EXPECT_TRUE(has_element_type(*shape, XLASHAPE_TYPE_TUPLE));
  EXPECT_FALSE(has_element_type(*shape, XLASHAPE_TYPE_F32));
  EXPECT_TRUE(leaves_have_classes(*shape, XLASHAPE_CLASS_INTEGRAL));
  EXPECT_FALSE(leaves_have_classes(*shape, XLASHAPE_CLASS_SIGNED));
  EXPECT_FALSE(leaves_have_classes(*parsed("(s32[], token[])"), XLASHAPE_CLASS_INTEGRAL));
  EXPECT_TRUE(leaves_have_classes(*parsed("()"), XLASHAPE_CLASS_INTEGRAL));
  int64_t count;
  EXPECT_EQ(element_count_recursive(*shape, &count, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(count, 3 + 4 + 5);
  EXPECT_EQ(element_count_recursive(*parsed("(f32[2], token[])"), &count, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(element_count_recursive(*parsed("(f32[?])"), &count, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(element_count_recursive(*parsed("(s8[9223372036854775807], s8[1])"), &count, nullptr),
            XLASHAPE_STATUS_OVERFLOW);
}

// Whether the first is a prefix of the second: leaves compared, dimensions and types ignored, tuples only.
TEST(Tuples, Prefix) {
  const struct {
    const char *prefix, *shape;
    bool equal, alike, structure;
  } cases[] = {
      {"f32[]", "f32[]", true, true, true},
      {"f32[]", "s32[]", false, true, true},
      {"f32[]", "f32[4]", false, false, true},
      {"f32[3]", "f32[4]", false, true, true},
      {"f32[4]", "f32[<=4]", false, true, true},
      {"f32[2,3]{1,0}", "f32[2,3]{0,1}", false, true, true},
      {"f32[]", "()", false, false, true},  // the empty path is one into any shape
      {"f32[]", "(f32[])", false, false, true},
      {"(f32[])", "f32[]", false, false, false},
      {"()", "f32[]", true, true, true},  // the empty tuple starts everything
      {"()", "token[]", true, true, true},
      {"()", "()", true, true, true},
      {"()", "(f32[])", true, true, true},
      {"()", "(f32[], f32[4])", true, true, true},
      {"(f32[])", "(f32[], f32[4])", true, true, true},
      {"(f32[], f32[4])", "(f32[])", false, false, false},
      {"(s32[])", "(f32[], f32[4])", false, true, true},
      {"((f32[]))", "((f32[], f32[4]))", true, true, true},
      {"((f32[]), f32[])", "((f32[], f32[4]), f32[], token[])", true, true, true},
      {"((s32[]), f32[])", "((f32[], f32[4]), f32[], token[])", false, true, true},
      {"((), f32[])", "((f32[], f32[4]), f32[])", true, true, true},
      {"((), f32[])", "(f32[], f32[])", true, true, true},
      {"(token[])", "(token[])", true, true, true},
      {"(token[])", "(opaque[])", false, false, true},
      {"(b(f32[4]))", "(b(f32[4]), f32[4])", true, true, true},
      {"(b(f32[4]))", "(f32[4])", false, false, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.prefix) + " of " + c.shape);
    const Ref<Shape> prefix = parsed(c.prefix), shape = parsed(c.shape);
    const uint32_t loose = XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE | XLASHAPE_EQUAL_IGNORE_DIMENSIONS |
                           XLASHAPE_EQUAL_IGNORE_LAYOUT | XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION;
    EXPECT_EQ(is_prefix(*prefix, *shape, 0), c.equal);
    EXPECT_EQ(is_prefix(*prefix, *shape, loose), c.alike);
    EXPECT_EQ(is_prefix(*prefix, *shape, XLASHAPE_EQUAL_STRUCTURE_ONLY), c.structure);
  }
  EXPECT_TRUE(is_prefix(*parsed("(b(f32[4]))"), *parsed("(f32[4], token[])"), XLASHAPE_EQUAL_IGNORE_BUFFER));
  // Both ways round it is EqualStructure.
  const auto same = [](const char* a, const char* b) {
    return is_prefix(*parsed(a), *parsed(b), XLASHAPE_EQUAL_STRUCTURE_ONLY) &&
           is_prefix(*parsed(b), *parsed(a), XLASHAPE_EQUAL_STRUCTURE_ONLY);
  };
  EXPECT_TRUE(same("(f32[2], (s8[3], token[]))", "(u8[], (opaque[], f64[7]))"));
  EXPECT_FALSE(same("(f32[2], (s8[3]))", "(u8[], (opaque[], f64[7]))"));
  EXPECT_FALSE(same("f32[2]", "(f32[2])"));
}

TEST(Tuples, MapSharesWhatStays) {
  const Ref<Shape> shape = parsed("(f32[2], (s8[3], token[]))");
  Ref<Shape> same;
  ASSERT_EQ(with_element_type(*parsed("()"), XLASHAPE_TYPE_F32, &same, nullptr), XLASHAPE_STATUS_OK);
  ASSERT_EQ(without_parts(*shape, XLASHAPE_PART_TILES, &same, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(same.get(), shape.get());
}

TEST(Tuples, DepthNeedsNoStack) {
  const Ref<Shape> deep = nested(XLASHAPE_MAX_DEPTH), leaf = parsed("s8[1]");
  EXPECT_TRUE(is_prefix(*deep, *nested(XLASHAPE_MAX_DEPTH), 0));
  EXPECT_EQ(visited(*deep, XLASHAPE_VISIT_LEAVES | XLASHAPE_VISIT_POST_ORDER).size(), 1u);
  Ref<Shape> changed, flat, replaced;
  ASSERT_EQ(with_element_type(*deep, XLASHAPE_TYPE_S8, &changed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_TRUE(has_element_type(*changed, XLASHAPE_TYPE_S8));
  ASSERT_EQ(flatten_tuple(*deep, &flat, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(printed(*flat), "(f32[])");
  const List path(XLASHAPE_MAX_DEPTH, 0);
  ASSERT_EQ(replace_subshape(*deep, path, *leaf, &replaced, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(subshape(*replaced, path), leaf.get());
  Shape* element = deep.get();
  EXPECT_EQ(make_tuple({&element, 1}, &changed, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(replace_subshape(*deep, path, *deep, &changed, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
}

TEST(Tuples, SharingCostsNothing) {
  const Ref<Shape> wide = doubled(23);  // eight million leaves, two dozen shapes
  Ref<Shape> changed, back;
  ASSERT_EQ(with_element_type(*wide, XLASHAPE_TYPE_S8, &changed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(changed->elements[0], changed->elements[1]);
  EXPECT_EQ(changed->leaf_count, int64_t{1} << 23);
  ASSERT_EQ(copy_layouts(*changed, *wide, &back, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(back->elements[0], back->elements[1]);
}

}  // namespace
}  // namespace xlashape::core
