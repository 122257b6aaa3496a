// The C entry points of the section "Measuring".
#include "api/answer.h"
#include "base/struct_io.h"
#include "exec/runtime.h"
#include "runtime/calibrate.h"

using namespace xlashape::core;

extern "C" {

xlashape_status xlashape_runtime_calibrate(xlashape_runtime* runtime, const xlashape_calibrate_options* options,
                                           char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    xlashape_calibrate_options own{};
    if (options != nullptr) XLASHAPE_TRY(read_struct(options, &own, "options", err));
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
