// SPDX-License-Identifier: Apache-2.0
#include "file_parts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"

namespace xlashape::cli {
namespace {

std::unique_ptr<Descriptor> open_to_read(const std::string& path, struct stat* info) {
  auto file = std::make_unique<Descriptor>(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file->number() < 0) fail_file(path, "open");
  if (fstat(file->number(), info) != 0) fail_file(path, "look at");
  if (S_ISDIR(info->st_mode)) fail_data("{}: is a folder", path);
  return file;
}

// Up to `size` bytes of a stream; fewer where it ends.
int64_t take(int number, const std::string& path, uint8_t* out, int64_t size) {
  int64_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(number, out + done, static_cast<size_t>(std::min<int64_t>(size - done, 1 << 30)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file(path, "read");
    if (got == 0) break;
    done += got;
  }
  return done;
}

void read_there(int number, const std::string& path, int64_t at, std::span<uint8_t> out) {
  const auto size = static_cast<int64_t>(out.size());
  for (int64_t done = 0; done < size;) {
    const ssize_t got =
        pread(number, out.data() + done, static_cast<size_t>(std::min<int64_t>(size - done, 1 << 30)), at + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_file(path, "read");
    if (got == 0) fail_data("{}: became shorter while it was read", path);
    done += got;
  }
}

}  // namespace

FileParts::FileParts(const std::string& path, const LimitOf& limit_of) : path_(path) {
  struct stat info = {};
  file_ = open_to_read(path, &info);
  size_ = info.st_size;
  if (S_ISREG(info.st_mode)) return;
  file_.reset();
  all_ = read_file(path, limit_of);
  size_ = all_.size();
}

void FileParts::require(int64_t at, int64_t size) const {
  if (at < 0 || size < 0 || at > size_ || size > size_ - at)
    fail_data("{}: {} from byte {} on are needed, the file has {}", path_, counted(size, "byte"), at,
              counted(size_, "byte"));
}

void FileParts::read_to(int64_t at, std::span<uint8_t> out) const {
  require(at, static_cast<int64_t>(out.size()));
  if (file_)
    read_there(file_->number(), path_, at, out);
  else if (!out.empty())
    std::memcpy(out.data(), all_.data() + at, out.size());
}

Buffer FileParts::read(int64_t at, int64_t size) const {
  require(at, size);
  Buffer buffer(size);
  read_to(at, buffer.writable());
  return buffer;
}

namespace {

[[noreturn]] void fail_at_end(const std::string& path, int64_t at, int64_t size, const std::string& what,
                              int64_t there) {
  fail_data("{}: from byte {} on {} has {}, and so ends at byte {}: the file has {}", path, at, what,
            counted(size, "byte"), sum(at, size), counted(there, "byte"));
}

[[noreturn]] void fail_behind(const std::string& path, int64_t at, int64_t size, const std::string& what) {
  fail_data("{}: goes on after byte {}, where {} ends: give --bytes {} if what follows is not the array's", path,
            sum(at, size), what, size);
}

}  // namespace

void require_part(const std::string& path, int64_t file_size, int64_t at, int64_t size, bool more_follows,
                  const std::string& what) {
  if (file_size < sum(at, size)) fail_at_end(path, at, size, what, file_size);
  if (file_size > sum(at, size) && !more_follows) fail_behind(path, at, size, what);
}

Buffer read_part(const std::string& path, int64_t at, int64_t size, bool more_follows, const std::string& what) {
  struct stat info = {};
  const std::unique_ptr<Descriptor> file = open_to_read(path, &info);
  if (S_ISREG(info.st_mode)) {
    require_part(path, info.st_size, at, size, more_follows, what);
    Buffer buffer(size);
    read_there(file->number(), path, at, buffer.writable());
    return buffer;
  }
  std::vector<uint8_t> skipped(static_cast<size_t>(std::min<int64_t>(at, 1 << 20)));
  for (int64_t done = 0; done < at;) {
    const int64_t piece = std::min(at - done, static_cast<int64_t>(skipped.size()));
    const int64_t got = take(file->number(), path, skipped.data(), piece);
    done += got;
    if (got < piece) fail_at_end(path, at, size, what, done);
  }
  require_memory(size, path);
  Buffer buffer(size);
  if (const int64_t got = take(file->number(), path, buffer.data(), size); got < size)
    fail_at_end(path, at, size, what, at + got);
  uint8_t more = 0;
  if (!more_follows && take(file->number(), path, &more, 1) > 0) fail_behind(path, at, size, what);
  return buffer;
}

}  // namespace xlashape::cli
