// SPDX-License-Identifier: Apache-2.0
// Verification: silent about what is right, whatever the relayout; and every wrong bit that an execution is answerable
// for is found, by a backend that runs as the scalar one does and then changes something.
#include "exec/verify.h"

#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

#include "byte_count.h"
#include "exec/plan.h"
#include "exec/runtime.h"
#include "index/index_map.h"
#include "runtime/registry.h"
#include "unit/random_relayout.h"
#include "xlashape_runtime.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);

namespace xlashape::core {
namespace {

using ::testing::AllOf;
using testing::Case;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Random;

constexpr int64_t kAll = int64_t{1} << 62;

// The liar: the scalar backend, whose executions end with `lie` once all tasks are done.
xlashape_backend honest;
std::function<void(const xlashape_run&)> lie;
std::atomic<int64_t> wished_tasks{1}, tasks_done{0};

xlashape_status lying_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                              xlashape_error* err) {
  const xlashape_status status = honest.plan_execute(self, storage, op, run, err);
  const int64_t ran = run->task_end - run->task_begin;
  if (tasks_done.fetch_add(ran) + ran < run->task_count) return status;
  tasks_done = 0;
  if (lie) lie(*run);
  return status;
}

xlashape_status open_liar(const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
  const xlashape_status status = xlashape_backend_open_scalar(host, table, err);
  honest = *table;
  table->name = "liar";
  table->plan_execute = lying_execute;
  table->plan_tasks = [](void*, const void*, const xlashape_op*, int64_t) -> int64_t { return wished_tasks; };
  table->describe = [](void*, const void*, const xlashape_op*, char* text, int64_t capacity) {
    return int64_t{std::snprintf(text, static_cast<size_t>(capacity), "liar's plan")};
  };
  return status;
}

int32_t on_threads(void*, int64_t count, void* opaque, void (*task)(void*, int64_t, uint32_t)) {
  std::vector<std::thread> threads;
  std::atomic<int64_t> next{0};
  for (uint32_t worker = 0; worker < 3; ++worker)
    threads.emplace_back([&, worker] {
      for (int64_t i; (i = next++) < count;) task(opaque, i, worker);
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

std::string logged;

class Verify : public ::testing::Test {
 protected:
  void SetUp() override {
    lie = nullptr;
    tasks_done = 0;
    wished_tasks = 1;
    logged.clear();
  }

  void start(int64_t positions) {
    xlashape_runtime_options options{};
    options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
    options.verify_count = positions;
    const xlashape_executor executor{sizeof executor, 3, nullptr, on_threads, nullptr};
    options.executor = &executor;
    auto logger = XLASHAPE_INIT(xlashape_logger);
    logger.log = [](void*, int32_t level, uint32_t, const char* text, int64_t size) {
      if (level == XLASHAPE_LOG_ERROR) logged.assign(text, size);
    };
    options.logger = &logger;
    ASSERT_EQ(create_runtime(options, &runtime_, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(xlashape_runtime_add_backend(runtime_.get(), "liar", 4, open_liar, nullptr, nullptr, 0, &err_),
              XLASHAPE_STATUS_OK)
        << err_.message;
  }

  Ref<Plan> plan_of(const RelayoutRequest& request) {
    PlanOptions options;
    options.backend = "liar";
    Ref<Plan> plan;
    EXPECT_EQ(make_plan(*runtime_, request, options, &plan, &err_), XLASHAPE_STATUS_OK) << err_.message;
    return plan;
  }

  xlashape_status relayout(const Case& c, const void* src, void* dst) {
    const Ref<Plan> plan = plan_of(c.request);
    return xlashape_plan_execute(plan.get(), src, XLASHAPE_UNCHECKED, dst, XLASHAPE_UNCHECKED, &err_);
  }

  Ref<Runtime> runtime_;
  xlashape_error err_ = {sizeof(xlashape_error), 0, -1, -1, 0, 0, {}};
};

// A relayout's form and memory of both sides.
struct Memory {
  alignas(16) char space[16384];
  Arena arena{space, sizeof space};
  xlashape_relayout_ir ir;
  std::vector<unsigned char> src_bytes, dst_bytes;

  Memory(Random& random, const Case& c) {
    if (build_relayout(c.request, arena, &ir, nullptr)) throw std::runtime_error("no relayout");
    src_bytes = testing::random_bytes(random, ir.src_high - ir.src_low + 1);
    dst_bytes = testing::random_bytes(random, ir.dst_high - ir.dst_low + 1);
  }
  const unsigned char* src() const { return src_bytes.data() - ir.src_low; }
  unsigned char* dst() { return dst_bytes.data() - ir.dst_low; }
};

TEST_F(Verify, RandomRelayoutsRightAndWrong) {
  start(kAll);
  Random random(20260);
  int lies = 0, padding_lies = 0;
  const int64_t count = testing::case_count(1500);
  for (int64_t i = 0; i < count; ++i) {
    const Case c = i % 4 == 3 ? testing::random_value_case(random) : testing::random_case(random);
    Memory memory(random, c);
    const xlashape_relayout_ir& ir = memory.ir;
    wished_tasks = random.chance(50) ? 1 : random.in(2, 5);
    lie = nullptr;
    ASSERT_EQ(relayout(c, memory.src(), memory.dst()), XLASHAPE_STATUS_OK) << err_.message << "\n" << c.name();

    // A bit of an element, or of filled padding.
    const bool box = (ir.flags & XLASHAPE_IR_HAS_BOX) != 0;
    int64_t index[1024], at = -1;
    if (ir.has_padding && ir.fill_policy == XLASHAPE_FILL_PADDING && random.chance(50)) {
      at = random.in(0, ir.dst->positions - 1);
      padding_lies += !reference::index_at(*ir.dst, at, index);
    } else if (ir.elements > 0) {
      for (int32_t d = 0; d < ir.dst->rank; ++d) index[d] = ir.dst_base[d] + random.in(0, ir.extent[d] - 1);
      at = reference::position(*ir.dst, index);
    } else {
      continue;
    }
    const int64_t first = at * ir.dst->unit_bits;
    const int64_t bit = (first & ~int64_t{7}) +
                        reference::lowest_bit(at, ir.dst->unit_bits, reference::dst_high_first(ir)) +
                        random.in(0, ir.dst_container_bits - 1);
    lie = [bit](const xlashape_run& run) {
      reinterpret_cast<unsigned char*>(run.dst)[bit >> 3] ^= static_cast<unsigned char>(1 << (bit & 7));
    };
    err_.source = 0;
    ASSERT_EQ(relayout(c, memory.src(), memory.dst()), XLASHAPE_STATUS_INTERNAL) << c.name() << " bit " << bit;
    ++lies;
    const std::string message = err_.message;
    ASSERT_THAT(message, AllOf(HasSubstr("verify: backend liar: destination byte "), HasSubstr("plan: liar's plan")))
        << c.name();
    ASSERT_EQ(message, logged);
    ASSERT_EQ(err_.offset, at * ir.dst->unit_bits >> 3);
    ASSERT_EQ(err_.index, -1);
    ASSERT_EQ(err_.source, 2u);  // scalar is the first
    ASSERT_EQ(message.find(", box [") != std::string::npos, box) << message;
    ASSERT_EQ(message.find("tasks") != std::string::npos, wished_tasks > 1) << message;
  }
  EXPECT_GT(lies, count * 13 / 15);
  EXPECT_GT(padding_lies, count / 40);
}

TEST_F(Verify, NamesPlaceShapesAndPlan) {
  start(kAll);
  const Ref<Shape> src = testing::parsed("u8[3,4]"), dst = testing::parsed("u8[3,4]{0,1:T(2,4)PV(one)}");
  const Case c = testing::case_of(src, dst);
  unsigned char from[12], to[16];
  std::iota(from, from + 12, static_cast<unsigned char>(0x10));
  const auto wrong_at = [&](int byte) {
    lie = [byte](const xlashape_run& run) { reinterpret_cast<unsigned char*>(run.dst)[byte] = 0x99; };
    EXPECT_EQ(relayout(c, from, to), XLASHAPE_STATUS_INTERNAL);
    return std::string(err_.message);
  };
  EXPECT_EQ(wrong_at(5),
            "verify: backend liar: destination byte 5, element [1,1], holds 0x99, the source has 0x15 at byte 5: "
            "u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,4)PV(one)}; plan: liar's plan");
  EXPECT_EQ(wrong_at(3),
            "verify: backend liar: destination byte 3 is padding and holds 0x99, the fill is 0x01: u8[3,4]{1,0} -> "
            "u8[3,4]{0,1:T(2,4)PV(one)}; plan: liar's plan");
  // In one shot, too; and without a record the logger hears it.
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "liar";
  logged.clear();
  EXPECT_EQ(xlashape_relayout(runtime_.get(), src.get(), from, 12, dst.get(), to, 16, &options, nullptr),
            XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(logged, HasSubstr("u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,4)PV(one)}; plan: liar's plan"));
  // A record of numbers alone.
  xlashape_error numbers{};
  numbers.struct_size = 32;
  EXPECT_EQ(xlashape_relayout(runtime_.get(), src.get(), from, 12, dst.get(), to, 16, &options, &numbers),
            XLASHAPE_STATUS_INTERNAL);
  EXPECT_EQ(numbers.offset, 3);
  EXPECT_EQ(numbers.source, 2u);
}

TEST_F(Verify, LongTextsAreCut) {
  start(kAll);
  std::string bounds, order;
  for (int i = 0; i < 200; ++i) {
    bounds += i ? ",1" : "2";
    order = std::to_string(i) + (i ? "," : "") + order;
  }
  const Ref<Shape> shape = testing::parsed("u8[" + bounds + "]{" + order + "}");
  const Case c = testing::case_of(shape, shape);
  lie = [](const xlashape_run& run) { ++*reinterpret_cast<unsigned char*>(run.dst); };
  const unsigned char from[2] = {1, 2};
  unsigned char to[2];
  EXPECT_EQ(relayout(c, from, to), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, AllOf(HasSubstr("element [0,0,0,0,0,0,0,0,...]"), HasSubstr("u8[2,1,"), HasSubstr(" -> "),
                                  HasSubstr("plan: liar's plan")));
}

TEST_F(Verify, SpareBits) {
  start(1);
  const Ref<Shape> shape = testing::parsed("u4[3]{0:E(4)}");
  const Case c = testing::case_of(shape, shape);
  lie = [](const xlashape_run& run) { reinterpret_cast<unsigned char*>(run.dst)[1] |= 0x50; };
  const unsigned char from[2] = {0x21, 0x03};
  unsigned char to[2];
  EXPECT_EQ(relayout(c, from, to), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("the spare bits of destination byte 1 are 0x05, they must be 0"));
}

TEST_F(Verify, OntoItself) {
  start(kAll);
  const Ref<Shape> shape = testing::parsed("u8[3]{0:T(8)}");
  const Case c = testing::case_of(shape, shape);
  unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(relayout(c, bytes, bytes), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(bytes[3], 0);
  lie = [](const xlashape_run& run) { reinterpret_cast<unsigned char*>(run.dst)[7] = 8; };
  EXPECT_EQ(relayout(c, bytes, bytes), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("destination byte 7 is padding and holds 0x08"));
}

// One half of a buffer to the other: that is the same address on both sides, and not in place.
TEST_F(Verify, WithinABuffer) {
  start(kAll);
  const Ref<Shape> shape = testing::parsed("u8[8]");
  const int64_t second[] = {4}, extent[] = {4};
  Case c = testing::case_of(shape, shape);
  c.request.dst.base = second;
  c.request.extent = extent;
  unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(relayout(c, bytes, bytes), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(bytes[6], 3);
  lie = [](const xlashape_run& run) { reinterpret_cast<unsigned char*>(run.dst)[6] = 9; };
  EXPECT_EQ(relayout(c, bytes, bytes), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("destination byte 6, element [6], holds 0x09, the source has 0x03"));
}

// 16 of 4096 positions: half of the array wrong is always seen; one wrong byte, sooner or later, as each execution
// looks elsewhere.
TEST_F(Verify, DrawnAnew) {
  start(16);
  const Ref<Shape> src = testing::parsed("u8[64,64]"), dst = testing::parsed("u8[64,64]{0,1}");
  const Case c = testing::case_of(src, dst);
  std::vector<unsigned char> from(4096, 7), to(4096);
  const Ref<Plan> plan = plan_of(c.request);
  const auto execute = [&] {
    return xlashape_plan_execute(plan.get(), from.data(), byte_count(from), to.data(), byte_count(to), &err_);
  };
  for (int i = 0; i < 100; ++i) ASSERT_EQ(execute(), XLASHAPE_STATUS_OK) << err_.message;
  lie = [](const xlashape_run& run) { std::memset(reinterpret_cast<void*>(run.dst), 9, 2048); };
  for (int i = 0; i < 100; ++i) ASSERT_EQ(execute(), XLASHAPE_STATUS_INTERNAL);
  lie = [](const xlashape_run& run) { reinterpret_cast<unsigned char*>(run.dst)[1234] = 9; };
  int found = 0;
  for (int i = 0; i < 20000; ++i) found += execute() == XLASHAPE_STATUS_INTERNAL;
  EXPECT_GT(found, 20000 / 256 / 2);
  EXPECT_LT(found, 20000 / 256 * 2);
  EXPECT_THAT(report(*runtime_), HasSubstr("verification: 16 positions of each execution; 20200 executions verified"));
}

// Few elements in much padding, and little padding among elements, are both looked at.
TEST_F(Verify, HalfOfTheDrawIsElements) {
  start(8);
  const Ref<Shape> src = testing::parsed("u8[4]"), sparse = testing::parsed("u8[4]{0:T(65536)}");
  const Case c = testing::case_of(src, sparse);
  const unsigned char from[4] = {1, 2, 3, 4};
  std::vector<unsigned char> to(65536);
  lie = [](const xlashape_run& run) { reinterpret_cast<unsigned char*>(run.dst)[3] ^= 1; };
  EXPECT_EQ(relayout(c, from, to.data()), XLASHAPE_STATUS_INTERNAL) << "4 of 8 are all 4 elements";
  lie = [](const xlashape_run& run) { std::memset(reinterpret_cast<unsigned char*>(run.dst) + 4, 5, 65532); };
  EXPECT_EQ(relayout(c, from, to.data()), XLASHAPE_STATUS_INTERNAL);
}

TEST_F(Verify, ListsAndParts) {
  start(kAll);
  const Ref<Shape> src = testing::parsed("u8[2,2]"), dst = testing::parsed("u8[2,2]{0,1}");
  const Case c = testing::case_of(src, dst);
  const unsigned char from[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  unsigned char to[12];
  const Ref<Plan> plan = plan_of(c.request);
  lie = [&](const xlashape_run& run) {
    if (run.dst == reinterpret_cast<uintptr_t>(to + 8)) to[9] = 0;
  };
  xlashape_plan* const plans[] = {plan.get(), plan.get(), plan.get()};
  const auto at = [](const unsigned char* memory) -> uint64_t { return reinterpret_cast<uintptr_t>(memory); };
  const uint64_t froms[] = {at(from), at(from + 4), at(from + 8)}, tos[] = {at(to), at(to + 4), at(to + 8)};
  EXPECT_EQ(xlashape_plan_execute_list(3, plans, froms, nullptr, tos, nullptr, nullptr, &err_),
            XLASHAPE_STATUS_INTERNAL);
  EXPECT_EQ(err_.index, 2);
  EXPECT_EQ(err_.offset, 1);
  EXPECT_EQ(err_.source, 2u);

  // Some of the tasks are not an execution; all of them are, whoever counts them.
  lie = [&](const xlashape_run&) { to[0] = 99; };
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(from);
  exec.dst = reinterpret_cast<uintptr_t>(to);
  exec.src_bytes = exec.dst_bytes = 12;
  exec.task_count = 2;
  for (exec.task_begin = 0; exec.task_begin < 2; ++exec.task_begin) {
    exec.task_end = exec.task_begin + 1;
    EXPECT_EQ(xlashape_plan_execute_with(plan.get(), &exec, &err_), XLASHAPE_STATUS_OK);
  }
  exec.task_begin = 0;
  EXPECT_EQ(xlashape_plan_execute_with(plan.get(), &exec, &err_), XLASHAPE_STATUS_INTERNAL);
  // Offsets count.
  unsigned char shifted[8] = {};
  lie = nullptr;
  exec.dst = reinterpret_cast<uintptr_t>(shifted);
  exec.dst_bytes = 8;
  exec.dst_byte_offset = 3;
  exec.src_byte_offset = 2;
  EXPECT_EQ(xlashape_plan_execute_with(plan.get(), &exec, &err_), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(shifted[4], 5);
}

class VerifyIndices : public Verify {
 protected:
  void SetUp() override {
    Verify::SetUp();
    start(kAll);
    const Ref<Shape> shape = testing::parsed("u8[3,5]{1,0:T(2,4)}");
    ASSERT_EQ(make_index_map(*shape, &map_, nullptr), XLASHAPE_STATUS_OK);
  }

  Ref<IndexPlan> plan_of_indices(xlashape_index_conversion conversion, uint32_t flags) {
    auto options = XLASHAPE_INIT(xlashape_index_options);
    options.flags = flags;
    options.backend = "liar";
    xlashape_index_plan* plan = nullptr;
    EXPECT_EQ(xlashape_index_plan_create(runtime_.get(), map_.get(), conversion, &options, &plan, &err_),
              XLASHAPE_STATUS_OK);
    return Ref<IndexPlan>::adopt(plan);
  }

  xlashape_status convert(const Ref<IndexPlan>& plan, const std::vector<int64_t>& in, std::vector<int64_t>* out,
                          int64_t count, int64_t* bad = nullptr) {
    return xlashape_index_plan_execute(plan.get(), count, in.data(), byte_count(in), out->data(), byte_count(*out), bad,
                                       &err_);
  }

  Ref<IndexMap> map_;
};

TEST_F(VerifyIndices, ToLinear) {
  std::vector<int64_t> in = {0, 0, 2, 4, 1, 3}, out(3);
  const Ref<IndexPlan> plan = plan_of_indices(XLASHAPE_CONVERSION_TO_LINEAR, 0);
  ASSERT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_OK) << err_.message;
  lie = [](const xlashape_run& run) { ++reinterpret_cast<int64_t*>(run.dst)[1]; };
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_INTERNAL);
  EXPECT_STREQ(err_.message,
               "verify: backend liar: entry 1 of the batch, [2,4], became [25], it is [24]: indices of [3,5] in 32 "
               "positions; plan: liar's plan");
  EXPECT_EQ(err_.index, 1);
  EXPECT_EQ(err_.offset, -1);
  // Calling a good one bad.
  lie = [](const xlashape_run& run) { *run.first_invalid = 2; };
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("entry 2 of the batch, [1,3], is called invalid, it is [7]"));
  lie = [](const xlashape_run& run) { *run.first_invalid = -5; };
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("the first invalid index is -5"));
  // A bad one is told as ever; and not to see it is a lie.
  lie = nullptr;
  in[2] = 3;
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(err_.index, 1);
  lie = [](const xlashape_run& run) { *run.first_invalid = run.count; };
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, AllOf(HasSubstr("entry 1 of the batch, [3,4], became"), HasSubstr("it is invalid")));
}

TEST_F(VerifyIndices, ToMultidimensional) {
  std::vector<int64_t> in = {7, 24, 31}, out(6);  // 31 is padding
  const Ref<IndexPlan> plan = plan_of_indices(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, XLASHAPE_INDEX_MARK_INVALID);
  int64_t bad = -1;
  ASSERT_EQ(convert(plan, in, &out, 3, &bad), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(bad, 1);
  EXPECT_EQ(out, (std::vector<int64_t>{1, 3, 2, 4, -1, -1}));
  lie = [](const xlashape_run& run) { reinterpret_cast<int64_t*>(run.dst)[5] = 0; };
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("entry 2 of the batch, [31], became [-1,0], it is invalid"));
  lie = [](const xlashape_run& run) { reinterpret_cast<int64_t*>(run.dst)[2] = 1; };
  EXPECT_EQ(convert(plan, in, &out, 3), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("entry 1 of the batch, [24], became [1,4], it is [2,4]"));
  lie = [](const xlashape_run& run) { ++*run.invalid_count; };
  EXPECT_EQ(convert(plan, in, &out, 3, &bad), XLASHAPE_STATUS_INTERNAL);
  EXPECT_THAT(err_.message, HasSubstr("1 of 3 entries are invalid, it counted 2"));
}

// A scalar's indices have no entries, and may have no memory.
TEST_F(VerifyIndices, OfScalars) {
  ASSERT_EQ(make_index_map(*testing::parsed("f32[]"), &map_, nullptr), XLASHAPE_STATUS_OK);
  std::vector<int64_t> zeros = {0, 0}, none;
  const Ref<IndexPlan> away = plan_of_indices(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, 0);
  EXPECT_EQ(convert(away, zeros, &none, 2), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_EQ(convert(plan_of_indices(XLASHAPE_CONVERSION_TO_LINEAR, 0), none, &zeros, 2), XLASHAPE_STATUS_OK)
      << err_.message;
  zeros[1] = 1;
  EXPECT_EQ(convert(away, zeros, &none, 2), XLASHAPE_STATUS_OUT_OF_RANGE);
}

TEST_F(Verify, OffByDefault) {
  start(0);
  const Ref<Shape> shape = testing::parsed("u8[4]");
  const Case c = testing::case_of(shape, shape);
  const unsigned char from[4] = {1, 2, 3, 4};
  unsigned char to[4];
  lie = [](const xlashape_run& run) { ++*reinterpret_cast<unsigned char*>(run.dst); };
  EXPECT_EQ(relayout(c, from, to), XLASHAPE_STATUS_OK);
  EXPECT_THAT(report(*runtime_), Not(HasSubstr("verification")));
}

}  // namespace
}  // namespace xlashape::core
