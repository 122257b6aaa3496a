// What the command says. Text passes through here on its way to a terminal: strings that go into a line are made safe, so a
// name, a path, JSON or a backend's words can neither begin a line nor send a terminal anything but characters.
#pragma once
#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlashape::cli {

// Valid UTF-8 stays. Bytes that are none, controls (line feeds too), and characters that are not seen or that turn the
// direction of what follows are spelled \xNN.
std::string safe(std::string_view text);

// Text that is safe to print, maybe with colours of ours.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : bytes_(safe(text)) {}
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const char* text) : Text(std::string_view(text)) {}
  // Of bytes that the command itself has made of safe ones.
  static Text made(std::string bytes) {
    Text text;
    text.bytes_ = std::move(bytes);
    return text;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Text of ours that has several lines, line by line, so that each can be printed.
std::vector<std::string> lines_of(const std::string& text);

// As it goes into a line: strings are made safe, what is Text already stays.
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

// fmt::format for a terminal: what `format` says stays, line feeds too; strings are made safe.
template <class... Args>
Text text(fmt::format_string<Safe<Args>...> format, const Args&... args) {
  const auto made = [&](const auto&... values) {
    return fmt::vformat(fmt::string_view(format), fmt::make_format_args(values...));
  };
  return Text::made(made(made_safe(args)...));
}

// Nothing here throws for want of a reader: finish_output() tells what standard output did not take.
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

// From now on what would go to standard output goes to standard error: the output itself is an array's bytes.
void leave_output_to_data();

// Closed standard streams become ones that refuse, so that no file opened later gets their number and takes our messages.
void hold_standard_streams();
void flush_output();
// 0, or the errno of the first thing that standard output did not take.
int finish_output();

}  // namespace xlashape::cli
