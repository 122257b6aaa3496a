#include <algorithm>
#include <cstdio>

#include "plans.h"

namespace api_fuzz {
namespace {

constexpr int64_t kMostElements = 1500, kMostPositions = 4096;
using Bits = unsigned __int128;

// One side: where an index lies, in bits from the pointer, and in how many.
class Side {
 public:
  Side(const xlashape_shape* shape, bool strided, const std::vector<int64_t>& strides, bool has_base,
       const std::vector<int64_t>& base)
      : strided_(strided), strides_(strides), rank_(xlashape_shape_rank(shape)) {
    if (has_base) base_ = base;
    base_.resize(static_cast<size_t>(rank_));
    xlashape_sizes sizes = {};
    sizes.struct_size = sizeof sizes;
    ok_ = xlashape_shape_sizes(shape, &sizes, nullptr) == XLASHAPE_STATUS_OK;
    layout_bits_ = sizes.element_bits;
    positions_ = sizes.storage_elements;
    if (!strided) ok_ = ok_ && xlashape_index_map_create(shape, &map_, nullptr) == XLASHAPE_STATUS_OK;
  }
  Side(const Side&) = delete;
  ~Side() { xlashape_index_map_release(map_); }

  bool ok() const { return ok_; }
  bool packs() const { return !strided_ && layout_bits_ < 8; }
  void settle(int32_t value_bits) { bits_ = strided_ ? (value_bits + 7) / 8 * 8 : layout_bits_; }
  int32_t bits() const { return bits_; }
  int64_t positions() const { return positions_; }

  int64_t place(const std::vector<int64_t>& offset) const {
    std::vector<int64_t> index(offset);
    for (size_t i = 0; i < index.size(); ++i) index[i] += base_[i];
    int64_t at = 0;
    if (strided_) {
      for (size_t i = 0; i < index.size(); ++i) at += index[i] == 0 ? 0 : strides_[i] * index[i];
      return at * 8;
    }
    check(xlashape_index_map_linear_index(map_, index.data(), rank_, &at, nullptr) == XLASHAPE_STATUS_OK,
          "an index of a shape is out of its range");
    return at * bits_;
  }
  bool is_padding(int64_t position) const {
    std::vector<int64_t> index(static_cast<size_t>(rank_));
    int32_t padding = 0;
    check(xlashape_index_map_multidimensional_index(map_, position, index.data(), rank_, &padding, nullptr) ==
              XLASHAPE_STATUS_OK,
          "a position has no answer");
    return padding != 0;
  }

 private:
  bool strided_, ok_;
  std::vector<int64_t> strides_, base_;
  int64_t rank_, positions_ = 0;
  int32_t layout_bits_ = 0, bits_ = 0;
  xlashape_index_map* map_ = nullptr;
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
  xlashape_layout* layout = nullptr;
  if (xlashape_shape_layout(shape, &layout, nullptr) != XLASHAPE_STATUS_OK) return 0;
  const int32_t value = xlashape_layout_padding_value(layout);
  xlashape_layout_release(layout);
  return value;
}

}  // namespace

xlashape_relayout_options Request::options() const {
  xlashape_relayout_options o = {};
  o.struct_size = sizeof o;
  o.flags = flags;
  o.fill_policy = fill_policy;
  static constexpr int64_t kNoEntries = 0;  // a scalar's lists are given, too
  const auto list = [](bool has, const std::vector<int64_t>& items) {
    return !has ? nullptr : items.empty() ? &kNoEntries : items.data();
  };
  o.src_space = src_space;
  o.dst_space = dst_space;
  o.device = device;
  o.backend = backend.empty() ? nullptr : backend.c_str();
  o.src_byte_strides = list(has_src_strides, src_strides);
  o.dst_byte_strides = list(has_dst_strides, dst_strides);
  o.src_base = list(has_src_base, src_base);
  o.dst_base = list(has_dst_base, dst_base);
  o.extent = list(has_extent, extent);
  return o;
}

Fields Request::fields(Input& input) const {
  Fields fields;
  const auto add = [&](int64_t number, bool is_said, const std::vector<int64_t>& values) {
    if (is_said) fields.insert(fields.begin() + input.below(size_of(fields) + 1), Field{number, values});
  };
  const auto add_one = [&](int64_t number, int64_t value) { add(number, value != 0 || input.one_in(4), {value}); };
  add_one(XLASHAPE_PLAN_FIELD_FLAGS, flags);
  add_one(XLASHAPE_PLAN_FIELD_FILL_POLICY, fill_policy);
  add_one(XLASHAPE_PLAN_FIELD_SRC_SPACE, src_space);
  add_one(XLASHAPE_PLAN_FIELD_DST_SPACE, dst_space);
  add_one(XLASHAPE_PLAN_FIELD_DEVICE, device);
  std::vector<int64_t> name;
  for (const char byte : backend) name.push_back(static_cast<unsigned char>(byte));
  add(XLASHAPE_PLAN_FIELD_BACKEND, !name.empty(), name);
  add(XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES, has_src_strides, src_strides);
  add(XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES, has_dst_strides, dst_strides);
  add(XLASHAPE_PLAN_FIELD_SRC_BASE, has_src_base, src_base);
  add(XLASHAPE_PLAN_FIELD_DST_BASE, has_dst_base, dst_base);
  add(XLASHAPE_PLAN_FIELD_EXTENT, has_extent, extent);
  return fields;
}

Request request_of(const Request& shapes, const Reading& reading) {
  Request made;
  made.src = shapes.src, made.dst = shapes.dst;
  made.flags = static_cast<uint32_t>(reading.one(XLASHAPE_PLAN_FIELD_FLAGS));
  made.fill_policy = static_cast<int32_t>(reading.one(XLASHAPE_PLAN_FIELD_FILL_POLICY));
  made.src_space = static_cast<int32_t>(reading.one(XLASHAPE_PLAN_FIELD_SRC_SPACE));
  made.dst_space = static_cast<int32_t>(reading.one(XLASHAPE_PLAN_FIELD_DST_SPACE));
  made.device = static_cast<int32_t>(reading.one(XLASHAPE_PLAN_FIELD_DEVICE));
  if (const Field* const name = reading.find(XLASHAPE_PLAN_FIELD_BACKEND))
    for (const int64_t byte : name->values) made.backend.push_back(static_cast<char>(byte));
  const auto take = [&](int64_t number, bool* has, std::vector<int64_t>* values) {
    const Field* const field = reading.find(number);
    *has = field != nullptr;
    if (*has) *values = field->values;
  };
  take(XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES, &made.has_src_strides, &made.src_strides);
  take(XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES, &made.has_dst_strides, &made.dst_strides);
  take(XLASHAPE_PLAN_FIELD_SRC_BASE, &made.has_src_base, &made.src_base);
  take(XLASHAPE_PLAN_FIELD_DST_BASE, &made.has_dst_base, &made.dst_base);
  take(XLASHAPE_PLAN_FIELD_EXTENT, &made.has_extent, &made.extent);
  return made;
}

void Request::print() const {
  for (const xlashape_shape* shape : {src, dst}) {
    char text[4096];
    int64_t needed;
    xlashape_shape_print(shape, 0, text, sizeof text, &needed, nullptr);
    std::fprintf(stderr, "%s\n", text);
  }
  std::fprintf(stderr, "flags %u, fill policy %d, spaces %d to %d, device %d, backend \"%s\"\n", flags, fill_policy,
               src_space, dst_space, device, backend.c_str());
  const auto list = [](const char* name, bool has, const std::vector<int64_t>& items) {
    if (!has) return;
    std::fprintf(stderr, "%s", name);
    for (const int64_t item : items) std::fprintf(stderr, " %lld", static_cast<long long>(item));
    std::fprintf(stderr, "\n");
  };
  list("src_byte_strides", has_src_strides, src_strides);
  list("dst_byte_strides", has_dst_strides, dst_strides);
  list("src_base", has_src_base, src_base);
  list("dst_base", has_dst_base, dst_base);
  list("extent", has_extent, extent);
}

std::optional<Expected> expect(const Request& r, const std::vector<uint8_t>& src, int64_t src_low,
                               const std::vector<uint8_t>& before, int64_t dst_low) {
  const std::vector<int64_t> extent = r.has_extent ? r.extent : dimensions_of(r.src);
  int64_t elements = 1;
  for (const int64_t size : extent)
    if (__builtin_mul_overflow(elements, size, &elements) || elements > kMostElements) return std::nullopt;
  Side from(r.src, r.has_src_strides, r.src_strides, r.has_src_base, r.src_base),
      to(r.dst, r.has_dst_strides, r.dst_strides, r.has_dst_base, r.dst_base);
  if (!from.ok() || !to.ok()) return std::nullopt;
  const xlashape_element_type type = xlashape_shape_element_type(r.src);
  const uint32_t classes = xlashape_element_type_classes(type);
  const bool is_small = (classes & XLASHAPE_CLASS_SUB_BYTE) != 0;
  int32_t value_bits = is_small ? xlashape_element_type_bits(type) : xlashape_element_type_storage_bits(type);
  if (type == XLASHAPE_TYPE_PRED && (from.packs() || to.packs())) value_bits = 1;
  from.settle(value_bits), to.settle(value_bits);

  Expected result{before, std::vector<uint8_t>(before.size(), 0xFF)};
  const bool whole = !r.is_box() && !r.has_dst_strides;
  if (whole && r.fill_policy != XLASHAPE_FILL_PRESERVE) {
    if (to.positions() > kMostPositions) return std::nullopt;
    if (r.fill_policy == XLASHAPE_FILL_UNSPECIFIED) std::fill(result.mask.begin(), result.mask.end(), 0);
    uint8_t natural[16] = {};
    int64_t needed = 0;
    check(xlashape_padding_element(type, padding_value_of(r.dst), natural, sizeof natural, &needed, nullptr) ==
              XLASHAPE_STATUS_OK,
          "a type without a padding element");
    const std::vector<uint8_t> bytes(natural, natural + 16);
    Bits fill = load(bytes, 0, 128);
    fill = cut(fill, value_bits);
    for (int64_t p = 0; r.fill_policy == XLASHAPE_FILL_PADDING && p < to.positions(); ++p)
      if (to.is_padding(p)) store(result.bytes, p * to.bits() - 8 * dst_low, to.bits(), fill);
    const int64_t end = to.positions() * to.bits();
    if (r.fill_policy == XLASHAPE_FILL_PADDING && end % 8 != 0)
      result.bytes.at(static_cast<size_t>(end / 8 - dst_low)) &= static_cast<uint8_t>((1 << (end % 8)) - 1);
  }
  std::vector<int64_t> at(extent.size());
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
