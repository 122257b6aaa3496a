// Memory to measure in, and the copies that everything is measured against.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

// Touched, 2 MiB-aligned, in pages of 4 KiB. Anonymous, or of a file that another process can map too.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t bytes, bool shared = false);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();
  char* data() const { return data_; }
  int64_t size() const { return size_; }
  int file() const { return file_; }  // -1: anonymous

 private:
  void* map_ = nullptr;
  size_t map_size_ = 0;
  char* data_ = nullptr;
  int64_t size_ = 0;
  int file_ = -1;
};

void fill_random(char* data, int64_t bytes, uint64_t seed);

// A copy whose stores go past the caches, with the widest vectors that the machine has.
void streaming_copy(char* dst, const char* src, size_t bytes);

}  // namespace bench
