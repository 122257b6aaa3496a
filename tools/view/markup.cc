// SPDX-License-Identifier: Apache-2.0
#include "markup.h"

#include "words.h"

namespace xlashape::view {

Markup& Markup::raw(std::string_view text) {
  text_ += text;
  return *this;
}

Markup& Markup::number(int64_t value) { return raw(decimal(value)); }

Markup& Markup::attribute(std::string_view name, int64_t value) { return attribute(name, decimal(value)); }

Markup& Markup::attribute(std::string_view name, std::string_view value) {
  return raw(" ").raw(name).raw("=\"").text(value).raw("\"");
}

Markup& Markup::text(std::string_view value) {
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

}  // namespace xlashape::view
