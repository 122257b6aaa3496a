// SPDX-License-Identifier: Apache-2.0
// Relayouts within one array, as a caller sees them: what they ask for, what they refuse and why, and what becomes of
// the array when one does not come to its end.
#include <atomic>
#include <numeric>

#include "api.h"
#include "xlashape_backend.h"

namespace {

using api::message;
using api::ok;
using api::Plan;
using api::Runtime;
using api::shape;
using testing::HasSubstr;
using testing::StartsWith;

using Bytes = std::vector<unsigned char>;

xlashape_relayout_options in_place() {
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.flags = XLASHAPE_PLAN_IN_PLACE;
  return options;
}

Plan plan_in_place(const Runtime& runtime, std::string_view src, std::string_view dst) {
  const xlashape_relayout_options options = in_place();
  return api::plan(runtime.get(), src, dst, &options);
}

xlashape_plan_requirements requirements(const Plan& plan) {
  auto needs = XLASHAPE_INIT(xlashape_plan_requirements);
  EXPECT_EQ(xlashape_plan_get_requirements(plan.get(), &needs, nullptr), XLASHAPE_STATUS_OK);
  return needs;
}

// f32[700,300]: more than a panel, and no square.
struct Matrix {
  static constexpr int64_t kRows = 700, kColumns = 300;
  std::vector<float> array = std::vector<float>(kRows * kColumns), moved = array;
  Matrix() {
    for (size_t i = 0; i < array.size(); ++i) {
      array[i] = static_cast<float>(i);
      moved[i % kColumns * kRows + i / kColumns] = array[i];
    }
  }
  int64_t bytes() const { return byte_count(array); }
  xlashape_execute_options onto_itself() {
    auto how = XLASHAPE_INIT(xlashape_execute_options);
    how.src = how.dst = reinterpret_cast<uintptr_t>(array.data());
    how.src_bytes = how.dst_bytes = bytes();
    return how;
  }
};
constexpr const char *kFrom = "f32[700,300]{1,0}", *kTo = "f32[700,300]{0,1}";

TEST(InPlace, MovesAndComesBack) {
  for (const int threads : {1, 2}) {
    const Runtime runtime = api::runtime_of(threads);
    const Plan there = plan_in_place(runtime, kFrom, kTo), back = plan_in_place(runtime, kTo, kFrom);
    Matrix m;
    const std::vector<float> before = m.array;
    void* const at = m.array.data();
    ASSERT_EQ(xlashape_plan_execute(there.get(), at, m.bytes(), at, m.bytes(), nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(m.array, m.moved);
    ASSERT_EQ(xlashape_plan_execute(back.get(), at, m.bytes(), at, m.bytes(), nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(m.array, before);
  }
}

TEST(InPlace, OneShot) {
  Matrix m;
  const api::Shape from = shape(kFrom), to = shape(kTo);
  const xlashape_relayout_options options = in_place();
  void* const at = m.array.data();
  ASSERT_EQ(xlashape_relayout(nullptr, from.get(), at, m.bytes(), to.get(), at, m.bytes(), &options, nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_EQ(m.array, m.moved);
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_relayout, nullptr, from.get(), at, m.bytes() - 1, to.get(),
                      at, m.bytes(), &options),
              HasSubstr("src_bytes"));
}

TEST(InPlace, BothPointersAreTheArray) {
  Matrix m;
  std::vector<float> other = m.array;
  const Plan plan = plan_in_place(api::runtime_of(1), kFrom, kTo);
  EXPECT_EQ(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute, plan.get(), m.array.data(), m.bytes(),
                    other.data(), m.bytes()),
            "the plan runs in place: src and dst must be equal");
  EXPECT_EQ(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute, plan.get(), nullptr, m.bytes(), nullptr,
                    m.bytes()),
            "src is NULL");
  xlashape_execute_options how = m.onto_itself();
  how.src_byte_offset = 4, how.src_bytes += 4;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute_with, plan.get(), &how),
              HasSubstr("src and dst must be equal"));
  const Plan apart = api::plan(nullptr, kFrom, kTo);
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute, apart.get(), m.array.data(), m.bytes(),
                      m.array.data(), m.bytes()),
              HasSubstr("must not overlap"));
  EXPECT_EQ(m.array, other) << "something was written";
  const Plan none = plan_in_place(api::runtime_of(1), "f32[0,4]{1,0}", "f32[0,4]{0,1}");
  ok(xlashape_plan_execute, none.get(), nullptr, 0, nullptr, 0);
}

TEST(InPlace, SaysWhatCannotBe) {
  const int64_t strides[] = {16, 4}, base[] = {0, 0}, extent[] = {2, 2};
  const auto refused = [&](const char* src, const char* dst, const auto& change) {
    xlashape_relayout_options options = in_place();
    change(options);
    xlashape_plan* made = nullptr;
    return message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_plan_create, nullptr, shape(src).get(), shape(dst).get(),
                   &options, &made);
  };
  const auto as_it_is = [](xlashape_relayout_options&) {};
  const std::string end = ": give the destination memory of its own";
  EXPECT_EQ(refused("f32[4,4]{1,0}", "f32[4,4]{0,1:T(8,128)}", as_it_is),
            "in place: a layout has padding, which the other one has no place for" + end);
  EXPECT_THAT(refused("f32[3,5]{1,0:T(8,128)}", "f32[3,5]{0,1:T(8,128)}", as_it_is), HasSubstr("padding"));
  // The same layout twice, whose padding would have to be filled; else there is nothing to do.
  EXPECT_THAT(refused("f32[3,5]{1,0:T(8,128)}", "f32[3,5]{1,0:T(8,128)}", as_it_is), HasSubstr("padding"));
  xlashape_relayout_options preserve = in_place();
  preserve.fill_policy = XLASHAPE_FILL_PRESERVE;
  const Plan nothing = api::plan(nullptr, "f32[3,5]{1,0:T(8,128)}", "f32[3,5]{1,0:T(8,128)}", &preserve);
  EXPECT_EQ(api::text_from(xlashape_plan_describe, nothing.get()), "in place: nothing to move");
  EXPECT_THAT(refused("s4[4,4]{1,0:E(4)}", "s4[4,4]{0,1:E(8)}", as_it_is), HasSubstr("different numbers of bits"));
  EXPECT_THAT(refused("s4[4,4]{1,0:E(4)}", "s4[4,4]{0,1:E(4)}", as_it_is), HasSubstr("within bytes"));
  EXPECT_THAT(refused("f32[12]{0:T(4)}", "f32[12]{0:T(6)}", as_it_is), StartsWith("in place: "));
  EXPECT_THAT(refused("f32[4,4]{1,0}", "f32[4,4]{0,1}", [&](auto& o) { o.dst_byte_strides = strides; }),
              HasSubstr("a box, or strides"));
  EXPECT_THAT(refused("f32[4,4]{1,0}", "f32[4,4]{0,1}", [&](auto& o) { o.src_byte_strides = strides; }),
              HasSubstr("a box, or strides"));
  EXPECT_THAT(
      refused("f32[4,4]{1,0}", "f32[4,4]{0,1}", [&](auto& o) { o.src_base = o.dst_base = base, o.extent = extent; }),
      HasSubstr("a box, or strides"));
  // Pairs of nibbles that stay together may move.
  Bytes nibbles(64), moved(64);
  std::iota(nibbles.begin(), nibbles.end(), static_cast<unsigned char>(0));
  for (size_t i = 0; i < 64; ++i) moved[i % 8 * 8 + i / 8] = nibbles[i];
  const Plan pairs = plan_in_place(api::runtime_of(1), "s4[8,8,2]{2,1,0:E(4)}", "s4[8,8,2]{2,0,1:E(4)}");
  ASSERT_EQ(xlashape_plan_execute(pairs.get(), nibbles.data(), 64, nibbles.data(), 64, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(nibbles, moved);
}

TEST(InPlace, AnswersForItself) {
  const Runtime one = api::runtime_of(1), three = api::runtime_of(3);
  const Plan plan = plan_in_place(one, kFrom, kTo), many = plan_in_place(three, kFrom, kTo);
  const xlashape_plan_requirements needs = requirements(plan);
  EXPECT_GT(needs.scratch_bytes, 0);
  EXPECT_LT(needs.scratch_bytes, 700 * 300 * 4 / 2);
  EXPECT_EQ(needs.scratch_alignment, 64);
  EXPECT_EQ(needs.stack_bytes, 256 << 10);
  EXPECT_LT(requirements(many).scratch_bytes, 700 * 300 * 4 / 2) << "threads do not make it as much as the array";
  const Plan large = plan_in_place(three, "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}");
  EXPECT_EQ(requirements(large).scratch_bytes, 3 * (64 << 10));
  EXPECT_EQ(xlashape_plan_task_count(many.get(), 3), 1);
  int64_t ns = 7;
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_plan_predict, plan.get(), &ns), HasSubstr("in place"));
  EXPECT_EQ(ns, 0);
  EXPECT_THAT(api::text_from(xlashape_plan_describe, plan.get()), StartsWith("in place: "));
  const Plan nothing = plan_in_place(one, kFrom, kFrom);
  EXPECT_EQ(api::text_from(xlashape_plan_describe, nothing.get()), "in place: nothing to move");
  EXPECT_EQ(requirements(nothing).scratch_bytes, 0);
  const xlashape_relayout_options options = in_place();
  const api::Shape from = shape(kFrom), to = shape(kTo);
  EXPECT_EQ(api::text_from(xlashape_plan_key, from.get(), to.get(), &options),
            std::string(kFrom) + " -> " + kTo + " in_place=1");
  auto how = XLASHAPE_INIT(xlashape_measure_options);
  const Plan measured = api::make<Plan>(xlashape_plan_create_measured, one.get(), from.get(), to.get(), &options, &how);
  EXPECT_THAT(api::text_from(xlashape_plan_describe, measured.get()), StartsWith("in place: "));
}

// Sizes that no memory has are numbers like others: those of both dimensions are prime.
TEST(InPlace, OfAnArrayThatNobodyHas) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  const xlashape_executor executor = api::in_order(1 << 20);
  options.executor = &executor;
  const Plan plan =
      plan_in_place(api::runtime_of(options), "u8[2147483647,2147483629]{1,0}", "u8[2147483647,2147483629]{0,1}");
  EXPECT_GT(requirements(plan).scratch_bytes, 0);
}

TEST(InPlace, TakesTheCallersMemory) {
  Matrix m;
  const Plan plan = plan_in_place(api::runtime_of(1), kFrom, kTo);
  const xlashape_plan_requirements needs = requirements(plan);
  Bytes memory(static_cast<size_t>(needs.scratch_bytes) + 64);
  xlashape_execute_options how = m.onto_itself();
  how.scratch = (reinterpret_cast<uintptr_t>(memory.data()) + 63) / 64 * 64;
  how.scratch_bytes = needs.scratch_bytes - 1;
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_plan_execute_with, plan.get(), &how),
              HasSubstr("options.scratch has"));
  how.scratch_bytes = needs.scratch_bytes;
  how.scratch += 1;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute_with, plan.get(), &how),
              HasSubstr("a multiple of 64"));
  how.scratch -= 1;
  // An executor with more workers than the runtime has gets no more memory.
  xlashape_executor executor = api::in_order(4);
  how.executor = &executor;
  ASSERT_EQ(xlashape_plan_execute_with(plan.get(), &how, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(m.array, m.moved);
}

// Memory that is refused is said before anything moves.
TEST(InPlace, WithoutMemory) {
  static std::atomic<bool> refuses{false};
  auto allocator = XLASHAPE_INIT(xlashape_allocator);
  allocator.alloc = [](void*, size_t size, size_t alignment) -> void* {
    return refuses ? nullptr : api::aligned_memory(size, alignment);
  };
  allocator.free = [](void*, void* memory, size_t, size_t alignment) { api::free_aligned(memory, alignment); };
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.allocator = &allocator;
  Matrix m;
  const std::vector<float> before = m.array;
  const Plan plan = plan_in_place(api::runtime_of(options), kFrom, kTo);
  refuses = true;
  EXPECT_EQ(message(XLASHAPE_STATUS_NO_MEMORY, xlashape_plan_execute, plan.get(), m.array.data(), m.bytes(),
                    m.array.data(), m.bytes()),
            "out of memory");
  EXPECT_EQ(m.array, before);
  refuses = false;
}

TEST(InPlace, ProgressAndCancel) {
  for (const int threads : {1, 3}) {
    Matrix m;
    const std::vector<float> before = m.array;
    const Plan plan = plan_in_place(api::runtime_of(threads), kFrom, kTo);
    struct Heard {
      std::atomic<int64_t> calls{0}, count{0}, sum{0};
      std::atomic<int32_t> cancel{0};
      int64_t cancel_at = 0;
    } heard;
    xlashape_execute_options how = m.onto_itself();
    how.progress_opaque = &heard;
    how.progress = [](void* opaque, int64_t done, int64_t count) {
      auto& h = *static_cast<Heard*>(opaque);
      ++h.calls, h.count = count, h.sum += done;
      if (done == h.cancel_at) h.cancel = 1;
    };
    ASSERT_EQ(xlashape_plan_execute_with(plan.get(), &how, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(m.array, m.moved);
    EXPECT_GE(heard.count, 3);
    EXPECT_EQ(heard.calls, heard.count);
    EXPECT_EQ(heard.sum, heard.count * (heard.count + 1) / 2) << "each number once, of all steps";
    how.cancel = reinterpret_cast<int32_t*>(&heard.cancel);
    heard.cancel_at = 1;
    EXPECT_THAT(message(XLASHAPE_STATUS_CANCELLED, xlashape_plan_execute_with, plan.get(), &how),
                HasSubstr("options.cancel was set when"));
    m.array = before;
    heard.calls = 0;
    EXPECT_THAT(message(XLASHAPE_STATUS_CANCELLED, xlashape_plan_execute_with, plan.get(), &how),
                HasSubstr("when 0 of"));
    EXPECT_EQ(heard.calls, 0);
    EXPECT_EQ(m.array, before) << "it was cancelled before it began";
  }
}

// The steps have an order, which tasks that a caller runs have not: the first one does all.
TEST(InPlace, TasksOfTheCaller) {
  Matrix m;
  const Plan plan = plan_in_place(api::runtime_of(3), kFrom, kTo);
  xlashape_execute_options how = m.onto_itself();
  for (const int64_t task : {2, 0, 1, 3}) {
    how.task_begin = task, how.task_end = task + 1, how.task_count = 4;
    ASSERT_EQ(xlashape_plan_execute_with(plan.get(), &how, nullptr), XLASHAPE_STATUS_OK);
  }
  how.task_begin = how.task_end = 0;
  ASSERT_EQ(xlashape_plan_execute_with(plan.get(), &how, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(m.array, m.moved);
}

TEST(InPlace, InAList) {
  const Runtime runtime = api::runtime_of(2);
  const Plan plan = plan_in_place(runtime, kFrom, kTo), apart = api::plan(runtime.get(), kFrom, kTo);
  Matrix a, b;
  std::vector<float> out(b.array.size());
  xlashape_plan* const plans[] = {plan.get(), apart.get()};
  const auto at = [](auto& array) { return uint64_t{reinterpret_cast<uintptr_t>(array.data())}; };
  const uint64_t src[] = {at(a.array), at(b.array)}, dst[] = {at(a.array), at(out)};
  const int64_t bytes[] = {a.bytes(), a.bytes()};
  ASSERT_EQ(xlashape_plan_execute_list(2, plans, src, bytes, dst, bytes, nullptr, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(a.array, a.moved);
  EXPECT_EQ(out, b.moved);
  const uint64_t wrong[] = {at(out), at(out)};
  const api::Error err = api::failure(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_execute_list, 2, plans, src,
                                      bytes, wrong, bytes, nullptr);
  EXPECT_EQ(err.index, 0);
}

// A backend that fails at its third call, within the steps of a matrix.
struct Failing {
  inline static std::atomic<int> calls{0};
  static xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error*) {
    const bool is_large = op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->elements > 100;  // not the smoke test
    support->level = is_large ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
    support->src_alignment = alignment;
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status execute(void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error* err) {
    if (++calls < 3) return XLASHAPE_STATUS_OK;
    err->message_len = static_cast<uint32_t>(std::snprintf(err->message, sizeof err->message, "broke"));
    return XLASHAPE_STATUS_DEVICE;
  }
  static xlashape_status open(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
    backend->abi_version = host->abi_max;
    backend->name = "failing";
    backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
    backend->supports = supports;
    backend->plan_execute = execute;
    return XLASHAPE_STATUS_OK;
  }
  inline static int64_t alignment = 1;
};

TEST(InPlace, ABackendThatFails) {
  auto options = api::alone();
  const xlashape_executor executor = api::in_order(2);
  for (const xlashape_executor* const each : {static_cast<const xlashape_executor*>(nullptr), &executor}) {
    options.executor = each;
    const Runtime runtime = api::runtime_of(options);
    api::add_backend(runtime, "failing", Failing::open, 99);
    Matrix m;
    xlashape_relayout_options how = in_place();
    how.backend = "failing";
    Failing::alignment = 1;
    const Plan plan = api::plan(runtime.get(), kFrom, kTo, &how);
    Failing::calls = 0;
    xlashape_error err = XLASHAPE_INIT(xlashape_error);
    EXPECT_EQ(xlashape_plan_execute(plan.get(), m.array.data(), m.bytes(), m.array.data(), m.bytes(), &err),
              XLASHAPE_STATUS_DEVICE);
    EXPECT_THAT(err.message, HasSubstr("broke"));
    EXPECT_NE(err.source, 0u) << "it is the backend's";
    // Parts begin anywhere.
    Failing::alignment = 64;
    xlashape_plan* made = nullptr;
    EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_plan_create, runtime.get(), shape(kFrom).get(),
                        shape(kTo).get(), &how, &made),
                HasSubstr("choose another backend"));
  }
}

}  // namespace
