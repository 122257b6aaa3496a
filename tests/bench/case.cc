// SPDX-License-Identifier: Apache-2.0
#include "case.h"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace bench {
namespace {

using nlohmann::json;

// What PV(...) takes. The file says the value itself (0 or 1), or a name: "lowest", "LOWEST_PAD".
std::string padding_text(const json& value) {
  if (value == 0) return "zero";
  if (value == 1) return "one";
  if (!value.is_string()) throw std::runtime_error("padding_value " + value.dump() + " is neither 0, 1 nor a name");
  std::string name = value;
  for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
  return name.substr(0, name.find('_'));
}

// The shape with PD(...) and PV(...) put last into its layout's text.
Shape read_shape(const json& entry, const std::string& side) {
  std::string text = entry.at(side);
  const auto widths = entry.find(side + "_padded_dimensions");
  if (widths == entry.end()) return parse_shape(text);
  if (text.empty() || text.back() != '}') throw std::runtime_error(text + " has no layout to pad");
  text.pop_back();
  if (text.find(':', text.rfind('{')) == std::string::npos) text += ':';
  text += "PD(";
  for (const auto& width : *widths) text += std::to_string(width.get<int64_t>()) + ",";
  text.back() = ')';
  if (side == "dst" && entry.contains("padding_value")) text += "PV(" + padding_text(entry["padding_value"]) + ")";
  return parse_shape(text + "}");
}

Case read_case(const json& entry) {
  Case c = make_case(read_shape(entry, "src"), read_shape(entry, "dst"));
  c.name = entry.at("name");
  c.group = entry.value("class", "");
  return c;
}

void read_file(const std::string& path, std::vector<Case>* cases) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  try {
    for (const json& entry : json::parse(file)) {
      try {
        cases->push_back(read_case(entry));
      } catch (const std::exception& problem) {
        throw std::runtime_error(entry.value("name", "?") + ": " + problem.what());
      }
      cases->back().source = std::filesystem::path(path).filename();
    }
  } catch (const std::exception& problem) {
    throw std::runtime_error(path + ": " + problem.what());
  }
}

}  // namespace

Case make_case(Shape from, Shape to) {
  Case c;
  c.src = std::move(from);
  c.dst = std::move(to);
  const xlashape_sizes src = sizes_of(c.src.get()), dst = sizes_of(c.dst.get());
  c.src_bytes = src.bytes;
  c.dst_bytes = dst.bytes;
  c.src_bits = src.element_bits;
  c.dst_bits = dst.element_bits;
  c.bytes = src.logical_bytes + dst.bytes;
  c.padded = dst.storage_elements > dst.elements;
  return c;
}

std::vector<Case> read_cases(const std::vector<std::string>& paths) {
  std::vector<Case> cases;
  for (const std::string& path : paths) read_file(path, &cases);
  return cases;
}

}  // namespace bench
