/* SPDX-License-Identifier: Apache-2.0 */
// The layouts of MLIR's memrefs: strided<[3, 1], offset: 4> and affine_map<(d0, d1) -> (d1, d0)>.
#pragma once
#include <string>

#include "interop/scanner.h"
#include "shape/shape.h"

namespace xlashape::core {

// Reads one of them, for an array of these dimensions; *offset is where element 0 lies, in elements. `flags`:
// STRIDES_COMPACT.
Status read_memref_layout(Scanner& in, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout,
                          int64_t* offset, Error* err);
// Prints that of an array, with ", " in front; nothing for a row-major one.
Status print_memref_layout(const Shape& array, std::string* text, Error* err);

}  // namespace xlashape::core
