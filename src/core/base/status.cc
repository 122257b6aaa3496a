// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "base/line.h"
#include "ir/compiler.h"

namespace xlashape::core {
namespace {

constexpr uint32_t kFirstSize = offsetof(Error, message);
// Where the message ends in this library's records. Later versions may add fields behind it.
constexpr size_t kMessageEnd = offsetof(Error, message) + sizeof(Error::message);
static_assert(kFirstSize == 32 && kMessageEnd == 512);

Status record(Error* err, Status code, int64_t index, int64_t offset, const char* format, va_list args) noexcept {
  if (err == nullptr || err->struct_size < kFirstSize) return code;
  char text[sizeof(Error::message)];
  const int wanted = std::vsnprintf(text, sizeof text, format, args);
  const size_t size = wanted < 0 ? 0 : std::min(static_cast<size_t>(wanted), sizeof text - 1);
  const size_t capacity = std::min<size_t>(err->struct_size, kMessageEnd) - kFirstSize;
  const size_t len = clean_line({text, size}, static_cast<size_t>(wanted) > size, err->message, capacity);
  err->code = code;
  err->index = index;
  err->offset = offset;
  err->source = 0;
  err->message_len = static_cast<uint32_t>(len);
  return code;
}

}  // namespace

Status fail(Error* err, Status code, const char* format, ...) noexcept {
  va_list args;
  va_start(args, format);
  record(err, code, -1, -1, format, args);
  va_end(args);
  return code;
}

Status fail_at(Error* err, Status code, int64_t offset, const char* format, ...) noexcept {
  va_list args;
  va_start(args, format);
  record(err, code, -1, offset, format, args);
  va_end(args);
  return code;
}

Status fail_index(Error* err, Status code, int64_t index, const char* format, ...) noexcept {
  va_list args;
  va_start(args, format);
  record(err, code, index, -1, format, args);
  va_end(args);
  return code;
}

Status fail_again(Error* err, const Error& failure, uint32_t source) noexcept {
  fail(err, failure.code, "%s", failure.message);
  set_source(err, source);
  return failure.code;
}

void set_source(Error* err, uint32_t source) noexcept {
  if (err != nullptr && err->struct_size >= kFirstSize) err->source = source;
}

XLASHAPE_COLD Status caught(Error* err) {
  try {
    throw;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    throw;
#endif
  } catch (const Shortage& shortage) {
    return fail(err, XLASHAPE_STATUS_NO_MEMORY, "%s", shortage.what());
  } catch (const std::bad_alloc&) {
    return fail(err, XLASHAPE_STATUS_NO_MEMORY, "out of memory");
  } catch (...) {
    return fail(err, XLASHAPE_STATUS_INTERNAL,
                "an exception that is not the library's: a function that the program gave (allocator, logger, "
                "progress) threw it");
  }
}

void set_index(Error* err, int64_t index) noexcept {
  if (err != nullptr && err->struct_size >= kFirstSize) err->index = index;
}

void set_offset(Error* err, int64_t offset) noexcept {
  if (err != nullptr && err->struct_size >= kFirstSize && err->offset < 0) err->offset = offset;
}

void move_offset(Error* err, int64_t by, int64_t most) noexcept {
  if (err == nullptr || err->struct_size < kFirstSize || err->offset < 0) return;
  err->offset = std::clamp<int64_t>(err->offset + by, 0, most);
}

Quoted::Quoted(std::string_view text, size_t limit) noexcept {
  limit = std::min<size_t>(limit, 64);
  const bool shortened = text.size() > limit;
  char* out = buffer_;
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      *out++ = c;
    } else {
      out += std::snprintf(out, 5, "\\x%02x", byte);
    }
  }
  if (shortened) {
    std::memcpy(out, "...", 3);
    out += 3;
  }
  *out = '\0';
}

}  // namespace xlashape::core

extern "C" const char* xlashape_status_name(xlashape_status status) {
  static constexpr const char* kNames[] = {"OK",          "INVALID_ARGUMENT", "OUT_OF_RANGE", "OVERFLOW",  "PARSE",
                                           "UNSUPPORTED", "NOT_FOUND",        "INCOMPATIBLE", "NO_MEMORY", "DEVICE",
                                           "BUSY",        "CANCELLED",        "INTERNAL"};
  return status >= 0 && status < static_cast<int32_t>(std::size(kNames)) ? kNames[status] : "UNKNOWN";
}
