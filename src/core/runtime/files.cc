#include "runtime/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace xlashape {

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

}  // namespace xlashape
