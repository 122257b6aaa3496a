#include "backends/simd/copy.h"

#include <cstring>

#include "ir/compiler.h"

namespace xlashape::simd {

bool fits_copy(CopyWay way, Store store) {
  switch (way) {
    case CopyWay::kPlain:
      return true;
    case CopyWay::kVectors:
      return store == Store::kOrdinary;
    case CopyWay::kString:
      return store == Store::kOrdinary && waist::kHasStringCopy;
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
      return waist::copy_string(dst, src, static_cast<size_t>(bytes));
    case CopyWay::kPages:
      return kernels.copy_pages(dst, src, bytes);
  }
  kernels.copy(dst, src, bytes, store);
}

}  // namespace xlashape::simd
