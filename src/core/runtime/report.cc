// SPDX-License-Identifier: Apache-2.0
// The report: every place searched, what was there, and why it is or is not in use.
#include "base/line.h"
#include "runtime/registry.h"
#include "runtime/runtime.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

// Ends the line that begins at `from` and makes it printable, as texts from files and the system may hold anything.
void end_line(std::string* text, size_t from) {
  const std::string line = clean_line(std::string_view(*text).substr(from));
  text->replace(from, std::string::npos, line);
  *text += '\n';
}

// Calls line(text, is_valid) for each variable that is set.
template <class Line>
void for_each_variable(const Runtime& runtime, Line&& line) {
  const auto variable = [&](const char* name, const std::string& value, bool is_valid, const char* wanted) {
    if (value.empty()) return;
    std::string text = std::string(name) + "=" + value;
    if (!is_valid) append(&text, ": not known, so ignored (%s)", wanted);
    line(text, is_valid);
  };
  const Environment& e = runtime.environment;
  uint64_t ignored;
  variable("XLASHAPE_CPU", e.cpu, features_up_to(e.cpu, &ignored), kLevelNames);
  variable("XLASHAPE_BACKEND", e.backend + (e.backend_or_any ? kOrAny : ""), true, "");
  variable("XLASHAPE_BACKEND_PATH", e.backend_path, true, "");
  variable("XLASHAPE_BACKEND_OPTIONS", e.backend_options, !runtime.backend_options_ignored,
           "NAME.KEY=VALUE, ';' between them");
  variable("XLASHAPE_LOG", e.log, log_level(e.log) > 0, "error, warning, info, debug");
  variable("XLASHAPE_PROFILE", e.profile, true, "");
  variable("XLASHAPE_THREADS", e.threads, worker_count(e.threads) != 0, "a number from 1 to 4096, or all");
  variable("XLASHAPE_VERIFY", e.verify, whole_number(e.verify) >= 0, "a number of positions");
}

void report_environment(const Runtime& runtime, std::string* text) {
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) != 0) *text += "environment: not read, as the options say\n";
  for_each_variable(runtime, [&](const std::string& variable, bool) {
    const size_t from = text->size();
    *text += "environment: " + variable;
    end_line(text, from);
  });
  if (const std::string& ignored = runtime.environment.ignored; !ignored.empty())
    append(text, "environment: %s not read: this process has elevated rights\n", ignored.c_str());
}

// What the program chose. What comes from the environment is reported there.
void report_options(const Runtime& runtime, std::string* text) {
  const auto line = [&](const char* what, const std::string& value) {
    if (value.empty()) return;
    const size_t from = text->size();
    append(text, "options: %s: %s", what, value.c_str());
    end_line(text, from);
  };
  const Environment& e = runtime.environment;
  if (runtime.backend != e.backend || runtime.backend_or_any != e.backend_or_any)
    line("backend", runtime.backend + (runtime.backend_or_any ? kOrAny : ""));
  line("denied backends", runtime.denied);
  line("backend options not asked for so far", runtime.backend_options.unused());
}

// The path of the backend that will replace a built-in one once it is loaded, or "".
std::string successor(const Runtime& runtime, const Backend& builtin) {
  for (int32_t i = 0; i < runtime.backend_count; ++i) {
    const Backend& b = *runtime.backends[i].load();
    const bool pending = b.state == XLASHAPE_BACKEND_STATE_NOT_LOADED || b.state == XLASHAPE_BACKEND_STATE_LOADING;
    if (&b != &builtin && b.name == builtin.name && pending && !b.shadowed) return b.found.path;
  }
  return {};
}

void report_backend(const Runtime& runtime, const Backend& b, std::string* text) {
  constexpr const char* kStates[] = {"not loaded yet", "being loaded", "ready", "not in use"};
  const size_t from = text->size();
  const char* const origin = origin_name(b.origin);
  append(text, "backend %s: %s", b.name.c_str(), kStates[b.current_state()]);
  if (b.shadowed) append(text, ", shadowed by %s", shadowed_by(runtime, b).c_str());
  if (b.found.path.empty()) {
    append(text, ", %s", origin);
    const std::string next = b.origin == Origin::kBuiltIn && !b.shadowed ? successor(runtime, b) : "";
    if (!next.empty()) append(text, " until %s is loaded", next.c_str());
  } else {
    append(text, ", %s (%s)", b.found.path.c_str(), origin);
  }
  if (!b.found.manifest.empty()) append(text, ", manifest %s", b.found.manifest.c_str());
  append(text, ", priority %d", b.priority);
  if (b.found.memory == Memory::kDevice) append(text, ", for device memory only");
  if (const char* const detail = b.current_detail(); *detail != '\0') append(text, ": %s", detail);
  if (!b.profile_refusal.empty()) append(text, "; it does not use the profile: %s", b.profile_refusal.c_str());
  if (b.refusals > 0)
    append(text, "; could not make %lld plans, the last one because: %s", ll(b.refusals), b.last_refusal.c_str());
  end_line(text, from);
}

// Who was given a section of the profile and refused it; report_backend says why.
void report_profile(const Runtime& runtime, std::string* text) {
  const size_t from = text->size();
  append(text, "profile of %s: %s", runtime.profile.processor.c_str(), runtime.profile.note.c_str());
  for (int32_t i = 0; i < runtime.backend_count; ++i)
    if (const Backend& b = *runtime.backends[i].load(); !b.profile_refusal.empty())
      append(text, ", but not by %s", b.name.c_str());
  end_line(text, from);
}

}  // namespace

void warn_of_variables(const Runtime& runtime) {
  for_each_variable(runtime, [&](const std::string& variable, bool is_valid) {
    if (!is_valid) runtime.hooks.log(XLASHAPE_LOG_WARNING, 0, "environment: " + variable);
  });
}

std::string report(Runtime& runtime) {
  search(runtime);
  const Cpu& cpu = runtime.cpu;
  std::string text;
  constexpr uint32_t kAbi = XLASHAPE_BACKEND_ABI_VERSION;
  append(&text, "xlashape %s, plugin ABI %u.%u\nprocessor: %s; data caches of %lld, %lld, %lld bytes\n",
         xlashape_version(), kAbi >> 16, kAbi & 0xFFFF,
         cpu.features != 0 ? feature_names(cpu.features).c_str() : "no features used", ll(cpu.l1_bytes),
         ll(cpu.l2_bytes), ll(cpu.l3_bytes));
  {
    const std::lock_guard guard(runtime.lock);
    report_profile(runtime, &text);
  }
  report_environment(runtime, &text);
  report_options(runtime, &text);
  append(&text, "threads: %s\n", runtime.workers.c_str());
  if (runtime.verify_count > 0)
    append(&text, "verification: %lld positions of each execution; %llu executions verified\n",
           ll(runtime.verify_count), static_cast<unsigned long long>(runtime.verified));
  const std::lock_guard guard(runtime.lock);
  for (const std::string& line : runtime.search_log) {
    const size_t from = text.size();
    text += line;
    end_line(&text, from);
  }
  for (int32_t i = 0; i < runtime.backend_count; ++i) report_backend(runtime, *runtime.backends[i].load(), &text);
  return text;
}

}  // namespace xlashape::core
