// SPDX-License-Identifier: Apache-2.0
// Measured plans, wisdom and profiles.
#include <gtest/gtest.h>

#include <stdexcept>
#include <xlashape.hpp>

namespace {

using namespace std::chrono_literals;
using xlashape::Control;
using xlashape::MeasureOptions;
using xlashape::Plan;
using xlashape::Runtime;
using xlashape::RuntimeOptions;
using xlashape::Shape;
using xlashape::Status;

Runtime runtime(RuntimeOptions options = {}) {
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT;
  options.backend = "simd";
  return Runtime::create(std::move(options));
}

// A transpose.
struct Case {
  Case() {
    for (std::size_t i = 0; i < kRows * kColumns; ++i) {
      from[i] = static_cast<std::uint16_t>(i);
      want[i % kColumns * kRows + i / kColumns] = from[i];
    }
  }
  Plan plan(const Runtime& runtime) const { return Plan::create(src, dst, {}, runtime); }
  // Ends after some milliseconds; a busy machine may need more of them, and what does not end is not kept.
  Plan measured(const Runtime& runtime, MeasureOptions how = {10s}) const {
    return Plan::create_measured(src, dst, how, {}, runtime);
  }
  bool moves(const Plan& plan) const {
    std::vector<std::uint16_t> to(from.size());
    plan.execute(from, to);
    return to == want;
  }

  static constexpr std::size_t kRows = 64, kColumns = 96;
  Shape src = Shape::parse("u16[64,96]{1,0}"), dst = Shape::parse("u16[64,96]{0,1}");
  std::vector<std::uint16_t> from = std::vector<std::uint16_t>(kRows * kColumns), want = from;
};

TEST(Measuring, PlansAndWisdom) {
  const Case c;
  const Runtime one = runtime(), other = runtime();
  EXPECT_TRUE(c.moves(c.measured(one)));
  const std::string wisdom = one.wisdom();
  EXPECT_EQ(wisdom.rfind("xlashape wisdom 1\nprocessor ", 0), 0u) << wisdom;
  EXPECT_EQ(other.import_wisdom(wisdom), 1);
  EXPECT_EQ(other.wisdom(), wisdom);
  EXPECT_TRUE(c.moves(c.plan(other)));
  other.forget_wisdom();
  EXPECT_EQ(other.import_wisdom(other.wisdom()), 0);
  EXPECT_EQ(one.wisdom(), wisdom);
}

TEST(Measuring, OnMemoryOfTheCaller) {
  const Case c;
  std::vector<std::uint16_t> to(c.from.size());
  EXPECT_TRUE(c.moves(c.measured(runtime(), {1ms, c.from.data(), to.data()})));
  EXPECT_EQ(to, c.want);
}

TEST(Measuring, Refused) {
  const Case c;
  const Runtime one = runtime();
  const auto half = Plan::try_create_measured(c.src, c.dst, {1ms, c.from.data()}, {}, one);
  EXPECT_EQ(half.error().message(), "how: only one of src and dst is given");

  const auto taken = one.try_import_wisdom("xlashape wisdom 1\nprocessor x\nhello\n");
  EXPECT_EQ(taken.error().status(), Status::kParse);
  EXPECT_EQ(taken.error().message().substr(0, 8), "line 3: ");
  RuntimeOptions wrong;
  wrong.profile = "hello\n";
  EXPECT_EQ(Runtime::try_create(wrong).error().message().substr(0, 25), "options.profile: line 1: ");
  wrong.profile = std::string("a\0b", 3);
  EXPECT_EQ(Runtime::try_create(wrong).error().message(), "options.profile has a NUL in it: a\\x00b");
  EXPECT_EQ(xlashape::try_calibrate(-1ns, {}, one).error().status(), Status::kInvalidArgument);
}

TEST(Measuring, HandsOnWhatAnExecutorThrows) {
  RuntimeOptions options;
  options.max_workers = 4;
  options.executor = [](std::int64_t, const xlashape::Task&) { throw std::out_of_range("mine"); };
  const Runtime throwing = runtime(options);
  const Shape src = Shape::parse("u16[1024,1536]{1,0}"), dst = Shape::parse("u16[1024,1536]{0,1}");
  EXPECT_THROW(Plan::create_measured(src, dst, {1ms}, {}, throwing), std::out_of_range);
  EXPECT_EQ(Plan::try_create_measured(src, dst, {1ms}, {}, throwing).error().message(), "mine");
}

TEST(Measuring, Profile) {
  std::int64_t last = 0, all = -1;
  Control control;
  control.progress = [&](std::int64_t done, std::int64_t count) {
    EXPECT_GE(done, last);
    last = done, all = count;
  };
  RuntimeOptions options;
  options.profile = xlashape::calibrate(10ms, control, runtime());
  EXPECT_EQ(last, all);
  EXPECT_EQ(options.profile->rfind("xlashape profile 1\nprocessor ", 0), 0u) << *options.profile;
  const Case c;
  const Runtime with = runtime(options);
  EXPECT_TRUE(c.moves(c.plan(with)));
  EXPECT_EQ(with.profile_path(), "") << "no environment says where";
}

TEST(Measuring, ACalibrationThatIsEnded) {
  const std::atomic<std::int32_t> cancel = 1;
  Control control;
  control.cancel = &cancel;
  EXPECT_EQ(xlashape::try_calibrate({}, control, runtime()).error().status(), Status::kCancelled);
  control.cancel = nullptr;
  control.progress = [](std::int64_t, std::int64_t) { throw std::out_of_range("mine"); };
  EXPECT_THROW(xlashape::calibrate({}, control, runtime()), std::out_of_range);
}

}  // namespace
