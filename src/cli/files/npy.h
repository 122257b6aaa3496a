// NumPy's .npy files: versions 1 to 3, either byte order, C and Fortran order; no pickles.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "array_file.h"

namespace xlashape::cli {

// The header of a file. The data follows at `data_offset`.
struct NpyHeader {
  ElementType type = ElementType::kInvalid;  // kInvalid: a type that XLA has not, or bytes without a meaning
  int64_t item_bytes = 0;                    // 0: of records, whose width is not known here
  int64_t swap_bytes = 0;                    // width of the units to be byte-swapped; 0: none
  bool fortran_order = false;
  Integers dimensions;
  int64_t data_offset = 0;
  int64_t data_bytes = 0;  // -1: of records
  std::string dtype;
};

inline constexpr int64_t kLongestNpyHeader = int64_t{1} << 20;

bool is_npy(Bytes bytes);
// `start` holds the beginning of the file, up to 1 MiB. `path` begins messages.
NpyHeader parse_npy_header(Bytes start, const std::string& path);
// The header as NumPy writes it; none where NumPy has no name for the type.
std::optional<std::string> make_npy_header(ElementType type, const Integers& dimensions, bool fortran_order);

// The data in the machine's byte order.
void swap_bytes(std::span<uint8_t> bytes, int64_t width);

}  // namespace xlashape::cli
