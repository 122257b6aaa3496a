// SPDX-License-Identifier: Apache-2.0
#include "interop/memref.h"

#include <algorithm>
#include <functional>

#include "base/checked.h"
#include "interop/blocks.h"
#include "interop/strided.h"

namespace xlashape::core {
namespace {

constexpr int kDeepest = 16;  // parentheses in an expression

// What an affine expression is of the index: a digit of one dimension, (d / divisor) mod modulus, or a sum of
// multiples.
struct Affine {
  SmallVec<int64_t, 8> factors;  // of each dimension, in a sum
  int64_t constant = 0;
  int64_t divisor = 0;  // > 0: a digit of `dimension`
  int64_t modulus = 0;  // 0: none
  int32_t dimension = 0;
};

class MapReader {
 public:
  MapReader(Scanner& in, int64_t rank, Error* err) : in_(in), rank_(rank), err_(err) {}

  // "(d0, d1) ->"
  Status names() {
    XLASHAPE_TRY(in_.need("(", "'(' and the dimensions"));
    for (int64_t d = 0; d < rank_; ++d) {
      if (d > 0) XLASHAPE_TRY(in_.need(",", "',' and a name for each dimension"));
      in_.skip_blanks();
      const int64_t start = in_.offset();
      names_.push_back(in_.word());
      if (names_.back().empty()) return in_.expected_at(start, "a name for each dimension");
    }
    XLASHAPE_TRY(in_.need(")", "')' after as many names as dimensions"));
    if (in_.at("["))
      return fail_at(err_, XLASHAPE_STATUS_UNSUPPORTED, in_.offset(),
                     "the map has symbols, whose values are not known");
    return in_.need("->", "'->'");
  }

  // NOLINTNEXTLINE(misc-no-recursion): at most kDeepest
  Status expression(Affine* value, int depth) {
    XLASHAPE_TRY(product(value, depth));
    while (in_.at("+") || in_.at("-")) {
      const int64_t sign = in_.eat("-") ? -1 : (in_.eat("+"), 1);
      Affine next;
      XLASHAPE_TRY(product(&next, depth));
      XLASHAPE_TRY(to_sum(value));
      XLASHAPE_TRY(to_sum(&next));
      XLASHAPE_TRY(scale(&next, sign));
      for (size_t d = 0; d < value->factors.size(); ++d)
        if (!checked_add(value->factors[d], next.factors[d], &value->factors[d])) return too_large();
      if (!checked_add(value->constant, next.constant, &value->constant)) return too_large();
    }
    return XLASHAPE_STATUS_OK;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  Status product(Affine* value, int depth) {
    XLASHAPE_TRY(primary(value, depth));
    for (;;) {
      in_.skip_blanks();
      const int64_t start = in_.offset();
      int64_t number = 0;
      if (in_.eat("*")) {
        Affine next;
        XLASHAPE_TRY(primary(&next, depth));
        XLASHAPE_TRY(to_sum(value));
        XLASHAPE_TRY(to_sum(&next));
        if (!is_number(*value)) std::swap(*value, next);
        if (!is_number(*value)) return unsupported(start, "a product of dimensions is not affine");
        const int64_t factor = value->constant;
        *value = next;
        XLASHAPE_TRY(scale(value, factor));
        continue;
      }
      const bool divide = in_.eat("floordiv"), modulo = !divide && in_.eat("mod");
      if (!divide && !modulo) return XLASHAPE_STATUS_OK;
      XLASHAPE_TRY(in_.integer(&number, false, "a number"));
      if (number == 0) return in_.expected_at(start, "a divisor greater than 0");
      if (value->divisor == 0) return unsupported(start, "only a dimension is divided in a layout, no sum");
      if (value->modulus != 0 && value->modulus % number != 0)
        return unsupported(start, "divisors that do not divide each other make no layout");
      if (modulo) {
        value->modulus = number;
      } else {
        if (value->modulus != 0) value->modulus /= number;
        if (!checked_mul(value->divisor, number, &value->divisor)) return too_large();
      }
    }
  }

  // A dimension, a number, or an expression in parentheses.
  // NOLINTNEXTLINE(misc-no-recursion)
  Status primary(Affine* value, int depth) {
    *value = {};
    if (in_.eat("(")) {
      if (depth >= kDeepest) return in_.expected("fewer parentheses inside each other");
      XLASHAPE_TRY(expression(value, depth + 1));
      return in_.need(")", "')'");
    }
    if (in_.at_digit() || in_.at("-")) {
      XLASHAPE_TRY(in_.integer(&value->constant, true, "a number"));
      zeros(value);
      return XLASHAPE_STATUS_OK;
    }
    in_.skip_blanks();
    const int64_t start = in_.offset();
    const std::string_view name = in_.word();
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (name.empty() || known == names_.end()) return in_.expected_at(start, "the name of a dimension, or a number");
    value->dimension = static_cast<int32_t>(known - names_.begin());
    value->divisor = 1;
    return XLASHAPE_STATUS_OK;
  }

  void zeros(Affine* value) const {
    value->factors.resize(static_cast<size_t>(rank_));
    std::fill(value->factors.begin(), value->factors.end(), 0);
  }
  static bool is_number(const Affine& value) {
    return std::all_of(value.factors.begin(), value.factors.end(), [](int64_t factor) { return factor == 0; });
  }
  Status to_sum(Affine* value) {
    if (value->divisor == 0) return XLASHAPE_STATUS_OK;
    if (value->divisor != 1 || value->modulus != 0)
      return unsupported(in_.offset(), "parts of dimensions are not added up in a layout: each is a result of its own");
    zeros(value);
    value->factors[static_cast<size_t>(value->dimension)] = 1;
    value->divisor = 0;
    return XLASHAPE_STATUS_OK;
  }
  Status scale(Affine* value, int64_t factor) {
    for (int64_t& old : value->factors)
      if (!checked_mul(old, factor, &old)) return too_large();
    return checked_mul(value->constant, factor, &value->constant) ? XLASHAPE_STATUS_OK : too_large();
  }
  Status too_large() {
    return fail_at(err_, XLASHAPE_STATUS_OVERFLOW, in_.offset(), "the map's numbers do not fit 64 bits");
  }
  Status unsupported(int64_t offset, const char* why) {
    return fail_at(err_, XLASHAPE_STATUS_UNSUPPORTED, offset, "%s", why);
  }

  Scanner& in_;
  int64_t rank_;
  SmallVec<std::string_view, 8> names_;
  Error* err_;
};

// The digits of each dimension must make all of it, coarse ones outside of fine ones.
Status check_digits(const SmallVec<Block, 12>& parts, const SmallVec<int64_t, 12>& divisors, int64_t rank, Error* err) {
  for (int32_t d = 0; d < rank; ++d) {
    int64_t outer = kRest;  // the divisor of the part before
    bool first = true;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].dimension != d) continue;
      int64_t covered = 0;
      const bool follows =
          first ? parts[i].extent == kRest
                : parts[i].extent != kRest && checked_mul(parts[i].extent, divisors[i], &covered) && covered == outer;
      if (!follows)
        return fail(
            err, XLASHAPE_STATUS_UNSUPPORTED,
            "the parts of dimension %d are not all of it, or a fine one lies outside of a coarse one: no layout "
            "allows that",
            d);
      outer = divisors[i];
      first = false;
    }
    if (first || outer != 1)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the map leaves out a part of dimension %d", d);
  }
  return XLASHAPE_STATUS_OK;
}

Status read_map(Scanner& in, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout, int64_t* offset,
                Error* err) {
  const auto rank = static_cast<int64_t>(dimensions.size());
  MapReader reader(in, rank, err);
  XLASHAPE_TRY(reader.names());
  XLASHAPE_TRY(in.need("(", "'(' and the results"));
  Blocks parts;
  SmallVec<int64_t, 12> divisors;
  SmallVec<int64_t, 8> strides;
  int64_t results = 0;
  for (; !in.at(")"); ++results) {
    if (results > 0) XLASHAPE_TRY(in.need(",", "',' or ')'"));
    Affine value;
    in.skip_blanks();
    const int64_t start = in.offset();
    XLASHAPE_TRY(reader.expression(&value, 0));
    if (value.divisor > 0) {
      parts.push_back({value.dimension, value.modulus});
      divisors.push_back(value.divisor);
    } else if (results == 0) {  // a sum must be the only result
      strides = value.factors;
      *offset = value.constant;
    } else {
      return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, start, "a sum beside other results: no layout says that");
    }
  }
  XLASHAPE_TRY(in.need(")", "')'"));
  if (!strides.empty() || (rank == 0 && results == 1)) {
    if (results != 1) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a sum beside other results: no layout says that");
    return layout_from_strides(dimensions, strides, 1, flags, layout, err);
  }
  XLASHAPE_TRY(check_digits(parts, divisors, rank, err));
  return layout_from_blocks(dimensions, parts, layout, err);
}

}  // namespace

Status read_memref_layout(Scanner& in, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout,
                          int64_t* offset, Error* err) {
  *offset = 0;
  if (in.eat("affine_map")) {
    XLASHAPE_TRY(in.need("<", "'<'"));
    XLASHAPE_TRY(read_map(in, dimensions, flags, layout, offset, err));
    return in.need(">", "'>' after the map");
  }
  XLASHAPE_TRY(in.need("strided", "strided<...> or affine_map<...>"));
  XLASHAPE_TRY(in.need("<", "'<' after strided"));
  XLASHAPE_TRY(in.need("[", "'[' and the strides"));
  SmallVec<int64_t, 8> strides;
  const auto number = [&](int64_t* value, const char* what) -> Status {
    if (in.at("?")) return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, in.offset(), "a stride or an offset is not known");
    return in.integer(value, true, what);
  };
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (d > 0) XLASHAPE_TRY(in.need(",", "',' and a stride for each dimension"));
    int64_t stride = 0;
    XLASHAPE_TRY(number(&stride, "a stride"));
    strides.push_back(stride);
  }
  XLASHAPE_TRY(in.need("]", "']' after as many strides as dimensions"));
  if (in.eat(",")) {
    XLASHAPE_TRY(in.need("offset", "offset"));
    XLASHAPE_TRY(in.need(":", "':'"));
    XLASHAPE_TRY(number(offset, "an offset"));
  }
  XLASHAPE_TRY(in.need(">", "'>'"));
  return layout_from_strides(dimensions, strides, 1, flags, layout, err);
}

Status print_memref_layout(const Shape& array, std::string* text, Error* err) {
  if (is_plain(array)) return XLASHAPE_STATUS_OK;
  const size_t rank = array.dimensions.size();
  if (!array.layout->has_tiles()) {
    const bool in_order =
        !array.layout->has_padding() &&
        std::is_sorted(array.layout->minor_to_major.begin(), array.layout->minor_to_major.end(), std::greater<>());
    if (in_order && array.layout->split_sizes.empty() && array.layout->metadata_prefix_bytes == 0)
      return XLASHAPE_STATUS_OK;  // packed, for one
    const Shape* same;
    SmallVec<int64_t, 8> strides;
    XLASHAPE_TRY(strides_of(array, "a memref", &same, &strides, err));
    *text += ", strided<[";
    add_list(text, strides);
    *text += "]>";
    return XLASHAPE_STATUS_OK;
  }
  Blocks blocks;
  XLASHAPE_TRY(blocks_of(array, "a memref", &blocks, err));
  *text += ", affine_map<(";
  for (size_t d = 0; d < rank; ++d) *text += (d > 0 ? ", d" : "d") + std::to_string(d);
  *text += ") -> (";
  for (size_t i = 0; i < blocks.size(); ++i) {
    int64_t divisor = 1;
    for (size_t j = i + 1; j < blocks.size(); ++j)
      if (blocks[j].dimension == blocks[i].dimension && !checked_mul(divisor, blocks[j].extent, &divisor))
        return fail(err, XLASHAPE_STATUS_OVERFLOW, "the tiles do not fit 64 bits");
    std::string part = "d" + std::to_string(blocks[i].dimension);
    if (divisor > 1) part += " floordiv " + std::to_string(divisor);
    if (blocks[i].extent != kRest)
      part = (divisor > 1 ? "(" + part + ")" : part) + " mod " + std::to_string(blocks[i].extent);
    *text += (i > 0 ? ", " : "") + part;
  }
  *text += ")>";
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
