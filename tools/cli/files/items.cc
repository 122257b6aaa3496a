// SPDX-License-Identifier: Apache-2.0
#include "items.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "array_file.h"
#include "cli/base/human.h"
#include "formats.h"

namespace xlashape::cli {
namespace {

ElementType type_of_width(int64_t bytes) {
  constexpr std::pair<int64_t, ElementType> kTypes[] = {{1, ElementType::kU8},
                                                        {2, ElementType::kU16},
                                                        {4, ElementType::kU32},
                                                        {8, ElementType::kU64},
                                                        {16, ElementType::kC128}};
  for (const auto& [width, type] : kTypes)
    if (width == bytes) return type;
  return ElementType::kInvalid;
}

// The same layout with one more dimension, the last and the most minor.
Layout with_bytes_inside(const Layout& layout) {
  LayoutSpec spec;
  spec.minor_to_major = layout.minor_to_major();
  spec.minor_to_major.insert(spec.minor_to_major.begin(), layout.rank());
  return Layout::create(spec);
}

}  // namespace

Shape shape_of_items(const Integers& dimensions, const Layout& layout, Items* items) {
  const ElementType type = type_of_width(items->bytes);
  items->widened = type == ElementType::kInvalid;
  if (!items->widened) return Shape::array(type, dimensions, layout);
  Integers more = dimensions;
  more.push_back(items->bytes);
  return Shape::array(ElementType::kU8, more, with_bytes_inside(layout));
}

std::string note_of(const Items& items, const Shape& shape) {
  std::string note = fmt::format("{} is no type of XLA's: moved as {}", items.descr.substr(0, 60),
                                 shape.to_string(XLASHAPE_PRINT_WITHOUT_LAYOUT));
  // As ml_dtypes writes its types.
  if (items.descr.starts_with("'|V") || items.descr.starts_with("'<V"))
    note += items.bytes == 1   ? " (--dtype says what else it is, like f8e4m3fn or s4)"
            : items.bytes == 2 ? " (--dtype says what else it is, like bf16)"
                               : "";
  return note;
}

std::optional<std::string> npy_header_of(const Items& items, const Shape& shape) {
  if (!is_dense(shape)) return std::nullopt;
  const std::optional<std::string> descr = items.descr.empty() ? npy_descr(shape.element_type()) : items.descr;
  if (!descr) return std::nullopt;
  Integers dimensions = shape.dimensions();
  Integers order = order_of(shape);
  if (items.widened) {
    if (order.front() != shape.rank() - 1) return std::nullopt;
    order.erase(order.begin());
    dimensions.pop_back();
  }
  const bool rows = std::is_sorted(order.rbegin(), order.rend());
  if (!rows && !std::is_sorted(order.begin(), order.end())) return std::nullopt;
  return make_npy_header(*descr, dimensions, !rows, items.utf8);
}

}  // namespace xlashape::cli
