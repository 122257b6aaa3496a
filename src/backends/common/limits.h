// How large a form may be that backends keep on their stack. The core makes larger ones (XLASHAPE_MAX_LOOPS), which are rare:
// they are walked position by position, or left to another backend.
#pragma once

namespace xlashape::backends {

inline constexpr int kMaxLoops = 64;   // of a nest
inline constexpr int kMaxGuards = 64;  // of a nest or of fill loops

}  // namespace xlashape::backends
