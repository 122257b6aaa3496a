// The runtimes that the library makes: they try each backend by a relayout that is planned like any other.
#pragma once
#include "runtime/runtime.h"

namespace xlashape::core {

Status create_runtime(const xlashape_runtime_options& options, Ref<Runtime>* runtime, Error* err);

// The one for callers that give none: made when first needed, never released.
Status default_runtime(Runtime** runtime, Error* err);
// Puts the default one where there is none.
inline Status or_default(Runtime** runtime, Error* err) {
  return *runtime != nullptr ? XLASHAPE_STATUS_OK : default_runtime(runtime, err);
}

// The form of the trial: see runtime/smoke.h.
Status plan_trial(Arena& arena, xlashape_relayout_ir* trial, Error* err);

}  // namespace xlashape::core
