// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/base/subcommands.h"
#include "cli/execution/execution.h"
#include "cli/execution/reference.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"
#include "cli/random_cases/execution_mode.h"
#include "cli/random_cases/random_case.h"
#include "cli/random_cases/run_case.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

// A case by its number: the same number always gives the same case, alone or among others.
enum CaseKind : int { kSmall, kLarge, kSparse, kHuge, kKinds };
constexpr const char* kCaseKindNames[kKinds] = {"small", "large", "sparse", "huge"};
CaseKind kind_of(int64_t number) {
  if (number % 600 == 599) return kHuge;
  if (number % 50 == 49) return kSparse;
  return number % 8 == 7 ? kLarge : kSmall;
}

// Executes the plan in one of several ways, and says in which.
std::string run_once(Random& random, const Runtime& runtime, const Request& request, const Plan& plan,
                     const ElementOffsets& from, const ElementOffsets& to, const xlashape_plan_requirements& needs,
                     const uint8_t* src, uint8_t* dst) {
  switch (random.below(3)) {
    case 0:
      plan.execute_at(src, dst);
      return "in one go";
    case 1: {
      const ExecutionMode mode = random_mode(random, needs);
      execute(plan, needs, mode, src, dst);
      return mode_text(mode);
    }
    default:  // planned and executed at once, where a strided side must be at and after its pointer
      if (from.low() < 0 || to.low() < 0) {
        plan.execute_at(src, dst);
        return "in one go";
      }
      xlashape::relayout(request.src, Bytes(src, static_cast<size_t>(from.high())), request.dst,
                         std::span(dst, static_cast<size_t>(to.high())), request, runtime);
      return "planned and executed at once";
  }
}

// Whether a backend of that name is loaded, so that a refusal is about the operation.
bool is_ready(const Runtime& runtime, const std::string& name) {
  const std::vector<BackendInfo> all = runtime.backends();
  return std::any_of(all.begin(), all.end(), [&](const BackendInfo& backend) {
    return backend.name == name && backend.state == XLASHAPE_BACKEND_STATE_READY;
  });
}

// The plan; empty where the backend refuses this relayout.
Plan plan_for(const SelfTestOptions& options, const Runtime& runtime, const Request& request) {
  Result<Plan> plan = try_plan(runtime, request);
  if (plan) return *std::move(plan);
  const Status status = plan.error().status();
  const bool refused =
      status == Status::kUnsupported || (status == Status::kNotFound && is_ready(runtime, options.backend));
  if (refused && !options.backend.empty()) return Plan();
  throw Exception(plan.error());
}

// Throws a failure where the result is wrong.
void test_small(const Runtime& runtime, Random& random, const Request& request, const Plan& plan) {
  const xlashape_plan_requirements needs = plan.requirements();
  const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
  check_requirements(needs, from, to);
  const RegionPlace src(random, from.low(), from.high(), needs.src_alignment, false);
  const RegionPlace dst(random, to.low(), to.high(), needs.dst_alignment, false);
  const std::vector<uint8_t> was(dst.all().begin(), dst.all().end()), source(src.all().begin(), src.all().end());
  std::optional<OneValue> values;
  if (request.flags & XLASHAPE_PLAN_CONVERT) values.emplace(runtime, request);
  const Expected expected = expected_result(request, from, to, src.inside(), dst.inside(), values ? &*values : nullptr);
  const std::string how = run_once(random, runtime, request, plan, from, to, needs, src.pointer(), dst.pointer());
  compare_source(src, source);
  compare(expected, dst, was, how + " by " + plan.describe());
}

// The results of the cases, and their memory.
struct Results {
  int64_t passed = 0, failed = 0, refused = 0, not_reached = 0;
  int64_t run[kKinds] = {};
  int64_t bytes = 0;  // the most that one case took
  std::vector<std::string> not_run;
};

// Throws what is wrong, or why it was not run; false where the backend refuses this relayout.
bool test_case(const SelfTestOptions& options, const Runtime& runtime, int64_t number, Request* request,
               Results* results) {
  Random random(options.seed * 0x2545f4914f6cdd1d + static_cast<uint64_t>(number));
  const CaseKind kind = kind_of(number);
  *request = kind == kLarge      ? large_request(random)
             : kind == kSparse   ? sparse_request(random)
             : kind == kHuge     ? huge_request(static_cast<int>(number / 600 % kHugeRequests))
             : random.chance(20) ? random_value_request(random)
                                 : random_request(random);
  request->backend = options.backend;
  const Plan plan = plan_for(options, runtime, *request);
  if (!plan) return false;
  if (kind == kSmall) test_small(runtime, random, *request, plan);
  if (kind == kLarge) try_large(random, plan, *request, {}, &results->bytes);
  if (kind == kSparse) try_sparse(random, plan, *request, {}, &results->bytes);
  if (kind == kHuge) try_huge(random, runtime, *request, static_cast<double>(options.seconds) / 60, &results->bytes);
  ++results->run[kind];
  return true;
}

// "850 small, 125 large": the numbers of each kind that was run.
std::string kinds_text(const int64_t (&run)[kKinds]) {
  std::string text;
  for (int kind = 0; kind < kKinds; ++kind)
    if (run[kind] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", run[kind], kCaseKindNames[kind]);
  return text.empty() ? "none" : text;
}

int print_results(const SelfTestOptions& options, const Common& common, const Results& results, double seconds,
                  const Json& failures) {
  const int exit = results.failed > 0 ? kData : results.passed == 0 && results.refused > 0 ? kUnsupported : kDone;
  if (common.json) {
    Json kinds = Json::object();
    for (int kind = 0; kind < kKinds; ++kind) kinds.add(kCaseKindNames[kind], results.run[kind]);
    const Json json = {{"passed", results.passed},
                       {"failed", results.failed},
                       {"refused", results.refused},
                       {"not_run", results.not_run},
                       {"not_reached", results.not_reached},
                       {"kinds", kinds},
                       {"bytes", results.bytes},
                       {"seed", options.seed},
                       {"backend", options.backend.empty() ? Json() : Json(options.backend)},
                       {"seconds", seconds},
                       {"failures", failures}};
    say_json(json);
    return exit;
  }
  if (results.failed > 0) say("One of them again: xlashape self-test --seed {} --first CASE --count 1\n", options.seed);
  for (const std::string& why : results.not_run) say("not run: {}\n", why);
  if (results.not_reached > 0) say("not reached in {} s: {} cases (--seconds)\n", options.seconds, results.not_reached);
  say("relayouts: {}; {:.1f} s, at most {} MiB for one\n", kinds_text(results.run), seconds, (results.bytes >> 20) + 1);
  if (results.refused > 0) say("{} refused by {}\n", results.refused, options.backend);
  say("{} passed, {} failed\n", results.passed, results.failed);
  return exit;
}

}  // namespace

int run_self_test(const SelfTestOptions& options, const Common& common) {
  if (!options.plugin.empty()) return test_plugin(options, common);
  const Runtime runtime = make_runtime(options.load);
  Results results;
  Json failures = Json::array();
  const double start = seconds_now();
  {
    Progress progress("self-test");
    for (int64_t i = options.first; i < options.first + options.count; ++i) {
      if (seconds_now() - start > static_cast<double>(options.seconds)) {
        results.not_reached = options.first + options.count - i;
        break;
      }
      Request request;
      try {
        const bool taken = as_failures([&] { return test_case(options, runtime, i, &request, &results); });
        (taken ? results.passed : results.refused) += 1;
      } catch (const NotRun& reason) {
        results.not_run.push_back(fmt::format("case {}, {}: {}", i, request_text(request), reason.why));
      } catch (const Failure& failure) {
        if (failure.code == "NOT_FOUND" && !options.backend.empty()) throw;  // no such backend: nothing to test
        const std::string text = request.dst ? request_text(request) : "no relayout came about";
        if (++results.failed <= 20) {
          if (common.json) {
            failures.add({{"case", i}, {"relayout", text}, {"error", error_json(failure)}});
          } else {
            say("case {}: {}\n  {}: {}\n", i, text, failure.code, failure.message);
          }
        }
      }
      progress.show(static_cast<double>(i - options.first + 1) / static_cast<double>(options.count));
    }
  }
  return print_results(options, common, results, seconds_now() - start, failures);
}

}  // namespace xlashape::cli
