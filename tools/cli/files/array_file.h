/* SPDX-License-Identifier: Apache-2.0 */
// An array in memory with its shape, and the kinds of files from which it is read and to which it is written.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "cli/base/array.h"
#include "cli/base/subcommands.h"
#include "file.h"
#include "items.h"
#include "raw.h"

namespace xlashape::cli {

struct Array {
  Shape shape;  // with the layout that the bytes have
  Buffer bytes;
  int64_t before = 0;       // in the file, before those: the offset of a memref
  std::string member;       // its name in a file that has several
  Items items;              // what its elements are, where they are moved by their width alone
  bool high_first = false;  // its elements start in the highest bits of each byte, as its sidecar says
};

// .npy, `file.npz:member`, `file.safetensors:member`, .png, raw bytes beside a sidecar, a sidecar, or raw bytes with
// Reading::shape.
Array read_array(const std::string& path, const Reading& reading);

// The array that `size` bytes are, of which the file says what `raw` has; without them.
Array array_of(const Raw& raw, int64_t size, const std::string& path, const Reading& reading);
// That of --offset and --bytes, without a look at what the file may be; `at` becomes where it begins there.
Array described_behind(const std::string& path, const Reading& reading, int64_t* at);
// Throws where --dtype and --shape are both given.
void require_one_type(const std::string& path, const Reading& reading);

// The same without the bytes, of what a file says.
Array describe_array(const Raw& raw, const std::string& path, const Reading& reading);

struct Written {
  std::string kind;     // "npy", "npz", "safetensors", "png" or "raw"
  std::string sidecar;  // its path, or ""
  std::string note;     // a remark for people
  int64_t bytes;        // of the file, with headers and compressed
};

// OUT with the name that the array has in it: that of IN, where OUT says none and needs one.
std::string named_out(const std::string& out, const Array& array);

// Throws where write_array could not write what the name promises. `source` and `reading`: what is moved.
void require_promise(const std::string& path, const Shape& shape, const Array& source, const Reading& reading);

// Writes .npy, .npz, .safetensors or .png where the name asks for it, else raw bytes and a sidecar.
// `high_first`: elements start in the highest bits of each byte, which only a sidecar can say.
// The array's bytes are there in one part, or are placed, which no PNG can have.
Written write_array(const std::string& path, const Shape& shape, const Pieces& array, const Items& items,
                    bool high_first);

// Writes bytes that describe themselves, and removes the sidecar of a replaced file.
void write_plain(const std::string& path, const Pieces& pieces);

// True for a layout that stores each element right after the last, in whole bytes of the type's own width.
bool is_dense(const Shape& shape);

}  // namespace xlashape::cli
