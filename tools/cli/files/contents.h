/* SPDX-License-Identifier: Apache-2.0 */
// What files say of their arrays, without their bytes: only headers are read.
#pragma once
#include <string>
#include <vector>

#include "cli/base/array.h"
#include "items.h"

namespace xlashape::cli {

struct Content {
  std::string name;  // of a member; "": the array of a file that has one
  Shape shape;       // with the layout of the bytes; none where nobody knows what they are, and `why`
  std::string why;
  Items items;
  int64_t bytes = 0;
};

struct Contents {
  std::string path;
  std::string kind;  // "npy", "npz", "safetensors" or "raw", which a sidecar describes
  bool all = false;  // of a file with members, which may be none; else there is one array
  std::vector<Content> arrays;
};

// Whether a text names a file of arrays, or a member of one, by how it ends.
bool names_contents(const std::string& text);

// Of FILE or FILE:NAME. Throws where the file is none that says what it has.
Contents contents_of(const std::string& path);

}  // namespace xlashape::cli
