// SPDX-License-Identifier: Apache-2.0
// The wire form through the C API: the rules of answers, flags and errors; every property of a shape and of a layout.
#include "api.h"
#include "xlashape_xla.h"

namespace api {
namespace {

using testing::HasSubstr;
using Bytes = std::vector<uint8_t>;

struct ReleaseProgram {
  void operator()(xlashape_program_shape* program) const { xlashape_program_shape_release(program); }
};
using Program = std::unique_ptr<xlashape_program_shape, ReleaseProgram>;

// f32[2,3]{1,0}, as XLA writes it.
const Bytes kShape = {0x10, 0x0b, 0x1a, 0x02, 0x02, 0x03, 0x2a, 0x07, 0x0a, 0x02,
                      0x01, 0x00, 0x80, 0x01, 0x01, 0x32, 0x02, 0x00, 0x00};
const Bytes kLayout = {0x0a, 0x02, 0x01, 0x00, 0x80, 0x01, 0x01};

Shape from_proto(const Bytes& bytes, uint32_t flags = 0) {
  return make<Shape>(xlashape_shape_from_proto, bytes.data(), size_of(bytes), flags);
}

TEST(Wire, Shape) {
  const Shape of = shape("f32[2,3]{1,0}");
  answers<uint8_t>(kShape, xlashape_shape_to_proto, of.get(), 0u);
  EXPECT_EQ(text_of(from_proto(kShape).get()), "f32[2,3]{1,0}");
}

TEST(Wire, ShapeArguments) {
  xlashape_shape* made = nullptr;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_from_proto, kShape.data(), -1, 0, &made),
              HasSubstr("size is -1"));
  EXPECT_THAT(
      message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_from_proto, kShape.data(), size_of(kShape), 2, &made),
      HasSubstr("flags"));
  const Error cut =
      failure(XLASHAPE_STATUS_PARSE, xlashape_shape_from_proto, kShape.data(), size_of(kShape) - 1, 0, &made);
  EXPECT_EQ(cut.offset, 16);
  const Error empty = failure(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_from_proto, nullptr, 0, 0, &made);
  EXPECT_EQ(empty.offset, 0);
  EXPECT_EQ(made, nullptr);
}

TEST(Wire, MissingLayouts) {
  const Bytes bytes = {0x10, 0x0b, 0x1a, 0x02, 0x02, 0x03};
  EXPECT_EQ(text_of(from_proto(bytes).get()), "f32[2,3]{1,0}");
  EXPECT_EQ(text_of(from_proto(bytes, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT).get()), "f32[2,3]");
  const Bytes tuple = {0x10, 0x0d, 0x22, 0x06, 0x10, 0x0b, 0x1a, 0x02, 0x02, 0x03};
  EXPECT_EQ(text_of(from_proto(tuple).get()), "(f32[2,3]{1,0})");
}

TEST(Wire, Layout) {
  const Layout of = layout("{1,0}");
  answers<uint8_t>(kLayout, xlashape_layout_to_proto, of.get(), 0u);
  for (const char* text : {"{1,0}", "{}", "{1,0:T(8,128)(2,1)}", "{0:T(*,8)L(16)E(4)S(-7)SC(0:3,5)M(24)}",
                           "{0,1:PD(3,5)PV(unknown)}", "{:T(128)}", "{0:T(1)(1)}"}) {
    const Layout one = layout(text);
    Bytes bytes(200);
    int64_t needed;
    ok(xlashape_layout_to_proto, one.get(), 0, bytes.data(), size_of(bytes), &needed);
    const Layout back = make<Layout>(xlashape_layout_from_proto, bytes.data(), needed, 0u);
    EXPECT_EQ(text_of(back.get()), text);
  }
  xlashape_layout* made = nullptr;
  const Bytes twice = {0x08, 0x00, 0x08, 0x00};
  EXPECT_THAT(
      failure(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_layout_from_proto, twice.data(), size_of(twice), 0u, &made)
          .message,
      HasSubstr("holds dimension 0 twice"));
}

TEST(Wire, ProgramShape) {
  const Bytes bytes = {0x0a, 0x02, 0x10, 0x11, 0x12, 0x07, 0x10, 0x04, 0x2a, 0x03, 0x80, 0x01, 0x01, 0x1a, 0x01, 0x78};
  const Program program = make<Program>(xlashape_program_shape_from_proto, bytes.data(), size_of(bytes), 0);
  ASSERT_TRUE(program);
  answers_text("(x: token[]) -> s32[]", xlashape_program_shape_print, program.get(), 0);
  answers<uint8_t>(bytes, xlashape_program_shape_to_proto, program.get(), 0u);
  xlashape_program_shape* made = nullptr;
  EXPECT_THAT(
      message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_program_shape_from_proto, bytes.data(), size_of(bytes), 4, &made),
      HasSubstr("flags"));
}

TEST(Wire, Path) {
  const Ints path = {2, 0, 300};
  const Bytes bytes = {0x0a, 0x04, 0x02, 0x00, 0xac, 0x02};
  answers<uint8_t>(bytes, xlashape_path_to_proto, path.data(), 3);
  answers<int64_t>(path, xlashape_path_from_proto, bytes.data(), size_of(bytes));
}

}  // namespace
}  // namespace api
