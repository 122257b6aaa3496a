// SPDX-License-Identifier: Apache-2.0
// Profiles: what a processor is like, measured.
#ifndef XLASHAPE_CALIBRATE_HPP_
#define XLASHAPE_CALIBRATE_HPP_

#include <xlashape_runtime.h>

#include <chrono>

#include "control.hpp"

namespace xlashape {
namespace detail {

XLASHAPE_THROWS inline Result<std::string> profile(std::chrono::nanoseconds budget, const Control& control,
                                                   const Runtime& runtime, Call& call) {
  Watch watch(control, call);
  auto options = XLASHAPE_INIT(xlashape_calibrate_options);
  options.budget_ns = budget.count();
  watch.put_into(options);
  std::string text(XLASHAPE_PROFILE_BYTES, '\0');
  std::int64_t needed = 0;
  Result<std::string> result;
  const xlashape_status status =
      xlashape_runtime_calibrate(runtime.get(), &options, text.data(), length(text), &needed, result.record());
  if (status != XLASHAPE_STATUS_OK || watch.threw()) return call.outcome(result.error());
  text.resize(static_cast<std::size_t>(needed) - 1);
  result.emplace(std::move(text));
  return result;
}

}  // namespace detail

// Measures the machine for about `budget` (0: 10 s), on the runtime's executor, and returns a profile: a text for
// RuntimeOptions::profile, or for the file at Runtime::profile_path, which later runtimes read. The runtime itself does
// not change. Other work on the machine falsifies it. progress is called on this thread.
// kUnsupported where no backend measures.
XLASHAPE_THROWS inline Result<std::string> try_calibrate(std::chrono::nanoseconds budget = {},
                                                         const Control& control = {}, const Runtime& runtime = {}) {
  detail::Call call;
  return detail::profile(budget, control, runtime, call);
}
XLASHAPE_THROWS inline std::string calibrate(std::chrono::nanoseconds budget = {}, const Control& control = {},
                                             const Runtime& runtime = {}) {
  detail::Call call;
  return call.value(detail::profile(budget, control, runtime, call));
}

}  // namespace xlashape

#endif  // XLASHAPE_CALIBRATE_HPP_
