// SPDX-License-Identifier: Apache-2.0
// Dimensions named by letters: the tags of oneDNN, TVM and ONNX Runtime, and what stands on the sides of an arrow, as
// einops writes it.
#include <algorithm>
#include <string>

#include "interop/arrangement.h"
#include "interop/scanner.h"

namespace xlashape::core {
namespace {

using Names = SmallVec<std::string_view, 8>;

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char small(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_letter(char c) { return small(c) >= 'a' && small(c) <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A letter of a tag: of a dimension, or of a block of it, with the block's size.
struct Part {
  char letter;  // small
  bool upper;
  int64_t extent;  // kRest for the dimension
  int64_t offset;  // in the text
};
using Parts = SmallVec<Part, 16>;

// TVM puts blocks in brackets, "NCHW[16c]", "NCHW[4h16c]", which say how it numbers them and move nothing.
Status read_parts(std::string_view tag, int64_t offset, Parts* parts, Error* err) {
  bool inside = false;
  for (size_t i = 0; i < tag.size(); ++i) {
    const auto at = offset + static_cast<int64_t>(i);
    const bool closes = inside && tag[i] == ']' && tag[i - 1] != '[';
    if (closes || (!inside && tag[i] == '[' && i > 0)) {
      inside = !closes;
      continue;
    }
    int64_t extent = kRest;
    if (is_digit(tag[i])) {
      extent = 0;
      for (; i < tag.size() && is_digit(tag[i]); ++i)
        if (ir::mul_overflows(extent, 10, &extent) || ir::add_overflows(extent, tag[i] - '0', &extent))
          return fail_at(err, XLASHAPE_STATUS_PARSE, at, "expected a block's size, found a number beyond 63 bits");
      if (extent == 0) return fail_at(err, XLASHAPE_STATUS_PARSE, at, "expected a block's size, found 0");
    }
    if (i == tag.size() || !is_letter(tag[i]))
      return fail_at(err, XLASHAPE_STATUS_PARSE, offset + static_cast<int64_t>(i),
                     i == tag.size() ? "expected the letter of a block, found the end of the text%s"
                                     : "expected a dimension's letter, found '%s'",
                     i == tag.size() ? "" : Quoted(tag.substr(i), 20).c_str());
    if (inside && extent == kRest)
      return fail_at(err, XLASHAPE_STATUS_PARSE, at, "expected a block's size and its letter in brackets, found '%s'",
                     Quoted(tag.substr(i), 20).c_str());
    parts->push_back({small(tag[i]), is_upper(tag[i]), extent, at});
  }
  if (inside)
    return fail_at(err, XLASHAPE_STATUS_PARSE, offset + static_cast<int64_t>(tag.size()),
                   "expected ']' after the blocks, found the end of the text");
  return XLASHAPE_STATUS_OK;
}

// Names of oneDNN whose letters say something else than what it does.
struct Misnomer {
  std::string_view name, tag;
};
constexpr Misnomer kMisnomers[] = {{"OhwI32o", "Acdb32a"},
                                   {"gOhwI32o", "aBdec32b"},
                                   {"gIOhw2i8o16i2o", "aBCde2c8b16c2b"},
                                   {"gIOdhw2i8o16i2o", "aBCdef2c8b16c2b"}};

int number_of_blocks(const Parts& parts, char letter) {
  return static_cast<int>(std::count_if(
      parts.begin(), parts.end(), [&](const Part& part) { return part.letter == letter && part.extent != kRest; }));
}

// Each dimension stands once, before its blocks. In a word with large and small letters the large ones have blocks, as
// oneDNN writes them.
Status check_parts(std::string_view tag, const Parts& parts, Error* err) {
  const auto outer = [](const Part& part) { return part.extent == kRest; };
  const bool mixed = std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return outer(p) && p.upper; }) &&
                     std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return outer(p) && !p.upper; });
  const auto is_known = [&](size_t i) {
    return std::any_of(parts.begin(), parts.begin() + i,
                       [&](const Part& before) { return before.letter == parts[i].letter; });
  };
  for (size_t i = 0; i < parts.size(); ++i)
    if (outer(parts[i]) && is_known(i))
      return fail_at(err, XLASHAPE_STATUS_PARSE, parts[i].offset,
                     "'%s' names dimension %c twice; a block of it has its size before it: 8%c or 16%c",
                     Quoted(tag).c_str(), parts[i].letter, parts[i].letter, parts[i].letter);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (!outer(part)) {
      if (!is_known(i))
        return fail_at(err, XLASHAPE_STATUS_PARSE, part.offset, "the block of %c stands before its dimension in '%s'",
                       part.letter, Quoted(tag).c_str());
      continue;
    }
    const bool blocked = number_of_blocks(parts, part.letter) > 0;
    if (mixed && blocked != part.upper)
      return fail_at(err, XLASHAPE_STATUS_PARSE, part.offset,
                     blocked ? "dimension %c of '%s' has blocks, so its letter is a large one"
                             : "dimension %c of '%s' has a large letter, but no block such as 16%c",
                     part.letter, Quoted(tag).c_str(), part.letter);
  }
  return XLASHAPE_STATUS_OK;
}

// The letters in the order of the dimensions that they name: a, b, c, ... as they are numbered; else as the first of
// oneDNN's orders has them that has all. Empty where none has.
std::string in_logical_order(std::string used) {
  std::sort(used.begin(), used.end());
  bool in_order = true;
  for (size_t i = 0; i < used.size(); ++i) in_order &= used[i] == static_cast<char>('a' + static_cast<char>(i));
  if (in_order || used == "x") return used;
  for (const std::string_view order : {"ncdhw", "goidhw", "tnc", "ldnc", "ldigo"}) {
    if (!std::all_of(used.begin(), used.end(), [&](char c) { return order.find(c) != std::string_view::npos; }))
      continue;
    std::string letters;
    for (const char c : order)
      if (used.find(c) != std::string::npos) letters += c;
    return letters;
  }
  return "";
}

Status letters_of(std::string_view tag, const Parts& parts, std::string* letters, Error* err) {
  std::string used;
  for (const Part& part : parts)
    if (part.extent == kRest) used += part.letter;
  *letters = in_logical_order(used);
  if (!letters->empty()) return XLASHAPE_STATUS_OK;
  return fail_at(
      err, XLASHAPE_STATUS_PARSE, 0,
      "'%s' is neither a layout nor a tag: tags name dimensions by a, b, c, ..., by n c d h w, or by g o i d "
      "h w",
      Quoted(tag).c_str());
}

Status wrong_rank(std::string_view text, size_t names, const Shape& array, Error* err) {
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "'%s' names %zu dimensions, the array has %lld",
              Quoted(text).c_str(), names, ll(array.rank()));
}

// The parts of a tag as those of dimensions, which `letters` name in their order.
Status to_blocks(const Parts& parts, std::string_view letters, Blocks* blocks, Error* err) {
  for (const Part& part : parts) {
    const size_t d = letters.find(part.letter);
    if (d == std::string_view::npos)
      return fail_at(err, XLASHAPE_STATUS_PARSE, part.offset, "dimension %c is not named on the left", part.letter);
    blocks->push_back({static_cast<int32_t>(d), part.extent});
  }
  return XLASHAPE_STATUS_OK;
}

// Splits at blanks and commas. `...` is one name. More than `most` are none of the array's.
Status read_names(std::string_view side, int64_t offset, int64_t most, Names* names, Error* err) {
  for (size_t i = 0; i < side.size();) {
    if (side[i] == ' ' || side[i] == '\t' || side[i] == ',') {
      ++i;
      continue;
    }
    size_t end = i;
    if (side.substr(i).starts_with("...")) {
      end = i + 3;
    } else {
      while (end < side.size() && (is_letter(side[end]) || side[end] == '_' || (end > i && is_digit(side[end])))) ++end;
    }
    const auto at = offset + static_cast<int64_t>(i);
    if (end == i && (side[i] == '(' || side[i] == ')' || is_digit(side[i])))
      return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, at,
                     "words move dimensions, and neither merge, split nor add any: reshape the array, or say the shape "
                     "that it has after that");
    if (end == i)
      return fail_at(err, XLASHAPE_STATUS_PARSE, at, "expected the name of a dimension, found '%s'",
                     Quoted(side.substr(i), 20).c_str());
    const std::string_view name = side.substr(i, end - i);
    if (std::find(names->begin(), names->end(), name) != names->end())
      return fail_at(err, XLASHAPE_STATUS_PARSE, at, "dimension '%s' is named twice on one side", Quoted(name).c_str());
    names->push_back(name);
    if (names->ssize() > most)
      return fail_at(err, XLASHAPE_STATUS_INVALID_ARGUMENT, at, "expected at most %lld dimensions, found another, '%s'",
                     ll(most), Quoted(name).c_str());
    i = end;
  }
  return XLASHAPE_STATUS_OK;
}

// The dimensions that each name stands for: one, or those of `...`.
Status read_named(std::string_view left, std::string_view right, int64_t right_offset, std::string_view text,
                  const Shape& array, SmallVec<int64_t, 8>* permutation, Error* err) {
  Names from, to;
  XLASHAPE_TRY(read_names(left, 0, array.rank() + 1, &from, err));
  XLASHAPE_TRY(read_names(right, right_offset, array.rank() + 1, &to, err));
  const bool open = std::find(from.begin(), from.end(), "...") != from.end();
  const int64_t others = array.rank() - from.ssize() + 1;  // what `...` stands for
  if (open ? others < 0 : from.ssize() != array.rank()) return wrong_rank(text, from.size(), array, err);
  for (const std::string_view name : from)
    if (std::find(to.begin(), to.end(), name) == to.end())
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension '%s' is missing on the right of '%s'",
                  Quoted(name).c_str(), Quoted(text).c_str());
  for (const std::string_view name : to) {
    int64_t d = 0;
    size_t i = 0;
    for (; i < from.size() && from[i] != name; ++i) d += from[i] == "..." ? others : 1;
    if (i == from.size())
      return fail_at(err, XLASHAPE_STATUS_PARSE, right_offset, "dimension '%s' is not named on the left",
                     Quoted(name).c_str());
    for (int64_t k = 0; k < (name == "..." ? others : 1); ++k) permutation->push_back(d + k);
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace

bool is_plain_tag(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (letters.find(small(c)) != std::string::npos) return false;
    letters += small(c);
  }
  return !in_logical_order(letters).empty();
}

std::pair<size_t, size_t> find_arrow(std::string_view text) {
  constexpr std::string_view kArrows[] = {"->", "=>", "\xE2\x86\x92"};
  for (const std::string_view arrow : kArrows)
    if (const size_t at = text.find(arrow); at != std::string_view::npos) return {at, arrow.size()};
  return {std::string_view::npos, 0};
}

Status read_tag(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  for (const Misnomer& known : kMisnomers)
    if (text == known.name) text = known.tag;
  Parts parts;
  XLASHAPE_TRY(read_parts(text, 0, &parts, err));
  XLASHAPE_TRY(check_parts(text, parts, err));
  const bool plain = std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.extent == kRest; });
  const bool upper = std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.upper; });
  std::string letters;
  XLASHAPE_TRY(letters_of(text, parts, &letters, err));
  if (static_cast<int64_t>(letters.size()) != array.rank()) return wrong_rank(text, letters.size(), array, err);
  if (plain && upper && parts.size() > 1) {
    std::string small_ones;
    for (const Part& part : parts) small_ones += part.letter;
    // The other order that these letters are known in.
    constexpr std::string_view kOrders[] = {"NHWC", "NCHW", "HWC", "CHW", "NDHWC", "NCDHW", "HWIO", "OIHW"};
    const auto* other = std::find_if(std::begin(kOrders), std::end(kOrders), [&](std::string_view order) {
      return order != text && order.size() == text.size() && order.find_first_not_of(text) == std::string_view::npos;
    });
    const std::string example = std::string(other == std::end(kOrders) ? "..." : *other) + "->" + std::string(text);
    return fail_at(
        err, XLASHAPE_STATUS_PARSE, 0,
        "'%s' names the result's dimensions, but not in which order the array has them: write that in front, "
        "as in %s; %s, the tag of oneDNN, would take the array's as %s",
        Quoted(text).c_str(), example.c_str(), small_ones.c_str(), letters.c_str());
  }
  Blocks blocks;
  XLASHAPE_TRY(to_blocks(parts, letters, &blocks, err));
  return arrange_blocks(array, blocks, result, err);
}

Status read_arrow(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  const auto [arrow, bytes] = find_arrow(text);
  const std::string_view left = trimmed(text.substr(0, arrow)), right = trimmed(text.substr(arrow + bytes));
  if (const size_t another = find_arrow(right).first; another != std::string_view::npos)
    return fail_at(err, XLASHAPE_STATUS_PARSE, right.data() - text.data() + static_cast<int64_t>(another),
                   "expected one arrow, found another");
  const auto right_offset = static_cast<int64_t>(right.data() - text.data());
  const bool names = (array.rank() == 1 && left.size() > 1) || left.find_first_of(" ,._") != std::string_view::npos ||
                     right.find_first_of(" ,._()") != std::string_view::npos;
  SmallVec<int64_t, 8> permutation;
  if (names) {
    XLASHAPE_TRY(read_named(left, right, right_offset, text, array, &permutation, err));
    return arrange_permutation(array, permutation, result, err);
  }
  Parts from, to;
  XLASHAPE_TRY(read_parts(left, static_cast<int64_t>(left.data() - text.data()), &from, err));
  XLASHAPE_TRY(read_parts(right, right_offset, &to, err));
  std::string letters;
  for (const Part& part : from) {
    if (part.extent != kRest)
      return fail_at(
          err, XLASHAPE_STATUS_UNSUPPORTED, part.offset,
          "the left of an arrow names the array's dimensions; that they lie in blocks is said by the array's "
          "own layout");
    if (letters.find(part.letter) != std::string::npos)
      return fail_at(err, XLASHAPE_STATUS_PARSE, part.offset, "dimension %c is named twice on one side", part.letter);
    letters += part.letter;
  }
  if (static_cast<int64_t>(letters.size()) != array.rank()) return wrong_rank(left, letters.size(), array, err);
  XLASHAPE_TRY(check_parts(right, to, err));
  Blocks blocks;
  XLASHAPE_TRY(to_blocks(to, letters, &blocks, err));
  for (const Block& block : blocks)
    if (block.extent == kRest) permutation.push_back(block.dimension);
  for (const char letter : letters)
    if (std::none_of(to.begin(), to.end(), [&](const Part& part) { return part.letter == letter; }))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %c is missing on the right of '%s'", letter,
                  Quoted(text).c_str());
  XLASHAPE_TRY(arrange_blocks(array, blocks, result, err));
  result->permutation = permutation;
  return XLASHAPE_STATUS_OK;
}

Status print_tag(const Shape& array, std::string* text, Error* err) {
  if (array.rank() == 0 || array.rank() > 12)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "oneDNN has tags for ranks 1 to 12, the array's is %lld",
                ll(array.rank()));
  Blocks blocks;
  XLASHAPE_TRY(blocks_of(array, "a tag of oneDNN", &blocks, err));
  for (const Block& block : blocks) {
    const bool blocked = std::any_of(blocks.begin(), blocks.end(), [&](const Block& other) {
      return other.dimension == block.dimension && other.extent != kRest;
    });
    if (block.extent != kRest) *text += std::to_string(block.extent);
    *text += static_cast<char>((block.extent == kRest && blocked ? 'A' : 'a') + block.dimension);
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
