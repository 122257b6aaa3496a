/* SPDX-License-Identifier: Apache-2.0 */
// What other projects call the element types, and which type a wrong name was probably meant to be.
#pragma once
#include <string_view>

#include "shape/element_type.h"

namespace xlashape::core {

// The type of a name as people write it: XLA's, NumPy's, MLIR's, PyTorch's, safetensors'; "torch.float32",
// "dtype('int8')", "<f4", "uint8_t". In capitals, too. XLASHAPE_TYPE_INVALID for another name, and for one that means
// different types in different projects; then *ambiguous (if not null) says which, else it is set to null.
xlashape_element_type type_of_word(std::string_view name, const char** ambiguous = nullptr) noexcept;

// XLA's name of the type whose name, in any project, is most like `name`; null where none is like it.
const char* nearest_type_name(std::string_view name) noexcept;

}  // namespace xlashape::core
