// The report: every place looked at, what was there, and why it is or is not in use.
#include <cstdarg>
#include <cstdio>

#include "base/line.h"
#include "runtime/registry.h"
#include "runtime/runtime.h"

namespace xlashape {
namespace {

// Small code counts here, not speed: the library has a limit.
[[gnu::format(printf, 2, 3)]] void add(std::string* text, const char* format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const auto length = static_cast<size_t>(std::vsnprintf(nullptr, 0, format, args));
  const size_t before = text->size();
  text->resize(before + length + 1);
  std::vsnprintf(text->data() + before, length + 1, format, again);
  text->pop_back();
  va_end(again);
  va_end(args);
}

// Ends a line that begins at `from`: made one that can be printed, as texts from files and the system may be anything.
void end_line(std::string* text, size_t from) {
  const std::string line = clean_line(std::string_view(*text).substr(from));
  text->replace(from, std::string::npos, line);
  *text += '\n';
}

// A variable that is set; `wanted` is null where any text will do.
void report_variable(const char* name, const std::string& value, bool known, const char* wanted, std::string* text) {
  if (value.empty()) return;
  const size_t from = text->size();
  add(text, "environment: %s=%s", name, value.c_str());
  if (!known) add(text, ": not known, so ignored (%s)", wanted);
  end_line(text, from);
}

void report_environment(const Runtime& runtime, std::string* text) {
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) != 0) *text += "environment: not read, as the options say\n";
  const Environment& e = runtime.environment;
  uint64_t ignored;
  report_variable("XLASHAPE_CPU", e.cpu, features_up_to(e.cpu, &ignored),
                  "scalar, ssse3, sse4, avx2, avx3, avx3_dl, neon, sve", text);
  report_variable("XLASHAPE_BACKEND", e.backend + (e.backend_or_any ? kOrAny : ""), true, nullptr, text);
  report_variable("XLASHAPE_BACKEND_PATH", e.backend_path, true, nullptr, text);
  report_variable("XLASHAPE_LOG", e.log, log_level(e.log) > 0, "error, warning, info, debug", text);
  report_variable("XLASHAPE_VERIFY", e.verify, verify_positions(e.verify) >= 0, "a number of positions", text);
  if (!e.ignored.empty()) add(text, "environment: %s not read: this process has elevated rights\n", e.ignored.c_str());
}

void report_absent_places(const Runtime& runtime, const std::vector<Place>& places, std::string* text) {
  const auto line = [&](Origin origin, const char* why) {
    for (const Place& place : places)
      if (place.origin == origin) return;
    add(text, "folder (%s): none, %s\n", origin_name(origin), why);
  };
  line(Origin::kLibrary, (runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) != 0 ? "as the options say"
                                                                                : "the library is part of the program");
  line(Origin::kInstall, "as the options say");
}

// What a built-in backend gives way to once that is loaded; "" where there is nothing such.
std::string successor(const Runtime& runtime, const Backend& builtin) {
  for (int32_t i = 0; i < runtime.backend_count; ++i) {
    const Backend& b = *runtime.backends[i].load();
    const bool coming = b.state == XLASHAPE_BACKEND_STATE_ABSENT || b.state == XLASHAPE_BACKEND_STATE_LOADING;
    if (&b != &builtin && b.name == builtin.name && coming && !b.shadowed) return b.found.path;
  }
  return {};
}

void report_backend(const Runtime& runtime, const Backend& b, std::string* text) {
  constexpr const char* kStates[] = {"not loaded yet", "being loaded", "ready", "not in use"};
  const size_t from = text->size();
  const char* const origin = origin_name(b.origin);
  add(text, "backend %s: %s", b.name.c_str(), kStates[b.current_state()]);
  if (b.shadowed) add(text, ", shadowed by %s", shadowed_by(runtime, b).c_str());
  if (b.found.path.empty()) {
    add(text, ", %s", origin);
    const std::string next = b.origin == Origin::kBuiltIn && !b.shadowed ? successor(runtime, b) : "";
    if (!next.empty()) add(text, " until %s is loaded", next.c_str());
  } else {
    add(text, ", %s (%s)", b.found.path.c_str(), origin);
  }
  if (!b.found.manifest.empty()) add(text, ", manifest %s", b.found.manifest.c_str());
  add(text, ", priority %d", b.priority);
  if (b.found.memory == Memory::kDevice) add(text, ", for device memory only");
  if (const char* const detail = b.current_detail(); *detail != '\0') add(text, ": %s", detail);
  if (b.refusals > 0)
    add(text, "; could not make %lld plans, the last one because: %s", static_cast<long long>(b.refusals),
        b.last_refusal.c_str());
  end_line(text, from);
}

}  // namespace

std::string report(Runtime& runtime) {
  search(runtime);
  const Cpu& cpu = runtime.cpu;
  std::string text;
  constexpr uint32_t kAbi = XLASHAPE_BACKEND_ABI_VERSION;
  add(&text, "xlashape %s, plugin ABI %u.%u\nprocessor: %s; data caches of %lld, %lld, %lld bytes\n",
      xlashape_version(), kAbi >> 16, kAbi & 0xFFFF,
      cpu.features != 0 ? feature_names(cpu.features).c_str() : "no features used",
      static_cast<long long>(cpu.l1_bytes), static_cast<long long>(cpu.l2_bytes), static_cast<long long>(cpu.l3_bytes));
  report_environment(runtime, &text);
  report_absent_places(runtime, places_of(runtime), &text);
  if (runtime.pool != nullptr) add(&text, "threads: %s\n", runtime.pool->describe().c_str());
  if (runtime.verify_positions > 0)
    add(&text, "verification: %lld positions of each execution; %llu executions verified\n",
        static_cast<long long>(runtime.verify_positions), static_cast<unsigned long long>(runtime.verified));
  const std::lock_guard guard(runtime.lock);
  for (const std::string& line : runtime.journal) {
    const size_t from = text.size();
    text += line;
    end_line(&text, from);
  }
  for (int32_t i = 0; i < runtime.backend_count; ++i) report_backend(runtime, *runtime.backends[i].load(), &text);
  return text;
}

}  // namespace xlashape
