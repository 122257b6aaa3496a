#include "form.h"

#include <algorithm>
#include <stdexcept>

#include "element_types.h"

namespace xlashape_torch {
namespace {

struct ReleaseShape {
  void operator()(xlashape_shape* shape) const { xlashape_shape_release(shape); }
};
struct ReleaseLayout {
  void operator()(xlashape_layout* layout) const { xlashape_layout_release(layout); }
};
using ShapeHandle = std::unique_ptr<xlashape_shape, ReleaseShape>;
using LayoutHandle = std::unique_ptr<xlashape_layout, ReleaseLayout>;

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

// A library's failure, or one of the checks here. `resolve` adds what the call was about.
[[noreturn]] void refuse(const std::string& text) { throw std::runtime_error(text); }

std::string message_of(const xlashape_error& error) {
  return error.message + (error.offset < 0 ? std::string() : " (at byte " + std::to_string(error.offset) + ")");
}

void require(xlashape_status status, const xlashape_error& error) {
  if (status != XLASHAPE_STATUS_OK) refuse(message_of(error));
}

std::string text_of(const xlashape_shape* shape) {
  std::string text(256, '\0');
  for (int64_t needed = 0;;) {
    xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
    const xlashape_status status =
        xlashape_shape_print(shape, 0, text.data(), static_cast<int64_t>(text.size()), &needed, &error);
    if (status == XLASHAPE_STATUS_OK) return text.c_str();
    if (needed <= static_cast<int64_t>(text.size())) return "a shape that cannot be printed";
    text.resize(static_cast<size_t>(needed));
  }
}

bool is_layout(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

ShapeHandle parse_shape(std::string_view text, const char* name) {
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  xlashape_shape* shape = nullptr;
  const auto length = static_cast<int64_t>(text.size());
  if (xlashape_shape_parse(text.data(), length, 0, &shape, &error) != XLASHAPE_STATUS_OK) {
    refuse(std::string("'") + name + "' is no shape: " + message_of(error));
  }
  ShapeHandle result(shape);
  if (xlashape_shape_category(shape) != XLASHAPE_CATEGORY_ARRAY) {
    refuse(std::string("'") + name + "' is no array");
  }
  return result;
}

LayoutHandle parse_layout(std::string_view text) {
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  xlashape_layout* layout = nullptr;
  const auto length = static_cast<int64_t>(text.size());
  if (xlashape_layout_parse(text.data(), length, &layout, &error) != XLASHAPE_STATUS_OK) {
    refuse("'to' is no layout: " + message_of(error));
  }
  return LayoutHandle(layout);
}

ShapeHandle array_of(xlashape_element_type type, std::span<const int64_t> dimensions) {
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  xlashape_shape* shape = nullptr;
  require(xlashape_shape_create_array(type, dimensions.data(), nullptr, static_cast<int64_t>(dimensions.size()),
                                      nullptr, 0, &shape, &error),
          error);
  return ShapeHandle(shape);
}

ShapeHandle with_layout(const xlashape_shape* shape, const xlashape_layout* layout) {
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  xlashape_shape* result = nullptr;
  require(xlashape_shape_with_layout(shape, layout, &result, &error), error);
  return ShapeHandle(result);
}

// What the operator must know of a shape, all of it read from the library.
struct Facts {
  xlashape_element_type type;
  std::vector<int64_t> dimensions;
  int64_t positions;  // elements in memory, padding counted
  int64_t bytes;
  bool whole;      // each element takes the bytes of its type, no more and no less
  bool row_major;  // whole, the last dimension fastest, and neither padding nor tiles: by the layout, not by the sizes
};

bool row_major(const xlashape_shape* shape, size_t rank) {
  if (xlashape_shape_has_layout(shape) == 0) return true;
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  xlashape_layout* found = nullptr;
  require(xlashape_shape_layout(shape, &found, &error), error);
  const LayoutHandle layout(found);
  std::vector<int64_t> order(rank);
  int64_t needed = 0;
  const auto room = static_cast<int64_t>(rank);
  require(xlashape_layout_minor_to_major(found, order.data(), room, &needed, &error), error);
  for (size_t i = 0; needed != 0 && i < rank; ++i) {  // a layout without an order counts as row-major
    if (order[i] != static_cast<int64_t>(rank - 1 - i)) return false;
  }
  needed = 0;
  std::vector<int64_t> padded(rank);
  require(xlashape_layout_padded_dimensions(found, padded.data(), room, &needed, &error), error);
  return needed == 0 && xlashape_layout_tile_count(found) == 0 && xlashape_layout_split_count(found) == 0 &&
         xlashape_layout_tail_padding_alignment_in_elements(found) <= 1;
}

Facts facts_of(const xlashape_shape* shape) {
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  Facts facts = {};
  facts.type = xlashape_shape_element_type(shape);
  facts.dimensions.resize(static_cast<size_t>(xlashape_shape_rank(shape)));
  int64_t needed = 0;
  require(xlashape_shape_dimensions(shape, facts.dimensions.data(), static_cast<int64_t>(facts.dimensions.size()),
                                    &needed, &error),
          error);
  xlashape_sizes sizes = {};
  sizes.struct_size = sizeof sizes;
  require(xlashape_shape_sizes(shape, &sizes, &error), error);
  facts.positions = sizes.storage_elements;
  facts.bytes = sizes.bytes;
  facts.whole = sizes.element_bits == xlashape_element_type_storage_bits(facts.type);
  facts.row_major = facts.whole && row_major(shape, facts.dimensions.size());
  return facts;
}

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
bool check_source(const Request& request, const Facts& facts, const xlashape_shape* shape, const Dtype& dtype) {
  if (!facts.whole) {
    if (dtype.element_type != XLASHAPE_TYPE_U8)
      refuse("elements of " + text_of(shape) + " have not the size of their type: its memory is of dtype uint8");
  } else if (!may_hold(dtype, facts.type)) {
    refuse("the dtype is not that of " + text_of(shape));
  }
  if (!request.of) return false;
  // A row-major array without padding may come with its dimensions, as such a result does.
  if (facts.row_major && equal(request.dimensions, facts.dimensions)) return false;
  const int64_t wanted = facts.whole ? facts.positions : facts.bytes;
  if (request.dimensions.size() != 1 || request.dimensions[0] != wanted) {
    refuse("the memory of " + text_of(shape) + " is one-dimensional, of " + std::to_string(wanted) +
           (facts.whole ? " elements" : " bytes"));
  }
  return true;
}

// Of the tensor if it has that already, else of the element type.
int32_t result_dtype(const Facts& source, const Facts& result, const Dtype& dtype) {
  if (!result.whole) return unsigned_of_bytes(1)->code;
  if (source.whole) return dtype.code;
  const Dtype* found = dtype_of_type(result.type);
  if (found == nullptr) found = unsigned_of_bytes(xlashape_element_type_storage_bits(result.type) / 8);
  if (found == nullptr) refuse("PyTorch has no dtype for the result");
  return found->code;
}

Form resolve_call(const Request& request) {
  ShapeHandle source;
  ShapeHandle result;
  const Dtype& dtype = known_dtype(request.dtype);
  if (request.of) {
    source = parse_shape(*request.of, "of");
    if (is_layout(request.to)) {
      result = with_layout(source.get(), parse_layout(request.to).get());
    } else {
      result = parse_shape(request.to, "to");
    }
  } else if (is_layout(request.to)) {
    source = array_of(dtype.element_type, request.dimensions);
    result = with_layout(source.get(), parse_layout(request.to).get());
  } else {
    result = parse_shape(request.to, "to");
    source = array_of(xlashape_shape_element_type(result.get()), request.dimensions);
  }
  const Facts from = facts_of(source.get());
  const Facts into = facts_of(result.get());
  if (from.type != into.type || !equal(from.dimensions, into.dimensions)) {
    refuse(text_of(source.get()) + " and " + text_of(result.get()) + " are not the same array");
  }

  Form form;
  form.source_is_memory = check_source(request, from, source.get(), dtype);
  form.result_dtype = result_dtype(from, into, dtype);
  form.result_bytes = into.bytes;
  const bool is_signed = (xlashape_element_type_classes(into.type) & XLASHAPE_CLASS_SIGNED) != 0;
  if (into.whole && is_signed && known_dtype(form.result_dtype).element_type == XLASHAPE_TYPE_S8)
    form.sign_bits = 8 - xlashape_element_type_bits(into.type);
  if (into.row_major) {
    form.result_dimensions = into.dimensions;
  } else {
    form.result_dimensions = {into.whole ? into.positions : into.bytes};
  }
  form.result_strides = contiguous_strides(form.result_dimensions);
  if (into.bytes == 0) return form;

  xlashape_relayout_options options = {};
  options.struct_size = sizeof options;
  std::vector<int64_t> byte_strides;
  if (!form.source_is_memory && !is_contiguous(request.dimensions, request.strides)) {
    for (const int64_t stride : request.strides) byte_strides.push_back(stride * dtype.bytes);
    options.src_byte_strides = byte_strides.data();
  }
  xlashape_error error = {sizeof error, 0, 0, 0, 0, 0, {}};
  xlashape_plan* plan = nullptr;
  require(xlashape_plan_create(nullptr, source.get(), result.get(), &options, &plan, &error), error);
  form.plan.reset(plan);
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
  } catch (const std::runtime_error& error) {
    std::string text = "xlashape::relayout of a tensor " + describe(request.dtype, request.dimensions);
    if (request.of) text += " of " + quoted(*request.of);
    throw std::runtime_error(text + " to " + quoted(request.to) + ": " + error.what());
  }
}

}  // namespace xlashape_torch
