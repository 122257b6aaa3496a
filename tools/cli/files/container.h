/* SPDX-License-Identifier: Apache-2.0 */
// Files that hold arrays by name, as they are written: .safetensors and .npz.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "array_file.h"
#include "layouts.h"
#include "safetensors.h"

namespace xlashape::cli {

// OUT as a person gives it: a file, FILE.safetensors or FILE.safetensors:NAME, or the same of .npz.
struct Place {
  std::string file, name;
  std::string kind;  // "safetensors" or "npz"; empty for a file that holds one array
};
Place place_of(const std::string& out);

// The array as `words` have it, which `option` gives: row-major is what the file at `out` would call it, where that is
// packed.
Arranged arranged_to(const std::string& words, const Array& array, const std::string& out, const char* option);

// An array in such a file.
struct OutMember {
  std::string name;
  int64_t bytes = 0;  // of the array, or of what is copied in its place
  // What is there, and may lie in `keep`.
  std::function<Bytes(Buffer* keep)> make;
  // Or, in its place, writes its bytes in any order, from the member's first byte on.
  std::function<void(const Pieces::SinkAt&)> place;
  int64_t unit = 1;        // width of the parts of `make`'s bytes that are in the machine's byte order
  Tensor tensor;           // .safetensors: its type, dimensions and size
  std::string shape_text;  // and what the metadata says of it
  std::string file_name;   // .npz
  std::string header;      // and what comes before the bytes
  bool utf8 = true;        // the name
};
// All but `make`. Throws where the file cannot hold the array.
OutMember member_of(const Place& place, const std::string& name, const Shape& shape, const Items& items);

// Writes the file with these members and no others; its size.
int64_t write_members(const Place& place, std::vector<OutMember> members, std::map<std::string, std::string> metadata);

void require_name(const Place& place);                        // throws where it has none
void require_tensor(const Place& place, const Shape& shape);  // and where no .safetensors can hold it

}  // namespace xlashape::cli
