/* SPDX-License-Identifier: Apache-2.0 */
// Elements of .npy files that XLA has no type for, such as dates, strings and records: only their width matters, and
// they are called again what they were.
#pragma once
#include <optional>
#include <string>

#include "cli/base/array.h"

namespace xlashape::cli {

struct Items {
  std::string descr;     // as the header of a .npy file has it, with quotes; empty: elements of a type of XLA's
  int64_t bytes = 0;     // of each
  bool widened = false;  // moved as bytes, of which each item is a row in one more dimension, the most minor one
  bool utf8 = false;     // what descr is; else Latin-1
};

// The array of as many bytes with those dimensions, in that order; sets `widened`.
Shape shape_of_items(const Integers& dimensions, const Layout& layout, Items* items);
// What a person is told of it, behind a path.
std::string note_of(const Items& items, const Shape& shape);

// The header of a .npy file with such an array; none where the format has no such type or order. `items` may have no
// descr: then it is that of the shape's type.
std::optional<std::string> npy_header_of(const Items& items, const Shape& shape);

}  // namespace xlashape::cli
