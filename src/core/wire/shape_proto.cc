// SPDX-License-Identifier: Apache-2.0
#include "wire/shape_proto.h"

#include <vector>

#include "wire/layout_proto.h"

namespace xlashape::core {
namespace {

constexpr uint32_t kElementType = 2, kDimensions = 3, kTupleShapes = 4, kLayout = 5, kIsDynamic = 6;

// The element type in the message, which is BUFFER for a buffer: its array's type is in the nested message.
int64_t type_number(const Shape& shape) { return shape.is_buffer() ? XLASHAPE_TYPE_BUFFER : shape.element_type; }

// Write all fields of a shape except the shapes inside it, which come between those of the first and of the second.
void write_before_elements(ProtoWriter& out, const Shape& shape) {
  out.always(kElementType, type_number(shape));
  out.packed(kDimensions, shape.dimensions);
}
void write_after_elements(ProtoWriter& out, const Shape& shape) {
  if (shape.layout) {
    const int64_t size = layout_size(*shape.layout);
    out.open(kLayout, size);
    if (out.counts()) {
      out.add_size(size);
    } else {
      write_layout(out, *shape.layout);
    }
  }
  // XLA writes an entry for every dimension, even if none is dynamic.
  out.packed(kIsDynamic, std::span<const uint8_t>(shape.dynamic));
}

int64_t own_size(const Shape& shape) {
  ProtoWriter count;
  write_before_elements(count, shape);
  write_after_elements(count, shape);
  return count.written();
}

struct OpenShape {
  const Shape* shape;
  int64_t next;
  size_t index;  // in sizes_
};

// Calls begin(shape) in pre-order, and end(shape, index, index of its parent or -1) after its elements.
template <class Begin, class End>
void visit(const Shape& root, Begin&& begin, End&& end) {
  SmallVec<OpenShape, 16> open;
  size_t count = 0;
  open.push_back({&root, 0, count++});
  begin(root);
  while (!open.empty()) {
    OpenShape& at = open.back();
    if (at.next < at.shape->elements.ssize()) {
      const Shape* element = at.shape->elements[static_cast<size_t>(at.next++)];
      open.push_back({element, 0, count++});
      begin(*element);
    } else {
      const OpenShape done = at;
      open.pop_back();
      end(*done.shape, done.index, open.empty() ? -1 : static_cast<int64_t>(open.back().index));
    }
  }
}

}  // namespace

ShapeEncoder::ShapeEncoder(const Shape& shape) : shape_(shape) {
  visit(
      shape, [&](const Shape& at) { sizes_.push_back(own_size(at)); },
      [&](const Shape&, size_t index, int64_t parent) {
        if (parent >= 0) sizes_[static_cast<size_t>(parent)] += nested_size(sizes_[index]);
      });
}

void ShapeEncoder::write(ProtoWriter& out) const {
  size_t next = 0;
  visit(
      shape_,
      [&](const Shape& at) {
        if (next > 0) out.open(kTupleShapes, sizes_[next]);
        ++next;
        write_before_elements(out, at);
      },
      [&](const Shape& at, size_t, int64_t) { write_after_elements(out, at); });
}

namespace {

// A message that is being read.
struct OpenMessage {
  ProtoReader in;
  int64_t start;
  size_t first_value;  // where its elements start among the complete shapes
  int64_t type = XLASHAPE_TYPE_INVALID;
  SmallVec<int64_t, 6> dimensions;
  SmallVec<uint8_t, 8> dynamic;
  Ref<Layout> layout;
  int64_t layout_start = 0;
};

class Decoder {
 public:
  Decoder(const ProtoReader& in, uint32_t flags, Error* err) : flags_(flags), err_(err) { open(in); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() {
    for (Shape* value : values_) release(value);
  }

  Status read(Ref<Shape>* result) {
    for (;;) {
      OpenMessage& frame = frames_.back();
      if (!frame.in.at_end()) {
        XLASHAPE_TRY(field(frame));
        continue;
      }
      Ref<Shape> shape;
      const Status status = finish(frame, &shape);
      if (status) {
        set_offset(err_, frame.start);
        return status;
      }
      if (frames_.size() == 1) {
        *result = std::move(shape);
        return XLASHAPE_STATUS_OK;
      }
      for (; values_.size() > frame.first_value; values_.pop_back()) release(values_.back());
      frames_.pop_back();
      values_.push_back(shape.get());
      shape.leak();
    }
  }

 private:
  void open(const ProtoReader& in) {
    frames_.push_back({in, in.offset(), values_.size(), XLASHAPE_TYPE_INVALID, {}, {}, {}, 0});
  }

  Status field(OpenMessage& frame) {
    ProtoReader& in = frame.in;
    XLASHAPE_TRY(in.next());
    switch (in.field()) {
      case kElementType:
        XLASHAPE_TRY(in.number(&frame.type));
        return XLASHAPE_STATUS_OK;
      case kDimensions:
        return in.numbers([&](int64_t size) { frame.dimensions.push_back(size); });
      case kIsDynamic:
        return in.numbers([&](int64_t dynamic) { frame.dynamic.push_back(dynamic != 0); });
      case kTupleShapes:
        return in.is_nested() ? enter(in) : in.skip();
      case kLayout:
        return in.is_nested() ? layout(frame) : in.skip();
      default:
        return in.skip();
    }
  }

  Status enter(ProtoReader& in) {
    if (frames_.size() > XLASHAPE_MAX_DEPTH)
      return fail_at(err_, XLASHAPE_STATUS_PARSE, in.offset(), "expected at most %d nested shapes, found more",
                     XLASHAPE_MAX_DEPTH);
    ProtoReader inside = in;
    XLASHAPE_TRY(in.enter(&inside));
    open(inside);
    return XLASHAPE_STATUS_OK;
  }

  Status layout(OpenMessage& frame) {
    ProtoReader inside = frame.in;
    XLASHAPE_TRY(frame.in.enter(&inside));
    if (!frame.layout) {
      frame.layout = Ref<Layout>::adopt(new Layout);
      frame.layout_start = inside.offset();
    }
    return read_layout(inside, frame.layout.get(), err_);
  }

  // Makes the shape of a complete message.
  Status finish(OpenMessage& frame, Ref<Shape>* shape) {
    const auto type = static_cast<int32_t>(frame.type);  // an enum: 32 bits, as protobuf reads it
    const auto elements = std::span<Shape* const>(values_.data(), values_.size()).subspan(frame.first_value);
    const bool array = is_array_type(type);
    if (array && !elements.empty()) return misplaced(type, "elements");
    if (!array && !frame.dimensions.empty()) return misplaced(type, "dimensions");
    if (!array && !frame.dynamic.empty()) return misplaced(type, "dynamic dimensions");
    if (!array && frame.layout) return misplaced(type, "layout");
    switch (type) {
      case XLASHAPE_TYPE_TUPLE:
        return make_tuple(elements, shape, err_);
      case XLASHAPE_TYPE_BUFFER:
        if (elements.size() != 1)
          return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "a buffer holds one array, not %zu shapes",
                      elements.size());
        return make_buffer(Ref<Shape>::share(elements[0]), shape, err_);
      case XLASHAPE_TYPE_TOKEN:
      case XLASHAPE_TYPE_OPAQUE:
        if (!elements.empty()) return misplaced(type, "elements");
        return make_leaf(type == XLASHAPE_TYPE_TOKEN ? XLASHAPE_CATEGORY_TOKEN : XLASHAPE_CATEGORY_OPAQUE, shape, err_);
    }
    if (!frame.dynamic.empty() && frame.dynamic.size() != frame.dimensions.size())
      return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "is_dynamic_dimension has %zu entries, the shape has rank %zu", frame.dynamic.size(),
                  frame.dimensions.size());
    // Like XLA, this accepts an unbounded dimension that is marked static, because the sender cannot be asked again.
    for (size_t i = 0; i < frame.dynamic.size(); ++i)
      frame.dynamic[i] |= frame.dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED;
    if (frame.layout) {
      XLASHAPE_TRY(finish_layout(frame.layout.get(), frame.layout_start, err_));
    } else if ((flags_ & XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) == 0) {
      frame.layout = make_row_major(frame.dimensions.ssize());
    }
    return make_array(type, frame.dimensions, frame.dynamic, std::move(frame.layout), shape, err_);
  }

  Status misplaced(int32_t type, const char* what) {
    const char* name = element_type_info(type).name();
    return fail(err_, XLASHAPE_STATUS_INVALID_ARGUMENT, "a shape of element type %d (%s) has no %s", type,
                name != nullptr ? name : "unknown", what);
  }

  uint32_t flags_;
  Error* err_;
  std::vector<OpenMessage> frames_;
  SmallVec<Shape*, 8> values_;  // complete shapes inside incomplete ones; each holds a reference
};

}  // namespace

Status read_shape(const ProtoReader& in, uint32_t flags, Ref<Shape>* shape, Error* err) {
  return Decoder(in, flags, err).read(shape);
}

}  // namespace xlashape::core
