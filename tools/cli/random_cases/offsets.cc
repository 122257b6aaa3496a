// SPDX-License-Identifier: Apache-2.0
#include "offsets.h"

#include <algorithm>
#include <cstring>

namespace xlashape::cli {
namespace {

template <class T>
Word load_whole(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Writes copies of one container, from position 0 on.
void fill_positions(uint8_t* out, int64_t positions, int64_t bits, Word value) {
  if (bits < 8) {
    uint8_t byte = 0;
    for (int64_t bit = 0; bit < 8; bit += bits) store_word(&byte, bit, bits, value);
    std::memset(out, byte, static_cast<size_t>(positions * bits / 8));
    for (int64_t p = positions * bits / 8 * 8 / bits; p < positions; ++p) store_word(out, p * bits, bits, value);
    return;
  }
  const int64_t size = positions * bits / 8;
  if (size == 0) return;
  store_word(out, 0, bits, value);
  for (int64_t done = bits / 8; done < size; done *= 2)
    std::memcpy(out + done, out, static_cast<size_t>(std::min(done, size - done)));
}

// Moves one element after the other.
class Mover {
 public:
  Mover(const Offsets& from, const Offsets& to, const Integers& extent, const uint8_t* src, uint8_t* dst,
        uint8_t* known)
      : from_(from), to_(to), extent_(extent), src_(src), dst_(dst), known_(known) {}

  void run(int64_t src_bits, int64_t dst_bits, int64_t kept_bits) {
    const bool alike = src_bits == dst_bits && src_bits >= 8;
    if (alike && from_.has_tables() && to_.has_tables() && known_ == nullptr && !extent_.empty()) {
      switch (src_bits) {
        case 8:
          return copy_rows<uint8_t>();
        case 16:
          return copy_rows<uint16_t>();
        case 32:
          return copy_rows<uint32_t>();
        case 64:
          return copy_rows<uint64_t>();
        default:
          return copy_rows<Word>();
      }
    }
    const Word mask = kept_bits >= 128 ? ~Word{0} : (Word{1} << kept_bits) - 1;
    Integers step(extent_.size());
    do {
      Word value = load_word(src_, from_.bit_of(step), src_bits);
      if (src_bits != dst_bits) value &= mask;
      const int64_t bit = to_.bit_of(step);
      store_word(dst_, bit, dst_bits, value);
      if (known_ != nullptr) store_word(known_, bit, dst_bits, ~Word{0});
    } while (advance(&step, extent_));
  }

 private:
  // Containers of T as they are, along the longest dimension.
  template <class T>
  void copy_rows() {
    const auto along = static_cast<size_t>(std::max_element(extent_.begin(), extent_.end()) - extent_.begin());
    // Plain pointers, as the compiler must assume that writes could change the vectors.
    const int64_t *const from = from_.table(along).data(), *const to = to_.table(along).data();
    const auto count = static_cast<size_t>(extent_[along]);
    Integers rows = extent_;
    rows[along] = 1;
    Integers step(extent_.size());
    do {
      const int64_t src = from_.bit_of(step), dst = to_.bit_of(step);
      for (size_t i = 0; i < count; ++i)
        std::memcpy(dst_ + ((dst + to[i]) >> 3), src_ + ((src + from[i]) >> 3), sizeof(T));
    } while (advance(&step, rows));
  }

  const Offsets &from_, &to_;
  const Integers& extent_;
  const uint8_t* src_;
  uint8_t *dst_, *known_;
};

}  // namespace

Word load_word(const uint8_t* memory, int64_t bit, int64_t bits) {
  const uint8_t* const at = memory + (bit >> 3);
  switch (bits) {
    case 8:
      return *at;
    case 16:
      return load_whole<uint16_t>(at);
    case 32:
      return load_whole<uint32_t>(at);
    case 64:
      return load_whole<uint64_t>(at);
    case 128:
      return load_whole<Word>(at);
    default:
      return static_cast<Word>((*at >> (bit & 7)) & ((1 << bits) - 1));
  }
}

void store_word(uint8_t* memory, int64_t bit, int64_t bits, Word value) {
  uint8_t* const at = memory + (bit >> 3);
  if (bits < 8) {
    const int mask = ((1 << bits) - 1) << (bit & 7);
    *at = static_cast<uint8_t>((*at & ~mask) | ((static_cast<int>(value) << (bit & 7)) & mask));
  } else if (bits == 8) {
    *at = static_cast<uint8_t>(value);
  } else if (bits == 16) {
    const auto v = static_cast<uint16_t>(value);
    std::memcpy(at, &v, sizeof v);
  } else if (bits == 32) {
    const auto v = static_cast<uint32_t>(value);
    std::memcpy(at, &v, sizeof v);
  } else if (bits == 64) {
    const auto v = static_cast<uint64_t>(value);
    std::memcpy(at, &v, sizeof v);
  } else {
    std::memcpy(at, &value, sizeof value);
  }
}

Offsets::Offsets(Random& random, const ElementOffsets& side, const Integers& base, const Integers& extent, bool tables)
    : side_(side), base_(base) {
  if (base_.empty()) base_.assign(extent.size(), 0);
  if (std::any_of(extent.begin(), extent.end(), [](int64_t size) { return size == 0; })) return;
  start_ = asked(Integers(extent.size()));
  if (!tables) return;
  Integers step(extent.size());
  for (size_t d = 0; d < extent.size(); ++d) {
    Integers table(static_cast<size_t>(extent[d]));
    for (int64_t i = 0; i < extent[d]; ++i) {
      step[d] = i;
      table[static_cast<size_t>(i)] = asked(step) - start_;
    }
    step[d] = 0;
    tables_.push_back(std::move(table));
  }
  // Carries between dimensions, which only merged ones have, are visible at most positions.
  has_tables_ = true;
  for (int probe = 0; probe < 300 && has_tables_; ++probe) {
    for (size_t d = 0; d < extent.size(); ++d) step[d] = random.chance(30) ? extent[d] - 1 : random.below(extent[d]);
    has_tables_ = bit_of(step) == asked(step);
  }
}

int64_t Offsets::asked(const Integers& step) const {
  Integers index(step);
  for (size_t d = 0; d < index.size(); ++d) index[d] += base_[d];
  return side_.bit_of(index);
}

int64_t Offsets::bit_of(const Integers& step) const {
  if (!has_tables_) return asked(step);
  int64_t bit = start_;
  for (size_t d = 0; d < step.size(); ++d) bit += tables_[d][static_cast<size_t>(step[d])];
  return bit;
}

Expected expected_quickly(Random& random, const Request& request, const ElementOffsets& from, const ElementOffsets& to,
                          Bytes src, Bytes dst, bool tables) {
  const bool box = !request.extent.empty();
  Expected expected;
  expected.bytes.assign(dst.begin(), dst.end());
  uint8_t* const out = expected.bytes.data() - to.low();
  if (!box && !to.strided() && request.fill_policy == FillPolicy::kPadding && to.high() > 0) {
    uint8_t fill[16] = {};
    padding_container(request.dst, to.container(), fill);
    fill_positions(out, to.positions(), to.container(), load_word(fill, 0, to.container()));
    const int64_t end = to.positions() * to.container();
    if (end % 8 != 0) out[end / 8] &= static_cast<uint8_t>((1 << (end % 8)) - 1);
  }
  if (!box && !to.strided() && request.fill_policy == FillPolicy::kUnspecified) expected.known.assign(dst.size(), 0);
  const Integers extent = box ? request.extent : to.dimensions();
  if (std::any_of(extent.begin(), extent.end(), [](int64_t size) { return size == 0; })) return expected;
  const Offsets source(random, from, request.src_base, extent, tables),
      target(random, to, request.dst_base, extent, tables);
  Mover mover(source, target, extent, src.data() - from.low(), out,
              expected.known.empty() ? nullptr : expected.known.data() - to.low());
  mover.run(from.container(), to.container(), kept_bits(request.dst.element_type(), from.container(), to.container()));
  return expected;
}

}  // namespace xlashape::cli
