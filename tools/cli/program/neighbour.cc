// SPDX-License-Identifier: Apache-2.0
#include "neighbour.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/base/failure.h"

namespace xlashape::cli {

void become(const char* name, char** words) {
  std::error_code unknown;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::string path = unknown ? name : (self.parent_path() / name).string();
  std::vector<char*> argv = {const_cast<char*>(path.c_str())};
  for (; *words != nullptr; ++words) argv.push_back(*words);
  argv.push_back(nullptr);
  // Where this program does not know its own folder the other one is searched in PATH.
  unknown ? execvp(name, argv.data()) : execv(path.c_str(), argv.data());
  if (errno == ENOENT)
    fail_unsupported(
        "{} is not there: a program of its own, which ./x build makes and packages install beside xlashape", path);
  fail_data("{} cannot be run: {}", path, std::strerror(errno));
}

}  // namespace xlashape::cli
