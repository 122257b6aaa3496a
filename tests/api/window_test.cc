// SPDX-License-Identifier: Apache-2.0
// Windows and slabs through the C API; a plan whose buffers begin behind linear index 0.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::answers;
using api::Ints;
using api::message;
using api::ok;
using api::shape;
using testing::HasSubstr;

struct Found {
  xlashape_window window = XLASHAPE_INIT(xlashape_window);
  explicit Found(const xlashape_shape* of, Ints base, Ints extent) {
    api::Error err;
    EXPECT_EQ(xlashape_shape_window(of, base.empty() ? nullptr : base.data(), extent.data(), api::size_of(extent),
                                    &window, &err),
              XLASHAPE_STATUS_OK)
        << err.message;
  }
  Found(const Found&) = delete;
  ~Found() { xlashape_shape_release(window.shape); }
};

TEST(Windows, AreArraysInRuns) {
  const auto array = shape("f32[64,512]{1,0:T(8,128)}");
  const Found part(array.get(), {8, 128}, {16, 256});
  EXPECT_EQ(api::text_of(part.window.shape), "f32[16,256]{1,0:T(8,128)}");
  EXPECT_EQ(part.window.byte_offset, (4 + 1) * 4096);
  EXPECT_EQ(part.window.bytes, 4 * 4096);
  EXPECT_EQ(part.window.run_bytes, 2 * 4096);
  EXPECT_EQ(part.window.run_count, 2);
  const Ints base = {8, 128}, extent = {16, 256};
  int64_t offsets[2] = {};
  ok(xlashape_shape_window_runs, array.get(), base.data(), extent.data(), int64_t{2}, int64_t{0}, int64_t{2}, offsets);
  EXPECT_EQ(offsets[0], 5 * 4096);
  EXPECT_EQ(offsets[1], 9 * 4096);
  ok(xlashape_shape_window_runs, array.get(), base.data(), extent.data(), int64_t{2}, int64_t{1}, int64_t{1}, offsets);
  EXPECT_EQ(offsets[0], 9 * 4096);
  answers<int64_t>({8, 128}, xlashape_shape_window_granularity, array.get());
  // The whole of it is the shape itself, and so is that of a buffer's array.
  const Found whole(shape("b(f32[2,3])").get(), {}, {2, 3});
  EXPECT_EQ(whole.window.bytes, 24);
  // Windows of windows.
  const Found inner(part.window.shape, {8, 0}, {8, 128});
  EXPECT_EQ(inner.window.byte_offset, 2 * 4096);
}

TEST(Windows, SayWhatIsWrong) {
  const auto array = shape("f32[64,512]{1,0:T(8,128)}");
  const Ints base = {4, 0}, extent = {8, 512};
  auto window = XLASHAPE_INIT(xlashape_window);
  const auto cut = message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_window, array.get(), base.data(), extent.data(),
                           int64_t{2}, &window);
  EXPECT_THAT(cut, HasSubstr("takes 4 to 12 of dimension 0, of 64, and would cut a tile"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_window, array.get(), base.data(), extent.data(),
                      int64_t{1}, &window),
              HasSubstr("rank is 1, the shape has 2"));
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_window, shape("(f32[2])").get(), base.data(),
                      extent.data(), int64_t{2}, &window),
              HasSubstr("a tuple"));
  EXPECT_EQ(window.shape, nullptr);
  int64_t out[2], needed;
  auto slabs = XLASHAPE_INIT(xlashape_slabs);
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_relayout_slabs, array.get(), array.get(), int64_t{-1},
                      out, int64_t{2}, &needed, &slabs),
              HasSubstr("max_bytes is -1"));
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_relayout_slabs, array.get(), array.get(), int64_t{8191},
                      out, int64_t{2}, &needed, &slabs),
              HasSubstr("the smallest slab takes 4096 bytes of the source and 4096 of the destination"));
  EXPECT_EQ(slabs.count, 0);
}

TEST(Windows, OfSlabs) {
  const auto from = shape("f32[64,512]"), to = shape("f32[64,512]{1,0:T(8,128)}");
  auto slabs = XLASHAPE_INIT(xlashape_slabs);
  const int64_t memory = 2 * 16 * 512 * 4;
  answers<int64_t>({16, 512}, [&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_relayout_slabs(from.get(), to.get(), memory, out, capacity, needed, nullptr, err);
  });
  int64_t out[2], needed = 0;
  ok(xlashape_relayout_slabs, from.get(), to.get(), memory, out, int64_t{2}, &needed, &slabs);
  EXPECT_EQ(slabs.count, 4);
  EXPECT_EQ(slabs.src_bytes, memory / 2);
  EXPECT_EQ(slabs.dst_bytes, memory / 2);
  EXPECT_EQ(slabs.src_runs, 4);
  EXPECT_EQ(slabs.dst_runs, 4);
}

// A buffer with nothing but the bytes of a box, on either side.
TEST(Windows, OfBytes) {
  const auto from = shape("u8[6,8]"), to = shape("u8[6,8]{0,1:T(4,4)}");
  const Ints base = {2, 1}, extent = {3, 5};
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.src_base = options.dst_base = base.data();
  options.extent = extent.data();
  const auto plan = api::make<api::Plan>(xlashape_plan_create, nullptr, from.get(), to.get(), &options);
  auto needs = XLASHAPE_INIT(xlashape_plan_requirements);
  ok(xlashape_plan_get_requirements, plan.get(), &needs);
  EXPECT_EQ(needs.src_low, 2 * 8 + 1);
  std::vector<unsigned char> src(48), whole(64, 0xEE);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<unsigned char>(i);
  ok(xlashape_plan_execute, plan.get(), src.data(), int64_t{48}, whole.data(), int64_t{64});
  const std::vector<unsigned char> read(src.begin() + needs.src_low, src.begin() + needs.src_high);
  std::vector<unsigned char> wrote(static_cast<size_t>(needs.dst_high - needs.dst_low), 0xEE);
  auto how = XLASHAPE_INIT(xlashape_execute_options);
  how.src = reinterpret_cast<uintptr_t>(read.data());
  how.dst = reinterpret_cast<uintptr_t>(wrote.data());
  how.src_bytes = api::size_of(read), how.dst_bytes = api::size_of(wrote);
  how.src_byte_offset = -needs.src_low, how.dst_byte_offset = -needs.dst_low;
  ok(xlashape_plan_execute_with, plan.get(), &how);
  EXPECT_EQ(wrote, std::vector<unsigned char>(whole.begin() + needs.dst_low, whole.begin() + needs.dst_high));
  // One byte less on either side, or an offset beyond: nothing is touched.
  const std::vector<unsigned char> before = wrote;
  const auto refused = [&](int64_t xlashape_execute_options::*field, int64_t value) {
    xlashape_execute_options other = how;
    other.*field = value;
    EXPECT_EQ(xlashape_plan_execute_with(plan.get(), &other, nullptr), XLASHAPE_STATUS_OUT_OF_RANGE) << value;
  };
  refused(&xlashape_execute_options::src_bytes, how.src_bytes - 1);
  refused(&xlashape_execute_options::dst_bytes, how.dst_bytes - 1);
  for (const int64_t wrong : {-needs.src_low - 1, INT64_MIN, INT64_MAX, int64_t{0}})
    refused(&xlashape_execute_options::src_byte_offset, wrong);
  how.src_bytes = XLASHAPE_UNCHECKED;
  refused(&xlashape_execute_options::src_byte_offset, -needs.src_low - 1);
  EXPECT_EQ(wrote, before);
}

}  // namespace
