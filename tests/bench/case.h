/* SPDX-License-Identifier: Apache-2.0 */
// A relayout case: two shapes, and how many bytes the relayout reads and writes. Read from a JSON file, an array of
// {name, class, src, dst, [src_padded_dimensions], [dst_padded_dimensions], [padding_value]}.
#pragma once
#include <string>
#include <vector>

#include "library.h"

namespace bench {

struct Case {
  std::string name, group;  // group: the file's "class"
  std::string source;       // the file's name, or "random"
  Shape src, dst;
  int64_t src_bytes, dst_bytes;  // of the storage
  int64_t bytes;                 // logical bytes read + bytes written, padding that is filled counted
  int32_t src_bits, dst_bits;    // one element in storage
  bool padded;                   // some destination position holds no element
};

// The case of two shapes, whose names are the caller's to fill in.
Case make_case(Shape src, Shape dst);
std::vector<Case> read_cases(const std::vector<std::string>& paths);

}  // namespace bench
