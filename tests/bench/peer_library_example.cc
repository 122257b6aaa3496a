// SPDX-License-Identifier: Apache-2.0
// The example of a peer library, for the test of --peer-library. By bench_example_fault that makes it one of those that
// must be refused, or that must be found wrong.
#include <cstring>
#include <string>
#include <vector>

#include "peer_library.h"

namespace {

struct Plan {
  int64_t element_bytes;
  std::vector<int64_t> extents, src_strides, dst_strides;
};

int32_t can(const bench_transposition* what) { return what->element_bytes > 1; }

void* plan(const bench_transposition* what) {
  const auto list = [&](const int64_t* from) { return std::vector<int64_t>(from, from + what->rank); };
  return new Plan{what->element_bytes, list(what->extents), list(what->src_strides), list(what->dst_strides)};
}

void move(const Plan& plan, size_t dimension, const char* src, char* dst) {
  if (dimension == plan.extents.size()) {
    std::memcpy(dst, src, static_cast<size_t>(plan.element_bytes));
    return;
  }
  for (int64_t i = 0; i < plan.extents[dimension]; ++i)
    move(plan, dimension + 1, src + i * plan.src_strides[dimension], dst + i * plan.dst_strides[dimension]);
}

int32_t run(void* plan, const void* src, void* dst) {
  move(*static_cast<const Plan*>(plan), 0, static_cast<const char*>(src), static_cast<char*>(dst));
  return 0;
}

int32_t run_wrong(void* plan, const void* src, void* dst) {
  run(plan, src, dst);
  static_cast<char*>(dst)[0] = static_cast<char>(static_cast<char*>(dst)[0] + 1);
  return 0;
}

int32_t run_failing(void*, const void*, void*) { return 7; }

void* no_plan(const bench_transposition*) { return nullptr; }

void release(void* plan) { delete static_cast<Plan*>(plan); }

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const char* bench_example_fault;
const char* bench_example_fault = "";

EXPORTED const bench_peer* bench_peer_library(void) {
  static bench_peer peer;
  peer = {BENCH_PEER_LIBRARY_VERSION, "example", can, plan, run, release};
  const std::string fault = bench_example_fault;
  if (fault == "nothing") return nullptr;
  if (fault == "version") peer.version = BENCH_PEER_LIBRARY_VERSION + 1;
  if (fault == "name") peer.name = "an example|";
  if (fault == "function") peer.run = nullptr;
  if (fault == "no plan") peer.plan = no_plan;
  if (fault == "wrong") peer.run = run_wrong;
  if (fault == "failing") peer.run = run_failing;
  return &peer;
}
