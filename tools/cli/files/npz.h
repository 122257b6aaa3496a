/* SPDX-License-Identifier: Apache-2.0 */
// .npz: zip archives of .npy files, stored or deflated.
#pragma once
#include <string>
#include <vector>

#include "file_parts.h"

namespace xlashape::cli {

inline constexpr int64_t kZipEnd = 22;  // bytes of the smallest archive: the end of its directory
bool is_zip(Bytes bytes);

struct ZipMember {
  std::string name;
  int64_t flags = 0, method = 0, crc = 0, packed = 0, unpacked = 0, header = 0;
};

std::vector<ZipMember> zip_members(const FileParts& file);
// The .npy file of that name, with or without ".npy". An empty name means the only member.
const ZipMember& zip_member_named(const std::vector<ZipMember>& members, const std::string& name,
                                  const std::string& path);
Buffer read_zip_member(const FileParts& file, const ZipMember& member);
// Its first bytes, at most so many, without a look at the rest.
Buffer read_zip_start(const FileParts& file, const ZipMember& member, int64_t most);

// As NumPy calls the array in it: without ".npy".
std::string npz_name(const std::string& name);

// Writes an archive of members that are stored as they are.
class ZipWriter {
 public:
  explicit ZipWriter(const Pieces::Sink& sink) : sink_(sink) {}

  // A name that is not ASCII is UTF-8 if `utf8` says so.
  void add(const std::string& name, bool utf8, Bytes first, Bytes second);
  void finish();

 private:
  void write(const std::string& text);

  const Pieces::Sink& sink_;
  int64_t at_ = 0, count_ = 0;
  std::string directory_;
};

}  // namespace xlashape::cli
