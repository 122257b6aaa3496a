#include "runtime/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace xlashape {
namespace {

// Bytes of the printable character that `text` begins with; 0 where there is none.
size_t printable_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  if (first >= 0xC2 && first <= 0xDF && follows(1)) return first == 0xC2 && second < 0xA0 ? 0 : 2;  // C1 controls
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  if (overlong || outside || !follows(1) || !follows(2)) return 0;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 && follows(3) ? 4 : 0;
}

}  // namespace

std::string folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "." : slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string real_path(const std::string& path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) != nullptr ? real : "";
}

std::string reason_of(int error) {
  char text[128] = "";
#if defined(__GLIBC__)
  return strerror_r(error, text, sizeof text);
#else
  return strerror_r(error, text, sizeof text) == 0 ? text : "unknown error";
#endif
}

File open_regular(const std::string& path, std::string* reason) {
  File file(nullptr, std::fclose);
  // Looked at once it is open, so that it is no other file by then; a FIFO must not make us wait.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    *reason = reason_of(errno);
  } else if (!S_ISREG(status.st_mode)) {
    *reason = "no regular file";
  } else if (file.reset(fdopen(descriptor, "r")); file == nullptr) {
    *reason = reason_of(errno);
  }
  if (descriptor >= 0 && file == nullptr) close(descriptor);
  return file;
}

std::string shown(std::string_view path) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  while (!path.empty()) {
    const size_t bytes = printable_bytes(path);
    if (bytes != 0) {
      text += path.substr(0, bytes);
    } else {
      const auto byte = static_cast<unsigned char>(path[0]);
      text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    path.remove_prefix(bytes != 0 ? bytes : 1);
  }
  return text;
}

}  // namespace xlashape
