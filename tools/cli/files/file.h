/* SPDX-License-Identifier: Apache-2.0 */
// Memory and files: buffers that report when they do not fit, and reading of whole files.
#pragma once
#include <sys/types.h>
#include <unistd.h>

#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>

namespace xlashape::cli {

using Bytes = std::span<const uint8_t>;

// The bytes of a file that is written: some that are there, some that are made piece by piece while it is, or some that
// are made in an order of their own.
class Pieces {
 public:
  using Sink = std::function<void(Bytes)>;
  using SinkAt = std::function<void(int64_t at, Bytes)>;  // any thread may call it

  Pieces() = default;
  Pieces(std::span<const Bytes> parts) : parts_(parts) {}
  Pieces(const Bytes* parts, size_t count) : parts_(parts, count) {}
  template <size_t kCount>
  Pieces(const Bytes (&parts)[kCount]) : parts_(parts) {}
  explicit Pieces(std::function<void(const Sink&)> make) : make_(std::move(make)) {}
  // `size` bytes, of which `place` writes each once, in any order. Those that it leaves out are 0.
  Pieces(int64_t size, std::function<void(const SinkAt&)> place) : placed_size_(size), place_(std::move(place)) {}

  // All of them, which are there in one part.
  Bytes only() const { return parts_.size() == 1 ? parts_[0] : Bytes(); }
  bool are_placed() const { return place_ != nullptr; }
  int64_t placed_size() const { return placed_size_; }
  void place(const SinkAt& sink) const { place_(sink); }
  // Once alone, if they are made; not for those that are placed.
  void each(const Sink& sink) const {
    for (const Bytes part : parts_) sink(part);
    if (make_) make_(sink);
  }
  // The same behind others, which must outlive them, as these must.
  Pieces behind(Bytes first) const {
    if (!are_placed())
      return Pieces([this, first](const Sink& sink) {
        sink(first);
        each(sink);
      });
    const auto begin = static_cast<int64_t>(first.size());
    return {begin + placed_size_, [this, first, begin](const SinkAt& sink) {
              sink(0, first);
              place_([&](int64_t at, Bytes bytes) { sink(begin + at, bytes); });
            }};
  }

 private:
  std::span<const Bytes> parts_;
  std::function<void(const Sink&)> make_;
  int64_t placed_size_ = 0;
  std::function<void(const SinkAt&)> place_;
};

// Zeroed memory, aligned to 4096 bytes. A size that this machine cannot hold is a Failure, without an attempt.
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

// Throws the error of errno.
[[noreturn]] void fail_file(const std::string& path, const char* doing);

// How many bytes are read from a pipe or a device, which may have no end, and why not more, as the end of a message.
struct StreamLimit {
  int64_t bytes = int64_t{1} << 30;
  std::string reason = "no more is read of a pipe or a device: put it into a file";
};
// The limit for a stream that begins with `start`; called again as more is read. Throws where the stream cannot be
// valid.
using LimitOf = std::function<StreamLimit(Bytes start)>;

Buffer read_file(
    const std::string& path, const LimitOf& limit_of = [](Bytes) { return StreamLimit(); });
// For a path from a file, not from a person: a link, a pipe or a device is refused, without waiting for it.
Buffer read_regular_file(const std::string& path);
// For a file that is to be replaced: a pipe or a device is refused, and a file of more than `most` bytes.
Buffer read_small_file(const std::string& path, int64_t most);
bool file_exists(const std::string& path);
bool is_regular_file(const std::string& path);
bool is_same_file(const std::string& a, const std::string& b);  // an existing file, perhaps by two names
// The target of a link; `path` itself where it is not a link.
std::string without_link(const std::string& path);

// Two values for a path are equal if the file was neither replaced nor written in between.
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

bool ends_with(const std::string& text, const std::string& end);  // ignores ASCII case

// The format that the file's name promises: "npy" of "a.NPY"; empty where the name promises none.
std::string promised_format(const std::string& path);

}  // namespace xlashape::cli
