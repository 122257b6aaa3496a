// Which bytes of a relayout's source decide a range of its destination's bytes.
#pragma once
#include "xlashape_backend.h"

namespace xlashape::core {

struct ByteRange {
  int64_t begin, end;
};

// At least those bytes, from where the source lies; {0, 0} where no element of the destination's range is moved.
ByteRange source_range(const xlashape_relayout_ir& ir, ByteRange dst);

}  // namespace xlashape::core
