// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/cuda/pinned.h"

#include <algorithm>
#include <cstring>

#include "backends/common/entry.h"

namespace xlashape::gpu::cuda {
namespace {

constexpr int64_t kPiece = 16 << 20;
constexpr int64_t kSmall = 1 << 20;  // below this the driver's own copy is as fast

#define XS_CU(...)                                                      \
  do {                                                                  \
    if (const xlashape_status s = cu.check(__VA_ARGS__, err)) return s; \
  } while (false)

}  // namespace

xlashape_status Pinned::prepare(const Driver& cu, xlashape_error* err) {
  for (int i = 0; i < 2; ++i) {
    if (buffer_[i] == nullptr) XS_CU(cu.cuMemAllocHost(&buffer_[i], kPiece), "cuMemAllocHost");
    if (event_[i] == nullptr) XS_CU(cu.cuEventCreate(&event_[i], kEventNoTiming), "cuEventCreate");
  }
  return XLASHAPE_STATUS_OK;
}

void Pinned::release(const Driver& cu) {
  for (int i = 0; i < 2; ++i) {
    if (event_[i] != nullptr) cu.cuEventDestroy(event_[i]);
    if (buffer_[i] != nullptr) cu.cuMemFreeHost(buffer_[i]);
  }
}

xlashape_status Pinned::write(const Driver& cu, CUdeviceptr to, const void* from, int64_t bytes, CUstream stream,
                              xlashape_error* err) {
  if (bytes <= kSmall) {
    XS_CU(cu.cuMemcpyHtoDAsync(to, from, static_cast<size_t>(bytes), stream), "cuMemcpyHtoDAsync");
    return cu.check(cu.cuStreamSynchronize(stream), "cuStreamSynchronize", err);
  }
  const std::lock_guard guard(lock_);
  if (const xlashape_status status = prepare(cu, err)) return status;
  for (int64_t at = 0, i = 0; at < bytes; at += kPiece, i ^= 1) {
    const auto piece = static_cast<size_t>(std::min(kPiece, bytes - at));
    if (at >= 2 * kPiece) XS_CU(cu.cuEventSynchronize(event_[i]), "cuEventSynchronize");
    std::memcpy(buffer_[i], static_cast<const char*>(from) + at, piece);
    XS_CU(cu.cuMemcpyHtoDAsync(to + static_cast<uint64_t>(at), buffer_[i], piece, stream), "cuMemcpyHtoDAsync");
    XS_CU(cu.cuEventRecord(event_[i], stream), "cuEventRecord");
  }
  return cu.check(cu.cuStreamSynchronize(stream), "cuStreamSynchronize", err);  // the next copy takes the same buffers
}

xlashape_status Pinned::read(const Driver& cu, void* to, CUdeviceptr from, int64_t bytes, CUstream stream,
                             xlashape_error* err) {
  if (bytes <= kSmall) {
    XS_CU(cu.cuMemcpyDtoHAsync(to, from, static_cast<size_t>(bytes), stream), "cuMemcpyDtoHAsync");
    return cu.check(cu.cuStreamSynchronize(stream), "cuStreamSynchronize", err);
  }
  const std::lock_guard guard(lock_);
  if (const xlashape_status status = prepare(cu, err)) return status;
  // Piece n is transferred while piece n - 1 is copied from its buffer.
  const int64_t pieces = (bytes + kPiece - 1) / kPiece;
  const auto size_of = [&](int64_t n) { return static_cast<size_t>(std::min(kPiece, bytes - n * kPiece)); };
  for (int64_t n = 0; n <= pieces; ++n) {
    if (n < pieces) {
      XS_CU(cu.cuMemcpyDtoHAsync(buffer_[n % 2], from + static_cast<uint64_t>(n * kPiece), size_of(n), stream),
            "cuMemcpyDtoHAsync");
      XS_CU(cu.cuEventRecord(event_[n % 2], stream), "cuEventRecord");
    }
    if (n == 0) continue;
    XS_CU(cu.cuEventSynchronize(event_[(n - 1) % 2]), "cuEventSynchronize");
    std::memcpy(static_cast<char*>(to) + (n - 1) * kPiece, buffer_[(n - 1) % 2], size_of(n - 1));
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::gpu::cuda
