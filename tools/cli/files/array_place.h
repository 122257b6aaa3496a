/* SPDX-License-Identifier: Apache-2.0 */
// Where an array's bytes are in a file, for arrays that are read in parts.
#pragma once
#include <string>

#include "array_file.h"
#include "file_parts.h"

namespace xlashape::cli {

class ArrayPlace {
 public:
  // As read_array, of .npy, raw bytes and members of .safetensors. Throws for what must be read whole.
  ArrayPlace(const std::string& path, const Reading& reading);

  // Without its bytes.
  const Array& array() const { return array_; }
  // Bytes of the array, from byte `at` of it on, in this machine's byte order. Any thread may call it.
  void read_to(int64_t at, std::span<uint8_t> out) const;
  // Throws where the file was written in the meantime.
  void require_unchanged() const;

 private:
  void find_member(const std::string& file, const std::string& name, const std::string& path, const Reading& reading);
  void find_raw(const std::string& path, const Reading& reading);
  void open(const std::string& path);

  Array array_;
  std::optional<FileParts> file_;
  FileStamp stamp_;
  int64_t offset_ = 0;
  int64_t swap_bytes_ = 0;  // the width of what has the other byte order; 0: nothing
};

}  // namespace xlashape::cli
