// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include "xlashape_runtime.h"

namespace bench {

Session::Session(const Options& options) : team_(options.threads), backend_(options.backend) {
  xlashape_executor executor = team_.executor();
  auto how = XLASHAPE_INIT(xlashape_runtime_options);
  if (options.threads > 1) how.executor = &executor;
  xlashape_runtime* runtime = nullptr;
  check([&](xlashape_error* err) { return xlashape_runtime_create(&how, &runtime, err); });
  runtime_.reset(runtime);
  if (options.plugin.empty()) return;
  check([&](xlashape_error* err) {
    return xlashape_runtime_load_backend(runtime, options.plugin.data(), options.plugin.size(), err);
  });
}

Plan Session::plan(const xlashape_shape* src, const xlashape_shape* dst, double measure_seconds) const {
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  if (!backend_.empty()) options.backend = backend_.c_str();
  auto how = XLASHAPE_INIT(xlashape_measure_options);
  how.budget_ns = static_cast<int64_t>(measure_seconds * 1e9);
  xlashape_plan* plan = nullptr;
  check([&](xlashape_error* err) {
    return how.budget_ns == 0 ? xlashape_plan_create(runtime(), src, dst, &options, &plan, err)
                              : xlashape_plan_create_measured(runtime(), src, dst, &options, &how, &plan, err);
  });
  xlashape_runtime_forget_wisdom(runtime());
  return Plan(plan);
}

}  // namespace bench
