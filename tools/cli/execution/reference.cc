// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>

#include "cli/base/failure.h"

namespace xlashape::cli {
namespace {

// A container's bits, lowest bit first.
using Field = std::array<uint8_t, 128>;

// The byte of memory with bits i to i+7 of a container. Containers of several bytes are in the machine's order.
int64_t byte_of(int64_t bit, int64_t i, int64_t bits) {
  if (std::endian::native == std::endian::big && bits > 8) return (bit >> 3) + (bits - 1 - i) / 8;
  return (bit + i) >> 3;  // bits may lie before the pointer
}

void load(const uint8_t* memory, int64_t bit, int64_t bits, Field* field) {
  for (int64_t i = 0; i < bits; ++i)
    (*field)[static_cast<size_t>(i)] = memory[byte_of(bit, i, bits)] >> ((bit + i) & 7) & 1;
}

void store(uint8_t* memory, int64_t bit, int64_t bits, const Field& field) {
  for (int64_t i = 0; i < bits; ++i) {
    uint8_t& byte = memory[byte_of(bit, i, bits)];
    const auto mask = static_cast<uint8_t>(1u << ((bit + i) & 7));
    byte = static_cast<uint8_t>(field[static_cast<size_t>(i)] ? byte | mask : byte & ~mask);
  }
}

// The lowest bit of a packed container at bit `bit` of an array whose elements start in the highest bits of a byte.
int64_t from_highest(int64_t bit, int64_t bits) { return (bit & ~int64_t{7}) + 8 - bits - (bit & 7); }

// The index along the dimension whose indices have scales of their own, -1: none has.
int64_t channel_of(const Integers& index, int64_t scale_dimension) {
  return scale_dimension < 0 ? 0 : index[static_cast<size_t>(scale_dimension)];
}
int64_t scale_dimension_of(const Request& request) { return request.scale.size() > 1 ? request.scale_dimension : -1; }

// Makes the destination's container of the source's.
void convert(OneValue& values, int64_t channel, int64_t from_bits, int64_t to_bits, Field* field) {
  alignas(16) uint8_t from[16] = {}, to[16] = {};
  store(from, 0, from_bits, *field);
  values.convert(from, to, channel);
  load(to, 0, to_bits, field);
}

// Clears the bits above the value.
void cut(Field* field, int64_t value_bits) { std::fill(field->begin() + value_bits, field->end(), uint8_t{0}); }

Field padding_field(const Shape& shape, int64_t value_bits) {
  const std::vector<uint8_t> element = padding_element(shape.element_type(), layout_of(shape).padding_value());
  Field field = {};
  for (int64_t i = 0; i < value_bits; ++i)  // little-endian on every machine
    field[static_cast<size_t>(i)] = element[static_cast<size_t>(i / 8)] >> (i % 8) & 1;
  return field;
}

// A container's first bits as a number.
std::string hex(const Field& field, int64_t bits) {
  std::string digits;
  for (int64_t i = (bits + 3) / 4; i-- > 0;) {
    unsigned digit = 0;
    for (int64_t bit = std::min(bits, 4 * i + 4); bit-- > 4 * i;) digit = digit * 2 + field[static_cast<size_t>(bit)];
    digits += "0123456789abcdef"[digit];
  }
  return "0x" + digits;
}

}  // namespace

int64_t kept_bits(ElementType type, int64_t from, int64_t to) {
  const int64_t bits = value_bits(type);
  return std::min(from, to) < bits ? 1 : bits;
}

bool advance(Integers* index, const Integers& extent) {
  for (size_t d = index->size(); d-- > 0;) {
    if (++(*index)[d] < extent[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

void padding_container(const Shape& shape, int64_t bits, uint8_t (&container)[16]) {
  store(container, 0, bits, padding_field(shape, value_bits(shape.element_type())));
}

ElementOffsets ElementOffsets::of_source(const Request& request) {
  return {request.src, request.src_byte_strides, request.src_element_strides, request.src_first_element};
}
ElementOffsets ElementOffsets::of_destination(const Request& request) {
  return {request.dst, request.dst_byte_strides, request.dst_element_strides, request.dst_first_element};
}

ElementOffsets::ElementOffsets(const Shape& shape, const Integers& byte_strides, const Integers& element_strides,
                               int64_t first)
    : dimensions_(shape.dimensions()),
      strides_(byte_strides.empty() ? element_strides : byte_strides),
      first_(first),
      strided_(!strides_.empty() || first != 0) {
  if (!strided_) {
    map_ = IndexMap::of(shape);
    container_ = container_bits(shape);
    high_ = shape.sizes().bytes;
    return;
  }
  if (byte_strides.empty()) {
    unit_bits_ = container_ = container_bits(shape);
  } else {
    container_ = (value_bits(shape.element_type()) + 7) / 8 * 8;
  }
  int64_t low = first_, last = first_;
  for (size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d] < 2) continue;
    const int64_t reach = (dimensions_[d] - 1) * strides_[d];
    low += std::min<int64_t>(reach, 0);
    last += std::max<int64_t>(reach, 0);
  }
  low_ = unit_bits_ < 8 ? low * unit_bits_ / 8 : low * (unit_bits_ / 8);  // packed: not negative
  high_ = (last * unit_bits_ + container_ + 7) / 8;
}

int64_t ElementOffsets::bit_of(const Integers& index) const {
  if (strided_) {
    int64_t at = first_;
    for (size_t d = 0; d < index.size(); ++d) at += dimensions_[d] < 2 ? 0 : index[d] * strides_[d];
    return at * unit_bits_;
  }
  return map_.linear_index(index) * container_;
}

Expected expected_result(const Request& request, const ElementOffsets& from, const ElementOffsets& to, Bytes src,
                         Bytes dst, OneValue* values) {
  const auto rank = static_cast<size_t>(to.rank());
  const bool box = !request.extent.empty();
  Expected expected;
  expected.bytes.assign(dst.begin(), dst.end());
  expected.known.assign(dst.size(), 0xff);
  uint8_t* const out = expected.bytes.data() - to.low();
  const bool src_high_first = (request.flags & XLASHAPE_PLAN_SRC_HIGH_FIRST) != 0;
  const bool dst_high_first = (request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) != 0;
  const auto place = [&](int64_t bit) { return dst_high_first ? from_highest(bit, to.container()) : bit; };

  // First the positions without an element; then the elements overwrite the others.
  if (!box && !to.strided() && request.fill_policy != FillPolicy::kPreserve) {
    const Field fill = padding_field(request.dst, value_bits(request.dst.element_type()));
    Integers index(rank);
    for (int64_t position = 0; position < to.positions(); ++position) {
      if (to.map().multidimensional_index(position, index)) {
        if (to.bit_of(index) != position * to.container())
          wrong("position {} holds an element that lies elsewhere", position);
        continue;
      }
      if (request.fill_policy == FillPolicy::kPadding) {
        store(out, place(position * to.container()), to.container(), fill);
      } else {
        const int64_t first = place(position * to.container());
        for (int64_t bit = first; bit < first + to.container(); ++bit)
          expected.known[static_cast<size_t>(bit / 8)] &= static_cast<uint8_t>(~(1u << (bit % 8)));
      }
    }
    for (int64_t spare = to.positions() * to.container(); spare < to.high() * 8; ++spare) {
      const int64_t bit = dst_high_first ? from_highest(spare, 1) : spare;
      const auto mask = static_cast<uint8_t>(1u << (bit % 8));
      if (request.fill_policy == FillPolicy::kPadding) {
        out[bit / 8] &= static_cast<uint8_t>(~mask);
      } else {
        expected.known[static_cast<size_t>(bit / 8)] &= static_cast<uint8_t>(~mask);
      }
    }
  }

  const int64_t scale_dimension = scale_dimension_of(request);
  const Integers extent = box ? request.extent : to.dimensions();
  if (std::any_of(extent.begin(), extent.end(), [](int64_t size) { return size == 0; })) return expected;
  const int64_t kept = kept_bits(request.dst.element_type(), from.container(), to.container());
  Integers step(rank), src_index(rank), dst_index(rank);
  do {
    for (size_t d = 0; d < rank; ++d) {
      src_index[d] = step[d] + (request.src_base.empty() ? 0 : request.src_base[d]);
      dst_index[d] = step[d] + (request.dst_base.empty() ? 0 : request.dst_base[d]);
    }
    Field field = {};
    const int64_t origin = from.bit_of(src_index);
    load(src.data() - from.low(), src_high_first ? from_highest(origin, from.container()) : origin, from.container(),
         &field);
    if (values != nullptr) {
      convert(*values, channel_of(src_index, scale_dimension), from.container(), to.container(), &field);
    } else if (from.container() != to.container()) {
      cut(&field, kept);
    }
    store(out, place(to.bit_of(dst_index)), to.container(), field);
  } while (advance(&step, extent));
  return expected;
}

ElementCheck::ElementCheck(const Request& request, Bytes src, Bytes dst, OneValue* values)
    : from_(ElementOffsets::of_source(request)),
      to_(ElementOffsets::of_destination(request)),
      src_(src),
      dst_(dst),
      values_(values),
      src_high_first_((request.flags & XLASHAPE_PLAN_SRC_HIGH_FIRST) != 0),
      dst_high_first_((request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) != 0),
      scale_dimension_(scale_dimension_of(request)),
      index_(static_cast<size_t>(to_.rank())) {
  const ElementType type = request.dst.element_type();
  kept_bits_ = kept_bits(type, from_.container(), to_.container());
  if (request.fill_policy != FillPolicy::kPadding) return;
  const Field fill = padding_field(request.dst, value_bits(type));
  fill_.assign(fill.begin(), fill.end());
}

bool ElementCheck::find(int64_t position) { return to_.map().multidimensional_index(position, index_); }

int64_t ElementCheck::origin_of(int64_t position) {
  return find(position) ? from_.bit_of(index_) / from_.container() : -1;
}

std::string ElementCheck::wrong_at(int64_t position) {
  const int64_t bits = to_.container();
  const int64_t at = dst_high_first_ ? from_highest(position * bits, bits) : position * bits;
  const bool element = find(position);
  if (!element && fill_.empty()) return {};
  Field found, source = {}, want = {};
  load(dst_.data(), at, bits, &found);
  int64_t origin = 0;
  if (element) {
    origin = from_.bit_of(index_);
    if (src_high_first_) origin = from_highest(origin, from_.container());
    load(src_.data(), origin, from_.container(), &source);
    want = source;
    if (values_ != nullptr) {
      convert(*values_, channel_of(index_, scale_dimension_), from_.container(), bits, &want);
    } else if (from_.container() != bits) {
      cut(&want, kept_bits_);
    }
  } else {
    std::copy(fill_.begin(), fill_.end(), want.begin());
  }
  if (std::equal(found.begin(), found.begin() + bits, want.begin())) return {};
  const std::string place = fmt::format("byte {}{}", at / 8, bits < 8 ? fmt::format(" bit {}", at % 8) : "");
  if (!element)
    return fmt::format("{} is padding and holds {}, the fill is {}", place, hex(found, bits), hex(want, bits));
  std::string index;
  for (const int64_t i : index_) index += (index.empty() ? "" : ",") + std::to_string(i);
  const std::string converted = values_ == nullptr ? "" : fmt::format(", which becomes {}", hex(want, bits));
  return fmt::format("{}, element [{}], holds {}, the source has {} at byte {}{}", place, index, hex(found, bits),
                     hex(values_ == nullptr ? want : source, values_ == nullptr ? bits : from_.container()), origin / 8,
                     converted);
}

std::string ElementCheck::wrong_tail() const {
  const int64_t used = to_.positions() * to_.container() % 8;
  if (used == 0 || fill_.empty()) return {};
  const int spare = dst_high_first_ ? dst_.back() & (0xff >> used) : dst_.back() >> used;
  if (spare == 0) return {};
  return fmt::format("the spare bits of byte {} are {:#x}, they must be 0", dst_.size() - 1, spare);
}

}  // namespace xlashape::cli
