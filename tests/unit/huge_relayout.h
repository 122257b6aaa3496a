/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts of arrays near 2^63 bytes, and of strides that reach as far: there is no memory for them, but plans are
// made.
#pragma once
#include "unit/random_relayout.h"

namespace xlashape::core::testing {

// Up to 2^bits, mostly a power of two or one beside it.
inline int64_t huge_number(Random& random, int64_t bits) {
  const int64_t power = int64_t{1} << random.in(0, bits);
  return std::max<int64_t>(1, power + (random.chance(60) ? 0 : random.in(-1, 1)));
}

inline Ref<Shape> huge_array(Random& random, const std::string& type, const std::vector<int64_t>& dimensions) {
  std::string words = permuted(random, 50, type, dimensions), notes;
  if (random.chance(50)) {
    notes += "T(" + std::to_string(huge_number(random, 40));
    notes += dimensions.size() > 1 && random.chance(50) ? "," + std::to_string(huge_number(random, 20)) + ")" : ")";
  }
  if (random.chance(70)) notes += type == "s4" ? "E(4)" : type == "u1" ? "E(1)" : "";
  return parsed(words + (notes.empty() ? "}" : ":" + notes + "}"));
}

// Which may be refused: too many bytes, strides that overlap.
inline Case huge_case(Random& random) {
  std::vector<int64_t> dimensions, larger;
  const bool has_box = random.chance(50);
  int64_t room = huge_number(random, 62);
  for (int64_t rank = random.in(1, 3); rank > 0; --rank) {
    larger.push_back(std::min(room, random.chance(30) ? random.in(1, 3) : huge_number(random, 62)));
    dimensions.push_back(has_box ? std::min(larger.back(), huge_number(random, 62)) : larger.back());
    room /= larger.back();
  }
  const bool grows = random.chance(50);  // which side is the larger one
  static const std::vector<std::string> types = {"u8", "c128", "s4", "u1"};
  const std::string type = random.of(types);
  Case c = case_of(huge_array(random, type, grows ? dimensions : larger),
                   huge_array(random, type, grows ? larger : dimensions), static_cast<int32_t>(random.in(0, 2)));
  const auto strides = [&](std::vector<int64_t>& list, RelayoutSide* side) {
    if (!random.chance(40)) return;
    for (size_t i = 0; i < dimensions.size(); ++i)
      list.push_back(huge_number(random, 62) * (random.chance(30) ? -1 : 1));
    side->byte_strides = list.data();
  };
  strides(c.src_strides, &c.request.src);
  strides(c.dst_strides, &c.request.dst);
  if (!has_box) return c;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t src = c.src->dimensions[i], dst = c.dst->dimensions[i];
    c.extent.push_back(random.chance(50) ? std::min<int64_t>(2, std::min(src, dst)) : random.in(1, std::min(src, dst)));
    c.src_base.push_back(random.chance(30) ? src - c.extent[i] : random.in(0, src - c.extent[i]));
    c.dst_base.push_back(random.chance(30) ? dst - c.extent[i] : random.in(0, dst - c.extent[i]));
  }
  c.request.extent = c.extent.data();
  c.request.src.base = c.src_base.data();
  c.request.dst.base = c.dst_base.data();
  return c;
}

// Nothing can run these, but they are planned, and a sanitizer sees what does not fit 64 bits. One in `share` at least
// is taken.
inline void plan_huge_cases(const OpenedBackend& backend, const std::string& name, int64_t count, int64_t share) {
  int64_t planned = 0;
  for (int64_t seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    planned += description(backend, huge_case(random)).find(name) == 0;
  }
  EXPECT_GT(planned, count / share);
}

}  // namespace xlashape::core::testing
