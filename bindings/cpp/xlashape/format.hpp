// std::formatter for what has a text, where <format> exists. Untested: no compiler here has it yet.
#ifndef XLASHAPE_FORMAT_HPP_
#define XLASHAPE_FORMAT_HPP_

#include "shape.hpp"

#if defined(__cpp_lib_format)
#include <format>

template <>
struct std::formatter<xlashape::Shape> : std::formatter<std::string_view> {
  auto format(const xlashape::Shape& shape, std::format_context& context) const {
    return std::formatter<std::string_view>::format(shape.to_string(), context);
  }
};
template <>
struct std::formatter<xlashape::Layout> : std::formatter<std::string_view> {
  auto format(const xlashape::Layout& layout, std::format_context& context) const {
    return std::formatter<std::string_view>::format(layout.to_string(), context);
  }
};
template <>
struct std::formatter<xlashape::ElementType> : std::formatter<std::string_view> {
  auto format(xlashape::ElementType type, std::format_context& context) const {
    return std::formatter<std::string_view>::format(xlashape::name(type), context);
  }
};
template <>
struct std::formatter<xlashape::Error> : std::formatter<std::string_view> {
  auto format(const xlashape::Error& error, std::format_context& context) const {
    return std::formatter<std::string_view>::format(error.text(), context);
  }
};
#endif

#endif  // XLASHAPE_FORMAT_HPP_
