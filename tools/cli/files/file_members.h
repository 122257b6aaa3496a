/* SPDX-License-Identifier: Apache-2.0 */
// The arrays of a file that has several by name: .safetensors and .npz. Each is read alone.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "container.h"
#include "file_parts.h"
#include "npz.h"
#include "raw.h"
#include "safetensors.h"

namespace xlashape::cli {

class FileMembers {
 public:
  // A file which is called .safetensors is one, any other must be a zip archive.
  explicit FileMembers(const std::string& path);
  // The bytes of an archive that is read already.
  FileMembers(const std::string& path, Buffer bytes);

  const std::string& path() const { return file_.path(); }
  int64_t size() const { return file_.size(); }      // of the file
  const std::string& kind() const { return kind_; }  // as of Place
  const std::vector<std::string>& names() const { return names_; }
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }

  Raw describe(size_t number) const;  // without the bytes
  Raw read(size_t number) const;
  // An empty name means the only member.
  size_t number_of(const std::string& name) const;
  Raw read_named(const std::string& name) const { return read(number_of(name)); }
  // Where the bytes of a member are in the file. Throws for an archive's, which may be compressed.
  int64_t place_of(size_t number) const;
  const FileParts& file() const { return file_; }
  // The member as it is, for a file of the same kind.
  OutMember as_it_is(size_t number) const;

 private:
  void list();
  std::string path_of(size_t number) const { return path() + ":" + names_[number]; }

  FileParts file_;
  std::string kind_;
  Safetensors header_;
  std::vector<ZipMember> zip_;
  std::vector<std::string> names_;
};

// The file of `FILE:member`, and the member; an empty file where that is not what the path says.
std::pair<std::string, std::string> file_and_member(const std::string& path);

// Whether FileMembers can be made of the file, by its name.
bool has_members(const std::string& path);

// Throws where there is a file at `place` that is none of its kind.
void require_members(const Place& place);
// Writes an array into the file at `place` under its name. The other members that are there stay.
Written write_member(const Place& place, const Shape& shape, const Pieces& pieces, const Items& items);

}  // namespace xlashape::cli
