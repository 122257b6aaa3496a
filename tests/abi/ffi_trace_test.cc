// The interposer, around a real backend: everything is forwarded and logged, and breaches by either side are found.
#include "abi/ffi_trace.h"

#include "abi/backend_test.h"
#include "abi/ffi_mock.h"
#include "xlashape_backend.h"

namespace foreign {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FfiTrace : public testing::Test {
 protected:
  void SetUp() override {
    if (!Closure::available()) GTEST_SKIP() << "this machine forbids code made at run time: ffi_closure_alloc failed";
  }
};

int32_t in_turn(void*, int64_t count, void* opaque, void (*task)(void*, int64_t, uint32_t)) {
  for (int64_t i = 0; i < count; ++i) task(opaque, i, static_cast<uint32_t>(i % 3));
  return 0;
}

TEST_F(FfiTrace, ARealBackendKeepsTheContract) {
  Trace trace(file(), probe());
  {
    xlashape_executor executor{sizeof executor, 3, nullptr, in_turn, nullptr};
    Host host(&executor);
    ASSERT_EQ(host.add(trace.open()), XLASHAPE_STATUS_OK) << host.err.message;
    EXPECT_EQ(host.last().state, XLASHAPE_BACKEND_STATE_READY);
    const api::Plan plan = host.plan();
    ASSERT_NE(plan, nullptr) << host.err.message;
    EXPECT_TRUE(host.run(plan));
    EXPECT_STREQ(xlashape_plan_backend(plan.get()), "abi_probe");
    char text[256];
    int64_t needed;
    ASSERT_EQ(xlashape_plan_describe(plan.get(), text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_THAT(text, HasSubstr("transpose"));
    for (const char* slot : {"supports", "plan_size", "plan_init", "plan_tasks", "plan_execute", "describe"})
      EXPECT_GE(trace.calls(slot), 1) << slot;
    EXPECT_THAT(trace.log().back().arguments, HasSubstr("capacity="));
    for (const Trace::Entry& entry : trace.log()) EXPECT_GT(entry.nanoseconds, 0) << entry.slot;
  }
  EXPECT_THAT(trace.problems(), IsEmpty());
}

// Straight at the table, as a core that is broken would.
class Direct {
 public:
  explicit Direct(Library::Function open) {
    host.struct_size = sizeof host;
    host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
    host.manifest_path = "";
    table.struct_size = sizeof table;
    EXPECT_EQ(reinterpret_cast<xlashape_backend_open>(open)(&host, &table, nullptr), XLASHAPE_STATUS_OK);
    op.struct_size = sizeof op;
    op.kind = XLASHAPE_OP_TO_LINEAR;
    op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
    op.map = &map;
    map.struct_size = sizeof map;
    run.struct_size = sizeof run;
    run.task_end = run.task_count = 1;
  }
  xlashape_host host{};
  xlashape_backend table{};
  xlashape_op op{};
  xlashape_map_ir map{};
  xlashape_run run{};
  char storage[64];
};

TEST_F(FfiTrace, FindsBreachesOfTheCore) {
  Trace trace(file(), probe());
  Direct direct(trace.open());
  const xlashape_backend& table = direct.table;
  EXPECT_THAT(trace.problems(), IsEmpty());
  table.plan_execute(table.self, direct.storage, &direct.op, &direct.run, nullptr);
  EXPECT_THAT(trace.problems(), ElementsAre("plan_execute: of a plan that was not initialised, or is destroyed"));
  EXPECT_EQ(table.plan_init(table.self, &direct.op, direct.storage, nullptr), XLASHAPE_STATUS_OK);
  direct.run.task_begin = 2;
  table.plan_execute(table.self, direct.storage, &direct.op, &direct.run, nullptr);
  EXPECT_THAT(trace.problems(), Contains("plan_execute: tasks [2, 1) of 1"));
  direct.op.struct_size = 8;
  xlashape_support support{};
  support.struct_size = sizeof support;
  table.supports(table.self, &direct.op, &support, nullptr);
  EXPECT_THAT(trace.problems(), Contains("supports: op.struct_size is smaller than the struct of this ABI"));
  direct.op.struct_size = sizeof direct.op;
  table.plan_tasks(table.self, direct.storage, &direct.op, 0);
  EXPECT_THAT(trace.problems(), Contains("plan_tasks: max_workers below 1"));
  EXPECT_EQ(trace.problems().size(), 4u);
  EXPECT_EQ(trace.calls("plan_execute"), 2);
}

TEST_F(FfiTrace, FindsBreachesOfTheBackend) {
  struct Case {
    const char* problem;
    const char* slot;
    nlohmann::json told;
  };
  const Case cases[] = {
      {"plan_execute: failed without filling err", "plan_execute", {{"status", "DEVICE"}}},
      {"plan_execute: status 77 is none of this ABI", "plan_execute", {{"result", 77}}},
      {"supports: level 9", "supports", {{"out", {{"support", {{"level", 9}}}}}}},
      {"plan_size: alignment 3", "plan_size", {{"out", {{"bytes", 8}, {"alignment", 3}}}}},
      {"plan_tasks: fewer than one task", "plan_tasks", {{"result", 0}}},
      {"device_count: a negative number of devices", "device_count", {{"result", -1}}},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.problem);
    // device_count is none of the scalar backend's slots: a mock of it is always there.
    Mock mock(file(), probe(), {{"slots", {{each.slot, each.told}}}});
    mock.arm();
    Trace trace(file(), mock.open());
    Direct direct(trace.open());
    const xlashape_backend& table = direct.table;
    xlashape_error err{};
    err.struct_size = sizeof err;
    xlashape_support support{};
    support.struct_size = sizeof support;
    int64_t bytes, align;
    table.supports(table.self, &direct.op, &support, nullptr);
    table.plan_size(table.self, &direct.op, &bytes, &align, nullptr);
    table.plan_init(table.self, &direct.op, direct.storage, &err);
    table.plan_tasks(table.self, direct.storage, &direct.op, 1);
    table.plan_execute(table.self, direct.storage, &direct.op, &direct.run, &err);
    if (table.device_count != nullptr) table.device_count(table.self);
    EXPECT_THAT(trace.problems(), Contains(each.problem));
  }
}

}  // namespace
}  // namespace foreign
