// SPDX-License-Identifier: Apache-2.0
// Windows against the positions of index maps, and arrays moved slab by slab against the same moved whole.
#include "window/window.h"

#include "base/checked.h"
#include "index/index_map.h"
#include "ir/map.h"
#include "shape/extents.h"
#include "unit/random_relayout.h"
#include "window/slabs.h"

namespace xlashape::core {
namespace {

using testing::case_count;
using testing::Random;
using testing::random_array;
using testing::random_bytes;
using testing::random_dimensions;
using testing::text;

using Ints = std::vector<int64_t>;
using Bytes = std::vector<unsigned char>;

std::string box_text(const Shape& array, const Ints& base, const Ints& extent) {
  std::string s = text(array) + ":";
  for (size_t d = 0; d < base.size(); ++d) s += " " + std::to_string(base[d]) + "+" + std::to_string(extent[d]);
  return s;
}

// A window with the memory that its loops are in.
class Found {
 public:
  Found(const Shape& array, const Ints& base, const Ints& extent)
      : status(window_of(array, base.data(), extent.data(), arena_, &window, &err)) {}
  Ints offsets() {
    Ints all(static_cast<size_t>(window.runs.count));
    EXPECT_EQ(run_offsets(window, 0, all, &err), XLASHAPE_STATUS_OK) << err.message;
    return all;
  }

 private:
  alignas(16) char buffer_[4096];
  Arena arena_{buffer_, sizeof buffer_};

 public:
  Window window;
  xlashape_error err = XLASHAPE_INIT(xlashape_error);
  Status status;
};

// The bits of an array's storage at which an element begins, for each index in row-major order.
Ints places(const Shape& array) {
  Ref<IndexMap> map;
  EXPECT_EQ(make_index_map(array, &map, nullptr), XLASHAPE_STATUS_OK);
  Ints found, index(array.dimensions.size());
  for (const int64_t d : array.dimensions)
    if (d == 0) return found;
  do found.push_back(ir::position(map->map, index.data()) * container_bits(array));
  while (next_index(array.dimensions, index));
  return found;
}

// Where bit `bit` of a window's own storage is in the array's.
int64_t bit_in_array(const Window& window, const Ints& offsets, int64_t bit) {
  const int64_t run_bits = window.runs.length * 8;
  return offsets[static_cast<size_t>(bit / run_bits)] * 8 + bit % run_bits;
}

int64_t bytes_of(const Shape& array) {
  int64_t bytes = 0;
  EXPECT_EQ(array_bytes(array, &bytes, nullptr), XLASHAPE_STATUS_OK);
  return bytes;
}

// Each element of the window is where the array has it, and no other element is in the window's bytes.
void check_window(const Shape& array, const Ints& base, const Ints& extent, Found& found) {
  const std::string name = box_text(array, base, extent);
  Window& window = found.window;
  const Ints offsets = found.offsets();
  ASSERT_EQ(window.bytes, window.runs.length * window.runs.count) << name;
  const Ints whole = places(array), own = places(*window.shape);
  if (own.empty()) return;
  ASSERT_EQ(window.bytes, bytes_of(*window.shape)) << name;
  std::vector<bool> is_inside(static_cast<size_t>(bytes_of(array)));
  for (const int64_t offset : offsets) {
    ASSERT_GE(offset, window.byte_offset) << name;
    for (int64_t i = 0; i < window.runs.length; ++i) {
      ASSERT_FALSE(is_inside.at(static_cast<size_t>(offset + i))) << name;
      is_inside.at(static_cast<size_t>(offset + i)) = true;
    }
  }
  Ints index(base.size());
  size_t in_window = 0, number = 0;
  do {
    bool inside = true;
    for (size_t d = 0; d < base.size(); ++d) inside = inside && index[d] >= base[d] && index[d] - base[d] < extent[d];
    const int64_t at = whole[number++];
    if (inside) {
      ASSERT_EQ(at, bit_in_array(window, offsets, own[in_window])) << name;
      ++in_window;
    } else {
      for (int64_t bit = at; bit < at + container_bits(array); ++bit)
        ASSERT_FALSE(is_inside[static_cast<size_t>(bit / 8)]) << name << " element " << number - 1;
    }
  } while (next_index(array.dimensions, index));
  ASSERT_EQ(in_window, own.size()) << name;
}

TEST(Windows, AreWhereTheIndexMapSays) {
  Random random(42);
  int64_t made = 0, refused = 0, several = 0, packed = 0;
  for (int64_t i = case_count(3000); i > 0; --i) {
    const auto dimensions = random_dimensions(random, random.chance(10) ? 7 : 4, 600);
    const auto array = random_array(random, random.of(testing::all_types()), dimensions);
    Ints granularity(dimensions.size()), base, extent;
    ASSERT_EQ(window_granularity(*array, granularity.data(), nullptr), XLASHAPE_STATUS_OK);
    const bool aligned = random.chance(70);
    for (size_t d = 0; d < dimensions.size(); ++d) {
      const int64_t unit = aligned ? granularity[d] : 1, units = dimensions[d] / unit;
      base.push_back(unit * random.in(0, units));
      const int64_t end = unit * random.in(base[d] / unit, units);
      extent.push_back((random.chance(30) ? dimensions[d] : end) - base[d]);
    }
    Found found(*array, base, extent);
    ASSERT_TRUE(found.status == XLASHAPE_STATUS_OK || !aligned) << found.err.message << box_text(*array, base, extent);
    if (found.status != XLASHAPE_STATUS_OK) {
      ASSERT_EQ(found.status, XLASHAPE_STATUS_UNSUPPORTED) << found.err.message;
      ++refused;
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(check_window(*array, base, extent, found));
    ++made;
    several += found.window.runs.count > 1;
    packed += found.window.runs.count > 1 && container_bits(*array) < 8;
  }
  EXPECT_GT(several, made / 20);
  EXPECT_TRUE(packed > 0 || made < 2000);  // they are rare
  EXPECT_GT(refused, 0);
}

// The number at whose multiples a dimension of whole bytes may be cut is the least one.
TEST(Windows, CannotBeSmaller) {
  Random random(43);
  for (int64_t i = case_count(1500); i > 0; --i) {
    const auto dimensions = random_dimensions(random, 4, 600);
    const auto array = random_array(random, XLASHAPE_TYPE_U8, dimensions);
    // The size of a tile that matches a dimension follows the window's; some merged dimensions could be cut alone.
    const auto& tiles = array->layout->tile_dimensions;
    const auto has = [&](int64_t size) { return std::count(tiles.begin(), tiles.end(), size) > 0; };
    if (container_bits(*array) % 8 != 0 || has(XLASHAPE_MATCH_DIMENSION) || has(XLASHAPE_COMBINE_DIMENSION)) continue;
    Ints granularity(dimensions.size());
    ASSERT_EQ(window_granularity(*array, granularity.data(), nullptr), XLASHAPE_STATUS_OK);
    for (size_t d = 0; d < dimensions.size(); ++d)
      for (int64_t size = 1; size < dimensions[d]; ++size) {
        Ints extent = dimensions;
        extent[d] = size;
        if (std::count(dimensions.begin(), dimensions.end(), 0) > 0) continue;
        Found found(*array, Ints(dimensions.size()), extent);
        ASSERT_EQ(found.status == XLASHAPE_STATUS_OK, size % granularity[d] == 0)
            << box_text(*array, Ints(dimensions.size()), extent) << " granularity " << granularity[d];
      }
  }
}

Ref<Shape> made(const std::string& words) { return testing::parsed(words); }

TEST(Windows, OfTilesAreRuns) {
  const auto array = made("f32[64,512]{1,0:T(8,128)}");  // 8 x 4 tiles of 4096 bytes
  Found rows(*array, {8, 0}, {16, 512});
  EXPECT_EQ(text(*rows.window.shape), "f32[16,512]{1,0:T(8,128)}");
  EXPECT_EQ(rows.window.byte_offset, 4 * 4096);
  EXPECT_EQ(rows.window.runs.count, 1);
  EXPECT_EQ(rows.window.bytes, 8 * 4096);
  ASSERT_EQ(rows.status, XLASHAPE_STATUS_OK) << rows.err.message;
  Found columns(*array, {0, 128}, {64, 256});
  ASSERT_EQ(columns.status, XLASHAPE_STATUS_OK) << columns.err.message;
  EXPECT_EQ(columns.window.runs.count, 8);
  EXPECT_EQ(columns.window.runs.length, 2 * 4096);
  EXPECT_EQ(columns.offsets()[7], (7 * 4 + 1) * 4096);
  EXPECT_EQ(Found(*array, {0, 64}, {64, 256}).status, XLASHAPE_STATUS_UNSUPPORTED);
  // The last tile's padding belongs to the window that ends there.
  const auto ragged = made("u8[5,200]{1,0:T(8,128)(4,1)L(4096)}");
  Found last(*ragged, {0, 128}, {5, 72});
  ASSERT_EQ(last.status, XLASHAPE_STATUS_OK) << last.err.message;
  EXPECT_EQ(last.window.bytes, 1024);
  EXPECT_EQ(text(*last.window.shape), "u8[5,72]{1,0:T(8,128)(4,1)}");
  EXPECT_EQ(Found(*ragged, {0, 0}, {4, 200}).status, XLASHAPE_STATUS_UNSUPPORTED);
  Found all(*ragged, {0, 0}, {5, 200});
  EXPECT_EQ(all.window.bytes, 4096);
  // Rows of 20 bits: two are five bytes.
  const auto packed = made("s4[5,5]{1,0:E(4)}");
  EXPECT_EQ(Found(*packed, {1, 0}, {2, 5}).status, XLASHAPE_STATUS_UNSUPPORTED);
  Found end(*packed, {4, 0}, {1, 5});
  EXPECT_EQ(end.window.byte_offset, 10);
  EXPECT_EQ(end.window.bytes, 3);
  EXPECT_EQ(Found(*made("f32[]"), {}, {}).window.bytes, 4);
}

// Each of two dimensions that a tile merges could be cut alone, but not both.
TEST(Windows, OfMergedDimensionsHaveTheMinorOnesWhole) {
  const auto array = made("u8[16,8,8]{2,1,0:T(*,8)}");
  int64_t granularity[3];
  ASSERT_EQ(window_granularity(*array, granularity, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ((Ints{granularity[0], granularity[1], granularity[2]}), (Ints{1, 1, 8}));
  EXPECT_EQ(Found(*array, {3, 5, 0}, {2, 3, 8}).status, XLASHAPE_STATUS_OK);
  EXPECT_EQ(Found(*array, {3, 5, 1}, {2, 3, 6}).status, XLASHAPE_STATUS_UNSUPPORTED);
}

TEST(Windows, NameWhatIsWrong) {
  const auto array = made("f32[64,512]{1,0:T(8,128)}");
  EXPECT_STREQ(Found(*array, {4, 0}, {8, 512}).err.message,
               "the window takes 4 to 12 of dimension 0, of 64, and would cut a tile or a byte there: "
               "xlashape_shape_window_granularity says where it may be cut");
  EXPECT_STREQ(Found(*array, {0, 128}, {64, 385}).err.message,
               "dimension 1 of the window: 385 elements from 128 on exceed the array's 512");
  EXPECT_EQ(Found(*array, {0, -1}, {64, 1}).status, XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(Found(*array, {0, 0}, {64, -1}).status, XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(Found(*array, {0, INT64_MAX}, {64, INT64_MAX}).status, XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(Found(*made("f32[?,4]"), {0, 0}, {1, 4}).status, XLASHAPE_STATUS_UNSUPPORTED);
  Found window(*array, {0, 0}, {64, 128});
  int64_t offset[2];
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(run_offsets(window.window, 7, offset, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_STREQ(err.message, "runs 7 to 9 are asked for, the window has 8");
  EXPECT_EQ(run_offsets(window.window, -1, offset, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(run_offsets(window.window, INT64_MAX, offset, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
}

void relayout(const Shape& src, const Bytes& from, const Shape& dst, Bytes* to) {
  auto err = XLASHAPE_INIT(xlashape_error);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "scalar";
  ASSERT_EQ(xlashape_relayout(nullptr, &src, from.data(), static_cast<int64_t>(from.size()), &dst, to->data(),
                              static_cast<int64_t>(to->size()), &options, &err),
            XLASHAPE_STATUS_OK)
      << err.message << text(src) << text(dst);
}

// Moves an array slab by slab.
class BySlabs {
 public:
  BySlabs(const Shape& src, const Shape& dst, const Bytes& from) : src_(src), dst_(dst), from_(from) {}

  void run(int64_t max_bytes, Bytes* to) {
    const size_t rank = src_.dimensions.size();
    Ints extent(rank), base(rank);
    auto err = XLASHAPE_INIT(xlashape_error);
    status = choose_slabs(src_, dst_, max_bytes, extent.data(), &cost, &err);
    if (status != XLASHAPE_STATUS_OK) return;
    Ints order(rank), zeros(rank);
    for (size_t i = 0; i < rank; ++i) order[i] = dst_.layout->major(static_cast<int64_t>(rank - 1 - i));
    std::vector<int> written(to->size());
    for (int64_t number = 0; number < cost.count; ++number) {
      ASSERT_EQ(box_index_at({zeros, src_.dimensions, extent, order}, number, base, &err), XLASHAPE_STATUS_OK);
      Ints box(rank);
      for (size_t d = 0; d < rank; ++d) box[d] = std::min(extent[d], src_.dimensions[d] - base[d]);
      ASSERT_NO_FATAL_FAILURE(move(base, box, to, &written));
    }
    ASSERT_LE(src_runs, cost.src_runs);
    ASSERT_LE(dst_runs, cost.dst_runs);
    for (const int64_t bit : places(dst_)) ASSERT_EQ(written[static_cast<size_t>(bit / 8)], 1) << text(dst_);
  }

  Status status = XLASHAPE_STATUS_OK;
  xlashape_slabs cost{};
  int64_t src_runs = 0, dst_runs = 0;

 private:
  void move(const Ints& base, const Ints& box, Bytes* to, std::vector<int>* written) {
    Found in(src_, base, box), out(dst_, base, box);
    ASSERT_EQ(in.status, XLASHAPE_STATUS_OK) << in.err.message;
    ASSERT_EQ(out.status, XLASHAPE_STATUS_OK) << out.err.message;
    ASSERT_LE(in.window.bytes, cost.src_bytes);
    ASSERT_LE(out.window.bytes, cost.dst_bytes);
    Bytes read, write(static_cast<size_t>(out.window.bytes), 0xEE);
    for (const int64_t offset : in.offsets())
      read.insert(read.end(), from_.begin() + offset, from_.begin() + offset + in.window.runs.length);
    ASSERT_NO_FATAL_FAILURE(relayout(*in.window.shape, read, *out.window.shape, &write));
    auto at = write.begin();
    for (const int64_t offset : out.offsets())
      for (int64_t i = 0; i < out.window.runs.length; ++i) {
        to->at(static_cast<size_t>(offset + i)) = *at++;
        ++written->at(static_cast<size_t>(offset + i));
      }
    src_runs += in.window.runs.count;
    dst_runs += out.window.runs.count;
  }

  const Shape& src_;
  const Shape& dst_;
  const Bytes& from_;
};

TEST(Slabs, GiveTheSameBytes) {
  Random random(44);
  int64_t tiny = 0, several = 0;
  for (int64_t i = case_count(1500); i > 0; --i) {
    const auto dimensions = random_dimensions(random, random.chance(10) ? 6 : 4, 2000);
    const auto type = random.of(testing::all_types());
    const auto src = random_array(random, type, dimensions), dst = random_array(random, type, dimensions);
    if (src->layout->minor_to_major.empty() || dst->layout->minor_to_major.empty()) continue;
    const Bytes from = random_bytes(random, bytes_of(*src));
    Bytes want(static_cast<size_t>(bytes_of(*dst)), 0xEE), got = want;
    ASSERT_NO_FATAL_FAILURE(relayout(*src, from, *dst, &want));
    BySlabs slabs(*src, *dst, from);
    const int64_t all = static_cast<int64_t>(from.size() + want.size());
    ASSERT_NO_FATAL_FAILURE(slabs.run(random.in(random.chance(30) ? 0 : all / 8, all + 8), &got));
    if (slabs.status != XLASHAPE_STATUS_OK) {
      ASSERT_EQ(slabs.status, XLASHAPE_STATUS_OUT_OF_RANGE) << text(*src) << " " << text(*dst);
      ++tiny;
      continue;
    }
    several += slabs.cost.count > 1;
    // What aligns the tail belongs to no slab, if there are several.
    if (slabs.cost.count > 1) {
      alignas(16) char buffer[4096];
      Arena arena(buffer, sizeof buffer);
      StorageForm form;
      ASSERT_EQ(storage_form(*dst, arena, &form, nullptr), XLASHAPE_STATUS_OK);
      const auto end = static_cast<size_t>(form.end * form.bits);
      want.resize((end + 7) / 8), got.resize((end + 7) / 8);
      if (end % 8 != 0)
        for (Bytes* bytes : {&want, &got}) bytes->back() &= static_cast<unsigned char>((1 << end % 8) - 1);
    }
    ASSERT_EQ(got, want) << text(*src) << " " << text(*dst) << " in " << slabs.cost.count;
  }
  EXPECT_GT(several, tiny / 2);
  EXPECT_GT(tiny, 0);
}

xlashape_slabs cost_of(const std::string& src, const std::string& dst, int64_t max_bytes, Ints* extent) {
  const auto a = made(src), b = made(dst);
  extent->resize(a->dimensions.size());
  xlashape_slabs cost{};
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(choose_slabs(*a, *b, max_bytes, extent->data(), &cost, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_LE(cost.src_bytes + cost.dst_bytes, max_bytes);
  return cost;
}

TEST(Slabs, TakeFewRuns) {
  Ints extent;
  // The same order: one run each.
  xlashape_slabs cost = cost_of("f32[65536,32768]", "f32[65536,32768]", 256 << 20, &extent);
  EXPECT_EQ(extent, (Ints{1024, 32768}));
  EXPECT_EQ(cost.count, 64);
  EXPECT_EQ(cost.src_runs + cost.dst_runs, 128);
  // A transpose: squares of the memory, 5792 elements of both sides.
  cost = cost_of("f32[32768,65536]{1,0}", "f32[32768,65536]{0,1}", 256 << 20, &extent);
  EXPECT_GE(std::min(extent[0], extent[1]), 2896);
  EXPECT_LE(cost.src_runs + cost.dst_runs, int64_t{32768} * 65536 / 2048);
  // Into tiles: whole rows of tiles.
  cost = cost_of("f32[65536,32768]", "f32[65536,32768]{1,0:T(8,128)}", 256 << 20, &extent);
  EXPECT_EQ(extent, (Ints{1024, 32768}));
  EXPECT_EQ(cost.src_runs + cost.dst_runs, 128);
  cost = cost_of("u8[8589934592]", "u8[8589934592]", 64 << 10, &extent);
  EXPECT_EQ(extent, (Ints{32768}));
  EXPECT_EQ(cost.count, 262144);
  // A slab where all fits.
  cost = cost_of("f32[10,10]", "f32[10,10]{0,1}", 800, &extent);
  EXPECT_EQ(cost.count, 1);
  EXPECT_EQ(cost_of("f32[0,10]", "f32[0,10]{0,1}", 0, &extent).count, 1);
  EXPECT_EQ(cost_of("f32[]", "f32[]", 8, &extent).count, 1);
}

TEST(Slabs, SayWhatTheSmallestTakes) {
  const auto src = made("f32[64,512]"), dst = made("f32[64,512]{1,0:T(8,128)}");
  int64_t extent[2];
  xlashape_slabs cost{};
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(choose_slabs(*src, *dst, 8191, extent, &cost, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_STREQ(err.message,
               "max_bytes is 8191: the smallest slab takes 4096 bytes of the source and 4096 of the destination");
  EXPECT_EQ(choose_slabs(*src, *dst, 8192, extent, &cost, &err), XLASHAPE_STATUS_OK);
  EXPECT_EQ(cost.count, 32);
  EXPECT_EQ(choose_slabs(*src, *made("f32[64,511]"), 8192, extent, &cost, &err), XLASHAPE_STATUS_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace xlashape::core
