/* SPDX-License-Identifier: Apache-2.0 */
// Paths and files, as the search for backends needs them. Paths are UTF-8. Where the system has no more descriptors or
// memory, these functions throw Shortage.
#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace xlashape::core {

#if defined(_WIN32)
inline constexpr std::string_view kSlashes = "/\\";  // real paths have the last one
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

// Whether the path begins with / or, on Windows, with a drive and a slash, or with two slashes.
bool is_absolute(std::string_view path);

// "/a/b" for "/a/b/c"; "." for a name without a slash.
std::string folder_of(std::string_view path);
inline std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of(kSlashes) + 1); }
// "/a/b" for "/a" and "b".
std::string in_folder(std::string_view folder, std::string_view name);

// The path without links and dots. "" if there is no such file; *reason then says why, unless `reason` is null.
std::string real_path(const std::string& path, std::string* reason);

bool exists(const std::string& path);

// "" where the system does not report it.
std::string working_folder();

// Lists the names in a folder, in any order. On failure returns false and sets *reason, kNotThere if it is missing.
inline constexpr std::string_view kNotThere = "not there";
bool list_folder(const std::string& folder, std::vector<std::string>* names, std::string* reason);

// Opens a regular file for reading. Does not block, and child processes do not inherit it. On failure returns null and
// sets *reason.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File open_regular(const std::string& path, std::string* reason);

}  // namespace xlashape::core
