// SPDX-License-Identifier: Apache-2.0
// Any bytes as MLIR's, CuTe's and NumPy's text: what is read must print, where it can, and read again to a shape with
// its elements in the same places; what is not must say where and why.
#include <cstdlib>
#include <string>

#include "interop/foreign.h"
#include "interop/strided.h"

namespace {

using namespace xlashape::core;

void check(bool holds) {
  if (!holds) std::abort();
}

// Every element lies where it lay. The order of dimensions of size 1 may differ: strides do not say it for certain.
void check_same_memory(const Shape& a, const Shape& b) {
  SmallVec<int64_t, 8> from, to;
  const Shape* array;
  if (!a.is_array() || a.any_dynamic || strides_of(a, "", &array, &from, nullptr)) return;
  check(strides_of(b, "", &array, &to, nullptr) == XLASHAPE_STATUS_OK);
  for (const int64_t size : a.dimensions)
    if (size == 0) return;
  for (size_t i = 0; i < from.size(); ++i) check(a.dimensions[i] == 1 || from[i] == to[i]);
}

template <class Parse, class Print>
void try_text(std::string_view text, Parse&& parse, Print&& print) {
  auto err = XLASHAPE_INIT(Error);
  Ref<Shape> shape, second;
  if (const Status status = parse(text, &shape, &err)) {
    check(!shape);
    check(status == XLASHAPE_STATUS_PARSE || status == XLASHAPE_STATUS_UNSUPPORTED ||
          status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_OVERFLOW);
    check(err.code == status && err.message_len > 0);
    check(status != XLASHAPE_STATUS_PARSE || (err.offset >= 0 && err.offset <= static_cast<int64_t>(text.size())));
    return;
  }
  std::string printed, again;
  // What was read may still have no word: sizes of 0 leave strides that overflow, for one.
  if (print(*shape, &printed, &err) != XLASHAPE_STATUS_OK) return check(err.message_len > 0);
  const Status reread = parse(printed, &second, &err);
  // An array without elements may have strides that fit alone and overflow as widths of a layout.
  for (const int64_t dimension : shape->dimensions)
    if (dimension == 0 && reread == XLASHAPE_STATUS_OVERFLOW) return;
  check(reread == XLASHAPE_STATUS_OK);
  check(shape->element_type == second->element_type && shape->dimensions == second->dimensions);
  const Status reprinted = print(*second, &again, &err);
  for (const int64_t dimension : shape->dimensions)
    if (dimension == 0 && reprinted == XLASHAPE_STATUS_OVERFLOW) return;
  check(reprinted == XLASHAPE_STATUS_OK);
  check_same_memory(*shape, *second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_text(text, parse_mlir,
           [](const Shape& shape, std::string* out, Error* err) { return print_mlir(shape, 0, out, err); });
  try_text(
      text,
      [](std::string_view all, Ref<Shape>* shape, Error* err) {
        return parse_cute(all, XLASHAPE_TYPE_F32, 0, shape, err);
      },
      print_cute);
  try_text(
      text, [](std::string_view all, Ref<Shape>* shape, Error* err) { return parse_numpy(all, 0, shape, err); },
      print_numpy);
  return 0;
}
