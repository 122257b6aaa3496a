// A text of markup that grows. What comes from outside is escaped.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::core::draw {

class Markup {
 public:
  Markup& raw(std::string_view text) {
    text_ += text;
    return *this;
  }
  Markup& number(int64_t value) {
    text_ += std::to_string(value);
    return *this;
  }
  // ` name="value"`
  Markup& attribute(std::string_view name, int64_t value) { return begin(name).number(value).raw("\""); }
  Markup& attribute(std::string_view name, std::string_view value) { return begin(name).text(value).raw("\""); }
  Markup& text(std::string_view value) {
    for (const char c : value) {
      switch (c) {
        case '&':
          text_ += "&amp;";
          break;
        case '<':
          text_ += "&lt;";
          break;
        case '>':
          text_ += "&gt;";
          break;
        case '"':
          text_ += "&quot;";
          break;
        default:
          text_ += c;
      }
    }
    return *this;
  }
  std::string take() { return std::move(text_); }
  const std::string& str() const { return text_; }

 private:
  Markup& begin(std::string_view name) { return raw(" ").raw(name).raw("=\""); }

  std::string text_;
};

}  // namespace xlashape::core::draw
