// SPDX-License-Identifier: Apache-2.0
// Loop nests near 2^63: what a loop's extent times its stride comes to fits, or there is no nest; and each combination
// of indices is one element, on both sides the same.
#include <array>

#include "base/checked.h"
#include "ir/map.h"
#include "unit/huge_relayout.h"

namespace xlashape::core {
namespace {

using testing::Case;
using testing::Random;

bool fits(ir::UInt128 value) { return value <= static_cast<ir::UInt128>(INT64_MAX); }

class Nest {
 public:
  explicit Nest(const Case& c) : status_(build_relayout(c.request, arena_, &ir_, nullptr)) {}
  const xlashape_loops* loops() const { return status_ == XLASHAPE_STATUS_OK ? ir_.nest : nullptr; }
  bool is_refused() const { return status_ != XLASHAPE_STATUS_OK; }

  std::string fault() const {
    const xlashape_loops& l = *loops();
    ir::UInt128 src = magnitude(l.src_offset), dst = magnitude(l.dst_offset);
    for (int32_t i = 0; i < l.loop_count; ++i) {
      src += ir::product(magnitude(l.src_stride[i]), static_cast<uint64_t>(l.extent[i]));
      dst += ir::product(magnitude(l.dst_stride[i]), static_cast<uint64_t>(l.extent[i]));
    }
    return !fits(src) ? "the source's offsets do not fit" : !fits(dst) ? "the destination's offsets do not fit" : "";
  }

  // Of one combination of indices: the places on both sides, in the nest's units, which fit where there is no fault;
  // false where a guard says that there is no element.
  bool element(Random& random, std::array<int64_t, 2>* at) const {
    const xlashape_loops& l = *loops();
    std::vector<ir::UInt128> sum(static_cast<size_t>(l.guard_count), 0);
    *at = {l.src_offset, l.dst_offset};
    for (int32_t i = 0; i < l.loop_count; ++i) {
      const int64_t index = random.chance(40) ? l.extent[i] - 1 : random.in(0, l.extent[i] - 1);
      (*at)[0] += index * l.src_stride[i];
      (*at)[1] += index * l.dst_stride[i];
      if (l.guard[i] >= 0)
        sum[static_cast<size_t>(l.guard[i])] +=
            ir::product(static_cast<uint64_t>(index), static_cast<uint64_t>(l.step[i]));
    }
    for (int32_t g = 0; g < l.guard_count; ++g) {
      const ir::UInt128 wide = sum[static_cast<size_t>(g)];
      const auto value = static_cast<int64_t>(wide);
      if (!fits(wide) || value < l.low[g] || value >= l.high[g]) return false;
    }
    return true;
  }

  // Where the source has the element at this place of a destination with a layout; -1: none.
  int64_t source_of(int64_t dst) const {
    int64_t index[ir::kMaxValues];
    const int64_t width = units(ir_.dst_container_bits);
    if (dst % width != 0 || !ir::index_at(*ir_.dst, dst / width, index)) return -1;
    for (int32_t d = 0; d < ir_.dst->rank; ++d) {
      index[d] -= ir_.dst_base[d];
      if (index[d] < 0 || index[d] >= ir_.extent[d]) return -1;
      index[d] += ir_.src_base[d];
    }
    const bool strided = ir_.src->output_extent == nullptr;
    if (!strided) return ir::position(*ir_.src, index) * units(ir_.src_container_bits);
    int64_t at = 0;
    for (int32_t o = 0; o < ir_.src->output_count; ++o)
      at += ir_.src->output_stride[o] * index[ir_.src->output_value[o]];
    return at;
  }
  bool can_be_asked() const { return ir_.dst->output_extent != nullptr; }

 private:
  // Of one position: bytes, or packed elements.
  static int64_t units(int32_t container_bits) { return std::max(1, container_bits / 8); }

  alignas(16) char space_[16384];
  Arena arena_{space_, sizeof space_};
  xlashape_relayout_ir ir_{};
  Status status_;
};

TEST(Nest, LoopsFitAndMeetTheirElements) {
  int with = 0, asked = 0, without = 0;
  const int64_t count = testing::case_count(20000);
  for (int64_t seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const Case c = testing::huge_case(random);
    const Nest nest(c);
    without += !nest.is_refused() && nest.loops() == nullptr;
    if (nest.loops() == nullptr) continue;
    ++with;
    ASSERT_EQ(nest.fault(), "") << c.name() << " seed " << seed;
    if (!nest.can_be_asked()) continue;
    for (int i = 0; i < 8; ++i) {
      std::array<int64_t, 2> at;
      if (!nest.element(random, &at)) continue;
      ++asked;
      ASSERT_GE(at[1], 0) << c.name() << " seed " << seed;
      ASSERT_EQ(nest.source_of(at[1]), at[0]) << c.name() << " seed " << seed << ", destination " << at[1];
    }
  }
  EXPECT_GT(with, count / 4);
  EXPECT_GT(asked, count);
  EXPECT_GT(without, count / 1000);
}

// The three ways to leave 64 bits: a stride times all of its loop, where times all but one fits; two loops together;
// and a box that crosses a large tile's edge, whose step the other side's stride is taken times.
TEST(Nest, NoneWhereALoopDoesNotFit) {
  const std::vector<int64_t> far = {int64_t{1} << 62}, near = {(int64_t{1} << 62) - 1};
  Case c = testing::case_of(testing::parsed("u8[2]{0}"), testing::parsed("u8[2]{0}"));
  c.request.src.byte_strides = near.data();
  EXPECT_NE(Nest(c).loops(), nullptr);
  c.request.src.byte_strides = far.data();
  EXPECT_EQ(Nest(c).loops(), nullptr);
  EXPECT_FALSE(Nest(c).is_refused());

  const std::vector<int64_t> together = {int64_t{1} << 61, int64_t{1} << 61},
                             less = {int64_t{1} << 61, (int64_t{1} << 61) - 1};
  Case two = testing::case_of(testing::parsed("u8[2,2]{1,0}"), testing::parsed("u8[2,2]{1,0}"));
  two.request.src.byte_strides = less.data();
  EXPECT_NE(Nest(two).loops(), nullptr);
  two.request.src.byte_strides = together.data();
  EXPECT_EQ(Nest(two).loops(), nullptr);
  EXPECT_FALSE(Nest(two).is_refused());

  Case box = testing::case_of(testing::parsed("u8[2]{0}"), testing::parsed("u8[2199023255552]{0:T(1099511627776)}"));
  const std::vector<int64_t> extent = {2}, edge = {(int64_t{1} << 40) - 1}, stride = {int64_t{1} << 30};
  box.request.extent = extent.data();
  box.request.dst.base = edge.data();
  EXPECT_NE(Nest(box).loops(), nullptr);
  box.request.src.byte_strides = stride.data();
  EXPECT_EQ(Nest(box).loops(), nullptr);
  EXPECT_FALSE(Nest(box).is_refused());
}

}  // namespace
}  // namespace xlashape::core
