#include "layout/layout.h"

#include "base/hash.h"

namespace xlashape {

Ref<Layout> make_row_major(int64_t rank) {
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major.resize(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) layout->minor_to_major[static_cast<size_t>(i)] = rank - 1 - i;
  return layout;
}

Ref<Layout> make_column_major(int64_t rank) {
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major.resize(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) layout->minor_to_major[static_cast<size_t>(i)] = i;
  return layout;
}

bool equal(const Layout& a, const Layout& b, uint32_t mask) noexcept {
  if (!(a.minor_to_major == b.minor_to_major)) return false;
  if (mask & XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY) return true;
  const auto compares = [mask](uint32_t ignore) { return (mask & ignore) == 0; };
  if (compares(XLASHAPE_EQUAL_IGNORE_PADDING) &&
      !(a.padded_dimensions == b.padded_dimensions && a.padding_value == b.padding_value))
    return false;
  if (compares(XLASHAPE_EQUAL_IGNORE_TILES) &&
      !(a.tile_ranks == b.tile_ranks && a.tile_dimensions == b.tile_dimensions))
    return false;
  if (compares(XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT) && a.tail_padding_alignment != b.tail_padding_alignment)
    return false;
  if (compares(XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE) && a.element_size_in_bits != b.element_size_in_bits) return false;
  if (compares(XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE) && a.memory_space != b.memory_space) return false;
  if (compares(XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS) &&
      !(a.split_dimensions == b.split_dimensions && a.split_sizes == b.split_sizes &&
        a.split_indices == b.split_indices))
    return false;
  if ((mask & XLASHAPE_EQUAL_METADATA_PREFIX) && a.metadata_prefix_bytes != b.metadata_prefix_bytes) return false;
  return true;
}

uint64_t hash(const Layout& layout, uint32_t mask) noexcept {
  Hash h;
  h.add(layout.minor_to_major);
  if (mask & XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY) return h.value();
  const auto compares = [mask](uint32_t ignore) { return (mask & ignore) == 0; };
  if (compares(XLASHAPE_EQUAL_IGNORE_PADDING)) {
    h.add(layout.padded_dimensions);
    h.add(layout.padding_value);
  }
  if (compares(XLASHAPE_EQUAL_IGNORE_TILES)) {
    h.add(layout.tile_ranks);
    h.add(layout.tile_dimensions);
  }
  if (compares(XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT)) h.add(layout.tail_padding_alignment);
  if (compares(XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE)) h.add(layout.element_size_in_bits);
  if (compares(XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE)) h.add(layout.memory_space);
  if (compares(XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS)) {
    h.add(layout.split_dimensions);
    h.add(layout.split_sizes);
    h.add(layout.split_indices);
  }
  if (mask & XLASHAPE_EQUAL_METADATA_PREFIX) h.add(layout.metadata_prefix_bytes);
  return h.value();
}

}  // namespace xlashape
