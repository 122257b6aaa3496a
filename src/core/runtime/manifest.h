/* SPDX-License-Identifier: Apache-2.0 */
// A backend's manifest: what must be known before its shared object is mapped. docs/manifest.md describes the format.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

enum class Memory : uint8_t { kUnknown, kHost, kDevice };

struct Manifest {
  std::string name;
  std::string library;  // as written; relative to the manifest
  std::string entry;
  uint32_t abi = 0;           // major << 16 | minor
  uint64_t cpu_features = 0;  // all of them are required
  Memory memory = Memory::kUnknown;
  bool has_priority = false;
  int32_t priority = 0;
  std::string sanitizer;
  bool has_roles = false;  // it describes calls of vendor routines: trusted like code, but not checked
};

// True for 1 to 63 letters, digits and '_': a name is part of a symbol.
inline bool is_backend_name(std::string_view name) {
  return !name.empty() && name.size() <= 63 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Messages of failures name line and column.
Status parse_manifest(std::string_view text, Manifest* manifest, Error* err);

// Why the backend cannot run here, "stage: reason"; "" where it can.
std::string unfit(const Manifest& manifest, uint64_t cpu_features, bool (*has_sanitizer)(std::string_view name));

}  // namespace xlashape::core
