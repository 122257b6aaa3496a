/* SPDX-License-Identifier: Apache-2.0 */
// The kinds of files that arrays are read from: NumPy's .npy and .npz, and PNG; safetensors.h has another.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "array_file.h"
#include "file_parts.h"

namespace xlashape::cli {

// .npy: versions 1 to 3, either byte order, C and Fortran order; no pickles.

// The header of a file. The data follows at `data_offset`.
struct NpyHeader {
  ElementType type = ElementType::kInvalid;  // kInvalid: a type that XLA has not, or bytes without a meaning
  int64_t item_bytes = 0;
  int64_t swap_bytes = 0;  // width of the units to be byte-swapped; 0: none
  bool fortran_order = false;
  Integers dimensions;
  int64_t data_offset = 0;
  int64_t data_bytes = 0;
  std::string descr;         // the type as another header would have it, with quotes, in this machine's byte order
  bool utf8 = false;         // what the header is; else Latin-1
  bool other_order = false;  // records with the other byte order than this machine's, which stay as they are
};

inline constexpr int64_t kLongestNpyHeader = int64_t{1} << 20;
inline constexpr int64_t kUsualNpyHeader = int64_t{1} << 12;

bool is_npy(Bytes bytes);
// `start` holds the beginning of the file, up to 1 MiB. `path` begins messages.
NpyHeader parse_npy_header(Bytes start, const std::string& path);
// The same of a file of which only as much is read: `read` gives the first bytes, at most so many.
NpyHeader read_npy_header(const std::function<Buffer(int64_t most)>& read, const std::string& path);
NpyHeader read_npy_header(const FileParts& file);
// A type's descr, with quotes; none where NumPy has no name for the type.
std::optional<std::string> npy_descr(ElementType type);
// The header as NumPy writes it; none of more dimensions than it takes.
std::optional<std::string> make_npy_header(const std::string& descr, const Integers& dimensions, bool fortran_order,
                                           bool utf8 = false);

// The data in the machine's byte order.
void swap_bytes(std::span<uint8_t> bytes, int64_t width);

// Of a file with members, .npz or another, where none has that name, or more than one and none is named.
[[noreturn]] void fail_for_member(const std::string& path, const std::string& name,
                                  const std::vector<std::string>& names);

// PNG: rows of pixels of one to four channels of 8 or 16 bits. Colours are never converted, except that palettes and
// fewer than 8 bits are expanded.
struct Image {
  int64_t height = 0, width = 0, channels = 0;
  int64_t bits = 8;  // 16: in the machine's byte order
  Buffer bytes;
};

bool is_png(Bytes bytes);
Image read_png(Bytes file, const std::string& path);
// A whole file; `path` is for messages.
std::vector<uint8_t> make_png(int64_t height, int64_t width, int64_t channels, int64_t bits, Bytes pixels,
                              const std::string& path);

}  // namespace xlashape::cli
