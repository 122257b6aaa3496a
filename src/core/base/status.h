/* SPDX-License-Identifier: Apache-2.0 */
// Fills error records, and keeps exceptions from leaving exported functions. Depends on src/ir alone.
#pragma once
#include <cstdarg>
#include <new>
#include <string_view>

#include "ir/compiler.h"
#include "xlashape.h"

namespace xlashape::core {

using Status = xlashape_status;
using Error = xlashape_error;

// Fills `err` (which may be null) and returns `code`, so that a failing function ends with `return fail(...)`. The
// message is always one printable line.
XLASHAPE_PRINTF(3, 4) Status fail(Error* err, Status code, const char* format, ...) noexcept;
// The same at byte `offset` of a parsed text.
XLASHAPE_PRINTF(4, 5) Status fail_at(Error* err, Status code, int64_t offset, const char* format, ...) noexcept;
// The same for element `index` of a batch.
XLASHAPE_PRINTF(4, 5) Status fail_index(Error* err, Status code, int64_t index, const char* format, ...) noexcept;

// Fills `err` with an earlier failure and sets its source.
Status fail_again(Error* err, const Error& failure, uint32_t source) noexcept;

// Converts to the type that %lld takes.
constexpr long long ll(int64_t value) { return value; }

// Sets the source of a filled error.
void set_source(Error* err, uint32_t source) noexcept;

// Sets the index of a filled error.
void set_index(Error* err, int64_t index) noexcept;

// Sets the offset of a filled error that has none yet.
void set_offset(Error* err, int64_t offset) noexcept;

// Of a filled error about a part of a text: moves its offset, if it has one, to where it is in the whole, which is
// `most` bytes long.
void move_offset(Error* err, int64_t by, int64_t most) noexcept;

// `text` for an error message: control and non-ASCII bytes become \xNN, and it is truncated after `limit` bytes.
struct Quoted {
  explicit Quoted(std::string_view text, size_t limit = 40) noexcept;
  const char* c_str() const noexcept { return buffer_; }

 private:
  char buffer_[4 * 64 + 8];
};

// The system has no more of something, such as descriptors: NO_MEMORY. It may have some later, so what failed by it is
// tried again.
class Shortage : public std::bad_alloc {
 public:
  explicit Shortage(const char* text) : text_(text) {}  // which must stay
  const char* what() const noexcept override { return text_; }

 private:
  const char* text_;
};

// Converts the exception being handled to a failure. The exception that unwinds a cancelled thread is thrown again.
Status caught(Error* err);

// Runs `body` (returning Status) and converts its exceptions with `caught`.
template <class Body>
Status guarded(Error* err, Body&& body) {
  try {
    return body();
  } catch (...) {
    return caught(err);
  }
}

}  // namespace xlashape::core

// `XLASHAPE_TRY(step(..., err));` returns if the step fails.
#define XLASHAPE_TRY(expression)                                                     \
  do {                                                                               \
    if (const ::xlashape::core::Status try_status = (expression)) return try_status; \
  } while (false)
