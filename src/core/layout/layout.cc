// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.h"

#include "base/hash.h"
#include "layout/layout_fields.h"

namespace xlashape::core {

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

// The fields that `mask` ignores, as bits of FieldBits::equal.
static uint32_t ignored_by(uint32_t mask) { return mask & XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY ? ~uint32_t{0} : mask; }

bool equal(const Layout& a, const Layout& b, uint32_t mask) noexcept {
  const uint32_t ignored = ignored_by(mask);
  bool same = a.minor_to_major == b.minor_to_major;
  for_each_field([&](auto member, const FieldBits& bits) {
    same = same && ((ignored & bits.equal) != 0 || a.*member == b.*member);
  });
  return same;
}

uint64_t hash(const Layout& layout, uint32_t mask) noexcept {
  const uint32_t ignored = ignored_by(mask);
  Hash h;
  h.add(layout.minor_to_major);
  for_each_field([&](auto member, const FieldBits& bits) {
    if ((ignored & bits.equal) == 0) h.add(layout.*member);
  });
  return h.value();
}

}  // namespace xlashape::core
