// SPDX-License-Identifier: Apache-2.0
#include "destination.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <optional>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/output/output.h"
#include "new_file.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kLarge = int64_t{1} << 30, kMuchLarger = 16;

// What the file system of a new file beside `path` has left for this user; none where it does not say.
std::optional<int64_t> room_beside(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  struct statvfs info = {};
  if (statvfs(slash == std::string::npos ? "./" : path.substr(0, slash + 1).c_str(), &info) != 0) return std::nullopt;
  if (info.f_blocks == 0) return std::nullopt;
  return product(static_cast<int64_t>(info.f_bavail), static_cast<int64_t>(info.f_frsize));
}

}  // namespace

void require_destination(const std::string& path, int64_t bytes, int64_t read) {
  if (is_stream(path)) return;
  const std::string file = without_link(path);
  require_writable(file);
  // A file that is replaced stays until the new one is complete, so what it takes is no room.
  if (const std::optional<int64_t> room = room_beside(file); room && *room < bytes)
    fail_data("{}: the result has {} ({}), its disk has {} left: give another layout, or a place with more room", path,
              counted(bytes, "byte"), human_size(bytes), grouped(*room));
  if (bytes > kLarge && bytes / kMuchLarger > read)
    warn("xlashape: {}: {} will be written, {} times the {} that are read\n", path, human_size(bytes),
         grouped(bytes / std::max<int64_t>(read, 1)), human_size(read));
}

}  // namespace xlashape::cli
