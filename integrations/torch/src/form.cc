// SPDX-License-Identifier: Apache-2.0
#include "form.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "element_types.h"

namespace xlashape_torch {
namespace {

using xlashape::ElementType;
using xlashape::Layout;
using xlashape::Shape;

// As one printable line; a NUL would end the exception's message.
std::string quoted(std::string_view text) {
  constexpr size_t kMost = 200;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string shown;
  for (const char each : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte < 0x20 || byte == 0x7f) {
      shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      shown += each;
    }
  }
  return "'" + shown + (text.size() > kMost ? "...'" : "'");
}

// The name of a dtype by PyTorch's number; those that XLA has types for are in the table of dtypes.
std::string dtype_name(int32_t code) {
  if (const Dtype* const found = dtype_of_code(code)) return found->name;
  if (code >= 30 && code <= 36) return "uint" + std::to_string(code - 29);
  if (code >= 37 && code <= 43) return "int" + std::to_string(code - 36);
  if (code == 8) return "complex32";
  if (code == 45) return "float4_e2m1fn_x2";
  return "dtype " + std::to_string(code) + " ";
}

// One of the checks here failed. `resolve` adds what the call was about, as to the library's failures.
[[noreturn]] void refuse(const std::string& text) { throw std::runtime_error(text); }

bool is_layout(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

Shape parse_shape(std::string_view text, const char* name) {
  auto shape = Shape::try_parse(text);
  if (!shape) refuse(std::string("'") + name + "' is no shape: " + shape.error().text());
  if (shape->category() != xlashape::Category::kArray) refuse(std::string("'") + name + "' is no array");
  return *std::move(shape);
}

Layout parse_layout(std::string_view text) {
  auto layout = Layout::try_parse(text);
  if (!layout) refuse("'to' is no layout: " + layout.error().text());
  return *std::move(layout);
}

// What the operator must know of a shape.
struct Facts {
  explicit Facts(const Shape& shape) : type(shape.element_type()), dimensions(shape.dimensions()) {
    const xlashape::Sizes sizes = shape.sizes();
    positions = sizes.storage_elements;
    bytes = sizes.bytes;
    whole = sizes.element_bits == storage_bits(type);
    row_major = whole && (!shape.has_layout() || is_row_major(shape.layout()));
  }
  bool is_row_major(const Layout& layout) const {
    const std::vector<int64_t> order = layout.minor_to_major();  // without an order a layout counts as row-major
    for (size_t i = 0; i < order.size(); ++i) {
      if (order[i] != static_cast<int64_t>(order.size() - 1 - i)) return false;
    }
    return layout.padded_dimensions().empty() && layout.tile_count() == 0 && layout.split_count() == 0 &&
           layout.tail_padding_alignment_in_elements() <= 1;
  }

  ElementType type;
  std::vector<int64_t> dimensions;
  int64_t positions;  // elements in memory, padding counted
  int64_t bytes;
  bool whole;      // each element takes the bytes of its type, no more and no less
  bool row_major;  // whole, the last dimension fastest, and neither padding nor tiles: by the layout, not by the sizes
};

const Dtype& known_dtype(int32_t code) {
  const Dtype* found = dtype_of_code(code);
  if (found == nullptr)
    refuse("XLA has no element type for this dtype: take view(torch.uint8), and name the type by a shape");
  return *found;
}

bool equal(std::span<const int64_t> a, std::span<const int64_t> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Checks that the tensor is what `facts` says; returns whether it is taken as memory.
bool check_source(const Request& request, const Facts& facts, const Shape& shape, const Dtype& dtype) {
  if (!facts.whole) {
    if (dtype.element_type != ElementType::kU8)
      refuse("elements of " + shape.to_string() + " have not the size of their type: its memory is of dtype uint8");
  } else if (!may_hold(dtype, facts.type)) {
    refuse("the dtype is not that of " + shape.to_string());
  }
  if (!request.of) return false;
  // A row-major array without padding may come with its dimensions, as such a result does.
  if (facts.row_major && equal(request.dimensions, facts.dimensions)) return false;
  const int64_t wanted = facts.whole ? facts.positions : facts.bytes;
  if (request.dimensions.size() != 1 || request.dimensions[0] != wanted) {
    refuse("the memory of " + shape.to_string() + " is one-dimensional, of " + std::to_string(wanted) +
           (facts.whole ? " elements" : " bytes"));
  }
  return true;
}

// Of the tensor if it has that already, else of the element type.
int32_t result_dtype(const Facts& source, const Facts& result, const Dtype& dtype) {
  if (!result.whole) return unsigned_of_bytes(1)->code;
  if (source.whole) return dtype.code;
  const Dtype* found = dtype_of_type(result.type);
  if (found == nullptr) found = unsigned_of_bytes(storage_bits(result.type) / 8);
  if (found == nullptr) refuse("PyTorch has no dtype for the result");
  return found->code;
}

std::pair<Shape, Shape> both_shapes(const Request& request, const Dtype& dtype) {
  if (request.of) {
    const Shape source = parse_shape(*request.of, "of");
    return {source,
            is_layout(request.to) ? source.with_layout(parse_layout(request.to)) : parse_shape(request.to, "to")};
  }
  if (is_layout(request.to)) {
    const Shape source = Shape::array(dtype.element_type, request.dimensions);
    return {source, source.with_layout(parse_layout(request.to))};
  }
  const Shape result = parse_shape(request.to, "to");
  return {Shape::array(result.element_type(), request.dimensions), result};
}

Form resolve_call(const Request& request) {
  const Dtype& dtype = known_dtype(request.dtype);
  const auto [source, result] = both_shapes(request, dtype);
  const Facts from(source), into(result);
  if (from.type != into.type || !equal(from.dimensions, into.dimensions)) {
    refuse(source.to_string() + " and " + result.to_string() + " are not the same array");
  }

  Form form;
  form.source_is_memory = check_source(request, from, source, dtype);
  form.result_dtype = result_dtype(from, into, dtype);
  form.result_bytes = into.bytes;
  if (into.whole && is_signed(into.type) && known_dtype(form.result_dtype).element_type == ElementType::kS8)
    form.sign_bits = 8 - bits(into.type);
  if (into.row_major) {
    form.result_dimensions = into.dimensions;
  } else {
    form.result_dimensions = {into.whole ? into.positions : into.bytes};
  }
  form.result_strides = contiguous_strides(form.result_dimensions);
  if (into.bytes == 0) return form;

  xlashape::PlanOptions options;
  if (request.in_place) {
    if (!is_contiguous(request.dimensions, request.strides)) refuse("in place: the tensor is not contiguous");
    options.flags = XLASHAPE_PLAN_IN_PLACE;
  }
  if (!form.source_is_memory && !is_contiguous(request.dimensions, request.strides)) {
    for (const int64_t stride : request.strides) options.src_byte_strides.push_back(stride * dtype.bytes);
  }
  form.plan = xlashape::Plan::create(source, result, options);
  return form;
}

}  // namespace

bool is_contiguous(std::span<const int64_t> dimensions, std::span<const int64_t> strides) {
  int64_t wanted = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    if (dimensions[i] == 0) return true;
    if (dimensions[i] == 1) continue;
    if (strides[i] != wanted) return false;
    wanted *= dimensions[i];
  }
  return true;
}

std::vector<int64_t> contiguous_strides(std::span<const int64_t> dimensions) {
  std::vector<int64_t> strides(dimensions.size());
  int64_t stride = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dimensions[i] > 0 ? dimensions[i] : 1;
  }
  return strides;
}

std::string describe(int32_t dtype, std::span<const int64_t> dimensions) {
  std::string text = dtype_name(dtype) + '[';
  for (size_t i = 0; i < dimensions.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(dimensions[i]);
  return text + ']';
}

Form resolve(const Request& request) {
  try {
    return resolve_call(request);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    std::string text = std::string("xlashape::relayout") + (request.in_place ? "_" : "") + " of a tensor " +
                       describe(request.dtype, request.dimensions);
    if (request.of) text += " of " + quoted(*request.of);
    throw std::runtime_error(text + " to " + quoted(request.to) + ": " + error.what());
  }
}

}  // namespace xlashape_torch
