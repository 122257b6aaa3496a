// SPDX-License-Identifier: Apache-2.0
// Every pair of formats: each value of 8 and 16 bits, random and special ones of more, by the step of the backends
// against the definition in src/ir. Python's tests hold the same against NumPy and ml_dtypes.
#include "backends/common/values.h"

#include "unit/numbers.h"

namespace xlashape::core {
namespace {

using testing::Random;

struct Step {
  Ref<Shape> src, dst;
  alignas(16) char space[4096];
  Arena arena{space, sizeof space};
  xlashape_relayout_ir ir;
  auto values() const { return ir.values; }

  Step(xlashape_element_type from, xlashape_element_type to, const ValueRequest& request) {
    src = testing::parsed(std::string(element_type_info(from).name()) + "[]");
    dst = testing::parsed(std::string(element_type_info(to).name()) + "[]");
    testing::Case c = testing::case_of(src, dst);
    c.request.values = request;
    auto err = XLASHAPE_INIT(xlashape_error);
    if (build_relayout(c.request, arena, &ir, &err)) throw std::runtime_error(err.message);
  }
};

void compare(const xlashape_value_ir& values, Random& random, int64_t count) {
  const backends::ValueStep step(values);
  const ElementTypeInfo& from = element_type_info(values.src.type);
  const bool all = from.storage_bits <= 16;
  if (all) count = int64_t{1} << from.storage_bits;
  const int64_t distance = testing::case_count(8) < 8 && from.storage_bits == 16 ? 11 : 1;  // sanitizers take long
  for (int64_t i = 0; i < count; i += distance) {
    const uint64_t bits = all ? static_cast<uint64_t>(i) : testing::draw_bits(random, from);
    const uint64_t low = from.storage_bits == 64 ? bits : bits & ((uint64_t{1} << from.storage_bits) - 1);
    ASSERT_EQ(step(low, 0), reference::convert_value(values, low, 0))
        << from.name() << " 0x" << std::hex << low << " to " << element_type_info(values.dst.type).name() << ", flags "
        << values.flags;
  }
}

TEST(Values, EveryPairIsAsDefined) {
  Random random(7);
  for (const auto from : testing::numbers())
    for (const auto to : testing::numbers())
      for (const bool saturate : {false, true}) {
        if (from == to) continue;
        const Step step(from, to, {.convert = true, .saturate = saturate});
        ASSERT_NE(step.values(), nullptr);
        ASSERT_NO_FATAL_FAILURE(compare(*step.values(), random, testing::case_count(4000)));
      }
}

TEST(Values, QuantizedAsDefined) {
  Random random(8);
  int count = 0;
  for (const auto from : testing::numbers())
    for (const auto to : testing::numbers())
      for (int i = 0; i < 6; ++i) {
        testing::Case c = testing::case_of(testing::parsed(std::string(element_type_info(from).name()) + "[]"),
                                           testing::parsed(std::string(element_type_info(to).name()) + "[]"));
        if (i > 1 && element_type_info(from).storage_bits == 16 && random.chance(90)) continue;
        testing::add_scales(random, c);
        if (c.scale.empty()) continue;
        if (i == 0) c.scale[0] = 1;
        if (i == 1) c.scale[0] = std::ldexp(1.f, -140);  // a subnormal
        if (i == 2) c.scale[0] = std::ldexp(1.f, 120);
        c.request.values.convert = true;
        c.request.values.saturate = i % 2 != 0;
        const Step step(from, to, c.request.values);
        ++count;
        ASSERT_NO_FATAL_FAILURE(compare(*step.values(), random, testing::case_count(300)));
      }
  EXPECT_GT(count, 1000);
}

// What ml_dtypes 0.6.0 and NumPy make of an f32; they know how each format lies in its bits.
TEST(Values, CodesOfOtherLibraries) {
  const float numbers[] = {1, -0.3f, 5.5f, 1e9f, -INFINITY, NAN, 0.01f, -0.f};
  const struct {
    const char* type;
    uint64_t codes[8];
  } known[] = {
      {"f16", {0x3c00, 0xb4cd, 0x4580, 0x7c00, 0xfc00, 0x7e00, 0x211f, 0x8000}},
      {"bf16", {0x3f80, 0xbe9a, 0x40b0, 0x4e6e, 0xff80, 0x7fc0, 0x3c24, 0x8000}},
      {"f8e5m2", {0x3c, 0xb5, 0x46, 0x7c, 0xfc, 0x7e, 0x21, 0x80}},
      {"f8e4m3", {0x38, 0xaa, 0x4b, 0x78, 0xf8, 0x7c, 0x05, 0x80}},
      {"f8e4m3fn", {0x38, 0xaa, 0x4b, 0x7f, 0xff, 0x7f, 0x05, 0x80}},
      {"f8e4m3b11fnuz", {0x58, 0xca, 0x6b, 0x80, 0x80, 0x80, 0x22, 0x00}},
      {"f8e4m3fnuz", {0x40, 0xb2, 0x53, 0x80, 0x80, 0x80, 0x0a, 0x00}},
      {"f8e5m2fnuz", {0x40, 0xb9, 0x4a, 0x80, 0x80, 0x80, 0x25, 0x00}},
      {"f8e3m4", {0x30, 0x93, 0x56, 0x70, 0xf0, 0x78, 0x01, 0x80}},
      {"f6e3m2fn", {0x0c, 0x25, 0x16, 0x1f, 0x3f, 0x20, 0x00, 0x20}},
      {"f6e2m3fn", {0x08, 0x22, 0x1b, 0x1f, 0x3f, 0x20, 0x00, 0x20}},
      {"f4e2m1fn", {0x02, 0x09, 0x07, 0x07, 0x0f, 0x08, 0x00, 0x08}},
      {"f8e8m0fnu", {0x7f, 0xff, 0x81, 0x9d, 0xff, 0xff, 0x78, 0xff}},
  };
  for (const auto& [type, codes] : known) {
    const Step step(XLASHAPE_TYPE_F32, element_type_from_name(type), {.convert = true});
    const backends::ValueStep convert(*step.values());
    for (size_t i = 0; i < std::size(numbers); ++i)
      EXPECT_EQ(convert(std::bit_cast<uint32_t>(numbers[i]), 0), codes[i]) << numbers[i] << " to " << type;
  }
}

// A box that begins within a tile: the channels are those of the source's indices.
TEST(Values, ChannelsOfABoxThatBeginsWithinATile) {
  testing::Case c = testing::case_of(testing::parsed("f32[10,9]{1,0:T(4,4)}"), testing::parsed("s8[7,6]{0,1}"));
  c.extent = {5, 4};
  c.src_base = {3, 2};
  c.dst_base = {1, 2};
  c.request.extent = c.extent.data();
  c.request.src.base = c.src_base.data();
  c.request.dst.base = c.dst_base.data();
  for (const int64_t dimension : {0, 1}) {
    c.scale.clear();
    for (int64_t i = 0; i < c.src->dimensions[static_cast<size_t>(dimension)]; ++i)
      c.scale.push_back(std::ldexp(1.f, static_cast<int>(i) - 4));
    c.request.values = {.convert = true,
                        .scale_count = static_cast<int64_t>(c.scale.size()),
                        .scale = c.scale.data(),
                        .scale_dimension = dimension};
    alignas(16) char space[8192];
    Arena arena(space, sizeof space);
    xlashape_relayout_ir ir;
    auto err = XLASHAPE_INIT(xlashape_error);
    ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message;
    ASSERT_NE(ir.nest, nullptr);
    const xlashape_loops& nest = *ir.nest;
    ASSERT_EQ(ir.values->loop_count, nest.loop_count);
    // Each element of the nest, by its place in the source.
    std::vector<int64_t> at(static_cast<size_t>(nest.loop_count), 0);
    int elements = 0;
    while (true) {
      std::vector<int64_t> guard(static_cast<size_t>(nest.guard_count), 0);
      int64_t from = nest.src_offset, channel = ir.values->scale_offset;
      for (size_t l = 0; l < at.size(); ++l) {
        from += at[l] * nest.src_stride[l];
        channel += at[l] * ir.values->scale_step[l];
        if (nest.guard[l] >= 0) guard[static_cast<size_t>(nest.guard[l])] += at[l] * nest.step[l];
      }
      bool inside = true;
      for (size_t g = 0; g < guard.size(); ++g) inside &= nest.low[g] <= guard[g] && guard[g] < nest.high[g];
      if (inside) {
        int64_t index[2];
        ASSERT_TRUE(reference::index_at(*ir.src, from / 4, index));
        EXPECT_EQ(channel, index[dimension]) << "at byte " << from << ", dimension " << dimension;
        ++elements;
      }
      size_t l = at.size();
      while (l-- > 0) {
        if (++at[l] < nest.extent[l]) break;
        at[l] = 0;
      }
      if (l == static_cast<size_t>(-1)) break;
    }
    EXPECT_EQ(elements, 20);
  }
}

void expect_refused(const Ref<Shape>& src, const Ref<Shape>& dst, const ValueRequest& values, xlashape_status status,
                    const std::string& message) {
  testing::Case c = testing::case_of(src, dst);
  c.request.values = values;
  alignas(16) char space[4096];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(build_relayout(c.request, arena, &ir, &err), status);
  EXPECT_EQ(std::string(err.message), message);
}

TEST(Values, SaysWhatItDoesNotDo) {
  using testing::parsed;
  const Ref<Shape> f32 = parsed("f32[3,4]"), s8 = parsed("s8[3,4]"), s64 = parsed("s64[3,4]"), c64 = parsed("c64[3,4]"),
                   bf16 = parsed("bf16[3,4]"), f16 = parsed("f16[3,4]"), u4 = parsed("u4[3,4]");
  const float scales[4] = {1, 2, 0, 4}, nan[1] = {NAN};
  const int32_t zeros[4] = {0, 1, 0, 0};
  constexpr auto kInvalid = XLASHAPE_STATUS_INVALID_ARGUMENT;
  expect_refused(
      f32, s8, {}, kInvalid,
      "the source has element type f32, the destination s8: both must be the same, unless the relayout is to "
      "convert the values");
  expect_refused(c64, f32, {.convert = true}, XLASHAPE_STATUS_UNSUPPORTED,
                 "values of c64 are not converted into f32: only pred, integers and floats are");
  expect_refused(f32, f32, {.saturate = true}, kInvalid, "the relayout is to saturate values that it does not convert");
  expect_refused(f32, f32, {.scale_count = 1, .scale = scales}, kInvalid,
                 "scales are given to a relayout that converts no values");
  expect_refused(f32, s8, {.convert = true, .scale_count = 3, .scale = scales, .scale_dimension = 1}, kInvalid,
                 "scale_count is 3: it must be 1, or 4, the source's size in dimension 1");
  expect_refused(f32, s8, {.convert = true, .scale_count = 3, .scale = scales, .scale_dimension = 2},
                 XLASHAPE_STATUS_OUT_OF_RANGE, "scale_dimension is 2, the source has rank 2");
  expect_refused(f32, s8, {.convert = true, .scale_count = 4, .scale = scales, .scale_dimension = 1}, kInvalid,
                 "scale[2] is 0: reals are divided by it");
  expect_refused(f32, s8, {.convert = true, .scale_count = 1, .scale = nan}, kInvalid,
                 "scale[0] is nan: a scale is finite");
  expect_refused(f32, s8, {.convert = true, .scale_count = 2}, kInvalid, "scale_count is 2 and scale is NULL");
  expect_refused(f32, s8, {.convert = true, .scale_count = -1, .scale = scales}, kInvalid,
                 "scale_count is -1, it must be 0 to 2147483647");
  expect_refused(f32, s8, {.convert = true, .zero_point = zeros}, kInvalid,
                 "a scale or a zero point is given with scale_count 0: it must be 1, or the size of a dimension");
  expect_refused(f32, bf16, {.convert = true, .scale_count = 1, .scale = scales, .zero_point = zeros + 1}, kInvalid,
                 "zero_point[0] is 1: between floats it must be 0");
  expect_refused(f16, bf16, {.convert = true, .scale_count = 1, .scale = scales}, kInvalid,
                 "scales are given between f16 and bf16: of two types one is an integer and the other a float, or the "
                 "wider of two floats");
  expect_refused(f32, s64, {.convert = true, .scale_count = 1, .scale = scales}, XLASHAPE_STATUS_UNSUPPORTED,
                 "quantized values of s64: integers of at most 32 bits have scales");
  expect_refused(u4, u4, {.src_high_first = true}, kInvalid,
                 "the source keeps each u4 in 8 bits: elements start in the highest bits of a byte only where several "
                 "share one, as with E(4) in the layout");
}

}  // namespace
}  // namespace xlashape::core
