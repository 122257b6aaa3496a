// Broken, slow, old and new backends made from data: the runtime says what is wrong with each, and goes on without it.
#include "abi/ffi_mock.h"

#include <thread>

#include "abi/backend_test.h"

namespace foreign {
namespace {

using testing::HasSubstr;

class FfiMock : public testing::Test {
 protected:
  void SetUp() override {
    if (!Closure::available()) GTEST_SKIP() << "this machine forbids code made at run time: ffi_closure_alloc failed";
  }
};

nlohmann::json slot(const std::string& name, const nlohmann::json& told) { return {{"slots", {{name, told}}}}; }

std::vector<std::string> failures() {
  std::vector<std::string> codes = file().constants_of("xlashape_status");
  codes.erase(codes.begin());  // OK
  for (std::string& name : codes) name.erase(0, sizeof "STATUS_" - 1);
  return codes;
}

xlashape_status code(const std::string& name) {
  return static_cast<xlashape_status>(file().constant("XLASHAPE_STATUS_" + name));
}

TEST_F(FfiMock, TheGoodOneWorks) {
  Mock mock(file(), probe(), nlohmann::json::object());
  Host host;
  EXPECT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
  EXPECT_EQ(host.last().state, XLASHAPE_BACKEND_STATE_READY);
  const api::Plan plan = host.plan();
  ASSERT_NE(plan, nullptr) << host.err.message;
  EXPECT_TRUE(host.run(plan));
}

// Each slot alone is left out: those without which nothing works are missed at once, the others are stood in for.
TEST_F(FfiMock, EverySlotAbsent) {
  const std::set<std::string> required = {"supports", "plan_execute", "plan_size", "plan_init"};
  int absent = 0;
  for (const Item& field : file().structure("xlashape_backend").fields) {
    if (field.signature == nullptr) continue;
    SCOPED_TRACE(field.name);
    Mock mock(file(), probe(), slot(field.name, nullptr));
    Host host;
    const xlashape_status status = host.add(mock.open());
    if (required.count(field.name) > 0) {
      EXPECT_EQ(status, XLASHAPE_STATUS_INVALID_ARGUMENT);
      EXPECT_EQ(host.last().state, XLASHAPE_BACKEND_STATE_FAILED);
      EXPECT_THAT(host.detail_of_last(), HasSubstr(field.name));
    } else {
      EXPECT_EQ(status, XLASHAPE_STATUS_OK) << host.err.message;
      const api::Plan plan = host.plan();
      ASSERT_NE(plan, nullptr) << host.err.message;
      EXPECT_TRUE(host.run(plan));
      EXPECT_GE(xlashape_plan_task_count(plan.get(), 4), 1);
      char text[256];
      int64_t needed;
      EXPECT_EQ(xlashape_plan_describe(plan.get(), text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
    }
    host.others_work();
    ++absent;
  }
  EXPECT_GT(absent, 10);
}

TEST_F(FfiMock, WrongTables) {
  struct Case {
    const char* what;
    nlohmann::json data;
    xlashape_status status;
  };
  const Case cases[] = {
      {"struct_size", {{"table", {{"struct_size", 0}}}}, XLASHAPE_STATUS_INCOMPATIBLE},
      {"struct_size", {{"table", {{"struct_size", 8}}}}, XLASHAPE_STATUS_INCOMPATIBLE},
      {"struct_size", {{"table", {{"struct_size", 9999}}}}, XLASHAPE_STATUS_INCOMPATIBLE},
      {"version", {{"table", {{"abi_version", 0}}}}, XLASHAPE_STATUS_INCOMPATIBLE},
      {"version", {{"table", {{"abi_version", 99}}}}, XLASHAPE_STATUS_INCOMPATIBLE},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.data.dump());
    Mock mock(file(), probe(), each.data);
    Host host;
    EXPECT_EQ(host.add(mock.open()), each.status);
    EXPECT_EQ(host.last().state, XLASHAPE_BACKEND_STATE_FAILED);
    EXPECT_THAT(host.detail_of_last(), HasSubstr(each.what));
    host.others_work();
  }
}

// A plugin of a later version: its table has more slots than this core knows, and it keeps to the core's size.
TEST_F(FfiMock, LaterVersionWithExtraSlots) {
  Mock mock(file(), probe(), {{"extra_slots", 3}});
  Host host;
  EXPECT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
  const api::Plan plan = host.plan();
  ASSERT_NE(plan, nullptr) << host.err.message;
  EXPECT_TRUE(host.run(plan));
}

TEST_F(FfiMock, OpenFailsWithEveryCode) {
  for (const std::string& name : failures()) {
    SCOPED_TRACE(name);
    Mock mock(file(), probe(), {{"open", {{"status", name}, {"message", "no luck with " + name}}}});
    Host host;
    EXPECT_EQ(host.add(mock.open()), code(name));
    EXPECT_THAT(host.err.message, HasSubstr("no luck with " + name));
    EXPECT_EQ(host.last().state, XLASHAPE_BACKEND_STATE_FAILED);
    EXPECT_THAT(host.detail_of_last(), HasSubstr("no luck with " + name));
    host.others_work();
  }
}

// After it was accepted, each slot that may fail does, with every code.
TEST_F(FfiMock, SlotsFailWithEveryCode) {
  for (const char* name : {"supports", "plan_size", "plan_init", "plan_execute"}) {
    for (const std::string& status : failures()) {
      SCOPED_TRACE(std::string(name) + " " + status);
      Mock mock(file(), probe(), slot(name, {{"status", status}, {"message", "told so"}}));
      Host host;
      ASSERT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
      const bool at_execution = std::string(name) == "plan_execute";
      api::Plan plan;
      if (at_execution) plan = host.plan();
      mock.arm();
      if (at_execution) {
        host.run(plan);
      } else {
        plan = host.plan();
        EXPECT_EQ(plan, nullptr);
      }
      EXPECT_GE(mock.calls(name), 1);
      // One that cannot tell whether it could do it is one that does not.
      EXPECT_EQ(host.status, std::string(name) == "supports" ? XLASHAPE_STATUS_NOT_FOUND : code(status))
          << host.err.message;
      EXPECT_EQ(host.err.code, host.status);
      if (at_execution || std::string(name) == "plan_init") {
        EXPECT_THAT(host.err.message, HasSubstr("told so"));
        EXPECT_EQ(host.err.source, 2u) << "the second backend reported it";
      }
      host.others_work();
    }
  }
}

TEST_F(FfiMock, GarbageSizes) {
  for (const auto& out :
       {nlohmann::json{{"bytes", int64_t{1} << 60}, {"alignment", 8}}, nlohmann::json{{"bytes", 8}, {"alignment", 3}},
        nlohmann::json{{"bytes", 8}, {"alignment", 0}}, nlohmann::json{{"bytes", 8}, {"alignment", 1 << 20}}}) {
    SCOPED_TRACE(out.dump());
    Mock mock(file(), probe(), slot("plan_size", {{"out", out}}));
    Host host;
    ASSERT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
    mock.arm();
    EXPECT_EQ(host.plan(), nullptr);
    EXPECT_EQ(host.status, XLASHAPE_STATUS_INTERNAL);
    EXPECT_THAT(host.err.message, HasSubstr("plan_size"));
    host.others_work();
  }
}

TEST_F(FfiMock, GarbageAnswers) {
  for (const int64_t tasks : {int64_t{0}, int64_t{-5}, INT64_MIN}) {
    Mock mock(file(), probe(), slot("plan_tasks", {{"result", tasks}}));
    Host host;
    ASSERT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
    mock.arm();
    const api::Plan plan = host.plan();
    ASSERT_NE(plan, nullptr) << host.err.message;
    EXPECT_EQ(xlashape_plan_task_count(plan.get(), 4), 1);
    EXPECT_TRUE(host.run(plan));
  }
  // Text that it says it wrote and did not.
  Mock mock(file(), probe(), slot("describe", {{"result", int64_t{1} << 40}}));
  Host host;
  ASSERT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
  mock.arm();
  const api::Plan plan = host.plan();
  ASSERT_NE(plan, nullptr) << host.err.message;
  char text[64] = "#";
  int64_t needed;
  EXPECT_EQ(xlashape_plan_describe(plan.get(), text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_LT(needed, 1024u);
}

// Part of the destination is written, then it fails: the failure is told, the source is untouched, nothing falls back.
TEST_F(FfiMock, HalfWrittenOutput) {
  Mock mock(file(), probe(), slot("plan_execute", {{"write", 120}, {"status", "DEVICE"}, {"message", "cable"}}));
  Host host;
  ASSERT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
  const api::Plan plan = host.plan();
  mock.arm();
  EXPECT_FALSE(host.run(plan));
  EXPECT_EQ(host.status, XLASHAPE_STATUS_DEVICE);
  EXPECT_STREQ(host.err.message, "cable");
  EXPECT_EQ(mock.calls("plan_execute"), 1);
  host.others_work();
}

// A slow slot holds up nobody else: plans of other backends are made and run meanwhile.
TEST_F(FfiMock, SlowSlots) {
  for (const char* name : {"supports", "plan_init", "plan_execute"}) {
    SCOPED_TRACE(name);
    Mock mock(file(), probe(), slot(name, {{"sleep_ms", 30}}));
    Host host;
    ASSERT_EQ(host.add(mock.open()), XLASHAPE_STATUS_OK) << host.err.message;
    mock.arm();
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        Host shared;
        shared.runtime.reset(xlashape_runtime_retain(host.runtime.get()));
        const api::Plan plan = shared.plan();
        if (plan != nullptr && shared.run(plan)) ++right;
      });
    host.others_work();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 4);
    EXPECT_GE(mock.calls(name), 4);
  }
}

}  // namespace
}  // namespace foreign
