// Paths and files as the search for backends needs them. Paths are UTF-8.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace xlashape::core {

#if defined(_WIN32)
inline constexpr std::string_view kSlashes = "/\\";  // the last one is what real paths have
inline constexpr char kListSeparator = ';';          // between the folders of a list
inline constexpr std::string_view kLibrarySuffix = ".dll";
#else
inline constexpr std::string_view kSlashes = "/";
inline constexpr char kListSeparator = ':';
#if defined(__APPLE__)
inline constexpr std::string_view kLibrarySuffix = ".dylib";
#else
inline constexpr std::string_view kLibrarySuffix = ".so";
#endif
#endif
inline constexpr char kSlash = kSlashes.back();

// Whether it says by itself where it begins: with / or, on Windows, with a drive and a slash, or two slashes.
bool is_absolute(std::string_view path);

// "/a/b" of "/a/b/c"; "." of a name without a slash.
std::string folder_of(std::string_view path);
inline std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of(kSlashes) + 1); }
// "/a/b" of "/a" and "b".
std::string in_folder(std::string_view folder, std::string_view name);

// Without links and dots; "" where there is no such file, and the reason, which may be null.
std::string real_path(const std::string& path, std::string* reason);

bool exists(const std::string& path);

// "" where the system does not tell it.
std::string working_folder();

// The names in a folder, in any order. False, and the reason, which is "not there" where there is none.
bool list_folder(const std::string& folder, std::vector<std::string>* names, std::string* reason);

// Opens a regular file for reading; waits for nothing and leaves nothing to child processes. Null, and the reason.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File open_regular(const std::string& path, std::string* reason);

}  // namespace xlashape::core
