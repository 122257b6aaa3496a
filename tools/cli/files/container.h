/* SPDX-License-Identifier: Apache-2.0 */
// Files that hold arrays by name and are written here.
#pragma once
#include <string>

#include "array_file.h"

namespace xlashape::cli {

// OUT as a person gives it: a file, FILE.safetensors or FILE.safetensors:NAME.
struct Place {
  std::string file, name;
  std::string kind;  // "safetensors"; empty for a file that holds one array
};
Place place_of(const std::string& out);
// Throws where the array would have no name, or one that the file cannot hold.
void require_member(const Place& place, const Shape& shape);

// `text` is `row`, `col` or a layout's text: row-major is what the file at `out` would call it, where that is packed.
Layout layout_to(const std::string& text, const Array& array, const std::string& out);

Written write_member(const Place& place, const Shape& shape, Bytes bytes);

}  // namespace xlashape::cli
