// SPDX-License-Identifier: Apache-2.0
#include "runtime/manifest.h"

#include <algorithm>

#include "base/cat.h"
#include "ir/manifest_text.h"
#include "platform/files.h"
#include "runtime/cpu.h"
#include "xlashape_backend.h"

namespace xlashape::core {
namespace {

using ir::ManifestText;

Status fail_at_place(const ManifestText::TextPlace& at, Error* err, const std::string& what) {
  return fail(err, XLASHAPE_STATUS_PARSE, "line %u, column %u: %s", at.line, at.column, what.c_str());
}

Status read_text(const ManifestText::Entry& entry, std::string* text, Error* err) {
  if (entry.value.kind != ManifestText::Value::kText)
    return fail_at_place(entry.value.at, err, cat({"\"", entry.key.text, "\" must be a text in quotes"}));
  *text = entry.value.text;
  return XLASHAPE_STATUS_OK;
}

Status read_number(const ManifestText::Entry& entry, int64_t low, int64_t high, int64_t* number, Error* err) {
  *number = entry.value.number;
  if (entry.value.kind != ManifestText::Value::kNumber || *number < low || *number > high)
    return fail_at_place(
        entry.value.at, err,
        cat({"\"", entry.key.text, "\" must be a number from ", std::to_string(low), " to ", std::to_string(high)}));
  return XLASHAPE_STATUS_OK;
}

Status check_ascii(std::string_view text, Error* err) {
  ManifestText::TextPlace at;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > 0x7F)
      return fail_at_place(at, err, "a manifest must be ASCII; in quotes, write other letters like \\u00E9");
    ++at.column;
    if (c == '\n') at = {at.line + 1, 1};
  }
  return XLASHAPE_STATUS_OK;
}

// "0.1" -> 1
bool read_version(std::string_view text, uint32_t* version) {
  const auto number = [&](uint32_t* value) {
    size_t digits = 0;
    *value = 0;
    for (; digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9'; ++digits)
      *value = 10 * *value + static_cast<uint32_t>(text[digits] - '0');
    text.remove_prefix(digits);
    return digits > 0;
  };
  uint32_t major, minor;
  if (!number(&major) || text.empty() || text[0] != '.') return false;
  text.remove_prefix(1);
  if (!number(&minor) || !text.empty()) return false;
  *version = major << 16 | minor;
  return true;
}

Status read_key(const ManifestText::Entry& entry, Manifest* m, bool* versioned, Error* err) {
  const std::string& name = entry.key.text;
  const auto bad = [&](const std::string& what) { return fail_at_place(entry.value.at, err, what); };
  if (name == "manifest") {
    int64_t version;
    XLASHAPE_TRY(read_number(entry, 1, 1, &version, err));
    *versioned = true;
    return XLASHAPE_STATUS_OK;
  }
  if (name == "priority") {
    int64_t priority;
    XLASHAPE_TRY(read_number(entry, -1000000, 1000000, &priority, err));
    m->priority = static_cast<int32_t>(priority);
    m->has_priority = true;
    return XLASHAPE_STATUS_OK;
  }
  if (name == "role") return bad("\"role\" must be tables, [role.NAME]");
  std::string text;
  std::string* const plain = name == "name"        ? &m->name
                             : name == "library"   ? &m->library
                             : name == "entry"     ? &m->entry
                             : name == "sanitizer" ? &m->sanitizer
                                                   : nullptr;
  if (plain != nullptr) {
    XLASHAPE_TRY(read_text(entry, plain, err));
    if (plain->find('\0') != std::string::npos) return bad(cat({"\"", name, "\" contains a NUL"}));
    if ((plain == &m->name || plain == &m->entry) && !is_backend_name(*plain))
      return bad(cat({"\"", name, "\" must be letters, digits and _, at most 63"}));
    if (plain == &m->library && plain->empty()) return bad("\"library\" is empty");
    return XLASHAPE_STATUS_OK;
  }
  if (name == "abi") {
    XLASHAPE_TRY(read_text(entry, &text, err));
    return read_version(text, &m->abi) ? XLASHAPE_STATUS_OK : bad("\"abi\" must be a version such as \"0.1\"");
  }
  if (name == "cpu") {
    XLASHAPE_TRY(read_text(entry, &text, err));
    std::string_view unknown;
    if (features_named(text, &m->cpu_features, &unknown)) return XLASHAPE_STATUS_OK;
    return bad(unknown.empty()
                   ? "\"cpu\" has an empty name in its list"
                   : cat({"\"cpu\" names ", Quoted(unknown).c_str(), ", which is not a known CPU feature"}));
  }
  if (name == "memory") {
    XLASHAPE_TRY(read_text(entry, &text, err));
    m->memory = text == "host" ? Memory::kHost : text == "device" ? Memory::kDevice : Memory::kUnknown;
    return m->memory != Memory::kUnknown ? XLASHAPE_STATUS_OK : bad("\"memory\" must be \"host\" or \"device\"");
  }
  return fail_at_place(entry.key.at, err, cat({"unknown key \"", Quoted(name).c_str(), "\""}));
}

// A table, or a key in one: vendor calls, which the backend reads.
Status read_role(const ManifestText::Entry& entry, Manifest* m, Error* err) {
  const ManifestText::Name& first = entry.table[0];
  if (first.text != "role")
    return fail_at_place(first.at, err, cat({"unknown key \"", Quoted(first.text).c_str(), "\""}));
  m->has_roles = true;
  if (entry.table.size() == 1 && !entry.key.text.empty())
    return fail_at_place(entry.key.at, err, "\"role\" must hold tables, [role.NAME]");
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status parse_manifest(std::string_view text, Manifest* manifest, Error* err) {
  *manifest = {};
  XLASHAPE_TRY(check_ascii(text, err));
  ManifestText read;
  if (!read.read(text)) return fail_at_place(read.at, err, read.wrong);
  bool versioned = false;
  ManifestText::TextPlace role;
  for (const ManifestText::Entry& entry : read.entries) {
    if (!entry.table.empty() && !manifest->has_roles) role = entry.table[0].at;
    XLASHAPE_TRY(entry.table.empty() ? read_key(entry, manifest, &versioned, err) : read_role(entry, manifest, err));
  }
  if (!versioned) return fail(err, XLASHAPE_STATUS_PARSE, "line 1, column 1: \"manifest = 1\" is missing");
  if (manifest->name.empty()) return fail(err, XLASHAPE_STATUS_PARSE, "line 1, column 1: \"name\" is missing");
  if (manifest->abi == 0) return fail(err, XLASHAPE_STATUS_PARSE, "line 1, column 1: \"abi\" is missing");
  if (manifest->entry.empty()) manifest->entry = manifest->name;
  if (manifest->library.empty()) manifest->library = cat({manifest->entry, kLibrarySuffix});
  if (manifest->has_roles && manifest->entry != "bound")
    return fail_at_place(role, err,
                         cat({"[role.NAME] is for entry = \"bound\", here it is \"", manifest->entry, "\""}));
  return XLASHAPE_STATUS_OK;
}

std::string unfit(const Manifest& m, uint64_t cpu_features, bool (*has_sanitizer)(std::string_view name)) {
  // Before 1.0 versions must be equal; from 1.0 on, a backend's minor must not be newer than this library's.
  constexpr uint32_t kOurs = XLASHAPE_BACKEND_ABI_VERSION;
  const bool fits = kOurs >> 16 == 0 ? m.abi == kOurs : m.abi >> 16 == kOurs >> 16 && m.abi <= kOurs;
  const auto version = [](uint32_t v) { return cat({std::to_string(v >> 16), ".", std::to_string(v & 0xFFFF)}); };
  if (!fits) return cat({"abi: it speaks plugin ABI ", version(m.abi), ", this library ", version(kOurs)});
  if (const uint64_t missing = m.cpu_features & ~cpu_features)
    return cat({"cpu: it needs ", feature_names(missing), ", which this machine (or XLASHAPE_CPU) lacks"});
  if (!m.sanitizer.empty() && !has_sanitizer(m.sanitizer))
    return cat({"sanitizer: it was built for the ", m.sanitizer, " sanitizer, which this process does not have"});
  return {};
}

}  // namespace xlashape::core
