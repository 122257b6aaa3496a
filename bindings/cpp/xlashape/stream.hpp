// SPDX-License-Identifier: Apache-2.0
// operator<< for objects with a text.
#ifndef XLASHAPE_STREAM_HPP_
#define XLASHAPE_STREAM_HPP_

#include <iosfwd>

#include "shown.hpp"

namespace xlashape {

namespace detail {

// A template, so that only code that prints must include <ostream>.
template <class Traits, class T>
std::basic_ostream<char, Traits>& print(std::basic_ostream<char, Traits>& out, const T& value) {
  const std::string text = shown(value);
  return out << std::basic_string_view<char, Traits>(text.data(), text.size());
}

}  // namespace detail

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Shape& shape) {
  return detail::print(out, shape);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Layout& layout) {
  return detail::print(out, layout);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const ProgramShape& shape) {
  return detail::print(out, shape);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, ElementType type) {
  return detail::print(out, type);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Error& error) {
  return detail::print(out, error);
}

}  // namespace xlashape

#endif  // XLASHAPE_STREAM_HPP_
