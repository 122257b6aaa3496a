/* SPDX-License-Identifier: Apache-2.0 */
// Shapes in other text forms: MLIR's tensor types, CuTe's shape:stride, NumPy's shape, strides and dtype. Nothing
// recurses; PARSE errors carry the offset where the text leaves the grammar.
#pragma once
#include <string>
#include <string_view>

#include "shape/shape.h"

namespace xlashape::core {

// `flags`: XLASHAPE_PRINT_WITHOUT_LAYOUT. All return UNSUPPORTED, with the reason, for what the other text cannot say.
Status print_mlir(const Shape& shape, uint32_t flags, std::string* text, Error* err);
// A memref with its layout.
Status print_memref(const Shape& shape, std::string* text, Error* err);
// tensor<...>, memref<...>, vector<...>, or bare sizes and a type, 2x3xf32. *offset: where element 0 of a memref is, in
// elements.
Status parse_mlir(std::string_view text, uint32_t flags, int64_t* offset, Ref<Shape>* shape, Error* err);

Status print_cute(const Shape& shape, std::string* text, Error* err);
Status parse_cute(std::string_view text, xlashape_element_type type, uint32_t flags, Ref<Shape>* shape, Error* err);

Status print_numpy(const Shape& shape, std::string* text, Error* err);
Status parse_numpy(std::string_view text, uint32_t flags, Ref<Shape>* shape, Error* err);

}  // namespace xlashape::core
