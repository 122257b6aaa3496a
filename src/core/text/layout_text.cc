// SPDX-License-Identifier: Apache-2.0
#include "text/layout_text.h"

#include <cstdio>
#include <cstring>

#include "ir/compiler.h"
#include "layout/layout_fields.h"
#include "layout/validate.h"
#include "shape/element_type.h"

namespace xlashape::core {
namespace {

constexpr const LayoutScalar &kTailPadding = kScalar<&Layout::tail_padding_alignment>,
                             &kElementSize = kScalar<&Layout::element_size_in_bits>,
                             &kMemorySpace = kScalar<&Layout::memory_space>,
                             &kMetadataPrefix = kScalar<&Layout::metadata_prefix_bytes>,
                             &kPaddingValue = kScalar<&Layout::padding_value>;

class LayoutReader {
 public:
  LayoutReader(Cursor& text, Layout& layout, Refusal& refusal, Error* err)
      : text_(text), layout_(layout), refusal_(refusal), err_(err) {}

  Status order() {
    XLASHAPE_TRY(eat('{', "'{' to open a layout"));
    if (!text_.at(':') && !text_.at('}')) {
      do {
        int64_t dimension;
        XLASHAPE_TRY(text_.integer(&dimension, "a dimension number in minor_to_major", err_));
        layout_.minor_to_major.push_back(dimension);
      } while (text_.eat(','));
    }
    if (!text_.at(':') && !text_.at('}')) return text_.expected("',', ':' or '}'", err_);
    return XLASHAPE_STATUS_OK;
  }

  // Behind the properties, because a memory space lets the order be missing.
  Status check_order(int64_t rank, int64_t start) const {
    if (rank < 0 || layout_.rank() == rank || may_lack_order(layout_)) return XLASHAPE_STATUS_OK;
    return fail_at(err_, XLASHAPE_STATUS_PARSE, start,
                   "expected a layout with %lld dimensions in minor_to_major, found one with %lld", ll(rank),
                   ll(layout_.rank()));
  }

  // Reads the properties up to P(...). Each is optional, but their order is fixed.
  Status properties() {
    if (word_is("D")) XLASHAPE_TRY(levels());
    if (word_is("T")) XLASHAPE_TRY(tiles());
    if (word_is(kTailPadding.word)) XLASHAPE_TRY(tail_padding());
    if (text_.at('#')) XLASHAPE_TRY(sparse_type("'(' after #", "#(...) is for sparse layouts, which XLA refuses"));
    if (text_.at('*')) XLASHAPE_TRY(sparse_type("'(' after *", "*(...) is for sparse layouts, which XLA refuses"));
    if (word_is(kElementSize.word)) XLASHAPE_TRY(number(kElementSize));
    if (word_is(kMemorySpace.word)) XLASHAPE_TRY(memory_space());
    if (word_is("SC")) XLASHAPE_TRY(splits());
    return XLASHAPE_STATUS_OK;
  }

  Status physical(bool* found) {
    *found = word_is("P");
    if (!*found) return XLASHAPE_STATUS_OK;
    refuse("P(...) is for sparse layouts, which XLA refuses", text_.offset());
    text_.skip(1);
    return eat('(', "'(' after P");
  }

  // Reads the properties behind P(...).
  Status rest() {
    if (word_is(kMetadataPrefix.word)) XLASHAPE_TRY(number(kMetadataPrefix));
    if (word_is("PD")) XLASHAPE_TRY(padded_dimensions());
    if (word_is(kPaddingValue.word)) XLASHAPE_TRY(padding_value());
    return XLASHAPE_STATUS_OK;
  }

  Status end() { return eat('}', "a property in its place (D T L # * E S SC P M PD PV) or '}'"); }

 private:
  bool word_is(std::string_view name) const { return text_.word() == name; }

  Status eat(char c, const char* what) { return text_.eat(c) ? XLASHAPE_STATUS_OK : text_.expected(what, err_); }

  void refuse(const char* why, int64_t offset) {
    if (refusal_.why == nullptr) refusal_ = {why, offset};
  }

  XLASHAPE_COLD Status levels() {  // kinds of dimensions, which current XLA reads and ignores
    text_.skip(1);
    XLASHAPE_TRY(eat('(', "'(' after D"));
    do {
      const std::string_view level = text_.word();
      if (level != "D" && level != "C" && level != "S" && level != "H")
        return text_.expected("a dimension level D, C, S or H", err_);
      text_.skip(1);
      text_.eat('+');
      text_.eat('~');
    } while (text_.eat(','));
    return eat(')', "',' or ')' in D(...)");
  }

  Status tiles() {
    text_.skip(1);
    if (!text_.at('(')) return text_.expected("'(' after T", err_);
    while (text_.eat('(')) {
      int64_t sizes = 0;
      do {
        XLASHAPE_TRY(tile_size());
        ++sizes;
      } while (text_.eat(','));
      layout_.tile_ranks.push_back(sizes);
      XLASHAPE_TRY(eat(')', "',' or ')' in a tile"));
    }
    return XLASHAPE_STATUS_OK;
  }

  Status tile_size() {
    int64_t size = XLASHAPE_COMBINE_DIMENSION;
    const int64_t start = text_.offset();
    if (word_is("d")) {
      text_.skip(1);
      size = XLASHAPE_MATCH_DIMENSION;
    } else if (!text_.eat('*')) {
      XLASHAPE_TRY(text_.integer(&size, "a tile size, * or d", err_));
      // XLA aborts on a negative size. Validation refuses 0.
      if (size < 0) return text_.expected_at(start, "a tile size that is not negative", err_);
    }
    layout_.tile_dimensions.push_back(size);
    return XLASHAPE_STATUS_OK;
  }

  Status tail_padding() {
    int64_t start;
    XLASHAPE_TRY(number(kTailPadding, &start));
    if (layout_.tail_padding_alignment >= 1) return XLASHAPE_STATUS_OK;
    return text_.expected_at(start, "an alignment of at least 1", err_);  // XLA aborts on it
  }

  Status memory_space() {
    int64_t start;
    XLASHAPE_TRY(number(kMemorySpace, &start));
    if (layout_.memory_space < kMemorySpace.least || layout_.memory_space > kMemorySpace.most)
      refuse("the memory space is not in [-128, 127]", start);
    return XLASHAPE_STATUS_OK;
  }

  XLASHAPE_COLD Status sparse_type(const char* open, const char* why) {
    refuse(why, text_.offset());
    text_.skip(1);
    XLASHAPE_TRY(eat('(', open));
    const std::string_view name = text_.word();
    if ((element_type_info(element_type_from_name(name)).classes & XLASHAPE_CLASS_UNSIGNED) == 0)
      return text_.expected("an unsigned integer type", err_);
    text_.skip(name.size());
    return eat(')', "')' after the type");
  }

  XLASHAPE_COLD Status splits() {
    text_.skip(2);
    if (!text_.at('(')) return text_.expected("'(' after SC", err_);
    while (text_.eat('(')) {
      int64_t value;
      XLASHAPE_TRY(text_.integer(&value, "a physical dimension", err_));
      layout_.split_dimensions.push_back(value);
      XLASHAPE_TRY(eat(':', "':' after the physical dimension"));
      int64_t indices = 0;
      if (!text_.at(')')) {
        do {
          XLASHAPE_TRY(text_.integer(&value, "a split index", err_));
          layout_.split_indices.push_back(value);
          ++indices;
        } while (text_.eat(','));
      }
      layout_.split_sizes.push_back(indices);
      XLASHAPE_TRY(eat(')', "',' or ')' in SC(...)"));
    }
    return XLASHAPE_STATUS_OK;
  }

  XLASHAPE_COLD Status padded_dimensions() {
    text_.skip(2);
    XLASHAPE_TRY(eat('(', "'(' after PD"));
    do {
      int64_t width;
      XLASHAPE_TRY(text_.integer(&width, "a padded dimension", err_));
      layout_.padded_dimensions.push_back(width);
    } while (text_.eat(','));
    return eat(')', "',' or ')' in PD(...)");
  }

  XLASHAPE_COLD Status padding_value() {
    text_.skip(2);
    XLASHAPE_TRY(eat('(', "'(' after PV"));
    const std::string_view name = text_.word();
    for (int32_t i = 0; i < XLASHAPE_PAD_UNKNOWN; ++i)
      if (name == kPadNames[i]) layout_.padding_value = XLASHAPE_PAD_ZERO + i;
    if (layout_.padding_value == XLASHAPE_PAD_INVALID)
      return text_.expected("zero, one, lowest, highest or unknown", err_);
    text_.skip(name.size());
    return eat(')', "')' after the padding value");
  }

  // Reads a field that is one number, at its word. *start is set to the number's offset.
  XLASHAPE_NOINLINE Status number(const LayoutScalar& field, int64_t* start = nullptr) {
    text_.skip(std::strlen(field.word));
    if (!text_.eat('(')) {
      char what[24];
      std::snprintf(what, sizeof what, "'(' after %s", field.word);
      return text_.expected(what, err_);
    }
    if (start != nullptr) *start = text_.offset();
    XLASHAPE_TRY(text_.integer(&(layout_.*field.member), field.what, err_));
    return eat(')', "')' after the integer");
  }

  Cursor& text_;
  Layout& layout_;
  Refusal& refusal_;
  Error* err_;
};

Status refused(const Refusal& refusal, Error* err) {
  return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, refusal.offset, "%s", refusal.why);
}

}  // namespace

Status read_layout(Cursor& text, int64_t rank, Ref<Layout>* result, bool* physical, Refusal* refusal, Error* err) {
  *physical = false;
  *refusal = {nullptr, -1};
  const int64_t start = text.offset();
  auto layout = Ref<Layout>::adopt(new Layout);
  LayoutReader reader(text, *layout, *refusal, err);
  XLASHAPE_TRY(reader.order());
  if (text.eat(':') && !text.at('}')) {
    XLASHAPE_TRY(reader.properties());
    XLASHAPE_TRY(reader.physical(physical));
    if (*physical) return XLASHAPE_STATUS_OK;
    XLASHAPE_TRY(reader.rest());
  }
  XLASHAPE_TRY(reader.end());
  XLASHAPE_TRY(reader.check_order(rank, start));
  if (refusal->why != nullptr) return refused(*refusal, err);
  const Status status = validate_layout(*layout, err);
  if (status) {
    set_offset(err, start);
    return status;
  }
  *result = std::move(layout);
  return XLASHAPE_STATUS_OK;
}

XLASHAPE_COLD Status refuse_layout(Cursor& text, const Refusal& refusal, Error* err) {
  Layout ignored;
  Refusal first = refusal;
  LayoutReader reader(text, ignored, first, err);
  if (!text.eat(')')) return text.expected("')' after the shape in P(...)", err);
  XLASHAPE_TRY(reader.rest());
  XLASHAPE_TRY(reader.end());
  return refused(first, err);
}

}  // namespace xlashape::core
