/* SPDX-License-Identifier: Apache-2.0 */
// Has the backends measure this machine.
#pragma once
#include "runtime/runtime.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

// A profile of what every backend that measures says. Loads all backends, and changes nothing else in the runtime.
Status calibrate(Runtime& runtime, const xlashape_calibrate_options& options, std::string* profile, Error* err);

}  // namespace xlashape::core
