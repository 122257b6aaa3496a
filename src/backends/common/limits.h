/* SPDX-License-Identifier: Apache-2.0 */
// The largest form that backends keep on their stack. The core rarely makes larger ones (up to XLASHAPE_MAX_LOOPS):
// these are walked position by position, or left to another backend.
#pragma once

namespace xlashape::backends {

inline constexpr int kMaxLoops = 64;   // of a nest
inline constexpr int kMaxGuards = 64;  // of a nest or of fill loops

}  // namespace xlashape::backends
