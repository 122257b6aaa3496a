// SPDX-License-Identifier: Apache-2.0
// fmt::formatter for what has a text: fmt::print("{}", shape). Includes {fmt}; xlashape.hpp does not.
#ifndef XLASHAPE_FMT_HPP_
#define XLASHAPE_FMT_HPP_

#include <fmt/format.h>

#include "xlashape.hpp"

namespace xlashape::detail {

template <class T>
struct FmtFormatter : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(const T& value, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(shown(value), context);
  }
};

}  // namespace xlashape::detail

template <>
struct fmt::formatter<xlashape::Shape> : xlashape::detail::FmtFormatter<xlashape::Shape> {};
template <>
struct fmt::formatter<xlashape::Layout> : xlashape::detail::FmtFormatter<xlashape::Layout> {};
template <>
struct fmt::formatter<xlashape::ProgramShape> : xlashape::detail::FmtFormatter<xlashape::ProgramShape> {};
template <>
struct fmt::formatter<xlashape::ElementType> : xlashape::detail::FmtFormatter<xlashape::ElementType> {};
template <>
struct fmt::formatter<xlashape::Error> : xlashape::detail::FmtFormatter<xlashape::Error> {};

#endif  // XLASHAPE_FMT_HPP_
