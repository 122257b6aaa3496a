// SPDX-License-Identifier: Apache-2.0
// Arrays of more bytes than a processor of 32 bits has addresses: their sizes and indices are computed everywhere, they
// are moved nowhere, and lengths that no memory has are refused instead of cut.
#include "api.h"
#include "xlashape_runtime.h"

namespace {

using api::message;
using api::ok;
using api::shape;
using testing::HasSubstr;

constexpr int64_t kFar = int64_t{1} << 32;
constexpr bool kShort = sizeof(void*) < 8;

TEST(Large, HasSizesAndIndices) {
  const auto of = shape("u8[3,3000000000]{0,1:T(2)}");
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  ok(xlashape_shape_sizes, of.get(), &sizes);
  EXPECT_EQ(sizes.bytes, 12000000000);
  const auto map = api::make<api::IndexMap>(xlashape_index_map_create, of.get());
  const int64_t index[] = {2, 2999999999};
  int64_t linear = 0, back[2] = {};
  int32_t is_padding = -1;
  ok(xlashape_index_map_linear_index, map.get(), index, 2, &linear);
  EXPECT_EQ(linear, 2999999999 * 4 + 2);
  ok(xlashape_index_map_multidimensional_index, map.get(), linear, back, 2, &is_padding);
  EXPECT_EQ(is_padding, 0);
  EXPECT_EQ(back[1], 2999999999);
}

// Planned everywhere, on a device with more memory, say; what cannot be moved here says so.
TEST(Large, IsMovedWhereAddressesReach) {
  const api::Plan large = api::plan(nullptr, "u8[5,1073741824]", "u8[5,1073741824]{0,1}"),
                  small = api::plan(nullptr, "u8[2,3]", "u8[2,3]{0,1}");
  unsigned char src[6] = {1, 2, 3, 4, 5, 6}, dst[6] = {};
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(src);
  exec.dst = reinterpret_cast<uintptr_t>(dst);
  exec.src_bytes = exec.dst_bytes = XLASHAPE_UNCHECKED;
  ok(xlashape_plan_execute_with, small.get(), &exec);
  EXPECT_EQ(dst[1], 4);
  if constexpr (kShort) {
    const auto refused = [&](auto&& call) {
      EXPECT_THAT(message(XLASHAPE_STATUS_OVERFLOW, call), HasSubstr("32 bits"));
    };
    refused([&](auto* err) {
      return xlashape_plan_execute(large.get(), src, int64_t{5} << 30, dst, int64_t{5} << 30, err);
    });
    refused([&](auto* err) { return xlashape_plan_execute_with(large.get(), &exec, err); });
    const auto a = shape("u8[5,1073741824]"), b = shape("u8[5,1073741824]{0,1}");
    refused([&](auto* err) {
      return xlashape_relayout(nullptr, a.get(), src, int64_t{5} << 30, b.get(), dst, int64_t{5} << 30, nullptr, err);
    });
    // An address of more than 32 bits, by itself and by an offset.
    exec.src += uint64_t{1} << 32;
    refused([&](auto* err) { return xlashape_plan_execute_with(small.get(), &exec, err); });
    exec.src = reinterpret_cast<uintptr_t>(src);
    exec.dst_byte_offset = kFar;
    refused([&](auto* err) { return xlashape_plan_execute_with(small.get(), &exec, err); });
  }
}

TEST(Large, BatchesOfIndicesToo) {
  // A scalar's indices have no entries: only what is written can be too long.
  const auto map = api::index_map("u8[]");
  const auto plan =
      api::make<api::IndexPlan>(xlashape_index_plan_create, nullptr, map.get(), XLASHAPE_CONVERSION_TO_LINEAR, nullptr);
  int64_t linear = -1;
  const auto convert = [&](int64_t count, xlashape_error* err) {
    return xlashape_index_plan_execute(plan.get(), count, nullptr, 0, &linear, XLASHAPE_UNCHECKED, nullptr, err);
  };
  ok([&](auto* err) { return convert(1, err); });
  EXPECT_EQ(linear, 0);
  if constexpr (kShort) {
    for (const int64_t count : {int64_t{1} << 29, kFar + 1})
      EXPECT_THAT(message(XLASHAPE_STATUS_OVERFLOW, [&](auto* err) { return convert(count, err); }),
                  HasSubstr("32 bits"));
  }
}

// A capacity may say more than there is; a length of what is read may not.
TEST(Large, LengthsAreNotCut) {
  const auto of = shape("f32[2,3]{0,1}");
  char text[64];
  int64_t needed = 0;
  ok(xlashape_shape_print, of.get(), 0, text, kFar + 1, &needed);
  EXPECT_STREQ(text, "f32[2,3]{0,1}");
  if constexpr (kShort) {
    const auto refused = [](const char* what, auto&& call) {
      xlashape_shape* made = nullptr;
      EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* err) { return call(&made, err); }),
                  HasSubstr(what));
    };
    refused("text_len is 4294967299",
            [&](auto** made, auto* err) { return xlashape_shape_parse("f32", kFar + 3, 0, made, err); });
    const uint8_t proto[] = {0x10, 0x0B};
    refused("size is 4294967298",
            [&](auto** made, auto* err) { return xlashape_shape_from_proto(proto, kFar + 2, 0, made, err); });
  }
}

}  // namespace
