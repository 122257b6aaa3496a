// The report: every place looked at, what was there, and why it is or is not in use.
#include "runtime/registry.h"
#include "runtime/runtime.h"

namespace xlashape {
namespace {

std::string version_text(uint32_t version) {
  return std::to_string(version >> 16) + "." + std::to_string(version & 0xFFFF);
}

// Text from files and backends, without the control characters that would break the lines.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

void report_environment(const Runtime& runtime, std::string* text) {
  const auto line = [&](const std::string& what) { *text += "environment: " + one_line(what) + "\n"; };
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) != 0) line("not read, as the options say");
  const Environment& e = runtime.environment;
  uint64_t ignored;
  if (!e.cpu.empty())
    line("XLASHAPE_CPU=" + e.cpu +
         (features_up_to(e.cpu, &ignored)
              ? ""
              : ": not known, so ignored (scalar, ssse3, sse4, avx2, avx3, avx3_dl, neon, sve)"));
  if (!e.backend.empty()) line("XLASHAPE_BACKEND=" + e.backend);
  if (!e.backend_path.empty()) line("XLASHAPE_BACKEND_PATH=" + e.backend_path);
  if (!e.log.empty())
    line("XLASHAPE_LOG=" + e.log +
         (log_level(e.log) > 0 ? "" : ": not known, so ignored (error, warning, info, debug)"));
  if (!e.ignored.empty()) line(e.ignored + " not read: this process has elevated rights");
}

void report_absent_places(const Runtime& runtime, const std::vector<Place>& places, std::string* text) {
  const auto has = [&](Origin origin) {
    for (const Place& place : places)
      if (place.origin == origin) return true;
    return false;
  };
  const auto line = [&](Origin origin, const char* why) {
    if (!has(origin)) *text += std::string("folder (") + origin_name(origin) + "): none, " + why + "\n";
  };
  line(Origin::kLibrary, (runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) != 0 ? "as the options say"
                                                                                : "the library is part of the program");
  line(Origin::kInstall, "as the options say");
}

void report_backend(const Backend& b, std::string* text) {
  constexpr const char* kStates[] = {"not loaded yet", "being loaded", "ready", "not in use"};
  std::string line = "backend " + b.name + ": " + kStates[b.state];
  if (b.shadowed) line += ", shadowed by " + b.shadow;
  line += ", " + (b.found.path.empty() ? std::string(origin_name(b.origin)) : b.found.path);
  if (!b.found.path.empty()) line += std::string(" (") + origin_name(b.origin) + ")";
  if (!b.found.manifest.empty()) line += ", manifest " + b.found.manifest;
  line += ", priority " + std::to_string(b.priority);
  if (b.found.memory == Memory::kDevice) line += ", for device memory only";
  if (!b.detail.empty()) line += ": " + b.detail;
  if (b.refusals > 0)
    line += "; could not make " + std::to_string(b.refusals) + " plans, the last one because: " + b.last_refusal;
  *text += one_line(std::move(line)) + "\n";
}

}  // namespace

std::string report(Runtime& runtime) {
  search(runtime);
  std::string text =
      std::string("xlashape ") + xlashape_version() + ", plugin ABI " + version_text(XLASHAPE_BACKEND_ABI_VERSION) +
      "\nprocessor: " + (runtime.cpu.features != 0 ? feature_names(runtime.cpu.features) : "no features used") +
      "; data caches of " + std::to_string(runtime.cpu.l1_bytes) + ", " + std::to_string(runtime.cpu.l2_bytes) + ", " +
      std::to_string(runtime.cpu.l3_bytes) + " bytes\n";
  report_environment(runtime, &text);
  report_absent_places(runtime, places_of(runtime), &text);
  if (!runtime.pool.path.empty())
    text += "threads: " + std::to_string(runtime.hooks.executor.max_workers) + " in the pool of " +
            one_line(runtime.pool.path) + "\n";
  const std::lock_guard guard(runtime.lock);
  for (const std::string& line : runtime.journal) text += one_line(line) + "\n";
  for (int32_t i = 0; i < runtime.backend_count; ++i) report_backend(*runtime.backends[i].load(), &text);
  return text;
}

}  // namespace xlashape
