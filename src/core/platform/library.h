// Shared objects: checked before they are mapped, mapped for good, and asked for one symbol of their own.
#pragma once
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

// Why the file at `path` cannot be a shared object of this machine, found out without mapping it: "" where it may be one.
// A cut-off file would kill the process in dlopen.
std::string unfit_object(const std::string& path);

// Maps the object (never to be unmapped) and finds `symbol` in it, not in what it depends on. On failure *stage is where
// it went wrong.
// By path, and not by a descriptor of what was checked: $ORIGIN in its dependencies, debuggers, and plugins that look
// for files beside themselves need the name. That it is still the same file is what platform/trust.h is for; who loads
// by a path of his own answers for it.
Status open_symbol(const std::string& path, const std::string& symbol, void** address, const char** stage, Error* err);

// Whether the runtime of a sanitizer ("address", "thread", ...) is in this process.
bool has_sanitizer(std::string_view name);

}  // namespace xlashape::core
