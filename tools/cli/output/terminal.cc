// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "cli/base/clock.h"
#include "cli/base/human.h"

namespace xlashape::cli {

Paint::Paint(const Common& common) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  const bool wanted = (no_color == nullptr || no_color[0] == '\0') && !dumb && isatty(STDOUT_FILENO) != 0;
  on_ = common.color == "always" || (common.color == "auto" && wanted);
}

Text Paint::painted(const char* code, const Text& painted) const {
  return on_ ? text("\033[{}m{}\033[0m", code, painted) : painted;
}

Text Paint::by_waste(double ratio, const Text& text) const {
  return ratio <= 1.05 ? good(text) : ratio <= 2 ? fair(text) : bad(text);
}

std::optional<size_t> output_width() {
  winsize size = {};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return size.ws_col;
}

Progress::Progress(std::string what)
    : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0), started_(seconds_now()), last_(started_) {}

bool Progress::due() {
  if (!terminal_) return false;
  const double now = seconds_now();
  if (now - started_ < 0.4 || now - last_ < 0.05) return false;
  last_ = now;
  shown_ = true;
  return true;
}

void Progress::show_bytes(uint64_t bytes) {
  if (due()) warn("\r{}: {}    ", what_, human_size(static_cast<int64_t>(bytes)));
}

void Progress::show(double done) {
  if (!due()) return;
  constexpr int kWidth = 40;
  const int filled = std::clamp(static_cast<int>(done * kWidth), 0, kWidth);
  warn("\r{} [{:#<{}}{: <{}}] {:3.0f} %", what_, "", filled, "", kWidth - filled, done * 100);
}

void Progress::clear() {
  if (shown_) warn("\r\033[K");
  shown_ = false;
}

Progress::~Progress() { clear(); }

}  // namespace xlashape::cli
