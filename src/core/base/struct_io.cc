// SPDX-License-Identifier: Apache-2.0
#include "base/struct_io.h"

#include <algorithm>
#include <cstring>

#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

// The value of struct_size, the first member of every struct.
uint32_t size_of(const void* given) {
  uint32_t size;
  std::memcpy(&size, given, sizeof size);
  return size;
}

}  // namespace

Status check_room(const void* given, size_t first_size, const char* name, Error* err) {
  if (given == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is NULL", name);
  if (size_of(given) < first_size)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "%s.struct_size is %u, it must be at least %zu: set it to sizeof", name, size_of(given), first_size);
  return XLASHAPE_STATUS_OK;
}

Status read_bytes(const void* in, size_t first_size, void* out, size_t size, const char* name, Error* err) {
  XLASHAPE_TRY(check_room(in, first_size, name, err));
  const size_t given = size_of(in);
  std::memset(out, 0, size);
  std::memcpy(out, in, std::min(given, size));
  const auto known = static_cast<uint32_t>(size);
  std::memcpy(out, &known, sizeof known);
  const auto* bytes = static_cast<const unsigned char*>(in);
  for (size_t i = size; i < given; ++i)
    if (bytes[i] != 0)
      return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "%s uses a field at byte %zu that this library (%s) does not know",
                  name, i, xlashape_version());
  return XLASHAPE_STATUS_OK;
}

Status read_queue(const xlashape_queue* in, xlashape_queue* out, Error* err) {
  *out = in != nullptr ? *in : xlashape_queue{};
  if (out->reserved == 0) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "queue.reserved is %d, it must be 0", out->reserved);
}

void write_bytes(void* out, const void* value, size_t size) {
  const size_t room = size_of(out), filled = std::min(room, size);
  std::memcpy(out, value, filled);
  if (room > filled) std::memset(static_cast<unsigned char*>(out) + filled, 0, room - filled);
  const auto filled_size = static_cast<uint32_t>(filled);
  std::memcpy(out, &filled_size, sizeof filled_size);
}

}  // namespace xlashape::core
