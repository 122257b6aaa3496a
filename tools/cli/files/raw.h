/* SPDX-License-Identifier: Apache-2.0 */
// Bytes of an array, and what their file says of them.
#pragma once
#include <string>

#include "cli/base/array.h"
#include "file.h"
#include "items.h"

namespace xlashape::cli {

struct NpyHeader;

struct Raw {
  Buffer bytes;
  int64_t size = 0;                          // of them, where they are not read
  std::string member;                        // its name in a file that has several
  ElementType type = ElementType::kInvalid;  // kInvalid: not known
  int64_t item_bytes = 0;
  Items items;      // of a .npy file without a type
  std::string why;  // there is no type, or no meaning in the bytes, for messages
  Integers dimensions;
  Layout layout;
  Shape shape;              // from a sidecar or another description, which says everything
  bool high_first = false;  // elements start in the highest bits of each byte
};

// Without the bytes. Throws where the file at `path` has not `file_bytes`, the header's and those that it promises.
Raw raw_of(const NpyHeader& header, int64_t file_bytes, const std::string& path);
// A whole .npy file.
Raw from_npy(Buffer file, const std::string& path);
// The number of bytes needed to detect a file's format, where these are not enough; else 0.
int64_t more_to_tell(Bytes start);

}  // namespace xlashape::cli
