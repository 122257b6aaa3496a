// SPDX-License-Identifier: Apache-2.0
#include "mlir_locations.h"

#include <charconv>
#include <string>

#include "mlir_line.h"
#include "scan/program/source.h"

namespace xlashape::cli {
namespace {

constexpr int kLongestChain = 64;  // a hostile text may have circles

std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace

void MlirLocations::define(std::string_view alias, std::string_view text) {
  const uint32_t number = texts_.of(alias);
  const MlirLocation location = read(text);
  if (alias_.size() <= number) alias_.resize(number + 1, kNone);
  alias_[number] = static_cast<uint32_t>(locations_.size());
  locations_.push_back(location);
}

uint32_t MlirLocations::of(std::string_view text) {
  if (text.empty()) return kNone;
  const uint32_t number = known_.of(text);
  if (number == known_location_.size()) {
    known_location_.push_back(static_cast<uint32_t>(locations_.size()));
    locations_.push_back(read(text));
  }
  return known_location_[number];
}

// The name is the outermost one; inside of a location's brackets are names of functions. The source is the first file,
// which is where the innermost function is.
MlirLocations::MlirLocation MlirLocations::read(std::string_view text) {
  MlirLocation location;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const bool first = at == 0;
      const std::string_view inside = quoted(text, at, &at);
      if (at == std::string_view::npos) return location;
      if (at < text.size() && text[at] == ':' &&
          std::from_chars(text.data() + at + 1, text.data() + text.size(), location.line).ec == std::errc()) {
        location.file = texts_.of(unescaped(inside));
        return location;
      }
      if (first) location.name = texts_.of(unescaped(inside));
    } else if (text[at] == '#') {
      const size_t length = 1 + name_length(text.substr(at + 1));
      location.next = texts_.of(text.substr(at, length));
      location.plain = at == 0;
      return location;
    } else {
      ++at;
    }
  }
  return location;
}

const MlirLocations::MlirLocation* MlirLocations::after(const MlirLocation& location) const {
  if (location.next == kNone || location.next >= alias_.size() || alias_[location.next] == kNone) return nullptr;
  return &locations_[alias_[location.next]];
}

uint32_t MlirLocations::op_name(uint32_t number, TextPool* texts) const {
  if (number == kNone) return kNone;
  const MlirLocation* location = &locations_[number];
  for (int step = 0; step < kLongestChain && location != nullptr; ++step) {
    if (location->name != kNone) return texts->of(texts_.text(location->name));
    location = location->plain ? after(*location) : nullptr;
  }
  return kNone;
}

uint32_t MlirLocations::source(uint32_t number, TextPool* texts) const {
  if (number == kNone) return kNone;
  const MlirLocation* location = &locations_[number];
  for (int step = 0; step < kLongestChain && location != nullptr; ++step) {
    if (location->file != kNone) return SourceTable::of_line(texts_.text(location->file), location->line, texts);
    location = after(*location);
  }
  return kNone;
}

void MlirLocations::clear() { *this = MlirLocations(); }

}  // namespace xlashape::cli
