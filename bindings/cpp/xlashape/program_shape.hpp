// SPDX-License-Identifier: Apache-2.0
// A program's signature: parameters with names, and a result (xla::ProgramShape).
#ifndef XLASHAPE_PROGRAM_SHAPE_HPP_
#define XLASHAPE_PROGRAM_SHAPE_HPP_

#include <xlashape_xla.h>

#include "shape.hpp"

namespace xlashape {

class ProgramShape
    : public detail::Handle<xlashape_program_shape, xlashape_program_shape_retain, xlashape_program_shape_release> {
 public:
  using Handle::Handle;

  // names: none, or one for each parameter, any of them empty.
  static Result<ProgramShape> try_of(Span<const Shape> parameters, const Shape& result,
                                     Span<const std::string> names = {}) {
    if (!names.empty() && names.size() != parameters.size())
      return Error(Status::kInvalidArgument, "the numbers of parameters and of names differ");
    std::vector<xlashape_shape*> handles;
    for (const Shape& parameter : parameters) handles.push_back(parameter.get());
    std::string joined;
    std::vector<std::int64_t> lengths;
    for (const std::string& name : names) {
      joined += name;
      lengths.push_back(detail::length(name));
    }
    return make(xlashape_program_shape_create, static_cast<xlashape_shape* const*>(handles.data()),
                detail::length(handles), static_cast<const char*>(joined.data()),
                static_cast<const std::int64_t*>(names.empty() ? nullptr : lengths.data()), result.get());
  }
  XLASHAPE_THROWS static ProgramShape of(Span<const Shape> parameters, const Shape& result,
                                         Span<const std::string> names = {}) {
    return try_of(parameters, result, names).value();
  }

  // A serialised ProgramShapeProto; flags: XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT
  static Result<ProgramShape> try_from_proto(Span<const std::uint8_t> message, std::uint32_t flags = 0) {
    return make(xlashape_program_shape_from_proto, message.data(), detail::length(message), flags);
  }
  XLASHAPE_THROWS static ProgramShape from_proto(Span<const std::uint8_t> message, std::uint32_t flags = 0) {
    return try_from_proto(message, flags).value();
  }
  XLASHAPE_THROWS std::vector<std::uint8_t> to_proto() const {
    return detail::list<std::uint8_t>(xlashape_program_shape_to_proto, get(), 0u).value();
  }

  // "(x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}"; flags: XLASHAPE_PRINT_*; with XLASHAPE_PRINT_STRICT it may fail.
  Result<std::string> try_to_string(std::uint32_t flags = 0) const {
    return detail::text(xlashape_program_shape_print, get(), flags);
  }
  XLASHAPE_THROWS std::string to_string(std::uint32_t flags = 0) const { return try_to_string(flags).value(); }

  std::int64_t parameter_count() const noexcept { return xlashape_program_shape_parameter_count(get()); }
  Result<Shape> try_parameter(std::int64_t index) const {
    return detail::make<Shape, xlashape_shape>(xlashape_program_shape_parameter, get(), index);
  }
  XLASHAPE_THROWS Shape parameter(std::int64_t index) const { return try_parameter(index).value(); }
  Result<std::string> try_parameter_name(std::int64_t index) const {
    return detail::text(xlashape_program_shape_parameter_name, get(), index);
  }
  XLASHAPE_THROWS std::string parameter_name(std::int64_t index) const { return try_parameter_name(index).value(); }
  XLASHAPE_THROWS Shape result() const {
    return detail::make<Shape, xlashape_shape>(xlashape_program_shape_result, get()).value();
  }

  bool has_all_layouts() const noexcept { return xlashape_program_shape_has_all_layouts(get()) != 0; }
  Result<ProgramShape> try_with_default_layouts() const {
    return make(xlashape_program_shape_with_default_layouts, get());
  }
  // fields: as Shape::without_layout_fields takes them
  Result<ProgramShape> try_without_layout_fields(std::uint32_t fields) const {
    return make(xlashape_program_shape_without_layout_fields, get(), fields);
  }

  // mask: as Shape::equal takes it
  bool equal(const ProgramShape& other, std::uint32_t mask = XLASHAPE_EQUAL_XLA) const noexcept {
    return xlashape_program_shape_equal(get(), other.get(), mask) != 0;
  }
  friend bool operator==(const ProgramShape& a, const ProgramShape& b) noexcept { return a.equal(b); }
  friend bool operator!=(const ProgramShape& a, const ProgramShape& b) noexcept { return !a.equal(b); }

 private:
  template <class F, class... A>
  static Result<ProgramShape> make(F function, A... arguments) {
    return detail::make<ProgramShape, xlashape_program_shape>(function, arguments...);
  }
};

}  // namespace xlashape

#endif  // XLASHAPE_PROGRAM_SHAPE_HPP_
