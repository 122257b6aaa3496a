// SPDX-License-Identifier: Apache-2.0
// Windows and slabs: against index maps, and against a relayout of the whole array.
#include <gtest/gtest.h>

#include <random>
#include <xlashape.hpp>

namespace {

using xlashape::Shape;
using xlashape::Slabs;
using xlashape::Status;
using xlashape::Window;
using Bytes = std::vector<unsigned char>;
using List = std::vector<int64_t>;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  size_t below(int64_t limit) { return engine_() % static_cast<size_t>(limit); }
  // Two arrays of the same dimensions and element type.
  std::pair<Shape, Shape> arrays() {
    const std::string element = std::array{"u8", "s16", "f32"}[below(3)];
    std::string sizes;
    for (int d = 0; d < 3; ++d) sizes += (d > 0 ? "," : "") + std::to_string(std::array{1, 3, 4, 8, 16, 21}[below(6)]);
    const auto array = [&] {
      const char* layouts[] = {"{2,1,0}",        "{0,1,2}",        "{1,2,0}",
                               "{2,1,0:T(4,8)}", "{0,2,1:T(2,4)}", "{2,0,1:T(4,8)(2,1)}",
                               "{2,1,0:T(*,5)}", "{2,1,0:L(64)}",  "{0,1,2:T(2,2,2)}"};
      return Shape::parse(element + "[" + sizes + "]" + layouts[below(9)]);
    };
    const Shape first = array();
    return {first, array()};
  }

 private:
  std::mt19937 engine_;
};

int64_t byte_size(const Shape& shape) { return shape.sizes().bytes; }

TEST(Window, SaysWhereItsBytesAre) {
  const Shape tiled = Shape::parse("f32[64,512]{1,0:T(8,128)}");  // 8 x 4 tiles of 4096 bytes
  const Window rows = xlashape::window(tiled, {8, 0}, {16, 512});
  EXPECT_EQ(rows.shape.to_string(), "f32[16,512]{1,0:T(8,128)}");
  EXPECT_EQ((List{rows.byte_offset, rows.bytes, rows.run_bytes, rows.run_count}), (List{16384, 32768, 32768, 1}));
  const Window columns = xlashape::window(tiled, {0, 128}, {64, 256});
  EXPECT_EQ((List{columns.byte_offset, columns.bytes, columns.run_bytes, columns.run_count}),
            (List{4096, 65536, 8192, 8}));
  EXPECT_EQ(xlashape::window_runs(tiled, {0, 128}, {64, 256}, 6, 2), (List{25 * 4096, 29 * 4096}));
  EXPECT_EQ(xlashape::window_runs(tiled, {0, 128}, {64, 256}, 8, 0), List{});
  EXPECT_EQ(xlashape::window_granularity(tiled), (List{8, 128}));
  EXPECT_EQ(xlashape::window(Shape::parse("f32[]"), {}, {}).bytes, 4);
  EXPECT_EQ(xlashape::window(Shape::parse("f32[0,4]"), {0, 0}, {0, 4}).run_count, 0);
}

TEST(Window, NamesWhatIsWrong) {
  const Shape tiled = Shape::parse("f32[64,512]{1,0:T(8,128)}");
  const auto status = [&](const List& base, const List& extent) {
    List offset(1);
    const auto runs = xlashape::try_window_runs(tiled, base, extent, 0, offset);
    const auto window = xlashape::try_window(tiled, base, extent);
    EXPECT_EQ(runs.error().status(), window.error().status());
    EXPECT_FALSE(window.error().message().empty());
    return window.error().status();
  };
  EXPECT_EQ(status({4, 0}, {8, 512}), Status::kUnsupported);
  EXPECT_EQ(status({0, 128}, {64, 385}), Status::kOutOfRange);
  EXPECT_EQ(status({0, -1}, {64, 1}), Status::kOutOfRange);
  EXPECT_EQ(status({0, 0}, {64}), Status::kInvalidArgument);
  EXPECT_EQ(status({0}, {64}), Status::kInvalidArgument);
  List offsets = {7, 7};
  const auto runs = xlashape::try_window_runs(tiled, {0, 128}, {64, 256}, 7, offsets);
  EXPECT_EQ(runs.error().message(), "runs 7 to 9 are asked for, the window has 8");
  EXPECT_EQ(offsets, (List{7, 7}));
  EXPECT_THROW((void)xlashape::window(tiled, {0, 0}, {1, 1}), xlashape::Exception);
  EXPECT_THROW((void)xlashape::window_runs(tiled, {0, 0}, {64, 512}, 0, 2), xlashape::Exception);
  EXPECT_EQ(xlashape::try_window_granularity(Shape::token()).error().status(), Status::kUnsupported);
}

// Each element of a window is where the array has it, and no other element is in the window's bytes.
TEST(Window, IsWhereTheIndexMapSays) {
  Random random(1);
  int several = 0;
  for (int i = 0; i < 150; ++i) {
    const Shape array = random.arrays().first;
    const List dimensions = array.dimensions(), units = xlashape::window_granularity(array);
    List base, extent;
    for (size_t d = 0; d < units.size(); ++d) {
      const int64_t places = (dimensions[d] + units[d] - 1) / units[d];
      const auto begin = static_cast<int64_t>(random.below(places));
      const auto end = begin + 1 + static_cast<int64_t>(random.below(places - begin));
      base.push_back(begin * units[d]);
      extent.push_back((std::min)(dimensions[d], end * units[d]) - base[d]);
    }
    const Window window = xlashape::window(array, base, extent);
    const List offsets = xlashape::window_runs(array, base, extent, 0, window.run_count);
    several += window.run_count > 1;
    EXPECT_EQ(byte_size(window.shape), window.bytes);
    std::vector<bool> is_taken(static_cast<size_t>(byte_size(array)));
    for (const int64_t offset : offsets) std::fill_n(is_taken.begin() + offset, window.run_bytes, true);
    const auto whole = xlashape::IndexMap::of(array), own = xlashape::IndexMap::of(window.shape);
    const int64_t bytes = array.sizes().element_bits / 8;
    const xlashape::Box all{{0, 0, 0}, dimensions, {1, 1, 1}};
    List index = {0, 0, 0};
    do {
      const int64_t at = whole.linear_index(index) * bytes;
      List inside = index;
      bool is_inside = true;
      for (size_t d = 0; d < index.size(); ++d) {
        inside[d] -= base[d];
        is_inside = is_inside && inside[d] >= 0 && inside[d] < extent[d];
      }
      ASSERT_EQ(is_taken[static_cast<size_t>(at)], is_inside) << array.to_string() << " " << window.shape.to_string();
      if (!is_inside) continue;
      const int64_t in = own.linear_index(inside) * bytes;
      ASSERT_EQ(offsets[static_cast<size_t>(in / window.run_bytes)] + in % window.run_bytes, at) << array.to_string();
    } while (all.next_index(index));
  }
  EXPECT_GT(several, 30);
}

TEST(Slabs, SayWhatTheyCost) {
  const Shape plain = Shape::parse("f32[64,512]"), tiled = Shape::parse("f32[64,512]{1,0:T(8,128)}");
  const Slabs slabs = xlashape::slabs(plain, tiled, 65536);
  EXPECT_EQ(slabs.extent, (List{16, 512}));
  EXPECT_EQ((List{slabs.count, slabs.src_bytes, slabs.dst_bytes, slabs.src_runs, slabs.dst_runs}),
            (List{4, 32768, 32768, 4, 4}));
  EXPECT_EQ(slabs.slab(3).base, (List{48, 0}));
  EXPECT_THROW((void)slabs.slab(4), xlashape::Exception);
  const Slabs ragged = xlashape::slabs(Shape::parse("u8[5,3]"), Shape::parse("u8[5,3]{0,1}"), 10);
  const auto last = ragged.slab(ragged.count - 1);
  EXPECT_EQ(last.base, (List{0, 2}));
  EXPECT_EQ(last.extent, (List{5, 1}));
  EXPECT_EQ(xlashape::slabs(Shape::parse("f32[]"), Shape::parse("f32[]"), 8).slab(0).base, List{});
  EXPECT_EQ(xlashape::slabs(Shape::parse("f32[0,9]"), Shape::parse("f32[0,9]"), 0).slab(0).extent, (List{0, 9}));
  const auto little = xlashape::try_slabs(plain, tiled, 8191);
  EXPECT_EQ(little.error().status(), Status::kOutOfRange);
  EXPECT_EQ(little.error().message(),
            "max_bytes is 8191: the smallest slab takes 4096 bytes of the source and 4096 of the destination");
  EXPECT_EQ(xlashape::try_slabs(Shape::parse("f32[9]"), tiled, 8192).error().status(), Status::kInvalidArgument);
  EXPECT_EQ(xlashape::try_slabs(Shape::token(), tiled, 8192).error().status(), Status::kUnsupported);
}

TEST(Slabs, ComeInTheOrderOfTheDestination) {
  const Shape columns = Shape::parse("u8[40,40]{0,1}");
  const Slabs slabs = xlashape::slabs(Shape::parse("u8[40,40]"), columns, 200);
  int64_t last = -1;
  List ends = {0, 0};
  for (int64_t number = 0; number < slabs.count; ++number) {
    const auto slab = slabs.slab(number);
    const int64_t at = xlashape::window(columns, slab.base, slab.extent).byte_offset;
    EXPECT_GT(at, last) << number;
    last = at;
    for (size_t d = 0; d < ends.size(); ++d) ends[d] = (std::max)(ends[d], slab.base[d]);
  }
  EXPECT_TRUE(ends[0] > 0 && ends[1] > 0);
}

TEST(Slabs, GiveTheSameBytes) {
  Random random(2);
  int several = 0;
  for (int i = 0; i < 150; ++i) {
    const auto [src, dst] = random.arrays();
    Bytes from(static_cast<size_t>(byte_size(src))), to(static_cast<size_t>(byte_size(dst))), want = to;
    for (auto& byte : from) byte = static_cast<unsigned char>(random.below(256));
    xlashape::relayout(src, from, dst, want);
    const auto most = static_cast<int64_t>(random.below(static_cast<int64_t>(from.size() + to.size() + 1)));
    const auto chosen = xlashape::try_slabs(src, dst, most);
    if (!chosen) {
      EXPECT_EQ(chosen.error().status(), Status::kOutOfRange);
      continue;
    }
    EXPECT_LE(chosen->src_bytes + chosen->dst_bytes, most);
    several += chosen->count > 1;
    int64_t read = 0, written = 0;
    for (int64_t number = 0; number < chosen->count; ++number) {
      const auto slab = chosen->slab(number);
      const Window in = xlashape::window(src, slab.base, slab.extent);
      const Window out = xlashape::window(dst, slab.base, slab.extent);
      EXPECT_LE(in.bytes, chosen->src_bytes);
      EXPECT_LE(out.bytes, chosen->dst_bytes);
      Bytes part, moved(static_cast<size_t>(out.bytes));
      for (const int64_t at : xlashape::window_runs(src, slab.base, slab.extent, 0, in.run_count))
        part.insert(part.end(), from.begin() + at, from.begin() + at + in.run_bytes);
      xlashape::relayout(in.shape, part, out.shape, moved);
      auto next = moved.begin();
      for (const int64_t at : xlashape::window_runs(dst, slab.base, slab.extent, 0, out.run_count)) {
        std::copy_n(next, out.run_bytes, to.begin() + at);
        next += out.run_bytes;
      }
      read += in.run_count;
      written += out.run_count;
    }
    EXPECT_LE(read, chosen->src_runs);
    EXPECT_LE(written, chosen->dst_runs);
    EXPECT_EQ(to, want) << src.to_string() << " to " << dst.to_string() << " in " << chosen->count;
  }
  EXPECT_GT(several, 40);
}

}  // namespace
