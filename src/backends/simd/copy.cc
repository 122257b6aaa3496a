// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/copy.h"

#include <cstring>

#include "ir/compiler.h"

namespace xlashape::simd {

bool fits_copy(CopyKind kind, Store store) {
  switch (kind) {
    case CopyKind::kPlain:
      return true;
    case CopyKind::kVectors:
      return store == Store::kOrdinary;
    case CopyKind::kString:
      return store == Store::kOrdinary && ir::kHasStringCopy;
    case CopyKind::kPages:
      return store == Store::kStream;
  }
  return false;
}

CopyKind choose_copy(const Rates& rates, Store store, int64_t bytes) {
  CopyKind best = CopyKind::kPlain;
  if (!rates.known()) return best;
  int64_t least = predict_copy(rates, best, store, {bytes, bytes});
  for (const CopyKind kind : kCopyKinds) {
    if (!fits_copy(kind, store)) continue;
    const int64_t ns = predict_copy(rates, kind, store, {bytes, bytes});
    // Differences of less than 2 % are noise.
    if (ns > 0 && ns < least - least / 50) best = kind, least = ns;
  }
  return best;
}

void copy_run(const Kernels& kernels, CopyKind kind, Store store, char* dst, const char* src, int64_t bytes) {
  switch (kind) {
    case CopyKind::kPlain:
      // For less than the second cache, libc of 2022 takes `rep movsb` from 4 KiB on. That starts later, and takes up
      // to 25 times as long where the destination is a few bytes after the source modulo 4 KiB (Zen 4).
      if (store == Store::kOrdinary && bytes > kOwnCopyBytes) {
        std::memcpy(dst, src, static_cast<size_t>(bytes));
        return;
      }
      break;
    case CopyKind::kVectors:
      break;
    case CopyKind::kString:
      return ir::copy_string(dst, src, static_cast<size_t>(bytes));
    case CopyKind::kPages:
      return kernels.copy_pages(dst, src, bytes);
  }
  kernels.copy(dst, src, bytes, store);
}

}  // namespace xlashape::simd
