#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bench {

Buffer::Buffer(int64_t bytes, bool shared) : size_(bytes) {
  constexpr size_t kAlignment = size_t{2} << 20;
  map_size_ = static_cast<size_t>(bytes) + 2 * kAlignment;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  if (shared) {
    file_ = memfd_create("bench", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(map_size_)) != 0) throw std::bad_alloc();
    flags = MAP_SHARED;
  }
  map_ = mmap(nullptr, map_size_, PROT_READ | PROT_WRITE, flags, file_, 0);
  if (map_ == MAP_FAILED) throw std::bad_alloc();
  madvise(map_, map_size_, MADV_NOHUGEPAGE);
  const auto at = reinterpret_cast<uintptr_t>(map_);
  data_ = reinterpret_cast<char*>((at + kAlignment - 1) & ~(kAlignment - 1));
  // The other process aligns where it maps the file, and says which byte of it comes first.
  if (shared) data_ = static_cast<char*>(map_);
  if (!shared) std::memset(data_, 1, static_cast<size_t>(bytes));
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(map_, other.map_);
  std::swap(map_size_, other.map_size_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(file_, other.file_);
  return *this;
}

Buffer::~Buffer() {
  if (map_ != nullptr) munmap(map_, map_size_);
  if (file_ >= 0) close(file_);
}

void fill_random(char* data, int64_t bytes, uint64_t seed) {
  uint64_t x = seed * 2 + 1;
  int64_t i = 0;
  for (; i < bytes; i += 8) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    std::memcpy(data + i, &x, static_cast<size_t>(bytes - i < 8 ? bytes - i : 8));
  }
}

namespace {

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void stream_512(char* dst, const char* src, size_t bytes) {
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

void stream_128(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(dst + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i)));
  _mm_sfence();
}

void stream(char* dst, const char* src, size_t bytes) {
  static const bool wide = __builtin_cpu_supports("avx512f");
  (wide ? stream_512 : stream_128)(dst, src, bytes);
}
#elif defined(__aarch64__)
void stream(char* dst, const char* src, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 32) {
    const uint8x16_t a = vld1q_u8(reinterpret_cast<const uint8_t*>(src + i));
    const uint8x16_t b = vld1q_u8(reinterpret_cast<const uint8_t*>(src + i + 16));
    asm volatile("stnp %q0, %q1, [%2]" ::"w"(a), "w"(b), "r"(dst + i) : "memory");
  }
}
#else
void stream(char* dst, const char* src, size_t bytes) { std::memcpy(dst, src, bytes); }
#endif

}  // namespace

void streaming_copy(char* dst, const char* src, size_t bytes) {
  const size_t head = -reinterpret_cast<uintptr_t>(dst) & 63;
  if (bytes < head + 256) {
    std::memcpy(dst, src, bytes);
    return;
  }
  const size_t body = (bytes - head) / 256 * 256;
  std::memcpy(dst, src, head);
  stream(dst + head, src + head, body);
  std::memcpy(dst + head + body, src + head + body, bytes - head - body);
}

}  // namespace bench
