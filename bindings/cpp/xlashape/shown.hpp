// SPDX-License-Identifier: Apache-2.0
// The text that operator<<, std::format and {fmt} print. It never throws an Exception: an empty object is shown as
// "<no shape>", and if there is an error instead of a text, the error is shown.
#ifndef XLASHAPE_SHOWN_HPP_
#define XLASHAPE_SHOWN_HPP_

#include "program_shape.hpp"

namespace xlashape::detail {

template <class T>
std::string shown(const T& value, const char* empty) {
  if (!value) return empty;
  Result<std::string> text = value.try_to_string();
  return text ? *std::move(text) : "<" + text.error().text() + ">";
}
inline std::string shown(const Shape& shape) { return shown(shape, "<no shape>"); }
inline std::string shown(const Layout& layout) { return shown(layout, "<no layout>"); }
inline std::string shown(const ProgramShape& shape) { return shown(shape, "<no program shape>"); }
inline std::string shown(ElementType type) {
  const std::string_view known = name(type);
  return std::string(known.empty() ? "<no element type>" : known);
}
inline std::string shown(const Error& error) { return error.text(); }

}  // namespace xlashape::detail

#endif  // XLASHAPE_SHOWN_HPP_
