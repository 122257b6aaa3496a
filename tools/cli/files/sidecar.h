/* SPDX-License-Identifier: Apache-2.0 */
// The JSON file beside raw bytes that says what they are: {"xlashape": 1, "shape": "...", "bytes": N, "data":
// "out.bin"}, with "high_first": true where elements start in the highest bits of each byte. Data and sidecar are two
// files, which no system replaces in one step. So while they are replaced, the sidecar tells of the old data and of the
// new, and by a checksum which is which: {"xlashape": 1, "data": "out.bin", "crc32": N, "new": {"shape": "...",
// "bytes": N}, "old": {...}}, where new or old is missing if no sidecar describes it.
#pragma once
#include <optional>
#include <string>

#include "file.h"

namespace xlashape::cli {

struct Claim {
  std::string shape;
  int64_t bytes = 0;
  bool high_first = false;  // elements start in the highest bits of each byte
};

struct Sidecar {
  std::string data;  // the name of the data file, in the sidecar's folder
  std::optional<Claim> claim;
  // While both files are replaced: `claim` describes bytes with this checksum, `old` others.
  std::optional<uint32_t> crc32;
  std::optional<Claim> old;
};

std::string sidecar_path(const std::string& data_path);
// None where there is no such file, or it is not a sidecar.
std::optional<Sidecar> read_sidecar(const std::string& path);

// Bytes that a sidecar describes, which are not read.
struct DescribedFile {
  std::string data, sidecar;  // paths
  Claim claim;
};
// By the sidecar at `path` itself, or beside the data there; none where there is no sidecar. Throws where the two were
// left half-way between two arrays, or the data has another size.
std::optional<DescribedFile> find_described(const std::string& path);

struct Described {
  Buffer bytes;
  std::optional<Claim> claim;  // of the sidecar, if one describes these bytes
};
// The data file beside the sidecar at `sidecar`. `from_sidecar`: a sidecar, not a person, named the file: then it must
// be an ordinary file, and not a link.
Described read_described(const std::string& data_path, const std::string& sidecar, bool from_sidecar,
                         const LimitOf& limit_of);

// Replaces the bytes at `path` and their sidecar, which then holds `claim`, or is removed where the bytes describe
// themselves. Both or neither are replaced, whenever it is interrupted.
void write_described(const std::string& path, const Pieces& pieces, const std::optional<Claim>& claim);

}  // namespace xlashape::cli
