// SPDX-License-Identifier: Apache-2.0
// Selection as a table: explicit request, memory space, level, priority, cost, name; fallback when a plan cannot be
// made.
#include "runtime/select.h"

#include <gmock/gmock.h>

#include <cstring>
#include <map>

#include "exec/runtime.h"
#include "ir/reference.h"
#include "runtime/registry.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

using testing::HasSubstr;

// What the mock of a name says; its open function learns the name from the order in which they are added.
struct Answer {
  int32_t level = XLASHAPE_SUPPORT_WORKS;
  int32_t space = XLASHAPE_SPACE_CPU;
  int64_t alignment = 0;
};
std::map<std::string, Answer> answers;
std::map<std::string, int> asked;  // how often each was asked about a relayout
std::string opening;

xlashape_status supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error*) {
  // Not the smoke test's: these mocks do nothing.
  if (op->relayout == nullptr || op->relayout->value_bits == 32) return XLASHAPE_STATUS_OK;
  const Answer& answer = answers.at(static_cast<const char*>(self));
  ++asked[static_cast<const char*>(self)];
  support->level = op->dst_space == answer.space ? answer.level : XLASHAPE_SUPPORT_NONE;
  support->src_alignment = answer.alignment;
  return XLASHAPE_STATUS_OK;
}
xlashape_status execute(void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error*) {
  return XLASHAPE_STATUS_OK;
}
xlashape_status open(const xlashape_host* host, xlashape_backend* table, xlashape_error*) {
  table->abi_version = host->abi_max;
  table->self = const_cast<char*>(answers.find(opening)->first.c_str());
  table->memory_spaces = XLASHAPE_SPACE_BIT(answers.at(opening).space);
  table->supports = supports;
  table->plan_execute = execute;
  return XLASHAPE_STATUS_OK;
}

class Select : public testing::Test {
 protected:
  void SetUp() override {
    answers.clear();
    asked.clear();
    xlashape_runtime_options options{};
    options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
    ASSERT_EQ(create_runtime(options, &runtime, nullptr), XLASHAPE_STATUS_OK);
    relayout.value_bits = 8;
    relayout.src_high = 1 << 20;
    op.kind = XLASHAPE_OP_RELAYOUT;
    op.relayout = &relayout;
    op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  }
  void add(const std::string& name, const Answer& answer, int32_t priority = 0) {
    answers[name] = answer;
    opening = name;
    ASSERT_EQ(add_backend(*runtime, {name, open}, Origin::kAdded, priority, nullptr), XLASHAPE_STATUS_OK);
  }
  // The name of the backend chosen, or the error.
  std::string chosen(SelectionRequest request = {}) {
    Selection choice;
    auto err = XLASHAPE_INIT(xlashape_error);
    if (select_backend(*runtime, op, request, &choice, &err) != XLASHAPE_STATUS_OK) {
      EXPECT_EQ(err.code, XLASHAPE_STATUS_NOT_FOUND);
      return err.message;
    }
    return choice.backend->name;
  }

  Ref<Runtime> runtime;
  xlashape_relayout_ir relayout{};
  xlashape_op op{};
};

TEST_F(Select, LevelThenPriorityThenCostThenName) {
  EXPECT_EQ(chosen(), "scalar");
  add("m", {});
  EXPECT_EQ(chosen(), "m") << "0 is more than scalar's -100";
  add("a", {});
  EXPECT_EQ(chosen(), "a") << "by name, and not by the order in which they came";
  add("preferred", {}, 1);
  EXPECT_EQ(chosen(), "preferred") << "priority comes before the name";
  add("native", {XLASHAPE_SUPPORT_NATIVE}, -1000);
  EXPECT_EQ(chosen(), "native") << "level comes before priority";
  answers["native"].level = XLASHAPE_SUPPORT_NONE;
  EXPECT_EQ(chosen(), "preferred");
}

// A backend of lower priority than a native one cannot be chosen, whatever it would say.
TEST_F(Select, AsksNobodyInVain) {
  add("less", {XLASHAPE_SUPPORT_NATIVE}, 5);
  add("best", {XLASHAPE_SUPPORT_NATIVE}, 10);
  EXPECT_EQ(chosen(), "best");
  EXPECT_EQ(asked["best"], 1);
  EXPECT_EQ(asked["less"], 0);
  answers["best"].level = XLASHAPE_SUPPORT_WORKS;
  EXPECT_EQ(chosen(), "less");
  EXPECT_EQ(asked["less"], 1);
  EXPECT_EQ(chosen({"less"}), "less") << "one that is asked for by name is asked";
  answers["less"].level = XLASHAPE_SUPPORT_NONE;
  EXPECT_EQ(chosen({"less", true}), "best");
}

TEST_F(Select, MemorySpaceFirst) {
  add("gpu", {XLASHAPE_SUPPORT_WORKS, XLASHAPE_SPACE_CUDA});
  EXPECT_EQ(chosen(), "scalar");
  op.src_space = op.dst_space = XLASHAPE_SPACE_CUDA;
  EXPECT_EQ(chosen(), "gpu");
  op.src_space = op.dst_space = XLASHAPE_SPACE_OPENCL;
  EXPECT_THAT(chosen(), HasSubstr("no backend does this operation (memory spaces 4 to 4)"));
}

TEST_F(Select, ExplicitRequests) {
  add("best", {XLASHAPE_SUPPORT_NATIVE}, 1000);
  add("none", {XLASHAPE_SUPPORT_NONE});
  EXPECT_EQ(chosen({"scalar"}), "scalar");
  EXPECT_THAT(chosen({"none"}), testing::AllOf(HasSubstr("none"), HasSubstr("does not do this operation")));
  EXPECT_EQ(chosen({"none", true}), "best") << "a fallback was allowed";
  EXPECT_THAT(chosen({"nonesuch"}), HasSubstr("no backend is named nonesuch"));
  EXPECT_EQ(chosen({"nonesuch", true}), "best");
  runtime->backend = "scalar";
  EXPECT_EQ(chosen(selection_request(*runtime, {}, false)), "scalar") << "the runtime's";
  EXPECT_EQ(chosen(selection_request(*runtime, "best", false)), "best") << "the option comes before it";
}

TEST_F(Select, GarbageIsNoSupport) {
  add("broken", {77}, 1000);
  EXPECT_EQ(chosen(), "scalar");
  answers["broken"] = {XLASHAPE_SUPPORT_NATIVE, XLASHAPE_SPACE_CPU, 3};
  EXPECT_EQ(chosen(), "scalar") << "no alignment is 3";
  answers["broken"].alignment = -8;
  EXPECT_EQ(chosen(), "scalar");
  answers["broken"].alignment = 64;
  EXPECT_EQ(chosen(), "broken");
}

TEST_F(Select, WhatFailedIsNotTriedAgain) {
  add("first", {XLASHAPE_SUPPORT_NATIVE}, 10);
  Selection choice;
  SelectionRequest request;
  ASSERT_EQ(select_backend(*runtime, op, request, &choice, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_TRUE(try_another(*runtime, choice, &request, "no kernel"));
  EXPECT_EQ(chosen(request), "scalar");
  EXPECT_THAT(report(*runtime), HasSubstr("could not make 1 plans, the last one because: no kernel"));
  SelectionRequest named{"first"};
  EXPECT_FALSE(try_another(*runtime, choice, &named, "no kernel")) << "an explicit request has no other";
}

}  // namespace
}  // namespace xlashape::core
