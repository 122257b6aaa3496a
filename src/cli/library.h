// The C ABI as values: handles that count their references, answers as vectors and strings, errors as Failure. Nothing
// here knows more than xlashape.h says.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "failure.h"
#include "xlashape.h"

namespace xlashape::cli {

template <class T, T* (*retain)(const T*), void (*release)(T*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T* adopted) : handle_(adopted) {}
  Handle(const Handle& other) : handle_(retain(other.handle_)) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { release(handle_); }

  T* get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  T** out() {  // for a function that answers through T**
    *this = Handle();
    return &handle_;
  }

 private:
  T* handle_ = nullptr;
};

using Shape = Handle<xlashape_shape, xlashape_shape_retain, xlashape_shape_release>;
using Layout = Handle<xlashape_layout, xlashape_layout_retain, xlashape_layout_release>;
using IndexMap = Handle<xlashape_index_map, xlashape_index_map_retain, xlashape_index_map_release>;
inline xlashape_runtime* retain_runtime(const xlashape_runtime* runtime) {
  return xlashape_runtime_retain(const_cast<xlashape_runtime*>(runtime));
}
using Runtime = Handle<xlashape_runtime, retain_runtime, xlashape_runtime_release>;
using Plan = Handle<xlashape_plan, xlashape_plan_retain, xlashape_plan_release>;
using Numbers = std::vector<int64_t>;

Shape parse_shape(std::string_view text);
Layout parse_layout(std::string_view text);
std::string text_of(const Shape& shape);
std::string text_of(const Layout& layout);

Shape array_shape(xlashape_element_type type, const Numbers& dimensions, const Layout& layout);
Shape with_layout(const Shape& shape, const Layout& layout);
Layout row_major(int64_t rank);
Layout column_major(int64_t rank);

bool is_array(const Shape& shape);  // an array or a buffer
Numbers dimensions_of(const Shape& shape);
std::vector<uint8_t> dynamic_dimensions_of(const Shape& shape);
Layout layout_of(const Shape& shape);  // empty where there is none
Numbers minor_to_major_of(const Layout& layout);
Numbers padded_dimensions_of(const Layout& layout);  // empty where no widths are set
std::vector<Numbers> tiles_of(const Layout& layout);
Shape element_of(const Shape& tuple, int64_t index);

// Everything a layout says, to be changed and made a layout again.
struct LayoutParts {
  explicit LayoutParts(int64_t rank = 0) : minor_to_major(static_cast<size_t>(rank)) {}
  explicit LayoutParts(const Layout& layout);
  Layout make() const;

  Numbers minor_to_major;
  Numbers padded_dimensions;
  xlashape_padding_value padding_value = XLASHAPE_PAD_INVALID;
  std::vector<Numbers> tiles;
  int64_t element_size_in_bits = 0;
  int64_t tail_alignment = 1;
  int64_t memory_space = 0;
  int64_t metadata_prefix = 0;
  std::vector<std::pair<int64_t, Numbers>> splits;
};

xlashape_sizes sizes_of(const Shape& shape);
IndexMap index_map_of(const Shape& shape);
std::string describe(const Plan& plan);

// A backend of a runtime: what xlashape_backend_info says, and its texts.
struct BackendFacts {
  xlashape_backend_info info{};
  std::string name, path, detail;
};
std::vector<BackendFacts> backends_of(const Runtime& runtime);

// Bits of an element's value, and of the container it lies in under a shape's layout.
int64_t value_bits(xlashape_element_type type);
int64_t container_bits(const Shape& shape);

// The dimension that text names: a number (-rank to rank-1) or one of the letters of XLA's documentation.
int64_t dimension_named(int64_t rank, std::string_view text);
// "x", or "2" where the rank has no letters.
std::string dimension_name(int64_t rank, int64_t dimension);

// A whole decimal number with nothing around it.
std::optional<int64_t> number(std::string_view text);

}  // namespace xlashape::cli
