// SPDX-License-Identifier: Apache-2.0
// MLIR's ranked tensors: tensor<128x256xbf16>, tensor<?x4xf32, #stablehlo.bounds<8, ?>> where a size is a bound.
#include "interop/foreign.h"
#include "interop/scanner.h"
#include "interop/strided.h"

namespace xlashape::core {
namespace {

Status element_type(Scanner& in, int32_t* type) {
  in.skip_blanks();
  const int64_t start = in.offset();
  std::string_view name = in.word();
  const bool complex = name == "complex";
  if (complex) {
    XLASHAPE_TRY(in.need("<", "'<' after complex"));
    name = in.word();
    XLASHAPE_TRY(in.need(">", "'>' after complex's type"));
  }
  *type = find_element_type([&](const ElementTypeInfo& known) { return !name.empty() && name == known.mlir; });
  if (complex) *type = complex_of(*type);
  return *type != XLASHAPE_TYPE_INVALID ? XLASHAPE_STATUS_OK : in.expected_at(start, "an element type of MLIR");
}

// Reads the bounds of dynamic dimensions, with `?` for dimensions that have none.
Status bounds(Scanner& in, SmallVec<int64_t, 8>* dimensions) {
  XLASHAPE_TRY(in.need("#stablehlo.", "#stablehlo.bounds"));
  const bool old = in.eat("type_extensions");
  if (old) {
    XLASHAPE_TRY(in.need("<", "'<'"));
    XLASHAPE_TRY(in.need("bounds", "bounds"));
    XLASHAPE_TRY(in.need("=", "'='"));
    XLASHAPE_TRY(in.need("[", "'['"));
  } else {
    XLASHAPE_TRY(in.need("bounds", "bounds"));
    XLASHAPE_TRY(in.need("<", "'<' after bounds"));
  }
  for (size_t i = 0; i < dimensions->size(); ++i) {
    if (i > 0) XLASHAPE_TRY(in.need(",", "',' and a bound for each dimension"));
    if (in.eat("?")) continue;
    in.skip_blanks();
    const int64_t start = in.offset();
    int64_t bound = 0;
    XLASHAPE_TRY(in.integer(&bound, false, "a bound or ?"));
    if ((*dimensions)[i] != XLASHAPE_DIMENSION_UNBOUNDED) return in.expected_at(start, "? for a dimension with a size");
    (*dimensions)[i] = bound;
  }
  if (old) XLASHAPE_TRY(in.need("]", "']' after the bounds"));
  return in.need(">", "'>' after the bounds");
}

}  // namespace

Status print_mlir(const Shape& shape, uint32_t flags, std::string* text, Error* err) {
  if (shape.element_type == XLASHAPE_TYPE_TOKEN) {
    *text = "!stablehlo.token";
    return XLASHAPE_STATUS_OK;
  }
  if (!shape.is_array())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "only arrays and tokens have an MLIR tensor type");
  if ((flags & XLASHAPE_PRINT_WITHOUT_LAYOUT) == 0 && !is_plain(shape))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "a tensor type has no layout, and the shape's is not plain row-major: print the shape "
                "without it, or with the default one");
  const ElementTypeInfo& type = element_type_info(shape.element_type);
  if (*type.mlir == 0) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "MLIR has no type for %s", type.name());
  *text = "tensor<";
  std::string encoding;
  bool bounded = false;
  for (size_t i = 0; i < shape.dimensions.size(); ++i) {
    const int64_t size = shape.dimensions[i];
    const bool has_bound = shape.dynamic[i] && size != XLASHAPE_DIMENSION_UNBOUNDED;
    *text += shape.dynamic[i] ? "?" : std::to_string(size);
    *text += 'x';
    if (i > 0) encoding += ", ";
    encoding += has_bound ? std::to_string(size) : "?";
    bounded |= has_bound;
  }
  *text += type.mlir;
  if (bounded) *text += ", #stablehlo.bounds<" + encoding + ">";
  *text += '>';
  return XLASHAPE_STATUS_OK;
}

Status parse_mlir(std::string_view text, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  if (in.eat("!stablehlo.token")) {
    XLASHAPE_TRY(in.end());
    return make_leaf(XLASHAPE_CATEGORY_TOKEN, shape, err);
  }
  XLASHAPE_TRY(in.need("tensor", "tensor<...> or !stablehlo.token"));
  XLASHAPE_TRY(in.need("<", "'<' after tensor"));
  if (in.at("*"))
    return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, in.offset(), "XLA has no shape for an unranked tensor");
  SmallVec<int64_t, 8> dimensions;
  while (in.at_digit() || in.at("?")) {
    int64_t size = XLASHAPE_DIMENSION_UNBOUNDED;
    if (!in.eat("?")) XLASHAPE_TRY(in.integer(&size, false, "a size"));
    XLASHAPE_TRY(in.need("x", "'x' after a dimension"));
    dimensions.push_back(size);
  }
  int32_t type = XLASHAPE_TYPE_INVALID;
  XLASHAPE_TRY(element_type(in, &type));
  SmallVec<uint8_t, 8> dynamic;
  for (const int64_t size : dimensions) dynamic.push_back(size == XLASHAPE_DIMENSION_UNBOUNDED);
  if (in.eat(",")) XLASHAPE_TRY(bounds(in, &dimensions));
  XLASHAPE_TRY(in.need(">", "'>'"));
  XLASHAPE_TRY(in.end());
  const Status status = make_array(type, dimensions, dynamic, make_row_major(dimensions.ssize()), shape, err);
  if (status) set_offset(err, 0);
  return status;
}

}  // namespace xlashape::core
