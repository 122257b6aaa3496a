// operator<< for what has a text. What is empty prints as "<no shape>", so that printing never throws for it.
#ifndef XLASHAPE_STREAM_HPP_
#define XLASHAPE_STREAM_HPP_

#include <iosfwd>

#include "program_shape.hpp"

namespace xlashape {

namespace detail {

// A template, so that only those who print include <ostream>.
template <class Traits>
std::basic_ostream<char, Traits>& print(std::basic_ostream<char, Traits>& out, std::string_view text) {
  return out << std::basic_string_view<char, Traits>(text.data(), text.size());
}

}  // namespace detail

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Shape& shape) {
  return detail::print(out, shape ? shape.to_string() : "<no shape>");
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Layout& layout) {
  return detail::print(out, layout ? layout.to_string() : "<no layout>");
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const ProgramShape& shape) {
  return detail::print(out, shape ? shape.to_string() : "<no program shape>");
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, ElementType type) {
  const std::string_view known = name(type);
  return detail::print(out, known.empty() ? "<no element type>" : known);
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Error& error) {
  return detail::print(out, error.text());
}

}  // namespace xlashape

#endif  // XLASHAPE_STREAM_HPP_
