// SPDX-License-Identifier: Apache-2.0
// Any bytes as an array and as a layout in people's words: what is read must print in each notation that can say it,
// and read again to a shape with its elements in the same places; what is not must say where and why.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "index/index_map.h"
#include "interop/words.h"
#include "text/shape_text.h"

namespace {

using namespace xlashape::core;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_failure(Status status, const Error& err, std::string_view text) {
  check(status == XLASHAPE_STATUS_PARSE || status == XLASHAPE_STATUS_UNSUPPORTED ||
        status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_OVERFLOW ||
        (status == XLASHAPE_STATUS_NOT_FOUND && text.find("tpu:") != std::string_view::npos));  // a target's name
  check(err.code == status && err.message_len > 0);
  check(err.offset <= static_cast<int64_t>(text.size()) && (status != XLASHAPE_STATUS_PARSE || err.offset >= 0));
}

// The first element, the last one and some between lie where they lay.
void check_same_memory(const Shape& a, const Shape& b) {
  check(a.element_type == b.element_type && a.dimensions == b.dimensions);
  Ref<xlashape_index_map> from, to;
  if (a.any_unbounded || make_index_map(a, &from, nullptr)) return;
  for (const int64_t size : a.dimensions)
    if (size == 0) return;
  check(make_index_map(b, &to, nullptr) == XLASHAPE_STATUS_OK);
  SmallVec<int64_t, 8> index;
  index.resize(a.dimensions.size());
  for (int64_t step = 0; step < 40; ++step) {
    for (size_t d = 0; d < index.size(); ++d)
      index[d] = step == 1 ? a.dimensions[d] - 1 : step * static_cast<int64_t>(d + 1) * 7 % a.dimensions[d];
    int64_t x = -1, y = -2;
    const auto rank = static_cast<int64_t>(index.size());
    check(xlashape_index_map_linear_index(from.get(), index.data(), rank, &x, nullptr) == XLASHAPE_STATUS_OK);
    check(xlashape_index_map_linear_index(to.get(), index.data(), rank, &y, nullptr) == XLASHAPE_STATUS_OK);
    check(x == y);
  }
}

// What is printed of an array is read as the same one; but strides are not read with gaps between elements, which a
// tile makes that has more sizes than there are dimensions, nor with widths that overflow of an array without elements.
void try_notations(const Shape& shape) {
  const bool empty =
      std::find(shape.dimensions.begin(), shape.dimensions.end(), 0) != shape.dimensions.end() || !shape.is_array();
  bool longer = false;
  if (shape.layout)
    for (const int64_t sizes : shape.layout->tile_ranks) longer |= sizes > shape.rank();
  for (xlashape_notation notation = XLASHAPE_NOTATION_MLIR; notation <= XLASHAPE_NOTATION_JAX; ++notation) {
    auto err = XLASHAPE_INIT(Error);
    std::string text;
    if (print_as(shape, notation, 0, &text, &err)) {
      check(err.message_len > 0);
      continue;
    }
    const bool whole = notation <= XLASHAPE_NOTATION_NUMPY && notation != XLASHAPE_NOTATION_CUTE;
    Ref<Shape> again;
    const Status status =
        whole ? read_shape(text, 0, nullptr, &again, &err) : with_words(shape, text, 0, &again, nullptr, &err);
    if (status && (empty || (longer && whole))) continue;
    check(status == XLASHAPE_STATUS_OK);
    if (shape.is_array()) check_same_memory(shape, *again);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto err = XLASHAPE_INIT(Error);
  Ref<Shape> shape, destination, result;
  int64_t offset = 0;
  if (const Status status = read_shape(text, 0, &offset, &shape, &err)) {
    check(!shape);
    check_failure(status, err, text);
  } else {
    try_notations(*shape);
  }
  for (const char* of : {"f32[4,6,5,3]", "s4[40,300]"}) {
    Ref<Shape> array;
    check(parse_shape(of, 0, &array, nullptr) == XLASHAPE_STATUS_OK);
    destination = {};
    result = {};
    if (const Status status = with_words(*array, text, 0, &destination, &result, &err)) {
      check(!destination && !result);
      check_failure(status, err, text);
      continue;
    }
    check(destination->dimensions == array->dimensions && result->rank() == array->rank());
    try_notations(*destination);
    try_notations(*result);
  }
  return 0;
}
