// SPDX-License-Identifier: Apache-2.0
#include "runtime/profile.h"

#include <algorithm>
#include <cstring>

#include "base/cat.h"
#include "platform/files.h"
#include "platform/trust.h"
#include "runtime/measured_text.h"
#include "runtime/search.h"
#include "xlashape_backend.h"

namespace xlashape::core {
namespace {

bool is_key(std::string_view key) {
  return !key.empty() && key.size() <= 64 && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

// Checks the line "key = value" that was read last, and adds its key to those of its backend,
// of which few are expected.
Status check_line(const MeasuredText& reader, std::string_view line, std::vector<std::string_view>& keys, Error* err) {
  constexpr std::string_view kEquals = " = ";
  const size_t at = line.find(kEquals);
  int64_t value;
  const std::string_view key = line.substr(0, at);
  if (at == line.npos || !is_key(key) || !read_decimal(line.substr(at + kEquals.size()), &value))
    return reader.wrong(err, "%s, where \"key = number\" is expected", Quoted(line).c_str());
  for (const std::string_view other : keys)
    if (key == other) return reader.wrong(err, "%s is given twice", Quoted(key).c_str());
  keys.push_back(key);
  return XLASHAPE_STATUS_OK;
}

// Reads a file that nobody else can change. False, with *wrong, where there is none or it cannot be trusted.
bool read_trusted(const std::string& path, std::string* text, std::string* wrong) {
  // The library's owner does not matter here: this is the user's file.
  const std::string real = trusted_path(own_trust({}), "", path, wrong);
  if (real.empty()) return false;
  const File file = open_regular(real, wrong);
  if (file == nullptr) return false;
  text->resize(Profile::kMostBytes);
  text->resize(std::fread(text->data(), 1, text->size(), file.get()));
  if (text->size() < Profile::kMostBytes) return true;
  *wrong = "larger than 64 KiB";
  return false;
}

// Returns why there is no path, where there is none.
const char* find_path(const Environment* environment, ProfileSource* source) {
  if (environment == nullptr) return "the options say that no environment variable is read";
  if (environment->profile == "none") return "XLASHAPE_PROFILE is none";
  if (!environment->profile.empty()) {
    if (!is_absolute(environment->profile)) return "XLASHAPE_PROFILE is not an absolute path";
    source->path = environment->profile;
    return nullptr;
  }
  for (const std::string& folder : environment->settings)
    if (source->path.empty() && is_absolute(folder))
      source->path = in_folder(in_folder(folder, "xlashape"), source->processor + ".profile");
  return source->path.empty() ? "the environment does not say where the user's settings are" : nullptr;
}

// Notes whether a profile is used that is about some processor, or why it is wrong.
void judge(ProfileSource* source, std::string_view place, const std::string& about, std::string wrong) {
  if (wrong.empty() && about != source->processor) wrong = cat({"it is about ", about});
  source->note = cat({place, wrong.empty() ? ": used" : ": ignored: ", wrong});
}

}  // namespace

Status Profile::parse(std::string_view text, std::string_view processor, std::string* about, Error* err) {
  if (text.size() >= kMostBytes)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "a profile has at most %zu bytes", kMostBytes - 1);
  MeasuredText reader(text);
  std::string_view said, line;
  XLASHAPE_TRY(reader.read_head("profile", &said, err));
  std::vector<Section> sections;
  std::vector<std::string_view> keys;
  while (!reader.at_end()) {
    XLASHAPE_TRY(reader.next(&line, err));
    if (line.size() > 2 && line.front() == '[' && line.back() == ']') {
      const std::string_view name = line.substr(1, line.size() - 2);
      const bool is_known = std::any_of(sections.begin(), sections.end(), [&](auto& s) { return s.backend == name; });
      if (!is_backend_name(name)) return reader.wrong(err, "%s is no backend's name", Quoted(name).c_str());
      if (is_known) return reader.wrong(err, "%s has a section above", Quoted(name).c_str());
      keys.clear();
      sections.emplace_back().backend = name;
      continue;
    }
    XLASHAPE_TRY(check_line(reader, line, keys, err));
    if (sections.empty()) return reader.wrong(err, "it is before the first [backend]");
    std::string& lines = sections.back().lines;
    lines += cat({line, "\n"});
    if (lines.size() >= XLASHAPE_CALIBRATION_BYTES)
      return reader.wrong(err, "the section has more than %d bytes", XLASHAPE_CALIBRATION_BYTES);
  }
  *about = said;
  if (said == processor) sections_ = std::move(sections);
  return XLASHAPE_STATUS_OK;
}

const char* Profile::find(std::string_view backend) const {
  for (const Section& section : sections_)
    if (section.backend == backend) return section.lines.c_str();
  return nullptr;
}

Status check_profile_lines(std::string_view lines, Error* err) {
  MeasuredText reader(lines);
  std::vector<std::string_view> keys;
  std::string_view line;
  while (!reader.at_end()) {
    XLASHAPE_TRY(reader.next(&line, err));
    XLASHAPE_TRY(check_line(reader, line, keys, err));
  }
  return XLASHAPE_STATUS_OK;
}

Status find_profile(const char* given, const Environment* environment, ProfileSource* source, Error* err) {
  const char* no_path = "this library was built with dynamic_backends=false";
  if constexpr (kDynamicBackends) no_path = find_path(environment, source);
  if (given != nullptr) {
    const std::string text(given, strnlen(given, Profile::kMostBytes));
    std::string about;
    if (text.empty()) {
      source->note = "none, as the options say";
      return XLASHAPE_STATUS_OK;
    }
    xlashape_error own;
    own.struct_size = sizeof own;
    if (source->profile.parse(text, source->processor, &about, &own) != XLASHAPE_STATUS_OK)
      return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, own.offset, "options.profile: %s", own.message);
    judge(source, "that of the options", about, "");
    return XLASHAPE_STATUS_OK;
  }
  if (no_path != nullptr) {
    source->note = cat({"none: ", no_path});
    return XLASHAPE_STATUS_OK;
  }
  if constexpr (kDynamicBackends) {
    if (!exists(source->path)) {
      source->note = cat({source->path, ": not there"});
      return XLASHAPE_STATUS_OK;
    }
    read_profile(source);
  }
  return XLASHAPE_STATUS_OK;
}

void read_profile([[maybe_unused]] ProfileSource* source) {
  if constexpr (kDynamicBackends) {
    std::string text, about, wrong;
    xlashape_error own;
    own.struct_size = sizeof own;
    source->is_lacking = false;
    try {
      if (read_trusted(source->path, &text, &wrong) &&
          source->profile.parse(text, source->processor, &about, &own) != XLASHAPE_STATUS_OK)
        wrong = own.message;
    } catch (const Shortage& shortage) {
      source->is_lacking = true;
      wrong = shortage.what();
    }
    judge(source, source->path, about, wrong);
  }
}

}  // namespace xlashape::core
