// SPDX-License-Identifier: Apache-2.0
#include "runtime/environment.h"

#include "platform/files.h"
#include "platform/process.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

Environment read_environment(Lookup trusted, Lookup plain) {
  Environment environment;
  const auto read = [&](const char* name, std::string* value) {
    if (const char* text = trusted(name)) {
      *value = text;
    } else if (plain(name) != nullptr) {
      environment.ignored += (environment.ignored.empty() ? "" : ", ") + std::string(name);
    }
  };
  read("XLASHAPE_CPU", &environment.cpu);
  read("XLASHAPE_BACKEND", &environment.backend);
  environment.backend_or_any = remove_or_any(&environment.backend);
  read("XLASHAPE_BACKEND_PATH", &environment.backend_path);
  read("XLASHAPE_BACKEND_OPTIONS", &environment.backend_options);
  read("XLASHAPE_LOG", &environment.log);
  read("XLASHAPE_VERIFY", &environment.verify);
  read("XLASHAPE_PROFILE", &environment.profile);
  read("XLASHAPE_THREADS", &environment.threads);
  // These are not the library's, so nobody is told if they are not trusted.
  const auto env = [&](const char* name) {
    const char* const text = trusted(name);
    return std::string(text != nullptr ? text : "");
  };
  if constexpr (kSlash == '\\') {  // Windows
    environment.settings[0] = env("LOCALAPPDATA");
  } else {
    environment.settings[0] = env("XDG_CONFIG_HOME");
    if (const std::string home = env("HOME"); !home.empty()) environment.settings[1] = home + "/.config";
  }
  return environment;
}

bool remove_or_any(std::string* name) {
  if (!name->ends_with(kOrAny)) return false;
  name->resize(name->size() - 2);
  return true;
}

Environment read_environment() { return read_environment(trusted_variable, variable); }

int32_t log_level(std::string_view text) {
  constexpr std::string_view kNames[] = {"error", "warning", "info", "debug"};
  for (int32_t level = XLASHAPE_LOG_ERROR; level <= XLASHAPE_LOG_DEBUG; ++level)
    if (text == kNames[level - 1] || (text.size() == 1 && text[0] == '0' + level)) return level;
  return -1;
}

int64_t whole_number(std::string_view text) {
  if (text.empty() || text.size() > 18) return -1;
  int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

int32_t worker_count(std::string_view text) {
  if (text == "all") return XLASHAPE_THREADS_ALL;
  const int64_t count = whole_number(text);
  return count >= 1 && count <= kMaxThreads ? static_cast<int32_t>(count) : 0;
}

}  // namespace xlashape::core
