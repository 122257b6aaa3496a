// SPDX-License-Identifier: Apache-2.0
// The table of a layout's fields: every form that a layout has contains what has a row, and gives it back.
#include "layout/layout_fields.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "interop/foreign.h"
#include "interop/pjrt.h"
#include "layout/rearrange.h"
#include "layout/validate.h"
#include "shape/layouts.h"
#include "wire/layout_proto.h"
#include "xlashape_interop.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Failure {
  Error err{};
  Failure() { err.struct_size = sizeof err; }
};

Ref<Layout> adopted(xlashape_layout* layout) { return Ref<Layout>::adopt(layout); }

std::string text_of(const Layout& layout) {
  char text[256];
  int64_t needed;
  EXPECT_EQ(xlashape_layout_print(&layout, 0, text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
  return text;
}

Ref<Layout> parsed(const std::string& text) {
  Failure failure;
  xlashape_layout* layout = nullptr;
  EXPECT_EQ(xlashape_layout_parse(text.data(), static_cast<int64_t>(text.size()), 0, &layout, &failure.err),
            XLASHAPE_STATUS_OK)
      << text << ": " << failure.err.message;
  return adopted(layout);
}

Ref<Layout> through_wire(const Layout& layout) {
  std::vector<uint8_t> bytes(static_cast<size_t>(layout_size(layout)));
  ProtoWriter out(bytes.data(), static_cast<int64_t>(bytes.size()));
  write_layout(out, layout);
  EXPECT_TRUE(out.ok());
  auto back = Ref<Layout>::adopt(new Layout);
  Failure failure;
  ProtoReader in(bytes.data(), static_cast<int64_t>(bytes.size()), &failure.err);
  EXPECT_EQ(read_layout(in, back.get(), &failure.err), XLASHAPE_STATUS_OK) << failure.err.message;
  EXPECT_EQ(finish_layout(back.get(), 0, &failure.err), XLASHAPE_STATUS_OK) << failure.err.message;
  return back;
}

Ref<Layout> through_spec(const Layout& layout) {
  auto spec = XLASHAPE_INIT(xlashape_layout_spec);
  EXPECT_EQ(xlashape_layout_get_spec(&layout, &spec, nullptr), XLASHAPE_STATUS_OK);
  xlashape_layout* back = nullptr;
  EXPECT_EQ(xlashape_layout_create(&spec, &back, nullptr), XLASHAPE_STATUS_OK);
  return adopted(back);
}

// Through every form and back.
void comes_back(const Layout& layout) {
  const std::string text = text_of(layout);
  const Ref<Layout> read = parsed(text);
  ASSERT_NE(read.get(), nullptr) << text;
  EXPECT_TRUE(equal(*read, layout, 0)) << text;
  EXPECT_TRUE(equal(*through_wire(layout), layout, 0)) << "LayoutProto of " << text;
  EXPECT_TRUE(equal(*through_spec(layout), layout, 0)) << "the spec of " << text;
  EXPECT_TRUE(equal(*copy_layout(layout), layout, 0)) << "a copy of " << text;
}

Ref<Shape> array_with(Ref<Layout> layout) {
  const int64_t dimensions[] = {4};
  Ref<Shape> array;
  EXPECT_EQ(make_array(XLASHAPE_TYPE_F32, dimensions, {}, std::move(layout), &array, nullptr), XLASHAPE_STATUS_OK);
  return array;
}

class LayoutFields : public testing::TestWithParam<size_t> {
 protected:
  const LayoutScalar& row = kLayoutScalars[GetParam()];
  // A layout that says this and nothing else.
  Ref<Layout> with(int64_t value) const {
    Ref<Layout> layout = make_row_major(1);
    (*layout).*row.member = value;
    return layout;
  }
  int64_t unset() const { return kUnsetScalars.*row.member; }
  int64_t other() const { return unset() < row.most ? unset() + 1 : unset() - 1; }
};
INSTANTIATE_TEST_SUITE_P(Rows, LayoutFields, testing::Range<size_t>(0, std::size(kLayoutScalars)),
                         [](const auto& info) { return std::string(kLayoutScalars[info.param].name); });

TEST_P(LayoutFields, ComesBackFromEveryForm) {
  const Ref<Layout> layout = with(other());
  EXPECT_THAT(text_of(*layout), HasSubstr(std::string(row.word) + "("));
  comes_back(*layout);
  Failure failure;
  char text[64];
  int64_t needed;
  const Status strict =
      xlashape_layout_print(layout.get(), XLASHAPE_PRINT_STRICT, text, sizeof text, &needed, &failure.err);
  EXPECT_EQ(strict, row.is_xlas ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_UNSUPPORTED) << failure.err.message;
}

TEST_P(LayoutFields, ComparesUnlessItIsIgnored) {
  const Ref<Layout> layout = with(other()), plain = with(unset());
  EXPECT_FALSE(equal(*layout, *plain, 0));
  EXPECT_NE(hash(*layout, 0), hash(*plain, 0));
  EXPECT_TRUE(equal(*layout, *plain, row.flags.equal));
  EXPECT_EQ(hash(*layout, row.flags.equal), hash(*plain, row.flags.equal));
}

TEST_P(LayoutFields, IsTakenAwayWithItsPart) {
  const Ref<Shape> shape = array_with(with(other()));
  EXPECT_TRUE(has_layout_fields(*shape, row.flags.field));
  EXPECT_FALSE(has_layout_fields(*shape, kSingleFields & ~row.flags.field));
  for (const uint32_t fields : {row.flags.field, uint32_t{XLASHAPE_LAYOUT_FIELD_OF_DEVICE}}) {
    Ref<Shape> less;
    ASSERT_EQ(without_layout_fields(*shape, fields, &less, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_TRUE(equal(*less->layout, *with(unset()), 0));
  }
}

TEST_P(LayoutFields, IsHeldToItsRange) {
  for (const int64_t value : {row.least, row.most})
    EXPECT_EQ(validate_layout(*with(value), nullptr), XLASHAPE_STATUS_OK);
  std::vector<int64_t> wrong;
  if (row.least > INT64_MIN) wrong.push_back(row.least - 1);
  if (row.most < INT64_MAX) wrong.push_back(row.most + 1);
  for (const int64_t value : wrong) {
    Failure failure;
    EXPECT_EQ(validate_layout(*with(value), &failure.err), XLASHAPE_STATUS_INVALID_ARGUMENT);
    EXPECT_THAT(failure.err.message, HasSubstr(row.name + (" is " + std::to_string(value)) + ", it must"));
  }
}

// Where others have no word for it, it is refused and not dropped.
TEST_P(LayoutFields, IsNotLostOnTheWayToOthers) {
  const Ref<Shape> shape = array_with(with(other()));
  Failure failure;
  EXPECT_EQ(PjrtWriter().prepare(*shape, 0, &failure.err), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_THAT(failure.err.message, HasSubstr(std::string("has ") + row.word + "(n)"));
  EXPECT_EQ(PjrtWriter().prepare(*shape, XLASHAPE_PJRT_DROP, nullptr), XLASHAPE_STATUS_OK);
  std::string text;
  EXPECT_EQ(print_mlir(*shape, 0, &text, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
}

TEST_P(LayoutFields, IsNamedWhereTheTextGoesWrong) {
  const std::string text = "{0:?}";
  Failure failure;
  xlashape_layout* none = nullptr;
  EXPECT_EQ(xlashape_layout_parse(text.data(), static_cast<int64_t>(text.size()), 0, &none, &failure.err),
            XLASHAPE_STATUS_PARSE);
  const std::string word = row.word;
  EXPECT_THAT(std::string(failure.err.message),
              testing::AnyOf(HasSubstr(" " + word + " "), HasSubstr("(" + word + " "), HasSubstr(" " + word + ")")));
}

// All fields at once, the lists with them.
TEST(AllLayoutFields, ComeBackTogether) {
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major = {0, 2, 1};
  layout->padded_dimensions = {4, 5, 6};
  layout->tile_ranks = {2, 1};
  layout->tile_dimensions = {8, XLASHAPE_COMBINE_DIMENSION, 2};
  layout->split_dimensions = {1, 0};
  layout->split_sizes = {2, 1};
  layout->split_indices = {1, 2, 3};
  int64_t value = 0;
  for (const LayoutScalar& row : kLayoutScalars) (*layout).*row.member = ++value;
  for_each_field([&](auto member, const FieldBits& bits) {
    EXPECT_TRUE(is_set(*layout, member)) << "this test leaves out a field of bits " << bits.field;
  });
  comes_back(*layout);
}

}  // namespace
}  // namespace xlashape::core
