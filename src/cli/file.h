// Memory and files: buffers that say when they do not fit, whole files in, files out that appear complete or not at
// all.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

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

Buffer read_file(const std::string& path);
bool file_exists(const std::string& path);
// Under a temporary name beside `path`, renamed when complete.
void write_file(const std::string& path, std::span<const Bytes> parts);
void write_file(const std::string& path, Bytes bytes);
void remove_file(const std::string& path);

bool ends_with(const std::string& text, const std::string& end);  // ASCII case left out

}  // namespace xlashape::cli
