// fmt::formatter for what has a text: fmt::print("{}", shape). Includes {fmt}; xlashape.hpp does not.
#ifndef XLASHAPE_FMT_HPP_
#define XLASHAPE_FMT_HPP_

#include <fmt/format.h>

#include "xlashape.hpp"

template <>
struct fmt::formatter<xlashape::Shape> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const xlashape::Shape& shape, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(shape.to_string(), context);
  }
};
template <>
struct fmt::formatter<xlashape::Layout> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const xlashape::Layout& layout, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(layout.to_string(), context);
  }
};
template <>
struct fmt::formatter<xlashape::ElementType> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(xlashape::ElementType type, Context& context) const {
    const std::string_view name = xlashape::name(type);
    return fmt::formatter<fmt::string_view>::format(fmt::string_view(name.data(), name.size()), context);
  }
};
template <>
struct fmt::formatter<xlashape::Error> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const xlashape::Error& error, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(error.text(), context);
  }
};

#endif  // XLASHAPE_FMT_HPP_
