/* SPDX-License-Identifier: Apache-2.0 */
// Arrays as they are on a device, and as a host has them.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "error.h"

namespace pjrt_plugin {

using Numbers = std::vector<std::int64_t>;

// What is known of an array on a device, once for all buffers that have it. Immutable.
struct Array {
  xlashape::Shape shape;  // with the layout on the device
  xlashape::ElementType type;
  PJRT_Buffer_Type pjrt_type;
  Numbers dimensions;
  std::int64_t bytes;           // on the device
  std::string layout;           // its text
  std::string text;             // of the shape: equal for equal shapes
  bool is_plain;                // dense, in some order of the dimensions: what strides can say
  xlashape::Block pjrt_layout;  // as a PJRT_Buffer_MemoryLayout; empty where that cannot say it
};

// An array in the memory of the host: pointer at index 0...0.
struct HostArray {
  Numbers byte_strides;     // empty: as the layout says
  xlashape::Layout layout;  // empty: row-major
};

// The shape without a layout, for messages: "f32[2,3]".
std::string named(xlashape::ElementType type, const Numbers& dimensions);
// The element type of PJRT's number; INVALID_ARGUMENT where there is none that an array can have.
xlashape::ElementType type_of(PJRT_Buffer_Type type);
// The list with its count checked: INVALID_ARGUMENT where it is NULL and not empty. A plugin copies what it keeps.
Numbers numbers(const char* what, const std::int64_t* data, std::size_t count);

// Whether a layout says nothing but the order of the dimensions: no tiles, no gaps.
bool is_order(const xlashape::Layout& layout);
// The array as the target stores it: in its own layout, or in `wanted`. One that is only an order, without tiles, is
// one as jax gives it: the target keeps the order and adds its tiles, and packs elements of less than a byte.
std::shared_ptr<const Array> array_on(xlashape::Target target, xlashape::ElementType type, const Numbers& dimensions,
                                      const xlashape::Layout& wanted = {});
// The array with exactly that layout.
std::shared_ptr<const Array> array_of(const xlashape::Shape& shape);

// The host's array that `layout` describes; none: row-major.
HostArray host_array(const Array& array, const PJRT_Buffer_MemoryLayout* layout);

}  // namespace pjrt_plugin
