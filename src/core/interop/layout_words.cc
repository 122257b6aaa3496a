// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "interop/arrangement.h"
#include "interop/foreign.h"
#include "interop/memref.h"
#include "interop/scanner.h"
#include "interop/words.h"
#include "ir/edit_distance.h"
#include "shape/dimensions.h"
#include "shape/layouts.h"
#include "shape/type_names.h"
#include "target/choose_layout.h"
#include "text/shape_text.h"

namespace xlashape::core {
namespace {

enum class Order { kRowMajor, kColumnMajor, kChannelsLast, kChannelsLast3d, kTile };

struct Word {
  std::string_view text;
  Order order;
};
constexpr Word kWords[] = {
    {"row", Order::kRowMajor},
    {"row-major", Order::kRowMajor},
    {"row_major", Order::kRowMajor},
    {"ROW_MAJOR", Order::kRowMajor},
    {"ROW_MAJOR_LAYOUT", Order::kRowMajor},
    {"C", Order::kRowMajor},
    {"C_CONTIGUOUS", Order::kRowMajor},
    {"contiguous", Order::kRowMajor},
    {"contiguous_format", Order::kRowMajor},
    {"col", Order::kColumnMajor},
    {"col-major", Order::kColumnMajor},
    {"column", Order::kColumnMajor},
    {"column-major", Order::kColumnMajor},
    {"column_major", Order::kColumnMajor},
    {"F", Order::kColumnMajor},
    {"F_CONTIGUOUS", Order::kColumnMajor},
    {"fortran", Order::kColumnMajor},
    {"channels_last", Order::kChannelsLast},
    {"channels_last_3d", Order::kChannelsLast3d},
    {"TILE", Order::kTile},
    {"TILE_LAYOUT", Order::kTile},
};

struct Impossible {
  std::string_view piece;
  const char* why;
};
// What people ask for and no layout says.
constexpr Impossible kImpossible[] = {
    {"swizzle", "a swizzle exchanges elements by exclusive or of their addresses' bits: no layout says that"},
    {"Swizzle", "a swizzle exchanges elements by exclusive or of their addresses' bits: no layout says that"},
    {"SWIZZLE", "the scales of blocks in a swizzled order are no array of one layout"},
    {"bfp", "blocks of elements with an exponent of their own are no array of one element type"},
    {"BFLOAT8_B", "blocks of elements with an exponent of their own are no array of one element type"},
    {"BFLOAT4_B", "blocks of elements with an exponent of their own are no array of one element type"},
    {"Q4_", "blocks with scales among the elements are no array of one element type"},
    {"Q8_", "blocks with scales among the elements are no array of one element type"},
    {"storage_align", "storage that is folded has several elements in one place: no layout says that"},
    {"set_axis_separators", "storage that is folded has several elements in one place: no layout says that"},
};

// What stands before the dimensions where HLO, StableHLO and jaxprs transpose.
constexpr std::string_view kTransposed[] = {"dimensions={", "dims = [", "permutation = array<i64:", "permutation=("};

// Without quotes around, modules and keywords in front: "order='F'", "torch.channels_last", "'h w c -> c h w'".
std::string_view bare(std::string_view text) {
  for (const std::string_view prefix : {"order=", "memory_format=", "layout=", "torch.c", "ttnn."})
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size() - (prefix == "torch.c" ? 1 : 0));
  if (text.size() > 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front() &&
      text.find(text.front(), 1) == text.size() - 1)
    text = trimmed(text.substr(1, text.size() - 2));
  return text;
}

Status in_order(const Shape& array, Order order, std::string_view word, Arrangement* result, Error* err) {
  if (order == Order::kTile) return read_tt_tile("", array, result, err);
  const int64_t rank = array.rank();
  const bool last = order == Order::kChannelsLast || order == Order::kChannelsLast3d;
  const int64_t wanted = order == Order::kChannelsLast ? 4 : 5;
  if (last && rank != wanted)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is of arrays of %lld dimensions, this one has %lld",
                Quoted(word).c_str(), ll(wanted), ll(rank));
  Blocks blocks;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t d = order == Order::kColumnMajor ? rank - 1 - i : i;
    if (last && i > 0) d = i + 1 < rank ? i + 1 : 1;
    blocks.push_back({static_cast<int32_t>(d), kRest});
  }
  return arrange_blocks(array, blocks, result, err);
}

// "T(8,128)(2,1)" of an array whose dimensions are in row-major order.
Status of_tiles(std::string_view text, const Shape& array, Arrangement* result, Error* err) {
  std::string whole = "{";
  for (int64_t d = array.rank() - 1; d >= 0; --d) whole += std::to_string(d) + (d > 0 ? "," : "");
  whole += ':';
  const auto before = static_cast<int64_t>(whole.size());
  whole.append(text).append("}");
  const Status status = parse_layout(whole, &result->layout, err);
  if (status) move_offset(err, -before, static_cast<int64_t>(text.size()));
  return status;
}

// The layout and the element type of a text that describes a whole array, which must have this one's dimensions.
Status of_shape(const Shape& like, const Shape& array, Arrangement* result, Error* err) {
  const bool same = like.is_array() && like.dimensions.size() == array.dimensions.size() &&
                    std::equal(like.dimensions.begin(), like.dimensions.end(), array.dimensions.begin());
  if (!same) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the text has other dimensions than the array");
  result->type = like.element_type;
  result->layout = like.layout ? like.layout : make_row_major(array.rank());
  return XLASHAPE_STATUS_OK;
}

const char* nearest_word(std::string_view text) {
  const char* nearest = nullptr;
  int least = 3;
  for (const Word& word : kWords) {
    const int distance = ir::edit_distance(text, word.text, 2);
    if (distance >= least || distance * 2 >= static_cast<int>(text.size())) continue;
    least = distance;
    nearest = word.text.data();
  }
  return nearest;
}

Status not_a_layout(std::string_view text, Error* err) {
  constexpr const char* kForms =
      "{1,0:T(8,128)}, row, col, a permutation (2,0,1), NHWC->NCHW, or a tag such as nChw16c";
  if (text.empty()) return fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected a layout (%s), found nothing", kForms);
  const char* meant = nearest_word(text);
  if (meant != nullptr)
    return fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected a layout, found '%s': did you mean %s?",
                   Quoted(text).c_str(), meant);
  return fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected a layout (%s), found '%s'", kForms, Quoted(text).c_str());
}

// A tag has letters and digits; one without digits has each letter once, and only those that name dimensions.
bool is_tag(std::string_view text) {
  const bool characters = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  if (!characters) return false;
  if (text.find_first_of("0123456789") != std::string_view::npos) return true;
  const bool mixed = std::any_of(text.begin(), text.end(), [&](char c) { return (c >= 'a') != (text[0] >= 'a'); });
  return mixed || is_plain_tag(text);
}

// The name in front of the first bracket: "permute" of "x.permute(0, 2, 1)".
std::string_view call_name(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return {};
  std::string_view name = text.substr(0, open);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

Status arrange(const Shape& array, std::string_view text, uint32_t flags, Arrangement* result, Error* err) {
  if (text.starts_with("{") && !text.starts_with("{'") && !text.starts_with("{\"")) {
    // Words in the braces of a layout, as behind a shape: "{nChw16c}".
    const size_t first = text.find_first_not_of(" \t", 1);
    const bool word = text.ends_with("}") && first != std::string_view::npos &&
                      ((text[first] >= 'a' && text[first] <= 'z') || (text[first] >= 'A' && text[first] <= 'Z'));
    if (!word) return parse_layout(text, &result->layout, err);
    text = trimmed(text.substr(1, text.size() - 2));
  }
  for (const Impossible& impossible : kImpossible)
    if (text.find(impossible.piece) != std::string_view::npos)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s", impossible.why);
  if (text.find("inner_tiles") != std::string_view::npos || text.find("inner_dims_pos") != std::string_view::npos)
    return read_pack(text, array, result, err);
  // A line of HLO, StableHLO or a jaxpr that transposes.
  if (const size_t call = text.find("transpose"); call != std::string_view::npos)
    for (const std::string_view key : kTransposed) {
      const size_t at = text.find(key, call);
      if (at == std::string_view::npos) continue;
      const size_t begin = at + key.size(), end = std::min(text.find_first_of("}]>)", begin), text.size());
      if (end == text.size())
        return Scanner(text, err).expected_at(static_cast<int64_t>(end), "the end of the dimensions");
      const Status status = read_permutation(text.substr(begin, end - begin), array, result, err);
      if (status) move_offset(err, static_cast<int64_t>(begin), static_cast<int64_t>(text.size()));
      return status;
    }
  const std::string_view word = bare(text), name = call_name(word);
  for (const Word& known : kWords)
    if (word == known.text) return in_order(array, known.order, word, result, err);
  if (name == "asfortranarray" || name == "ascontiguousarray")
    return in_order(array, name == "asfortranarray" ? Order::kColumnMajor : Order::kRowMajor, name, result, err);
  if (word.starts_with("T(")) return of_tiles(word, array, result, err);
  if (name == "Layout" || name == "DeviceLocalLayout" || name == "Format")
    return word.find("Layout(") == std::string_view::npos
               ? fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected a Layout(...) within the Format")
               : read_jax_layout(word, array, result, err);
  if (name == "Tile" || name == "tile") return read_tt_tile(word, array, result, err);
  if (word.starts_with("strided") || word.starts_with("affine_map")) {
    Scanner in(word, err);
    int64_t offset;
    XLASHAPE_TRY(read_memref_layout(in, array.dimensions, flags & ~kLayoutAlone, &result->layout, &offset, err));
    XLASHAPE_TRY(in.end());
    return offset == 0
               ? XLASHAPE_STATUS_OK
               : fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a layout has no offset, this one begins at %lld", ll(offset));
  }
  if (find_arrow(word).first != std::string_view::npos && !word.starts_with("memref")) {
    const size_t quote = word.find_first_of("'\"");  // rearrange(x, 'h w c -> c h w')
    const size_t end = quote == std::string_view::npos ? quote : word.find(word[quote], quote + 1);
    std::string_view pattern = word;
    if (name == "rearrange" && end != std::string_view::npos)
      pattern = trimmed(word.substr(quote + 1, end - quote - 1));
    if (find_arrow(pattern).first == std::string_view::npos) pattern = word;
    return read_arrow(pattern, array, result, err);
  }
  const bool number = !word.empty() && std::string_view("0123456789-([").find(word[0]) != std::string_view::npos;
  if (number && word.find(':') != std::string_view::npos) {
    Ref<Shape> shape;
    XLASHAPE_TRY(parse_cute(word, array.element_type, flags & ~kLayoutAlone, &shape, err));
    return of_shape(*shape, array, result, err);
  }
  const bool assigned = word.starts_with("perm") || word.starts_with("axes=") || word.starts_with("dims=");
  if (number || assigned || is_permutation_call(name) || word == "T" || word == "mT" || name == "t" ||
      word.ends_with(".T") || word.ends_with(".mT"))
    return read_permutation(word, array, result, err);
  // TVM's NCHW[16c], unlike f32[16].
  if (word.size() > 2 && word.ends_with(']') && word[word.size() - 2] >= 'A' &&
      word.find(',') == std::string_view::npos)
    return read_tag(word, array, result, err);
  Ref<Shape> shape;
  if ((flags & kLayoutAlone) == 0 && word.find_first_of("[<{") != std::string_view::npos) {
    XLASHAPE_TRY(read_shape(word, flags, nullptr, &shape, err));
    return of_shape(*shape, array, result, err);
  }
  xlashape_target target;
  if (target_from_name(word, &target, nullptr) == XLASHAPE_STATUS_OK)
    return choose_layout(targets()[static_cast<size_t>(target)], array.element_type, array.dimensions, {},
                         &result->layout, err);
  if (word.starts_with("tpu:")) return target_from_name(word, &target, err);
  if (is_array_type(type_of_word(word)))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "'%s' is an element type: it stands in front of a layout, and not in braces or behind another one",
                Quoted(word).c_str());
  const std::string_view first = word.substr(0, word.find_first_of(" \t\r\n{"));
  if (const char* ambiguous; !is_array_type(type_of_word(first, &ambiguous)) && ambiguous != nullptr)
    return fail_at(err, XLASHAPE_STATUS_PARSE, 0, "expected a layout or an element type, found '%s', which is %s",
                   Quoted(first).c_str(), ambiguous);
  return is_tag(word) ? read_tag(word, array, result, err) : not_a_layout(word, err);
}

// The element type in front of a layout, as in "bf16{1,0}" and "bf16 col", or alone; *rest is what follows it.
xlashape_element_type leading_type(std::string_view text, std::string_view* rest) {
  const bool quotes_name = text.starts_with("<class ");  // <class 'numpy.float32'>, which has a blank itself
  const std::string_view name = quotes_name ? text : text.substr(0, text.find_first_of(" \t\r\n{"));
  *rest = trimmed(text.substr(name.size()));
  const xlashape_element_type type = type_of_word(name);
  if (!is_array_type(type)) return XLASHAPE_TYPE_INVALID;
  // "long wide -> wide long" speaks of dimensions: the right side of an arrow names those of the left one.
  const size_t arrow = find_arrow(*rest).first;
  const bool dimension = arrow != std::string_view::npos && rest->find(name, arrow) != std::string_view::npos;
  return dimension ? XLASHAPE_TYPE_INVALID : type;
}

// The array with elements of another type. Where each took no more bits than its value, none does afterwards.
Status with_type(const Shape& array, xlashape_element_type type, Ref<Shape>* result, Error* err) {
  const Shape& inside = *array.array();
  const bool packed =
      inside.layout && inside.layout->element_size_in_bits == element_type_info(inside.element_type).bits;
  if (!packed) return with_element_type(array, type, result, err);
  Ref<Shape> typed;
  XLASHAPE_TRY(with_element_type(array, type, &typed, err));
  return with_packed_elements(*typed, result, err);
}

}  // namespace

Status with_words(const Shape& array, std::string_view text, uint32_t flags, Ref<Shape>* destination,
                  Ref<Shape>* result, Error* err) {
  const Shape* inside = array.array();  // a buffer's, too
  if (inside == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "only arrays are given another layout by words, this is %s",
                noun(array));
  std::string_view word = trimmed(text), rest;
  Arrangement arrangement;
  Ref<Shape> typed, to, from;
  const xlashape_element_type type = (flags & kLayoutAlone) != 0 ? XLASHAPE_TYPE_INVALID : leading_type(word, &rest);
  if (type != XLASHAPE_TYPE_INVALID) {
    XLASHAPE_TRY(with_type(array, type, &typed, err));
    inside = typed->array();
    word = rest;
  }
  if (type != XLASHAPE_TYPE_INVALID && word.empty()) {
    to = std::move(typed);  // in the layout that it has
  } else {
    const Status status = arrange(*inside, word, flags, &arrangement, err);
    if (status) {
      move_offset(err, word.data() - text.data(), static_cast<int64_t>(text.size()));
      return status;
    }
    if (!typed && arrangement.type != XLASHAPE_TYPE_INVALID && arrangement.type != inside->element_type)
      XLASHAPE_TRY(with_element_type(array, arrangement.type, &typed, err));
    XLASHAPE_TRY(with_layout(typed ? *typed : array, std::move(arrangement.layout), &to, err));
  }
  if (result != nullptr) {
    if (arrangement.permutation.empty())
      from = to;
    else
      XLASHAPE_TRY(permute_dimensions(*to, arrangement.permutation, 0, &from, err));
    *result = std::move(from);
  }
  *destination = std::move(to);
  return XLASHAPE_STATUS_OK;
}

Status print_as(const Shape& shape, xlashape_notation notation, uint32_t flags, std::string* text, Error* err) {
  const auto array = [&](auto&& print) -> Status {
    if (!shape.is_array())
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape is %s, and not an array: this form cannot express that",
                  noun(shape));
    return print(shape, text, err);
  };
  switch (notation) {
    case XLASHAPE_NOTATION_MLIR:
      return print_mlir(shape, flags, text, err);
    case XLASHAPE_NOTATION_MEMREF:
      return print_memref(shape, text, err);
    case XLASHAPE_NOTATION_CUTE:
      return print_cute(shape, text, err);
    case XLASHAPE_NOTATION_NUMPY:
      return print_numpy(shape, text, err);
    case XLASHAPE_NOTATION_ONEDNN:
      return array(print_tag);
    case XLASHAPE_NOTATION_PACK:
      return array(print_pack);
    case XLASHAPE_NOTATION_JAX:
      return array(print_jax_layout);
    default:
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "notation %d is not one of XLASHAPE_NOTATION_", notation);
  }
}

}  // namespace xlashape::core
