// SPDX-License-Identifier: Apache-2.0
// Every target of the simd backend that this machine has against the reference walker: the random cases of all
// backends, and larger ones that fill whole vectors, tiles and more than one tile.
#include "backends/simd/kernels.h"
#include "backends/simd/limits.h"
#include "runtime/cpu.h"
#include "unit/huge_relayout.h"
#include "unit/random_relayout.h"
#include "unit/simd/targets.h"

namespace xlashape::core {
namespace {

using testing::Case;
using testing::OpenedBackend;
using testing::Random;
using testing::Tally;
using testing::Target;

Case case_of(const char* from, const char* to, int32_t policy) {
  return testing::case_of(testing::parsed(from), testing::parsed(to), policy);
}

class SimdRelayout : public testing::TargetTest {
 protected:
  // With caches so small that everything is streamed, and so large that nothing is. Without any feature the least
  // target runs: it has its own name, too.
  void run(int64_t usual, Case (*make)(Random&)) {
    if (GetParam().features == 0) GTEST_SKIP() << "the same as another one here";
    const int64_t count = testing::case_count(usual);
    const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
    const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
    Tally tally;
    for (int64_t i = 0; i < count; ++i) {
      Random random(static_cast<uint64_t>(i) + 1);
      const Case c = make(random);
      testing::check_relayout(i % 2 ? streams : ordinary, random, c, &tally);
      if (HasFatalFailure()) {
        ADD_FAILURE() << "seed " << i + 1;
        return;
      }
    }
    RecordProperty("taken", tally.taken);
    EXPECT_GT(tally.taken, count / 8);
  }
};

TEST_P(SimdRelayout, RunsItsTarget) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam().features, 1);
  const xlashape_map_ir map{};
  auto op = XLASHAPE_INIT(xlashape_op);
  op.kind = XLASHAPE_OP_TO_LINEAR;
  op.map = &map;
  char line[200];
  backend.table.describe(backend.table.self, nullptr, &op, line, sizeof line);
  EXPECT_EQ(std::string(line).substr(0, std::string(line).find(',')), "simd " + testing::said(GetParam()));
}

// Lines of the caches; none is needed.
TEST_P(SimdRelayout, TellsWhichAlignmentItLikes) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam().features, 1);
  const Case c = case_of("f32[16,16]{1,0}", "f32[16,16]{0,1}", XLASHAPE_FILL_PADDING);
  alignas(16) char memory[16384];
  Arena arena(memory, sizeof memory);
  xlashape_relayout_ir ir;
  ASSERT_EQ(build_relayout(c.request, arena, &ir, nullptr), XLASHAPE_STATUS_OK);
  auto op = XLASHAPE_INIT(xlashape_op);
  op.kind = XLASHAPE_OP_RELAYOUT;
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  op.relayout = &ir;
  auto support = XLASHAPE_INIT(xlashape_support);
  ASSERT_EQ(backend.table.supports(backend.table.self, &op, &support, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(support.src_preferred_alignment, 64);
  EXPECT_EQ(support.dst_preferred_alignment, 64);
  EXPECT_LE(support.src_alignment, 1);
  EXPECT_LE(support.dst_alignment, 1);
}

TEST_P(SimdRelayout, RandomCases) { run(400, testing::random_case); }
TEST_P(SimdRelayout, RandomConversions) { run(1200, testing::random_value_case); }

// Permutations of few larger dimensions, of every width, sometimes tiled as accelerators do.
Case large_case(Random& random) {
  static const std::vector<std::string> types = {"u8", "bf16", "f32", "f64", "c128"};
  static const std::vector<std::string> tiles = {"T(8,128)", "T(8,128)(2,1)", "T(8,128)(4,1)", "T(4)", "T(16,16)(2,1)"};
  static const std::vector<int64_t> small = {2, 3, 4, 5, 6, 7, 8, 15, 16};
  const std::string type = random.of(types);
  const int64_t rank = random.in(2, 4);
  std::vector<int64_t> dimensions;
  int64_t room = 40000;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t d = random.chance(40) ? random.of(small) : random.in(1, std::clamp<int64_t>(room, 1, 300));
    dimensions.push_back(std::min(d, std::max<int64_t>(room, 1)));
    room /= dimensions.back();
  }
  std::shuffle(dimensions.begin(), dimensions.end(), random.engine());
  const auto array = [&](bool tiled) {
    const std::string words = testing::permuted(random, 70, type, dimensions);
    return testing::parsed(words + (tiled ? ":" + random.of(tiles) : "") + "}");
  };
  Ref<Shape> src = array(random.chance(20)), dst = array(random.chance(20));
  return testing::case_between(random, dimensions, std::move(src), std::move(dst));
}

TEST_P(SimdRelayout, LargeCases) { run(100, large_case); }

// Aligned columns of whole lines, tile by tile, which squares write past the caches without a stage;
// some with columns that end within a line, some with rows of less than a line.
TEST_P(SimdRelayout, SquaresOfWholeLines) {
  if (GetParam().features == 0) GTEST_SKIP() << "the same as another one here";
  const std::pair<const char*, const char*> shapes[] = {
      {"f32[128,160]{1,0}", "f32[128,160]{0,1}"},
      {"f32[48,52]{1,0}", "f32[48,52]{0,1}"},
      {"f32[3,64,80]{2,1,0}", "f32[3,64,80]{1,2,0}"},
      {"f64[128,96]{1,0}", "f64[128,96]{0,1}"},
      {"f64[2,40,30]{2,1,0}", "f64[2,40,30]{1,2,0}"},
      {"c128[64,40]{1,0}", "c128[64,40]{0,1}"},
      {"c128[3,20,24]{2,1,0}", "c128[3,20,24]{1,2,0}"},
      {"bf16[128,96]{1,0}", "bf16[128,96]{0,1}"},
      {"u8[128,192]{1,0}", "u8[128,192]{0,1}"},
      {"f32[128,12]{1,0}", "f32[128,12]{0,1}"},
      {"f64[64,6]{1,0}", "f64[64,6]{0,1}"},
      {"bf16[192,24]{1,0}", "bf16[192,24]{0,1}"},
      {"u8[256,48]{1,0}", "u8[256,48]{0,1}"},
  };
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  Tally tally;
  for (const auto& [from, to] : shapes) {
    const Case c = case_of(from, to, XLASHAPE_FILL_PADDING);
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      testing::check_relayout(streams, random, c, &tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(tally.taken, 8 * static_cast<int>(std::size(shapes)));
}

// Single units of every number of bytes along several axes, in 1 to 70 planes; and nests with guards that are cut into
// parts, each of which has several rectangles.
TEST_P(SimdRelayout, SingleUnits) {
  if (GetParam().features == 0) GTEST_SKIP() << "the same as another one here";
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Tally tally;
  const auto check = [&](const std::string& from, const std::string& to, uint64_t seed) {
    const Case c = case_of(from.c_str(), to.c_str(), XLASHAPE_FILL_PADDING);
    for (const OpenedBackend* backend : {&streams, &ordinary}) {
      Random random(seed);
      testing::check_relayout(*backend, random, c, &tally);
    }
  };
  for (int64_t bytes = 1; bytes <= 63; ++bytes) {
    const int64_t planes = bytes * 9 % 70 + 1;
    const std::string array = "u8[3,5," + std::to_string(planes) + ",2," + std::to_string(bytes) + "]";
    check(array + "{4,3,2,1,0}", array + "{4,0,1,2,3}", static_cast<uint64_t>(bytes));
    if (HasFatalFailure()) return;
  }
  const std::pair<const char*, const char*> shapes[] = {
      {"u8[500,11,33,7]{1,2,3,0:T(9,8)}", "u8[500,11,33,7]{2,1,0,3}"},
      {"u8[2,6,26,30,8,6]{5,4,3,2,1,0}", "u8[2,6,26,30,8,6]{0,4,5,2,1,3:PD(3,6,26,30,8,6)}"},
      {"bf16[700,7,7]{2,1,0}", "bf16[700,7,7]{2,0,1:T(8,128)(2,1)}"},
      {"bf16[6,25,937]{0,2,1}", "bf16[6,25,937]{0,1,2}"},
      {"bf16[3,5,3,16,104]{0,2,3,4,1}", "bf16[3,5,3,16,104]{1,2,3,0,4:PD(3,5,4,16,104)}"},
      {"u8[2,300,5,15,10]{4,3,2,1,0}", "u8[2,300,5,15,10]{2,4,0,3,1}"},
      {"f32[30000,3,7]{2,1,0:T(4,8)}", "f32[30000,3,7]{2,0,1}"},
      {"f32[20011,6,7]{2,1,0:T(4,8)}", "f32[20011,6,7]{1,2,0}"},
  };
  for (const auto& [from, to] : shapes) {
    check(from, to, 1);
    if (HasFatalFailure()) return;
  }
  // By other numbers of tasks: what is kept from one part to the next is read where a task has more than one.
  constexpr uint64_t kSeeds = 5;
  for (uint64_t seed = 2; seed <= kSeeds; ++seed) check(shapes[0].first, shapes[0].second, seed);
  EXPECT_EQ(tally.taken, 2 * (63 + static_cast<int>(std::size(shapes) + kSeeds - 1)));
}

// Containers of 1, 2, 4 and 8 bits on either side, one of them packed: runs and planes of any length, beginning at any
// bit.
Case packed_case(Random& random) {
  struct Type {
    const char* name;
    int bits;
  };
  static const std::vector<Type> types = {{"u4", 4}, {"s4", 4},   {"f4e2m1fn", 4}, {"u2", 2},
                                          {"s2", 2}, {"pred", 1}, {"u1", 1}};
  static const std::vector<std::string> tiles = {"T(8,128)", "T(8,128)(8,1)", "T(8,128)(2,1)",
                                                 "T(4)",     "T(2,32)",       "T(5,7)"};
  const Type type = random.of(types);
  const bool plane = random.chance(15);
  const int64_t rank = plane ? 2 : random.in(1, 4);
  std::vector<int64_t> dimensions;
  int64_t room = random.chance(20) ? 400000 : 40000;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t d =
        random.chance(40) ? random.in(1, 16) : random.in(1, std::clamp<int64_t>(room, 1, rank == 1 ? room : 1000));
    if (random.chance(50)) d = (d + 7) / 8 * 8;
    dimensions.push_back(std::min(d, std::max<int64_t>(room, 1)));
    room /= dimensions.back();
  }
  if (plane)  // more than one tile each way, and a remainder
    for (int64_t& d : dimensions) d = random.in(100, 100 + 1000 / type.bits);
  std::shuffle(dimensions.begin(), dimensions.end(), random.engine());
  const auto array = [&](bool tiled, int bits) {
    const std::string words = testing::permuted(random, 60, type.name, dimensions);
    const std::string ends = (tiled ? random.of(tiles) : "") + (bits < 8 ? "E(" + std::to_string(bits) + ")" : "");
    return testing::parsed(words + (ends.empty() ? "" : ":" + ends) + "}");
  };
  const auto bits = [&] { return random.chance(70) ? type.bits : std::min(8, type.bits << random.in(1, 3)); };
  const int dst_bits = bits();
  Ref<Shape> src = array(random.chance(20), dst_bits == 8 ? type.bits : bits()),
             dst = array(random.chance(20), dst_bits);
  Case c = testing::case_between(random, dimensions, std::move(src), std::move(dst));
  if (dst_bits == 8 && random.chance(20)) {
    c.dst_strides = testing::random_strides(random, dimensions, 1, false);
    c.request.dst.byte_strides = c.dst_strides.data();
  }
  return c;
}

// What random cases seldom are: many short rows or columns beside each other, the last strip of a tile narrow, odd
// pitches.
Case packed_shape(Random& random) {
  static const std::vector<std::pair<std::string, std::string>> shapes = {
      {"pred[301,303,7]{2,1,0:E(1)}", "pred[301,303,7]{0,2,1:E(1)}"},
      {"pred[700,1100]{1,0:E(1)}", "pred[700,1100]{0,1:E(1)}"},
      {"pred[520,290]{1,0:E(1)}", "pred[520,290]{0,1:E(1)}"},
      {"pred[513,1001]{1,0}", "pred[513,1001]{0,1:E(1)}"},
      {"pred[513,1001]{1,0:E(1)}", "pred[513,1001]{0,1}"},
      {"u2[300,1040]{1,0:E(2)}", "u2[300,1040]{0,1:E(2)}"},
      {"u2[777,333]{1,0:E(2)}", "u2[777,333]{0,1:E(4)}"},
      {"u4[259,2100]{1,0:E(4)}", "u4[259,2100]{0,1:E(4)}"},
      {"s4[259,2100]{1,0:E(4)}", "s4[259,2100]{0,1}"},
      {"s4[2100,259]{1,0}", "s4[2100,259]{0,1:E(4)}"},
      {"u4[40000,3]{1,0:E(4)}", "u4[40000,3]{0,1:E(4)}"},
      {"u4[40000,3]{0,1:E(4)}", "u4[40000,3]{1,0:E(4)}"},
      {"u4[15,4099]{1,0:E(4)}", "u4[15,4099]{0,1:E(4)}"},
      {"u4[14,4099]{1,0:E(4)}", "u4[14,4099]{0,1:E(4)}"},
      {"u4[8,30000]{1,0:E(4)}", "u4[8,30000]{0,1:E(4)}"},
      {"u4[256,1024]{1,0:E(4)}", "u4[256,1024]{1,0:T(8,128)(8,1)E(4)}"},
      {"u4[256,1024]{1,0:T(8,128)(8,1)E(4)}", "u4[256,1024]{1,0:E(4)}"},
      {"u4[201,203]{1,0:E(4)}", "u4[201,203]{1,0:T(5,7)E(4)}"},
      {"s4[31,37,41]{2,1,0}", "s4[31,37,41]{1,2,0:E(4)}"},
  };
  const auto& [from, to] = random.of(shapes);
  Ref<Shape> src = testing::parsed(from), dst = testing::parsed(to);
  if (random.chance(30)) std::swap(src, dst);
  const std::vector<int64_t> dimensions(src->dimensions.begin(), src->dimensions.end());
  return testing::case_between(random, dimensions, std::move(src), std::move(dst));
}

TEST_P(SimdRelayout, PackedShapes) { run(60, packed_shape); }
TEST_P(SimdRelayout, PackedCases) { run(120, packed_case); }

// Rows that are reversed, or columns that become such rows; of lengths around what decides how they are moved.
Case reversed_case(Random& random) {
  const int from = 1 << random.in(0, 3), to = from == 8 ? 1 << random.in(0, 2) : 1 << random.in(0, 3);
  const int64_t lengths[] = {simd::kLeastReversed, simd::kTinyElements,     200, 1100,
                             simd::kReversedPiece, 3 * simd::kReversedPiece};
  const int64_t size = lengths[random.in(0, 5)] + random.in(-2, 2);
  const int64_t rows = random.in(1, size > 2000 ? 3 : 40), gap = random.in(0, 3);
  const std::string shape = (random.chance(50) ? "s" : "u") + std::to_string(std::min({from, to, 4})) + "[" +
                            std::to_string(rows) + "," + std::to_string(size) + "]{1,0:E(";
  Case c = testing::case_of(testing::parsed(shape + std::to_string(from) + ")}"),
                            testing::parsed(shape + std::to_string(to) + ")}"), static_cast<int32_t>(random.in(0, 2)));
  const bool onto = random.chance(30), turns = random.chance(20);  // the destination's strides; columns
  std::vector<int64_t>& strides = onto ? c.dst_strides : c.src_strides;
  strides = turns ? std::vector<int64_t>{-1, rows + gap} : std::vector<int64_t>{size + gap, -1};
  RelayoutSide& side = onto ? c.request.dst : c.request.src;
  side.element_strides = strides.data();
  side.first_element = random.in(0, 9) + (turns ? rows : size) - 1;
  return c;
}
TEST_P(SimdRelayout, ReversedRows) { run(120, reversed_case); }

// Many small dimensions, with larger ones between them: tiles whose rows and columns share factors, and interleaves of
// 2 to 15.
Case small_factors_case(Random& random) {
  static const std::vector<std::string> types = {"u8", "u8", "bf16", "f32", "f64", "c128"};
  static const std::vector<std::string> tiles = {"T(8,128)", "T(8,128)(2,1)", "T(8,128)(4,1)", "T(2,3)", "T(4,6)(2,1)"};
  const std::string type = random.of(types);
  std::vector<int64_t> dimensions;
  int64_t room = random.chance(20) ? 100000 : 20000;
  const int64_t rank = random.in(2, 7), most = random.of(std::vector<int64_t>{3, 5, 7, 15});
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t d = random.in(2, most);
    if (d <= room) dimensions.push_back(d), room /= d;
  }
  dimensions.insert(dimensions.begin() + random.in(0, static_cast<int64_t>(dimensions.size())), random.in(1, room));
  const auto array = [&](int percent) {
    const std::string words = testing::permuted(random, percent, type, dimensions);
    return testing::parsed(words + (random.chance(25) ? ":" + random.of(tiles) : "") + "}");
  };
  Ref<Shape> src = array(random.chance(50) ? 0 : 100), dst = array(100);
  return testing::case_between(random, dimensions, std::move(src), std::move(dst));
}

TEST_P(SimdRelayout, SmallFactors) { run(60, small_factors_case); }

// Into tiles of which much is padding, mostly filled.
Case padded_case(Random& random) {
  static const std::vector<std::string> types = {"u8", "bf16", "f32", "f32", "f64", "c128"};
  static const std::vector<std::string> tiles = {"T(8,128)", "T(8,128)(2,1)", "T(8,128)(4,1)", "T(1,256)", "T(4,16)",
                                                 "T(3,5)",   "T(1,100)",      "T(500)",        "T(2,3,40)"};
  const std::string type = random.of(types);
  std::vector<int64_t> dimensions;
  int64_t room = random.chance(20) ? 20000 : 2000;
  for (int64_t i = random.in(1, 3); i-- > 0;) {
    dimensions.push_back(random.in(1, std::min<int64_t>(room, random.chance(50) ? 12 : 300)));
    room /= dimensions.back();
  }
  dimensions.insert(dimensions.begin(), random.in(1, std::min<int64_t>(room, 500)));
  const auto array = [&](int percent, bool tiled) {
    const std::string words = testing::permuted(random, percent, type, dimensions);
    return testing::parsed(words + (tiled ? ":" + random.of(tiles) : "") + "}");
  };
  Ref<Shape> src = array(20, random.chance(20)), dst = array(30, true);
  Case c = testing::case_between(random, dimensions, std::move(src), std::move(dst));
  if (random.chance(60)) c.request.fill_policy = XLASHAPE_FILL_PADDING;
  return c;
}

TEST_P(SimdRelayout, PaddedCases) { run(40, padded_case); }

// Shapes that are thought to be filled in one pass are, each way: staged, in place, with more holes or rectangles than
// are kept.
TEST_P(SimdRelayout, Fills) {
  const std::pair<const char*, const char*> shapes[] = {
      {"f32[5,100,100]{2,1,0}", "f32[5,100,100]{2,1,0:T(8,128)}"},
      {"f32[5,100,100]{2,1,0}", "f32[5,100,100]{1,2,0:T(8,128)}"},
      {"bf16[5,99,100]{2,1,0}", "bf16[5,99,100]{2,1,0:T(8,128)(2,1)}"},
      {"bf16[200,1,128]{2,1,0}", "bf16[200,1,128]{2,1,0:T(8,128)(2,1)}"},
      {"f32[60,1000]{1,0}", "f32[60,1000]{1,0:T(1,1024)}"},
      {"u8[2000,3]{1,0}", "u8[2000,3]{1,0:T(1,4)}"},
      {"u8[31,33,17]{2,1,0}", "u8[31,33,17]{2,1,0:T(4,4,4)}"},
      {"f32[3,4]{1,0}", "f32[3,4]{1,0:T(8,128)}"},
  };
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Tally tally;
  for (const auto& [from, to] : shapes)
    for (const int32_t policy : {XLASHAPE_FILL_PADDING, XLASHAPE_FILL_UNSPECIFIED, XLASHAPE_FILL_PRESERVE}) {
      const Case c = case_of(from, to, policy);
      const bool one_pass = testing::description(ordinary, c).find("padding in one pass") != std::string::npos;
      EXPECT_EQ(one_pass, policy == XLASHAPE_FILL_PADDING) << from << " -> " << to;
      for (uint64_t seed = 1; seed <= 4; ++seed) {
        Random random(seed);
        testing::check_relayout(seed % 2 ? streams : ordinary, random, c, &tally);
        if (HasFatalFailure()) return;
      }
    }
}

// Long rows into and out of tiles that interleave: tiles of several interleaves, with ragged ends on each side.
Case interleaved_case(Random& random) {
  static const std::vector<std::string> arrays = {"bf16", "u8", "u8", "f32"};
  static const std::vector<std::string> tiles = {"T(8,128)(2,1)", "T(8,128)(4,1)", "T(4,128)(2,1)", "T(6,32)(3,1)",
                                                 "T(16,64)(8,1)"};
  const std::vector<int64_t> dimensions = {random.in(1, 3), random.in(1, 20),
                                           random.in(1, random.chance(30) ? 8000 : 800)};
  const std::string type = random.of(arrays), tile = ":" + random.of(tiles) + "}";
  const std::string plain = testing::permuted(random, 0, type, dimensions);
  const bool into = random.chance(50);
  Ref<Shape> src = testing::parsed(plain + (into ? "}" : tile)), dst = testing::parsed(plain + (into ? tile : "}"));
  return testing::case_between(random, dimensions, std::move(src), std::move(dst));
}

TEST_P(SimdRelayout, Interleaves) { run(100, interleaved_case); }

// Long columns that begin and end anywhere within a line: lines that tiles share.
Case odd_case(Random& random) {
  static const std::vector<std::string> types = {"u8", "bf16", "f32", "f64", "c128"};
  const std::vector<int64_t> dimensions = {random.in(1, 2), random.in(300, 1300), random.in(17, 40)};
  const std::string type = random.of(types);
  const auto array = [&](int percent) {
    return testing::parsed(testing::permuted(random, percent, type, dimensions) + "}");
  };
  Ref<Shape> src = array(0), dst = array(100);
  return testing::case_between(random, dimensions, std::move(src), std::move(dst));
}

TEST_P(SimdRelayout, OddColumns) { run(30, odd_case); }

// Runs of all lengths around those at which copies change, from and to every place within a line.
TEST_P(SimdRelayout, CopiesRunsAtAnyPlace) {
  if (GetParam().features == 0) GTEST_SKIP() << "the same as another one here";
  const simd::Kernels& kernels = simd::choose_kernels(GetParam().features);
  std::vector<char> src(8192), dst(8192);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<char>(i * 251 + i / 256);
  for (const int64_t bytes : {1, 31, 32, 33, 64, 700, 1023, 1024, 1025, 1087, 1088, 1279, 1280, 1281, 1500, 4097})
    for (int64_t to = 0; to < 64; ++to) {
      const int64_t from = to * 37 % 64;
      std::fill(dst.begin(), dst.end(), '\x5A');
      kernels.copy(dst.data() + 64 + to, src.data() + from, bytes, simd::Store::kOrdinary);
      for (int64_t i = 0; i < static_cast<int64_t>(dst.size()); ++i) {
        const bool copied = i >= 64 + to && i < 64 + to + bytes;
        ASSERT_EQ(dst[static_cast<size_t>(i)], copied ? src[static_cast<size_t>(i - 64 - to + from)] : '\x5A')
            << bytes << " bytes from " << from << " to " << to << ", byte " << i;
      }
    }
}

TEST_P(SimdRelayout, PlansWhatNoMemoryHolds) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam().features, 1 << 20);
  testing::plan_huge_cases(backend, "simd", testing::case_count(3000), 4);
}

// What is thought to go through passes does, so that the cases above meet them.
TEST_P(SimdRelayout, Permutes) {
  const std::pair<const char*, const char*> shapes[] = {
      {"u8[32,128,3]{2,1,0}", "u8[32,128,3]{1,0,2:T(8,128)(4,1)}"},
      {"u8[32,128,3]{1,0,2:T(8,128)(4,1)}", "u8[32,128,3]{2,1,0}"},
      {"bf16[30,200,5]{2,1,0}", "bf16[30,200,5]{1,0,2:T(8,128)(2,1)}"},
      {"u8[1001,3,3,2]{3,2,1,0}", "u8[1001,3,3,2]{1,2,3,0}"},
      {"f32[1001,2,3,2]{3,2,1,0}", "f32[1001,2,3,2]{1,2,3,0}"},
      {"u8[1001,5,7]{2,1,0}", "u8[1001,5,7]{1,2,0}"},
      {"f64[1001,3,2]{2,1,0}", "f64[1001,3,2]{1,2,0}"},
      {"u8[20,12,5,12,3]{4,3,2,1,0}", "u8[20,12,5,12,3]{4,2,3,1,0}"},
      {"u8[5000,12]{0,1}", "u8[5000,12]{1,0}"},
      {"u8[20,4,3,2,4,3,2,4]{7,6,5,4,3,2,1,0}", "u8[20,4,3,2,4,3,2,4]{3,5,1,7,2,6,4,0}"},
  };
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Tally tally;
  for (const auto& [from, to] : shapes) {
    const Case c = case_of(from, to, XLASHAPE_FILL_PADDING);
    // Elements of 4 and 8 bytes only where they are streamed: else it depends on the processor's lookups.
    const OpenedBackend& permutes = from[0] == 'f' ? streams : ordinary;
    EXPECT_NE(testing::description(permutes, c).find("permutes"), std::string::npos) << from << " -> " << to;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      testing::check_relayout(seed % 2 ? streams : ordinary, random, c, &tally);
      if (HasFatalFailure()) return;
    }
  }
}

// Groups of one byte to 16, in rows that end within a vector and within a piece; and those that are none.
TEST_P(SimdRelayout, Shuffles) {
  const std::tuple<const char*, const char*, bool> shapes[] = {
      {"u8[1001,2,2]{2,1,0}", "u8[1001,2,2]{1,2,0}", true},
      {"u8[1001,2,3,2]{3,2,1,0}", "u8[1001,2,3,2]{1,2,3,0}", true},
      {"u8[683,2,3]{2,1,0}", "u8[683,2,3]{1,2,0}", true},
      {"bf16[33,4,2]{2,1,0}", "bf16[33,4,2]{1,2,0}", true},
      {"f32[999,2,2]{2,1,0}", "f32[999,2,2]{1,2,0}", true},
      {"u4[1001,4,2]{1,2,0:E(4)}", "u4[1001,4,2]{2,1,0:E(4)}", true},
      {"u4[1001,4,2]{2,1,0:E(4)}", "u4[1001,4,2]{1,2,0:E(4)}", true},
      {"s4[77,2,3,5]{3,2,1,0:E(4)}", "s4[77,2,3,5]{1,3,2,0:E(4)}", true},
      {"u2[501,4,4]{2,1,0:E(2)}", "u2[501,4,4]{1,2,0:E(2)}", true},
      {"u1[301,8,8]{2,1,0:E(1)}", "u1[301,8,8]{1,2,0:E(1)}", true},
      {"u1[65,16,8]{2,1,0:E(1)}", "u1[65,16,8]{1,2,0:E(1)}", true},
      {"u8[5,300,7,2,2]{4,3,2,1,0}", "u8[5,300,7,2,2]{3,4,1,2,0}", false},
      {"u8[7,64,3,2]{3,2,1,0}", "u8[7,64,3,2]{2,3,1,0}", true},
      {"u8[9,7,5,64,2,2]{5,4,3,2,1,0}", "u8[9,7,5,64,2,2]{4,5,3,0,2,1}", true},
      {"f32[1001,5,1]{2,1,0}", "f32[1001,5,1]{1,2,0}", false},
      {"u8[1001,3,6]{2,1,0}", "u8[1001,3,6]{1,2,0}", false},
  };
  const OpenedBackend streams(xlashape_backend_open_simd, GetParam().features, 1);
  const OpenedBackend ordinary(xlashape_backend_open_simd, GetParam().features, int64_t{1} << 40);
  Tally tally;
  for (const auto& [from, to, shuffles] : shapes) {
    const Case c = case_of(from, to, XLASHAPE_FILL_PADDING);
    EXPECT_EQ(testing::description(ordinary, c).find("shuffles") != std::string::npos, shuffles) << from << " " << to;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Random random(seed);
      testing::check_relayout(seed % 2 ? streams : ordinary, random, c, &tally);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SimdRelayout, ::testing::ValuesIn(testing::kTargets),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace xlashape::core
