// Verification: after an execution, positions drawn anew are compared with what the maps of both sides say of them.
#pragma once
#include "exec/plan.h"

namespace xlashape {

// The two shapes of a relayout, as a failure names them: "u8[3,4]{1,0} -> u8[3,4]{0,1}". Cut where they are too long, ""
// where the runtime verifies nothing.
struct ShapeTexts {
  char text[224];

  ShapeTexts(const Runtime& runtime, const RelayoutRequest& request) {
    text[0] = '\0';
    if (runtime.verify_positions > 0) [[unlikely]]
      print(request);
  }

 private:
  void print(const RelayoutRequest& request);
};

// Checks as many positions of a whole execution as the runtime says. INTERNAL, told to the logger, too, at the first
// that differs. Only memory of the CPU is looked at. Allocates nothing.
Status verify(const Prepared& prepared, const xlashape_run& run, Error* err);

}  // namespace xlashape
