/* SPDX-License-Identifier: Apache-2.0 */
// PJRT_Buffer_MemoryLayout of pjrt_c_api.h, by its documented fields, and the numbers of PJRT_Buffer_Type.
#pragma once
#include <cstddef>
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

struct PjrtTiled {
  size_t struct_size;
  void* extension_start;
  const int64_t* minor_to_major;
  size_t minor_to_major_size;
  const int64_t* tile_dims;      // all tiles' sizes, one tile after the other
  const size_t* tile_dim_sizes;  // [num_tiles]
  size_t num_tiles;
};
struct PjrtStrides {
  size_t struct_size;
  void* extension_start;
  const int64_t* byte_strides;
  size_t num_byte_strides;
};
struct PjrtMemoryLayout {
  size_t struct_size;
  void* extension_start;
  union {
    PjrtTiled tiled;
    PjrtStrides strides;
  };
  int32_t type;
};
inline constexpr int32_t kPjrtTiled = 0, kPjrtStrides = 1;

// Converts an element type to PJRT's number, and back; 0 (INVALID in both) where there is none.
int32_t pjrt_type(xlashape_element_type type) noexcept;
xlashape_element_type element_type_of_pjrt(int32_t number) noexcept;

Status layout_from_pjrt(const void* memory_layout, xlashape_element_type type, std::span<const int64_t> dimensions,
                        uint32_t flags, Ref<Layout>* layout, Error* err);

// Writes a PJRT_Buffer_MemoryLayout and the arrays it points to into a block of the caller. `flags`: XLASHAPE_PJRT_*.
class PjrtWriter {
 public:
  Status prepare(const Shape& shape, uint32_t flags, Error* err);
  int64_t size() const;
  void write(uint8_t* block) const;  // aligned for size_t

 private:
  Ref<Layout> layout_;  // Tiled
  SmallVec<int64_t, 8> byte_strides_;
  bool strided_ = false;
};

}  // namespace xlashape::core
