// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Measuring".
#include "api/answer.h"
#include "api/plan_request.h"
#include "base/struct_io.h"
#include "exec/plan.h"
#include "exec/runtime.h"
#include "runtime/calibrate.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;

extern "C" {

xlashape_status xlashape_runtime_calibrate(xlashape_runtime* runtime, const xlashape_calibrate_options* options,
                                           char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    xlashape_calibrate_options own{};
    if (options != nullptr) XLASHAPE_TRY(read_struct(options, &own, "options", err));
    XLASHAPE_TRY(check_flags(own.flags, 0, err));
    XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
    if (capacity < XLASHAPE_PROFILE_BYTES) {  // asked before anything is measured
      *needed = XLASHAPE_PROFILE_BYTES;
      if (capacity == 0) return XLASHAPE_STATUS_OK;
      text[0] = '\0';
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "a profile takes up to %d bytes, the capacity is %lld",
                  XLASHAPE_PROFILE_BYTES, ll(capacity));
    }
    XLASHAPE_TRY(or_default(&runtime, err));
    std::string profile;
    XLASHAPE_TRY(calibrate(*runtime, own, &profile, err));
    return answer_text(profile, text, capacity, needed, err);
  });
}

xlashape_status xlashape_plan_create_measured(xlashape_runtime* runtime, const xlashape_shape* src_shape,
                                              const xlashape_shape* dst_shape, const xlashape_relayout_options* options,
                                              const xlashape_measure_options* how, xlashape_plan** plan,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    PlanRequest call;
    XLASHAPE_TRY(unwrap(src_shape, dst_shape, options, &call, err));
    xlashape_measure_options h{};
    if (how != nullptr) XLASHAPE_TRY(read_struct(how, &h, "how", err));
    XLASHAPE_TRY(check_flags(h.flags, 0, err));
    if (h.budget_ns < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "how.budget_ns is %lld, it must not be negative",
                  ll(h.budget_ns));
    if ((h.src == 0) != (h.dst == 0))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "how: only one of src and dst is given");
    constexpr int64_t kUsualBudget = 200'000'000;
    call.options.measuring = {h.budget_ns != 0 ? h.budget_ns : kUsualBudget, h.src, h.dst};
    XLASHAPE_TRY(or_default(&runtime, err));
    Ref<Plan> made;
    XLASHAPE_TRY(make_plan(*runtime, call.request, call.options, &made, err));
    *plan = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_runtime_profile_path(xlashape_runtime* runtime, char* text, int64_t capacity, int64_t* needed,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(or_default(&runtime, err));
    return answer_text(runtime->profile.path, text, capacity, needed, err);
  });
}

xlashape_status xlashape_runtime_export_wisdom(xlashape_runtime* runtime, char* text, int64_t capacity, int64_t* needed,
                                               xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
    XLASHAPE_TRY(or_default(&runtime, err));
    return answer_text(runtime->wisdom.text(runtime->profile.processor), text, capacity, needed, err);
  });
}

xlashape_status xlashape_runtime_import_wisdom(xlashape_runtime* runtime, const char* text, int64_t text_len,
                                               int64_t* taken, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(text, "text", text_len, err));
    XLASHAPE_TRY(or_default(&runtime, err));
    int64_t count = 0;
    XLASHAPE_TRY(runtime->wisdom.import(view(text, text_len), runtime->profile.processor, &count, err));
    if (taken != nullptr) *taken = count;
    return XLASHAPE_STATUS_OK;
  });
}

void xlashape_runtime_forget_wisdom(xlashape_runtime* runtime) {
  guarded(nullptr, [&]() -> Status {
    XLASHAPE_TRY(or_default(&runtime, nullptr));
    runtime->wisdom.forget();
    return XLASHAPE_STATUS_OK;
  });
}

}  // extern "C"
