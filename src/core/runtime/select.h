/* SPDX-License-Identifier: Apache-2.0 */
// Which backend runs an operation: the one asked for by name, or the best by level, priority and name.
// The choice is deterministic.
#pragma once
#include "runtime/runtime.h"

namespace xlashape::core {

// Whether both sides are in CPU memory.
inline bool is_on_host(const xlashape_op& op) {
  return op.src_space == XLASHAPE_SPACE_CPU && op.dst_space == XLASHAPE_SPACE_CPU;
}

struct Selection {
  Backend* backend = nullptr;
  xlashape_support support{};
};

// What an operation requires of the selection.
struct SelectionRequest {
  std::string_view name;        // "": any
  bool allow_fallback = false;  // with a name: others may stand in
  uint64_t tried = 0;           // a bit for the ordinal of each backend that failed already
};

// The request of an operation whose options give `name`; without a name, the runtime's options or XLASHAPE_BACKEND
// decide.
inline SelectionRequest selection_request(const Runtime& runtime, std::string_view name, bool allow_fallback) {
  if (!name.empty()) return {name, allow_fallback, 0};
  return {runtime.backend, allow_fallback || runtime.backend_or_any, 0};
}

// First loads what may be needed. From the second call on it takes no lock and allocates nothing.
Status select_backend(Runtime& runtime, const xlashape_op& op, const SelectionRequest& request, Selection* choice,
                      Error* err);

// Records for the report that the chosen backend could not make its plan. True when another one may be tried.
bool try_another(Runtime& runtime, const Selection& choice, SelectionRequest* request, const char* reason);

}  // namespace xlashape::core
