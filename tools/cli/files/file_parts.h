/* SPDX-License-Identifier: Apache-2.0 */
// Files of which only parts are read: an array behind a header, the members of an archive.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "file.h"

namespace xlashape::cli {

class FileParts {
 public:
  // A pipe or a device is read to its end.
  explicit FileParts(
      const std::string& path, const LimitOf& limit_of = [](Bytes) { return StreamLimit(); });
  // The bytes of a file that is read already.
  FileParts(const std::string& path, Buffer bytes) : path_(path), all_(std::move(bytes)), size_(all_.size()) {}

  const std::string& path() const { return path_; }
  int64_t size() const { return size_; }
  // Throws where the file has no such bytes.
  Buffer read(int64_t at, int64_t size) const;
  void read_to(int64_t at, std::span<uint8_t> out) const;

 private:
  void require(int64_t at, int64_t size) const;

  std::string path_;
  std::unique_ptr<Descriptor> file_;  // of an ordinary file
  Buffer all_;                        // of any other
  int64_t size_ = 0;
};

// Throws where an ordinary file, of `file_size` bytes, ends before those, or goes on after them without `more_follows`.
void require_part(const std::string& path, int64_t file_size, int64_t at, int64_t size, bool more_follows,
                  const std::string& what);

// `size` bytes from byte `at` on, also of a pipe or a device. Throws if the file ends before them, or goes on after
// them without `more_follows`. `what` has those bytes, for messages.
Buffer read_part(const std::string& path, int64_t at, int64_t size, bool more_follows, const std::string& what);

}  // namespace xlashape::cli
