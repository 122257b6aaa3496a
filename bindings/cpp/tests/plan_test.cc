// SPDX-License-Identifier: Apache-2.0
// Plans, relayouts and runtimes: execution, executors, misuse.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <thread>
#include <xlashape.hpp>

namespace {

using xlashape::Plan;
using xlashape::PlanOptions;
using xlashape::Runtime;
using xlashape::RuntimeOptions;
using xlashape::Shape;
using xlashape::Status;
using xlashape::Task;

const std::string kData = "abcdefghijkl", kTiled("aebfi\0j\0cgdhk\0l\0", 16);

Plan plan() { return Plan::create(Shape::parse("u8[3,4]"), Shape::parse("u8[3,4]{0,1:T(2,2)}")); }

TEST(Plan, Execute) {
  std::string out(16, '.');
  plan().execute(kData, out);
  EXPECT_EQ(out, kTiled);
  std::array<std::byte, 16> bytes;
  const auto result = plan().try_execute(kData, bytes);
  ASSERT_TRUE(result);
  EXPECT_EQ(std::memcmp(bytes.data(), kTiled.data(), 16), 0);
  EXPECT_FALSE(plan().backend().empty());
  EXPECT_NE(plan().describe().find(plan().backend()), std::string::npos);
  EXPECT_EQ(plan().requirements().dst_high, 16);
  EXPECT_EQ(Plan().try_requirements().error().status(), Status::kInvalidArgument);
}

TEST(Plan, Typed) {
  const Plan plan = Plan::create(Shape::parse("f32[2,3]"), Shape::parse("f32[2,3]{0,1}"));
  const float from[6] = {0, 1, 2, 3, 4, 5};
  std::vector<float> to(6);
  plan.execute(from, to);
  EXPECT_EQ(to, (std::vector<float>{0, 3, 1, 4, 2, 5}));
  std::vector<uint32_t> words(6);
  plan.execute(from, words);
  plan.execute(from, xlashape::Span<float>(to.data(), to.size()));
}

TEST(IndexPlan, Execute) {
  using xlashape::Conversion;
  using xlashape::IndexMap;
  using xlashape::IndexPlan;
  const IndexMap map = IndexMap::of(Shape::parse("u8[3,4]{0,1:T(2,2)}"));
  xlashape_index_options options = {};
  options.flags = XLASHAPE_INDEX_MARK_INVALID;
  const IndexPlan plan = IndexPlan::create(map, Conversion::kToMultidimensional, options);
  EXPECT_FALSE(plan.backend().empty());
  EXPECT_NE(plan.describe().find(plan.backend()), std::string::npos);
  EXPECT_GE(plan.task_count(4), 1);
  EXPECT_EQ(plan.requirements().src_alignment, 8);
  std::int64_t linear[] = {0, 14, 5}, index[6], back[3];
  EXPECT_EQ(plan.execute(3, linear, index), 1);
  EXPECT_EQ((std::vector<std::int64_t>(index, index + 6)), (std::vector<std::int64_t>{0, 0, 2, 3, -1, -1}));
  const IndexPlan strict = IndexPlan::create(map, Conversion::kToLinear);
  const auto failed = strict.try_execute(3, index, back);
  EXPECT_EQ(failed.error().index(), 2);
  EXPECT_EQ((std::vector<std::int64_t>(back, back + 2)), (std::vector<std::int64_t>{0, 14}));
  EXPECT_THROW((void)strict.execute(3, index, back), xlashape::Exception);
  EXPECT_EQ(plan.try_execute(4, linear, index).error().status(), Status::kOutOfRange);
  xlashape_execute_options options_of_one = {};
  options_of_one.src = reinterpret_cast<std::uintptr_t>(&linear[1]), options_of_one.src_bytes = 8;
  options_of_one.dst = reinterpret_cast<std::uintptr_t>(index), options_of_one.dst_bytes = 16;
  EXPECT_EQ(plan.execute_with(1, options_of_one), 0);
  EXPECT_EQ((std::vector<std::int64_t>(index, index + 3)), (std::vector<std::int64_t>{2, 3, 2}));
  options_of_one.dst_bytes = -2;
  EXPECT_EQ(plan.try_execute_with(1, options_of_one).error().status(), Status::kInvalidArgument);
  EXPECT_EQ(IndexPlan().try_execute(3, linear, index).error().status(), Status::kInvalidArgument);
  EXPECT_EQ(IndexPlan::try_create(map, static_cast<Conversion>(7)).error().status(), Status::kInvalidArgument);
}

TEST(Plan, StridesAndBox) {
  PlanOptions options;
  options.src_byte_strides = {2};
  std::string out(3, '.');
  Plan::create(Shape::parse("u8[3]"), Shape::parse("u8[3]"), options).execute(std::string("abcde"), out);
  EXPECT_EQ(out, "ace");
  PlanOptions box;
  box.src_base = {0, 1}, box.dst_base = {1, 0}, box.extent = {2, 2};
  std::string target(12, '.');
  Plan::create(Shape::parse("u8[3,4]"), Shape::parse("u8[3,4]"), box).execute(kData, target);
  EXPECT_EQ(target, "....bc..fg..");
}

// What lies by strides need not fit memory as its layout would have it.
TEST(Plan, StridesOfAShapeWithoutSizes) {
  const Shape vast = Shape::parse("u16[2305843009213693952,2]");
  ASSERT_FALSE(vast.try_sizes());
  PlanOptions options;
  options.src_byte_strides = {0, 2};
  options.extent = {3, 2};
  const Plan plan = Plan::create(vast, Shape::parse("u16[3,2]"), options);
  std::string out(12, '.');
  plan.execute(std::string("abcd"), out);
  EXPECT_EQ(out, "abcdabcdabcd");
  options.src_byte_strides = {}, options.src_element_strides = {0, 1};
  out.assign(12, '.');
  Plan::create(vast, Shape::parse("u16[3,2]"), options).execute(std::string("abcd"), out);
  EXPECT_EQ(out, "abcdabcdabcd");
}

// Two values a byte, backwards; the first element of each side is its own.
TEST(Plan, ElementStrides) {
  const Shape packed = Shape::parse("s4[7]{0:E(4)}");
  PlanOptions options;
  options.src_element_strides = {-1}, options.src_first_element = 6;
  const std::string from = "\x21\x43\x65\x07";
  std::string out(4, '.');
  const Plan turns = Plan::create(packed, packed, options);
  turns.execute(from, out);
  EXPECT_EQ(out, "\x67\x45\x23\x01");
  std::string once(4, '.');
  xlashape::relayout(packed, from, packed, once, options);
  EXPECT_EQ(once, out);
  out.assign(4, '.');
  turns.execute_at(from.data(), out.data());
  EXPECT_EQ(out, once);
  EXPECT_NE(xlashape::plan_key(packed, packed, options).find(" src_element_strides=-1 src_first_element=6"),
            std::string::npos);

  options.flags = XLASHAPE_PLAN_SRC_HIGH_FIRST | XLASHAPE_PLAN_DST_HIGH_FIRST;
  out.assign(4, '\x0F');
  Plan::create(packed, packed, options).execute(std::string("\x12\x34\x56\x70"), out);
  EXPECT_EQ(out.substr(0, 3), "\x76\x54\x32");
  EXPECT_EQ(out[3] & '\xF0', 0x10);

  PlanOptions every_third;  // from element 1 on; what lies between is left alone
  every_third.dst_element_strides = {3}, every_third.dst_first_element = 1;
  const Shape bits = Shape::parse("pred[4]{0:E(1)}");
  std::string sparse = "\xFF\xFF";
  Plan::create(bits, bits, every_third).execute(std::string("\x06"), sparse);
  EXPECT_EQ(sparse, "\xFD\xFB");

  PlanOptions third;  // of a scalar, which has no strides
  third.src_first_element = 2;
  const Shape scalar = Shape::parse("s4[]{:E(4)}");
  std::string one(1, '.');
  Plan::create(scalar, scalar, third).execute(from, one);
  EXPECT_EQ(one[0] & 15, 3);

  // Neither moves nothing, though shapes and strides are equal ones.
  PlanOptions same;
  same.src_element_strides = {1};
  std::string memory = from;
  EXPECT_EQ(Plan::create(packed, packed, same).try_execute(memory, memory).error().message(), "src and dst overlap");
  same.src_element_strides = {}, same.dst_element_strides = {1};
  EXPECT_EQ(Plan::create(packed, packed, same).try_execute(memory, memory).error().message(), "src and dst overlap");
}

TEST(Plan, Tasks) {
  const Plan plan = ::plan();
  for (const bool throwing : {false, true}) {
    std::string out(16, '.');
    for (int64_t task = 0; task < 3; ++task) {
      xlashape_execute_options options = {};
      options.src = reinterpret_cast<uintptr_t>(kData.data()), options.dst = reinterpret_cast<uintptr_t>(out.data());
      options.src_bytes = 12, options.dst_bytes = XLASHAPE_UNCHECKED;
      options.task_begin = task, options.task_end = task + 1, options.task_count = 3;
      if (throwing)
        plan.execute_with(options);
      else
        ASSERT_TRUE(plan.try_execute_with(options));
    }
    EXPECT_EQ(out, kTiled);
  }
  xlashape_execute_options none = {};
  none.task_begin = 4, none.task_end = 5, none.task_count = 3;
  EXPECT_THROW(plan.execute_with(none), xlashape::Exception);
  std::string out(16, '.');
  for (const auto& [bytes, status] : {std::pair(15, Status::kOutOfRange), std::pair(0, Status::kOutOfRange),
                                      std::pair(-2, Status::kInvalidArgument)}) {
    xlashape_execute_options few = {};
    few.src = reinterpret_cast<uintptr_t>(kData.data()), few.dst = reinterpret_cast<uintptr_t>(out.data());
    few.src_bytes = 12, few.dst_bytes = bytes;
    EXPECT_EQ(plan.try_execute_with(few).error().status(), status) << bytes;
  }
}

TEST(Plan, Relayout) {
  std::string out(16, '.');
  xlashape::relayout(Shape::parse("u8[3,4]"), kData, Shape::parse("u8[3,4]{0,1:T(2,2)}"), out);
  EXPECT_EQ(out, kTiled);
  out.resize(15);
  EXPECT_EQ(
      xlashape::try_relayout(Shape::parse("u8[3,4]"), kData, Shape::parse("u8[3,4]{0,1:T(2,2)}"), out).error().status(),
      Status::kOutOfRange);
  std::vector<double> wrong(12);
  EXPECT_FALSE(xlashape::try_relayout(Shape::parse("u8[3,4]"), wrong, Shape::parse("u8[3,4]"), wrong));
}

TEST(Plan, Shapes) {
  const Shape from = Shape::parse("u8[3,4]"), to = Shape::parse("u8[3,4]{0,1:T(2,2)}");
  const auto [src, dst] = plan().shapes();
  EXPECT_EQ(src, from);
  EXPECT_EQ(dst, to);
  const auto tried = plan().try_shapes();
  ASSERT_TRUE(tried);
  EXPECT_EQ(tried->dst, to);
  EXPECT_EQ(Plan().try_shapes().error().status(), Status::kInvalidArgument);
  EXPECT_THROW((void)Plan().shapes(), xlashape::Exception);
}

TEST(Plan, Key) {
  const Shape from = Shape::parse("u8[3,4]"), to = Shape::parse("u8[3,4]{0,1:T(2,2)}");
  PlanOptions options;
  options.fill_policy = xlashape::FillPolicy::kPreserve;
  options.src_base = {0, 1}, options.dst_base = {1, 0}, options.extent = {300, 200};  // of no plan
  options.backend = std::string(300, 'x');
  EXPECT_EQ(xlashape::plan_key(from, to, options),
            "u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,2)} fill_policy=1 src_base=0,1 dst_base=1,0 extent=300,200 backend=" +
                std::string(256, 'x'));
  options.extent = {1};
  EXPECT_EQ(xlashape::try_plan_key(from, to, options).error().status(), Status::kInvalidArgument);
  EXPECT_THROW((void)xlashape::plan_key(from, Shape()), xlashape::Exception);
}

TEST(Plan, SwapsAllOfIt) {
  Plan large = plan(), small = Plan::create(Shape::parse("u8[4]"), Shape::parse("u8[4]"));
  large.swap(small);
  std::string out(16, '.'), four = "....";
  EXPECT_FALSE(large.try_execute(kData, out));  // it is the small one, and four bytes are all that it takes
  ASSERT_TRUE(large.try_execute(std::string("abcd"), four));
  ASSERT_TRUE(small.try_execute(kData, out));
  EXPECT_EQ(out, kTiled);
}

TEST(Plan, TextsAreNotCutAtNul) {
  PlanOptions options;
  options.backend = std::string("scalar\0x", 8);
  const Shape shape = Shape::parse("u8[3,4]");
  EXPECT_EQ(Plan::try_create(shape, shape, options).error().status(), Status::kNotFound);
  std::string out(12, '.');
  EXPECT_EQ(xlashape::try_relayout(shape, kData, shape, out, options).error().status(), Status::kNotFound);
  RuntimeOptions runtime;
  runtime.backend_dirs = std::string("/a\0b", 4);
  EXPECT_EQ(Runtime::try_create(runtime).error().status(), Status::kInvalidArgument);
  runtime = {};
  runtime.backend = options.backend;
  EXPECT_EQ(Runtime::try_create(runtime).error().message(), "options.backend has a NUL in it: scalar\\x00x");
  runtime = {};
  runtime.cpu = options.backend;
  EXPECT_EQ(Runtime::try_create(runtime).error().status(), Status::kInvalidArgument);
}

TEST(Plan, DeviceIsOneOfTheBackend) {
  const Shape shape = Shape::parse("u8[3,4]");
  PlanOptions options;
  options.backend = "scalar";
  for (const std::int32_t none : {7, 0, -3, INT32_MAX}) {  // a backend of the CPU has no devices
    options.device = none;
    const auto error = Plan::try_create(shape, shape, options).error();
    EXPECT_EQ(error.status(), none < 0 ? Status::kInvalidArgument : Status::kOutOfRange);
    const char* text = none < 0    ? "device is -3, it must not be negative"
                       : none == 7 ? "there is no device number 7: backend scalar has 0"
                                   : "there is no device number";
    EXPECT_NE(error.message().find(text), std::string::npos) << error;
  }
  options.device.reset();
  EXPECT_TRUE(Plan::try_create(shape, shape, options));
}

TEST(Plan, CopiesAndAssigns) {
  Plan a = plan(), b;
  b = a;
  a = Plan::create(Shape::parse("u8[4]"), Shape::parse("u8[4]"));
  std::string out(16, '.'), four = "abcd";
  b.execute(kData, out);
  EXPECT_EQ(out, kTiled);
  a.execute(four, four);  // moves nothing, so it may run onto itself
  const Plan c = std::move(b);
  EXPECT_EQ(b.try_execute(kData, out).error().status(), Status::kInvalidArgument);  // NOLINT
  c.execute(kData, out);
}

TEST(Plan, InPlace) {
  const Shape rows = Shape::parse("f32[70,30]"), columns = Shape::parse("f32[70,30]{0,1}");
  PlanOptions options;
  options.flags = XLASHAPE_PLAN_IN_PLACE;
  const Plan there = Plan::create(rows, columns, options), back = Plan::create(columns, rows, options);
  EXPECT_GT(there.requirements().scratch_bytes, 0);
  std::vector<float> before(2100), moved(2100);
  std::iota(before.begin(), before.end(), 0.0F);
  Plan::create(rows, columns).execute(before, moved);
  std::vector<float> a = before;
  const xlashape::Span<float> span(a.data(), a.size());
  there.execute(a, a);
  EXPECT_EQ(a, moved);
  ASSERT_TRUE(back.try_execute(span, span));
  EXPECT_EQ(a, before);
  xlashape::relayout(rows, a, columns, a, options);
  EXPECT_EQ(a, moved);
  xlashape::execute_list(std::array{xlashape::Execution(back, a, span)});
  EXPECT_EQ(a, before);
  EXPECT_EQ(there.try_execute(a, moved).error().message(), "the plan runs in place: src and dst must be equal");
  EXPECT_EQ(Plan::create(rows, columns).try_execute(a, a).error().message(), "src and dst overlap");
  EXPECT_EQ(a, before);
  EXPECT_EQ(Plan::try_create(rows, Shape::parse("f32[70,30]{1,0:T(8,128)}"), options).error().status(),
            Status::kUnsupported);
}

TEST(Plan, Converts) {
  const Shape floats = Shape::parse("f32[2,3]"), ints = Shape::parse("s32[2,3]{0,1}");
  EXPECT_EQ(Plan::try_create(floats, ints).error().status(), Status::kInvalidArgument);
  PlanOptions options;
  options.flags = XLASHAPE_PLAN_CONVERT;
  const Plan plan = Plan::create(floats, ints, options);
  const float from[6] = {0.5F, 1.5F, -2.5F, 3e9F, -4, 5.9F};
  std::vector<std::int32_t> to(6);
  plan.execute(from, to);
  EXPECT_EQ(to, (std::vector<std::int32_t>{0, INT32_MAX, 1, -4, -2, 5}));
  std::vector<std::int32_t> once(6);
  xlashape::relayout(floats, from, ints, once, options);
  EXPECT_EQ(once, to);
  // Each side is of its own type.
  std::vector<float> back(6);
  EXPECT_EQ(plan.try_execute(from, back).error().message(),
            "dst is no range of s32: objects of another type, of 4 bytes");
  EXPECT_EQ(plan.try_execute(to, once).error().message(),
            "src is no range of f32: objects of another type, of 4 bytes");
  EXPECT_EQ(xlashape::Execution(plan, to, once).check().status(), Status::kInvalidArgument);
  EXPECT_FALSE(xlashape::try_relayout(floats, from, ints, back, options));
  EXPECT_FALSE(xlashape::try_relayout(floats, to, ints, once, options));
  options.flags |= XLASHAPE_PLAN_SATURATE;
  std::vector<std::uint8_t> narrow(2);
  xlashape::relayout(Shape::parse("s32[2]"), std::vector<std::int32_t>{300, -1}, Shape::parse("u8[2]"), narrow,
                     options);
  EXPECT_EQ(narrow, (std::vector<std::uint8_t>{255, 0}));
}

TEST(Plan, Quantizes) {
  const Shape reals = Shape::parse("f32[2,3]"), bytes = Shape::parse("s8[2,3]{0,1}");
  const std::vector<float> from = {0.5F, 1.5F, -300, 1e9F, 2, 3};
  const auto quantized = [&](const PlanOptions& options) {
    std::vector<std::int8_t> to(6);
    Plan::create(reals, bytes, options).execute(from, to);
    return to;
  };
  PlanOptions options;
  options.flags = XLASHAPE_PLAN_CONVERT;
  options.scale = {0.5F};
  EXPECT_EQ(quantized(options), (std::vector<std::int8_t>{1, 127, 3, 4, -128, 6}));
  options.scale = {0.5F, 1}, options.zero_point = {1, -1};
  EXPECT_EQ(quantized(options), (std::vector<std::int8_t>{2, 127, 4, 1, -128, 2}));
  options.scale = {0.5F, 1, 2}, options.zero_point = {}, options.scale_dimension = 1;
  const auto to = quantized(options);
  EXPECT_EQ(to, (std::vector<std::int8_t>{1, 127, 2, 2, -128, 2}));
  std::vector<float> back(6);
  Plan::create(bytes, reals, options).execute(to, back);
  EXPECT_EQ(back, (std::vector<float>{0.5F, 2, -256, 63.5F, 2, 4}));
  EXPECT_NE(xlashape::plan_key(reals, bytes, options).find(" scale_dimension=1 scale="), std::string::npos);
  options.zero_point = {1, 2};
  EXPECT_EQ(Plan::try_create(reals, bytes, options).error().message(),
            "zero_point must have as many entries as scale, or none");
  options.zero_point = {}, options.scale = {1, 2};
  EXPECT_EQ(Plan::try_create(reals, bytes, options).error().message(),
            "scale_count is 2: it must be 1, or 3, the source's size in dimension 1");
}

TEST(Plan, HighBitsFirst) {
  const Shape bits = Shape::parse("pred[9]"), packed = Shape::parse("pred[9]{0:E(1)}");
  PlanOptions options;
  options.flags = XLASHAPE_PLAN_DST_HIGH_FIRST;
  std::vector<std::uint8_t> to(2);
  Plan::create(bits, packed, options).execute(std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0, 0, 1, 1}, to);
  EXPECT_EQ(to, (std::vector<std::uint8_t>{0xB1, 0x80}));
  options.flags = XLASHAPE_PLAN_SRC_HIGH_FIRST;
  const Plan turns = Plan::create(packed, packed, options);
  std::vector<std::uint8_t> turned(2);
  turns.execute(to, turned);
  EXPECT_EQ(turned, (std::vector<std::uint8_t>{0x8D, 0x01}));
  EXPECT_EQ(turns.try_execute(to, to).error().message(), "src and dst overlap");  // which a plan that moves may
}

Status refused(const xlashape::Result<void>& result) { return result.error().status(); }

TEST(Misuse, OfMemory) {
  const Plan plan = ::plan(), floats = Plan::create(Shape::parse("f32[2,3]"), Shape::parse("f32[2,3]{0,1}"));
  std::string out(16, '.'), less(15, '.'), memory(40, '.');
  const std::vector<float> from(6);
  std::vector<double> three(3);
  std::vector<int32_t> six(6);
  std::vector<float> to(6);
  const std::pair<xlashape::Result<void>, const char*> rows[] = {
      {plan.try_execute(kData.substr(1), out), "src has 11 bytes, 12 are wanted"},
      {plan.try_execute(kData + "m", out), "src has 13 bytes, 12 are wanted"},
      {plan.try_execute(kData, less), "dst has 15 bytes, 16 are wanted"},
      {plan.try_execute(xlashape::Span<const char>(memory.data(), 12), xlashape::Span<char>(memory.data() + 8, 16)),
       "src and dst overlap"},
      {floats.try_execute(three, to), "src is no range of f32: objects of another type, of 8 bytes"},
      {floats.try_execute(from, six), "dst is no range of f32: objects of another type, of 4 bytes"},
      {Plan().try_execute(std::vector<float>(3), out), "the plan is empty"},
  };
  for (const auto& [result, message] : rows) EXPECT_EQ(result.error().message(), message);
  EXPECT_THROW(plan.execute(kData, less), xlashape::Exception);
}

TEST(Misuse, Strides) {
  PlanOptions options;
  options.src_byte_strides = {2};
  const Plan forward = Plan::create(Shape::parse("u8[3]"), Shape::parse("u8[3]"), options);
  std::string out(3, '.');
  EXPECT_EQ(refused(forward.try_execute(std::string("abcd"), out)), Status::kOutOfRange);
  options.src_byte_strides = {-1};
  const Plan back = Plan::create(Shape::parse("u8[3]"), Shape::parse("u8[3]"), options);
  EXPECT_EQ(refused(back.try_execute(std::string("abc"), out)), Status::kOutOfRange);
  back.execute_at(&kData[2], out.data());
  EXPECT_EQ(out, "cba");
  options.src_byte_strides = {1, 1};
  EXPECT_FALSE(Plan::try_create(Shape::parse("u8[3]"), Shape::parse("u8[3]"), options));
}

TEST(Misuse, ElementStrides) {
  const Shape packed = Shape::parse("s4[7]{0:E(4)}");
  const auto refusal = [&](const PlanOptions& options) {
    const auto made = Plan::try_create(packed, packed, options);
    return std::string(made ? "none" : made.error().message());
  };
  PlanOptions options;
  options.src_first_element = 6;
  EXPECT_EQ(refusal(options), "the source's first element is 6, but there are no strides in elements");
  options.src_element_strides = {-1}, options.src_first_element = 5;
  EXPECT_EQ(refusal(options),
            "the strides of the source, whose first element is 5, reach element -1, before the pointer");
  EXPECT_EQ(Plan::try_create(packed, packed, options).error().status(), Status::kOutOfRange);
  options.src_byte_strides = {1};
  EXPECT_EQ(refusal(options), "the source has strides in bytes and in elements: give one");
  options.src_byte_strides = {}, options.src_element_strides = {1, 1};
  EXPECT_EQ(refusal(options), "strides, bases and extent must have as many entries as the rank");
  options = {};
  options.dst_element_strides = {0};
  EXPECT_EQ(Plan::try_create(packed, packed, options).error().status(), Status::kInvalidArgument);
  options.dst_element_strides = {1}, options.dst_first_element = 2;  // nine elements, in five bytes
  const Plan plan = Plan::create(packed, packed, options);
  std::string few(4, '.');
  EXPECT_EQ(plan.try_execute(std::string(4, 'a'), few).error().message(), "dst has 4 bytes, 5 are wanted");
  EXPECT_EQ(plan.try_execute(std::string(3, 'a'), few).error().message(), "src has 3 bytes, 4 are wanted");
  EXPECT_EQ(xlashape::try_relayout(packed, std::string(4, 'a'), packed, few, options).error().status(),
            Status::kOutOfRange);
  EXPECT_EQ(few, "....");
}

TEST(Misuse, Making) {
  const Shape shape = Shape::parse("u8[3,4]");
  EXPECT_FALSE(Plan::try_create(shape, Shape::parse("u8[4,3]")));
  EXPECT_FALSE(Plan::try_create(shape, Shape()));
  PlanOptions options;
  options.backend = "none such";
  EXPECT_EQ(Plan::try_create(shape, shape, options).error().status(), Status::kNotFound);
  std::string out(16, '.');
  EXPECT_EQ(refused(Plan().try_execute(kData, out)), Status::kInvalidArgument);
  EXPECT_FALSE(Plan().try_execute_at(kData.data(), out.data()));
  EXPECT_TRUE(Plan().backend().empty());
}

// What a report says about threads.
std::string threads_of(const Runtime& runtime) {
  const std::string report = runtime.report();
  const size_t at = report.find("\nthreads: ");
  return at == std::string::npos ? "" : report.substr(at + 10, report.find('\n', at + 1) - at - 10);
}

TEST(Runtime, Threads) {
  RuntimeOptions options;
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
  EXPECT_EQ(threads_of(Runtime::create(options)).substr(0, 14), "1, as neither ");
  options.threads = 2;
  EXPECT_EQ(threads_of(Runtime::create(options)), "2, as options.threads says");
  options.threads = XLASHAPE_THREADS_ALL;
  EXPECT_NE(threads_of(Runtime::create(options)).find(", all that this process may use ("), std::string::npos);
}

// 0, or what was wrong. The default runtime is not there yet.
int set_default() {
  RuntimeOptions options;
  options.threads = 3;
  {
    const Runtime runtime = Runtime::create(options);
    runtime.set_default();
  }
  if (threads_of(Runtime()) != "3, as options.threads says") return 1;
  const auto again = Runtime::create().try_set_default();
  if (again || again.error().status() != Status::kBusy) return 2;
  return Runtime().try_set_default().error().status() == Status::kInvalidArgument ? 0 : 3;
}

// In a process of its own, as it stays.
TEST(Runtime, Default) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(_exit(set_default()), testing::ExitedWithCode(0), "");
}

constexpr int64_t kSize = 1024, kBytes = kSize * kSize;
const Shape& large() {
  static const Shape shape = Shape::parse("u8[1024,1024]");
  return shape;
}

// Runs a large transpose with that executor.
xlashape::Result<void> run(xlashape::Executor executor, std::string* out) {
  RuntimeOptions options;
  options.executor = std::move(executor);
  options.max_workers = 4;
  const Plan plan = [&] {  // the plan keeps what it needs of the runtime
    const Runtime runtime = Runtime::create(std::move(options));
    return Plan::create(large(), Shape::parse("u8[1024,1024]{0,1}"), {}, runtime);
  }();
  std::string data(kSize * kSize, '\0');
  std::iota(data.begin(), data.end(), char{0});
  out->assign(kSize * kSize, '.');
  return plan.try_execute(data, *out);
}

bool in_turn(int64_t count, const Task& task) {
  for (int64_t i = 0; i < count; ++i) task(i, 0);
  return true;
}

TEST(Runtime, Executor) {
  std::string wanted, got;
  ASSERT_TRUE(run(in_turn, &wanted));
  std::atomic<int64_t> tasks = 0;
  ASSERT_TRUE(run(
      [&](int64_t count, const Task& task) {
        tasks += count;
        std::vector<std::thread> threads;
        std::atomic<int64_t> next = 0;
        for (uint32_t worker = 0; worker < 4; ++worker)
          threads.emplace_back([&, worker] {
            for (int64_t i; (i = next++) < count;) task(i, worker);
          });
        for (auto& thread : threads) thread.join();
        return true;
      },
      &got));
  EXPECT_EQ(got, wanted);
  EXPECT_GT(tasks, 1);
}

TEST(Runtime, ExecutorThatReturnsNothing) {
  std::string wanted, got;
  ASSERT_TRUE(run(in_turn, &wanted));
  int calls = 0;
  const auto nothing = [&calls](int64_t count, const Task& task) {
    ++calls;
    in_turn(count, task);
  };
  ASSERT_TRUE(run(nothing, &got));
  EXPECT_EQ(got, wanted);
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(xlashape::Executor(nothing));
  EXPECT_FALSE(xlashape::Executor() || xlashape::Executor(nullptr) ||
               xlashape::Executor(std::function<bool(int64_t, const Task&)>()) ||
               xlashape::Executor(std::function<void(int64_t, const Task&)>()));
  bool (*no_bool)(int64_t, const Task&) = nullptr;
  void (*no_void)(int64_t, const Task&) = nullptr;
  EXPECT_FALSE(xlashape::Executor(no_bool) || xlashape::Executor(no_void));
}

TEST(Runtime, ExecutorGivesUpOrThrows) {
  std::string out;
  EXPECT_EQ(run([](int64_t, const Task&) { return false; }, &out).error().status(), Status::kCancelled);
  const auto thrown = run([](int64_t, const Task&) -> bool { throw std::runtime_error("mine"); }, &out);
  EXPECT_EQ(thrown.error().status(), Status::kCancelled);
  EXPECT_EQ(thrown.error().message(), "mine");
  EXPECT_EQ(run([](int64_t, const Task&) -> bool { throw 3; }, &out).error().status(), Status::kCancelled);

  RuntimeOptions options;
  options.executor = [](int64_t, const Task&) -> bool { throw std::out_of_range("mine"); };
  options.max_workers = 4;
  const Plan plan = Plan::create(large(), Shape::parse("u8[1024,1024]{0,1}"), {}, Runtime::create(std::move(options)));
  const std::string data(kSize * kSize, 'x');
  EXPECT_THROW(plan.execute(data, out), std::out_of_range);
  EXPECT_THROW(plan.execute(data, out), std::out_of_range);
  // Nothing is left over for the next error.
  EXPECT_THROW((void)Shape::parse("f32["), xlashape::Exception);
  ASSERT_TRUE(run(in_turn, &out));
}

// A plan whose executor throws that, and memory for it.
Plan throwing(const char* what) {
  RuntimeOptions options;
  options.executor = [what](int64_t, const Task&) { throw std::out_of_range(what); };
  options.max_workers = 4;
  return Plan::create(large(), Shape::parse("u8[1024,1024]{0,1}"), {}, Runtime::create(std::move(options)));
}

TEST(Runtime, WhatAnExecutorThrowsBelongsToItsCall) {
  const Plan thrower = throwing("mine");
  const std::string data(kSize * kSize, 'x');
  std::string out(kSize * kSize, '.'), few(3, '.');
  // A call of the C interface tells that it was cancelled, and leaves nothing for the next failure of this layer.
  EXPECT_EQ(xlashape_plan_execute(thrower.get(), data.data(), kBytes, out.data(), kBytes, nullptr),
            XLASHAPE_STATUS_CANCELLED);
  EXPECT_THROW(plan().execute_at(nullptr, nullptr), xlashape::Exception);
  EXPECT_EQ(xlashape_plan_execute(thrower.get(), data.data(), kBytes, out.data(), kBytes, nullptr),
            XLASHAPE_STATUS_CANCELLED);
  EXPECT_EQ(refused(plan().try_execute_at(nullptr, nullptr)), Status::kInvalidArgument);
  // The same from inside an executor and a logger: it is not that call's either.
  const auto inside = [&] {
    EXPECT_EQ(xlashape_plan_execute(thrower.get(), data.data(), kBytes, out.data(), kBytes, nullptr),
              XLASHAPE_STATUS_CANCELLED);
  };
  std::string got;
  const auto gave_up = run([&](int64_t, const Task&) { return inside(), false; }, &got);
  EXPECT_EQ(gave_up.error().status(), Status::kCancelled);
  EXPECT_NE(gave_up.error().message(), "mine");
  // What comes out of a call that makes calls inside is its own.
  const auto own = run(
      [&](int64_t, const Task&) {
        EXPECT_THROW(thrower.execute(data, out), std::out_of_range);
        throw std::runtime_error("outer");
      },
      &got);
  EXPECT_EQ(own.error().message(), "outer");
}

TEST(Runtime, RelayoutHandsOnWhatAnExecutorThrows) {
  RuntimeOptions options;
  options.executor = [](int64_t, const Task&) { throw std::out_of_range("mine"); };
  options.max_workers = 4;
  const Runtime runtime = Runtime::create(std::move(options));
  const std::string data(kSize * kSize, 'x');
  std::string out(kSize * kSize, '.');
  const Shape to = Shape::parse("u8[1024,1024]{0,1}");
  EXPECT_THROW(xlashape::relayout(large(), data, to, out, {}, runtime), std::out_of_range);
  EXPECT_EQ(xlashape::try_relayout(large(), data, to, out, {}, runtime).error().message(), "mine");
}

TEST(Runtime, WhatAnExecutorThrowsIsOneLine) {
  std::string out;
  const auto told = run([](int64_t, const Task&) { throw std::runtime_error("line 1\nline 2 \x1b[31m \xff"); }, &out);
  EXPECT_EQ(told.error().message(), "line 1\\x0aline 2 \\x1b[31m \\xff");
}

TEST(Runtime, TakesEachOption) {
  const struct {
    std::function<void(RuntimeOptions&)> set;
    const char* report;  // holds this; else it is refused so
    Status status;
  } rows[] = {
      {[](RuntimeOptions& o) { o.verify_count = 64; }, "verification: 64 positions of each execution", {}},
      {[](RuntimeOptions& o) { o.cpu = "scalar"; }, "processor: no features used", {}},
      {[](RuntimeOptions& o) {
         o.denied_backends = {"none", "other"};
       },
       "none,other",
       {}},
      {[](RuntimeOptions& o) {
         o.backend_options = {{"one.key", "1"}, {"two.key", "a=b,c"}, {"three.key", ""}};
       },
       "one.key=1, two.key=a=b,c, three.key=\n",
       {}},
      {[](RuntimeOptions& o) { o.cpu = "none-such"; }, nullptr, Status::kInvalidArgument},
      {[](RuntimeOptions& o) {
         o.backend_options = {{"one.key", "1"}, {"one.key", "2"}};
       },
       nullptr, Status::kInvalidArgument},
      {[](RuntimeOptions& o) {
         o.backend_options = {{"key", "1"}};
       },
       nullptr, Status::kInvalidArgument},
  };
  for (const auto& row : rows) {
    RuntimeOptions options;
    row.set(options);
    const auto made = Runtime::try_create(options);
    if (row.report == nullptr)
      EXPECT_EQ(made.error().status(), row.status);
    else
      EXPECT_NE(made.value().report().find(row.report), std::string::npos) << made.value().report();
  }
}

TEST(Runtime, CallsFromInside) {
  std::string out, wanted;
  ASSERT_TRUE(run(in_turn, &wanted));
  ASSERT_TRUE(run(
      [](int64_t count, const Task& task) {
        EXPECT_EQ(Shape::try_parse("f32[x").error().status(), Status::kParse);
        std::string inner;
        EXPECT_FALSE(run([](int64_t, const Task&) -> bool { throw 3; }, &inner));
        return in_turn(count, task);
      },
      &out));
  EXPECT_EQ(out, wanted);
}

// A runtime whose executor and logger count, in `gone`, those of them that are gone.
xlashape::Result<Runtime> counted(std::atomic<int>* gone, std::uint32_t flags = 0) {
  const auto token = [gone] { return std::shared_ptr<void>(nullptr, [gone](void*) { ++*gone; }); };
  RuntimeOptions options;
  options.executor = [kept = token()](int64_t count, const Task& task) { return in_turn(count, task); };
  options.logger = [kept = token()](std::int32_t, std::uint32_t, std::string_view) {};
  options.max_workers = 4;
  options.flags = flags;
  return Runtime::try_create(std::move(options));
}

TEST(Runtime, HooksGoWithTheLastPlan) {
  std::atomic<int> gone = 0;
  Runtime runtime = counted(&gone).value();
  const auto map = xlashape::IndexMap::of(large());
  Plan plan = Plan::create(large(), Shape::parse("u8[1024,1024]{0,1}"), {}, runtime), other = plan;
  auto indices = xlashape::IndexPlan::create(map, xlashape::Conversion::kToLinear, {}, runtime);
  runtime.reset();
  plan = Plan();
  indices.reset();
  EXPECT_EQ(gone, 0);
  const std::string data(kSize * kSize, 'x');
  std::string out(kSize * kSize, '.');
  other.execute(data, out);
  EXPECT_EQ(out, data);
  other.reset();
  EXPECT_EQ(gone, 2);
}

TEST(Runtime, HooksOfAFailureGoAtOnce) {
  std::atomic<int> gone = 0;
  EXPECT_EQ(counted(&gone, 1u << 31).error().status(), Status::kIncompatible);
  EXPECT_EQ(gone, 2);
}

TEST(Runtime, BackendsOfLongPaths) {
  const std::string top = ::testing::TempDir() + "xlashape-" + std::to_string(getpid()), folder(200, 'x');
  const std::string path = top + "/" + folder + "/" + folder + "/" + folder + "/long.so";
  std::filesystem::create_directories(path.substr(0, path.rfind('/')));
  std::ofstream(path) << "no shared object";
  RuntimeOptions options;
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  const Runtime runtime = Runtime::create(options);
  EXPECT_FALSE(runtime.try_load_backend(path));
  std::filesystem::remove_all(top);
  const auto last = runtime.backend(runtime.backend_count() - 1);
  EXPECT_EQ(last.path, path);
  EXPECT_EQ(last.state, XLASHAPE_BACKEND_STATE_FAILED);
  EXPECT_EQ(last.name, "long");
  EXPECT_FALSE(last.detail.empty());
}

TEST(Runtime, ChoosesBackends) {
  const Shape from = Shape::parse("u8[3,4]"), to = Shape::parse("u8[3,4]{0,1}");
  RuntimeOptions options;
  options.backend = "scalar";
  EXPECT_EQ(Plan::create(from, to, {}, Runtime::create(options)).backend(), "scalar");
  options.backend = "none-such";
  EXPECT_EQ(Plan::try_create(from, to, {}, Runtime::create(options)).error().status(), Status::kNotFound);
  options.backend = "none-such,*";
  EXPECT_TRUE(Plan::try_create(from, to, {}, Runtime::create(options)));

  options = {};
  const std::string chosen(Plan::create(from, to).backend());
  options.denied_backends = {"none-such", chosen, "other"};
  const Runtime runtime = Runtime::create(options);
  PlanOptions plan;
  plan.backend = chosen;
  EXPECT_FALSE(Plan::try_create(from, to, plan, runtime));
}

TEST(Runtime, NoEntryBecomesTwo) {
  const std::string nul("x\0y", 3);
  const auto message = [](const RuntimeOptions& options) {
    const auto result = Runtime::try_create(options);
    EXPECT_EQ(result.error().status(), Status::kInvalidArgument);
    EXPECT_THROW((void)Runtime::create(options), xlashape::Exception);
    return std::string(result.error().message());
  };
  RuntimeOptions options;
  options.denied_backends = {"one", "two,three"};
  EXPECT_EQ(message(options), "a name of options.denied_backends has a , in it: two,three");
  options.denied_backends = {nul};
  EXPECT_EQ(message(options), "a name of options.denied_backends has a NUL in it: x\\x00y");
  options = {};
  const std::pair<std::string, std::string> bad[] = {{"a.b;c", "1"}, {"a.b=c", "1"}, {"a." + nul, "1"}};
  for (const auto& option : bad) {
    options.backend_options = {{"a.a", "1"}, option};
    EXPECT_EQ(message(options).find("a name of options.backend_options has a "), 0u);
  }
  for (const std::string& value : {std::string("1;c.d=2"), nul}) {
    options.backend_options = {{"a.b", value}};
    EXPECT_EQ(message(options).find("a value of options.backend_options has a "), 0u);
  }
}

TEST(Runtime, Devices) {
  const Runtime runtime = Runtime::create();
  Plan::create(Shape::parse("u8[4]"), Shape::parse("u8[4]"), {}, runtime);  // loads the backends of the CPU
  EXPECT_EQ(runtime.backend(0).memory_spaces, XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU));
  EXPECT_EQ(runtime.try_device_text(0, 7).error().status(), Status::kOutOfRange);
  EXPECT_EQ(runtime.try_device_text(999).error().status(), Status::kOutOfRange);
  EXPECT_THROW((void)runtime.device_text(0, -1), xlashape::Exception);
}

TEST(Runtime, BackendsAndLog) {
  int lines = 0;
  RuntimeOptions options;
  options.logger = [&lines](int32_t, uint32_t, std::string_view) { ++lines; };
  Runtime runtime = Runtime::create(options);
  ASSERT_GT(runtime.backend_count(), 0);
  EXPECT_FALSE(runtime.backend(0).name.empty());
  EXPECT_FALSE(runtime.try_backend(999));
  const std::vector<xlashape::BackendInfo> all = runtime.backends();
  ASSERT_EQ(static_cast<int64_t>(all.size()), runtime.backend_count());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].name, runtime.backend(static_cast<int64_t>(i)).name);
  EXPECT_FALSE(runtime.report().empty());
  EXPECT_FALSE(runtime.try_load_backend("/nowhere/none.so"));
  EXPECT_FALSE(Runtime().report().empty());  // the default one
  runtime = Runtime();
  EXPECT_FALSE(runtime);
}

// The part of std::extents that a mapping needs.
struct Extents {
  using index_type = int64_t;
  using size_type = uint64_t;
  using rank_type = size_t;
  static constexpr size_t rank() { return 2; }
  int64_t extent(size_t i) const { return sizes[i]; }
  bool operator==(const Extents& other) const { return sizes == other.sizes; }
  std::array<int64_t, 2> sizes;
};

TEST(Mdspan, Mapping) {
  const auto map = xlashape::IndexMap::of(Shape::parse("u8[3,4]{0,1:T(2,2)}"));
  const xlashape::layout_xla::mapping<Extents> mapping(map, Extents{{3, 4}});
  EXPECT_EQ(mapping(2, 3), 14);
  EXPECT_EQ(mapping.required_span_size(), 16);
  EXPECT_FALSE(mapping.is_exhaustive());
  EXPECT_EQ(mapping, mapping);
  const auto again = xlashape::IndexMap::of(Shape::parse("u8[3,4]{0,1:T(2,2)}"));
  const xlashape::layout_xla::mapping<Extents> same(again, Extents{{3, 4}}), none;
  EXPECT_TRUE(mapping == same);
  const xlashape::layout_xla::mapping<Extents> row(xlashape::IndexMap::of(Shape::parse("u8[3,4]")), Extents{{3, 4}});
  EXPECT_TRUE(mapping != row && mapping != none && none == none);
}

}  // namespace
