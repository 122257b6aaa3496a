// SPDX-License-Identifier: Apache-2.0
#include "text/shape_text.h"

#include "ir/compiler.h"
#include "shape/type_names.h"
#include "text/cursor.h"
#include "text/layout_text.h"

namespace xlashape::core {
namespace {

// A construct that was opened and is being read.
struct OpenConstruct {
  enum ConstructKind : int32_t { kTuple, kBuffer, kPhysical };
  ConstructKind kind;
  uint32_t first_value;  // of a tuple: where its elements start in values_
  int64_t start;         // offset of its first byte
  Refusal refusal;       // kPhysical: why the layout that holds P(...) is refused
};

class Parser {
 public:
  Parser(std::string_view text, uint32_t flags, size_t* end, Error* err)
      : text_(text), flags_(flags), end_(end), err_(err) {}
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() {
    for (Shape* value : values_) release(value);
  }

  XLASHAPE_NOINLINE Status parse(Ref<Shape>* result) {
    do {
      XLASHAPE_TRY(start_shape());
      while (complete_ && !open_.empty()) XLASHAPE_TRY(continue_open());  // a complete shape may complete others
    } while (!complete_);
    if (end_ == nullptr && !text_.at_end()) return unexpected("the end of the text");
    if (end_ != nullptr) *end_ = text_.token_end();
    *result = Ref<Shape>::adopt(values_.back());
    values_.pop_back();
    return XLASHAPE_STATUS_OK;
  }

  Status parse_layout(Ref<Layout>* result) {
    Ref<Layout> layout;
    bool physical;
    Refusal refusal;
    const int64_t start = text_.offset();
    XLASHAPE_TRY(read_layout(text_, -1, &layout, &physical, &refusal, err_));
    if (physical) {
      open_.push_back({OpenConstruct::kPhysical, 0, start, refusal});
      Ref<Shape> never;
      return parse(&never);
    }
    if (end_ == nullptr && !text_.at_end()) return text_.expected("the end of the text", err_);
    if (end_ != nullptr) *end_ = text_.token_end();
    *result = std::move(layout);
    return XLASHAPE_STATUS_OK;
  }

 private:
  // Reads a whole shape, or only what opens it; complete_ says which.
  Status start_shape() {
    complete_ = false;
    const int64_t start = text_.offset();
    const bool in_buffer = !open_.empty() && open_.back().kind == OpenConstruct::kBuffer;
    if (text_.at('(') && !in_buffer) {
      XLASHAPE_TRY(open(OpenConstruct::kTuple, start, {}));
      text_.skip(1);
      if (text_.eat(')')) return close_tuple();
      return XLASHAPE_STATUS_OK;
    }
    const std::string_view name = text_.word();
    if (name == "b" && !in_buffer) {
      XLASHAPE_TRY(open(OpenConstruct::kBuffer, start, {}));
      text_.skip(1);
      return eat('(', "'(' after b");
    }
    xlashape_element_type type = element_type_from_name(name);
    if (type == XLASHAPE_TYPE_INVALID && (flags_ & kNamesOfOthers) != 0) type = type_of_word(name);
    const bool is_array = is_array_type(type);
    // "tuple" and "buffer" are names of types, but the text writes ( and b( for them.
    const bool is_leaf = !in_buffer && (type == XLASHAPE_TYPE_TOKEN || type == XLASHAPE_TYPE_OPAQUE);
    if (!is_array && !is_leaf) return no_type(name, in_buffer);
    text_.skip(name.size());
    return is_array ? array(type, start) : leaf(type);
  }

  XLASHAPE_COLD Status no_type(std::string_view name, bool in_buffer) const {
    const char* ambiguous;
    const xlashape_element_type meant = type_of_word(name, &ambiguous);
    const char* likely = is_array_type(meant) ? element_type_info(meant).name() : nearest_type_name(name);
    if (ambiguous != nullptr)
      return fail_at(err_, XLASHAPE_STATUS_PARSE, text_.offset(), "expected an element type, found '%s', which is %s",
                     Quoted(name).c_str(), ambiguous);
    if (likely != nullptr && likely != name)
      return fail_at(err_, XLASHAPE_STATUS_PARSE, text_.offset(),
                     "expected an element type, found '%s': did you mean %s?", Quoted(name).c_str(), likely);
    return text_.expected(in_buffer ? "the element type of an array" : "an element type, '(' or b(", err_);
  }

  // Continues the innermost open construct, behind a complete shape.
  Status continue_open() {
    const OpenConstruct& frame = open_.back();
    switch (frame.kind) {
      case OpenConstruct::kTuple:
        if (text_.eat(',')) {
          complete_ = false;
          return XLASHAPE_STATUS_OK;
        }
        if (text_.eat(')')) return close_tuple();
        return unexpected("',' or ')' in a tuple");
      case OpenConstruct::kBuffer: {
        if (!text_.at(')')) return unexpected("')' after the buffer's array");
        text_.skip(1);
        Ref<Shape> array = Ref<Shape>::adopt(values_.back());
        values_.pop_back();
        Ref<Shape> buffer;
        XLASHAPE_TRY(with_offset(make_buffer(std::move(array), &buffer, err_), frame.start));
        open_.pop_back();
        return complete(std::move(buffer));
      }
      case OpenConstruct::kPhysical:
        return refuse_layout(text_, frame.refusal, err_);
    }
    return fail(err_, XLASHAPE_STATUS_INTERNAL, "unknown frame");
  }

  XLASHAPE_NOINLINE Status open(OpenConstruct::ConstructKind kind, int64_t start, const Refusal& refusal) {
    if (open_.size() >= XLASHAPE_MAX_DEPTH)
      return fail_at(err_, XLASHAPE_STATUS_PARSE, start, "expected at most %d nested shapes, found more",
                     XLASHAPE_MAX_DEPTH);
    open_.push_back({kind, static_cast<uint32_t>(values_.size()), start, refusal});
    return XLASHAPE_STATUS_OK;
  }

  XLASHAPE_NOINLINE Status close_tuple() {
    const OpenConstruct frame = open_.back();
    Ref<Shape> tuple;
    const std::span<Shape* const> elements(values_.data() + frame.first_value, values_.size() - frame.first_value);
    XLASHAPE_TRY(with_offset(make_tuple(elements, &tuple, err_), frame.start));
    for (Shape* element : elements) release(element);
    while (values_.size() > frame.first_value) values_.pop_back();
    open_.pop_back();
    return complete(std::move(tuple));
  }

  XLASHAPE_COLD Status leaf(xlashape_element_type type) {
    XLASHAPE_TRY(eat('[', "'[' after the element type"));
    XLASHAPE_TRY(eat(']', type == XLASHAPE_TYPE_TOKEN ? "']', for a token has no dimensions"
                                                      : "']', for an opaque has no dimensions"));
    Ref<Shape> shape;
    XLASHAPE_TRY(
        make_leaf(type == XLASHAPE_TYPE_TOKEN ? XLASHAPE_CATEGORY_TOKEN : XLASHAPE_CATEGORY_OPAQUE, &shape, err_));
    return complete(std::move(shape));
  }

  Status array(xlashape_element_type type, int64_t start) {
    SmallVec<int64_t, 8> dimensions;
    SmallVec<uint8_t, 8> dynamic;
    XLASHAPE_TRY(eat('[', "'[' after the element type"));
    if (!text_.at(']')) {
      do {
        int64_t size;
        uint8_t is_dynamic;
        XLASHAPE_TRY(dimension(&size, &is_dynamic));
        dimensions.push_back(size);
        dynamic.push_back(is_dynamic);
      } while (text_.eat(','));
    }
    XLASHAPE_TRY(eat(']', dimensions.empty() ? "a dimension or ']'" : "',' or ']'"));
    Ref<Layout> layout;
    if (at_layout()) {
      bool physical;
      Refusal refusal;
      XLASHAPE_TRY(read_layout(text_, dimensions.ssize(), &layout, &physical, &refusal, err_));
      if (physical) return open(OpenConstruct::kPhysical, start, refusal);
    } else if (dimensions.empty() || (flags_ & XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) == 0) {
      layout = make_row_major(dimensions.ssize());
    }
    Ref<Shape> shape;
    XLASHAPE_TRY(with_offset(make_array(type, dimensions, dynamic, std::move(layout), &shape, err_), start));
    return complete(std::move(shape));
  }

  // int | "<=" int | "?"; where names of others are known, "None", too.
  Status dimension(int64_t* size, uint8_t* is_dynamic) {
    const bool others = (flags_ & kNamesOfOthers) != 0, none = others && text_.word() == "None";
    if (none) text_.skip(4);
    if (none || text_.eat('?')) {
      *size = XLASHAPE_DIMENSION_UNBOUNDED;
      *is_dynamic = 1;
      return XLASHAPE_STATUS_OK;
    }
    *is_dynamic = text_.eat_at_most();
    const int64_t start = text_.offset();
    XLASHAPE_TRY(text_.integer(size, *is_dynamic ? "a dimension size" : "a dimension size, <= or ?", err_));
    if (*size >= 0) return XLASHAPE_STATUS_OK;
    return text_.expected_at(start,
                             others ? "a dimension size that is not negative, or ? where it is not known"
                                    : "a dimension size that is not negative",
                             err_);
  }

  // In a program `{` may also open what follows a shape, so this looks one token further, as XLA does.
  bool at_layout() const {
    if (!text_.at('{')) return false;
    Cursor ahead = text_;
    ahead.skip(1);
    return ahead.at(':') || ahead.at_integer();
  }

  XLASHAPE_COLD Status unexpected(const char* what) const {
    if (!text_.at('{')) return text_.expected(what, err_);
    return fail_at(err_, XLASHAPE_STATUS_PARSE, text_.offset(),
                   "expected %s, found '{', which opens a layout only behind an array and before an integer or ':'",
                   what);
  }

  XLASHAPE_NOINLINE Status complete(Ref<Shape> shape) {
    values_.push_back(shape.get());
    shape.leak();
    complete_ = true;
    return XLASHAPE_STATUS_OK;
  }

  Status eat(char c, const char* what) { return text_.eat(c) ? XLASHAPE_STATUS_OK : text_.expected(what, err_); }

  Status with_offset(Status status, int64_t start) const {
    if (status) set_offset(err_, start);
    return status;
  }

  Cursor text_;
  uint32_t flags_;
  size_t* end_;  // null: nothing may follow
  Error* err_;
  bool complete_ = false;  // the last of values_ is what was just read
  SmallVec<OpenConstruct, 8> open_;
  SmallVec<Shape*, 8> values_;  // complete shapes inside incomplete ones; each holds a reference
};

}  // namespace

Status parse_shape_head(std::string_view text, uint32_t flags, size_t* end, Ref<Shape>* shape, Error* err) {
  return Parser(text, flags, end, err).parse(shape);
}

Status parse_layout_head(std::string_view text, size_t* end, Ref<Layout>* layout, Error* err) {
  return Parser(text, 0, end, err).parse_layout(layout);
}

Status parse_shape(std::string_view text, uint32_t flags, Ref<Shape>* shape, Error* err) {
  return parse_shape_head(text, flags, nullptr, shape, err);
}

Status parse_layout(std::string_view text, Ref<Layout>* layout, Error* err) {
  return parse_layout_head(text, nullptr, layout, err);
}

}  // namespace xlashape::core
