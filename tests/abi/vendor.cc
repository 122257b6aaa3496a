// SPDX-License-Identifier: Apache-2.0
// A vendor's library as the bound backend meets them: routines with every way of taking arguments,
// right ones and wrong.
#include <cstdint>
#include <cstring>

#define VENDOR extern "C" __attribute__((visibility("default")))

// Right: each role once.
VENDOR int32_t vendor_copy(void* dst, const void* src, uint64_t bytes) {
  std::memcpy(dst, src, bytes);
  return 7;  // "fine" in this vendor's words
}
VENDOR void vendor_copy_2d(const char* src, int64_t src_pitch, char* dst, int64_t dst_pitch, int64_t row,
                           int64_t rows) {
  for (int64_t r = 0; r < rows; ++r) std::memcpy(dst + r * dst_pitch, src + r * src_pitch, static_cast<size_t>(row));
}
// The Fortran way: all by reference; moves integers, so it keeps every bit.
VENDOR void vendor_transpose_(const int32_t* rows, const int32_t* columns, const float* alpha, const uint32_t* src,
                              const int32_t* src_pitch, uint32_t* dst, const int32_t* dst_pitch) {
  if (*alpha != 1.0f) return;
  for (int64_t r = 0; r < *rows; ++r)
    for (int64_t c = 0; c < *columns; ++c) dst[c * *dst_pitch + r] = src[r * *src_pitch + c];
}

// Wrong.
VENDOR int32_t vendor_fails(void*, const void*, uint64_t) { return -3; }
VENDOR int32_t vendor_forgets_the_last_byte(void* dst, const void* src, uint64_t bytes) {
  std::memcpy(dst, src, bytes - 1);
  return 7;
}
VENDOR int32_t vendor_writes_one_more(void* dst, const void* src, uint64_t bytes) {
  std::memcpy(dst, src, bytes);
  static_cast<char*>(dst)[bytes] = 1;
  return 7;
}
VENDOR int32_t vendor_writes_its_source(void* dst, void* src, uint64_t bytes) {
  std::memcpy(dst, src, bytes);
  static_cast<char*>(src)[0] ^= 1;
  return 7;
}
// Arithmetic: signalling NaNs become quiet ones.
VENDOR void vendor_multiplies(int32_t rows, int32_t columns, float alpha, const float* src, int32_t src_pitch,
                              float* dst, int32_t dst_pitch) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      volatile float product = alpha * src[r * src_pitch + c];
      dst[c * dst_pitch + r] = product;
    }
}
// Keeps NaNs and flushes denormals to zero.
VENDOR void vendor_flushes(int32_t rows, int32_t columns, const uint32_t* src, int32_t src_pitch, uint32_t* dst,
                           int32_t dst_pitch) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      const uint32_t bits = src[r * src_pitch + c];
      dst[c * dst_pitch + r] = (bits & 0x7F800000) == 0 ? bits & 0x80000000 : bits;
    }
}
