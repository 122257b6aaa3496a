// SPDX-License-Identifier: Apache-2.0
// Checks what a plugin does for measuring: candidates of plans that the library times, and profiles.
#include <algorithm>
#include <chrono>
#include <limits>
#include <xlashape/calibrate.hpp>

#include "cli/execution/measuring.h"
#include "conformance_suite.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kBudget = 5'000'000;         // nanoseconds for a plan
constexpr int64_t kCalibration = 200'000'000;  // and for a profile

}  // namespace

void Suite::measured_plans() {
  static constexpr const char* kShapes[][2] = {{"f32[96,64]{1,0}", "f32[96,64]{0,1}"},
                                               {"bf16[50,300]{1,0}", "bf16[50,300]{1,0:T(8,128)(2,1)}"},
                                               {"u8[40000]{0}", "u8[40000]{0:PD(40100)}"},
                                               {"s4[64,64]{1,0:E(4)}", "s4[64,64]{0,1:E(4)}"}};
  Random random(3);
  for (const auto& [from, to] : kShapes) {
    Request request;
    request.src = Shape::parse(from);
    request.dst = Shape::parse(to);
    request.backend = name_;
    run(kChoose, "measured, " + request_text(request), [&] {
      plan_of(request);  // it may refuse the operation
      Plan::create_measured(request.src, request.dst, {std::chrono::nanoseconds(kBudget)}, request, runtime_);
    });
    relayout(random, request, false);  // it knows the fastest way now
  }
  run(kCandidate, "wisdom as text", [&] { add_wisdom(runtime_, runtime_.wisdom(), ""); });
  runtime_.forget_wisdom();
}

std::string Suite::calibrate() {
  std::string profile;
  if (!watch_.calibrates()) return profile;
  run(kCalibrate, "a profile in 0.2 s",
      [&] { profile = xlashape::calibrate(std::chrono::nanoseconds(kCalibration), {}, runtime_); });
  return profile;
}

void Suite::add(const Tally& other) {
  tally_.passed += other.passed;
  tally_.failed += other.failed;
  tally_.refused += other.refused;
}

Runtime runtime_with(const std::string& profile) {
  RuntimeOptions options;
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  options.profile = profile;
  return Runtime::create(options);
}

std::vector<std::string> profiles_to_try(const std::string& own) {
  // The line about the processor, without which a profile is not used, is in the head of empty wisdom, too.
  const std::string wisdom = runtime_with("").wisdom(), head = "xlashape profile 1" + wisdom.substr(wisdom.find('\n'));
  std::string lines = own.size() > head.size() ? own.substr(head.size()) : "[under_test]\nany.number = 1\n";
  std::vector<std::string> profiles = {head + lines, head + "[under_test]\n",
                                       head + "[under_test]\na = 1\n.._ = -5\n" + std::string(64, 'z') + " = 0\n"};
  for (const int64_t number : {int64_t{0}, int64_t{-1}, int64_t{1}, std::numeric_limits<int64_t>::max(),
                               std::numeric_limits<int64_t>::min()}) {
    std::string changed = head;
    for (size_t at = 0; at < lines.size();) {
      const std::string line = lines.substr(at, lines.find('\n', at) - at);
      const size_t equals = line.find(" = ");
      changed += (equals == line.npos ? line : line.substr(0, equals + 3) + std::to_string(number)) + "\n";
      at += line.size() + 1;
    }
    profiles.push_back(changed);
  }
  return profiles;
}

}  // namespace xlashape::cli
