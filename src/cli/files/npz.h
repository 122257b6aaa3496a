// Members of .npz files: zip archives of .npy files, stored or deflated.
#pragma once
#include <string>

#include "file.h"

namespace xlashape::cli {

inline constexpr int64_t kZipEnd = 22;  // bytes of the least archive: the end of its directory
bool is_zip(Bytes bytes);
// The .npy file that is called `member` in the archive, with or without its ".npy". An empty name takes the only one.
Buffer read_npz_member(Bytes archive, const std::string& member, const std::string& path);

}  // namespace xlashape::cli
