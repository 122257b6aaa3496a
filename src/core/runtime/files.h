// Paths and files as the search for backends needs them.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace xlashape {

// "/a/b" of "/a/b/c"; "." of a name without a slash.
std::string folder_of(std::string_view path);
inline std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Without links and dots; "" (and errno) where there is no such file.
std::string real_path(const std::string& path);

// What the system says of an errno.
std::string reason_of(int error);

// Opens a regular file for reading; waits for nothing and leaves nothing to child processes. Null, and the reason.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File open_regular(const std::string& path, std::string* reason);

}  // namespace xlashape
