/* SPDX-License-Identifier: Apache-2.0 */
// Why the command stops: the message and the exit code. The command throws it, and main catches it. Only as_failures
// turns the binding's exceptions into failures.
#pragma once
#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <xlashape/result.hpp>

namespace xlashape::cli {

// Exit codes, the same for every subcommand.
inline constexpr int kDone = 0;
inline constexpr int kData = 1;         // the input or the request is wrong
inline constexpr int kUsage = 2;        // the command line is wrong
inline constexpr int kUnsupported = 3;  // well-formed, but there is no answer

struct Failure : std::exception {
  Failure(int exit_code, std::string name, std::string text, int64_t at = -1)
      : exit(exit_code), code(std::move(name)), message(std::move(text)), offset(at) {}
  // An error of the library; `doing` begins the message.
  explicit Failure(const Error& error, std::string_view doing = {});
  const char* what() const noexcept override { return message.c_str(); }

  int exit;
  std::string code;  // as xlashape_status_name spells it
  std::string message;
  int64_t offset;  // the byte of the text that was read, or -1
};

template <class... Args>
[[noreturn]] void fail_data(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kData, "INVALID_ARGUMENT", fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void fail_usage(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kUsage, "INVALID_ARGUMENT", fmt::format(format, std::forward<Args>(args)...));
}
// A result that is not what it must be: a fault of the library or of a backend.
template <class... Args>
[[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kData, "INTERNAL", fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
[[noreturn]] void fail_unsupported(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kUnsupported, "UNSUPPORTED", fmt::format(format, std::forward<Args>(args)...));
}

// Calls `work` and turns the library's Exception into a Failure; `doing` begins the message.
template <class Work>
decltype(auto) as_failures(const Work& work, std::string_view doing = {}) {
  try {
    return work();
  } catch (const Exception& exception) {
    throw Failure(exception.error(), doing);
  }
}

}  // namespace xlashape::cli
