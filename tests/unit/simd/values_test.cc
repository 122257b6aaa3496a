// SPDX-License-Identifier: Apache-2.0
// Every pair of formats on every target: each value of 8 and 16 bits, those of more that decide something, in runs that
// end anywhere, with a scale for all and with one for each.
#include "backends/simd/converter.h"
#include "unit/numbers.h"
#include "unit/simd/targets.h"

namespace xlashape::core {
namespace {

using testing::Case;
using testing::OpenedBackend;
using testing::Random;

class SimdValues : public testing::TargetTest {};

std::vector<unsigned char> numbers_of(Random& random, xlashape_element_type type, int64_t count) {
  const ElementTypeInfo& info = element_type_info(type);
  const auto width = static_cast<size_t>(info.storage_bits / 8);
  std::vector<unsigned char> bytes(static_cast<size_t>(count) * width);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = width <= 2 ? static_cast<uint64_t>(i) : testing::draw_bits(random, info);
    std::memcpy(bytes.data() + static_cast<size_t>(i) * width, &bits, width);
  }
  return bytes;
}

void compare(const OpenedBackend& backend, Random& random, const Case& c) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message << c.name();
  int64_t elements = 1;
  for (const int64_t d : c.src->dimensions) elements *= d;
  const auto src = numbers_of(random, c.src->element_type, elements);
  const auto got = testing::moved(backend, ir, src);
  ASSERT_FALSE(got.empty()) << c.name();
  const int64_t width = ir.dst_container_bits / 8, from_width = ir.src_container_bits / 8;
  for (int64_t i = 0; i < elements; ++i) {
    uint64_t bits = 0, found = 0;
    std::memcpy(&bits, src.data() + i * from_width, static_cast<size_t>(from_width));
    std::memcpy(&found, got.data() + i * width, static_cast<size_t>(width));
    const int64_t columns = c.src->dimensions.back(), d = c.request.values.scale_dimension;
    const int64_t channel = c.scale.size() < 2 ? 0 : d == 0 ? i / columns : i % columns;
    ASSERT_EQ(found, reference::convert_value(*ir.values, bits, channel))
        << c.name() << "\\n0x" << std::hex << bits << ", number " << std::dec << i;
  }
}

// Rows of any length, in one layout on both sides.
Case rows(Random& random, xlashape_element_type from, xlashape_element_type to) {
  const ElementTypeInfo &info = element_type_info(from), &other = element_type_info(to);
  const int64_t all = info.storage_bits == 16 ? 65536 : info.storage_bits == 8 ? 256 : 900;
  const int64_t columns = random.chance(50) ? all : random.in(1, 70);
  const std::string dimensions =
      "[" + std::to_string((all + columns - 1) / columns) + "," + std::to_string(columns) + "]{1,0}";
  return testing::case_of(testing::parsed(info.name() + dimensions), testing::parsed(other.name() + dimensions));
}

TEST_P(SimdValues, EveryPairIsAsDefined) {
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Random random(11);
  for (const auto from : testing::numbers())
    for (const auto to : testing::numbers())
      for (const bool saturate : {false, true}) {
        if (from == to || (saturate && element_type_info(from).storage_bits == 16 && random.chance(60))) continue;
        Case c = rows(random, from, to);
        c.request.values = {.convert = true, .saturate = saturate};
        ASSERT_NO_FATAL_FAILURE(compare(random.chance(50) ? streams : ordinary, random, c));
      }
}

TEST_P(SimdValues, QuantizedAsDefined) {
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Random random(12);
  int each = 0;
  for (const auto from : testing::numbers())
    for (const auto to : testing::numbers())
      for (int i = 0; i < 2; ++i) {
        if (element_type_info(from).storage_bits == 16 && random.chance(70)) continue;
        Case c = rows(random, from, to);
        testing::add_scales(random, c);
        if (c.scale.empty()) continue;
        c.request.values.convert = true;
        c.request.values.saturate = random.chance(30);
        each += c.scale.size() > 1;
        ASSERT_NO_FATAL_FAILURE(compare(random.chance(50) ? streams : ordinary, random, c));
      }
  EXPECT_GT(each, 100);
}

// Sources of a number less than are transposed before they are converted, of as many, and of more; in blocks that begin
// where lines of the destination do, and where these do so anywhere.
TEST_P(SimdValues, LargeTransposes) {
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  constexpr int64_t kF32 = simd::kNearSource / 4;
  static_assert(kF32 == 1024 * 1024);
  Random random(16);
  const auto check = [&](const char* from, const char* to, int64_t rows, int64_t columns) {
    const std::string dimensions = "[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
    Case c = testing::case_of(testing::parsed(from + dimensions + "{1,0}"), testing::parsed(to + dimensions + "{0,1}"));
    c.request.values.convert = true;
    alignas(16) char space[16384];
    Arena arena(space, sizeof space);
    xlashape_relayout_ir ir;
    auto err = XLASHAPE_INIT(xlashape_error);
    ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message;
    const auto src = numbers_of(random, c.src->element_type, rows * columns);
    const int64_t width = ir.src_container_bits / 8, to_width = ir.dst_container_bits / 8;
    for (const OpenedBackend* backend : {&streams, &ordinary}) {
      const auto got = testing::moved(*backend, ir, src);
      ASSERT_FALSE(got.empty()) << c.name();
      for (int64_t i = 0; i < rows * columns; ++i) {
        uint64_t bits = 0, found = 0;
        std::memcpy(&bits, src.data() + i * width, static_cast<size_t>(width));
        std::memcpy(&found, got.data() + (i % columns * rows + i / columns) * to_width, static_cast<size_t>(to_width));
        ASSERT_EQ(found, reference::convert_value(*ir.values, bits, 0)) << c.name() << ", element " << i;
      }
    }
  };
  ASSERT_NO_FATAL_FAILURE(check("f32", "bf16", 1023, 1025));
  ASSERT_NO_FATAL_FAILURE(check("f32", "bf16", 1024, 1024));
  ASSERT_NO_FATAL_FAILURE(check("f32", "s8", 1024, 1025));
  ASSERT_NO_FATAL_FAILURE(check("bf16", "f32", 1024, 1000));
  ASSERT_NO_FATAL_FAILURE(check("u8", "f32", 999, 1001));
  ASSERT_NO_FATAL_FAILURE(check("f64", "f32", 1024, 600));
}

// Channels that a run steps over: every second column, and the columns from the last one on.
TEST_P(SimdValues, ChannelsOfStridedRuns) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Random random(13);
  testing::Tally tally;
  for (int i = 0; i < 400; ++i) {
    const char* const types[][2] = {
        {"f32", "s8"}, {"s8", "f32"}, {"u8", "bf16"}, {"f8e5m2", "f32"}, {"f32", "f8e4m3fn"}};
    const char *const from = types[i % 5][0], *const to = types[i % 5][1];
    const std::vector<int64_t> dimensions = {random.in(1, 9), random.in(1, 9), random.in(17, 90)};
    Case c = testing::case_between(random, dimensions,
                                   testing::parsed(testing::permuted(random, 50, from, dimensions) + "}"),
                                   testing::parsed(testing::permuted(random, 50, to, dimensions) + "}"));
    testing::add_scales(random, c);
    c.request.values.convert = true;
    ASSERT_NO_FATAL_FAILURE(testing::check_relayout(backend, random, c, &tally)) << i;
  }
  EXPECT_EQ(tally.taken, 400);
}

// Packed elements from the highest bits of a byte on: those that have whole bytes are moved here, and few of them do
// among random layouts.
TEST_P(SimdValues, BitsFromTheHighest) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Random random(15);
  testing::Tally tally;
  for (int i = 0; i < 500; ++i) {
    const std::pair<const char*, int> types[] = {{"u1", 1}, {"u2", 2}, {"s4", 4}, {"pred", 1}, {"f4e2m1fn", 4}};
    const char* const name = types[i % 5].first;
    const int bits = types[i % 5].second;
    std::vector<int64_t> dimensions = {random.in(1, 9), random.in(1, 9), 8 * random.in(1, 300)};
    if (random.chance(20)) dimensions = {random.in(1, 70000)};
    const auto side = [&](bool packs) {
      const std::string tiles = random.chance(20) ? "T(8)" : "", width = packs ? "E(" + std::to_string(bits) + ")" : "";
      return testing::parsed(testing::permuted(random, 30, name, dimensions) +
                             (tiles.empty() && width.empty() ? "}" : ":" + tiles + width + "}"));
    };
    const bool packs = random.chance(60);
    Case c = testing::case_between(random, dimensions, side(packs), side(!packs || random.chance(50)));
    if (bits == 4 && random.chance(40)) {
      c.dst = testing::parsed(testing::permuted(random, 30, random.chance(50) ? "f32" : "bf16", dimensions) + "}");
      c.request.dst.array = c.dst.get();
      c.request.values.convert = true;
    }
    testing::order_bits(random, c);
    if (!c.request.values.src_high_first && !c.request.values.dst_high_first) continue;
    ASSERT_NO_FATAL_FAILURE(testing::check_relayout(backend, random, c, &tally)) << i;
  }
  EXPECT_GT(tally.taken, 80);
}

// Runs of numbers at any distance, of channels at any distance.
TEST_P(SimdValues, ConvertsRunsOfAnySteps) {
  const simd::Kernels& kernels = simd::choose_kernels(GetParam().features);
  Random random(14);
  for (const auto& [from, to] : {std::pair{"f32[2000]", "s8[2000]"}, std::pair{"u8[2000]", "f16[2000]"},
                                 std::pair{"f8e4m3fn[2000]", "f32[2000]"}, std::pair{"f64[2000]", "s16[2000]"}}) {
    Case c = testing::case_of(testing::parsed(from), testing::parsed(to));
    for (int i = 0; i < 2000; ++i) c.scale.push_back(std::ldexp(1.f, static_cast<int>(random.in(-9, 3))));
    c.request.values = {.convert = true, .scale_count = 2000, .scale = c.scale.data()};
    alignas(16) char space[65536];
    Arena arena(space, sizeof space);
    xlashape_relayout_ir ir;
    auto err = XLASHAPE_INIT(xlashape_error);
    ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message;
    const int width = ir.src_container_bits / 8, to_width = ir.dst_container_bits / 8;
    const simd::Converter converter(kernels, *ir.values, width, to_width, 2000);
    for (int round = 0; round < 60; ++round) {
      const int64_t count = random.in(1, 600), channel_step = random.in(-3, 3);
      const int64_t step = random.chance(50) ? 1 : random.in(-3, 3), to_step = random.chance(50) ? 1 : 2;
      const int64_t first = channel_step < 0 ? 1999 : 0, begin = step < 0 ? 1999 : 0;
      const auto src = numbers_of(random, c.src->element_type, 2000);
      std::vector<char> got(static_cast<size_t>(count * to_step * to_width), 0x5A), want = got;
      converter.run(got.data(), to_step * to_width, reinterpret_cast<const char*>(src.data()) + begin * width,
                    step * width, count, {first, channel_step});
      for (int64_t n = 0; n < count; ++n) {
        uint64_t bits = 0;
        std::memcpy(&bits, src.data() + (begin + n * step) * width, static_cast<size_t>(width));
        const uint64_t number = reference::convert_value(*ir.values, bits, first + n * channel_step);
        std::memcpy(want.data() + n * to_step * to_width, &number, static_cast<size_t>(to_width));
      }
      ASSERT_EQ(got, want) << from << " to " << to << ", " << count << " numbers, steps " << step << ", " << to_step
                           << ", of channels " << channel_step;
    }
  }
}

// The first, the least, is one of the others.
INSTANTIATE_TEST_SUITE_P(Targets, SimdValues,
                         ::testing::ValuesIn(std::begin(testing::kTargets) + 1, std::end(testing::kTargets)),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace xlashape::core
