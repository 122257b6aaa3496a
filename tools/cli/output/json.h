/* SPDX-License-Identifier: Apache-2.0 */
// JSON that the command prints, kept as text to which members are added. Only json.cc includes the library that formats
// strings and numbers: its header costs two seconds per file that includes it.
#pragma once
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xlashape::cli {

struct Failure;

class Json {
 public:
  struct Member;

  Json() : text_("null") {}
  Json(bool value) : text_(value ? "true" : "false") {}
  template <std::integral T>
  Json(T value) : text_(std::to_string(value)) {}
  Json(double value);
  // In ASCII; bytes that are not UTF-8 become U+FFFD.
  Json(std::string_view value);
  Json(const std::string& value) : Json(std::string_view(value)) {}
  Json(const char* value) : Json(std::string_view(value)) {}
  // Null for an empty optional.
  template <class T>
  Json(const std::optional<T>& value) : Json(value ? Json(*value) : Json()) {}
  template <class T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) add(value);
  }
  Json(std::initializer_list<Member> members);  // an object
  static Json array() { return Json(Verbatim{"[]"}); }
  static Json object() { return Json(Verbatim{"{}"}); }

  void add(const Json& value);                         // to an array
  void add(std::string_view name, const Json& value);  // to an object
  void add_members_of(const Json& other);              // the same for objects

  // On several lines, with two blanks per level.
  const std::string& text() const { return text_; }

 private:
  struct Verbatim {
    const char* text;
  };
  explicit Json(Verbatim made) : text_(made.text) {}
  void append(std::string_view piece);

  std::string text_;
};

struct Json::Member {
  std::string_view name;
  Json value;
};

void say_json(const Json& json);
// A failure of a subcommand: {"code", "message", "offset"}.
inline Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json error_json(const Failure& failure);

}  // namespace xlashape::cli
