// SPDX-License-Identifier: Apache-2.0
// Many relayouts in one call.
#ifndef XLASHAPE_EXECUTION_HPP_
#define XLASHAPE_EXECUTION_HPP_

#include <xlashape_runtime.h>

#include "plan.hpp"

namespace xlashape {

// One execution of a list: a plan, and references to memory as Plan::execute takes it.
class Execution {
 public:
  template <class S, class D>
  Execution(Plan plan, const S& src, D&& dst) noexcept
      : plan_(std::move(plan)), src_(plan_.source(src)), dst_(plan_.destination(dst)) {}

  // For calls of the C interface.
  xlashape_plan* plan() const noexcept { return plan_.get(); }
  std::uint64_t src() const noexcept { return reinterpret_cast<std::uintptr_t>(src_.data); }
  std::int64_t src_bytes() const noexcept { return src_.size(); }
  std::uint64_t dst() const noexcept { return reinterpret_cast<std::uintptr_t>(dst_.data); }
  std::int64_t dst_bytes() const noexcept { return dst_.size(); }
  // kOk, or why the memory does not suit the plan.
  Error check() const noexcept { return plan_ && plan_.suit(src_, dst_) ? Error() : plan_.refused(src_, dst_); }

 private:
  Plan plan_;
  detail::Memory src_, dst_;
};

namespace detail {

XLASHAPE_THROWS inline Result<void> execute_all(Span<const Execution> list, const Control& control,
                                                xlashape_execute_options& options, Call& call) {
  std::vector<xlashape_plan*> plans;
  std::vector<std::uint64_t> src, dst;
  std::vector<std::int64_t> src_bytes, dst_bytes;
  for (const Execution& one : list) {
    if (Error error = one.check(); error.status() != Status::kOk) {
      error.record()->index = length(plans);
      return error;
    }
    plans.push_back(one.plan());
    src.push_back(one.src());
    src_bytes.push_back(one.src_bytes());
    dst.push_back(one.dst());
    dst_bytes.push_back(one.dst_bytes());
  }
  Watch watch(control, call);
  Result<void> result;
  options.struct_size = sizeof options;
  watch.put_into(options);
  if (xlashape_plan_execute_list(length(plans), plans.data(), src.data(), src_bytes.data(), dst.data(),
                                 dst_bytes.data(), &options, result.record()) != XLASHAPE_STATUS_OK ||
      watch.threw())
    return call.outcome(result.error());
  return result;
}

}  // namespace detail

// The tasks of all executions are passed to the executor together, so that many small ones keep all workers busy. Each
// is checked as by Plan::execute, all of them before the first one runs; Error::index is the number of the failed one.
// Destinations must not overlap each other, nor another execution's source, which is not checked. Only the queue and
// the executor of `options` are used, and what `control` does not have; its other fields must be 0.
XLASHAPE_THROWS inline Result<void> try_execute_list(Span<const Execution> list, const Control& control = {},
                                                     xlashape_execute_options options = {}) {
  detail::Call call;
  return detail::execute_all(list, control, options, call);
}
XLASHAPE_THROWS inline void execute_list(Span<const Execution> list, const Control& control = {},
                                         xlashape_execute_options options = {}) {
  detail::Call call;
  call.value(detail::execute_all(list, control, options, call));
}

}  // namespace xlashape

#endif  // XLASHAPE_EXECUTION_HPP_
