// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "cli/base/failure.h"

namespace xlashape::cli {
namespace {

std::FILE* the_output = stdout;
int the_error = 0;

struct CharRange {
  uint32_t first, last;
};
// Control characters, and characters that are invisible or change the direction of the text (Unicode's Cc, Cf and line
// separators).
constexpr CharRange kUnseen[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},      {0x61c, 0x61c},
                                 {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e},  {0x2060, 0x206f},
                                 {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};

bool unseen(uint32_t code) {
  for (const CharRange& range : kUnseen)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

void note_error() {
  if (the_error == 0) the_error = errno != 0 ? errno : EIO;
}

}  // namespace

// Not overlong, a surrogate, too large or truncated.
size_t character(std::string_view text, uint32_t* code) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  *code = lead;
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead >= 0xf8 || text.size() < length) return 0;
  *code = lead & (0xffU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = *code >= 0xd800 && *code < 0xe000;
  return *code < kLeast[length] || *code > 0x10ffff || surrogate ? 0 : length;
}

std::string safe(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    uint32_t code = 0;
    const size_t length = character(text, &code);
    const bool plain = length > 0 && !unseen(code);
    const size_t take = length > 0 ? length : 1;
    for (const char byte : text.substr(0, take))
      plain ? out.push_back(byte) : static_cast<void>(out += fmt::format("\\x{:02x}", static_cast<uint8_t>(byte)));
    text.remove_prefix(take);
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void put_out(const Text& text) {
  errno = 0;
  if (std::fwrite(text.bytes().data(), 1, text.bytes().size(), the_output) < text.bytes().size() &&
      the_output == stdout)
    note_error();
}

void put_err(const Text& text) {
  flush_output();
  // If standard error is closed or full there is no place to report it.
  static_cast<void>(std::fwrite(text.bytes().data(), 1, text.bytes().size(), stderr));
}

void leave_output_to_data() { the_output = stderr; }

void hold_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
      // open() returns the lowest free number, which is this one; opened in the wrong direction, each use of it still
      // fails.
      static_cast<void>(open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) note_error();
}

int finish_output() {
  flush_output();
  return the_error;
}

}  // namespace xlashape::cli
