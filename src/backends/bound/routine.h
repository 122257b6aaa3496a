/* SPDX-License-Identifier: Apache-2.0 */
// A vendor's routine, loaded and ready to be called for its role. Nothing else in the library uses libffi.
#pragma once
#include <ffi.h>

#include "backends/bound/manifest.h"

namespace xlashape::bound {

// What one call moves. Pitches count elements if the manifest names an element type, else bytes. A transpose has a
// source of `rows` rows of `columns` elements, and a destination of `columns` rows of `rows` elements.
struct RoutineCall {
  const void* src = nullptr;
  void* dst = nullptr;
  int64_t bytes = 0;
  int64_t row_bytes = 0;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t src_pitch = 0;
  int64_t dst_pitch = 0;
};

class Routine {
 public:
  explicit Routine(Description description) : description_(std::move(description)) {}
  Routine(const Routine&) = delete;

  // Loads the library, finds the symbol, prepares the call.
  xlashape_status load(xlashape_error* err);
  // Returns true if every number of the move can be passed as its argument's type.
  bool takes(const RoutineCall& move) const;
  // Re-entrant: the prepared call is only read, and arguments are on the stack.
  xlashape_status call(const RoutineCall& move, xlashape_error* err) const;

  const Description& description() const { return description_; }

 private:
  Description description_;
  void (*function_)() = nullptr;
  ffi_type* types_[kMaxArguments] = {};
  ffi_cif cif_{};
};

}  // namespace xlashape::bound
