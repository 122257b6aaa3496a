// SPDX-License-Identifier: Apache-2.0
// Errors as values and as exceptions.
#ifndef XLASHAPE_RESULT_HPP_
#define XLASHAPE_RESULT_HPP_

#include <xlashape.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "line.hpp"

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define XLASHAPE_EXCEPTIONS 1
#else
#define XLASHAPE_EXCEPTIONS 0
#endif

// For each inline function that throws or catches, or that calls one which does. Without exceptions it gets another
// symbol name: the linker keeps one body per name, and would use that of one kind of unit for both.
#if XLASHAPE_EXCEPTIONS || !defined(__GNUC__)
#define XLASHAPE_THROWS
#else
#define XLASHAPE_THROWS __attribute__((abi_tag("no_exceptions")))
#endif

namespace xlashape {

enum class Status : std::int32_t {
  // members: STATUS_(\w+) as k{Name} = {C},
  kOk = XLASHAPE_STATUS_OK,
  kInvalidArgument = XLASHAPE_STATUS_INVALID_ARGUMENT,
  kOutOfRange = XLASHAPE_STATUS_OUT_OF_RANGE,
  kOverflow = XLASHAPE_STATUS_OVERFLOW,
  kParse = XLASHAPE_STATUS_PARSE,
  kUnsupported = XLASHAPE_STATUS_UNSUPPORTED,
  kNotFound = XLASHAPE_STATUS_NOT_FOUND,
  kIncompatible = XLASHAPE_STATUS_INCOMPATIBLE,
  kNoMemory = XLASHAPE_STATUS_NO_MEMORY,
  kDevice = XLASHAPE_STATUS_DEVICE,
  kBusy = XLASHAPE_STATUS_BUSY,
  kCancelled = XLASHAPE_STATUS_CANCELLED,
  kInternal = XLASHAPE_STATUS_INTERNAL,
  // end of members
};

namespace detail {
struct ForCall {};
}  // namespace detail

// An error record. It has no pointers and no other owner.
class Error {
 public:
  Error() noexcept {
    record_.struct_size = sizeof record_;
    record_.code = XLASHAPE_STATUS_OK;
    record_.index = record_.offset = -1;
    record_.source = record_.message_len = 0;
    record_.message[0] = '\0';
  }
  // To be filled by a call of the C interface; valid only if that fails.
  explicit Error(detail::ForCall) noexcept { record_.struct_size = sizeof record_; }
  // The message in the library's form: one line, with \xNN for what may not be printed, truncated at a character.
  Error(Status status, std::string_view message) noexcept : Error() {
    record_.code = static_cast<std::int32_t>(status);
    record_.message_len =
        static_cast<std::uint32_t>(detail::clean_line(message, record_.message, sizeof record_.message));
  }

  Status status() const noexcept { return static_cast<Status>(record_.code); }
  // "OUT_OF_RANGE"
  const char* name() const noexcept { return xlashape_status_name(record_.code); }
  // One line; names the place and the value.
  std::string_view message() const noexcept { return {record_.message, record_.message_len}; }
  // The failing element of a batch, or -1.
  std::int64_t index() const noexcept { return record_.index; }
  // The byte in a parsed text, or -1.
  std::int64_t offset() const noexcept { return record_.offset; }
  // The message, and the offset if there is one.
  std::string text() const {
    return std::string(message()) + (offset() < 0 ? "" : " (at byte " + std::to_string(offset()) + ")");
  }
  // 0: the library; else 1 + the ordinal of the backend that reported it.
  std::uint32_t source() const noexcept { return record_.source; }

  // For calls of the C interface.
  xlashape_error* record() noexcept { return &record_; }
  const char* c_str() const noexcept { return record_.message; }

 private:
  xlashape_error record_;
};

// An Error as an exception.
class Exception : public std::exception {
 public:
  explicit Exception(const Error& error) noexcept : error_(error) {
    if (error.offset() < 0)
      std::snprintf(what_, sizeof what_, "%s", error.c_str());
    else
      std::snprintf(what_, sizeof what_, "%s (at byte %lld)", error.c_str(), static_cast<long long>(error.offset()));
  }
  // As Error::text.
  const char* what() const noexcept override { return what_; }
  const Error& error() const noexcept { return error_; }
  Status status() const noexcept { return error_.status(); }

 private:
  Error error_;
  char what_[sizeof(xlashape_error)];
};

namespace detail {

#if defined(__GNUC__)
#define XLASHAPE_CPP_COLD __attribute__((noinline, cold))
#else
#define XLASHAPE_CPP_COLD
#endif

[[noreturn]] XLASHAPE_CPP_COLD XLASHAPE_THROWS inline void raise(const Error& error) {
#if XLASHAPE_EXCEPTIONS
  throw Exception(error);
#else
  // Without the class Exception: without RTTI it would get a vtable without type information.
  std::fprintf(stderr, "xlashape: %s\n", error.text().c_str());
  std::abort();
#endif
}

}  // namespace detail

// A T, or an Error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(const Error& error) noexcept : error_(error) {}

  bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }
  // Only if there is a value; without NDEBUG this is asserted.
  T& operator*() & noexcept { return held(), *value_; }
  const T& operator*() const& noexcept { return held(), *value_; }
  T&& operator*() && noexcept { return held(), *std::move(value_); }
  T* operator->() noexcept { return held(), &*value_; }
  const T* operator->() const noexcept { return held(), &*value_; }
  // Throws if there is none.
  XLASHAPE_THROWS T value() && {
    if (!value_) detail::raise(error_);
    return *std::move(value_);
  }
  XLASHAPE_THROWS T& value() & {
    if (!value_) detail::raise(error_);
    return *value_;
  }
  XLASHAPE_THROWS const T& value() const& {
    if (!value_) detail::raise(error_);
    return *value_;
  }
  T value_or(T other) && { return value_ ? *std::move(value_) : std::move(other); }
  // The result of `function`, which returns a Result, for the value; or the error.
  template <class F>
  auto and_then(F&& function) const& -> std::invoke_result_t<F, const T&> {
    return value_ ? std::forward<F>(function)(*value_) : std::invoke_result_t<F, const T&>(error_);
  }
  template <class F>
  auto and_then(F&& function) && -> std::invoke_result_t<F, T> {
    return value_ ? std::forward<F>(function)(*std::move(value_)) : std::invoke_result_t<F, T>(error_);
  }
  // Its status is kOk if there is a value.
  const Error& error() const& noexcept { return error_; }
  Error error() && noexcept { return error_; }

  // For calls of the C interface, which fill it in place.
  Result() noexcept = default;
  xlashape_error* record() noexcept { return error_.record(); }
  template <class... A>
  void emplace(A&&... arguments) {
    value_.emplace(std::forward<A>(arguments)...);
  }

 private:
  void held() const noexcept { assert(value_.has_value() && "this Result has an error, no value: see error()"); }

  Error error_;
  std::optional<T> value_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() noexcept = default;
  Result(const Error& error) noexcept : error_(error) {}

  bool has_value() const noexcept { return error_.status() == Status::kOk; }
  explicit operator bool() const noexcept { return has_value(); }
  XLASHAPE_THROWS void value() const {
    if (!has_value()) detail::raise(error_);
  }
  const Error& error() const& noexcept { return error_; }
  Error error() && noexcept { return error_; }
  xlashape_error* record() noexcept { return error_.record(); }

 private:
  Error error_;
};

// Of the library in use: "0.1.0".
inline const char* version() noexcept { return xlashape_version(); }
// The XLA whose rules it matches, as a date: yyyymmdd.
inline std::uint32_t xla_version() noexcept { return xlashape_xla_version(); }
// What it was built with, for reports of problems.
inline const char* build_info() noexcept { return xlashape_build_info(); }

}  // namespace xlashape

#endif  // XLASHAPE_RESULT_HPP_
