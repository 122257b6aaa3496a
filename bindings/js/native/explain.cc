// SPDX-License-Identifier: Apache-2.0
// What `xlashape explain` says of a shape, for JavaScript.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "cli/base/failure.h"
#include "cli/explain/lines.h"

namespace xlashape::cli {
namespace {

Json lines_json(const Explanation& explanation) {
  Json lines = Json::array();
  for (const ExplanationLine& line : explanation.lines)
    lines.add({{"label", line.label.value_or("")}, {"text", text_of(line)}, {"row", !line.label}});
  return {{"title", explanation.title}, {"lines", lines}};
}

xlashape_status number_of(const std::string& name) {
  for (xlashape_status status = XLASHAPE_STATUS_OK; status < XLASHAPE_STATUS_INTERNAL; ++status)
    if (name == xlashape_status_name(status)) return status;
  return XLASHAPE_STATUS_INTERNAL;
}

xlashape_status failed(const Failure& failure, xlashape_error* err) {
  err->code = number_of(failure.code);
  err->index = -1;
  err->offset = failure.offset;
  err->message_len = static_cast<uint32_t>(std::min(failure.message.size(), sizeof err->message - 1));
  std::memcpy(err->message, failure.message.data(), err->message_len);
  return err->code;
}

}  // namespace
}  // namespace xlashape::cli

// The JSON of `explain --json`, or with `lines` that of the lines for people; `target` below 0: none. `*text` is the
// caller's, who frees it.
extern "C" xlashape_status xlashape_js_explain(const xlashape_shape* shape, xlashape_target target, int32_t lines,
                                               char** text, int64_t* size, xlashape_error* err) {
  using namespace xlashape;
  using namespace xlashape::cli;
  try {
    const Shape of(xlashape_shape_retain(shape));
    const std::optional<Target> for_target = target >= 0 ? std::optional(static_cast<Target>(target)) : std::nullopt;
    const Json json = as_failures(
        [&] { return lines != 0 ? lines_json(explanation_of(of, for_target)) : explain_json(of, for_target); });
    *size = static_cast<int64_t>(json.text().size());
    *text = static_cast<char*>(std::malloc(json.text().size() + 1));
    if (*text == nullptr) throw std::bad_alloc();
    std::memcpy(*text, json.text().data(), json.text().size());
    return XLASHAPE_STATUS_OK;
  } catch (const Failure& failure) {
    return failed(failure, err);
  } catch (const std::bad_alloc&) {
    return failed(Failure(kUnsupported, xlashape_status_name(XLASHAPE_STATUS_NO_MEMORY), "not enough memory"), err);
  }
}
