// SPDX-License-Identifier: Apache-2.0
// Programs' signatures through the C API.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::message;
using api::shape;
using testing::HasSubstr;

struct Release {
  void operator()(xlashape_program_shape* program) const { xlashape_program_shape_release(program); }
};
using Program = std::unique_ptr<xlashape_program_shape, Release>;

class ProgramShape : public testing::Test {
 protected:
  Program create(const char* names, const std::vector<int64_t>& lens) {
    return api::make<Program>(xlashape_program_shape_create, parameters_, 2, names,
                              lens.empty() ? nullptr : lens.data(), result_.get());
  }
  std::string text(const Program& program) {
    char text[256];
    int64_t needed;
    EXPECT_EQ(xlashape_program_shape_print(program.get(), 0, text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
    return text;
  }

  api::Shape x_ = shape("f32[2]"), y_ = shape("s32[]"), result_ = shape("(f32[2], token[])");
  xlashape_shape* parameters_[2] = {x_.get(), y_.get()};
};

TEST_F(ProgramShape, AnswersForItself) {
  const Program p = create("xlen", {1, 3});
  EXPECT_EQ(xlashape_program_shape_parameter_count(p.get()), 2);
  EXPECT_EQ(text(p), "(x: f32[2]{0}, len: s32[]) -> (f32[2]{0}, token[])");
  const api::Shape second = api::make<api::Shape>(xlashape_program_shape_parameter, p.get(), 1);
  EXPECT_EQ(api::text_of(second.get()), "s32[]");
  const api::Shape result = api::make<api::Shape>(xlashape_program_shape_result, p.get());
  EXPECT_EQ(api::text_of(result.get()), "(f32[2]{0}, token[])");
  api::answers_text("len", xlashape_program_shape_parameter_name, p.get(), 1);
  api::answers_text("(x: f32[2]{0}, len: s32[]) -> (f32[2]{0}, token[])", xlashape_program_shape_print, p.get(), 0);
  EXPECT_EQ(xlashape_program_shape_retain(p.get()), p.get());
  xlashape_program_shape_release(p.get());
}

TEST_F(ProgramShape, NamesMayBeMissing) {
  EXPECT_EQ(text(create(nullptr, {})), "((unknown): f32[2]{0}, (unknown): s32[]) -> (f32[2]{0}, token[])");
  EXPECT_EQ(text(create("y", {0, 1})), "((unknown): f32[2]{0}, y: s32[]) -> (f32[2]{0}, token[])");
  xlashape_program_shape* none = nullptr;
  ASSERT_EQ(xlashape_program_shape_create(nullptr, 0, nullptr, nullptr, x_.get(), &none, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(xlashape_program_shape_parameter_count(none), 0);
  xlashape_program_shape_release(none);
}

TEST_F(ProgramShape, Equality) {
  const Program a = create("xy", {1, 1}), b = create("xy", {1, 1}), c = create("xz", {1, 1});
  EXPECT_EQ(xlashape_program_shape_equal(a.get(), b.get(), 0), 1);
  EXPECT_EQ(xlashape_program_shape_equal(a.get(), c.get(), 0), 0);
  EXPECT_EQ(xlashape_program_shape_equal(nullptr, c.get(), 0), 0);
  EXPECT_EQ(xlashape_program_shape_equal(a.get(), nullptr, 0), 0);
}

TEST_F(ProgramShape, BadCallsAreRefused) {
  const Program p = create("xy", {1, 1});
  xlashape_program_shape* none = nullptr;
  xlashape_shape* out = nullptr;
  xlashape_shape* const with_null[] = {x_.get(), nullptr};
  const int64_t lens[] = {1, 1}, bad_lens[] = {1, -1};
  char text[8];
  int64_t needed;
  const auto create = [&](xlashape_shape* const* parameters, int64_t count, const char* names, const int64_t* name_lens,
                          xlashape_shape* result, xlashape_program_shape** made) {
    return [=](xlashape_error* err) {
      return xlashape_program_shape_create(parameters, count, names, name_lens, result, made, err);
    };
  };
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, create(with_null, 2, "xy", lens, x_.get(), &none)),
              HasSubstr("1"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, create(parameters_, 2, "xy", bad_lens, x_.get(), &none)),
              HasSubstr("-1"));
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, create(parameters_, -1, "xy", lens, x_.get(), &none));
  for (const int64_t index : {int64_t{-1}, int64_t{2}, INT64_MIN, INT64_MAX}) {
    message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_program_shape_parameter, p.get(), index, &out);
    message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_program_shape_parameter_name, p.get(), index, text, 8, &needed);
  }
  message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_program_shape_print, p.get(), 1u << 30, text, 8, &needed);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(out, nullptr);
}

TEST_F(ProgramShape, LayoutsOfAllShapes) {
  const api::Shape column = shape("f32[2,3]{0,1:T(2)}"), bare = shape("f32[2,3]", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT),
                   nested = shape("(s32[4], (f32[2,3]), token[])", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  const auto program = [](const api::Shape& x, const api::Shape& y, const api::Shape& result) {
    xlashape_shape* parameters[] = {x.get(), y.get()};
    const int64_t lens[] = {1, 1};
    return api::make<Program>(xlashape_program_shape_create, parameters, 2, "xy", lens, result.get());
  };
  EXPECT_EQ(xlashape_program_shape_has_all_layouts(program(column, column, column).get()), 1);
  EXPECT_EQ(xlashape_program_shape_has_all_layouts(program(bare, column, column).get()), 0);
  EXPECT_EQ(xlashape_program_shape_has_all_layouts(program(column, bare, column).get()), 0);
  EXPECT_EQ(xlashape_program_shape_has_all_layouts(program(column, column, nested).get()), 0);

  const Program p = program(column, bare, nested);
  const Program with = api::make<Program>(xlashape_program_shape_with_default_layouts, p.get());
  EXPECT_EQ(text(with), "(x: f32[2,3]{1,0:T(2)}, y: f32[2,3]{1,0}) -> (s32[4]{0}, (f32[2,3]{1,0}), token[])");
  EXPECT_EQ(xlashape_program_shape_has_all_layouts(with.get()), 1);
  const auto without = [&](uint32_t fields) {
    return text(api::make<Program>(xlashape_program_shape_without_layout_fields, with.get(), fields));
  };
  EXPECT_EQ(without(XLASHAPE_LAYOUT_FIELD_ALL), "(x: f32[2,3], y: f32[2,3]) -> (s32[4], (f32[2,3]), token[])");
  EXPECT_EQ(without(XLASHAPE_LAYOUT_FIELD_TILES),
            "(x: f32[2,3]{1,0}, y: f32[2,3]{1,0}) -> (s32[4]{0}, (f32[2,3]{1,0}), token[])");
  EXPECT_EQ(text(p), "(x: f32[2,3]{0,1:T(2)}, y: f32[2,3]) -> (s32[4], (f32[2,3]), token[])");

  xlashape_program_shape* none = nullptr;
  message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_program_shape_without_layout_fields, p.get(), 1u << 30, &none);
  EXPECT_EQ(none, nullptr);
}

}  // namespace
