// SPDX-License-Identifier: Apache-2.0
#include "plan/relayout.h"

#include <algorithm>
#include <bit>

#include "base/checked.h"
#include "index/index_map.h"
#include "ir/map.h"
#include "plan/nest.h"
#include "plan/values.h"
#include "shape/extents.h"

namespace xlashape::core {
namespace {

bool movable_container(int64_t bits) {
  return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

class RelayoutBuilder {
 public:
  RelayoutBuilder(const RelayoutRequest& request, Arena& arena, xlashape_relayout_ir* ir, Error* err)
      : request_(request),
        src_array_(*request.src.array),
        dst_array_(*request.dst.array),
        arena_(arena),
        ir_(*ir),
        err_(err) {}

  Status run() {
    ir_ = {};
    ir_.struct_size = sizeof ir_;
    XLASHAPE_TRY(check_shapes());
    XLASHAPE_TRY(check_strides(request_.src));
    XLASHAPE_TRY(check_strides(request_.dst));
    XLASHAPE_TRY(set_box());
    XLASHAPE_TRY(set_containers());
    XLASHAPE_TRY(build_values(request_, ir_, &values_, arena_, err_));
    ir_.values = values_;
    XLASHAPE_TRY(lower(request_.src, src_array_, ir_.src_container_bits, &src_));
    XLASHAPE_TRY(lower(request_.dst, dst_array_, ir_.dst_container_bits, &dst_));
    ir_.src = &src_->map;
    ir_.dst = &dst_->map;
    const bool only_elements = request_.extent != nullptr || request_.dst.is_strided();
    ir_.fill_policy = only_elements ? XLASHAPE_FILL_PRESERVE : request_.fill_policy;
    ir_.has_padding = !only_elements && dst_->map.positions != ir_.elements;
    ir_.flags = (only_elements ? XLASHAPE_IR_HAS_BOX : 0) | (request_.keep_in_cache ? XLASHAPE_IR_KEEP_IN_CACHE : 0) |
                (is_identity() ? XLASHAPE_IR_IS_IDENTITY : 0);
    set_fill();
    XLASHAPE_TRY(set_extents());
    add_nest();
    return XLASHAPE_STATUS_OK;
  }

 private:
  Status check_shapes() {
    if (src_array_.element_type != dst_array_.element_type && !request_.values.convert)
      return fail(
          err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
          "the source has element type %s, the destination %s: both must be the same, unless the relayout is to "
          "convert the values",
          element_type_info(src_array_.element_type).name(), element_type_info(dst_array_.element_type).name());
    if (src_array_.rank() != dst_array_.rank())
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "the source has rank %lld, the destination %lld",
                  ll(src_array_.rank()), ll(dst_array_.rank()));
    for (size_t i = 0; i < src_array_.dimensions.size(); ++i)
      if (request_.extent == nullptr && src_array_.dimensions[i] != dst_array_.dimensions[i])
        return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                    "dimension %zu is %lld in the source and %lld in the destination", i, ll(src_array_.dimensions[i]),
                    ll(dst_array_.dimensions[i]));
    if (request_.fill_policy < XLASHAPE_FILL_PADDING || request_.fill_policy > XLASHAPE_FILL_UNSPECIFIED)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "fill_policy is %d, it must be 0, 1 or 2",
                  request_.fill_policy);
    return XLASHAPE_STATUS_OK;
  }

  const char* name_of(const RelayoutSide& side) const { return &side == &request_.src ? "source" : "destination"; }

  Status check_strides(const RelayoutSide& side) {
    if (side.element_strides == nullptr && side.first_element != 0)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "the %s's first element is %lld, but there are no strides in elements", name_of(side),
                  ll(side.first_element));
    if (side.element_strides != nullptr && side.byte_strides != nullptr)
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "the %s has strides in bytes and in elements: give one",
                  name_of(side));
    return XLASHAPE_STATUS_OK;
  }

  Status set_box() {
    const size_t rank = src_array_.dimensions.size();
    if (request_.extent == nullptr && (request_.src.base != nullptr || request_.dst.base != nullptr))
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "a base is given without an extent, a box needs both");
    if (request_.extent != nullptr) {
      for (size_t i = 0; i < rank; ++i)
        if (request_.extent[i] < 0)
          return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "extent[%zu] is %lld, it must not be negative", i,
                      ll(request_.extent[i]));
      for (const RelayoutSide* side : {&request_.src, &request_.dst})
        XLASHAPE_TRY(check_box(side->array->dimensions, side->base, request_.extent, "box", name_of(*side), err_));
    }
    dimensions_ = arena_.copy(src_array_.dimensions.data(), rank);
    const int64_t* const origin =
        request_.src.base == nullptr || request_.dst.base == nullptr ? arena_.zeroed<int64_t>(rank) : nullptr;
    ir_.src_base = request_.src.base != nullptr ? arena_.copy(request_.src.base, rank) : origin;
    ir_.dst_base = request_.dst.base != nullptr ? arena_.copy(request_.dst.base, rank) : origin;
    ir_.extent = request_.extent != nullptr ? arena_.copy(request_.extent, rank) : dimensions_;
    ir_.elements = 1;
    // Cannot overflow: the box has no more elements than the source, whose bounded dimensions multiply in this order.
    // Unbounded ones are refused when the source is lowered.
    for (size_t i = 0; i < rank; ++i)
      if (src_array_.dimensions[i] != XLASHAPE_DIMENSION_UNBOUNDED) ir_.elements *= ir_.extent[i];
    return XLASHAPE_STATUS_OK;
  }

  // The bits of a side's values.
  static int32_t value_bits_of(const ElementTypeInfo& type) {
    return (type.classes & XLASHAPE_CLASS_SUB_BYTE) ? type.bits : type.storage_bits;
  }

  // Sets the value bits and the container of each side.
  Status set_containers() {
    struct Side {
      const char* name;
      const RelayoutSide& request;
      const Shape& array;
      int64_t value, bits;
    };
    Side sides[] = {{"source", request_.src, src_array_, 0, 0}, {"destination", request_.dst, dst_array_, 0, 0}};
    bool packs_pred = false;
    for (Side& side : sides) {
      side.value = value_bits_of(element_type_info(side.array.element_type));
      side.bits = side.request.byte_strides != nullptr ? 0 : container_bits(side.array);
      packs_pred |= side.array.element_type == XLASHAPE_TYPE_PRED && side.bits != 0 && side.bits < 8;
    }
    const bool same = src_array_.element_type == dst_array_.element_type;
    for (Side& side : sides) {
      // A pred has one value bit where a side packs it; between byte-sized containers its bytes are copied unchanged.
      if (packs_pred && side.array.element_type == XLASHAPE_TYPE_PRED && (same || (side.bits != 0 && side.bits < 8)))
        side.value = 1;
      if (side.bits == 0) side.bits = (side.value + 7) / 8 * 8;
      if (side.bits < side.value || !movable_container(side.bits))
        return fail(err_, XLASHAPE_STATUS_UNSUPPORTED,
                    "the %s keeps %s in %lld bits: a relayout needs 1, 2, 4, 8, 16, 32, 64 or 128, and at least %lld",
                    side.name, element_type_info(side.array.element_type).name(), ll(side.bits), ll(side.value));
    }
    const int64_t src = sides[0].bits, dst = sides[1].bits;
    ir_.value_bits = static_cast<int32_t>(sides[1].value);
    ir_.src_container_bits = static_cast<int32_t>(src);
    ir_.dst_container_bits = static_cast<int32_t>(dst);
    ir_.src_unit_bits = src < 8 ? static_cast<int32_t>(src) : 8;
    ir_.dst_unit_bits = dst < 8 ? static_cast<int32_t>(dst) : 8;
    return XLASHAPE_STATUS_OK;
  }

  Status lower(const RelayoutSide& side, const Shape& array, int32_t bits, Lowered** out) {
    *out = arena_.make<Lowered>(1);
    new (*out) Lowered;
    // Without a box both sides have the same dimensions.
    const size_t rank = array.dimensions.size();
    const std::span<const int64_t> dimensions(
        request_.extent == nullptr || &array == &src_array_ ? dimensions_ : arena_.copy(array.dimensions.data(), rank),
        rank);
    if (!side.is_strided()) return lower_layout(dimensions, array.layout.get(), bits, arena_, *out, err_);
    if (array.any_unbounded)
      return lower_layout(dimensions, nullptr, bits, arena_, *out, err_);  // which fails, with its message
    if (side.byte_strides != nullptr)
      lower_strides(dimensions, side.byte_strides, 8, 0, arena_, *out);
    else
      lower_strides(dimensions, side.element_strides, bits, side.first_element, arena_, *out);
    return XLASHAPE_STATUS_OK;
  }

  bool is_identity() const {
    if (request_.extent || request_.src.is_strided() || request_.dst.is_strided() || ir_.values) return false;
    if (ir_.src_container_bits != ir_.dst_container_bits || src_->map.positions != dst_->map.positions) return false;
    if (!src_->separable || !dst_->separable) {
      const Layout* a = src_array_.layout.get();
      const Layout* b = dst_array_.layout.get();
      return a && b && a->minor_to_major == b->minor_to_major && a->tile_ranks == b->tile_ranks &&
             a->tile_dimensions == b->tile_dimensions && a->padded_dimensions == b->padded_dimensions;
    }
    return std::equal(src_->factors.begin(), src_->factors.end(), dst_->factors.begin(), dst_->factors.end(),
                      [](const Factor& a, const Factor& b) {
                        return a.dimension == b.dimension && a.divisor == b.divisor && a.extent == b.extent &&
                               a.stride == b.stride;
                      });
  }

  // Sets the padding element, in the destination's container.
  void set_fill() {
    const Layout* layout = dst_array_.layout.get();
    uint8_t natural[16];
    padding_element(dst_array_.element_type, layout != nullptr ? static_cast<int32_t>(layout->padding_value) : 0,
                    natural);
    std::copy_n(natural, std::max(ir_.value_bits, 8) / 8, ir_.fill);
    if (std::endian::native == std::endian::big)
      std::reverse(ir_.fill, ir_.fill + std::max(ir_.dst_container_bits, 8) / 8);
  }

  // The bytes that a side's elements touch, relative to its pointer.
  Status touched_bytes(const RelayoutSide& side, const Lowered& map, const int64_t* base, int32_t bits, int64_t* low,
                       int64_t* high) {
    *low = *high = 0;
    if (ir_.elements == 0) return XLASHAPE_STATUS_OK;
    if (!side.is_strided()) {
      int64_t first = 0, end = map.map.data_positions;
      if (map.monotonic && ir_.elements != end) {
        int64_t last[ir::kMaxValues];
        for (int32_t i = 0; i < map.map.rank; ++i) last[i] = base[i] + ir_.extent[i] - 1;
        first = ir::position(map.map, base);
        end = ir::position(map.map, last) + 1;
      }
      if (!checked_bytes(end, bits, high))
        return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the storage has more bytes than fit 64 bits");
      *low = ir::byte_of(first, bits);  // less than `high`, so that it fits
      return XLASHAPE_STATUS_OK;
    }
    *low = *high = map.map.first_position;
    bool fits = true;
    for (int32_t o = 0; o < map.map.output_count; ++o) {
      const int32_t d = map.map.output_value[o];
      int64_t from, distance;
      fits = fits && checked_mul(map.map.output_stride[o], base[d], &from) &&
             checked_mul(map.map.output_stride[o], ir_.extent[d] - 1, &distance) && checked_add(*low, from, low) &&
             checked_add(*high, from, high) && checked_add(*low, std::min<int64_t>(distance, 0), low) &&
             checked_add(*high, std::max<int64_t>(distance, 0), high);
    }
    int64_t span;
    const int64_t last = side.byte_strides != nullptr ? bits / 8 : 1;
    if (!fits || !checked_add(*high, last, high) || !checked_sub(*high, *low, &span))
      return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the strides of the %s reach further than fits 64 bits",
                  name_of(side));
    if (side.byte_strides != nullptr) return XLASHAPE_STATUS_OK;
    if (*low < 0)
      return fail(err_, XLASHAPE_STATUS_OUT_OF_RANGE,
                  "the strides of the %s, whose first element is %lld, reach element %lld, before the pointer",
                  name_of(side), ll(side.first_element), ll(*low));
    if (!checked_bytes(*high, bits, high))
      return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the strides of the %s reach further than fits 64 bits",
                  name_of(side));
    *low = ir::byte_of(*low, bits);  // less than `high`, so that it fits
    return XLASHAPE_STATUS_OK;
  }

  Status set_extents() {
    XLASHAPE_TRY(touched_bytes(request_.src, *src_, ir_.src_base, ir_.src_container_bits, &ir_.src_low, &ir_.src_high));
    XLASHAPE_TRY(touched_bytes(request_.dst, *dst_, ir_.dst_base, ir_.dst_container_bits, &ir_.dst_low, &ir_.dst_high));
    if (request_.dst.is_strided()) return check_no_overlap();
    if ((ir_.flags & XLASHAPE_IR_HAS_BOX) == 0 && ir_.fill_policy != XLASHAPE_FILL_PRESERVE) {
      ir_.dst_low = 0;
      if (!checked_bytes(dst_->map.positions, ir_.dst_container_bits, &ir_.dst_high))
        return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the destination has more bytes than fit 64 bits");
    }
    return XLASHAPE_STATUS_OK;
  }

  // Each stride must step over everything that the smaller strides reach.
  Status check_no_overlap() {
    struct Step {
      int64_t stride, extent;
      int32_t dimension;
    };
    const auto count = static_cast<size_t>(dst_->map.output_count);
    auto* steps = arena_.make<Step>(count);
    size_t used = 0;
    for (size_t o = 0; o < count; ++o) {
      const int32_t d = dst_->map.output_value[o];
      if (ir_.extent[d] > 1) steps[used++] = {dst_->map.output_stride[o], ir_.extent[d], d};
    }
    std::sort(steps, steps + used,
              [&](const Step& a, const Step& b) { return magnitude(a.stride) < magnitude(b.stride); });
    const bool counts_bytes = request_.dst.byte_strides != nullptr;
    const char* const unit = counts_bytes ? "byte" : "element";
    uint64_t reach = counts_bytes ? static_cast<uint64_t>(ir_.dst_container_bits / 8) : 1;
    for (size_t i = 0; i < used && ir_.elements > 0; ++i) {
      if (magnitude(steps[i].stride) < reach)
        return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                    "destination %s stride %lld of dimension %d may overlap: the dimensions of smaller strides take "
                    "%llu %ss",
                    unit, ll(steps[i].stride), steps[i].dimension, static_cast<unsigned long long>(reach), unit);
      reach += magnitude(steps[i].stride) * static_cast<uint64_t>(steps[i].extent - 1);
    }
    return XLASHAPE_STATUS_OK;
  }

  void add_nest() {
    const auto scale = [](const RelayoutSide& side, int32_t bits) {
      return side.byte_strides || bits < 8 ? int64_t{1} : bits / 8;
    };
    const NestSide src{src_, ir_.src_base, scale(request_.src, ir_.src_container_bits)};
    const NestSide dst{dst_, ir_.dst_base, scale(request_.dst, ir_.dst_container_bits)};
    const std::span<const int64_t> extent(ir_.extent, src_array_.dimensions.size());
    const bool has_channels = values_ != nullptr && values_->scale_count > 1;
    Channels channels{has_channels ? values_->scale_dimension : -1};
    ir_.nest = ir_.elements > 0 ? build_nest(src, dst, extent, has_channels ? &channels : nullptr, arena_) : nullptr;
    if (has_channels && ir_.nest != nullptr) {
      values_->loop_count = ir_.nest->loop_count;
      values_->scale_step = channels.step;
      values_->scale_offset = channels.offset;
    }
    if (ir_.elements == 0 && dst_->separable) {  // nothing moves, but everything may be filled
      static constexpr xlashape_loops kNoElements = [] {
        xlashape_loops loops{};
        loops.struct_size = sizeof loops;
        loops.loop_count = 1;
        loops.extent = kZeroExtent;
        loops.src_stride = loops.dst_stride = loops.step = kZeroExtent;
        loops.guard = kNoGuard;
        return loops;
      }();
      ir_.nest = &kNoElements;
    }
    const bool fills = ir_.has_padding && ir_.fill_policy == XLASHAPE_FILL_PADDING;
    if (ir_.nest != nullptr && fills) ir_.fill_loops = build_fill_loops(*dst_, dst.scale, arena_);
  }

  static constexpr int64_t kZeroExtent[1] = {0};
  static constexpr int32_t kNoGuard[1] = {-1};

  const RelayoutRequest& request_;
  const Shape& src_array_;
  const Shape& dst_array_;
  Arena& arena_;
  xlashape_relayout_ir& ir_;
  Error* err_;
  const int64_t* dimensions_ = nullptr;  // of the source
  Lowered* src_ = nullptr;
  Lowered* dst_ = nullptr;
  xlashape_value_ir* values_ = nullptr;
};

}  // namespace

Status build_relayout(const RelayoutRequest& request, Arena& arena, xlashape_relayout_ir* ir, Error* err) {
  return RelayoutBuilder(request, arena, ir, err).run();
}

}  // namespace xlashape::core
