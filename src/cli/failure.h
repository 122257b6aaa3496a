// Why the command stops: what to say, and the exit code. The command, unlike the library, throws; main catches.
#pragma once
#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "xlashape.h"

namespace xlashape::cli {

// Exit codes, the same for every subcommand.
inline constexpr int kDone = 0;
inline constexpr int kData = 1;         // the input, or what was asked of it, is no good
inline constexpr int kUsage = 2;        // the command line is no good
inline constexpr int kUnsupported = 3;  // well-formed, but there is no answer

struct Failure : std::exception {
  Failure(int exit_code, std::string name, std::string text, int64_t at = -1)
      : exit(exit_code), code(std::move(name)), message(std::move(text)), offset(at) {}
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
template <class... Args>
[[noreturn]] void fail_unsupported(fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(kUnsupported, "UNSUPPORTED", fmt::format(format, std::forward<Args>(args)...));
}

// An error record ready to be filled.
inline xlashape_error new_error() {
  xlashape_error err = {};
  err.struct_size = sizeof err;
  err.index = err.offset = -1;
  return err;
}

// Throws what the library reports; `doing` opens the message.
inline void check(xlashape_status status, const xlashape_error& err, const std::string& doing = "") {
  if (status == XLASHAPE_STATUS_OK) return;
  const std::string message = err.message[0] != '\0' ? std::string(err.message) : xlashape_status_name(status);
  throw Failure(status == XLASHAPE_STATUS_UNSUPPORTED ? kUnsupported : kData, xlashape_status_name(status),
                doing.empty() ? message : doing + ": " + message, err.offset);
}

}  // namespace xlashape::cli
