// SPDX-License-Identifier: Apache-2.0
#include "raw.h"

#include <utility>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "formats.h"
#include "npz.h"

namespace xlashape::cli {

Raw raw_of(const NpyHeader& header, int64_t file_bytes, const std::string& path) {
  const int64_t there = file_bytes - header.data_offset;
  if (there != header.data_bytes)
    fail_data("{}: its header promises {} of data, the file has {}", path, counted(header.data_bytes, "byte"),
              counted(there, "byte"));
  Raw raw;
  raw.size = there;
  raw.type = header.type;
  raw.item_bytes = header.item_bytes;
  if (raw.type == ElementType::kInvalid) raw.items = {header.descr, header.item_bytes, false, header.utf8};
  if (header.other_order)
    raw.why = "its records have the other byte order than this machine: NumPy can write them in this one's";
  raw.dimensions = header.dimensions;
  const auto rank = static_cast<int64_t>(header.dimensions.size());
  raw.layout = header.fortran_order ? Layout::column_major(rank) : Layout::row_major(rank);
  return raw;
}

Raw from_npy(Buffer file, const std::string& path) {
  const NpyHeader header = parse_npy_header(file.bytes(), path);
  Raw raw = raw_of(header, file.size(), path);
  raw.bytes = std::move(file);
  raw.bytes.keep(header.data_offset, raw.size);
  if (header.swap_bytes > 1) swap_bytes(raw.bytes.writable(), header.swap_bytes);
  return raw;
}

int64_t more_to_tell(Bytes start) {
  if (start.empty()) return 1;
  const bool maybe = start[0] == 0x93 || start[0] == 0x89 || start[0] == 'P';
  return maybe && start.size() < kZipEnd ? kZipEnd : 0;
}

}  // namespace xlashape::cli
