/* SPDX-License-Identifier: Apache-2.0 */
// What every backend's open function needs: it fills the table within the size that the core preset.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "backends/common/sanitizer.h"
#include "xlashape_backend.h"

namespace xlashape::backends {

#if XLASHAPE_ADDRESS_SANITIZER
inline constexpr char kSanitizer[] = "address";
#elif XLASHAPE_THREAD_SANITIZER
inline constexpr char kSanitizer[] = "thread";
#else
inline constexpr char kSanitizer[] = "";
#endif

// Makes a failing slot's result: fills the record, which may be null, within its size.
template <class... Args>
xlashape_status fail(xlashape_error* err, xlashape_status code, const char* format, Args... args) {
  constexpr size_t kMessage = offsetof(xlashape_error, message);
  if (err == nullptr || err->struct_size < kMessage) return code;
  const size_t room = std::min(err->struct_size - kMessage, sizeof err->message);
  err->code = code;
  err->index = err->offset = -1;
  // The 0 is for -Werror=format-security, which distributions build with: it refuses formats that nothing follows.
  const int wanted = room > 0 ? std::snprintf(err->message, room, format, args..., 0) : 0;
  err->message_len = static_cast<uint32_t>(std::clamp<int>(wanted, 0, room > 0 ? static_cast<int>(room) - 1 : 0));
  return code;
}

// Whether it has a form of a relayout: of values that change or not.
inline bool is_relayout(const xlashape_op& op) {
  return op.kind == XLASHAPE_OP_RELAYOUT || op.kind == XLASHAPE_OP_RELAYOUT_VALUES;
}

// The value that the program or the environment sets for a key of this backend, or null.
inline const char* option(const xlashape_host& host, const char* key) {
  return host.option != nullptr ? host.option(host.opaque, key) : nullptr;
}

// The reason why a backend for the CPU does not take memory elsewhere.
inline void refuse_spaces(const xlashape_op& op, xlashape_error* err) {
  fail(err, XLASHAPE_STATUS_OK, "it works on the CPU's memory only, not from space %d to %d", op.src_space,
       op.dst_space);
}

// Checks that core and plugin have a common ABI, and copies the table, truncated to the core's size.
inline xlashape_status publish(const xlashape_host* host, const xlashape_backend& table, xlashape_backend* out,
                               xlashape_error* err) {
  if (host == nullptr || out == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "host or backend is NULL");
  if (XLASHAPE_BACKEND_ABI_VERSION < host->abi_min || XLASHAPE_BACKEND_ABI_VERSION > host->abi_max)
    return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "this backend speaks plugin ABI %u, the library %u to %u",
                XLASHAPE_BACKEND_ABI_VERSION, host->abi_min, host->abi_max);
  const uint32_t size = std::min<uint32_t>(out->struct_size, sizeof table);
  std::memcpy(static_cast<void*>(out), &table, size);
  out->struct_size = size;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::backends
