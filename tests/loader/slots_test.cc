// SPDX-License-Identifier: Apache-2.0
// Backends that do in their slots what they must not: throw, answer with a status that is none, write texts that are no
// line, ask for absurd numbers, write where they may not. Each is that slot's failure, alike on every path, and the
// others go on.
#include <cxxabi.h>
#include <pthread.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <thread>

#include "loader.h"
#include "xlashape_backend.h"
#include "xlashape_experimental.h"

// The correct backend that the others are made of.
extern "C" xlashape_status open_example(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err);

namespace {

using namespace loader;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

xlashape_backend honest;          // the example's slots
std::function<void()> misbehave;  // what the slot named `slot` does
std::string slot;
const xlashape_host* host_table;

void at(const char* name) {
  if (slot == name && misbehave) misbehave();
}

xlashape_status supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  at("supports");
  return honest.supports(self, op, support, err);
}
xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
  at("plan_size");
  *bytes = 8, *align = 8;
  return XLASHAPE_STATUS_OK;
}
xlashape_status plan_init(void*, const xlashape_op*, void*, xlashape_error*) {
  at("plan_init");
  return XLASHAPE_STATUS_OK;
}
int64_t plan_tasks(void*, const void*, const xlashape_op*, int64_t workers) {
  at("plan_tasks");
  return workers;
}
void plan_destroy(void*, void*) { at("plan_destroy"); }
int64_t describe(void*, const void*, const xlashape_op*, char* text, int64_t capacity) {
  at("describe");
  return std::snprintf(text, static_cast<size_t>(capacity), "plain");
}
int64_t plan_candidate(void*, const void*, const xlashape_op*, int64_t index, char* text, int64_t capacity) {
  at("plan_candidate");
  return index > 1 ? 0 : std::snprintf(text, static_cast<size_t>(capacity), "way %d", static_cast<int>(index));
}
xlashape_status plan_choose(void*, void*, const xlashape_op*, const char*, xlashape_error*) {
  at("plan_choose");
  return XLASHAPE_STATUS_OK;
}
xlashape_status calibrate(void*, const xlashape_calibration*, char*, int64_t, int64_t* needed, xlashape_error*) {
  at("calibrate");
  *needed = 1;
  return XLASHAPE_STATUS_OK;
}
xlashape_status use_profile(void*, const char*, xlashape_error*) {
  at("use_profile");
  return XLASHAPE_STATUS_OK;
}
xlashape_status plan_predict(void*, const void*, const xlashape_op*, int64_t, int64_t* ns, xlashape_error*) {
  at("plan_predict");
  *ns = 7;
  return XLASHAPE_STATUS_OK;
}
int64_t plan_stack(void*, const void*, const xlashape_op*) {
  at("plan_stack");
  return 7;
}
int32_t device_count(void*) {
  at("device_count");
  return 1;
}
void close_backend(void*) { at("close"); }

// What plan_execute answers, and says.
xlashape_status answer;
std::string said;
xlashape_status plan_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  at("plan_execute");
  if (op->relayout != nullptr && op->relayout->value_bits == 32)
    return honest.plan_execute(self, storage, op, run, err);
  if (answer != XLASHAPE_STATUS_OK) {
    std::memset(err, 0xEE, sizeof *err);  // every number in it is nonsense
    std::memset(err->message, 0, sizeof err->message);
    std::memcpy(err->message, said.data(), std::min(said.size(), sizeof err->message));
    return answer;
  }
  return honest.plan_execute(self, storage, op, run, err);
}

xlashape_status open_wicked(const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
  host_table = host;
  const xlashape_status status = open_example(host, table, err);
  honest = *table;
  table->name = "wicked";
  table->close = close_backend;
  table->device_count = device_count;
  table->supports = supports;
  table->plan_size = plan_size;
  table->plan_init = plan_init;
  table->plan_tasks = plan_tasks;
  table->plan_execute = plan_execute;
  table->plan_destroy = plan_destroy;
  table->describe = describe;
  table->plan_candidate = plan_candidate;
  table->plan_choose = plan_choose;
  table->calibrate = calibrate;
  table->use_profile = use_profile;
  table->plan_predict = plan_predict;
  table->plan_stack = plan_stack;
  at("open");
  return status;
}

struct Wicked : testing::Test {
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() { slot.clear(), misbehave = nullptr, answer = XLASHAPE_STATUS_OK, said.clear(); }
  static std::string add(const Runtime& runtime, xlashape_status* status = nullptr,
                         xlashape_backend_open_fn open = open_wicked) {
    auto err = XLASHAPE_INIT(xlashape_error);
    const xlashape_status result =
        xlashape_runtime_add_backend(runtime.get(), "wicked", 6, open, nullptr, nullptr, 0, &err);
    if (status != nullptr) *status = result;
    return result == XLASHAPE_STATUS_OK ? "" : err.message;
  }
};

void throw_text() { throw std::runtime_error("the cable\x1B[2J\nis cut"); }
const char kThrown[] = "threw an exception: the cable\\x1b[2J\\x0ais cut";

// A slot that throws while the backend is opened and tried: failed with stage and reason, and everything else works.
TEST_F(Wicked, ThrowsWhileItIsLoaded) {
  const std::pair<const char*, const char*> cases[] = {{"open", "open: "},
                                                       {"supports", "smoke test: "},
                                                       {"plan_size", "smoke test: "},
                                                       {"plan_init", "smoke test: "},
                                                       {"plan_execute", "smoke test: "},
                                                       {"plan_destroy", "smoke test: "}};
  for (const auto& [name, stage] : cases) {
    const Folder folder;
    folder.add("good");
    for (const auto& [what, text] : {std::pair<void (*)(), const char*>{throw_text, kThrown},
                                     {[] { throw 5; }, "threw an exception"},
                                     {[] { throw std::bad_alloc(); }, "ran out of memory"}}) {
      const bool no_memory = text == std::string("ran out of memory");
      // Nobody asks these for a status: a supports without memory refuses.
      if (no_memory && (name == std::string("supports") || name == std::string("plan_destroy"))) continue;
      const Runtime runtime(folder.path());
      slot = name, misbehave = what;
      xlashape_status status = XLASHAPE_STATUS_OK;
      const std::string error = add(runtime, &status);
      EXPECT_THAT(error, AllOf(HasSubstr("backend wicked: "), HasSubstr(stage), HasSubstr(text))) << name;
      EXPECT_EQ(status, no_memory ? XLASHAPE_STATUS_NO_MEMORY : XLASHAPE_STATUS_INTERNAL) << name;
      EXPECT_THAT(runtime.line("wicked"), AllOf(HasSubstr("not in use"), HasSubstr(stage), HasSubstr(text)));
      for (int round = 0; round < 3; ++round) EXPECT_EQ(runtime.transpose(), "good") << name;
      EXPECT_EQ(runtime.transpose("scalar"), "scalar");
      EXPECT_THAT(runtime.transpose("wicked"), HasSubstr(text));
    }
  }
}

// One that throws later: that call fails, or the next backend makes the plan; from then on it is in use no longer.
TEST_F(Wicked, ThrowsInUse) {
  for (const char* name : {"supports", "plan_size", "plan_init"}) {
    const Runtime runtime;
    clear();
    ASSERT_EQ(add(runtime), "");
    ASSERT_EQ(runtime.transpose(), "wicked");
    slot = name, misbehave = throw_text;
    EXPECT_EQ(runtime.transpose(), "scalar") << name;
    EXPECT_THAT(runtime.line("wicked"),
                AllOf(HasSubstr("not in use"), HasSubstr(std::string(name) + ": it " + kThrown)));
    clear();
    EXPECT_EQ(runtime.transpose(), "scalar") << "it is not asked again";
    auto info = XLASHAPE_INIT(xlashape_backend_info);
    ASSERT_EQ(xlashape_runtime_backend_info(runtime.get(), 1, &info, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(info.state, XLASHAPE_BACKEND_STATE_FAILED);
    EXPECT_THAT(runtime.text(1, XLASHAPE_BACKEND_TEXT_DETAIL), HasSubstr(kThrown));
  }
  for (const char* name : {"describe", "device_count", "plan_tasks", "plan_destroy", "close"}) {
    clear();
    const Runtime runtime;
    ASSERT_EQ(add(runtime), "");
    slot = name, misbehave = throw_text;
    EXPECT_EQ(runtime.transpose(), "wicked") << name;
    auto info = XLASHAPE_INIT(xlashape_backend_info);
    EXPECT_EQ(xlashape_runtime_backend_info(runtime.get(), 1, &info, nullptr), XLASHAPE_STATUS_OK);
  }
}

// Nobody who asks what a plan requires need know that its backend fell over.
TEST_F(Wicked, SaysWhatStackItTakesOrAnyBackendsIsTaken) {
  const Runtime runtime;
  ASSERT_EQ(add(runtime), "");
  xlashape_shape *from = nullptr, *to = nullptr;
  xlashape_shape_parse("u16[64,64]{1,0}", 15, 0, &from, nullptr);
  xlashape_shape_parse("u16[64,64]{0,1}", 15, 0, &to, nullptr);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "wicked";
  xlashape_plan* plan = nullptr;
  ASSERT_EQ(xlashape_plan_create(runtime.get(), from, to, &options, &plan, nullptr), XLASHAPE_STATUS_OK);
  const auto stack = [&] {
    auto needs = XLASHAPE_INIT(xlashape_plan_requirements);
    EXPECT_EQ(xlashape_plan_get_requirements(plan, &needs, nullptr), XLASHAPE_STATUS_OK);
    return needs.stack_bytes;
  };
  EXPECT_GT(stack(), 7) << "with the library's frames";
  EXPECT_LT(stack(), 32 << 10);
  slot = "plan_stack", misbehave = throw_text;
  EXPECT_EQ(stack(), 256 << 10);
  xlashape_plan_release(plan), xlashape_shape_release(from), xlashape_shape_release(to);
  EXPECT_EQ(runtime.transpose(), "scalar") << "it gets no new plans";
}

// Of the slots for measuring, a plan needs none: it is made, or its failure says why.
TEST_F(Wicked, ThrowsWhileItIsMeasured) {
  const auto measured = [](const Runtime& runtime, std::string* message) {
    xlashape_shape *from = nullptr, *to = nullptr;
    xlashape_shape_parse("u16[64,64]{1,0}", 15, 0, &from, nullptr);
    xlashape_shape_parse("u16[64,64]{0,1}", 15, 0, &to, nullptr);
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.backend = "wicked";
    auto how = XLASHAPE_INIT(xlashape_measure_options);
    how.budget_ns = 1;
    xlashape_plan* plan = nullptr;
    auto err = XLASHAPE_INIT(xlashape_error);
    const xlashape_status status = xlashape_plan_create_measured(runtime.get(), from, to, &options, &how, &plan, &err);
    int64_t ns = 0;
    const xlashape_status predicted = plan != nullptr ? xlashape_plan_predict(plan, &ns, &err) : status;
    xlashape_plan_release(plan), xlashape_shape_release(from), xlashape_shape_release(to);
    *message = err.message;
    return status != XLASHAPE_STATUS_OK ? status : predicted;
  };
  std::string text(XLASHAPE_PROFILE_BYTES, '\0'), message;
  for (const char* name : {"plan_candidate", "plan_choose", "calibrate", "plan_predict"}) {
    clear();
    const Runtime runtime;
    ASSERT_EQ(add(runtime), "");
    EXPECT_EQ(measured(runtime, &message), XLASHAPE_STATUS_OK) << message;
    slot = name, misbehave = throw_text;
    const bool chooses = name == std::string("plan_choose") || name == std::string("plan_predict");
    EXPECT_EQ(measured(runtime, &message), chooses ? XLASHAPE_STATUS_INTERNAL : XLASHAPE_STATUS_OK) << name;
    EXPECT_THAT(message, HasSubstr(chooses ? kThrown : ""));
    if (name == std::string("calibrate")) {
      int64_t needed = 0;
      auto err = XLASHAPE_INIT(xlashape_error);
      EXPECT_EQ(xlashape_runtime_calibrate(runtime.get(), nullptr, text.data(), XLASHAPE_PROFILE_BYTES, &needed, &err),
                XLASHAPE_STATUS_INTERNAL);
      EXPECT_THAT(err.message, HasSubstr(kThrown));
      EXPECT_EQ(err.source, 2u);
    }
    EXPECT_EQ(runtime.transpose(), "scalar") << "it gets no new plans";
    EXPECT_THAT(runtime.line("wicked"), HasSubstr(std::string(name) + ": it " + kThrown));
  }
}

// One plan of u16[64,64], column-major, and three ways to run it.
class Moved {
 public:
  explicit Moved(const Runtime& runtime) {
    xlashape_shape *from = nullptr, *to = nullptr;
    xlashape_shape_parse("u16[64,64]{1,0}", 15, 0, &from, nullptr);
    xlashape_shape_parse("u16[64,64]{0,1}", 15, 0, &to, nullptr);
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.backend = "wicked";
    EXPECT_EQ(xlashape_plan_create(runtime.get(), from, to, &options, &plan_, nullptr), XLASHAPE_STATUS_OK);
    xlashape_shape_release(from), xlashape_shape_release(to);
    EXPECT_STREQ(xlashape_plan_backend(plan_), "wicked");
  }
  ~Moved() { xlashape_plan_release(plan_); }
  Moved(const Moved&) = delete;
  xlashape_plan* plan() const { return plan_; }

  // `executor` null: on the calling thread, or the runtime's pool.
  xlashape_status run(const xlashape_executor* executor, xlashape_error* err) const {
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.src = reinterpret_cast<uint64_t>(src_.data());
    exec.src_bytes = byte_count(src_);
    exec.dst = reinterpret_cast<uint64_t>(dst_.data());
    exec.dst_bytes = byte_count(dst_);
    exec.executor = executor;
    return xlashape_plan_execute_with(plan_, &exec, err);
  }

 private:
  xlashape_plan* plan_ = nullptr;
  std::vector<uint16_t> src_ = std::vector<uint16_t>(64 * 64);
  mutable std::vector<uint16_t> dst_ = std::vector<uint16_t>(64 * 64);
};

int32_t on_threads(void*, int64_t count, void* task_opaque, void (*task)(void*, int64_t, uint32_t)) {
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < count; ++i) threads.emplace_back([=] { task(task_opaque, i, static_cast<uint32_t>(i)); });
  for (auto& thread : threads) thread.join();
  return 0;
}
const xlashape_executor kOnThreads = {sizeof(xlashape_executor), 4, nullptr, on_threads, nullptr};

// What a failing plan_execute says comes out as one line, with a status of ours, and on every path the same.
TEST_F(Wicked, ErrorsOfAnExecution) {
  const struct {
    xlashape_status answer;
    std::string said;
    xlashape_status status;
    std::string message;
  } cases[] = {
      {XLASHAPE_STATUS_DEVICE, "the card is gone", XLASHAPE_STATUS_DEVICE, "the card is gone"},
      {XLASHAPE_STATUS_INVALID_ARGUMENT, "", XLASHAPE_STATUS_INVALID_ARGUMENT, "plan_execute failed: INVALID_ARGUMENT"},
      {-5, "odd", XLASHAPE_STATUS_DEVICE, "plan_execute failed with status -5: odd"},
      {4711, "", XLASHAPE_STATUS_DEVICE, "plan_execute failed with status 4711"},
      {XLASHAPE_STATUS_BUSY, "line\nforged: \x1B[31m\xFF", XLASHAPE_STATUS_BUSY, "line\\x0aforged: \\x1b[31m\\xff"},
      {XLASHAPE_STATUS_DEVICE, std::string(480, 'x'), XLASHAPE_STATUS_DEVICE, std::string(479, 'x')},
  };
  for (const int32_t threads : {0, 2}) {
    const Runtime runtime("", kAlone & ~XLASHAPE_RUNTIME_NO_LIBRARY_DIR, threads);
    ASSERT_EQ(add(runtime), "");
    const Moved moved(runtime);
    for (const auto& c : cases)
      for (const xlashape_executor* executor : {static_cast<const xlashape_executor*>(nullptr), &kOnThreads}) {
        answer = c.answer, said = c.said;
        auto err = XLASHAPE_INIT(xlashape_error);
        EXPECT_EQ(moved.run(executor, &err), c.status);
        EXPECT_EQ(err.code, c.status);
        EXPECT_EQ(err.message, c.message);
        EXPECT_EQ(err.message_len, c.message.size());
        EXPECT_EQ(err.source, 2u) << "1 + its number";
        EXPECT_EQ(err.index, -1);
        EXPECT_EQ(err.offset, -1);
      }
    // Texts of an earlier failure are not told again.
    auto err = XLASHAPE_INIT(xlashape_error);
    std::strcpy(err.message, "of an earlier call");
    answer = XLASHAPE_STATUS_BUSY, said.clear();
    EXPECT_EQ(moved.run(nullptr, &err), XLASHAPE_STATUS_BUSY);
    EXPECT_STREQ(err.message, "plan_execute failed: BUSY");
    // A record without room for a message, and none.
    struct {
      xlashape_error record;
      char behind[64];
    } small;
    std::memset(&small, 0x77, sizeof small);
    small.record.struct_size = 32;
    EXPECT_EQ(moved.run(nullptr, &small.record), XLASHAPE_STATUS_BUSY);
    EXPECT_EQ(small.record.code, XLASHAPE_STATUS_BUSY);
    for (size_t i = 32; i < sizeof small; ++i) ASSERT_EQ(reinterpret_cast<const char*>(&small)[i], 0x77);
    small.record.struct_size = 0;
    EXPECT_EQ(moved.run(nullptr, &small.record), XLASHAPE_STATUS_BUSY);
    EXPECT_EQ(moved.run(nullptr, nullptr), XLASHAPE_STATUS_BUSY);
    clear();
    EXPECT_EQ(moved.run(nullptr, nullptr), XLASHAPE_STATUS_OK) << "an error is one call's";
  }
}

TEST_F(Wicked, ThrowsInAnExecution) {
  for (const int32_t threads : {0, 2}) {
    for (const xlashape_executor* executor : {static_cast<const xlashape_executor*>(nullptr), &kOnThreads}) {
      clear();
      const Runtime runtime("", kAlone & ~XLASHAPE_RUNTIME_NO_LIBRARY_DIR, threads);
      ASSERT_EQ(add(runtime), "");
      const Moved moved(runtime);
      slot = "plan_execute", misbehave = throw_text;
      auto err = XLASHAPE_INIT(xlashape_error);
      EXPECT_EQ(moved.run(executor, &err), XLASHAPE_STATUS_INTERNAL);
      EXPECT_THAT(err.message, HasSubstr(std::string("plan_execute ") + kThrown));
      EXPECT_EQ(err.source, 2u);
      EXPECT_THAT(runtime.line("wicked"), AllOf(HasSubstr("not in use"), HasSubstr("plan_execute: it threw")));
      EXPECT_THAT(runtime.transpose(), AnyOf("scalar", "simd")) << "plans from now on";
    }
  }
}

TEST_F(Wicked, AbsurdAnswers) {
  const Runtime runtime;
  ASSERT_EQ(add(runtime), "");
  honest.plan_tasks = nullptr;
  static int64_t tasks;
  static int32_t devices;
  const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
    const xlashape_status status = open_wicked(host, table, err);
    table->name = "absurd";
    table->plan_tasks = [](void*, const void*, const xlashape_op*, int64_t) { return tasks; };
    table->device_count = [](void*) { return devices; };
    table->describe = nullptr;
    return status;
  };
  ASSERT_EQ(xlashape_runtime_add_backend(runtime.get(), "absurd", 6, open, nullptr, nullptr, 0, nullptr),
            XLASHAPE_STATUS_OK);
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("u16[64]", 7, 0, &shape, nullptr);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "absurd";
  xlashape_plan* plan = nullptr;
  ASSERT_EQ(xlashape_plan_create(runtime.get(), shape, shape, &options, &plan, nullptr), XLASHAPE_STATUS_OK);
  const std::pair<int64_t, int64_t> counts[] = {{INT64_MIN, 1},      {0, 1}, {1, 1}, {7, 7}, {1 << 20, 1 << 20},
                                                {INT64_MAX, 1 << 20}};
  for (const auto& [wished, told] : counts) {
    tasks = wished;
    EXPECT_EQ(xlashape_plan_task_count(plan, 4), told);
  }
  char text[64];
  int64_t needed = 0;
  EXPECT_EQ(xlashape_plan_describe(plan, text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_STREQ(text, "absurd") << "without a description, the name";
  for (const auto& [count, told] : {std::pair{-9, 0}, {INT32_MAX, 65536}, {3, 3}}) {
    devices = count;
    auto info = XLASHAPE_INIT(xlashape_backend_info);
    ASSERT_EQ(xlashape_runtime_backend_info(runtime.get(), 2, &info, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(info.device_count, told);
  }
  xlashape_plan_release(plan);
  xlashape_shape_release(shape);
}

// Tables that cannot be believed.
TEST_F(Wicked, Tables) {
  static std::function<void(xlashape_backend*)> change;
  const struct {
    std::function<void(xlashape_backend*)> change;
    const char* reason;
  } cases[] = {
      {[](xlashape_backend* t) { t->memory_spaces = 0; }, "table: its memory_spaces are 0x0"},
      {[](xlashape_backend* t) { t->memory_spaces = 3; }, "table: its memory_spaces are 0x3"},
      {[](xlashape_backend* t) { std::memset(reinterpret_cast<char*>(t) + sizeof *t, 1, 8); }, "it wrote behind the"},
      {[](xlashape_backend* t) { std::memset(reinterpret_cast<char*>(t) + sizeof *t + 4000, 1, 8); },
       "it wrote behind the"},
      {[](xlashape_backend* t) { t->struct_size = sizeof *t + 8; }, "struct_size of its table"},
      {[](xlashape_backend* t) { t->struct_size = 8; }, "struct_size of its table"},
      {[](xlashape_backend*) { std::memset(const_cast<xlashape_host*>(host_table), 0, sizeof *host_table); }, ""},
  };
  const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
    const xlashape_status status = open_wicked(host, table, err);
    change(table);
    return status;
  };
  for (const auto& c : cases) {
    const Runtime runtime;
    change = c.change;
    EXPECT_THAT(add(runtime, nullptr, open), HasSubstr(c.reason));
    EXPECT_EQ(runtime.transpose(), *c.reason != '\0' ? "scalar" : "wicked");
  }
}

// Each slot alone is left out: those without which nothing works are missed at once, the others are stood in for.
TEST_F(Wicked, EverySlotAbsent) {
  static size_t absent;
  constexpr size_t kFirst = offsetof(xlashape_backend, supports);  // from there on there is nothing but slots
  const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
    const xlashape_status status = open_wicked(host, table, err);
    std::memset(reinterpret_cast<char*>(table) + absent, 0, sizeof(void*));
    return status;
  };
  int missed = 0;
  for (absent = kFirst; absent < sizeof(xlashape_backend); absent += sizeof(void*)) {
    SCOPED_TRACE((absent - kFirst) / sizeof(void*));
    const Runtime runtime;
    const std::string reason = add(runtime, nullptr, open);
    EXPECT_THAT(reason, AnyOf("", HasSubstr("it has no"), HasSubstr("only one of")));
    missed += reason.empty() ? 0 : 1;
    EXPECT_EQ(runtime.transpose(), reason.empty() ? "wicked" : "scalar");
    EXPECT_EQ(runtime.transpose("scalar"), "scalar");
  }
  EXPECT_EQ(missed, 6) << "supports, plan_execute, plan_size, plan_init, plan_candidate, plan_choose";
}

TEST_F(Wicked, AbsurdSizes) {
  static int64_t size, alignment;
  const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
    const xlashape_status status = open_wicked(host, table, err);
    table->plan_size = [](void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
      *bytes = size, *align = alignment;
      return xlashape_status{XLASHAPE_STATUS_OK};
    };
    return status;
  };
  for (const auto& [bytes, align] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {int64_t{1} << 60, 8}, {-1, 8}, {8, 3}, {8, 0}, {8, -8}, {8, 1 << 20}}) {
    const Runtime runtime;
    size = 8, alignment = 8;
    ASSERT_EQ(add(runtime, nullptr, open), "");
    size = bytes, alignment = align;
    EXPECT_THAT(runtime.transpose("wicked"), HasSubstr("plan_size asks for")) << bytes << " at " << align;
    EXPECT_EQ(runtime.transpose(), "scalar");
  }
}

// What a backend logs is its own line, at a level that there is, whatever it says.
TEST_F(Wicked, Log) {
  struct Line {
    int32_t level;
    uint32_t source;
    std::string text;
  };
  std::vector<Line> lines;
  xlashape_logger logger = {
      sizeof(xlashape_logger), 0, &lines,
      [](void* opaque, int32_t level, uint32_t source, const char* text, int64_t len) {
        static_cast<std::vector<Line>*>(opaque)->push_back({level, source, {text, static_cast<size_t>(len)}});
      },
      nullptr};
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = kAlone;
  options.logger = &logger;
  xlashape_runtime* runtime = nullptr;
  ASSERT_EQ(xlashape_runtime_create(&options, &runtime, nullptr), XLASHAPE_STATUS_OK);
  ASSERT_EQ(xlashape_runtime_add_backend(runtime, "wicked", 6, open_wicked, nullptr, nullptr, 0, nullptr),
            XLASHAPE_STATUS_OK);
  lines.clear();
  testing::internal::CaptureStderr();
  const std::string long_text(9000, 'y');
  host_table->log(host_table->opaque, -99, 77, "one\ntwo\x1B[2J", 11);
  host_table->log(host_table->opaque, 0, 0, nullptr, 3);
  host_table->log(host_table->opaque, 1000, 0, long_text.data(), long_text.size());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "no output unless the environment asks for it";
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].level, XLASHAPE_LOG_ERROR);
  EXPECT_EQ(lines[0].source, 2u);
  EXPECT_EQ(lines[0].text, "one\\x0atwo\\x1b[2J");
  EXPECT_EQ(lines[1].level, XLASHAPE_LOG_ERROR);
  EXPECT_EQ(lines[1].text, "");
  EXPECT_EQ(lines[2].level, XLASHAPE_LOG_DEBUG);
  EXPECT_EQ(lines[2].text, std::string(6143, 'y'));
  EXPECT_EQ(host_table->alloc(host_table->opaque, 8, 3), nullptr) << "an alignment that is none never reaches the host";
  xlashape_runtime_release(runtime);
}

// Nor does a backend's name break a line, whoever speaks of it: that another one has to make a plan, or that
// verification finds a position wrong.
TEST_F(Wicked, NamesThatAreNoLine) {
  std::vector<std::string> lines;
  xlashape_logger logger = {sizeof(xlashape_logger), 0, &lines,
                            [](void* opaque, int32_t, uint32_t, const char* text, int64_t len) {
                              static_cast<std::vector<std::string>*>(opaque)->emplace_back(text,
                                                                                           static_cast<size_t>(len));
                            },
                            nullptr};
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = kAlone;
  options.logger = &logger;
  options.verify_count = 12;
  xlashape_runtime* runtime = nullptr;
  ASSERT_EQ(xlashape_runtime_create(&options, &runtime, nullptr), XLASHAPE_STATUS_OK);
  const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
    const xlashape_status status = open_wicked(host, table, err);
    table->plan_execute = [](void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* error) {
      return slot == "plan_execute" ? XLASHAPE_STATUS_OK : plan_execute(self, storage, op, run, error);
    };
    return status;
  };
  const std::string name = "no\n\x1B\xFF\xE2\x80\xAEline";
  ASSERT_EQ(xlashape_runtime_add_backend(runtime, name.data(), name.size(), open, nullptr, nullptr, 0, nullptr),
            XLASHAPE_STATUS_OK);
  lines.clear();
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("u16[64]", 7, 0, &shape, nullptr);
  uint16_t src[64], dst[64] = {};
  std::fill_n(src, 64, uint16_t{0xEEEE});
  slot = "plan_init", misbehave = [] { throw std::bad_alloc(); };
  EXPECT_EQ(xlashape_relayout(runtime, shape, src, sizeof src, shape, dst, sizeof dst, nullptr, nullptr),
            XLASHAPE_STATUS_OK);
  slot = "plan_execute", std::fill_n(dst, 64, uint16_t{0});
  EXPECT_EQ(xlashape_relayout(runtime, shape, src, sizeof src, shape, dst, sizeof dst, nullptr, nullptr),
            XLASHAPE_STATUS_INTERNAL);
  xlashape_shape_release(shape);
  xlashape_runtime_release(runtime);
  const std::string shown = "backend no\\x0a\\x1b\\xff\\xe2\\x80\\xaeline: ";
  EXPECT_THAT(lines, testing::ElementsAre(shown + "plan_init ran out of memory",
                                          testing::StartsWith("verify: " + shown + "destination byte ")));
}

// A thread that is cancelled while the library works ends, and the process goes on.
TEST_F(Wicked, ThreadsMayBeCancelled) {
#if !defined(__GLIBC__)
  GTEST_SKIP() << "cancellation unwinds with glibc only";
#endif
  const Runtime runtime;
  ASSERT_EQ(add(runtime), "");
  const Moved moved(runtime);
  slot = "plan_execute";
  misbehave = [] { pthread_exit(nullptr); };
  const auto body = [](void* opaque) -> void* {
    static_cast<const Moved*>(opaque)->run(nullptr, nullptr);
    return opaque;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, nullptr, body, const_cast<Moved*>(&moved)), 0);
  void* result = &thread;
  ASSERT_EQ(pthread_join(thread, &result), 0);
  EXPECT_EQ(result, nullptr) << "it did not come back";
  // On a thread of an executor: its task never ends, and the call says so.
  auto err = XLASHAPE_INIT(xlashape_error);
  const auto in_threads = [](void*, int64_t count, void* task_opaque,
                             void (*task)(void*, int64_t, uint32_t)) -> int32_t {
    struct Job {
      void* opaque;
      void (*task)(void*, int64_t, uint32_t);
      int64_t index;
    };
    for (int64_t i = 0; i < count; ++i) {
      Job job = {task_opaque, task, i};
      pthread_t one;
      if (pthread_create(
              &one, nullptr,
              [](void* opaque) -> void* {
                const Job& j = *static_cast<Job*>(opaque);
                j.task(j.opaque, j.index, 0);
                return nullptr;
              },
              &job) != 0)
        return 1;
      pthread_join(one, nullptr);
    }
    return 0;
  };
  const xlashape_executor executor = {sizeof executor, 3, nullptr, in_threads, nullptr};
  EXPECT_EQ(moved.run(&executor, &err), XLASHAPE_STATUS_CANCELLED);
  EXPECT_THAT(err.message, HasSubstr("did not run each of 3 tasks once and to its end (0 came to an end)"));
  clear();
  EXPECT_EQ(moved.run(nullptr, nullptr), XLASHAPE_STATUS_OK);
}

// The pool's threads too: the call says so, and the next one is served by who is left.
TEST_F(Wicked, ThreadsOfThePoolMayEnd) {
#if !defined(__GLIBC__)
  GTEST_SKIP() << "cancellation unwinds with glibc only";
#endif
  const Runtime runtime("", kAlone, 3);
  ASSERT_EQ(add(runtime), "");
  const Moved moved(runtime);
  static std::atomic<bool> ended;
  ended = false;
  static const pthread_t caller = pthread_self();
  slot = "plan_execute";
  misbehave = [] {
    if (pthread_equal(pthread_self(), caller) == 0) {
      ended = true;
      pthread_exit(nullptr);
    }
    while (!ended) std::this_thread::yield();
  };
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(moved.run(nullptr, &err), XLASHAPE_STATUS_CANCELLED) << err.message;
  clear();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(moved.run(nullptr, nullptr), XLASHAPE_STATUS_OK);
}

// An asynchronous execution whose thread is ended is told as CANCELLED, as are those that wait for the last thread.
// None is left over, and later ones are done.
TEST_F(Wicked, ThreadsMayEndInAsynchronousExecutions) {
#if !defined(__GLIBC__)
  GTEST_SKIP() << "cancellation unwinds with glibc only";
#endif
  const auto* const x = static_cast<const xlashape_extension_execution*>(
      xlashape_get_extension(XLASHAPE_EXTENSION_EXECUTION, sizeof XLASHAPE_EXTENSION_EXECUTION - 1));
  struct Told {
    std::atomic<int> calls{0}, cancelled{0}, ok{0};
    static void done(void* opaque, xlashape_status status, const xlashape_error* err) {
      auto& told = *static_cast<Told*>(opaque);
      told.cancelled += status == XLASHAPE_STATUS_CANCELLED && err != nullptr;
      told.ok += status == XLASHAPE_STATUS_OK && err == nullptr;
      ++told.calls;
    }
    void wait(int wanted) const {
      while (calls < wanted) std::this_thread::yield();
    }
  };
  std::vector<uint16_t> src(64 * 64), dst(64 * 64);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uint64_t>(src.data());
  exec.src_bytes = byte_count(src);
  exec.dst = reinterpret_cast<uint64_t>(dst.data());
  exec.dst_bytes = byte_count(dst);
  for (const int32_t threads : {2, 3, 0}) {
    clear();
    std::atomic<bool> gone{false};
    {
      const Runtime runtime("", kAlone, threads);
      ASSERT_EQ(xlashape_runtime_add_backend(
                    runtime.get(), "wicked", 6, open_wicked, &gone,
                    [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, 0, nullptr),
                XLASHAPE_STATUS_OK);
      const Moved moved(runtime);
      static std::atomic<bool> may_end;
      may_end = false;
      slot = "plan_execute";
      misbehave = [] {
        while (!may_end) std::this_thread::yield();
        pthread_exit(nullptr);
      };
      Told told;
      const int count = threads == 0 ? 1 : 6;
      if (threads == 0) {  // on the thread that asks for it
        may_end = true;
        std::thread([&] { x->execute_async(moved.plan(), &exec, Told::done, &told, nullptr); }).join();
      } else {
        for (int i = 0; i < count; ++i)
          ASSERT_EQ(x->execute_async(moved.plan(), &exec, Told::done, &told, nullptr), XLASHAPE_STATUS_OK);
        may_end = true;
      }
      told.wait(count);
      EXPECT_EQ(told.cancelled, count) << threads;
      clear();
      for (int i = 1; i <= 3; ++i) {
        ASSERT_EQ(x->execute_async(moved.plan(), &exec, Told::done, &told, nullptr), XLASHAPE_STATUS_OK);
        told.wait(count + i);
        EXPECT_EQ(told.ok, i) << threads;
      }
      EXPECT_EQ(moved.run(nullptr, nullptr), XLASHAPE_STATUS_OK);
    }
    EXPECT_TRUE(gone) << "of " << threads << ": an execution was left over that keeps the runtime";
  }
}

// An executor of the program that throws is no bug of the library.
TEST_F(Wicked, ExecutorsThatThrow) {
  const Runtime runtime;
  ASSERT_EQ(add(runtime), "");
  const Moved moved(runtime);
  auto err = XLASHAPE_INIT(xlashape_error);
  xlashape_executor executor = {sizeof executor, 4, nullptr, nullptr, nullptr};
  executor.parallel_for = [](void*, int64_t, void*, void (*)(void*, int64_t, uint32_t)) -> int32_t { throw 5; };
  EXPECT_EQ(moved.run(&executor, &err), XLASHAPE_STATUS_CANCELLED);
  EXPECT_THAT(err.message, HasSubstr("the executor threw an exception"));
  executor.parallel_for = [](void*, int64_t, void*, void (*)(void*, int64_t, uint32_t)) -> int32_t {
    throw std::bad_alloc();
  };
  EXPECT_EQ(moved.run(&executor, &err), XLASHAPE_STATUS_NO_MEMORY);
}

// Tasks that there are not, that run twice, that are left out.
TEST_F(Wicked, ExecutorsThatDoOtherwise) {
  const Runtime runtime;
  ASSERT_EQ(add(runtime), "");
  const Moved moved(runtime);
  using Task = void (*)(void*, int64_t, uint32_t);
  const auto run = [&](int32_t (*parallel_for)(void*, int64_t, void*, Task)) {
    const xlashape_executor executor = {sizeof executor, 4, nullptr, parallel_for, nullptr};
    return moved.run(&executor, nullptr);
  };
  const auto all = [](void*, int64_t count, void* opaque, Task task) -> int32_t {
    for (int64_t i = count; i-- > 0;) task(opaque, i, 0);
    return 0;
  };
  EXPECT_EQ(run(all), XLASHAPE_STATUS_OK);
  EXPECT_EQ(run([](void*, int64_t count, void* opaque, Task task) -> int32_t {
              for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
              for (const int64_t none : {int64_t{-1}, INT64_MIN, count, INT64_MAX}) task(opaque, none, 0);
              return 0;
            }),
            XLASHAPE_STATUS_CANCELLED);
  EXPECT_EQ(run([](void*, int64_t count, void* opaque, Task task) -> int32_t {
              for (int64_t i = 0; i < count; ++i) task(opaque, i == count - 1 ? 0 : i, 0);
              return 0;
            }),
            XLASHAPE_STATUS_CANCELLED);
}

// What a backend says of bad indices is not taken on trust.
TEST_F(Wicked, LiesAboutBadIndices) {
  static int64_t first_invalid, invalid_count;
  const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
    const xlashape_status status = open_wicked(host, table, err);
    table->plan_execute = [](void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* own) {
      const xlashape_status done = honest.plan_execute(self, storage, op, run, own);
      if (op->relayout != nullptr || run->count != 4) return done;
      if (run->first_invalid != nullptr) *run->first_invalid = first_invalid;
      if (run->invalid_count != nullptr) *run->invalid_count = invalid_count;
      return done;
    };
    return status;
  };
  const Runtime runtime;
  ASSERT_EQ(add(runtime, nullptr, open), "");
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("u8[5,7]", 7, 0, &shape, nullptr);
  xlashape_index_map* map = nullptr;
  ASSERT_EQ(xlashape_index_map_create(shape, &map, nullptr), XLASHAPE_STATUS_OK);
  const int64_t index[8] = {0, 1, 2, 3, 4, 5, 0, 6}, linear[4] = {0, 9, 34, 3};
  int64_t out[8], bad;
  const auto convert = [&](int32_t conversion, const int64_t* in, uint32_t flags, xlashape_error* err) {
    auto options = XLASHAPE_INIT(xlashape_index_options);
    options.flags = flags;
    xlashape_index_plan* plan = nullptr;
    xlashape_status done = xlashape_index_plan_create(runtime.get(), map, conversion, &options, &plan, err);
    if (done == XLASHAPE_STATUS_OK)
      done = xlashape_index_plan_execute(plan, 4, in, XLASHAPE_UNCHECKED, out, sizeof out, &bad, err);
    xlashape_index_plan_release(plan);
    return done;
  };
  for (const int64_t lie : {int64_t{-1} << 40, int64_t{-77}, int64_t{-1}, int64_t{1}, int64_t{5}, INT64_MAX}) {
    first_invalid = lie, invalid_count = 0;
    auto err = XLASHAPE_INIT(xlashape_error);
    EXPECT_EQ(convert(XLASHAPE_CONVERSION_TO_LINEAR, index, 0, &err), XLASHAPE_STATUS_INTERNAL);
    EXPECT_THAT(err.message,
                lie == 1 ? HasSubstr("index 1 of the batch invalid, but it is valid") : HasSubstr(std::to_string(lie)));
    EXPECT_EQ(convert(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, linear, 0, &err), XLASHAPE_STATUS_INTERNAL);
  }
  first_invalid = 4;
  for (const int64_t lie : {int64_t{-5}, int64_t{5}, INT64_MAX}) {
    invalid_count = lie;
    EXPECT_EQ(convert(XLASHAPE_CONVERSION_TO_LINEAR, index, XLASHAPE_INDEX_MARK_INVALID, nullptr),
              XLASHAPE_STATUS_INTERNAL);
  }
  xlashape_index_map_release(map);
  xlashape_shape_release(shape);
}

// An exception without a text; a logger of the program's that throws is not the backend's fault.
TEST_F(Wicked, ExceptionsOfOthers) {
  struct Silent : std::exception {
    const char* what() const noexcept override { return nullptr; }
  };
  {
    const Runtime runtime;
    slot = "open", misbehave = [] { throw Silent(); };
    EXPECT_THAT(add(runtime), HasSubstr("open threw an exception"));
    clear();
  }
  xlashape_logger logger = {sizeof(xlashape_logger), 0, nullptr,
                            [](void*, int32_t, uint32_t source, const char*, int64_t) {
                              if (source == 2 && slot == "plan_execute") throw 5;
                            },
                            nullptr};
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = kAlone;
  options.logger = &logger;
  xlashape_runtime* made = nullptr;
  ASSERT_EQ(xlashape_runtime_create(&options, &made, nullptr), XLASHAPE_STATUS_OK);
  ASSERT_EQ(xlashape_runtime_add_backend(made, "wicked", 6, open_wicked, nullptr, nullptr, 0, nullptr),
            XLASHAPE_STATUS_OK);
  slot = "plan_execute", misbehave = [] { host_table->log(host_table->opaque, 1, 0, "a line", 6); };
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("u16[64]", 7, 0, &shape, nullptr);
  uint16_t src[64] = {}, dst[64];
  auto wished = XLASHAPE_INIT(xlashape_relayout_options);
  wished.backend = "wicked";
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(xlashape_relayout(made, shape, src, sizeof src, shape, dst, sizeof dst, &wished, nullptr),
              XLASHAPE_STATUS_OK);
  xlashape_shape_release(shape);
  xlashape_runtime_release(made);
}

// One that fails in use gives its name back: to the built-in one, and to the file that it stood before.
TEST_F(Wicked, NamesOfThoseThatFailLaterAreServed) {
  const Folder folder;
  folder.add("good");
  for (const char* name : {"scalar", "good"}) {
    clear();
    const Runtime runtime(folder.path());
    static const char* called;
    called = name;
    const auto open = [](const xlashape_host* host, xlashape_backend* table, xlashape_error* err) {
      const xlashape_status status = open_wicked(host, table, err);
      table->name = called;
      return status;
    };
    if (name == std::string("scalar")) {
      // The built-in one is there already, and gives way to files only.
      EXPECT_NE(
          xlashape_runtime_add_backend(runtime.get(), name, std::strlen(name), open, nullptr, nullptr, 0, nullptr),
          XLASHAPE_STATUS_OK);
      continue;
    }
    xlashape_runtime_backend_count(runtime.get());
    ASSERT_EQ(xlashape_runtime_add_backend(runtime.get(), name, std::strlen(name), open, nullptr, nullptr, 0, nullptr),
              XLASHAPE_STATUS_OK);
    EXPECT_EQ(runtime.transpose(name), name);
    slot = "plan_execute", misbehave = throw_text;
    EXPECT_THAT(runtime.transpose(name), HasSubstr(kThrown));
    EXPECT_EQ(runtime.transpose(name), name) << "the file";
    EXPECT_THAT(runtime.report(), HasSubstr("ready, " + folder.file("good.so")));
  }
}

// A file that served in the place of the built-in backend: what it refuses by an exception, that one does at once.
TEST_F(Wicked, TheBuiltInOneServesAgain) {
  const Folder folder;
  folder.add("throws_later");
  folder.write(
      "scalar.xlashape.toml",
      "manifest = 1\nname = \"scalar\"\nlibrary = \"throws_later.so\"\nentry = \"throws_later\"\nabi = \"0.1\"\n");
  const Runtime runtime(folder.path());
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("f32[64]", 7, 0, &shape, nullptr);
  xlashape_plan* plan = nullptr;
  EXPECT_EQ(xlashape_plan_create(runtime.get(), shape, shape, nullptr, &plan, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_STREQ(xlashape_plan_backend(plan), "scalar");
  EXPECT_THAT(runtime.report(), AllOf(HasSubstr("backend scalar: ready, shadowed by " + folder.file("throws_later.so")),
                                      HasSubstr("backend scalar: ready, " + folder.file("throws_later.so"))));
  for (int round = 0; round < 2; ++round) EXPECT_EQ(runtime.transpose(), "scalar");
  EXPECT_THAT(runtime.report(),
              AllOf(HasSubstr("backend scalar: ready, built in"),
                    HasSubstr("backend scalar: not in use, " + folder.file("throws_later.so")),
                    HasSubstr("plan_init: it threw an exception: not these"), Not(HasSubstr("shadowed"))));
  // The plan that it made is still its own.
  std::vector<uint32_t> src(64, 7), dst(64);
  EXPECT_EQ(xlashape_plan_execute(plan, src.data(), byte_count(src), dst.data(), byte_count(dst), nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_EQ(src, dst);
  xlashape_plan_release(plan);
  xlashape_shape_release(shape);
}

// With fallback allowed, the failure of the backend of first choice is not the caller's.
TEST_F(Wicked, ErrorIsLeftAloneOnSuccess) {
  const Runtime runtime;
  ASSERT_EQ(add(runtime), "");
  slot = "plan_init";
  misbehave = throw_text;
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("u16[64]", 7, 0, &shape, nullptr);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "wicked";
  options.flags = XLASHAPE_PLAN_ALLOW_FALLBACK;
  xlashape_error err;
  std::memset(&err, 0x55, sizeof err);
  err.struct_size = sizeof err;
  const xlashape_error before = err;
  xlashape_plan* plan = nullptr;
  EXPECT_EQ(xlashape_plan_create(runtime.get(), shape, shape, &options, &plan, &err), XLASHAPE_STATUS_OK);
  EXPECT_STREQ(xlashape_plan_backend(plan), "scalar");
  EXPECT_EQ(std::memcmp(&err, &before, sizeof err), 0);
  xlashape_plan_release(plan);
  xlashape_shape_release(shape);
}

// A failing backend never takes a good one of its name out of use, whichever way it comes.
TEST_F(Wicked, FailuresLeaveTheGoodOnesAlone) {
  const Folder good, bad;
  const std::string path = good.add("good"), broken = bad.add("nests", "good");
  {
    const Runtime runtime(good.path());
    EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 2) << "found, not loaded";
    EXPECT_THAT(runtime.load(broken), HasSubstr("symbol"));
    EXPECT_EQ(runtime.transpose(), "good");
    EXPECT_EQ(runtime.transpose("good"), "good");
  }
  {
    const Runtime runtime(good.path());
    xlashape_runtime_backend_count(runtime.get());
    slot = "open", misbehave = throw_text;
    EXPECT_NE(xlashape_runtime_add_backend(runtime.get(), "good", 4, open_wicked, nullptr, nullptr, 0, nullptr),
              XLASHAPE_STATUS_OK);
    clear();
    EXPECT_EQ(runtime.transpose("good"), "good");
  }
  {
    const Runtime runtime(bad.path() + ":" + good.path());
    EXPECT_EQ(runtime.transpose(), "good") << "the next place that has the name";
    EXPECT_EQ(runtime.transpose("good"), "good");
    EXPECT_THAT(runtime.report(), AllOf(HasSubstr("not in use, " + broken), HasSubstr("ready, " + path)));
  }
  {
    const Runtime runtime(bad.path());
    EXPECT_EQ(runtime.transpose(), "scalar");
    EXPECT_EQ(runtime.load(path), "") << "after a failure, another file of that name";
    EXPECT_EQ(runtime.transpose(), "good");
  }
  // Failures do not fill the list.
  const Runtime runtime;
  for (int i = 0; i < 200; ++i) EXPECT_NE(runtime.load("/nowhere/" + std::to_string(i) + ".so"), "");
  EXPECT_EQ(runtime.load(path), "");
  EXPECT_THAT(runtime.load("/no/\x1B[2J\nhere.so"), HasSubstr("/no/\\x1b[2J\\x0ahere.so"));
}

}  // namespace
