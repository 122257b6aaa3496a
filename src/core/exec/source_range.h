/* SPDX-License-Identifier: Apache-2.0 */
// Finds the bytes of a relayout's source that determine a range of its destination's bytes.
#pragma once
#include "xlashape_backend.h"

namespace xlashape::core {

struct ByteRange {
  int64_t begin, end;
};

// A range, relative to the source's pointer, that holds all those bytes and maybe others; {0, 0} where no element goes
// to `dst`.
ByteRange source_range(const xlashape_relayout_ir& ir, ByteRange dst);

}  // namespace xlashape::core
