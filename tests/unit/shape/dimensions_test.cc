// Dimensions permuted and resized: the results as text, and what must hold for all of them over random layouts.
#include "shape/dimensions.h"

#include "bitcast/bitcast.h"
#include "index/index_map.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using testing::made_by;
using testing::parsed;
using testing::printed;
using testing::Random;
using List = std::vector<int64_t>;

std::string permuted(const char* text, const List& permutation, uint32_t flags = 0) {
  const Ref<Shape> shape = parsed(text);
  return made_by([&](Ref<Shape>* out) { return permute_dimensions(*shape, permutation, flags, out, nullptr); });
}

TEST(Dimensions, Permute) {
  EXPECT_EQ(permuted("f32[10,20,30]{2,1,0}", {1, 2, 0}), "f32[20,30,10]{1,0,2}");
  EXPECT_EQ(permuted("f32[10,<=20,30]{2,1,0:T(8,128)L(4)E(32)S(1)SC(0:5)M(8)PD(11,22,33)PV(one)}", {1, 2, 0}),
            "f32[<=20,30,10]{1,0,2:T(8,128)L(4)E(32)S(1)SC(0:5)M(8)PD(22,33,11)PV(one)}");
  EXPECT_EQ(permuted("f32[10,20,30]{2,1,0:T(8,128)SC(0:5)PD(11,22,33)}", {1, 2, 0}, XLASHAPE_PERMUTE_KEEP_LAYOUT),
            "f32[20,30,10]{2,1,0:T(8,128)SC(2:5)PD(22,33,11)}");
  EXPECT_EQ(permuted("b(f32[2,3]{1,0})", {1, 0}), "b(f32[3,2]{0,1})");
  EXPECT_EQ(permuted("f32[]", {}), "f32[]");
  EXPECT_EQ(permuted("f32[2,3]", {0, 0}), "OUT_OF_RANGE");
  EXPECT_EQ(permuted("f32[2,3]", {0, 2}), "OUT_OF_RANGE");
  EXPECT_EQ(permuted("f32[2,3]", {0, -1}), "OUT_OF_RANGE");
  EXPECT_EQ(permuted("f32[2,3]", {0}), "OUT_OF_RANGE");
  EXPECT_EQ(permuted("(f32[2])", {0}), "UNSUPPORTED");
}

TEST(Dimensions, MissingLayoutsStayMissing) {
  const Ref<Shape> shape = parsed("f32[2,1,3]", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  const List permutation = {2, 0, 1};
  EXPECT_EQ(made_by([&](auto* out) { return permute_dimensions(*shape, permutation, 0, out, nullptr); }), "f32[3,2,1]");
  EXPECT_EQ(made_by([&](auto* out) { return to_physical_order(*shape, out, nullptr); }), "f32[2,1,3]");
}

TEST(Dimensions, Resize) {
  const auto resized = [](const char* text, int64_t dimension, int64_t size, bool dynamic) {
    const Ref<Shape> shape = parsed(text);
    return made_by([&](Ref<Shape>* out) { return with_dimension(*shape, dimension, size, dynamic, out, nullptr); });
  };
  EXPECT_EQ(resized("f32[2,3]{0,1}", 1, 7, false), "f32[2,7]{0,1}");
  EXPECT_EQ(resized("f32[2,3]{0,1}", -1, 7, true), "f32[2,<=7]{0,1}");
  EXPECT_EQ(resized("f32[2,?]", 1, 7, false), "f32[2,7]{1,0}");
  EXPECT_EQ(resized("f32[2,3]", 0, XLASHAPE_DIMENSION_UNBOUNDED, true), "f32[?,3]{1,0}");
  EXPECT_EQ(resized("f32[2,3]", 0, XLASHAPE_DIMENSION_UNBOUNDED, false), "INVALID_ARGUMENT");
  EXPECT_EQ(resized("f32[2,3]{1,0:SC(0:1)}", 0, XLASHAPE_DIMENSION_UNBOUNDED, true), "INVALID_ARGUMENT");
  EXPECT_EQ(resized("f32[2,3]{1,0:PD(2,4)}", 0, XLASHAPE_DIMENSION_UNBOUNDED, true), "INVALID_ARGUMENT");
  EXPECT_EQ(resized("f32[2,3]{1,0:PD(2,4)}", 1, 5, false), "INVALID_ARGUMENT");
  EXPECT_EQ(resized("f32[2,3]", 2, 5, false), "OUT_OF_RANGE");
}

TEST(Dimensions, Order) {
  EXPECT_TRUE(is_effectively_most_major(*parsed("f32[1,2,3]{2,1,0}"), 1));
  EXPECT_TRUE(is_effectively_most_major(*parsed("f32[1,2,3]{2,1,0}"), 0));
  EXPECT_FALSE(is_effectively_most_major(*parsed("f32[1,2,3]{2,1,0}"), 2));
  EXPECT_FALSE(is_effectively_most_major(*parsed("f32[1,2,3]{2,1,0}"), 3));
  EXPECT_FALSE(is_effectively_most_major(*parsed("token[]"), 0));
  EXPECT_TRUE(last_dimension_is_most_minor(*parsed("f32[2,3]{1,0}")));
  EXPECT_FALSE(last_dimension_is_most_minor(*parsed("f32[2,3]{0,1}")));
  EXPECT_TRUE(last_dimension_is_most_minor(*parsed("f32[]")));
  EXPECT_TRUE(has_degenerate_dimensions(*parsed("f32[3,1,2]")));
  EXPECT_FALSE(has_degenerate_dimensions(*parsed("f32[3,0,5]")));
  const List dimensions = {8, 9, 10, 11}, dense = {3960, 440, 44, 4}, loose = {1880, 440, 44, 4};
  EXPECT_TRUE(byte_strides_are_row_major(4, dimensions, dense));
  EXPECT_FALSE(byte_strides_are_row_major(4, dimensions, loose));
  EXPECT_FALSE(byte_strides_are_row_major(2, dimensions, dense));
  const List ones = {2, 1, 3}, any = {12, 77, 4};
  EXPECT_TRUE(byte_strides_are_row_major(4, ones, any));
  const List huge = {3, int64_t{1} << 40, int64_t{1} << 40}, of_huge = {0, int64_t{1} << 40, 1};
  EXPECT_FALSE(byte_strides_are_row_major(1, huge, of_huge));
}

TEST(Dimensions, PhysicalOrderIsTheSameMemory) {
  Random random(9);
  for (int i = 0; i < 5000; ++i) {
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, testing::random_dimensions(random, 4, 200));
    Ref<Shape> b;
    ASSERT_EQ(to_physical_order(*a, &b, nullptr), XLASHAPE_STATUS_OK);
    SmallVec<int64_t, 8> permutation;
    for (int64_t d = 0; d < a->rank(); ++d) permutation.push_back(a->layout->major(d));
    EXPECT_TRUE(xlashape_layout_is_dim0_major(b->layout.get()));
    Ref<IndexMap> map;
    if (make_index_map(*a, &map, nullptr)) continue;  // `*` at the end of a tile: no memory to be the same
    EXPECT_TRUE(transpose_is_bitcast(*a, *b, permutation, 0)) << printed(*a) << " " << printed(*b);
  }
}

}  // namespace
}  // namespace xlashape::core
