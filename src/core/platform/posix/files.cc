// SPDX-License-Identifier: Apache-2.0
#include "platform/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "base/cat.h"
#include "base/status.h"
#include "platform/posix/reason.h"

namespace xlashape::core {

bool is_absolute(std::string_view path) { return !path.empty() && path[0] == '/'; }

std::string folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "." : slash == 0 ? "/" : std::string(path.substr(0, slash));
}

std::string in_folder(std::string_view folder, std::string_view name) {
  return cat({folder == "/" ? "" : folder, "/", name});
}

std::string real_path(const std::string& path, std::string* reason) {
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) != nullptr) return real;
  if (reason != nullptr) *reason = reason_of(errno);
  return {};
}

bool exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

std::string working_folder() {
  char buffer[PATH_MAX];
  const char* const folder = getcwd(buffer, sizeof buffer);
  return folder != nullptr && folder[0] == '/' ? folder : "";  // it may be "(unreachable)..."
}

bool list_folder(const std::string& folder, std::vector<std::string>* names, std::string* reason) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
  if (listing == nullptr) {
    *reason = errno == ENOENT ? kNotThere : reason_of(errno);
    return false;
  }
  while (const dirent* entry = readdir(listing.get())) names->push_back(entry->d_name);
  return true;
}

std::string reason_of(int error) {
  if (error == EMFILE || error == ENFILE) throw Shortage("too many open files");
  if (error == ENOMEM) throw Shortage("out of memory");
  char text[128] = "";
#if defined(__GLIBC__)
  return strerror_r(error, text, sizeof text);
#else
  return strerror_r(error, text, sizeof text) == 0 ? text : "unknown error";
#endif
}

File open_regular(const std::string& path, std::string* reason) {
  // Checked when it is open, so that it cannot be replaced in between. O_NONBLOCK, because a FIFO must not block.
  struct OpenDescriptor {
    int number;
    ~OpenDescriptor() {
      if (number >= 0) close(number);
    }
  } descriptor{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  File file(nullptr, std::fclose);
  struct stat status;
  if (descriptor.number < 0 || fstat(descriptor.number, &status) != 0) {
    *reason = reason_of(errno);
  } else if (!S_ISREG(status.st_mode)) {
    *reason = "not a regular file";
  } else if (file.reset(fdopen(descriptor.number, "r")); file == nullptr) {
    *reason = reason_of(errno);
  } else {
    descriptor.number = -1;  // the stream closes it
  }
  return file;
}

}  // namespace xlashape::core
