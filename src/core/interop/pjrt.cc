// SPDX-License-Identifier: Apache-2.0
#include "interop/pjrt.h"

#include <cstring>

#include "base/checked.h"
#include "base/limits.h"
#include "index/index_map.h"
#include "interop/strided.h"
#include "layout/layout_fields.h"
#include "layout/rearrange.h"
#include "layout/validate.h"
#include "xlashape_interop.h"

namespace xlashape::core {
namespace {

static_assert(sizeof(void*) != 8 ||
              (offsetof(PjrtMemoryLayout, tiled) == 16 && offsetof(PjrtMemoryLayout, type) == 72 &&
               offsetof(PjrtTiled, num_tiles) == 48 && sizeof(PjrtMemoryLayout) == 80));

static_assert(sizeof(PjrtMemoryLayout) % alignof(int64_t) == 0);  // numbers follow it

Status check_list(const void* items, size_t count, const char* name, Error* err) {
  if (count > kMaxListed)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s has %zu entries, the limit is %lld", name, count,
                ll(kMaxListed));
  if (count == 0 || items != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is NULL", name);
}

Status from_tiled(const PjrtTiled& tiled, size_t rank, Ref<Layout>* result, Error* err) {
  XLASHAPE_TRY(check_list(tiled.minor_to_major, tiled.minor_to_major_size, "tiled.minor_to_major", err));
  XLASHAPE_TRY(check_list(tiled.tile_dim_sizes, tiled.num_tiles, "tiled.tile_dim_sizes", err));
  if (tiled.minor_to_major_size != rank)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tiled.minor_to_major has %zu entries, the array has rank %zu",
                tiled.minor_to_major_size, rank);
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major.assign({tiled.minor_to_major, rank});
  size_t sizes = 0;
  for (size_t i = 0; i < tiled.num_tiles; ++i) {
    const size_t count = tiled.tile_dim_sizes[i];
    if (count > kMaxListed || (sizes += count) > kMaxListed)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tiled.tile_dim_sizes[%zu] is %zu, the limit is %lld", i,
                  count, ll(kMaxListed));
    layout->tile_ranks.push_back(static_cast<int64_t>(count));
  }
  XLASHAPE_TRY(check_list(tiled.tile_dims, sizes, "tiled.tile_dims", err));
  for (size_t i = 0; i < sizes; ++i)
    layout->tile_dimensions.push_back(tiled.tile_dims[i] == -1 ? XLASHAPE_COMBINE_DIMENSION : tiled.tile_dims[i]);
  XLASHAPE_TRY(validate_layout(*layout, err));
  *result = std::move(layout);
  return XLASHAPE_STATUS_OK;
}

Status from_strides(const PjrtStrides& strides, xlashape_element_type type, std::span<const int64_t> dimensions,
                    uint32_t flags, Ref<Layout>* layout, Error* err) {
  XLASHAPE_TRY(check_list(strides.byte_strides, strides.num_byte_strides, "strides.byte_strides", err));
  if (strides.num_byte_strides != dimensions.size())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "strides.byte_strides has %zu entries, the array has rank %zu",
                strides.num_byte_strides, dimensions.size());
  if (!is_array_type(type))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "element type %d is not one of an array", type);
  return layout_from_strides(dimensions, {strides.byte_strides, dimensions.size()},
                             element_type_info(type).storage_bits / 8, flags, layout, err);
}

Status no_pjrt_field(const char* word, const char* what, Error* err) {
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
              "the layout has %s(%s), for which PJRT has no field: remove it first, or ask to drop it", word, what);
}

}  // namespace

int32_t pjrt_type(xlashape_element_type type) noexcept { return element_type_info(type).pjrt; }

xlashape_element_type element_type_of_pjrt(int32_t number) noexcept {
  if (number == 0) return XLASHAPE_TYPE_INVALID;
  return find_element_type([&](const ElementTypeInfo& known) { return known.pjrt == number; });
}

Status layout_from_pjrt(const void* memory_layout, xlashape_element_type type, std::span<const int64_t> dimensions,
                        uint32_t flags, Ref<Layout>* layout, Error* err) {
  if (reinterpret_cast<uintptr_t>(memory_layout) % alignof(PjrtMemoryLayout) != 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "memory_layout is not aligned");
  // XLA's own client, and so jax, leaves the struct_sizes unset: they say nothing. All fields are of version 0.
  const auto& given = *static_cast<const PjrtMemoryLayout*>(memory_layout);
  if (given.type == kPjrtTiled) return from_tiled(given.tiled, dimensions.size(), layout, err);
  if (given.type == kPjrtStrides) return from_strides(given.strides, type, dimensions, flags, layout, err);
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "memory_layout.type is %d, neither Tiled (0) nor Strides (1)",
              given.type);
}

Status PjrtWriter::prepare(const Shape& shape, uint32_t flags, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape is not an array: PJRT has no layout for it");
  const Layout* layout = array->layout.get();
  const bool drop = (flags & XLASHAPE_PJRT_DROP) != 0;
  strided_ = (flags & XLASHAPE_PJRT_STRIDES) != 0;
  if (layout != nullptr && !drop) {
    for (const LayoutScalar& scalar : kLayoutScalars)
      if (is_set(*layout, scalar.member)) return no_pjrt_field(scalar.word, "n", err);
    if (!layout->split_sizes.empty()) return no_pjrt_field("SC", "...", err);
  }
  if (!strided_) {
    if (layout != nullptr && layout->has_padding())
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the layout has padded_dimensions, which Tiled cannot express");
    layout_ = layout != nullptr ? with_order(array->layout, array->rank()) : make_row_major(array->rank());
    for (const int64_t size : layout_->tile_dimensions)
      if (size < 0)  // XLA ends the process over it
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                    "the layout's tiles have * or d, which PJRT forbids in the layout of a buffer");
    return XLASHAPE_STATUS_OK;
  }
  // Byte strides count the type's own bytes per element: E(n) was refused above, or is dropped.
  Ref<Shape> bare;
  Ref<Layout> kept;
  if (layout != nullptr) {
    kept = copy_layout(*with_order(array->layout, array->rank()));
    static_cast<LayoutScalars&>(*kept) = {};
    kept->split_dimensions.clear();
    kept->split_sizes.clear();
    kept->split_indices.clear();
  }
  XLASHAPE_TRY(make_array(array->element_type, array->dimensions, array->dynamic, std::move(kept), &bare, err));
  const Shape* same;
  XLASHAPE_TRY(strides_of(*bare, "PJRT", &same, &byte_strides_, err));
  const int64_t bytes = element_type_info(array->element_type).storage_bits / 8;
  for (int64_t& stride : byte_strides_)
    if (!checked_mul(stride, bytes, &stride))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "a byte stride does not fit 64 bits");
  return XLASHAPE_STATUS_OK;
}

int64_t PjrtWriter::size() const {
  const size_t items =
      strided_ ? byte_strides_.size()
               : layout_->minor_to_major.size() + layout_->tile_ranks.size() + layout_->tile_dimensions.size();
  return static_cast<int64_t>(sizeof(PjrtMemoryLayout) + 8 * items);
}

void PjrtWriter::write(uint8_t* block) const {
  PjrtMemoryLayout head;
  std::memset(static_cast<void*>(&head), 0, sizeof head);
  head.struct_size = offsetof(PjrtMemoryLayout, type) + sizeof(int32_t);
  auto* at = block + sizeof head;
  const auto put = [&](std::span<const int64_t> items) {
    auto* place = reinterpret_cast<int64_t*>(at);
    if (!items.empty()) std::memcpy(place, items.data(), items.size_bytes());
    at += items.size_bytes();
    return items.empty() ? nullptr : place;
  };
  if (strided_) {
    head.type = kPjrtStrides;
    head.strides.struct_size = sizeof(PjrtStrides);
    head.strides.byte_strides = put(byte_strides_);
    head.strides.num_byte_strides = byte_strides_.size();
  } else {
    head.type = kPjrtTiled;
    head.tiled.struct_size = sizeof(PjrtTiled);
    head.tiled.minor_to_major = put(layout_->minor_to_major);
    head.tiled.minor_to_major_size = layout_->minor_to_major.size();
    head.tiled.tile_dims = put(layout_->tile_dimensions);
    auto* ranks = reinterpret_cast<size_t*>(at);
    for (size_t i = 0; i < layout_->tile_ranks.size(); ++i) ranks[i] = static_cast<size_t>(layout_->tile_ranks[i]);
    head.tiled.tile_dim_sizes = layout_->has_tiles() ? ranks : nullptr;
    head.tiled.num_tiles = layout_->tile_ranks.size();
  }
  std::memcpy(block, &head, sizeof head);
}

}  // namespace xlashape::core
