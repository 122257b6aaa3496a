// The six environment variables, read once per runtime. Processes with elevated rights read none of them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::core {

struct Environment {
  std::string cpu, backend, backend_path, backend_options, log, verify;  // "" where unset
  bool backend_or_any = false;                                           // others may stand in for `backend`
  std::string ignored;                                                   // names of those that are set but not trusted
};

// What follows the name in XLASHAPE_BACKEND where another backend may stand in.
inline constexpr const char* kOrAny = ",*";
// Takes that off a name; whether it was there.
bool take_or_any(std::string* name);

// `trusted` answers like secure_getenv, `plain` like getenv.
using Lookup = const char* (*)(const char* name);
Environment read_environment(Lookup trusted, Lookup plain);
Environment read_environment();

// "error", "warning", "info", "debug" or 1 to 4; -1 for anything else.
int32_t log_level(std::string_view text);

// A number of positions, in decimal digits that fit; -1 for anything else.
int64_t verify_positions(std::string_view text);

}  // namespace xlashape::core
