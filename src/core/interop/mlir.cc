// SPDX-License-Identifier: Apache-2.0
// MLIR's ranked tensors: tensor<128x256xbf16>, tensor<?x4xf32, #stablehlo.bounds<8, ?>> where a size is a bound.
#include "interop/foreign.h"
#include "interop/scanner.h"
#include "interop/strided.h"

namespace xlashape::core {
namespace {

struct MlirName {
  int32_t type;
  char mlir[16];
};
// s1 has no name: i1 is pred.
constexpr MlirName kNames[] = {
    {XLASHAPE_TYPE_PRED, "i1"},
    {XLASHAPE_TYPE_S2, "i2"},
    {XLASHAPE_TYPE_S4, "i4"},
    {XLASHAPE_TYPE_S8, "i8"},
    {XLASHAPE_TYPE_S16, "i16"},
    {XLASHAPE_TYPE_S32, "i32"},
    {XLASHAPE_TYPE_S64, "i64"},
    {XLASHAPE_TYPE_U1, "ui1"},
    {XLASHAPE_TYPE_U2, "ui2"},
    {XLASHAPE_TYPE_U4, "ui4"},
    {XLASHAPE_TYPE_U8, "ui8"},
    {XLASHAPE_TYPE_U16, "ui16"},
    {XLASHAPE_TYPE_U32, "ui32"},
    {XLASHAPE_TYPE_U64, "ui64"},
    {XLASHAPE_TYPE_F16, "f16"},
    {XLASHAPE_TYPE_BF16, "bf16"},
    {XLASHAPE_TYPE_F32, "f32"},
    {XLASHAPE_TYPE_F64, "f64"},
    {XLASHAPE_TYPE_C64, "complex<f32>"},
    {XLASHAPE_TYPE_C128, "complex<f64>"},
    {XLASHAPE_TYPE_F8E5M2, "f8E5M2"},
    {XLASHAPE_TYPE_F8E4M3, "f8E4M3"},
    {XLASHAPE_TYPE_F8E4M3FN, "f8E4M3FN"},
    {XLASHAPE_TYPE_F8E4M3B11FNUZ, "f8E4M3B11FNUZ"},
    {XLASHAPE_TYPE_F8E5M2FNUZ, "f8E5M2FNUZ"},
    {XLASHAPE_TYPE_F8E4M3FNUZ, "f8E4M3FNUZ"},
    {XLASHAPE_TYPE_F8E3M4, "f8E3M4"},
    {XLASHAPE_TYPE_F8E8M0FNU, "f8E8M0FNU"},
    {XLASHAPE_TYPE_F4E2M1FN, "f4E2M1FN"},
    {XLASHAPE_TYPE_F6E3M2FN, "f6E3M2FN"},
    {XLASHAPE_TYPE_F6E2M3FN, "f6E2M3FN"},
};

Status element_type(Scanner& in, int32_t* type) {
  in.skip_blanks();
  const int64_t start = in.offset();
  std::string_view name = in.word();
  if (name == "complex") {
    XLASHAPE_TRY(in.need("<", "'<' after complex"));
    const std::string_view part = in.word();
    XLASHAPE_TRY(in.need(">", "'>' after complex's type"));
    name = part == "f32" ? "complex<f32>" : part == "f64" ? "complex<f64>" : "";
  }
  for (const MlirName& known : kNames)
    if (name == known.mlir) {
      *type = known.type;
      return XLASHAPE_STATUS_OK;
    }
  return in.expected_at(start, "an element type of MLIR");
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
  const char* name = nullptr;
  for (const MlirName& known : kNames)
    if (known.type == shape.element_type) name = known.mlir;
  if (name == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "MLIR has no type for %s",
                element_type_info(shape.element_type).name());
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
  *text += name;
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
