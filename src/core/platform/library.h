/* SPDX-License-Identifier: Apache-2.0 */
// Shared objects: checks them before mapping, maps them permanently, and finds one symbol that they define.
#pragma once
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

// Why the file at `path` cannot be a shared object for this machine, found without mapping it; "" if it may be one. A
// truncated file would crash the process in dlopen.
std::string unfit_object(const std::string& path);

// Maps the object, which is never unmapped, and finds `symbol` in it, not in its dependencies. On failure *stage names
// the step that failed.
// The object is opened by path, not by a descriptor of the checked file, because $ORIGIN in its dependencies,
// debuggers, and plugins that look for files beside themselves need the name. platform/trust.h ensures that it is still
// the same file; a caller that passes a path of its choice must ensure that itself.
Status open_symbol(const std::string& path, const std::string& symbol, void** address, const char** stage, Error* err);

// Whether the runtime of a sanitizer ("address", "thread", ...) is in this process.
bool has_sanitizer(std::string_view name);

}  // namespace xlashape::core
