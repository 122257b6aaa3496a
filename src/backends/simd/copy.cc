#include "backends/simd/copy.h"

#include <cstring>

#if defined(_M_X64) && !defined(__GNUC__)
#include <intrin.h>
#endif

namespace xlashape::simd {
namespace {

void copy_string([[maybe_unused]] char* dst, [[maybe_unused]] const char* src, [[maybe_unused]] int64_t bytes) {
#if defined(__x86_64__) && defined(__GNUC__)
  asm volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
#elif defined(_M_X64)
  __movsb(reinterpret_cast<unsigned char*>(dst), reinterpret_cast<const unsigned char*>(src),
          static_cast<size_t>(bytes));
#endif
}

}  // namespace

bool fits_copy(CopyWay way, Store store) {
  switch (way) {
    case CopyWay::kPlain:
      return true;
    case CopyWay::kVectors:
      return store == Store::kOrdinary;
    case CopyWay::kString:
      return store == Store::kOrdinary && kHasStringCopy;
    case CopyWay::kPages:
      return store == Store::kStream;
  }
  return false;
}

CopyWay choose_copy(const Rates& rates, Store store, int64_t bytes) {
  CopyWay best = CopyWay::kPlain;
  if (!rates.known()) return best;
  int64_t least = predict_copy(rates, best, store, {bytes, bytes});
  for (const CopyWay way : kCopyWays) {
    if (!fits_copy(way, store)) continue;
    const int64_t ns = predict_copy(rates, way, store, {bytes, bytes});
    // Differences of less than 2 % are noise.
    if (ns > 0 && ns < least - least / 50) best = way, least = ns;
  }
  return best;
}

void copy_run(const Kernels& kernels, CopyWay way, Store store, char* dst, const char* src, int64_t bytes) {
  switch (way) {
    case CopyWay::kPlain:
      // For less than the second cache, libc of 2022 takes `rep movsb` from 4 KiB on. That starts later, and takes up
      // to 25 times as long where the destination is a few bytes after the source modulo 4 KiB (Zen 4).
      if (store == Store::kOrdinary && bytes > kOwnCopyBytes) {
        std::memcpy(dst, src, static_cast<size_t>(bytes));
        return;
      }
      break;
    case CopyWay::kVectors:
      break;
    case CopyWay::kString:
      if constexpr (kHasStringCopy) return copy_string(dst, src, bytes);
      break;
    case CopyWay::kPages:
      return kernels.copy_pages(dst, src, bytes);
  }
  kernels.copy(dst, src, bytes, store);
}

}  // namespace xlashape::simd
