/* SPDX-License-Identifier: Apache-2.0 */
// Creates runtimes, which test each backend with a relayout that is planned like any other.
#pragma once
#include "runtime/runtime.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

Status create_runtime(const xlashape_runtime_options& options, Ref<Runtime>* runtime, Error* err);

// The runtime for callers that give none: made when first needed if none was set, never released.
Status default_runtime(Runtime** runtime, Error* err);
// BUSY where there is one.
Status set_default_runtime(Runtime& runtime, Error* err);
// Replaces null by the default runtime.
inline Status or_default(Runtime** runtime, Error* err) {
  return *runtime != nullptr ? XLASHAPE_STATUS_OK : default_runtime(runtime, err);
}

// Plans the relayout of the smoke test: see runtime/smoke.h.
Status plan_smoke_form(Arena& arena, xlashape_relayout_ir* form, Error* err);

}  // namespace xlashape::core
