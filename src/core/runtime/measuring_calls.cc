// SPDX-License-Identifier: Apache-2.0
// The slots of a backend that are for measuring: candidates of plans, and profiles.
#include <algorithm>
#include <cstring>

#include "runtime/backend_calls.h"
#include "runtime/measured_text.h"
#include "runtime/profile.h"

namespace xlashape::core {

bool BackendCalls::plan_candidate(const void* storage, const xlashape_op& op, int64_t index, std::string* text) const {
  if (!has_candidates() || index >= XLASHAPE_MAX_CANDIDATES) return false;
  char line[XLASHAPE_CHOICE_BYTES] = "";
  int64_t length = 0;
  const Status status = call_seldom("plan_candidate", nullptr, [&](const xlashape_backend& table, Error*) {
    length = table.plan_candidate(table.self, storage, &op, index, line, int64_t{sizeof line});
    return XLASHAPE_STATUS_OK;
  });
  text->assign(line, strnlen(line, sizeof line));
  return status == XLASHAPE_STATUS_OK && length == static_cast<int64_t>(text->size()) && is_choice(*text);
}

Status BackendCalls::plan_choose(void* storage, const xlashape_op& op, const char* choice, Error* err) const {
  if (!has_candidates()) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the backend has no choices");
  return call_seldom("plan_choose", err, [&](const xlashape_backend& table, Error* own) {
    return table.plan_choose(table.self, storage, &op, choice, own);
  });
}

Status BackendCalls::calibrate(const xlashape_calibration& how, std::string* lines, Error* err) const {
  std::string text(XLASHAPE_CALIBRATION_BYTES, '\0');
  int64_t needed = 0;
  XLASHAPE_TRY(call_seldom("calibrate", err, [&](const xlashape_backend& table, Error* own) {
    return table.calibrate(table.self, &how, text.data(), XLASHAPE_CALIBRATION_BYTES, &needed, own);
  }));
  text.resize(strnlen(text.data(), text.size()));
  xlashape_error own;
  own.struct_size = sizeof own;
  Status status = XLASHAPE_STATUS_OK;
  if (needed != static_cast<int64_t>(text.size()) + 1) {
    status = fail(err, XLASHAPE_STATUS_INTERNAL, "calibrate says that it wrote %lld bytes, there are %zu", ll(needed),
                  text.size() + 1);
  } else if (check_profile_lines(text, &own) != XLASHAPE_STATUS_OK) {
    status = fail(err, XLASHAPE_STATUS_INTERNAL, "calibrate: %s", own.message);
  }
  if (status != XLASHAPE_STATUS_OK) {
    xlashape::core::set_source(err, source_);
    return status;
  }
  *lines = std::move(text);
  return XLASHAPE_STATUS_OK;
}

Status BackendCalls::use_profile(const char* lines, Error* err) const {
  if (table_.use_profile == nullptr) return XLASHAPE_STATUS_OK;
  return call_seldom("use_profile", err, [&](const xlashape_backend& table, Error* own) {
    return table.use_profile(table.self, lines, own);
  });
}

Status BackendCalls::plan_predict(const void* storage, const xlashape_op& op, int64_t max_workers, int64_t* ns,
                                  Error* err) const {
  if (table_.plan_predict == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "not predicted: the backend %s does not predict", table_.name);
  int64_t answer = 0;
  XLASHAPE_TRY(call_seldom("plan_predict", err, [&](const xlashape_backend& table, Error* own) {
    return table.plan_predict(table.self, storage, &op, std::max<int64_t>(max_workers, 1), &answer, own);
  }));
  if (answer < 1) return fail(err, XLASHAPE_STATUS_INTERNAL, "plan_predict answers %lld ns", ll(answer));
  *ns = answer;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
