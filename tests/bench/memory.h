/* SPDX-License-Identifier: Apache-2.0 */
// Memory to measure in.
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

// Random bytes that are normal numbers as floats of any type, no NaN, infinity or denormal: a peer may multiply by one.
void fill_normal(char* data, int64_t bytes, uint64_t seed);

}  // namespace bench
