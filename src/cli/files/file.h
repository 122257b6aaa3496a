// Memory and files: buffers that say when they do not fit, whole files in.
#pragma once
#include <sys/types.h>
#include <unistd.h>

#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>

#include "cli/base/dimension.h"

namespace xlashape::cli {

using Bytes = std::span<const uint8_t>;

// Zeroed memory, aligned to 4096 bytes. A size that this machine cannot hold is a Failure, not an attempt.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t size);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  uint8_t* data() const { return data_; }
  int64_t size() const { return size_; }
  Bytes bytes() const { return {data_, static_cast<size_t>(size_)}; }
  std::span<uint8_t> writable() const { return {data_, static_cast<size_t>(size_)}; }
  // The bytes from `from` on, `size` of them, and no others.
  void keep(int64_t from, int64_t size);

 private:
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  int64_t mapped_ = 0;
};

// Throws when `bytes` are more than this machine has memory for. `what` opens the message.
void require_memory(int64_t bytes, const std::string& what);

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// Throws what errno says.
[[noreturn]] void fail_file(const std::string& path, const char* doing);

// How much is read of a pipe or a device, which may have no end; and why no more, as the end of a message.
struct StreamLimit {
  int64_t bytes = int64_t{1} << 30;
  std::string reason = "no more is read of a pipe or a device: put it into a file";
};
// Of a stream that begins with `start`; asked again as more of it comes. Throws where nothing good can follow.
using LimitOf = std::function<StreamLimit(Bytes start)>;

Buffer read_file(
    const std::string& path, const LimitOf& limit_of = [](Bytes) { return StreamLimit(); });
// For a path that a file has told and no person: what is a link, a pipe or a device is refused, and not waited for.
Buffer read_regular_file(const std::string& path);
bool file_exists(const std::string& path);
bool is_regular_file(const std::string& path);
bool is_same_file(const std::string& a, const std::string& b);  // that exists, by two names maybe
// What a link leads to; `path` itself where it is none.
std::string without_link(const std::string& path);

// Two of the same path are equal where the file was not replaced or written in between.
struct FileStamp {
  dev_t device = 0;
  ino_t number = 0;
  off_t size = 0;
  time_t seconds = 0;
  long nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::string& path);

// The next line of standard input, without its end; false where there is none.
bool read_line(std::string* line);

bool ends_with(const std::string& text, const std::string& end);  // ASCII case left out

}  // namespace xlashape::cli
