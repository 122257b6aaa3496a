/* SPDX-License-Identifier: Apache-2.0 */
// The eight environment variables, and where the user keeps settings; read once per runtime. A process with elevated
// rights reads none of them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::core {

struct Environment {
  std::string cpu, backend, backend_path, backend_options, log, verify, profile, threads;  // "" where unset
  bool backend_or_any = false;  // others may stand in for `backend`
  std::string ignored;          // names of those that are set but not trusted
  std::string settings[2];      // where the user's settings are: the first that is an absolute path
};

// Suffix of the name in XLASHAPE_BACKEND that allows other backends to stand in.
inline constexpr const char* kOrAny = ",*";
// Removes that suffix from a name. True where there was one.
bool remove_or_any(std::string* name);

// `trusted` answers like secure_getenv, `plain` like getenv.
using Lookup = const char* (*)(const char* name);
Environment read_environment(Lookup trusted, Lookup plain);
Environment read_environment();

// "error", "warning", "info", "debug" or 1 to 4; -1 for anything else.
int32_t log_level(std::string_view text);

// A number of at most 18 decimal digits; -1 for anything else.
int64_t whole_number(std::string_view text);

// The workers of a runtime whose options leave them open: 1 to kMaxThreads, or XLASHAPE_THREADS_ALL for "all"; 0 for
// anything else.
inline constexpr int32_t kMaxThreads = 4096;
int32_t worker_count(std::string_view text);

}  // namespace xlashape::core
