// SPDX-License-Identifier: Apache-2.0
#include "plans.h"

namespace api_fuzz {
namespace {

constexpr int64_t kMostElements = 1500, kMostPositions = 4096;
using Bits = unsigned __int128;

// One side: where an index lies, in bits from the pointer, and in how many.
class Places {
 public:
  Places(const Side& side, bool high_first)
      : strided_(side.is_strided()),
        in_elements_(side.in_elements || !side.strides),
        high_first_(high_first),
        first_(side.first),
        strides_(side.strides.value_or(List())),
        base_(side.base.value_or(List())),
        rank_(xlashape_shape_rank(side.shape)),
        map_(held<HeldMap>(xlashape_index_map_create, side.shape)) {
    base_.resize(static_cast<size_t>(rank_));
    auto sizes = XLASHAPE_INIT(xlashape_sizes);
    ok_ = xlashape_shape_sizes(side.shape, &sizes, nullptr) == XLASHAPE_STATUS_OK && (strided_ || map_ != nullptr);
    layout_bits_ = sizes.element_bits;
    positions_ = sizes.storage_elements;
  }

  bool ok() const { return ok_; }
  bool packs() const { return (!strided_ || in_elements_) && layout_bits_ < 8; }
  void settle(int32_t value_bits) { bits_ = strided_ && !in_elements_ ? (value_bits + 7) / 8 * 8 : layout_bits_; }
  int32_t bits() const { return bits_; }
  int64_t positions() const { return positions_; }

  int64_t place(const List& offset) const {
    List index(offset);
    for (size_t i = 0; i < index.size(); ++i) index[i] += base_[i];
    int64_t at = 0;
    if (strided_) {
      at = first_;
      for (size_t i = 0; i < index.size(); ++i) at += index[i] == 0 ? 0 : strides_[i] * index[i];
      return in_elements_ ? bit_of(at) : at * 8;
    }
    check(xlashape_index_map_linear_index(map_.get(), index.data(), rank_, &at, nullptr) == XLASHAPE_STATUS_OK,
          "an index of a shape is out of its range");
    return bit_of(at);
  }
  // Where that position lies.
  int64_t bit_of(int64_t position) const {
    const int64_t bit = position * bits_;
    return high_first_ && bits_ < 8 ? bit / 8 * 8 + 8 - bits_ - bit % 8 : bit;
  }
  bool is_padding(int64_t position) const {
    List index(static_cast<size_t>(rank_));
    int32_t padding = 0;
    check(xlashape_index_map_multidimensional_index(map_.get(), position, index.data(), rank_, &padding, nullptr) ==
              XLASHAPE_STATUS_OK,
          "a position has no answer");
    return padding != 0;
  }

 private:
  bool strided_, in_elements_, high_first_, ok_ = false;
  int64_t first_;
  List strides_, base_;
  int64_t rank_, positions_ = 0;
  int32_t layout_bits_ = 0, bits_ = 0;
  HeldMap map_;
};

Bits load(const std::vector<uint8_t>& bytes, int64_t bit, int32_t count) {
  Bits value = 0;
  if (count < 8) return static_cast<Bits>(bytes.at(static_cast<size_t>(bit / 8)) >> (bit % 8)) & ((1u << count) - 1);
  for (int32_t i = count / 8; i-- > 0;) value = value << 8 | bytes.at(static_cast<size_t>(bit / 8 + i));
  return value;
}

void store(std::vector<uint8_t>& bytes, int64_t bit, int32_t count, Bits value) {
  if (count < 8) {
    uint8_t& byte = bytes.at(static_cast<size_t>(bit / 8));
    const auto mask = static_cast<uint8_t>(((1u << count) - 1) << (bit % 8));
    byte =
        static_cast<uint8_t>((byte & ~mask) | (static_cast<uint8_t>(static_cast<uint32_t>(value) << (bit % 8)) & mask));
    return;
  }
  for (int32_t i = 0; i < count / 8; ++i)
    bytes.at(static_cast<size_t>(bit / 8 + i)) = static_cast<uint8_t>(value >> (8 * i));
}

Bits cut(Bits value, int32_t value_bits) {
  return value_bits >= 128 ? value : value & ((static_cast<Bits>(1) << value_bits) - 1);
}

int32_t padding_value_of(const xlashape_shape* shape) {
  return xlashape_layout_padding_value(held<HeldLayout>(xlashape_shape_layout, shape));
}

}  // namespace

std::optional<Expected> expect(const Request& r, const std::vector<uint8_t>& src, int64_t src_low,
                               const std::vector<uint8_t>& before, int64_t dst_low) {
  if ((r.flags & XLASHAPE_PLAN_CONVERT) != 0) return std::nullopt;
  const List extent = r.extent.value_or(dimensions_of(r.src.shape));
  int64_t elements = 1;
  for (const int64_t size : extent)
    if (__builtin_mul_overflow(elements, size, &elements) || elements > kMostElements) return std::nullopt;
  const bool high_first = (r.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) != 0;
  Places from(r.src, (r.flags & XLASHAPE_PLAN_SRC_HIGH_FIRST) != 0), to(r.dst, high_first);
  if (!from.ok() || !to.ok()) return std::nullopt;
  const xlashape_element_type type = xlashape_shape_element_type(r.src.shape);
  const uint32_t classes = xlashape_element_type_classes(type);
  const bool is_small = (classes & XLASHAPE_CLASS_SUB_BYTE) != 0;
  int32_t value_bits = is_small ? xlashape_element_type_bits(type) : xlashape_element_type_storage_bits(type);
  if (type == XLASHAPE_TYPE_PRED && (from.packs() || to.packs())) value_bits = 1;
  from.settle(value_bits), to.settle(value_bits);

  Expected result{before, std::vector<uint8_t>(before.size(), 0xFF)};
  const bool whole = !r.is_box() && !r.dst.is_strided();
  if (whole && r.fill_policy != XLASHAPE_FILL_PRESERVE) {
    if (to.positions() > kMostPositions) return std::nullopt;
    if (r.fill_policy == XLASHAPE_FILL_UNSPECIFIED) std::fill(result.mask.begin(), result.mask.end(), 0);
    uint8_t natural[16] = {};
    int64_t needed = 0;
    check(xlashape_padding_element(type, padding_value_of(r.dst.shape), natural, sizeof natural, &needed, nullptr) ==
              XLASHAPE_STATUS_OK,
          "a type without a padding element");
    const std::vector<uint8_t> bytes(natural, natural + 16);
    Bits fill = load(bytes, 0, 128);
    fill = cut(fill, value_bits);
    for (int64_t p = 0; r.fill_policy == XLASHAPE_FILL_PADDING && p < to.positions(); ++p)
      if (to.is_padding(p)) store(result.bytes, to.bit_of(p) - 8 * dst_low, to.bits(), fill);
    const int64_t end = to.positions() * to.bits();
    if (r.fill_policy == XLASHAPE_FILL_PADDING && end % 8 != 0)
      result.bytes.at(static_cast<size_t>(end / 8 - dst_low)) &=
          static_cast<uint8_t>(high_first ? 0xFF << (8 - end % 8) : (1 << (end % 8)) - 1);
  }
  List at(extent.size());
  for (int64_t n = 0; n < elements; ++n) {
    Bits value = load(src, from.place(at) - 8 * src_low, from.bits());
    if (from.bits() != to.bits()) value = cut(value, value_bits);
    const int64_t place = to.place(at) - 8 * dst_low;
    store(result.bytes, place, to.bits(), value);
    if (whole && r.fill_policy == XLASHAPE_FILL_UNSPECIFIED) store(result.mask, place, to.bits(), ~Bits{0});
    for (size_t i = extent.size(); i-- > 0; at[i] = 0)
      if (++at[i] < extent[i]) break;
  }
  return result;
}

}  // namespace api_fuzz
