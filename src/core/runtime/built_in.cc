// SPDX-License-Identifier: Apache-2.0
// What the build decided: the backends that are part of the library, the scalar one and those of the build option
// static_backends, and what was left out.
#include "runtime/registry.h"

#define BACKEND(name, needs)                                             \
  extern "C" xlashape_status XLASHAPE_CALL xlashape_backend_open_##name( \
      const xlashape_host* host, xlashape_backend* backend, xlashape_error* err);
BACKEND(scalar, 0)
XLASHAPE_STATIC_BACKENDS
#undef BACKEND

namespace xlashape::core {

#define LEFT_OUT(name, why) {#name, why},
const LeftOut kLeftOut[] = {XLASHAPE_LEFT_OUT{nullptr, nullptr}};
#undef LEFT_OUT
const bool kSimdIsBuilt = XLASHAPE_SIMD_IS_BUILT;

Status add_built_in(Runtime& runtime, Error* err) {
#define BACKEND(name, needs) {#name, xlashape_backend_open_##name, nullptr, nullptr, needs},
  constexpr Linked kAll[] = {BACKEND(scalar, 0) XLASHAPE_STATIC_BACKENDS};
#undef BACKEND
  for (const Linked& linked : kAll) {
    const Status status = add_backend(runtime, linked, Origin::kBuiltIn, default_priority(linked.name), err);
    // Without the first one there is no runtime. Others may need another processor: the report says so.
    if (status != XLASHAPE_STATUS_OK && (&linked == kAll || status == XLASHAPE_STATUS_NO_MEMORY)) return status;
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
