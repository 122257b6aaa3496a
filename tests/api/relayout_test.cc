// SPDX-License-Identifier: Apache-2.0
// Relayout through the C API: plans, every way to execute them, requirements, boxes and strides, what is refused.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

#include "api.h"
#include "xlashape_runtime.h"

namespace {

using api::Error;
using api::Ints;
using api::message;
using api::ok;
using api::Plan;
using api::shape;
using testing::HasSubstr;

xlashape_relayout_options options_of() {
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  return options;
}

Plan plan(std::string_view src, std::string_view dst, const xlashape_relayout_options* options = nullptr) {
  const auto a = shape(src), b = shape(dst);
  return api::make<Plan>(xlashape_plan_create, nullptr, a.get(), b.get(), options);
}

std::string refused(xlashape_status status, std::string_view src, std::string_view dst,
                    const xlashape_relayout_options* options = nullptr) {
  const auto a = shape(src), b = shape(dst);
  return message(status, [&](xlashape_error* err) {
    xlashape_plan* made = nullptr;
    const xlashape_status got = xlashape_plan_create(nullptr, a.get(), b.get(), options, &made, err);
    EXPECT_EQ(made, nullptr);
    return got;
  });
}

constexpr uint8_t kOld = 0xEE;
using Bytes = std::vector<uint8_t>;

Bytes numbers(size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  return bytes;
}

TEST(Relayout, TransposesAndFills) {
  const Plan p = plan("u8[2,3]", "u8[2,3]{0,1:T(4,2)PV(one)}");
  const Bytes src = numbers(6);
  Bytes dst(10, kOld);
  ok(xlashape_plan_execute, p.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  EXPECT_EQ(dst, (Bytes{1, 4, 2, 5, 3, 6, 1, 1, kOld, kOld})) << "padding gets the padding value, nothing beyond";
}

TEST(Relayout, FillPolicies) {
  auto options = options_of();
  const Bytes src = numbers(3);
  Bytes dst(4, kOld);
  options.fill_policy = XLASHAPE_FILL_PRESERVE;
  const auto a = shape("u8[3]"), b = shape("u8[3]{0:T(4)}");
  ok(xlashape_relayout, nullptr, a.get(), src.data(), 3, b.get(), dst.data(), 4, &options);
  EXPECT_EQ(dst, (Bytes{1, 2, 3, kOld}));
  options.fill_policy = XLASHAPE_FILL_PADDING;
  ok(xlashape_relayout, nullptr, a.get(), src.data(), 3, b.get(), dst.data(), 4, &options);
  EXPECT_EQ(dst, (Bytes{1, 2, 3, 0}));
  options.fill_policy = XLASHAPE_FILL_UNSPECIFIED;
  ok(xlashape_relayout, nullptr, a.get(), src.data(), 3, b.get(), dst.data(), 4, &options);
  dst.resize(3);
  EXPECT_EQ(dst, src);
}

TEST(Relayout, ThereAndBackIsWhatItWas) {
  for (const std::string tiled : {"bf16[20,300]{1,0:T(8,128)(2,1)}", "bf16[20,300]{0,1:PD(24,300)}",
                                  "bf16[20,300]{0,1:T(16,16)(4,4)L(1000)}", "bf16[20,300]{1,0:E(32)}"}) {
    SCOPED_TRACE(tiled);
    const std::string plain = "bf16[20,300]";
    auto sizes = XLASHAPE_INIT(xlashape_sizes);
    ASSERT_EQ(xlashape_shape_sizes(shape(tiled).get(), &sizes, nullptr), XLASHAPE_STATUS_OK);
    std::vector<uint16_t> src(6000), back(6000);
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint16_t>(i * 11 + 3);
    Bytes middle(static_cast<size_t>(sizes.bytes), kOld);
    const Plan there = plan(plain, tiled), and_back = plan(tiled, plain);
    ok(xlashape_plan_execute, there.get(), src.data(), byte_count(src), middle.data(), byte_count(middle));
    ok(xlashape_plan_execute, and_back.get(), middle.data(), byte_count(middle), back.data(), byte_count(back));
    EXPECT_EQ(back, src);
  }
}

TEST(Relayout, PacksAndUnpacks) {
  const Plan pack = plan("s4[5]", "s4[5]{0:E(4)}"), unpack = plan("s4[5]{0:E(4)}", "s4[5]");
  // 1 2 -1 7 -8, with zeros above a negative number, with its sign there, and with anything.
  for (const Bytes& src :
       {Bytes{1, 2, 0x0F, 7, 0x08}, Bytes{1, 2, 0xFF, 7, 0xF8}, Bytes{0x81, 0x72, 0x3F, 0x57, 0xE8}}) {
    Bytes packed(3, kOld), back(5, kOld);
    ok(xlashape_plan_execute, pack.get(), src.data(), byte_count(src), packed.data(), byte_count(packed));
    EXPECT_EQ(packed, (Bytes{0x21, 0x7F, 0x08}));
    ok(xlashape_plan_execute, unpack.get(), packed.data(), byte_count(packed), back.data(), byte_count(back));
    EXPECT_EQ(back, (Bytes{1, 2, 0x0F, 7, 0x08}));
  }
}

// Bytes that nobody has written before: under memcheck the comparison fails unless every bit of the result is defined.
TEST(Relayout, PackedResultsAreWhole) {
  constexpr std::pair<const char*, const char*> kCases[] = {
      {"s4[2,2]{1,0:E(4)}", "s4[2,2]{0,1:E(4)}"},
      {"s2[2,2]{1,0:E(2)}", "s2[2,2]{0,1:E(2)}"},
      {"s1[3,5,2]{2,1,0:E(1)}", "s1[3,5,2]{0,2,1:E(1)}"},
      {"u4[5]", "u4[5]{0:E(4)}"},
      {"s4[3,7]", "s4[3,7]{0,1:T(2,2)E(4)}"},
      {"pred[11]", "pred[11]{0:E(1)}"},
      {"u2[9,40]", "u2[9,40]{0,1:E(2)}"},
      {"s4[33,65]{1,0:E(4)}", "s4[33,65]{0,1:E(4)}"},
      {"s4[33,65]{1,0:E(4)}", "s4[33,65]{0,1:T(8,16)E(4)}"},
      {"u1[100,33]{1,0:E(1)}", "u1[100,33]{0,1:E(1)}"},
      {"s2[5,6,7]{2,1,0:E(2)}", "s2[5,6,7]{1,2,0:E(4)}"},
  };
  for (const char* const backend : {"scalar", static_cast<const char*>(nullptr)}) {
    auto runtime_options = XLASHAPE_INIT(xlashape_runtime_options);
    runtime_options.backend = backend;
    const auto runtime = api::make<api::Runtime>(xlashape_runtime_create, &runtime_options);
    for (const auto& [from, to] : kCases) {
      const auto a = shape(from), b = shape(to);
      xlashape_sizes in = {}, out = {};
      in.struct_size = out.struct_size = sizeof in;
      ASSERT_EQ(xlashape_shape_sizes(a.get(), &in, nullptr), XLASHAPE_STATUS_OK);
      ASSERT_EQ(xlashape_shape_sizes(b.get(), &out, nullptr), XLASHAPE_STATUS_OK);
      Bytes src(static_cast<size_t>(in.bytes));
      for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i * 0x9B + 0x35);
      if (out.element_bits == 1 && in.element_bits == 8)
        for (auto& byte : src) byte &= 1;
      Bytes want(static_cast<size_t>(out.bytes), kOld);
      const std::unique_ptr<uint8_t[]> fresh(new uint8_t[want.size()]);
      for (uint8_t* const dst : {want.data(), fresh.get()})
        ok(xlashape_relayout, runtime.get(), a.get(), src.data(), in.bytes, b.get(), dst, out.bytes, nullptr);
      EXPECT_TRUE(std::equal(want.begin(), want.end(), fresh.get()))
          << from << " " << to << " " << (backend != nullptr ? backend : "any backend");
    }
  }
}

TEST(Relayout, StridedSides) {
  auto options = options_of();
  const int64_t reversed[] = {-3, -1}, doubled[] = {8, 2};
  options.src_byte_strides = reversed;
  const auto a = shape("u8[2,3]");
  const Bytes src = numbers(6);
  Bytes dst(6, kOld);
  Plan p = plan("u8[2,3]", "u8[2,3]", &options);
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_plan_execute, p.get(), src.data() + 5, 1, dst.data(), byte_count(dst));
  ok(xlashape_plan_execute, p.get(), src.data() + 5, XLASHAPE_UNCHECKED, dst.data(), byte_count(dst));
  EXPECT_EQ(dst, (Bytes{6, 5, 4, 3, 2, 1}));
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(r.src_low, -5);
  EXPECT_EQ(r.src_high, 1);
  EXPECT_EQ(r.dst_low, 0);
  EXPECT_EQ(r.dst_high, 6);
  options = options_of();
  options.dst_byte_strides = doubled;
  Bytes wide(16, kOld);
  p = plan("u8[2,3]", "u8[2,3]", &options);
  ok(xlashape_plan_execute, p.get(), src.data(), byte_count(src), wide.data(), byte_count(wide));
  EXPECT_EQ(wide, (Bytes{1, kOld, 2, kOld, 3, kOld, kOld, kOld, 4, kOld, 5, kOld, 6, kOld, kOld, kOld}));
  const int64_t overlapping[] = {2, 1};
  options.dst_byte_strides = overlapping;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3]", "u8[2,3]", &options), HasSubstr("overlap"));
}

TEST(Relayout, StridesInElements) {
  // Seven nibbles, 1 to 7, of which the last byte's upper half belongs to nobody.
  const Bytes src = {0x21, 0x43, 0x65, 0xF7};
  Bytes dst(4, kOld);
  auto options = options_of();
  const int64_t reversed[] = {-1}, third[] = {3};
  options.src_element_strides = reversed;
  options.src_first_element = 6;
  Plan p = plan("u4[7]{0:E(4)}", "u4[7]{0:E(4)}", &options);
  ok(xlashape_plan_execute, p.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  EXPECT_EQ(dst, (Bytes{0x67, 0x45, 0x23, 0x01}));
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_plan_execute, p.get(), src.data(), 3, dst.data(), byte_count(dst));
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(r.src_low, 0);
  EXPECT_EQ(r.src_high, 4);

  // From the highest bits on, and onto the same array: what lies between the elements stays.
  options = options_of();
  options.flags = XLASHAPE_PLAN_SRC_HIGH_FIRST | XLASHAPE_PLAN_DST_HIGH_FIRST;
  options.src_element_strides = reversed, options.src_first_element = 2;
  options.dst_element_strides = third, options.dst_first_element = 1;
  p = plan("u4[3]{0:E(4)}", "u4[3]{0:E(4)}", &options);
  ok(xlashape_plan_execute, p.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  EXPECT_EQ(dst, (Bytes{0x64, 0x45, 0x13, 0x02}));
  ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(r.dst_low, 0);
  EXPECT_EQ(r.dst_high, 4);

  // Elements of whole bytes, as wide as the layout has them.
  const int64_t columns[] = {1, 2};
  options = options_of();
  options.src_element_strides = columns;
  const Bytes wide = numbers(12);
  Bytes narrow(6, kOld);
  p = plan("u8[2,3]{1,0:E(16)}", "u8[2,3]", &options);
  ok(xlashape_plan_execute, p.get(), wide.data(), byte_count(wide), narrow.data(), byte_count(narrow));
  EXPECT_EQ(narrow, (Bytes{1, 5, 9, 3, 7, 11}));

  // A scalar has no strides.
  options = options_of();
  options.src_first_element = 5;
  p = plan("u4[]{:E(4)}", "u4[]", &options);
  ok(xlashape_plan_execute, p.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  EXPECT_EQ(dst[0], 6);

  const auto said = [&](xlashape_status status) { return refused(status, "u4[7]{0:E(4)}", "u4[7]{0:E(4)}", &options); };
  options = options_of();
  options.src_first_element = 6;
  EXPECT_THAT(said(XLASHAPE_STATUS_INVALID_ARGUMENT), HasSubstr("the source's first element is 6, but there are no"));
  options.src_element_strides = reversed, options.src_first_element = 5;
  EXPECT_THAT(said(XLASHAPE_STATUS_OUT_OF_RANGE),
              HasSubstr("first element is 5, reach element -1, before the pointer"));
  options.src_first_element = INT64_MIN;
  EXPECT_THAT(said(XLASHAPE_STATUS_OVERFLOW), HasSubstr("the strides of the source reach further"));
  options.src_first_element = INT64_MAX;
  EXPECT_THAT(said(XLASHAPE_STATUS_OVERFLOW), HasSubstr("the strides of the source reach further"));
  options.src_byte_strides = reversed;
  EXPECT_THAT(said(XLASHAPE_STATUS_INVALID_ARGUMENT), HasSubstr("the source has strides in bytes and in elements"));
  options = options_of();
  const int64_t none[] = {0};
  options.dst_element_strides = none;
  EXPECT_THAT(said(XLASHAPE_STATUS_INVALID_ARGUMENT), HasSubstr("element stride 0 of dimension 0 may overlap"));
  options = options_of();
  options.flags = XLASHAPE_PLAN_IN_PLACE;
  options.src_element_strides = reversed, options.src_first_element = 6;
  EXPECT_THAT(said(XLASHAPE_STATUS_UNSUPPORTED), HasSubstr("strides"));
}

TEST(Relayout, Boxes) {
  auto options = options_of();
  const int64_t src_base[] = {1, 0}, dst_base[] = {0, 2}, extent[] = {2, 2};
  options.src_base = src_base;
  options.dst_base = dst_base;
  options.extent = extent;
  const Plan p = plan("u8[3,3]", "u8[2,4]{0,1}", &options);
  const Bytes src = numbers(9);
  Bytes dst(8, kOld);
  ok(xlashape_plan_execute, p.get(), src.data(), byte_count(src), dst.data(), byte_count(dst));
  EXPECT_EQ(dst, (Bytes{kOld, kOld, kOld, kOld, 4, 7, 5, 8}));
  const int64_t too_far[] = {0, 3};
  options.dst_base = too_far;
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, "u8[3,3]", "u8[2,4]", &options), HasSubstr("dimension 1"));
  options.extent = nullptr;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[3,3]", "u8[3,3]", &options), HasSubstr("extent"));
}

TEST(Relayout, WhatCannotBePlanned) {
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3]", "u8[3,2]"), HasSubstr("dimension 0"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3]", "u8[6]"), HasSubstr("rank"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3]", "s8[2,3]"), HasSubstr("element type"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "u8[?]", "u8[?]"), HasSubstr("unbounded"));
  auto boxed = options_of();
  const int64_t huge[] = {INT64_MAX, INT64_MAX, 3};
  boxed.extent = huge;
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "u8[?,?,4]", "u8[?,?,4]", &boxed), HasSubstr("unbounded"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "(u8[2])", "u8[2]"), HasSubstr("src_shape"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "u8[2]", "token[]"), HasSubstr("dst_shape"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "u8[2]", "u8[2]{0:E(4)}"), HasSubstr("4 bits"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "u8[2]", "u8[2]{0:E(24)}"), HasSubstr("24"));
  auto options = options_of();
  for (const int32_t policy : {-1, 3}) {
    options.fill_policy = policy;
    EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2]", "u8[2]", &options),
                HasSubstr("fill_policy is " + std::to_string(policy)));
  }
  options = options_of();
  options.flags = 1u << 30;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INCOMPATIBLE, "u8[2]", "u8[2]", &options), HasSubstr("0x40000000"));
  options = options_of();
  options.dst_space = XLASHAPE_SPACE_CUDA;
  options.backend = "scalar";
  EXPECT_THAT(refused(XLASHAPE_STATUS_NOT_FOUND, "u8[2]", "u8[2]", &options), HasSubstr("scalar"));
}

TEST(Execute, RefusesNullAndOverlap) {
  const Plan p = plan("u8[2,3]", "u8[2,3]{0,1}"), same = plan("u8[2,3]", "u8[2,3]"), none = plan("u8[0]", "u8[0]");
  Bytes buffer = numbers(12);
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute, p.get(), buffer.data(),
                      byte_count(buffer), buffer.data(), byte_count(buffer)),
              HasSubstr("overlap"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute, p.get(), buffer.data(), 12,
                      buffer.data() + 5, 7),
              HasSubstr("overlap"));
  ok(xlashape_plan_execute, p.get(), buffer.data(), 12, buffer.data() + 6, 6);
  ok(xlashape_plan_execute, same.get(), buffer.data(), byte_count(buffer), buffer.data(), byte_count(buffer));
  ok(xlashape_plan_execute, none.get(), nullptr, 0, nullptr, 0);
}

TEST(Execute, ChecksTheBytes) {
  const Plan p = plan("u8[3]", "u8[3]{0:T(4)}");
  const Bytes src = numbers(3);
  Bytes dst(4, kOld);
  const auto call = [&](int64_t src_bytes, int64_t dst_bytes) {
    return [=, &p, &src, &dst](auto* err) {
      return xlashape_plan_execute(p.get(), src.data(), src_bytes, dst.data(), dst_bytes, err);
    };
  };
  for (const int64_t bytes : {int64_t{4}, INT64_MAX, int64_t{XLASHAPE_UNCHECKED}}) {
    dst.assign(4, kOld);
    ok(call(bytes, bytes));
    EXPECT_EQ(dst, (Bytes{1, 2, 3, 0}));
  }
  dst.assign(4, kOld);
  for (const int64_t bytes : {2, 0})
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, call(bytes, 4)),
                HasSubstr("src_bytes is " + std::to_string(bytes)));
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, call(3, 3)), HasSubstr("dst_bytes is 3"));
  for (const int64_t bytes : {int64_t{-2}, INT64_MIN}) {
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, call(bytes, 4)), HasSubstr("src_bytes is -"));
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, call(3, bytes)), HasSubstr("dst_bytes is -"));
  }
  EXPECT_EQ(dst, Bytes(4, kOld));
}

xlashape_execute_options exec_of(const Bytes& src, Bytes& dst) {
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(src.data());
  exec.src_bytes = byte_count(src);
  exec.dst = reinterpret_cast<uintptr_t>(dst.data());
  exec.dst_bytes = byte_count(dst);
  return exec;
}

TEST(ExecuteWith, OffsetsAndSizes) {
  const Plan p = plan("u8[2,2]", "u8[2,2]{0,1}");
  const Bytes src = numbers(6);
  Bytes dst(7, kOld);
  auto exec = exec_of(src, dst);
  exec.src_byte_offset = 2;
  exec.dst_byte_offset = 1;
  exec.src_bytes = 6;
  exec.dst_bytes = 5;
  ok(xlashape_plan_execute_with, p.get(), &exec);
  EXPECT_EQ(dst, (Bytes{kOld, 3, 5, 4, 6, kOld, kOld}));
  const auto refused = [&](xlashape_status status, auto&& change) {
    auto bad = exec;
    change(bad);
    return message(status, xlashape_plan_execute_with, p.get(), &bad);
  };
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, [](auto& e) { e.src_bytes = 5; }), HasSubstr("src"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, [](auto& e) { e.dst_bytes = 4; }), HasSubstr("dst"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, [](auto& e) { e.src_bytes = 0; }), HasSubstr("src_bytes is 0"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, [](auto& e) { e.dst_bytes = 0; }), HasSubstr("dst_bytes is 0"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, [](auto& e) { e.src_bytes = -2; }),
              HasSubstr("src_bytes is -2"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, [](auto& e) { e.dst_bytes = -2; }),
              HasSubstr("dst_bytes is -2"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE,
                      [](auto& e) { e.src_bytes = XLASHAPE_UNCHECKED, e.src_byte_offset = INT64_MAX; }),
              HasSubstr("src"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, [](auto& e) { e.src_byte_offset = INT64_MAX; }), HasSubstr("src"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_OUT_OF_RANGE, [](auto& e) { e.dst_byte_offset = -1; }),
              HasSubstr("of dst, counted from offset -1, would be touched"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, [](auto& e) { e.src = 0; }), HasSubstr("src is NULL"));
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, [](auto& e) { e.queue.kind = XLASHAPE_QUEUE_CUDA; }),
              HasSubstr("queue"));
}

// With strides, the bytes may all lie before the offset: what counts is what is touched.
TEST(ExecuteWith, BytesBeforeTheOffset) {
  auto options = options_of();
  const int64_t reversed[] = {-3, -1}, base[] = {1, 0}, zero[] = {0, 0}, extent[] = {1, 3};
  options.src_byte_strides = reversed;
  options.src_base = base;
  options.dst_base = zero;
  options.extent = extent;
  const Plan p = plan("u8[2,3]", "u8[2,3]", &options);
  const Bytes src = numbers(6);
  for (int64_t offset = 4; offset <= 9; ++offset) {
    Bytes dst(6, kOld);
    auto exec = exec_of(src, dst);
    exec.src_byte_offset = offset;
    const bool fits = offset >= 5 && offset <= 8;  // [offset - 5, offset - 2)
    EXPECT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr),
              fits ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_OUT_OF_RANGE)
        << offset;
    if (fits) {
      const auto first = static_cast<uint8_t>(offset - 2);
      EXPECT_EQ(dst,
                (Bytes{first, static_cast<uint8_t>(first - 1), static_cast<uint8_t>(first - 2), kOld, kOld, kOld}));
    }
  }
}

// One of so many tasks, alone.
void execute_task(const Plan& p, const Bytes& src, Bytes* dst, int64_t task, int64_t count) {
  auto exec = exec_of(src, *dst);
  exec.task_begin = task;
  exec.task_end = task + 1;
  exec.task_count = count;
  ok(xlashape_plan_execute_with, p.get(), &exec);
}

TEST(ExecuteWith, AnyNumberOfTasksMakesTheSame) {
  const Plan p = plan("s4[7,9]", "s4[7,9]{0,1:T(4,4)E(4)}");
  Bytes src(63), want(512), dst(512);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>((i * 5) & 15);
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), XLASHAPE_STATUS_OK);
  want.resize(static_cast<size_t>(r.dst_high));
  ASSERT_EQ(xlashape_plan_execute(p.get(), src.data(), byte_count(src), want.data(), byte_count(want), nullptr),
            XLASHAPE_STATUS_OK);
  for (int64_t tasks = 1; tasks <= 20; ++tasks) {
    dst.assign(want.size(), kOld);
    for (int64_t task = tasks - 1; task >= 0; --task) execute_task(p, src, &dst, task, tasks);
    EXPECT_EQ(dst, want) << tasks << " tasks";
  }
  for (const auto& [begin, end, count] :
       std::vector<std::array<int64_t, 3>>{{-1, 1, 2}, {1, 0, 2}, {0, 3, 2}, {0, 1, 0}, {0, 0, -1}}) {
    auto exec = exec_of(src, dst);
    exec.task_begin = begin;
    exec.task_end = end;
    exec.task_count = count;
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute_with, p.get(), &exec),
                HasSubstr("tasks"));
  }
  EXPECT_GE(xlashape_plan_task_count(p.get(), 4), 1);
  EXPECT_EQ(xlashape_plan_task_count(p.get(), 0), 1);
  EXPECT_EQ(xlashape_plan_task_count(p.get(), INT64_MIN), 1);
  EXPECT_GE(xlashape_plan_task_count(p.get(), INT64_MAX), 1);
}

// Without common factors, and with nothing to fill, only the elements count: not the tail, nor the rest of a huge tile.
TEST(ExecuteWith, PreservesWithoutVisitingTheTail) {
  auto options = options_of();
  options.fill_policy = XLASHAPE_FILL_PRESERVE;
  const Bytes src = numbers(4);
  for (const auto& [layout, want] :
       std::vector<std::pair<const char*, Bytes>>{{"u8[4]{0:T(3)(2)L(9223372036854775806)}", {1, 2, 3, kOld, 4}},
                                                  {"u8[4]{0:T(3)(2)L(4611686018427387904)}", {1, 2, 3, kOld, 4}},
                                                  {"u8[4]{0:T(3)(2)L(1000000000)}", {1, 2, 3, kOld, 4}},
                                                  {"u8[4]{0:T(1000000000)(3)}", {1, 2, 3, 4}},
                                                  {"u8[4]{0:T(3)(2)}", {1, 2, 3, kOld, 4}}}) {
    SCOPED_TRACE(layout);
    const Plan p = plan("u8[4]", layout, &options);
    for (int64_t tasks = 1; tasks <= 9; ++tasks) {
      Bytes dst(64, kOld);
      for (int64_t task = tasks - 1; task >= 0; --task) execute_task(p, src, &dst, task, tasks);
      Bytes all = want;
      all.resize(64, kOld);
      EXPECT_EQ(dst, all) << tasks << " tasks";
    }
  }
}

// Packed elements that share a byte belong to one task there, too.
TEST(ExecuteWith, PreservingTasksShareNoByte) {
  auto options = options_of();
  options.fill_policy = XLASHAPE_FILL_PRESERVE;
  for (const char* layout :
       {"s4[41]{0:T(3)(2)E(4)}", "s4[41]{0:T(3)(2)L(1000000000)E(4)}", "s4[41]{0:T(100)(3)E(4)}"}) {
    SCOPED_TRACE(layout);
    const Plan p = plan("s4[41]", layout, &options);
    Bytes src(41), one(64, kOld);
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>((i * 5 + 1) & 15);
    ASSERT_EQ(xlashape_plan_execute(p.get(), src.data(), byte_count(src), one.data(), byte_count(one), nullptr),
              XLASHAPE_STATUS_OK);
    EXPECT_NE(one, Bytes(64, kOld));
    for (const int64_t tasks : {2, 3, 5, 64}) {
      Bytes dst(64, kOld);
      std::vector<int64_t> owner(64, -1);
      for (int64_t task = tasks - 1; task >= 0; --task) {
        for (const uint8_t background : {0x00, 0xFF}) {  // on one of them a write shows
          Bytes alone(64, background);
          execute_task(p, src, &alone, task, tasks);
          for (size_t at = 0; at < alone.size(); ++at) {
            if (alone[at] == background) continue;
            EXPECT_TRUE(owner[at] < 0 || owner[at] == task) << "byte " << at << " of " << tasks << " tasks";
            owner[at] = task;
          }
        }
        execute_task(p, src, &dst, task, tasks);
      }
      EXPECT_EQ(dst, one) << tasks << " tasks";
    }
  }
}

TEST(PlanFacts, RequirementsDescribeAndBackend) {
  const Plan p = plan("f32[3,5]", "f32[3,5]{0,1:T(8,128)}");
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(r.src_low, 0);
  EXPECT_EQ(r.src_high, 60);
  EXPECT_EQ(r.dst_high, 8 * 128 * 4);
  EXPECT_GE(r.src_alignment, 1);
  EXPECT_GT(r.plan_bytes, 0);
  int64_t needed = 0;
  ASSERT_EQ(xlashape_plan_describe(p.get(), nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  std::string line(needed, '#');
  ASSERT_EQ(xlashape_plan_describe(p.get(), line.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
  line.pop_back();
  EXPECT_FALSE(line.empty());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  api::answers_text(line, xlashape_plan_describe, p.get());
  EXPECT_THAT(xlashape_plan_backend(p.get()), testing::AnyOf(testing::StrEq("scalar"), testing::StrEq("simd")));
}

TEST(OneShot, ChecksTheRoom) {
  const auto a = shape("u8[3]"), b = shape("u8[3]{0:T(4)}");
  const Bytes src = numbers(3);
  Bytes dst(4, kOld);
  const auto call = [&](int64_t src_bytes, int64_t dst_bytes, xlashape_error* err) {
    return xlashape_relayout(nullptr, a.get(), src.data(), src_bytes, b.get(), dst.data(), dst_bytes, nullptr, err);
  };
  ok([&](auto* err) { return call(3, 4, err); });
  ok([&](auto* err) { return call(INT64_MAX, INT64_MAX, err); });
  ok([&](auto* err) { return call(XLASHAPE_UNCHECKED, XLASHAPE_UNCHECKED, err); });
  for (const int64_t bad : {int64_t{2}, int64_t{0}, int64_t{-2}, INT64_MIN}) {
    const xlashape_status status = bad < 0 ? XLASHAPE_STATUS_INVALID_ARGUMENT : XLASHAPE_STATUS_OUT_OF_RANGE;
    EXPECT_THAT(message(status, [&](auto* err) { return call(bad, 4, err); }), HasSubstr("src_bytes is"));
    EXPECT_THAT(message(status, [&](auto* err) { return call(3, bad, err); }), HasSubstr("dst_bytes is"));
  }
  auto options = options_of();
  const int64_t backwards[] = {-1};
  options.src_byte_strides = backwards;
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_relayout, nullptr, a.get(), src.data(), 3, b.get(), dst.data(), 4,
          &options);
  ok(xlashape_relayout, nullptr, a.get(), src.data() + 2, XLASHAPE_UNCHECKED, b.get(), dst.data(), 4, &options);
  EXPECT_EQ(dst, (Bytes{3, 2, 1, 0}));
}

// Nothing can hold them; their plans are made all the same, and no sum overflows.
TEST(Relayout, PlansOfArraysNearTheLargestSize) {
  const std::pair<const char*, const char*> shapes[] = {
      {"u8[9223372036854775807]{0}", "u8[9223372036854775807]{0:S(1)}"},
      {"u8[1317624576693539401,7]{1,0}", "u8[1317624576693539401,7]{0,1}"},
      {"u8[7,1317624576693539401]{1,0}", "u8[7,1317624576693539401]{0,1}"},
      {"u8[3074457345618258602,3]{1,0}", "u8[3074457345618258602,3]{0,1}"},
      {"f64[1152921504606846975]{0}", "f64[1152921504606846975]{0:S(1)}"},
      {"s4[9223372036854775807]{0:E(4)}", "s4[9223372036854775807]{0:E(4)S(1)}"},
      {"s4[3,3074457345618258601]{0,1:E(4)}", "s4[3,3074457345618258601]{1,0:E(4)}"},
      {"u2[9223372036854775807]{0:E(2)}", "u2[9223372036854775807]{0:E(2)S(1)}"},
      {"u1[1317624576693539401,7]{0,1:E(1)}", "u1[1317624576693539401,7]{1,0:E(1)}"}};
  for (const auto& [from, to] : shapes) {
    SCOPED_TRACE(std::string(from) + " -> " + to);
    const api::Shape src = api::shape(from), dst = api::shape(to);
    const auto plan = api::make<api::Plan>(xlashape_plan_create, nullptr, src.get(), dst.get(), nullptr);
    EXPECT_GE(xlashape_plan_task_count(plan.get(), 8), 1);
  }
}

}  // namespace
