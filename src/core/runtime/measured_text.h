/* SPDX-License-Identifier: Apache-2.0 */
// The lines of texts about a processor, profiles and wisdom, which come from files that anybody may have written.
#pragma once
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

// Reads a text line by line. Failures are PARSE, and name the line and its first byte.
class MeasuredText {
 public:
  explicit MeasuredText(std::string_view text) : rest_(text) {}

  // Reads "xlashape KIND 1" and "processor NAME".
  Status read_head(std::string_view kind, std::string_view* processor, Error* err);
  bool at_end() const { return rest_.empty(); }
  // The next line, which ends with a newline and is of printable ASCII.
  Status next(std::string_view* line, Error* err);
  // A failure of the line read last.
  XLASHAPE_PRINTF(3, 4) Status wrong(Error* err, const char* format, ...) const;

 private:
  std::string_view rest_;
  int64_t offset_ = 0, next_offset_ = 0, line_ = 0;
};

// The first two lines of a text.
std::string measured_head(std::string_view kind, std::string_view processor);

// True for 1 to 255 characters of printable ASCII.
bool is_choice(std::string_view text);

// A decimal int64 as printf writes it, nothing else.
bool read_decimal(std::string_view text, int64_t* value);

}  // namespace xlashape::core
