// SPDX-License-Identifier: Apache-2.0
// A layout for std::mdspan that places elements as an XLA layout does, including any tiles and padding.
//
//     using Extents = std::dextents<int64_t, 2>;
//     const xlashape::layout_xla::mapping<Extents> mapping(xlashape::IndexMap::of(shape), {rows, columns});
//     std::mdspan<float, Extents, xlashape::layout_xla> view(memory, mapping);
//
// Each access calls the library: it is for tests and for single elements, not for inner loops. Untested with
// std::mdspan itself, which no tested compiler has yet; the mapping is tested alone. Define XLASHAPE_MDSPAN to use it
// with another mdspan.
#ifndef XLASHAPE_MDSPAN_HPP_
#define XLASHAPE_MDSPAN_HPP_

#include "index_map.hpp"

#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan) || defined(XLASHAPE_MDSPAN)

namespace xlashape {

struct layout_xla {
  template <class Extents>
  class mapping {
   public:
    using extents_type = Extents;
    using index_type = typename Extents::index_type;
    using size_type = typename Extents::size_type;
    using rank_type = typename Extents::rank_type;
    using layout_type = layout_xla;

    mapping() noexcept = default;
    // `extents` are the shape's dimensions.
    mapping(IndexMap map, const extents_type& extents) noexcept : map_(std::move(map)), extents_(extents) {}

    const extents_type& extents() const noexcept { return extents_; }
    index_type required_span_size() const noexcept { return static_cast<index_type>(map_.storage_elements()); }
    template <class... I>
    XLASHAPE_THROWS index_type operator()(I... indices) const {
      return static_cast<index_type>(map_.linear_index({static_cast<std::int64_t>(indices)...}));
    }

    static constexpr bool is_always_unique() noexcept { return true; }
    static constexpr bool is_always_exhaustive() noexcept { return false; }
    static constexpr bool is_always_strided() noexcept { return false; }
    static constexpr bool is_unique() noexcept { return true; }
    bool is_exhaustive() const noexcept {
      std::int64_t elements = 1;
      for (rank_type i = 0; i < Extents::rank(); ++i) elements *= static_cast<std::int64_t>(extents_.extent(i));
      return elements == map_.storage_elements();
    }
    static constexpr bool is_strided() noexcept { return false; }

    friend bool operator==(const mapping& a, const mapping& b) noexcept {
      return a.map_ == b.map_ && a.extents_ == b.extents_;
    }
    friend bool operator!=(const mapping& a, const mapping& b) noexcept { return !(a == b); }

   private:
    IndexMap map_;
    extents_type extents_{};
  };
};

}  // namespace xlashape
#endif

#endif  // XLASHAPE_MDSPAN_HPP_
