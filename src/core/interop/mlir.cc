// SPDX-License-Identifier: Apache-2.0
// MLIR's ranked tensors and its vectors: tensor<128x256xbf16>, vector<4x8xf32>, tensor<?x4xf32, #stablehlo.bounds<8,
// ?>> where a size is a bound; and memrefs: memref<2x3xf32, strided<[1, 2]>>.
#include "interop/foreign.h"
#include "interop/memref.h"
#include "interop/scanner.h"
#include "interop/strided.h"
#include "shape/type_names.h"

namespace xlashape::core {
namespace {

Status element_type(Scanner& in, int32_t* type, Error* err) {
  in.skip_blanks();
  const int64_t start = in.offset();
  std::string_view name = in.word();
  const bool complex = name == "complex";
  if (complex) {
    XLASHAPE_TRY(in.need("<", "'<' after complex"));
    name = in.word();
    XLASHAPE_TRY(in.need(">", "'>' after complex's type"));
  }
  std::string_view code = name;
  if (code.starts_with("si")) code.remove_prefix(1);  // signed, where `i8` leaves it open
  *type = find_element_type([&](const ElementTypeInfo& known) { return !code.empty() && code == known.mlir; });
  if (code != name && *type == XLASHAPE_TYPE_PRED) *type = XLASHAPE_TYPE_S1;
  if (complex) *type = complex_of(*type);
  if (*type != XLASHAPE_TYPE_INVALID) return XLASHAPE_STATUS_OK;
  const char* nearest = nearest_type_name(name);
  const char* meant = nearest != nullptr ? element_type_info(element_type_from_name(nearest)).mlir : "";
  if (*meant == 0) return in.expected_at(start, "an element type of MLIR");
  return fail_at(err, XLASHAPE_STATUS_PARSE, start, "expected an element type of MLIR, found '%s': did you mean %s?",
                 Quoted(name).c_str(), meant);
}

// Reads the bounds of dynamic dimensions, with `?` for dimensions that have none.
Status bounds(Scanner& in, SmallVec<int64_t, 8>* dimensions) {
  if (!in.eat("#mhlo.")) XLASHAPE_TRY(in.need("#stablehlo.", "#stablehlo.bounds"));
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

// Passes an attribute that says nothing about where elements are: a number, "text", #name or #name<...>.
Status pass_attribute(Scanner& in) {
  in.skip_blanks();
  const int64_t start = in.offset();
  std::string_view text;
  int64_t number = 0;
  if (in.at("\"")) return in.quoted(&text, "a memory space");
  if (in.at_digit()) {
    XLASHAPE_TRY(in.integer(&number, false, "a memory space"));
    if (in.eat(":")) in.word();
    return XLASHAPE_STATUS_OK;
  }
  if (!in.eat("#")) return in.expected_at(start, "strided<...>, affine_map<...> or a memory space");
  do in.word();
  while (in.eat("."));
  int64_t depth = 0;
  do {
    if (in.eat("<"))
      ++depth;
    else if (in.eat(">"))
      --depth;
    else if (depth > 0 && !in.skip())
      return in.expected("'>'");
  } while (depth > 0);
  return XLASHAPE_STATUS_OK;
}

// "2x3x" and a type. Sizes of a vector are numbers.
Status sizes_and_type(Scanner& in, bool vector, SmallVec<int64_t, 8>* dimensions, int32_t* type, Error* err) {
  while (in.at_digit() || in.at("?") || in.at("[")) {
    if (in.at("[") && vector)
      return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, in.offset(),
                     "a scalable vector's size is a multiple that only the processor knows: write the size, as in 4x");
    if (in.at("[") || (vector && in.at("?"))) return in.expected("a size");
    int64_t size = XLASHAPE_DIMENSION_UNBOUNDED;
    if (!in.eat("?")) XLASHAPE_TRY(in.integer(&size, false, "a size"));
    XLASHAPE_TRY(in.need("x", "'x' after a dimension"));
    dimensions->push_back(size);
  }
  return element_type(in, type, err);
}

SmallVec<uint8_t, 8> unknown(const SmallVec<int64_t, 8>& dimensions) {
  SmallVec<uint8_t, 8> dynamic;
  for (const int64_t size : dimensions) dynamic.push_back(size == XLASHAPE_DIMENSION_UNBOUNDED);
  return dynamic;
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

Status print_memref(const Shape& shape, std::string* text, Error* err) {
  if (!shape.is_array() || shape.any_dynamic)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "only arrays of known sizes have a memref type here");
  const ElementTypeInfo& type = element_type_info(shape.element_type);
  if (*type.mlir == 0) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "MLIR has no type for %s", type.name());
  *text = "memref<";
  for (const int64_t size : shape.dimensions) *text += std::to_string(size) + "x";
  *text += type.mlir;
  XLASHAPE_TRY(print_memref_layout(shape, text, err));
  *text += '>';
  return XLASHAPE_STATUS_OK;
}

Status parse_mlir(std::string_view text, uint32_t flags, int64_t* offset, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  *offset = 0;
  if (in.eat("!stablehlo.token")) {
    XLASHAPE_TRY(in.end());
    return make_leaf(XLASHAPE_CATEGORY_TOKEN, shape, err);
  }
  const bool in_memory = in.eat("memref"), vector = in.eat("vector"), bare = in.at_digit() || in.at("?");
  if (!in_memory && !vector && !bare)
    XLASHAPE_TRY(in.need("tensor", "tensor<...>, memref<...>, vector<...> or !stablehlo.token"));
  if (!bare) XLASHAPE_TRY(in.need("<", "'<'"));
  if (in.at("*"))
    return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, in.offset(), "XLA has no shape for an array of unknown rank");
  SmallVec<int64_t, 8> dimensions;
  int32_t type = XLASHAPE_TYPE_INVALID;
  XLASHAPE_TRY(sizes_and_type(in, vector, &dimensions, &type, err));
  const SmallVec<uint8_t, 8> dynamic = unknown(dimensions);
  Ref<Layout> layout = in_memory ? make_row_major(dimensions.ssize()) : unsaid_layout(dimensions.ssize(), flags);
  if (in_memory) {
    bool any = false;  // a layout stands before the memory space
    while (in.eat(",")) {
      const bool is_layout = in.at("strided") || in.at("affine_map");
      if (is_layout && any) return in.expected("'>'");
      any = true;
      if (is_layout)
        XLASHAPE_TRY(read_memref_layout(in, dimensions, flags, &layout, offset, err));
      else
        XLASHAPE_TRY(pass_attribute(in));
    }
  } else if (!vector && in.eat(",")) {
    XLASHAPE_TRY(bounds(in, &dimensions));
  }
  if (!bare) XLASHAPE_TRY(in.need(">", "'>'"));
  XLASHAPE_TRY(in.end());
  const Status status = make_array(type, dimensions, dynamic, std::move(layout), shape, err);
  if (status) set_offset(err, 0);
  return status;
}

}  // namespace xlashape::core
