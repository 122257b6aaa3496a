/* SPDX-License-Identifier: Apache-2.0 */
// A text of markup that grows. What comes from outside is escaped. Nothing is inlined: it is called in many places.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::view {

class Markup {
 public:
  Markup& raw(std::string_view text);
  Markup& number(int64_t value);
  // ` name="value"`
  Markup& attribute(std::string_view name, int64_t value);
  Markup& attribute(std::string_view name, std::string_view value);
  Markup& text(std::string_view value);  // escaped
  std::string take() { return std::move(text_); }
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

}  // namespace xlashape::view
