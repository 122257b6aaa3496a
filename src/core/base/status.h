// Error records: filling them, and the barrier that every exported function runs behind. Depends on the waist
// alone.
#pragma once
#include <cstdarg>
#include <string_view>

#include "waist/compiler.h"
#include "xlashape.h"

namespace xlashape::core {

using Status = xlashape_status;
using Error = xlashape_error;

// Fills `err` (which may be null) and returns `code`, so that a failing function ends with `return fail(...)`. Whatever
// the arguments hold, the message is one line that may be printed.
XLASHAPE_PRINTF(3, 4) Status fail(Error* err, Status code, const char* format, ...) noexcept;
// The same at byte `offset` of a parsed text.
XLASHAPE_PRINTF(4, 5) Status fail_at(Error* err, Status code, int64_t offset, const char* format, ...) noexcept;
// The same for element `index` of a batch.
XLASHAPE_PRINTF(4, 5) Status fail_index(Error* err, Status code, int64_t index, const char* format, ...) noexcept;

// Fills `err` with a failure recorded before, and gives it `source`.
Status fail_again(Error* err, const Error& failure, uint32_t source) noexcept;

// What %lld takes.
constexpr long long ll(int64_t value) { return value; }

// Gives an error that was filled its source.
void set_source(Error* err, uint32_t source) noexcept;

// Gives an error that was filled the index of what failed.
void set_index(Error* err, int64_t index) noexcept;

// Gives an error that has no offset yet this one.
void set_offset(Error* err, int64_t offset) noexcept;

// `text` made printable and short for an error message: control and non-ASCII bytes as \xNN, cut after `limit` bytes.
struct Quoted {
  explicit Quoted(std::string_view text, size_t limit = 40) noexcept;
  const char* c_str() const noexcept { return buffer_; }

 private:
  char buffer_[4 * 64 + 8];
};

// The failure that the exception being handled is. What unwinds a thread that is cancelled is none, and goes on.
Status caught(Error* err);

// Runs `body` (returning Status) so that no exception leaves it.
template <class Body>
Status guarded(Error* err, Body&& body) {
  try {
    return body();
  } catch (...) {
    return caught(err);
  }
}

}  // namespace xlashape::core

// `XLASHAPE_TRY(step(..., err));` hands a failure on.
#define XLASHAPE_TRY(expression)                                                     \
  do {                                                                               \
    if (const ::xlashape::core::Status try_status = (expression)) return try_status; \
  } while (false)
