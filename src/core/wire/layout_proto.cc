// SPDX-License-Identifier: Apache-2.0
#include "wire/layout_proto.h"

#include "layout/layout_fields.h"
#include "layout/validate.h"

namespace xlashape::core {
namespace {

// The fields of LayoutProto, except those of one number, which are in kLayoutScalars.
constexpr uint32_t kMinorToMajor = 1, kPaddedDimensions = 2, kFormat = 4, kTiles = 6, kPhysicalShape = 10,
                   kIndexType = 11, kPointerType = 12, kSplits = 17;
constexpr bool have_own_numbers() {
  for (const uint32_t list :
       {kMinorToMajor, kPaddedDimensions, kFormat, kTiles, kPhysicalShape, kIndexType, kPointerType, kSplits})
    if (find_scalar(list) != nullptr) return false;
  return true;
}
static_assert(have_own_numbers(), "a row of kLayoutScalars has the number of a list in LayoutProto");
constexpr uint32_t kTileDimensions = 1;                     // TileProto
constexpr uint32_t kSplitDimension = 1, kSplitIndices = 2;  // SplitConfigProto
constexpr int64_t kSparse = 2;                              // of TensorFlow 1.x's Format

int64_t packed_size(std::span<const int64_t> values) { return values.empty() ? 0 : nested_size(varints_size(values)); }

Status refused(Error* err, int64_t offset, const char* what) {
  return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, offset, "the layout has %s, which only sparse layouts have",
                 what);
}

Status read_tile(ProtoReader& in, Layout* layout) {
  int64_t sizes = 0;
  while (!in.at_end()) {
    XLASHAPE_TRY(in.next());
    if (in.field() != kTileDimensions) {
      XLASHAPE_TRY(in.skip());
      continue;
    }
    XLASHAPE_TRY(in.numbers([&](int64_t size) {
      // XLA writes INT64_MIN for `*`; its documentation says -1.
      layout->tile_dimensions.push_back(size == -1 ? XLASHAPE_COMBINE_DIMENSION : size);
      ++sizes;
    }));
  }
  layout->tile_ranks.push_back(sizes);
  return XLASHAPE_STATUS_OK;
}

Status read_split(ProtoReader& in, Layout* layout) {
  int64_t dimension = 0, indices = 0;
  while (!in.at_end()) {
    XLASHAPE_TRY(in.next());
    if (in.field() == kSplitDimension) {
      XLASHAPE_TRY(in.number(&dimension));
    } else if (in.field() == kSplitIndices) {
      XLASHAPE_TRY(in.numbers([&](int64_t index) {
        layout->split_indices.push_back(index);
        ++indices;
      }));
    } else {
      XLASHAPE_TRY(in.skip());
    }
  }
  layout->split_dimensions.push_back(dimension);
  layout->split_sizes.push_back(indices);
  return XLASHAPE_STATUS_OK;
}

// Reads a field that is one number, or skips an unknown field.
Status read_scalar(ProtoReader& in, Layout* layout, int64_t at, Error* err) {
  const LayoutScalar* scalar = find_scalar(in.field());
  if (scalar == nullptr) return in.skip();
  int64_t& value = layout->*scalar->member;
  XLASHAPE_TRY(in.number(&value));
  if (scalar->width == 32) value = static_cast<int32_t>(value);  // an enum or an int32, as protobuf reads it
  if (scalar->width == 8 && value != static_cast<int8_t>(value))
    return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, at, "%s is %lld, it must be in [-128, 127]", scalar->name,
                   ll(value));
  return XLASHAPE_STATUS_OK;
}

// Reads one item of a repeated message.
template <class F>
Status item(ProtoReader& in, F&& read) {
  if (!in.is_nested()) return in.skip();
  ProtoReader inside = in;
  XLASHAPE_TRY(in.enter(&inside));
  return read(inside);
}

}  // namespace

void write_layout(ProtoWriter& out, const Layout& layout) {
  out.packed(kMinorToMajor, layout.minor_to_major);
  out.packed(kPaddedDimensions, layout.padded_dimensions);
  // XLA writes the tail's alignment even if it is 1. So does `number`, which leaves out only 0.
  const auto write = [&](const LayoutScalar& scalar) {
    out.number(static_cast<uint32_t>(scalar.number), layout.*scalar.member);
  };
  for_each_scalar(kPaddedDimensions, kTiles, write);
  for_each_tile(layout, [&](size_t, std::span<const int64_t> sizes) {
    out.open(kTiles, packed_size(sizes));
    out.packed(kTileDimensions, sizes);
  });
  for_each_scalar(kTiles, kSplits, write);
  for_each_split(layout, [&](int64_t dimension, std::span<const int64_t> indices) {
    const int64_t first = dimension == 0 ? 0 : 1 + varint_size(static_cast<uint64_t>(dimension));
    out.open(kSplits, first + packed_size(indices));
    out.number(kSplitDimension, dimension);
    out.packed(kSplitIndices, indices);
  });
  for_each_scalar(kSplits, INT32_MAX, write);
}

int64_t layout_size(const Layout& layout) {
  ProtoWriter count;
  write_layout(count, layout);
  return count.written();
}

Status read_layout(ProtoReader& in, Layout* layout, Error* err) {
  while (!in.at_end()) {
    const int64_t at = in.offset();
    XLASHAPE_TRY(in.next());
    int64_t value = 0;
    switch (in.field()) {
      case kMinorToMajor:
        XLASHAPE_TRY(in.numbers([&](int64_t dimension) { layout->minor_to_major.push_back(dimension); }));
        break;
      case kPaddedDimensions:
        XLASHAPE_TRY(in.numbers([&](int64_t width) { layout->padded_dimensions.push_back(width); }));
        break;
      case kFormat:
        XLASHAPE_TRY(in.number(&value));
        if (value == kSparse) return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, at, "the layout is sparse");
        break;
      case kTiles:
        XLASHAPE_TRY(item(in, [&](ProtoReader& tile) { return read_tile(tile, layout); }));
        break;
      case kPhysicalShape:
        return refused(err, at, "a physical shape");
      case kIndexType:
      case kPointerType:
        XLASHAPE_TRY(in.number(&value));
        if (static_cast<int32_t>(value) != 0) return refused(err, at, "a type of indices or pointers");
        break;
      case kSplits:
        XLASHAPE_TRY(item(in, [&](ProtoReader& split) { return read_split(split, layout); }));
        break;
      default:
        XLASHAPE_TRY(read_scalar(in, layout, at, err));
    }
  }
  return XLASHAPE_STATUS_OK;
}

Status finish_layout(Layout* layout, int64_t start, Error* err) {
  if (layout->tail_padding_alignment == 0) layout->tail_padding_alignment = 1;
  const Status status = validate_layout(*layout, err);
  if (status) set_offset(err, start);
  return status;
}

}  // namespace xlashape::core
