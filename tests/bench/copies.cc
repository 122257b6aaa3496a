// SPDX-License-Identifier: Apache-2.0
#include "copies.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bench {
namespace {

constexpr size_t kLine = 64, kPage = 4096, kPages = 4;

void* plain(void* dst, const void* src, size_t bytes) { return std::memcpy(dst, src, bytes); }
// Not known at compile time, so that what is measured is libc's.
void* (*volatile libc_copy)(void*, const void*, size_t) = plain;

void copy_by_libc(char* dst, const char* src, size_t bytes) { libc_copy(dst, src, bytes); }

// kBody copies multiples of kStep bytes to the beginning of a line; memcpy copies the ends.
template <size_t kStep, void (*kBody)(char*, const char*, size_t)>
void by_lines(char* dst, const char* src, size_t bytes) {
  const size_t head = -reinterpret_cast<uintptr_t>(dst) & (kLine - 1);
  if (bytes < head + kStep) {
    std::memcpy(dst, src, bytes);
    return;
  }
  const size_t body = (bytes - head) / kStep * kStep, end = head + body;
  std::memcpy(dst, src, head);
  kBody(dst + head, src + head, body);
  std::memcpy(dst + end, src + end, bytes - end);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void stream_64(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 256) {
    const __m512i a = _mm512_loadu_si512(src + i), b = _mm512_loadu_si512(src + i + 64),
                  c = _mm512_loadu_si512(src + i + 128), d = _mm512_loadu_si512(src + i + 192);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + i), a);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + i + 64), b);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + i + 128), c);
    _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + i + 192), d);
  }
  _mm_sfence();
}

__attribute__((target("avx"), always_inline)) inline __m256i load(const char* at) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

__attribute__((target("avx"), always_inline)) inline void stream_line(char* dst, const char* src) {
  const __m256i a = load(src), b = load(src + 32);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(dst), a);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(dst + 32), b);
}

__attribute__((target("avx"))) void stream_32(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 2 * kLine) {
    stream_line(dst + i, src + i);
    stream_line(dst + i + kLine, src + i + kLine);
  }
  _mm_sfence();
}

__attribute__((target("avx"))) void stream_pages(char* dst, const char* src, size_t bytes) {
  for (size_t group = 0; group < bytes; group += kPages * kPage)
    for (size_t line = 0; line < kPage; line += kLine)
      for (size_t page = 0; page < kPages; ++page) {
        const size_t at = group + page * kPage + line;
        stream_line(dst + at, src + at);
      }
  _mm_sfence();
}

// Ordinary stores. The line 1 KiB ahead is fetched for writing, so that no store waits for it.
__attribute__((target("avx"))) void store_ahead(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += kLine) {
    asm volatile("prefetchw %0" ::"m"(dst[i + 1024]));
    const __m256i a = load(src + i), b = load(src + i + 32);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + i), a);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst + i + 32), b);
  }
}

void stream_16(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(dst + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i)));
  _mm_sfence();
}

void rep_movsb(char* dst, const char* src, size_t bytes) {
  asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes)::"memory");
}

void stream(char* dst, const char* src, size_t bytes) {
  static const bool wide = __builtin_cpu_supports("avx512f");
  (wide ? stream_64 : stream_16)(dst, src, bytes);
}
#elif defined(__aarch64__)
void stream_pair(char* dst, const char* src) {
  const uint8x16_t a = vld1q_u8(reinterpret_cast<const uint8_t*>(src));
  const uint8x16_t b = vld1q_u8(reinterpret_cast<const uint8_t*>(src + 16));
  asm volatile("stnp %q0, %q1, [%2]" ::"w"(a), "w"(b), "r"(dst) : "memory");
}

void stream(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32) stream_pair(dst + i, src + i);
}

void stream_pages(char* dst, const char* src, size_t bytes) {
  for (size_t group = 0; group < bytes; group += kPages * kPage)
    for (size_t line = 0; line < kPage; line += kLine)
      for (size_t page = 0; page < kPages; ++page) {
        const size_t at = group + page * kPage + line;
        stream_pair(dst + at, src + at);
        stream_pair(dst + at + 32, src + at + 32);
      }
}
#else
void stream(char* dst, const char* src, size_t bytes) { std::memcpy(dst, src, bytes); }
#endif

std::vector<Copy> find_copies() {
  std::vector<Copy> found = {{"memcpy", copy_by_libc}};
#if defined(__x86_64__) || defined(__aarch64__)
  found.push_back({"streaming", streaming_copy});
#endif
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx")) {
    found.push_back({"streaming_32", by_lines<2 * kLine, stream_32>});
    found.push_back({"streaming_pages", by_lines<kPages * kPage, stream_pages>});
  }
  found.push_back({"rep_movsb", rep_movsb});
  // AVX2: every processor that has it takes prefetchw, if only to do nothing.
  if (__builtin_cpu_supports("avx2")) found.push_back({"prefetchw", by_lines<kLine, store_ahead>});
#elif defined(__aarch64__)
  found.push_back({"streaming_pages", by_lines<kPages * kPage, stream_pages>});
#endif
  return found;
}

}  // namespace

const std::vector<Copy>& copies() {
  static const std::vector<Copy> found = find_copies();
  return found;
}

void streaming_copy(char* dst, const char* src, size_t bytes) { by_lines<256, stream>(dst, src, bytes); }

}  // namespace bench
