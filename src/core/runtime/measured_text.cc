// SPDX-License-Identifier: Apache-2.0
#include "runtime/measured_text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/cat.h"
#include "xlashape_backend.h"

namespace xlashape::core {
namespace {

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

Status MeasuredText::wrong(Error* err, const char* format, ...) const {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return fail_at(err, XLASHAPE_STATUS_PARSE, offset_, "line %lld: %s", ll(line_), text);
}

Status MeasuredText::next(std::string_view* line, Error* err) {
  offset_ = next_offset_;
  ++line_;
  const size_t end = rest_.find('\n');
  if (end == rest_.npos) return wrong(err, "the text ends before the line does");
  *line = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  next_offset_ += static_cast<int64_t>(end) + 1;
  if (!is_printable(*line)) return wrong(err, "it has characters that are not printable ASCII");
  return XLASHAPE_STATUS_OK;
}

Status MeasuredText::read_head(std::string_view kind, std::string_view* processor, Error* err) {
  std::string_view line;
  XLASHAPE_TRY(next(&line, err));
  const std::string wanted = cat({"xlashape ", kind, " 1"});
  if (line != wanted) return wrong(err, "%s, where \"%s\" is expected", Quoted(line).c_str(), wanted.c_str());
  XLASHAPE_TRY(next(&line, err));
  constexpr std::string_view kProcessor = "processor ";
  if (!line.starts_with(kProcessor) || line.size() == kProcessor.size())
    return wrong(err, "%s, where \"processor NAME\" is expected", Quoted(line).c_str());
  *processor = line.substr(kProcessor.size());
  return XLASHAPE_STATUS_OK;
}

std::string measured_head(std::string_view kind, std::string_view processor) {
  return cat({"xlashape ", kind, " 1\nprocessor ", processor, "\n"});
}

bool is_choice(std::string_view text) {
  return !text.empty() && text.size() < XLASHAPE_CHOICE_BYTES && is_printable(text);
}

bool read_decimal(std::string_view text, int64_t* value) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *value);
  if (error != std::errc() || at != end) return false;
  // "007" and "-0" are not what printf writes.
  const std::string_view digits = text.substr(text[0] == '-' ? 1 : 0);
  return digits[0] != '0' || text == "0";
}

}  // namespace xlashape::core
