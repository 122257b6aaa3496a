// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <xlashape/calibrate.hpp>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/subcommands.h"
#include "cli/execution/measuring.h"
#include "cli/files/new_file.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

constexpr const char* kStandardOutput = "/dev/stdout";
constexpr const char* kVariable = "XLASHAPE_PROFILE";
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;  // of whom the library takes no profile
constexpr std::string_view kProcessor = "processor ", kEquals = " = ";
constexpr std::string_view kRates = "ns_per_mib.";  // of a profile's lines

std::string profile_of(const Runtime& runtime, double seconds) {
  Progress progress("tune");
  Control control;
  control.progress = [&](int64_t done, int64_t count) {
    progress.show(static_cast<double>(done) / static_cast<double>(count));
  };
  const std::chrono::nanoseconds budget(static_cast<int64_t>(seconds * 1e9));
  return as_failures([&] { return calibrate(budget, control, runtime); });
}

// Makes the folders that are missing; nobody else may write to them, or the library would not use the profile.
void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::exists(folder, error)) return;
  if (!error) {
    make_folders(folder.parent_path());
    std::filesystem::create_directory(folder, error);
  }
  if (!error)
    std::filesystem::permissions(folder, static_cast<std::filesystem::perms>(kOthersWrite),
                                 std::filesystem::perm_options::remove, error);
  if (error) fail_data("{}: {}", folder.string(), error.message());
}

// Why programs that start from now on, with this environment, would not use the profile at `path`; "" if they will.
std::string reason_to_ignore(const std::string& path) {
  constexpr std::string_view kIgnored = ": ignored: ";
  for (const std::string& line : lines_of(make_runtime({}).report())) {
    if (!line.starts_with("profile of ")) continue;
    const size_t at = line.find(path);
    // The report writes odd characters otherwise.
    const std::string said = line.substr(at != line.npos ? at + path.size() : std::min(line.rfind(": "), line.size()));
    if (said == ": used" || said.starts_with(": used, but not by ")) return "";
    return !said.starts_with(kIgnored)
               ? line
               : said.substr(kIgnored.size()) +
                     "; let nobody else write to it and to the folders around it (chmod go-w), or name a "
                     "file elsewhere with -o and in XLASHAPE_PROFILE";
  }
  return "";
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.string();
}

int64_t number_after(const std::string& line, size_t equals) {
  return std::stoll(line.substr(equals + kEquals.size()));
}

void print_table(const std::vector<std::string>& lines, const Paint& paint) {
  size_t width = 0;
  for (const std::string& line : lines)
    if (const size_t equals = line.find(kEquals); equals != line.npos && !line.starts_with(kRates))
      width = std::max(width, equals);
  size_t rates = 0;
  for (const std::string& line : lines) {
    // A speed for each movement and size: too many to read.
    if (line.starts_with(kRates)) {
      ++rates;
      continue;
    }
    if (line.starts_with(kProcessor)) say("{}\n", paint.title(line.substr(kProcessor.size())));
    if (line.starts_with('[')) say("{}\n", paint.label(line.substr(1, line.size() - 2)));
    if (const size_t equals = line.find(kEquals); equals != line.npos)
      say("  {:<{}}  {:>16}\n", line.substr(0, equals), width, grouped(number_after(line, equals)));
  }
  if (rates > 0) say("  {:<{}}  {:>16}\n", "speeds", width, grouped(static_cast<int64_t>(rates)));
}

Json json_of(const std::vector<std::string>& lines, const std::string& out) {
  Json json = {{"file", out}}, backends = Json::object(), values = Json::object();
  std::string backend;
  const auto end_section = [&] {
    if (!backend.empty()) backends.add(backend, values);
    values = Json::object();
  };
  for (const std::string& line : lines) {
    if (line.starts_with(kProcessor)) json.add("processor", line.substr(kProcessor.size()));
    if (line.starts_with('[')) end_section(), backend = line.substr(1, line.size() - 2);
    if (const size_t equals = line.find(kEquals); equals != line.npos)
      values.add(line.substr(0, equals), number_after(line, equals));
  }
  end_section();
  json.add("backends", backends);
  return json;
}

}  // namespace

int run_tune(const TuneOptions& options, const Common& common) {
  const Runtime runtime = make_runtime(options.load, options.threads);
  const std::string out = options.out.empty() ? as_failures([&] { return runtime.profile_path(); }) : options.out;
  // Said before anything takes time.
  if (out.empty())
    fail_unsupported(
        "there is no place for profiles here, as xlashape backends --report says under \"profile\": name a file with "
        "-o");
  if (options.out.empty()) make_folders(std::filesystem::path(out).parent_path());
  require_place(out);
  const std::string profile = profile_of(runtime, options.seconds);
  write_text(out, profile, kOthersWrite);
  if (out == kStandardOutput) return kDone;
  const bool is_elsewhere = !options.out.empty();
  const char* const variable = std::getenv(kVariable);
  const bool is_named = is_elsewhere || (variable != nullptr && *variable != '\0');
  const std::string path = absolute_path(out);
  if (is_elsewhere) setenv(kVariable, path.c_str(), 1);
  const std::string why = is_stream(path) ? "" : reason_to_ignore(path);
  if (!why.empty() && !is_elsewhere) fail_data("{}: written, but programs will not use it: {}", path, why);
  if (!why.empty()) warn("xlashape: {}: programs would not use it from there: {}\n", path, why);
  const std::vector<std::string> lines = lines_of(profile);
  if (common.json) {
    say_json(json_of(lines, out));
    return kDone;
  }
  print_table(lines, Paint(common));
  const bool is_used = why.empty() && !is_stream(path);
  say("\n{}{}\n", path,
      !is_used   ? ""
      : is_named ? ": used where XLASHAPE_PROFILE names it"
                 : ": used by programs that start from now on");
  return kDone;
}

}  // namespace xlashape::cli
