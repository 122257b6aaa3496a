// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <nlohmann/json.hpp>

#include "cli/base/failure.h"
#include "output.h"

namespace xlashape::cli {
namespace {

std::string spelled(const nlohmann::json& value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

// Indents by one level. Line feeds in strings are escaped, so each line feed here begins a line.
std::string indented(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out;
}

}  // namespace

Json::Json(double value) : text_(spelled(value)) {}

Json::Json(std::string_view value) : text_(spelled(value)) {}

Json::Json(std::initializer_list<Member> members) : Json(object()) {
  for (const Member& member : members) add(member.name, member.value);
}

// The place before the closing bracket.
void Json::append(std::string_view piece) {
  const char close = text_.back();
  text_.resize(text_.size() - (text_.size() > 2 ? 2 : 1));
  if (text_.size() > 1) text_ += ',';
  text_ += "\n  ";
  text_ += piece;
  text_ += '\n';
  text_ += close;
}

void Json::add(const Json& value) { append(indented(value.text_)); }

void Json::add(std::string_view name, const Json& value) { append(spelled(name) + ": " + indented(value.text_)); }

void Json::add_members_of(const Json& other) {
  constexpr size_t kOpen = 4, kClose = 2;  // "{", a line feed, two blanks; a line feed, "}"
  if (other.text_.size() > kOpen)
    append(std::string_view(other.text_).substr(kOpen, other.text_.size() - kOpen - kClose));
}

void say_json(const Json& json) { put_out(Text::made(json.text() + "\n")); }

Json error_json(const Failure& failure) {
  return {{"code", failure.code},
          {"message", failure.message},
          {"offset", failure.offset >= 0 ? Json(failure.offset) : Json()}};
}

}  // namespace xlashape::cli
