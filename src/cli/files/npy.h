// NumPy's .npy files: versions 1 to 3, either byte order, C and Fortran order; no pickles, no structured types.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "array_file.h"

namespace xlashape::cli {

// What the first bytes of a file say. The data follows at `data_offset`.
struct NpyHeader {
  ElementType type =
      ElementType::kInvalid;  // kInvalid: a void type of `item_bytes`, somebody else has to say what it is
  int64_t item_bytes = 0;
  int64_t swap_bytes = 0;  // width of what is to be byte-swapped; 0: nothing is
  bool fortran_order = false;
  Integers dimensions;
  int64_t data_offset = 0;
  int64_t data_bytes = 0;
  std::string dtype;
};

inline constexpr int64_t kLongestNpyHeader = int64_t{1} << 20;

bool is_npy(Bytes bytes);
// `start` holds the beginning of the file, all of it unless longer than 1 MiB. `path` opens messages.
NpyHeader parse_npy_header(Bytes start, const std::string& path);
// The header that NumPy writes; none where it has no name for the type.
std::optional<std::string> make_npy_header(ElementType type, const Integers& dimensions, bool fortran_order);

// The data in the machine's byte order.
void swap_bytes(std::span<uint8_t> bytes, int64_t width);

}  // namespace xlashape::cli
