// Which backend runs an operation: the one asked for by name, else the best level, priority, estimated cost, name. Always
// the same one for the same question.
#pragma once
#include "runtime/runtime.h"

namespace xlashape::core {

// Whether both sides lie in memory of the CPU.
inline bool is_on_host(const xlashape_op& op) {
  return op.src_space == XLASHAPE_SPACE_CPU && op.dst_space == XLASHAPE_SPACE_CPU;
}

struct Choice {
  Backend* backend = nullptr;
  xlashape_support support{};
};

// What an operation asks of the choice.
struct Wish {
  std::string_view name;        // "": any
  bool allow_fallback = false;  // with a name: others may stand in
  uint64_t tried = 0;           // ordinals, as bits, of those that failed already
};

// The wish of an operation whose options say `name`: without one, what the runtime's options or XLASHAPE_BACKEND say counts.
inline Wish wish_of(const Runtime& runtime, std::string_view name, bool allow_fallback) {
  if (!name.empty()) return {name, allow_fallback, 0};
  return {runtime.backend, allow_fallback || runtime.backend_or_any, 0};
}

// Estimated nanoseconds of one execution, as the backend's answer has it.
int64_t estimate(const xlashape_op& op, const xlashape_support& support);

// Loads what may be needed first. From the second time on it takes no lock and allocates nothing.
Status select_backend(Runtime& runtime, const xlashape_op& op, const Wish& wish, Choice* choice, Error* err);

// The backend was chosen and could not make its plan: noted for the report. True when another one may be tried.
bool try_another(Runtime& runtime, const Choice& choice, Wish* wish, const char* reason);

}  // namespace xlashape::core
