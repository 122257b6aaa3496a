// Members of .npz files: zip archives of .npy files, stored or deflated.
#pragma once
#include <string>

#include "file.h"

namespace xlashape::cli {

inline constexpr int64_t kZipEnd = 22;  // bytes of the smallest archive: the end of its directory
bool is_zip(Bytes bytes);
// The .npy file named `member` in the archive, with or without ".npy". An empty name means the only member.
Buffer read_npz_member(Bytes archive, const std::string& member, const std::string& path);

}  // namespace xlashape::cli
