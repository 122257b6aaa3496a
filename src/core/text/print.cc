// SPDX-License-Identifier: Apache-2.0
#include "text/print.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "ir/compiler.h"
#include "layout/layout_fields.h"
#include "text/layout_text.h"

namespace xlashape::core {
namespace {

// Writes what there is room for and counts everything.
class TextWriter {
 public:
  TextWriter(char* text, int64_t capacity)
      : text_(text),
        room_(capacity == 0 ? 0 : static_cast<size_t>(std::min<int64_t>(capacity, PTRDIFF_MAX)) - 1),
        capacity_(capacity) {}

  void add(char c) {
    if (length_ < room_) text_[length_] = c;
    ++length_;
  }
  void add(std::string_view part) {
    if (length_ < room_) std::memcpy(text_ + length_, part.data(), std::min(part.size(), room_ - length_));
    length_ += part.size();
  }
  void add(int64_t value) {
    if (value >= 0 && value < 10) return add(static_cast<char>('0' + value));
    add_digits(value);
  }

  Status finish(int64_t* needed, Error* err) {
    *needed = static_cast<int64_t>(length_) + 1;
    if (capacity_ == 0) return XLASHAPE_STATUS_OK;
    text_[std::min(length_, room_)] = '\0';
    if (length_ <= room_) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the text takes %lld bytes, the capacity is %lld", ll(*needed),
                ll(capacity_));
  }

 private:
  XLASHAPE_NOINLINE void add_digits(int64_t value) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    add(std::string_view(digits, static_cast<size_t>(end - digits)));
  }

  char* text_;
  size_t room_;
  int64_t capacity_;
  size_t length_ = 0;
};

XLASHAPE_NOINLINE void write_list(TextWriter& out, std::span<const int64_t> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out.add(',');
    out.add(values[i]);
  }
}

XLASHAPE_NOINLINE void write_number(TextWriter& out, const LayoutScalar& field, int64_t value) {
  out.add(field.word);
  out.add('(');
  out.add(value);
  out.add(')');
}

template <int64_t LayoutScalars::*member>
void write_scalar(TextWriter& out, const Layout& layout) {
  if (is_set(layout, member)) write_number(out, kScalar<member>, layout.*member);
}

bool has_properties(const Layout& layout) {
  const LayoutScalars& scalars = layout;
  return layout.has_tiles() || layout.has_padding() || !layout.split_sizes.empty() || scalars != kUnsetScalars;
}

XLASHAPE_NOINLINE void write_tile(TextWriter& out, std::span<const int64_t> sizes) {
  out.add('(');
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) out.add(',');
    if (sizes[i] < 0) {
      out.add(sizes[i] == XLASHAPE_COMBINE_DIMENSION ? '*' : 'd');
    } else {
      out.add(sizes[i]);
    }
  }
  out.add(')');
}

void write_tiles(TextWriter& out, const Layout& layout) {
  if (!layout.has_tiles()) return;
  out.add('T');
  for_each_tile(layout, [&](size_t, std::span<const int64_t> sizes) { write_tile(out, sizes); });
}

XLASHAPE_NOINLINE void write_split(TextWriter& out, int64_t dimension, std::span<const int64_t> indices) {
  out.add('(');
  out.add(dimension);
  out.add(':');
  write_list(out, indices);
  out.add(')');
}

void write_splits(TextWriter& out, const Layout& layout) {
  if (layout.split_sizes.empty()) return;
  out.add("SC");
  for_each_split(layout,
                 [&](int64_t dimension, std::span<const int64_t> indices) { write_split(out, dimension, indices); });
}

XLASHAPE_NOINLINE void write_layout(TextWriter& out, const Layout& layout) {
  out.add('{');
  write_list(out, layout.minor_to_major);
  if (has_properties(layout)) {
    out.add(':');
    write_tiles(out, layout);
    write_scalar<&Layout::tail_padding_alignment>(out, layout);
    write_scalar<&Layout::element_size_in_bits>(out, layout);
    write_scalar<&Layout::memory_space>(out, layout);
    write_splits(out, layout);
    write_scalar<&Layout::metadata_prefix_bytes>(out, layout);
    if (layout.has_padding()) {
      out.add("PD(");
      write_list(out, layout.padded_dimensions);
      out.add(')');
    }
    if (layout.padding_value != XLASHAPE_PAD_INVALID) {
      out.add("PV(");
      out.add(kPadNames[layout.padding_value - XLASHAPE_PAD_ZERO]);
      out.add(')');
    }
  }
  out.add('}');
}

XLASHAPE_NOINLINE void write_array(TextWriter& out, const Shape& array, bool with_layout) {
  out.add(element_type_info(array.element_type).name());
  out.add('[');
  for (size_t i = 0; i < array.dimensions.size(); ++i) {
    if (i > 0) out.add(',');
    const int64_t size = array.dimensions[i];
    if (size == XLASHAPE_DIMENSION_UNBOUNDED) {
      out.add('?');
      continue;
    }
    if (array.dynamic[i]) out.add("<=");
    out.add(size);
  }
  out.add(']');
  if (!with_layout || !array.layout) return;
  // A scalar's empty layout is not printed.
  if (array.rank() > 0 || has_properties(*array.layout)) write_layout(out, *array.layout);
}

void write_leaf(TextWriter& out, const Shape& shape, bool with_layout) {
  if (shape.is_buffer()) {
    out.add("b(");
    write_array(out, *shape.elements[0], with_layout);
    out.add(')');
  } else {
    write_array(out, shape, with_layout);  // a token or opaque prints like an array without dimensions
  }
}

// Writes what comes before element `i` of a tuple. XLA numbers every fifth element, to help readers of long tuples.
void write_separator(TextWriter& out, int64_t i) {
  if (i == 0) return;
  out.add(", ");
  if (i % 5 != 0) return;
  out.add("/*index=");
  out.add(i);
  out.add("*/");
}

struct OpenTuple {
  const Shape* tuple;
  int64_t next;
};

void write_shape(TextWriter& out, const Shape& root, bool with_layout) {
  if (!root.is_tuple()) return write_leaf(out, root, with_layout);
  SmallVec<OpenTuple, 16> open;
  open.push_back({&root, 0});
  out.add('(');
  while (!open.empty()) {
    OpenTuple& at = open.back();
    if (at.next == at.tuple->elements.ssize()) {
      out.add(')');
      open.pop_back();
      continue;
    }
    write_separator(out, at.next);
    const Shape& element = *at.tuple->elements[static_cast<size_t>(at.next++)];
    if (element.is_tuple()) {
      out.add('(');
      open.push_back({&element, 0});
    } else {
      write_leaf(out, element, with_layout);
    }
  }
}

// Refuses a layout whose text XLA cannot read.
Status check_strict(const Layout& layout, Error* err) {
  const auto refuse = [&](const char* name, const char* word) {
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "XLA's text has no %s (%s)", name, word);
  };
  if (layout.has_padding()) return refuse("padded_dimensions", "PD");
  for (const LayoutScalar& field : kLayoutScalars)
    if (!field.is_xlas && is_set(layout, field.member)) return refuse(field.name, field.word);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status print_shape(const Shape& shape, uint32_t flags, char* text, int64_t capacity, int64_t* needed, Error* err) {
  const bool with_layout = (flags & XLASHAPE_PRINT_WITHOUT_LAYOUT) == 0;
  *needed = 0;
  if (with_layout && (flags & XLASHAPE_PRINT_STRICT)) {
    Status status = XLASHAPE_STATUS_OK;
    walk(shape, [&](const Shape& node, std::span<const int64_t>) {
      const Shape* array = node.array();
      if (array != nullptr && array->layout) status = check_strict(*array->layout, err);
      return status == XLASHAPE_STATUS_OK;
    });
    XLASHAPE_TRY(status);
  }
  TextWriter out(text, capacity);
  write_shape(out, shape, with_layout);
  return out.finish(needed, err);
}

Status print_tile(std::span<const int64_t> sizes, char* text, int64_t capacity, int64_t* needed, Error* err) {
  TextWriter out(text, capacity);
  write_tile(out, sizes);
  return out.finish(needed, err);
}

Status print_split(int64_t dimension, std::span<const int64_t> indices, char* text, int64_t capacity, int64_t* needed,
                   Error* err) {
  TextWriter out(text, capacity);
  write_split(out, dimension, indices);
  return out.finish(needed, err);
}

Status print_layout(const Layout& layout, uint32_t flags, char* text, int64_t capacity, int64_t* needed, Error* err) {
  *needed = 0;
  if (flags & XLASHAPE_PRINT_STRICT) XLASHAPE_TRY(check_strict(layout, err));
  TextWriter out(text, capacity);
  write_layout(out, layout);
  return out.finish(needed, err);
}

}  // namespace xlashape::core
