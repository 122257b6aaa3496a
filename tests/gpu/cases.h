/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts that reach every kernel of the GPU backends, and index batches: what all tests of kernels share.
#pragma once
#include <string>
#include <vector>

#include "backends/gpu/common/launch.h"
#include "unit/random_relayout.h"

namespace xlashape::core::testing {

struct NamedCase {
  std::string src;
  std::string dst;
  const char* kernel;  // that the best plan begins with
};

// An array of rank 70 most of whose dimensions are 1, so that its map has more values than the small kernels hold.
inline std::string deep(const std::string& type, bool turned, const std::string& notes) {
  std::string bounds, order;
  for (int i = 0; i < 70; ++i) {
    bounds += (i ? "," : "") + std::to_string(i % 12 == 5 ? 3 : 1);
    order += (i ? "," : "") + std::to_string(turned ? i : 69 - i);
  }
  return type + "[" + bounds + "]{" + order + notes + "}";
}

// One for each kernel and way through it: whole tiles, edges, odd pitches, guards, padding, packed elements.
inline const std::vector<NamedCase>& kernel_cases() {
  static const std::vector<NamedCase> cases = {
      {"u8[256,256]{1,0}", "u8[256,256]{0,1}", "xs_tile_1"},
      {"u8[3,128,160]{2,1,0}", "u8[3,128,160]{1,2,0}", "xs_tile_1"},
      {"u8[250,211]{1,0}", "u8[250,211]{0,1}", "xs_tile_1"},
      {"bf16[128,192]{1,0}", "bf16[128,192]{0,1}", "xs_tile_2"},
      {"u16[121,127]{1,0}", "u16[121,127]{0,1}", "xs_tile_2"},
      {"f32[128,64]{1,0}", "f32[128,64]{0,1}", "xs_tile_4"},
      {"f32[2,64,3,100]{3,2,1,0}", "f32[2,64,3,100]{1,2,3,0}", "xs_tile_4"},
      {"f32[100,67]{1,0}", "f32[100,67]{0,1}", "xs_tile_4"},
      {"f64[64,96]{1,0}", "f64[64,96]{0,1}", "xs_tile_8"},
      {"f64[33,65]{1,0}", "f64[33,65]{0,1}", "xs_tile_8"},
      {"c128[61,33]{1,0}", "c128[61,33]{0,1}", "xs_tile_16"},
      {"c128[64,32]{1,0}", "c128[64,32]{0,1}", "xs_tile_16"},
      {"u8[128,64,2]{2,1,0}", "u8[128,64,2]{2,0,1}", "xs_tile_2"},
      {"f32[300,200]{1,0:T(64,128)}", "f32[300,200]{0,1}", "xs_tile_4"},
      {"u8[2,64,64,3]{3,2,1,0}", "u8[2,64,64,3]{2,1,3,0}", "xs_split_1"},
      {"u8[2,61,67,3]{3,2,1,0}", "u8[2,61,67,3]{2,1,3,0}", "xs_split_1"},
      {"u8[2,64,64,3]{2,1,3,0}", "u8[2,64,64,3]{3,2,1,0}", "xs_merge_1"},
      {"bf16[1,50,70,5]{3,2,1,0}", "bf16[1,50,70,5]{2,1,3,0}", "xs_split_2"},
      {"bf16[1,64,96,7]{2,1,3,0}", "bf16[1,64,96,7]{3,2,1,0}", "xs_merge_2"},
      {"f32[1,64,64,5]{3,2,1,0}", "f32[1,64,64,5]{2,1,3,0}", "xs_split_4"},
      {"f32[3,40,50,3]{2,1,3,0}", "f32[3,40,50,3]{3,2,1,0}", "xs_merge_4"},
      {"f64[2,40,50,3]{3,2,1,0}", "f64[2,40,50,3]{2,1,3,0}", "xs_split_8"},
      {"f64[1,64,32,3]{2,1,3,0}", "f64[1,64,32,3]{3,2,1,0}", "xs_merge_8"},
      {"u8[8,8,8,8,8]{4,3,2,1,0}", "u8[8,8,8,8,8]{0,1,2,3,4}", "xs_pack_1"},
      {"u8[3,20,4,5,20,3]{5,4,3,2,1,0}", "u8[3,20,4,5,20,3]{3,0,4,1,5,2}", "xs_pack_1"},
      {"u8[15,127,6,7]{3,2,1,0}", "u8[15,127,6,7]{1,3,0,2}", "xs_pack_1"},
      {"bf16[20,7,5,11,3]{4,3,2,1,0}", "bf16[20,7,5,11,3]{0,1,2,3,4}", "xs_pack_2"},
      {"f32[6,5,7,8,9]{4,3,2,1,0}", "f32[6,5,7,8,9]{0,2,4,1,3}", "xs_pack_4"},
      {"f32[4,4,4,4,4,4]{5,4,3,2,1,0}", "f32[4,4,4,4,4,4]{1,3,0,5,2,4}", "xs_pack_4"},
      {"f32[50,61,3]{2,1,0}", "f32[50,61,3]{2,0,1}", "xs_pack_4"},
      {"f32[300,200]{0,1}", "f32[300,200]{1,0:T(8,128)}", "xs_pack_4"},
      {"f32[5,127,6,5]{3,2,1,0}", "f32[5,127,6,5]{1,3,0,2}", "xs_pack_4"},
      {"f64[9,2,7,3,8]{4,3,2,1,0}", "f64[9,2,7,3,8]{0,1,2,3,4}", "xs_pack_8"},
      {"c128[6,5,4,6,5]{4,3,2,1,0}", "c128[6,5,4,6,5]{0,1,2,3,4}", "xs_pack_16"},
      {"f32[20,30,64]{2,1,0}", "f32[20,30,64]{2,0,1}", "xs_gather_16_32"},
      {"u8[20,30,40]{2,1,0}", "u8[20,30,40]{2,0,1}", "xs_gather_8_32"},
      {"u8[5,7,3]{2,1,0}", "u8[5,7,3]{2,0,1}", "xs_gather_1_32"},
      {"u16[5,7,3]{2,1,0}", "u16[5,7,3]{2,0,1}", "xs_gather_2_32"},
      {"f32[5,7,3]{2,1,0}", "f32[5,7,3]{2,0,1}", "xs_gather_4_32"},
      {"u8[1000]{0}", "u8[1000]{0}", "xs_gather_8_32"},
      {"f32[5,7,3]{2,1,0}", "f32[5,7,3]{2,0,1:L(128)}", "xs_gather_4_32"},  // and xs_fill_run
      {"f32[300,1]{1,0}", "f32[300,1]{1,0:T(8,128)}", "xs_gather_4_32"},
      {"c128[]{:T(8)}", "c128[]{:T(2)PV(lowest)}", "xs_gather_16_32"},
      {"f32[100,300]{1,0}", "f32[100,300]{1,0:T(8,128)}", "xs_gather_16_32"},
      // Padding: in the same pass (a loop extended or added, with a guard or without), or by a gather after that.
      {"f32[100,60]{1,0}", "f32[100,60]{1,0:PD(104,128)PV(lowest)}", "xs_gather_16_32"},
      {"f32[100,61]{1,0}", "f32[100,61]{1,0:PD(104,128)PV(lowest)}", "xs_gather_4_32"},
      {"f32[100,60]{1,0}", "f32[100,60]{1,0:PD(128,60)}", "xs_gather_16_32"},
      {"f32[100,300]{1,0}", "f32[100,300]{1,0:T(8,128)PD(112,640)PV(lowest)}", "xs_gather_16_32"},
      {"u8[100,300]{1,0}", "u8[100,300]{1,0:T(8,128)(4,1)PD(112,384)PV(lowest)}", "xs_zip_4"},
      {"f32[300,200]{0,1}", "f32[300,200]{1,0:PD(320,256)PV(lowest)}", "xs_tile_4"},
      {"f64[300,100]{0,1}", "f64[300,100]{1,0:T(64,128)PV(lowest)}", "xs_tile_8"},
      {"u8[2,64,64,3]{3,2,1,0}", "u8[2,64,64,3]{2,1,3,0:PD(2,64,80,4)PV(one)}", "xs_split_1"},
      {"f32[0,5]{1,0}", "f32[0,5]{1,0:PD(7,8)PV(lowest)}", "xs_fill_run"},
      {"f32[100,301]{1,0}", "f32[100,301]{1,0:T(8,128)}", "xs_gather_4_32"},
      // Interleaved rows of every width. Guards end before, at and after rows and chunks, or cut a chunk both ways.
      {"bf16[64,256]{1,0}", "bf16[64,256]{1,0:T(8,128)(2,1)}", "xs_zip_2"},
      {"bf16[64,256]{1,0:T(8,128)(2,1)}", "bf16[64,256]{1,0}", "xs_unzip_2"},
      {"bf16[63,252]{1,0}", "bf16[63,252]{1,0:T(8,128)(2,1)PV(lowest)}", "xs_zip_2"},
      {"bf16[65,260]{1,0:T(8,128)(2,1)}", "bf16[65,260]{1,0}", "xs_unzip_2"},
      {"bf16[103,300]{1,0}", "bf16[103,300]{1,0:T(8,128)(2,1)}", "xs_zip_2"},
      {"bf16[103,300]{1,0:T(8,128)(2,1)}", "bf16[103,300]{1,0:PD(104,304)PV(one)}", "xs_unzip_2"},
      {"bf16[103,299]{1,0:PD(103,300)}", "bf16[103,299]{1,0:T(8,128)(2,1)PV(lowest)}", "xs_zip_2"},
      {"bf16[103,297]{1,0:T(8,128)(2,1)}", "bf16[103,297]{1,0:PD(103,300)PV(lowest)}", "xs_unzip_2"},
      {"bf16[1,512]{1,0}", "bf16[1,512]{1,0:T(8,128)(2,1)}", "xs_zip_2"},
      {"bf16[3,500]{1,0}", "bf16[3,500]{1,0:T(8,128)(2,1)PV(lowest)}", "xs_zip_2"},
      {"u8[95,384]{1,0}", "u8[95,384]{1,0:T(8,128)(4,1)}", "xs_zip_4"},
      {"u8[97,380]{1,0:T(8,128)(4,1)}", "u8[97,380]{1,0}", "xs_unzip_4"},
      {"u8[98,383]{1,0:PD(98,384)}", "u8[98,383]{1,0:T(8,128)(4,1)PV(one)}", "xs_zip_4"},
      {"u8[99,381]{1,0:T(8,128)(4,1)}", "u8[99,381]{1,0:PD(100,384)PV(one)}", "xs_unzip_4"},
      {"u8[63,248]{1,0}", "u8[63,248]{1,0:T(8,128)(2,1)PV(one)}", "xs_zip_2"},
      {"u8[65,264]{1,0:T(8,128)(2,1)}", "u8[65,264]{1,0}", "xs_unzip_2"},
      {"bf16[2,4,70,80]{3,2,1,0}", "bf16[2,4,70,80]{1,3,2,0}", "xs_zip_4"},
      {"bf16[2,70,80,4]{3,2,1,0}", "bf16[2,70,80,4]{2,1,3,0}", "xs_unzip_4"},
      {"f32[63,128]{1,0}", "f32[63,128]{1,0:T(8,128)(2,1)PV(one)}", "xs_zip_2"},
      {"f32[1,64,64,2]{3,2,1,0}", "f32[1,64,64,2]{2,1,3,0}", "xs_unzip_2"},
      {"f32[1,64,64,4]{2,1,3,0}", "f32[1,64,64,4]{3,2,1,0}", "xs_zip_4"},
      {"f32[1,64,64,4]{3,2,1,0}", "f32[1,64,64,4]{2,1,3,0}", "xs_unzip_4"},
      {"f64[1,64,32,2]{2,1,3,0}", "f64[1,64,32,2]{3,2,1,0}", "xs_zip_2"},
      {"f64[1,64,33,2]{3,2,1,0}", "f64[1,64,33,2]{2,1,3,0}", "xs_unzip_2"},
      {"bf16[103,301]{1,0}", "bf16[103,301]{1,0:T(8,128)(2,1)}", "xs_pack_2"},
      {"bf16[100,255]{1,0:T(8,128)(2,1)}", "bf16[100,255]{1,0}", "xs_pack_2"},
      {"s4[33,77]{1,0:E(4)}", "s4[33,77]{1,0}", "xs_convert"},
      {"s4[33,77]{1,0}", "s4[33,77]{0,1:E(4)}", "xs_program_positions_64"},
      {"s4[32,16,64]{2,1,0:E(4)}", "s4[32,16,64]{2,0,1:E(4)}", "xs_gather_16_32"},
      {"s4[512,256]{1,0:E(4)}", "s4[512,256]{0,1:E(4)}", "xs_tile_half"},
      {"u4[2,290,134]{2,1,0:E(4)}", "u4[2,290,134]{1,2,0:E(4)}", "xs_tile_half"},
      {"u4[64,3,64]{2,1,0:E(4)}", "u4[64,3,64]{0,1,2:E(4)}", "xs_tile_half"},
      {"u2[9,11]{1,0:E(2)}", "u2[9,11]{0,1:E(2)}", "xs_program_positions_64"},
      {"f32[6,5]{1,0:T(3,5)(2,1)}", "f32[6,5]{1,0}", "xs_program_positions_64"},
      {deep("u2", false, ":E(2)"), deep("u2", true, ":E(2)"), "xs_program_positions_1024"},
  };
  return cases;
}

// What stands in for a portable kernel on NVIDIA's devices.
inline std::string on_nvidia(const std::string& kernel) {
  const std::string variant = "xs_nvidia_" + kernel.substr(3);
  for (const char* name : gpu::kKernelNames)
    if (variant == name) return variant;
  return kernel;
}

inline Case case_of(const NamedCase& named) {
  Case c;
  c.src = parsed(named.src);
  c.dst = parsed(named.dst);
  c.request.src.array = c.src.get();
  c.request.dst.array = c.dst.get();
  return c;
}

// A box as large as the arrays.
inline Case whole_box(const std::string& src, const std::string& dst) {
  Case c = case_of({src, dst, ""});
  c.extent.assign(c.src->dimensions.begin(), c.src->dimensions.end());
  c.request.extent = c.extent.data();
  return c;
}

// A box of 45 x 193 elements.
inline Case box(const std::string& src, const std::string& dst, int64_t src_begin, int64_t dst_begin) {
  Case c = case_of({src, dst, ""});
  c.extent = {45, 193};
  c.src_base = {src_begin, src_begin};
  c.dst_base = {dst_begin, dst_begin};
  c.request.extent = c.extent.data();
  c.request.src.base = c.src_base.data();
  c.request.dst.base = c.dst_base.data();
  return c;
}

// Boxes of maps with few values and with many, and at some places.
inline std::vector<Case> box_cases() {
  std::vector<Case> cases;
  cases.push_back(whole_box("f32[6,5]{1,0}", "f32[6,5]{0,1:T(2,4)}"));
  cases.push_back(whole_box(deep("f32", false, ""), deep("f32", true, "")));
  // Guards that begin within chunks of interleaved rows.
  for (const int64_t begin : {4, 5, 6, 7}) {
    cases.push_back(box("bf16[50,200]{1,0}", "bf16[70,400]{1,0:T(8,128)(2,1)}", begin % 4, begin));
    cases.push_back(box("u8[70,400]{1,0:T(8,128)(4,1)}", "u8[50,200]{1,0}", begin, begin % 4));
  }
  return cases;
}

// Permutations of few larger dimensions, of every width, often with a small one, sometimes tiled as accelerators do.
inline Case plane_case(Random& random) {
  static const std::vector<std::string> types = {"u8", "bf16", "f32", "f64", "c128", "s4"};
  static const std::vector<std::string> tiles = {"T(8,128)", "T(8,128)(2,1)", "T(8,128)(4,1)", "T(4)", "T(16,16)(2,1)"};
  const std::string type = random.of(types);
  std::vector<int64_t> dimensions;
  int64_t room = 40000;
  for (int64_t rank = random.in(2, 4); rank-- > 0;) {
    const int64_t d = random.chance(40)   ? random.in(2, 16)
                      : random.chance(50) ? 64 * random.in(1, 3)
                                          : random.in(1, 200);
    dimensions.push_back(std::clamp<int64_t>(d, 1, std::max<int64_t>(room, 1)));
    room /= dimensions.back();
  }
  std::shuffle(dimensions.begin(), dimensions.end(), random.engine());
  const auto array = [&] {
    const std::string words = permuted(random, 80, type, dimensions);
    std::string notes = random.chance(20) ? random.of(tiles) : "";
    if (type == "s4" && random.chance(70)) notes += "E(4)";
    return parsed(words + (notes.empty() ? "" : ":" + notes) + "}");
  };
  Ref<Shape> src = array(), dst = array();
  return case_between(random, dimensions, std::move(src), std::move(dst));
}

// Many small dimensions in two orders, tiled now and then: runs of several factors on both sides.
inline Case factors_case(Random& random) {
  static const std::vector<std::string> types = {"u8", "bf16", "f32", "f64", "c128", "s4"};
  static const std::vector<std::string> tiles = {"T(8,128)", "T(8,128)(2,1)", "T(8,128)(4,1)", "T(4)", "T(2,4,8)"};
  const std::string type = random.of(types);
  std::vector<int64_t> dimensions;
  int64_t room = random.in(1, 3) * 10000;
  for (int64_t rank = random.in(3, 8); rank-- > 0;) {
    const int64_t d = random.chance(60) ? random.in(2, 9) : random.chance(50) ? 8 : random.in(10, 200);
    dimensions.push_back(std::clamp<int64_t>(d, 1, std::max<int64_t>(room, 1)));
    room /= dimensions.back();
  }
  std::shuffle(dimensions.begin(), dimensions.end(), random.engine());
  const auto array = [&] {
    const std::string words = permuted(random, 85, type, dimensions);
    std::string notes = random.chance(25) ? random.of(tiles) : "";
    if (type == "s4" && random.chance(70)) notes += "E(4)";
    return parsed(words + (notes.empty() ? "" : ":" + notes) + "}");
  };
  Ref<Shape> src = array(), dst = array();
  return case_between(random, dimensions, std::move(src), std::move(dst));
}

// A number near what makes factors turn over; with `bad`, sometimes one that is nothing.
inline int64_t interesting(Random& random, int64_t bound, bool bad) {
  if (bad && random.chance(2)) return random.chance(50) ? -random.in(1, 9) : bound + random.in(0, 1000);
  if (bad && random.chance(1)) return random.chance(50) ? INT64_MIN : INT64_MAX;
  return bound > 0 ? random.in(0, bound - 1) : 0;
}

// One batch each way through the map of `array`, against the reference.
inline void check_indices(const OpenedBackend& backend, Random& random, const Shape& array) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  RelayoutRequest request;
  request.src.array = request.dst.array = &array;
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  if (build_relayout(request, arena, &ir, &err)) return;  // more bytes than there are
  const xlashape_map_ir& m = *ir.src;
  const bool bad = random.chance(50), marks = random.chance(50), soa = random.chance(50);
  const int64_t count = random.in(1, 700);
  const auto rank = static_cast<size_t>(m.rank);
  const auto n = static_cast<size_t>(count);
  auto op = XLASHAPE_INIT(xlashape_op);
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  op.map = &m;
  op.index_step = soa ? 1 : m.rank;
  op.dimension_step = soa ? count : 1;
  op.flags = marks ? XLASHAPE_INDEX_MARK_INVALID : 0;
  for (const int32_t kind : {XLASHAPE_OP_TO_LINEAR, XLASHAPE_OP_TO_MULTIDIMENSIONAL}) {
    op.kind = kind;
    const bool forwards = kind == XLASHAPE_OP_TO_LINEAR;
    std::vector<int64_t> in(forwards ? n * rank : n), out(forwards ? n : n * rank, -77), want(out), one(rank + 1);
    int64_t first_wanted = count, bad_wanted = 0;
    for (size_t i = 0; i < n; ++i) {
      const auto at = [&](size_t d) { return soa ? d * n + i : i * rank + d; };
      bool good = true;
      if (forwards) {
        for (size_t d = 0; d < rank; ++d) {
          one[d] = in[at(d)] = interesting(random, m.dimensions[d], bad);
          good &= one[d] >= 0 && one[d] < m.dimensions[d];
        }
        want[i] = good ? reference::position(m, one.data()) : -1;
      } else {
        in[i] = interesting(random, m.positions, bad);
        good = in[i] >= 0 && in[i] < m.positions && reference::index_at(m, in[i], one.data());
        for (size_t d = 0; d < rank; ++d) want[at(d)] = good ? one[d] : -1;
      }
      if (!good) first_wanted = std::min(first_wanted, static_cast<int64_t>(i));
      bad_wanted += !good;
    }
    const xlashape_backend& table = backend.table;
    int64_t bytes, alignment;
    ASSERT_EQ(table.plan_size(table.self, &op, &bytes, &alignment, nullptr), XLASHAPE_STATUS_OK);
    std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
    ASSERT_EQ(table.plan_init(table.self, &op, storage.data(), &err), XLASHAPE_STATUS_OK) << err.message;
    int64_t first = count, invalid_count = 0;
    auto run = XLASHAPE_INIT(xlashape_run);
    run.src = reinterpret_cast<uint64_t>(in.data());
    run.dst = reinterpret_cast<uint64_t>(out.data());
    run.count = count;
    run.task_count = random.in(1, 3);
    run.first_invalid = &first;
    run.invalid_count = marks ? &invalid_count : nullptr;
    for (int64_t task = run.task_count; task-- > 0;) {
      run.task_begin = task;
      run.task_end = task + 1;
      ASSERT_EQ(table.plan_execute(table.self, storage.data(), &op, &run, &err), XLASHAPE_STATUS_OK) << err.message;
    }
    table.plan_destroy(table.self, storage.data());
    const std::string name = text(array) + (forwards ? " to linear" : " to multi");
    if (marks) {
      ASSERT_EQ(out, want) << name;
      ASSERT_EQ(invalid_count, bad_wanted) << name;
    } else {
      ASSERT_EQ(first, first_wanted) << name;
      for (int64_t i = 0; i < first; ++i)
        for (size_t d = 0; d < (forwards ? 1 : rank); ++d) {
          const auto row = static_cast<size_t>(i);
          const size_t at = forwards ? row : soa ? d * n + row : row * rank + d;
          ASSERT_EQ(out[at], want[at]) << name << ", entry " << i;
        }
    }
  }
}

// Maps of every kind for batches: plain ones, tiled ones, and one with more than 2^31 positions.
inline Ref<Shape> index_array(Random& random) {
  static const std::vector<std::string> shapes = {deep("f32", false, ":T(2,2)"), "f32[128,3,9000000]{2,1,0}",
                                                  "u8[100,20,30,4]{0,3,1,2}",    "f32[100,300]{1,0:T(8,128)}",
                                                  "u8[7,1,5,1,3]{4,3,2,1,0}",    "bf16[6,5]{1,0:T(3,5)(2,1)}"};
  if (random.chance(40)) return parsed(random.of(shapes));
  return random_array(random, random.of(all_types()), random_dimensions(random, 10, 20000));
}

}  // namespace xlashape::core::testing
