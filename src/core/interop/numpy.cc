// SPDX-License-Identifier: Apache-2.0
// NumPy: {'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}, the keywords of numpy.ndarray. Small types have the
// names that the package ml_dtypes gives them.
#include <bit>

#include "base/checked.h"
#include "index/index_map.h"
#include "interop/foreign.h"
#include "interop/scanner.h"
#include "interop/strided.h"
#include "shape/type_names.h"

namespace xlashape::core {
namespace {

Status element_type(Scanner& in, int64_t start, std::string_view text, int32_t* type, Error* err) {
  std::string_view code = text;
  const char order = text.empty() ? '\0' : text[0];
  const bool ordered = order == '<' || order == '>' || order == '=' || order == '|';
  if (ordered) code.remove_prefix(1);
  *type = find_element_type([&](const ElementTypeInfo& known) {
    return !code.empty() && (code == known.typestr || (!ordered && code == known.numpy));
  });
  if (*type == XLASHAPE_TYPE_INVALID && !ordered) *type = type_of_word(text);
  if (!is_array_type(*type)) {
    const char* nearest = nearest_type_name(text);
    if (nearest == nullptr) return in.expected_at(start, "the name of an element type");
    return fail_at(err, XLASHAPE_STATUS_PARSE, start,
                   "expected the name of an element type, found '%s': did you mean %s?", Quoted(text).c_str(),
                   element_type_info(element_type_from_name(nearest)).numpy);
  }
  const char other = std::endian::native == std::endian::little ? '>' : '<';
  if (order == other && element_type_info(*type).storage_bits != 8)
    return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, start, "dtype '%s' has the other byte order",
                   Quoted(text).c_str());
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status print_numpy(const Shape& shape, std::string* text, Error* err) {
  const Shape* array;
  SmallVec<int64_t, 8> strides;
  XLASHAPE_TRY(strides_of(shape, "NumPy", &array, &strides, err));
  const ElementTypeInfo& type = element_type_info(array->element_type);
  if (*type.numpy == 0) return fail(err, XLASHAPE_STATUS_INTERNAL, "no name for element type %d", array->element_type);
  const int64_t bits = type.storage_bits;
  if (container_bits(*array) != bits)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "each element takes %lld bits of memory, NumPy stores it in %lld",
                ll(container_bits(*array)), ll(bits));
  for (int64_t& stride : strides)
    if (!checked_mul(stride, bits / 8, &stride))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "a byte stride does not fit 64 bits");
  *text = "{'shape': ";
  add_tuple(text, array->dimensions);
  *text += ", 'strides': ";
  add_tuple(text, strides);
  *text += ", 'dtype': '";
  *text += type.numpy;
  *text += "'}";
  return XLASHAPE_STATUS_OK;
}

Status parse_numpy(std::string_view text, uint32_t flags, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  SmallVec<int64_t, 8> dimensions, strides;
  bool has_shape = false, has_strides = false, fortran = false;
  int32_t type = XLASHAPE_TYPE_INVALID;
  XLASHAPE_TRY(in.need("{", "'{'"));
  while (!in.at("}")) {
    in.skip_blanks();
    const int64_t start = in.offset();
    std::string_view key, value;
    XLASHAPE_TRY(in.quoted(&key, "a key in quotes or '}'"));
    XLASHAPE_TRY(in.need(":", "':' after the key"));
    in.skip_blanks();
    const int64_t value_start = in.offset();
    if (key == "shape" && !has_shape) {
      XLASHAPE_TRY(in.list(&dimensions, false, "a number"));
      has_shape = true;
    } else if (key == "strides" && !has_strides) {
      has_strides = !in.eat("None");
      if (has_strides) XLASHAPE_TRY(in.list(&strides, true, "a number"));
    } else if ((key == "dtype" || key == "typestr" || key == "descr") && type == XLASHAPE_TYPE_INVALID) {
      XLASHAPE_TRY(in.quoted(&value, "the name of an element type, in quotes"));
      XLASHAPE_TRY(element_type(in, value_start, value, &type, err));
    } else if (key == "fortran_order") {  // of the header of a .npy
      fortran = in.eat("True");
      if (!fortran) XLASHAPE_TRY(in.need("False", "True or False"));
    } else {
      return in.expected_at(start, "'shape', 'strides' or 'dtype', each once");
    }
    if (!in.eat(",")) break;
  }
  XLASHAPE_TRY(in.need("}", "',' or '}'"));
  XLASHAPE_TRY(in.end());
  if (!has_shape || type == XLASHAPE_TYPE_INVALID) return in.expected_at(0, "a 'shape' and a 'dtype'");
  Ref<Layout> layout;
  if (!has_strides) {
    layout = fortran ? make_column_major(dimensions.ssize()) : unsaid_layout(dimensions.ssize(), flags);
  } else if (strides.size() != dimensions.size()) {
    return in.expected_at(0, "as many strides as dimensions");
  } else {
    const Status status =
        layout_from_strides(dimensions, strides, element_type_info(type).storage_bits / 8, flags, &layout, err);
    if (status) return status;
  }
  return make_array(type, dimensions, {}, std::move(layout), shape, err);
}

}  // namespace xlashape::core
