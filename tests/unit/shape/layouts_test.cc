// Layouts and element types of all the arrays inside a shape.
#include "shape/layouts.h"

#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using testing::made_by;
using testing::parsed;
using testing::printed;

constexpr char kAll[] = "f32[4,6]{0,1:T(2,2)L(8)E(64)S(5)SC(0:3)M(16)PD(5,7)PV(one)}";

std::string without(std::string_view text, uint32_t parts) {
  return made_by([&](auto* out) { return without_parts(*parsed(text), parts, out, nullptr); });
}

TEST(Layouts, Parts) {
  const Ref<Shape> all = parsed(kAll), plain = parsed("f32[4,6]{0,1}");
  for (const uint32_t part : {XLASHAPE_PART_TILES, XLASHAPE_PART_ELEMENT_SIZE, XLASHAPE_PART_MEMORY_SPACE,
                              XLASHAPE_PART_TAIL_PADDING_ALIGNMENT, XLASHAPE_PART_SPLIT_CONFIGS, XLASHAPE_PART_PADDING,
                              XLASHAPE_PART_METADATA_PREFIX}) {
    EXPECT_TRUE(has_parts(*all, part)) << part;
    EXPECT_FALSE(has_parts(*plain, part)) << part;
    Ref<Shape> less;
    ASSERT_EQ(without_parts(*all, part, &less, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_FALSE(has_parts(*less, part)) << part;
    EXPECT_EQ(has_parts(*less, kLayoutParts & ~part & ~XLASHAPE_PART_LAYOUT), true);
  }
  EXPECT_TRUE(has_parts(*plain, XLASHAPE_PART_LAYOUT));
  EXPECT_FALSE(has_parts(*parsed("(token[], f32[2])", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT), kLayoutParts));
  EXPECT_TRUE(has_parts(*parsed("(token[], (f32[2]))"), XLASHAPE_PART_LAYOUT));
  EXPECT_EQ(without(kAll, XLASHAPE_PART_TILES), "f32[4,6]{0,1:L(8)E(64)S(5)SC(0:3)M(16)PD(5,7)PV(one)}");
  EXPECT_EQ(without(kAll, XLASHAPE_PART_OF_DEVICE), "f32[4,6]{0,1}");
  EXPECT_EQ(without("(f32[4]{0:T(2)}, (b(s8[3]{0:S(1)}), opaque[]))", XLASHAPE_PART_OF_DEVICE),
            "(f32[4]{0}, (b(s8[3]{0}), opaque[]))");
  EXPECT_EQ(without("(f32[4]{0:T(2)}, f32[]{:T(2)})", XLASHAPE_PART_LAYOUT), "(f32[4], f32[])");
}

TEST(Layouts, All) {
  EXPECT_TRUE(has_all_layouts(*parsed("(f32[2], token[], opaque[], ())")));
  EXPECT_FALSE(has_all_layouts(*parsed("(f32[2]{0}, (f32[3]))", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT)));
  EXPECT_TRUE(has_all_layouts(*parsed("f32[]", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT)));
}

TEST(Layouts, Default) {
  const auto with = [](const char* text) {
    return made_by([&](auto* out) {
      return with_default_layouts(*parsed(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT), out, nullptr);
    });
  };
  EXPECT_EQ(with("(f32[2,3]{0,1}, f32[4,5], token[])"), "(f32[2,3]{1,0}, f32[4,5]{1,0}, token[])");
  EXPECT_EQ(with(kAll), "f32[4,6]{1,0:T(2,2)L(8)E(64)S(5)SC(1:3)M(16)PD(5,7)PV(one)}");
}

TEST(Layouts, Copy) {
  const auto copied = [](const char* from, const char* to) {
    return made_by([&](auto* out) {
      return copy_layouts(*parsed(from, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT), *parsed(to), out, nullptr);
    });
  };
  EXPECT_EQ(copied("(f32[2,3]{0,1:T(2)}, (s8[4]))", "(s8[5,6], (f32[7]))"), "(s8[5,6]{0,1:T(2)}, (f32[7]))");
  EXPECT_EQ(copied("f32[2]{0}", "f32[2,3]"), "INVALID_ARGUMENT");
  EXPECT_EQ(copied("(f32[2])", "f32[2]"), "INVALID_ARGUMENT");
  EXPECT_EQ(copied("f32[2]", "(f32[2])"), "INVALID_ARGUMENT");
  EXPECT_EQ(copied("(f32[2], f32[3])", "(f32[2])"), "INVALID_ARGUMENT");
  EXPECT_EQ(copied("f32[9]{0:PD(9)}", "f32[10]"), "INVALID_ARGUMENT");
  EXPECT_EQ(copied("token[]", "f32[10]"), "f32[10]");
  EXPECT_EQ(copied("f32[10]{0}", "token[]"), "token[]");
  EXPECT_EQ(copied("f32[3]{0:S(1)}", "b(f32[4])"), "b(f32[4]{0:S(1)})");
}

TEST(Layouts, Pack) {
  const auto packed = [](const char* text) {
    return made_by([&](auto* out) { return with_packed_elements(*parsed(text), out, nullptr); });
  };
  EXPECT_EQ(packed("(s4[8], u2[4]{0:E(4)}, pred[3]{0:E(1)}, f32[2]{0:E(64)}, f4e2m1fn[2])"),
            "(s4[8]{0:E(4)}, u2[4]{0:E(2)}, pred[3]{0}, f32[2]{0}, f4e2m1fn[2]{0:E(4)})");
}

TEST(Layouts, ElementType) {
  const auto with = [](const char* text, xlashape_element_type type) {
    return made_by([&](auto* out) { return with_element_type(*parsed(text), type, out, nullptr); });
  };
  EXPECT_EQ(with("(f32[2]{0:T(2)S(1)}, (token[], b(s8[3])))", XLASHAPE_TYPE_BF16),
            "(bf16[2]{0:T(2)S(1)}, (token[], b(bf16[3]{0})))");
  EXPECT_EQ(with("s4[8]{0:E(4)}", XLASHAPE_TYPE_F32), "f32[8]{0}");
  EXPECT_EQ(with("s4[8]{0:E(4)}", XLASHAPE_TYPE_U2), "u2[8]{0:E(4)}");
  EXPECT_EQ(with("u2[8]{0:E(2)}", XLASHAPE_TYPE_S4), "s4[8]{0:E(4)}");  // XLA keeps E(2), which holds no s4
  EXPECT_EQ(with("s8[8]", XLASHAPE_TYPE_S4), "s4[8]{0}");
  EXPECT_EQ(with("f32[8]", XLASHAPE_TYPE_TUPLE), "INVALID_ARGUMENT");
  EXPECT_EQ(with("f32[8]", 99), "INVALID_ARGUMENT");
}

}  // namespace
}  // namespace xlashape::core
