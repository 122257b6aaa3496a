/* SPDX-License-Identifier: Apache-2.0 */
// The command's output. All text for a terminal passes through here: strings that go into a line are made safe, so that
// a name, a path, JSON or a backend's text can neither begin a line nor send control sequences to a terminal.
#pragma once
#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlashape::cli {

// Valid UTF-8 stays. Invalid bytes, control characters (line feeds too), and characters that are invisible or change
// the direction of the text are written as \xNN.
std::string safe(std::string_view text);

// The length of the character at the start of a text that is not empty, and its code; 0 where it is no UTF-8.
size_t character(std::string_view text, uint32_t* code);

// Text that is safe to print, maybe with the command's colours.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : bytes_(safe(text)) {}
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const char* text) : Text(std::string_view(text)) {}
  // From bytes that the command made of safe ones.
  static Text made(std::string bytes) {
    Text text;
    text.bytes_ = std::move(bytes);
    return text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Splits the command's text into lines, so that each can be printed.
std::vector<std::string> lines_of(const std::string& text);

// A value for a line: strings are made safe, Text stays as it is.
template <class T>
decltype(auto) made_safe(const T& value) {
  if constexpr (std::is_same_v<T, Text>) {
    return std::string_view(value.bytes());
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return safe(value);
  } else {
    return (value);
  }
}
template <class T>
using Safe = decltype(made_safe(std::declval<const T&>()));

// fmt::format for a terminal: `format` is kept, line feeds too; string arguments are made safe.
template <class... Args>
Text text(fmt::format_string<Safe<Args>...> format, const Args&... args) {
  const auto made = [&](const auto&... values) {
    return fmt::vformat(fmt::string_view(format), fmt::make_format_args(values...));
  };
  return Text::made(made(made_safe(args)...));
}

// Nothing here throws where output cannot be written: finish_output() reports what standard output did not accept.
void put_out(const Text& text);
void put_err(const Text& text);
template <class... Args>
void say(fmt::format_string<Safe<Args>...> format, const Args&... args) {
  put_out(text(format, args...));
}
template <class... Args>
void warn(fmt::format_string<Safe<Args>...> format, const Args&... args) {
  put_err(text(format, args...));
}

// From now on messages for standard output go to standard error, because standard output gets an array's bytes.
void leave_output_to_data();

// Replaces closed standard streams by streams that fail, so that no file opened later gets their number and the
// messages.
void hold_standard_streams();
void flush_output();
// 0, or the errno of the first failed write to standard output.
int finish_output();

}  // namespace xlashape::cli
