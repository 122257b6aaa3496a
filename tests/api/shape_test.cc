// SPDX-License-Identifier: Apache-2.0
// Shapes through the C API: creation, what can be asked of one, tuples, equality, dimension numbers and letters.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::answers;
using api::Ints;
using api::Layout;
using api::make;
using api::message;
using api::ok;
using api::Shape;
using api::shape;
using api::text_of;
using testing::HasSubstr;

Shape array(int32_t type, const Ints& dimensions, xlashape_layout* layout = nullptr, uint32_t flags = 0,
            const uint8_t* dynamic = nullptr) {
  return make<Shape>(xlashape_shape_create_array, type, dimensions.data(), dynamic,
                     static_cast<int64_t>(dimensions.size()), layout, flags);
}

std::string refused(xlashape_status status, int32_t type, const Ints& dimensions, xlashape_layout* layout = nullptr) {
  return message(status, [&](xlashape_error* err) {
    xlashape_shape* made = nullptr;
    const xlashape_status got = xlashape_shape_create_array(
        type, dimensions.data(), nullptr, static_cast<int64_t>(dimensions.size()), layout, 0, &made, err);
    EXPECT_EQ(made, nullptr);
    return got;
  });
}

TEST(Shape, ArrayAnswersForItself) {
  const uint8_t dynamic[] = {0, 1, 1};
  const Layout layout = api::layout("{0,1,2}");
  const Shape made = array(XLASHAPE_TYPE_BF16, {2, 3, XLASHAPE_DIMENSION_UNBOUNDED}, layout.get(), 0, dynamic);
  const auto* s = made.get();
  EXPECT_EQ(text_of(s), "bf16[2,<=3,?]{0,1,2}");
  EXPECT_EQ(xlashape_shape_category(s), XLASHAPE_CATEGORY_ARRAY);
  EXPECT_EQ(xlashape_shape_element_type(s), XLASHAPE_TYPE_BF16);
  EXPECT_EQ(xlashape_shape_rank(s), 3);
  EXPECT_EQ(xlashape_shape_is_dynamic(s), 1);
  EXPECT_EQ(xlashape_shape_is_unbounded(s), 1);
  EXPECT_EQ(xlashape_shape_has_layout(s), 1);
  EXPECT_EQ(xlashape_shape_tuple_element_count(s), 0);
  EXPECT_EQ(xlashape_shape_leaf_count(s), 1);
  answers<int64_t>({2, 3, XLASHAPE_DIMENSION_UNBOUNDED}, xlashape_shape_dimensions, s);
  answers<uint8_t>({0, 1, 1}, xlashape_shape_dynamic_dimensions, s);
  const Layout same = make<Layout>(xlashape_shape_layout, s);
  EXPECT_EQ(xlashape_layout_equal(layout.get(), same.get(), 0), 1);
}

TEST(Shape, LayoutIsRowMajorUnlessToldOtherwise) {
  EXPECT_EQ(text_of(array(XLASHAPE_TYPE_F32, {2, 3}).get()), "f32[2,3]{1,0}");
  const Shape none = array(XLASHAPE_TYPE_F32, {2, 3}, nullptr, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  EXPECT_EQ(text_of(none.get()), "f32[2,3]");
  EXPECT_EQ(xlashape_shape_has_layout(none.get()), 0);
  xlashape_layout* layout = nullptr;
  message(XLASHAPE_STATUS_NOT_FOUND, xlashape_shape_layout, none.get(), &layout);
  EXPECT_EQ(layout, nullptr);
  EXPECT_EQ(xlashape_shape_has_layout(array(XLASHAPE_TYPE_F32, {}, nullptr, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT).get()),
            0);
  EXPECT_EQ(xlashape_shape_has_layout(array(XLASHAPE_TYPE_F32, {}).get()), 1);
  // A text of a scalar never tells the empty layout, so it gives it.
  EXPECT_EQ(xlashape_shape_has_layout(shape("f32[]", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT).get()), 1);
  EXPECT_THAT(message(XLASHAPE_STATUS_INCOMPATIBLE,
                      [&](auto* err) {
                        xlashape_shape* made = nullptr;
                        return xlashape_shape_create_array(XLASHAPE_TYPE_F32, nullptr, nullptr, 0, nullptr, 1u << 30,
                                                           &made, err);
                      }),
              HasSubstr("0x40000000"));
}

TEST(Shape, WhatIsUnboundedIsDynamic) {
  const Ints sizes = {XLASHAPE_DIMENSION_UNBOUNDED, XLASHAPE_DIMENSION_UNBOUNDED};
  const uint8_t dynamic[] = {1, 0}, both[] = {1, 9};
  xlashape_shape* made = nullptr;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_create_array, XLASHAPE_TYPE_F32, sizes.data(),
                      dynamic, 2, nullptr, 0, &made),
              HasSubstr("dimension 1 is unbounded"));
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(text_of(array(XLASHAPE_TYPE_F32, sizes, nullptr, 0, both).get()), "f32[?,?]{1,0}");
  EXPECT_EQ(text_of(array(XLASHAPE_TYPE_F32, sizes).get()), "f32[?,?]{1,0}");
  const uint8_t none[] = {0, 0};
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_with_dynamic_dimensions, shape("f32[?,2]").get(), none, 2,
          &made);
  EXPECT_EQ(made, nullptr);
}

TEST(Shape, RanksFromNoneToMany) {
  EXPECT_EQ(text_of(array(XLASHAPE_TYPE_PRED, {}).get()), "pred[]");
  const Shape many = array(XLASHAPE_TYPE_U8, Ints(64, 1));
  EXPECT_EQ(xlashape_shape_rank(many.get()), 64);
  EXPECT_EQ(text_of(array(XLASHAPE_TYPE_S4, {0, 7}).get()), "s4[0,7]{1,0}");
}

TEST(Shape, EveryRuleHasItsMessage) {
  for (const int32_t type : {XLASHAPE_TYPE_INVALID, XLASHAPE_TYPE_TUPLE, XLASHAPE_TYPE_TOKEN, XLASHAPE_TYPE_OPAQUE,
                             XLASHAPE_TYPE_BUFFER, INT32_MAX, -1})
    EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, type, {2}),
                HasSubstr("element type " + std::to_string(type)));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_TYPE_F32, {2, -1}),
              HasSubstr("dimension 1 has size -1"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OVERFLOW, XLASHAPE_TYPE_F32, {int64_t{1} << 32, int64_t{1} << 31}),
              HasSubstr("dimension 1"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_TYPE_F32, {2, 3}, api::layout("{0}").get()),
              HasSubstr("rank 2"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_TYPE_F32, {2, 3}, api::layout("{1,0:PD(2,2)}").get()),
              HasSubstr("padded_dimensions[1] is 2"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_TYPE_F32, {2, 3}, api::layout("{1,0:SC(1:3)}").get()),
              HasSubstr("past its size 3"));
  EXPECT_EQ(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_TYPE_F32, {10, XLASHAPE_DIMENSION_UNBOUNDED},
                    api::layout("{0,1:SC(0:9)}").get()),
            "physical dimension 0 is unbounded and cannot be split");
  xlashape_shape* made = nullptr;
  for (const int64_t rank : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
    const int64_t one = 1;
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_create_array, XLASHAPE_TYPE_F32, &one, nullptr,
                        rank, nullptr, 0, &made),
                HasSubstr("rank is " + std::to_string(rank)));
  }
  EXPECT_EQ(made, nullptr);
}

TEST(Shape, TuplesNest) {
  const Shape a = shape("f32[2]"), b = shape("token[]"), c = shape("(s8[3], ())");
  xlashape_shape* const elements[] = {a.get(), b.get(), c.get(), a.get()};
  const Shape made = make<Shape>(xlashape_shape_create_tuple, elements, 4);
  const auto* t = made.get();
  EXPECT_EQ(text_of(t), "(f32[2]{0}, token[], (s8[3]{0}, ()), f32[2]{0})");
  EXPECT_EQ(xlashape_shape_category(t), XLASHAPE_CATEGORY_TUPLE);
  EXPECT_EQ(xlashape_shape_element_type(t), XLASHAPE_TYPE_TUPLE);
  EXPECT_EQ(xlashape_shape_rank(t), 0);
  EXPECT_EQ(xlashape_shape_tuple_element_count(t), 4);
  EXPECT_EQ(xlashape_shape_leaf_count(t), 4);
  EXPECT_EQ(xlashape_shape_has_layout(t), 0);
  const Shape third = make<Shape>(xlashape_shape_tuple_element, t, 2);
  EXPECT_EQ(text_of(third.get()), "(s8[3]{0}, ())");
  const int64_t path[] = {2, 0};
  const Shape deep = make<Shape>(xlashape_shape_subshape, t, path, 2);
  EXPECT_EQ(text_of(deep.get()), "s8[3]{0}");
  const Shape self = make<Shape>(xlashape_shape_subshape, t, nullptr, 0);
  EXPECT_EQ(xlashape_shape_equal(self.get(), t, 0), 1);
}

TEST(Shape, WrongPathsAreOutOfRange) {
  const Shape t = shape("(f32[2], (s8[3]))"), buffer = shape("b(f32[2])");
  xlashape_shape* out = nullptr;
  for (const int64_t index : {int64_t{-1}, int64_t{2}, INT64_MIN, INT64_MAX})
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_shape_tuple_element, t.get(), index, &out),
                HasSubstr("index is " + std::to_string(index)));
  for (const Ints& path : {Ints{2}, Ints{-1}, Ints{0, 0}, Ints{1, 1}, Ints{1, 0, 0}})
    message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_shape_subshape, t.get(), path.data(),
            static_cast<int64_t>(path.size()), &out);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_subshape, t.get(), nullptr, -1, &out);
  EXPECT_EQ(out, nullptr);
}

TEST(Shape, TupleOfNullIsRefusedAndLeaksNothing) {
  const Shape a = shape("f32[2]");
  xlashape_shape* const elements[] = {a.get(), nullptr};
  xlashape_shape* made = nullptr;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_create_tuple, elements, 2, &made),
              HasSubstr("element 1 is NULL"));
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_create_tuple, elements, -1, &made);
  EXPECT_EQ(made, nullptr);
}

TEST(Shape, DepthHasALimitAndNoStack) {
  Shape inner = shape("()");
  for (int depth = 2; depth <= XLASHAPE_MAX_DEPTH; ++depth) {
    xlashape_shape* const element = inner.get();
    inner = make<Shape>(xlashape_shape_create_tuple, &element, 1);
    ASSERT_NE(inner, nullptr) << depth;
  }
  xlashape_shape* const element = inner.get();
  xlashape_shape* made = nullptr;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_create_tuple, &element, 1, &made),
              HasSubstr(std::to_string(XLASHAPE_MAX_DEPTH)));
  EXPECT_EQ(xlashape_shape_leaf_count(inner.get()), 0);
  EXPECT_EQ(xlashape_shape_equal(inner.get(), inner.get(), 0), 1);
  int64_t needed = 0;
  EXPECT_EQ(xlashape_shape_print(inner.get(), 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(needed, size_t{2 * XLASHAPE_MAX_DEPTH + 1});
}

TEST(Shape, TokenOpaqueAndBuffer) {
  const Shape token = make<Shape>(xlashape_shape_create_token);
  const Shape opaque = make<Shape>(xlashape_shape_create_opaque);
  EXPECT_EQ(xlashape_shape_category(token.get()), XLASHAPE_CATEGORY_TOKEN);
  EXPECT_EQ(xlashape_shape_element_type(token.get()), XLASHAPE_TYPE_TOKEN);
  EXPECT_EQ(xlashape_shape_category(opaque.get()), XLASHAPE_CATEGORY_OPAQUE);
  EXPECT_EQ(xlashape_shape_element_type(opaque.get()), XLASHAPE_TYPE_OPAQUE);
  EXPECT_EQ(text_of(token.get()), "token[]");
  EXPECT_EQ(text_of(opaque.get()), "opaque[]");
  // Rank 0 and no dimensions, for every reader that asks for both.
  for (const char* text : {"token[]", "opaque[]", "(f32[2])", "()"}) {
    const Shape none = shape(text);
    EXPECT_EQ(xlashape_shape_rank(none.get()), 0);
    answers<int64_t>({}, xlashape_shape_dimensions, none.get());
    answers<uint8_t>({}, xlashape_shape_dynamic_dimensions, none.get());
  }
  int64_t count = 7;
  EXPECT_EQ(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_element_count, opaque.get(), &count),
            "an opaque has no elements to count");
  EXPECT_EQ(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_element_count, token.get(), &count),
            "a token has no elements to count");

  const Shape f32 = shape("f32[2,3]{0,1}");
  const Shape buffer = make<Shape>(xlashape_shape_create_buffer, f32.get());
  EXPECT_EQ(text_of(buffer.get()), "b(f32[2,3]{0,1})");
  EXPECT_EQ(xlashape_shape_category(buffer.get()), XLASHAPE_CATEGORY_BUFFER);
  EXPECT_EQ(xlashape_shape_element_type(buffer.get()), XLASHAPE_TYPE_F32);
  EXPECT_EQ(xlashape_shape_rank(buffer.get()), 2);
  EXPECT_EQ(xlashape_shape_has_layout(buffer.get()), 1);
  EXPECT_EQ(xlashape_shape_tuple_element_count(buffer.get()), 1);
  xlashape_shape* made = nullptr;
  for (xlashape_shape* no_array : {token.get(), opaque.get(), buffer.get()})
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_create_buffer, no_array, &made),
                HasSubstr("array"));
}

TEST(Shape, WithLayout) {
  const Shape a = shape("f32[2,3]"), b = shape("b(f32[2,3])"), t = shape("(f32[2,3])");
  const Layout column = api::layout("{0,1}"), wrong = api::layout("{0}");
  const auto with = [](const Shape& of, xlashape_layout* layout) {
    return make<Shape>(xlashape_shape_with_layout, of.get(), layout);
  };
  EXPECT_EQ(text_of(with(a, column.get()).get()), "f32[2,3]{0,1}");
  EXPECT_EQ(text_of(with(b, column.get()).get()), "b(f32[2,3]{0,1})");
  EXPECT_EQ(text_of(with(a, nullptr).get()), "f32[2,3]");
  EXPECT_EQ(text_of(a.get()), "f32[2,3]{1,0}") << "a shape never changes";
  xlashape_shape* out = nullptr;
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_with_layout, a.get(), wrong.get(), &out);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_with_layout, t.get(), column.get(), &out);
  EXPECT_EQ(out, nullptr);
}

TEST(Shape, HandlesKeepAliveWhatTheyNeed) {
  Layout layout = api::layout("{0,1:T(2,2)}");
  Shape a = array(XLASHAPE_TYPE_F32, {2, 3}, layout.get());
  layout.reset();
  xlashape_shape* const elements[] = {a.get()};
  Shape t = make<Shape>(xlashape_shape_create_tuple, elements, 1);
  a.reset();
  EXPECT_EQ(text_of(t.get()), "(f32[2,3]{0,1:T(2,2)})");
  const Shape element = make<Shape>(xlashape_shape_tuple_element, t.get(), 0);
  t.reset();
  EXPECT_EQ(text_of(element.get()), "f32[2,3]{0,1:T(2,2)}");
  EXPECT_EQ(xlashape_shape_retain(element.get()), element.get());
  xlashape_shape_release(element.get());
}

TEST(Shape, EqualityCompatibilityAndHash) {
  const struct {
    const char *a, *b;
    uint32_t mask;
    int equal, compatible;
  } cases[] = {
      {"f32[2,3]", "f32[2,3]", 0, 1, 1},
      {"f32[2,3]", "f32[2,3]{0,1}", 0, 0, 1},
      {"f32[2,3]", "f32[2,3]{0,1}", XLASHAPE_EQUAL_IGNORE_LAYOUT, 1, 1},
      {"f32[2,3]", "f32[3,2]", 0, 0, 0},
      {"f32[2,3]", "f32[3,2]", XLASHAPE_EQUAL_IGNORE_DIMENSIONS, 1, 1},
      {"f32[2,3]", "f32[6]", XLASHAPE_EQUAL_IGNORE_DIMENSIONS | XLASHAPE_EQUAL_IGNORE_LAYOUT, 0, 0},
      {"f32[2,3]", "s32[2,3]", XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE, 1, 1},
      {"f32[2,3]", "s32[2,3]", XLASHAPE_EQUAL_IGNORE_FP_PRECISION, 0, 0},
      {"f32[2,3]", "bf16[2,3]", XLASHAPE_EQUAL_IGNORE_FP_PRECISION, 1, 1},
      {"f32[2,3]", "f32[2,<=3]", 0, 0, 1},
      {"f32[2,3]", "f32[2,<=3]", XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION, 1, 1},
      {"(f32[2], s8[3])", "(f32[2], s8[3])", 0, 1, 1},
      {"(f32[2], s8[3])", "(s8[3], f32[2])", 0, 0, 0},
      {"(f32[2,2])", "(f32[2,2]{0,1})", XLASHAPE_EQUAL_IGNORE_LAYOUT, 1, 1},
      {"()", "token[]", 0, 0, 0},
      {"b(f32[2])", "f32[2]", 0, 0, 0},
      {"b(f32[2])", "f32[2]", XLASHAPE_EQUAL_IGNORE_BUFFER, 1, 1},
      {"(f32[2]{0:M(8)})", "(f32[2])", 0, 0, 1},
      {"(f32[2]{0:M(8)})", "(f32[2])", XLASHAPE_EQUAL_XLA, 1, 1},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.a) + " and " + c.b + ", mask " + std::to_string(c.mask));
    const Shape a = shape(c.a), b = shape(c.b);
    EXPECT_EQ(xlashape_shape_equal(a.get(), b.get(), c.mask), c.equal);
    EXPECT_EQ(xlashape_shape_equal(b.get(), a.get(), c.mask), c.equal);
    EXPECT_EQ(xlashape_shape_compatible(a.get(), b.get(), c.mask), c.compatible);
    EXPECT_EQ(xlashape_shape_compatible(b.get(), a.get(), c.mask), c.compatible);
    if (c.equal) {
      EXPECT_EQ(xlashape_shape_hash(a.get(), c.mask), xlashape_shape_hash(b.get(), c.mask));
    }
  }
  EXPECT_NE(xlashape_shape_hash(shape("f32[2,3]").get(), 0), xlashape_shape_hash(shape("f32[3,2]").get(), 0));
}

TEST(Dimension, NumbersCountFromBothEnds) {
  int64_t resolved = -9;
  for (const auto& [dimension, want] : std::vector<std::pair<int64_t, int64_t>>{{0, 0}, {2, 2}, {-1, 2}, {-3, 0}}) {
    ok(xlashape_dimension_number, 3, dimension, &resolved);
    EXPECT_EQ(resolved, want);
  }
  resolved = -9;
  for (const int64_t bad : {int64_t{3}, int64_t{-4}, INT64_MIN, INT64_MAX})
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_dimension_number, 3, bad, &resolved),
                HasSubstr("dimension " + std::to_string(bad)));
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_dimension_number, 0, 0, &resolved);
  for (const int64_t rank : {int64_t{-1}, INT64_MIN})
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_dimension_number, rank, 0, &resolved),
                HasSubstr("rank is " + std::to_string(rank)));
  EXPECT_EQ(resolved, -9);
}

TEST(Dimension, Letters) {
  const std::string letters[] = {"yx", "zyx", "pzyx"};
  for (int64_t rank = 2; rank <= 4; ++rank) {
    const std::string& names = letters[rank - 2];
    for (int64_t i = 0; i < rank; ++i) {
      EXPECT_EQ(xlashape_dimension_letter(rank, i), names[static_cast<size_t>(i)]);
      int64_t dimension = -9;
      ok(xlashape_dimension_from_letter, rank, names[static_cast<size_t>(i)], &dimension);
      EXPECT_EQ(dimension, i);
    }
    EXPECT_EQ(xlashape_dimension_letter(rank, -1), 'x');
    EXPECT_EQ(xlashape_dimension_letter(rank, rank), 0);
    EXPECT_EQ(xlashape_dimension_letter(rank, INT64_MIN), 0);
  }
  for (const int64_t rank : {int64_t{-1}, int64_t{0}, int64_t{1}, int64_t{5}, INT64_MIN, INT64_MAX})
    EXPECT_EQ(xlashape_dimension_letter(rank, 0), 0) << rank;
  int64_t dimension = -9;
  for (const char letter : {'z', 'a', '\0', '\n', static_cast<char>(0xFF)})
    message(XLASHAPE_STATUS_NOT_FOUND, xlashape_dimension_from_letter, 2, letter, &dimension);
  message(XLASHAPE_STATUS_NOT_FOUND, xlashape_dimension_from_letter, 5, 'x', &dimension);
  EXPECT_EQ(dimension, -9);
}

}  // namespace
