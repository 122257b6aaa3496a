// SPDX-License-Identifier: Apache-2.0
// Dimensions in physical order, over random layouts.
#include "shape/dimensions.h"

#include "bitcast/bitcast.h"
#include "index/index_map.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using testing::printed;
using testing::Random;

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
