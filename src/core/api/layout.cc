// SPDX-License-Identifier: Apache-2.0
// Entry points: Layouts, except parsing and printing (text.cc).
#include "layout/layout.h"

#include <algorithm>

#include "api/answer.h"
#include "base/checked.h"
#include "base/struct_io.h"
#include "layout/validate.h"
#include "text/print.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

namespace {

// Reads a list of lists: the sizes of the inner lists, and their entries, concatenated.
Status read_nested(const int64_t* sizes, int64_t count, const int64_t* entries, const char* sizes_name,
                   const char* count_name, const char* entries_name, std::span<const int64_t>* sizes_out,
                   std::span<const int64_t>* entries_out, Error* err) {
  XLASHAPE_TRY(check_list(sizes, count, sizes_name, count_name, err));
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (sizes[i] < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s[%lld] is %lld, it must not be negative", sizes_name, ll(i),
                  ll(sizes[i]));
    if (!checked_add(total, sizes[i], &total) || total > kMaxListed)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s adds up to more than %lld", sizes_name, ll(kMaxListed));
  }
  if (total > 0) XLASHAPE_TRY(require(entries, entries_name, err));
  *sizes_out = list(sizes, count);
  *entries_out = list(entries, total);
  return XLASHAPE_STATUS_OK;
}

Status create(const xlashape_layout_spec& spec, xlashape_layout** result, Error* err) {
  XLASHAPE_TRY(require(result, "layout", err));
  XLASHAPE_TRY(check_list(spec.minor_to_major, spec.rank, "minor_to_major", "rank", err));
  std::span<const int64_t> tile_ranks, tile_dimensions, split_sizes, split_indices;
  XLASHAPE_TRY(read_nested(spec.tile_ranks, spec.tile_count, spec.tile_dimensions, "tile_ranks", "tile_count",
                           "tile_dimensions", &tile_ranks, &tile_dimensions, err));
  XLASHAPE_TRY(check_list(spec.split_dimensions, spec.split_count, "split_dimensions", "split_count", err));
  XLASHAPE_TRY(read_nested(spec.split_sizes, spec.split_count, spec.split_indices, "split_sizes", "split_count",
                           "split_indices", &split_sizes, &split_indices, err));

  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major.assign(list(spec.minor_to_major, spec.rank));
  layout->padded_dimensions.assign(list(spec.padded_dimensions, spec.rank));
  layout->padding_value = spec.padding_value;
  layout->tile_ranks.assign(tile_ranks);
  layout->tile_dimensions.assign(tile_dimensions);
  layout->element_size_in_bits = spec.element_size_in_bits;
  layout->tail_padding_alignment =
      spec.tail_padding_alignment_in_elements == 0 ? 1 : spec.tail_padding_alignment_in_elements;
  layout->memory_space = spec.memory_space;
  layout->split_dimensions.assign(list(spec.split_dimensions, spec.split_count));
  layout->split_sizes.assign(split_sizes);
  layout->split_indices.assign(split_indices);
  layout->metadata_prefix_bytes = spec.dynamic_shape_metadata_prefix_bytes;
  XLASHAPE_TRY(validate_layout(*layout, err));
  *result = layout.leak();
  return XLASHAPE_STATUS_OK;
}

// The `which`-th inner list of a list of lists.
std::span<const int64_t> inner(std::span<const int64_t> sizes, std::span<const int64_t> entries, int64_t which) {
  size_t first = 0;
  for (int64_t i = 0; i < which; ++i) first += static_cast<size_t>(sizes[static_cast<size_t>(i)]);
  return entries.subspan(first, static_cast<size_t>(sizes[static_cast<size_t>(which)]));
}

Status check_which(int64_t which, int64_t count, const char* name, Error* err) {
  if (which >= 0 && which < count) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "%s is %lld, not in [0, %lld)", name, ll(which), ll(count));
}

}  // namespace

extern "C" {

xlashape_status xlashape_layout_create(const xlashape_layout_spec* spec, xlashape_layout** layout,
                                       xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    xlashape_layout_spec own;
    XLASHAPE_TRY(read_struct(spec, &own, "spec", err));
    return create(own, layout, err);
  });
}

xlashape_status xlashape_layout_create_row_major(int64_t rank, xlashape_layout** layout, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_count(rank, "rank", err));
    *layout = make_row_major(rank).leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_layout_create_column_major(int64_t rank, xlashape_layout** layout, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_count(rank, "rank", err));
    *layout = make_column_major(rank).leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_layout* xlashape_layout_retain(const xlashape_layout* layout) { return Ref<Layout>::share(layout).leak(); }

void xlashape_layout_release(xlashape_layout* layout) { release(layout); }

int64_t xlashape_layout_rank(const xlashape_layout* layout) { return layout == nullptr ? 0 : layout->rank(); }

xlashape_status xlashape_layout_minor_to_major(const xlashape_layout* layout, int64_t* out, int64_t capacity,
                                               int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  return answer<int64_t>(layout->minor_to_major, out, capacity, needed, err);
}

xlashape_status xlashape_layout_logical_to_physical(const xlashape_layout* layout, int64_t* out, int64_t capacity,
                                                    int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    SmallVec<int64_t, 8> physical;
    physical.resize(layout->minor_to_major.size());
    for (int64_t i = 0; i < layout->rank(); ++i) physical[static_cast<size_t>(layout->major(i))] = i;
    return answer<int64_t>({physical.data(), physical.size()}, out, capacity, needed, err);
  });
}

xlashape_status xlashape_layout_padded_dimensions(const xlashape_layout* layout, int64_t* out, int64_t capacity,
                                                  int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  return answer<int64_t>(layout->padded_dimensions, out, capacity, needed, err);
}

xlashape_padding_value xlashape_layout_padding_value(const xlashape_layout* layout) {
  return layout == nullptr ? XLASHAPE_PAD_INVALID : static_cast<int32_t>(layout->padding_value);
}

int64_t xlashape_layout_tile_count(const xlashape_layout* layout) {
  return layout == nullptr ? 0 : layout->tile_ranks.ssize();
}

xlashape_status xlashape_layout_tile(const xlashape_layout* layout, int64_t level, int64_t* out, int64_t capacity,
                                     int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  XLASHAPE_TRY(check_which(level, layout->tile_ranks.ssize(), "level", err));
  return answer(inner(layout->tile_ranks, layout->tile_dimensions, level), out, capacity, needed, err);
}

int64_t xlashape_layout_element_size_in_bits(const xlashape_layout* layout) {
  return layout == nullptr ? 0 : layout->element_size_in_bits;
}

int64_t xlashape_layout_tail_padding_alignment_in_elements(const xlashape_layout* layout) {
  return layout == nullptr ? 0 : layout->tail_padding_alignment;
}

int64_t xlashape_layout_memory_space(const xlashape_layout* layout) {
  return layout == nullptr ? 0 : layout->memory_space;
}

int64_t xlashape_layout_dynamic_shape_metadata_prefix_bytes(const xlashape_layout* layout) {
  return layout == nullptr ? 0 : layout->metadata_prefix_bytes;
}

int64_t xlashape_layout_split_count(const xlashape_layout* layout) {
  return layout == nullptr ? 0 : layout->split_sizes.ssize();
}

xlashape_status xlashape_layout_split(const xlashape_layout* layout, int64_t split, int64_t* dimension, int64_t* out,
                                      int64_t capacity, int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  XLASHAPE_TRY(require(dimension, "dimension", err));
  XLASHAPE_TRY(check_which(split, layout->split_sizes.ssize(), "split", err));
  XLASHAPE_TRY(answer(inner(layout->split_sizes, layout->split_indices, split), out, capacity, needed, err));
  *dimension = layout->split_dimensions[static_cast<size_t>(split)];
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_layout_get_spec(const xlashape_layout* layout, xlashape_layout_spec* spec,
                                         xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  XLASHAPE_TRY(check_out_struct(spec, "spec", err));
  xlashape_layout_spec all = {};
  all.struct_size = sizeof all;
  all.padding_value = static_cast<int32_t>(layout->padding_value);
  all.rank = layout->rank();
  all.minor_to_major = layout->minor_to_major.data();
  all.padded_dimensions = layout->has_padding() ? layout->padded_dimensions.data() : nullptr;
  all.tile_count = layout->tile_ranks.ssize();
  all.tile_ranks = layout->tile_ranks.data();
  all.tile_dimensions = layout->tile_dimensions.data();
  all.element_size_in_bits = layout->element_size_in_bits;
  all.tail_padding_alignment_in_elements = layout->tail_padding_alignment;
  all.memory_space = layout->memory_space;
  all.split_count = layout->split_sizes.ssize();
  all.split_dimensions = layout->split_dimensions.data();
  all.split_sizes = layout->split_sizes.data();
  all.split_indices = layout->split_indices.data();
  all.dynamic_shape_metadata_prefix_bytes = layout->metadata_prefix_bytes;
  write_struct(spec, all);
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_layout_print_tile(const xlashape_layout* layout, int64_t level, char* text, int64_t capacity,
                                           int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
  XLASHAPE_TRY(check_which(level, layout->tile_ranks.ssize(), "level", err));
  return print_tile(inner(layout->tile_ranks, layout->tile_dimensions, level), text, capacity, needed, err);
}

xlashape_status xlashape_layout_print_split(const xlashape_layout* layout, int64_t split, char* text, int64_t capacity,
                                            int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(require(layout, "layout", err));
  XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
  XLASHAPE_TRY(check_which(split, layout->split_sizes.ssize(), "split", err));
  return print_split(layout->split_dimensions[static_cast<size_t>(split)],
                     inner(layout->split_sizes, layout->split_indices, split), text, capacity, needed, err);
}

int32_t xlashape_layout_is_dim0_major(const xlashape_layout* layout) {
  return layout != nullptr && std::is_sorted(layout->minor_to_major.begin(), layout->minor_to_major.end(),
                                             [](int64_t a, int64_t b) { return a > b; });
}

int32_t xlashape_layout_is_dim0_minor(const xlashape_layout* layout) {
  return layout != nullptr && std::is_sorted(layout->minor_to_major.begin(), layout->minor_to_major.end());
}

int32_t xlashape_layout_equal(const xlashape_layout* a, const xlashape_layout* b, uint32_t mask) {
  return a != nullptr && b != nullptr && equal(*a, *b, mask);
}

uint64_t xlashape_layout_hash(const xlashape_layout* layout, uint32_t mask) {
  return layout == nullptr ? 0 : hash(*layout, mask);
}

}  // extern "C"
