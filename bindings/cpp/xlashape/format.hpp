// SPDX-License-Identifier: Apache-2.0
// std::formatter for objects with a text, if <format> exists. Untested, since no tested compiler has it yet.
#ifndef XLASHAPE_FORMAT_HPP_
#define XLASHAPE_FORMAT_HPP_

#include "shown.hpp"

#if defined(__cpp_lib_format)
#include <format>

namespace xlashape::detail {

template <class T>
struct Formatter : std::formatter<std::string> {
  auto format(const T& value, std::format_context& context) const {
    return std::formatter<std::string>::format(shown(value), context);
  }
};

}  // namespace xlashape::detail

template <>
struct std::formatter<xlashape::Shape> : xlashape::detail::Formatter<xlashape::Shape> {};
template <>
struct std::formatter<xlashape::Layout> : xlashape::detail::Formatter<xlashape::Layout> {};
template <>
struct std::formatter<xlashape::ProgramShape> : xlashape::detail::Formatter<xlashape::ProgramShape> {};
template <>
struct std::formatter<xlashape::ElementType> : xlashape::detail::Formatter<xlashape::ElementType> {};
template <>
struct std::formatter<xlashape::Error> : xlashape::detail::Formatter<xlashape::Error> {};
#endif

#endif  // XLASHAPE_FORMAT_HPP_
