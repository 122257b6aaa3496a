// SPDX-License-Identifier: Apache-2.0
#include "array.h"

#include <algorithm>
#include <xlashape/interop.hpp>
#include <xlashape/reshape.hpp>

#include "failure.h"
#include "number.h"

namespace xlashape::cli {

Shape parse_shape(std::string_view text, uint32_t flags, int64_t* offset) {
  const Result<Shape> strict = Shape::try_parse(text, flags);
  if (strict) return *strict;
  const Result<Shape> shape = try_read_shape(text, flags, offset);
  if (shape) return *shape;
  // Where both stop, what is strict says it in fewer words, unless the other says the same and more.
  const auto wanted = [](const Error& error) {
    const std::string_view message = error.message();
    return message.substr(0, message.find(", found"));
  };
  const std::string_view fewer = wanted(strict.error()), words = wanted(shape.error());
  const bool more = words.size() > fewer.size() && words.starts_with(fewer);
  const bool same = strict.error().offset() == shape.error().offset() && strict.error().offset() > 0 && !more;
  Failure failure(same ? strict.error() : shape.error());
  // As instructions of HLO have it behind their shapes.
  if (text.substr(static_cast<size_t>(std::max<int64_t>(failure.offset, 0))).find("sharding=") != text.npos)
    failure.message += "; a sharding is not part of a shape: leave it out";
  throw failure;
}

bool is_array(const Shape& shape) {
  return shape.category() == Category::kArray || shape.category() == Category::kBuffer;
}

Layout layout_of(const Shape& shape) { return shape.has_layout() ? shape.layout() : Layout(); }

Integers order_of(const Shape& shape) {
  const Layout layout = layout_of(shape);
  if (layout && layout.rank() == shape.rank()) return layout.minor_to_major();
  return Layout::row_major(shape.rank()).minor_to_major();
}

int64_t value_bits(ElementType type) {
  return (classes(type) & XLASHAPE_CLASS_SUB_BYTE) != 0 ? bits(type) : storage_bits(type);
}

int64_t container_bits(const Shape& shape) {
  const int64_t bits = layout_of(shape).element_size_in_bits();
  return bits != 0 ? bits : storage_bits(shape.element_type());
}

int64_t dimension_named(int64_t rank, std::string_view text) {
  if (const std::optional<int64_t> given = number(text)) return dimension_number(rank, *given);
  if (text.size() == 1)
    if (const Result<int64_t> found = try_dimension_from_letter(rank, text[0])) return *found;
  fail_data("\"{}\" names no dimension of rank {}: give a number or a letter, x for the last one", text, rank);
}

std::string dimension_name(int64_t rank, int64_t dimension) {
  const char letter = dimension_letter(rank, dimension);
  return letter != 0 ? std::string(1, letter) : std::to_string(dimension);
}

std::optional<Target> target_option(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const Result<Target> found = try_target(*name);
  if (!found) fail_usage("--target: {}", found.error().message());
  return *found;
}

}  // namespace xlashape::cli
