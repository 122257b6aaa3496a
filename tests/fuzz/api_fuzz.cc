// SPDX-License-Identifier: Apache-2.0
// A stateful fuzz target over the whole C API. An input is a list of operations of twelve bytes, each of which works on
// pools of all kinds of handles: it makes, asks, derives, prints, reads, plans, moves and releases. Besides what the
// sanitizers see, each call is held to what the header and docs/errors.md promise (call.h), and answers to each other
// (the files in api/). XLASHAPE_FUZZ_COUNTS=1 prints, at the end, how many calls of each function succeeded; =require
// fails where one never did.
#include <cstdio>
#include <cstdlib>

#include "api/dispatch.h"
#include "api/plans.h"
#include "xlashape_runtime.h"

namespace api_fuzz {

namespace {

constexpr size_t kBytes = 12, kMostOperations = 100;

// All operations, each as often as it weighs.
const std::vector<void (*)(Input&)>& operations() {
  static const auto& all = *new std::vector<void (*)(Input&)>([] {
    std::vector<void (*)(Input&)> list;
    for (const auto part :
         {property_operations, runtime_operations, conversion_operations, plan_operations, extension_operations}) {
      const Operations some = part();
      for (size_t i = 0; i < some.size; ++i)
        list.insert(list.end(), static_cast<size_t>(some.list[i].weight), some.list[i].run);
    }
    return list;
  }());
  return all;
}

// These cannot succeed here: no other shared object is loaded by this program, no input may take the seconds that it
// takes to measure the machine (api_measuring does that), and the default runtime is there from the beginning.
bool never_succeeds(int function) {
  return function == F_xlashape_runtime_load_backend || function == F_xlashape_runtime_calibrate ||
         function == F_xlashape_runtime_set_default;
}

void print_counts() {
  const char* wanted = std::getenv("XLASHAPE_FUZZ_COUNTS");
  if (wanted == nullptr) return;
  int missing = 0;
  for (int i = 0; i < kFunctions; ++i) {
    const bool fails = i >= kApiFunctions || signatures()[static_cast<size_t>(i)].returns == Role::kStatus;
    const bool is_missing = counts[i].calls == 0 || (fails && counts[i].successes == 0 && !never_succeeds(i));
    missing += is_missing ? 1 : 0;
    std::printf("%-50s %9llu calls %9llu successes%s\n", name_of(i), static_cast<unsigned long long>(counts[i].calls),
                static_cast<unsigned long long>(counts[i].successes), is_missing ? " MISSING" : "");
  }
  std::fflush(stdout);
  if (missing > 0 && std::strcmp(wanted, "require") == 0) {
    std::fprintf(
        stderr,
        "api_fuzz: %d functions were never called, or never with success, those with MISSING above: tests/fuzz/api/"
        "values.cc draws their arguments, tests/fuzz/seeds.py the inputs\n",
        missing);
    std::_Exit(1);
  }
}

}  // namespace
}  // namespace api_fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  // Inputs here reach thousands of features each: weighing inputs by them would take longer than running them.
  static std::vector<char*> all(*arguments, *arguments + *count);
  static char plain[] = "-entropic=0";
  all.insert(all.begin() + 1, plain);
  *count = static_cast<int>(all.size());
  all.push_back(nullptr);
  *arguments = all.data();
  for (const char* name : {"XLASHAPE_CPU", "XLASHAPE_BACKEND", "XLASHAPE_BACKEND_PATH", "XLASHAPE_BACKEND_OPTIONS",
                           "XLASHAPE_LOG", "XLASHAPE_VERIFY", "XLASHAPE_THREADS"})
    unsetenv(name);
  setenv("XLASHAPE_PROFILE", "none", 1);
  api_fuzz::steady();
  xlashape_runtime_backend_count(nullptr);
  std::atexit(api_fuzz::print_counts);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace api_fuzz;
  size_t at = 0;
  for (size_t n = 0; n < kMostOperations && at < size; ++n) {
    const size_t bytes = size - at < kBytes ? size - at : kBytes;
    Input input(data + at, bytes);
    at += bytes;
    current = &input;
    const auto& all = operations();
    all[static_cast<size_t>(input.byte()) * 251 % all.size()](input);
    bury();
    check_releases();
  }
  clear();
  check_releases();
  forget_plans();
  forget_owned();
  check(live_blocks() == 0, "memory of the allocator hooks is left when everything is released");
  return 0;
}
