// SPDX-License-Identifier: Apache-2.0
// Values that make sense, by the names of parameters: the only thing about a function that a table cannot know.
#include <map>

#include "runtimes.h"
#include "xlashape_runtime.h"
#include "xlashape_target.h"
#include "xlashape_xla.h"

namespace api_fuzz {
namespace {

using List = std::vector<int64_t>;

// A layout in a caller's words.
struct Words {
  List minor_to_major, padded, tile_ranks, tiles, split_dimensions, split_sizes, split_indices;
  xlashape_layout_spec spec = {};
};

void draw_words(Input& input, const List& dimensions, Words* words) {
  static constexpr int64_t kTiles[] = {1, 2, 3, 4, 5, 7, 8, 16, 32, 128, 1, 1};
  static constexpr int64_t kBits[] = {1, 2, 4, 8, 16, 32, 64, 128, 3, 24};
  const auto rank = size_of(dimensions);
  xlashape_layout_spec& spec = words->spec;
  words->minor_to_major = input.permutation(rank);
  if (rank > 0 && input.one_in(80)) words->minor_to_major[static_cast<size_t>(input.below(rank))] = input.wild();
  if (input.one_in(5))
    for (const int64_t size : dimensions)
      words->padded.push_back(input.mostly(size < 0 || size > INT64_MAX - 8 ? size : size + input.below(5), 200));
  if (input.one_in(2))
    for (int64_t levels = input.below(4); levels > 0; --levels) {
      const int64_t most = std::clamp<int64_t>(rank, 2, 3) + (input.one_in(10) ? 1 : 0);
      words->tile_ranks.push_back(input.mostly(input.below(most + 1), 200));
      for (int64_t i = 0; i < words->tile_ranks.back() && i < 8; ++i)
        words->tiles.push_back(input.one_in(10) ? XLASHAPE_COMBINE_DIMENSION : input.mostly(input.pick(kTiles), 200));
      if (words->tile_ranks.back() > 8) words->tile_ranks.back() = 8;
    }
  if (!words->tiles.empty() && input.one_in(6))
    words->tiles[static_cast<size_t>(input.below(size_of(words->tiles)))] = XLASHAPE_MATCH_DIMENSION;
  if (rank > 0 && input.one_in(5))
    for (int64_t i = input.within(1, 2); i > 0; --i) {
      words->split_dimensions.push_back(input.mostly(input.below(rank)));
      words->split_sizes.push_back(input.below(3));
      for (int64_t k = 1; k <= words->split_sizes.back(); ++k) words->split_indices.push_back(input.mostly(2 * k));
    }
  spec.padding_value = static_cast<int32_t>(input.mostly(input.below(6), 100));
  if (input.one_in(4)) spec.element_size_in_bits = input.mostly(input.pick(kBits));
  if (input.one_in(6))
    spec.tail_padding_alignment_in_elements = input.mostly(input.within(1, input.one_in(2) ? 3 : 40));
  if (input.one_in(8)) spec.memory_space = input.mostly(input.below(8));
  if (input.one_in(16)) spec.dynamic_shape_metadata_prefix_bytes = input.mostly(input.below(64));
  if (input.one_in(30)) {  // no order, which only a memory space allows; widths and splits need one
    words->minor_to_major.clear(), words->padded.clear();
    words->split_dimensions.clear(), words->split_sizes.clear(), words->split_indices.clear();
    if (!input.one_in(8)) spec.memory_space = input.within(1, 8);
  }
  spec.struct_size = sizeof spec;
  spec.rank = size_of(words->minor_to_major);
  spec.tile_count = size_of(words->tile_ranks);
  spec.split_count = size_of(words->split_sizes);
}

// The spec, whose lists are where `at` puts them.
template <class Put>
xlashape_layout_spec spec_of(const Words& words, const Put& at) {
  xlashape_layout_spec spec = words.spec;
  spec.minor_to_major = at(words.minor_to_major);
  spec.padded_dimensions = words.padded.empty() ? nullptr : at(words.padded);
  spec.tile_ranks = at(words.tile_ranks);
  spec.tile_dimensions = at(words.tiles);
  spec.split_dimensions = at(words.split_dimensions);
  spec.split_sizes = at(words.split_sizes);
  spec.split_indices = at(words.split_indices);
  return spec;
}

// Byte strides of a dense array in some order of its dimensions, with gaps and signs.
List draw_strides(Input& input, const List& dimensions, int64_t step) {
  List strides(dimensions.size());
  for (const int64_t d : input.permutation(size_of(dimensions))) {
    const auto i = static_cast<size_t>(d);
    strides[i] = input.one_in(20) ? -step : step;
    if (__builtin_mul_overflow(step, std::max<int64_t>(dimensions[i], 1), &step)) step = 1;
    if (input.one_in(8)) step += input.below(9);
  }
  return strides;
}

// The same number of elements in other dimensions.
List reshaped(Input& input, List dimensions) {
  int64_t merged;
  if (dimensions.size() >= 2 && input.one_in(2) && !__builtin_mul_overflow(dimensions[0], dimensions[1], &merged)) {
    dimensions[1] = merged;
    dimensions.erase(dimensions.begin());
  } else if (!dimensions.empty() && dimensions[0] % 2 == 0 && dimensions[0] > 0 && dimensions.size() < 20) {
    dimensions[0] /= 2;
    dimensions.insert(dimensions.begin(), 2);
  } else if (dimensions.size() < 20) {
    dimensions.insert(dimensions.begin() + input.below(size_of(dimensions) + 1), 1);
  }
  return dimensions;
}

// What a function answers of some handle of the pool: for those that read it again.
std::string answer_of(Input& input, int function) {
  const Signature& signature = signatures()[static_cast<size_t>(function)];
  std::vector<uint64_t> words;
  int64_t needed = 0;
  size_t out = 0;
  for (const Parameter& p : signature.parameters) {
    uint64_t word = 0;
    if (p.role == Role::kHandle) word = reinterpret_cast<uint64_t>(pools[p.handle].any(input));
    if (p.name == "needed") word = reinterpret_cast<uint64_t>(&needed);
    if (p.is_out && p.count >= 0) out = words.size();
    if (p.role == Role::kValue && p.count < 0 && p.name != "capacity")
      word = static_cast<uint64_t>(p.name == "flags" && !input.one_in(4) ? 0 : input.below(4));
    words.push_back(word);
  }
  for (size_t i = 0; i < words.size(); ++i)  // of an array that is only read there are no items
    if (const Parameter& p = signature.parameters[i]; p.role == Role::kArray && !p.is_out && p.count >= 0)
      words[static_cast<size_t>(p.count)] = 0;
  if (signature.call(words.data()) != XLASHAPE_STATUS_OK || needed <= 0) return "";
  std::string bytes(static_cast<size_t>(needed), '#');
  words[out] = reinterpret_cast<uint64_t>(bytes.data());
  words[static_cast<size_t>(signature.parameters[out].count)] = static_cast<uint64_t>(needed);
  signature.call(words.data());
  if (signature.parameters[out].role == Role::kText) bytes.pop_back();
  return bytes;
}

// The function that writes what this one reads; -1: there is none.
int counterpart(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"_parse_head", "_print"}, {"_parse", "_print"}, {"_from_proto", "_to_proto"}, {"_import_", "_export_"}};
  for (const auto& [reads, writes] : kWords) {
    const size_t at = name.find(reads);
    if (at == std::string_view::npos) continue;
    return find_function(std::string(name).replace(at, reads.size(), writes));
  }
  return -1;
}

void edit(Input& input, std::string* text) {
  static const std::string kParts[] = {
      "f32", "s4",   "[",  "]", "{",   "}",   "(",    ")",    ",",    ":",       "T(",
      "*",   "?",    "<=", "1", "0",   "128", "-1",   "PD(",  "x",    "tensor<", "'",
      " ",   "\x80", "\n", "",  "PV(", "SC(", "S(5)", "E(4)", "L(4)", "M(8)",    "9223372036854775807"};
  for (int64_t edits = input.one_in(2) ? 0 : input.within(1, 3); edits > 0; --edits) {
    const auto at = static_cast<size_t>(input.below(size_of(*text) + 1));
    switch (input.below(5)) {
      case 0:
        text->insert(at, kParts[input.below(std::size(kParts))]);
        break;
      case 1:
        text->erase(at, 1);
        break;
      case 2:
        text->insert(at, 1, static_cast<char>(input.byte()));
        break;
      case 3:
        if (at < text->size()) (*text)[at] = static_cast<char>((*text)[at] ^ (1 << input.below(8)));
        break;
      default:
        text->resize(at);
    }
  }
}

template <class T>
T* kept(T* made, Input& input) {
  if (made != nullptr) pool_of<T>().add(made, input);
  return made;
}

}  // namespace

xlashape_element_type draw_type(Input& input) {
  return static_cast<xlashape_element_type>(input.one_in(40)  ? input.wild()
                                            : input.one_in(4) ? 11
                                                              : input.within(1, 36));
}

List draw_dimensions(Input& input) {
  if (input.one_in(10)) return {input.within(2, 9), input.within(500, 9000)};  // rows of some thousand bytes
  static constexpr int64_t kRound[] = {1, 1, 2, 4, 8, 8, 16, 32};
  List dimensions;
  int64_t room = 4096;
  for (int64_t rank = input.below(6); rank > 0; --rank) {
    int64_t size = input.one_in(3) ? input.pick(kRound) : input.within(1, 12);
    if (input.one_in(6)) size = input.one_in(10) ? 0 : input.within(1, 140);
    size = std::min(size, room);
    room /= std::max<int64_t>(size, 1);
    dimensions.push_back(size);
  }
  return dimensions;
}

List dimensions_of(const xlashape_shape* shape) { return list_of(xlashape_shape_dimensions, shape); }

bool is_array(const xlashape_shape* shape) {
  const xlashape_category category = xlashape_shape_category(shape);
  return category == XLASHAPE_CATEGORY_ARRAY || category == XLASHAPE_CATEGORY_BUFFER;
}

xlashape_layout* draw_layout(Input& input, const List& dimensions) {
  Words words;
  draw_words(input, dimensions, &words);
  const xlashape_layout_spec spec = spec_of(words, [](const List& list) { return list.data(); });
  return MAKE(layout, xlashape_layout_create, &spec);
}

xlashape_shape* draw_array(Input& input) {
  const List dimensions = draw_dimensions(input);
  xlashape_layout* layout = input.one_in(5) ? nullptr : draw_layout(input, dimensions);
  return MAKE(shape, xlashape_shape_create_array, draw_type(input), dimensions.data(), nullptr, size_of(dimensions),
              layout, 0);
}

xlashape_shape* draw_view(Input& input, const xlashape_shape* a) {
  xlashape_shape* view = nullptr;
  const List dimensions = dimensions_of(a);
  const xlashape_element_type type = xlashape_shape_element_type(a);
  if (!is_array(a) || dimensions.size() > 30) return any<xlashape_shape>(input);
  switch (input.below(6)) {
    case 0: {
      const List order = input.permutation(size_of(dimensions));
      xlashape_shape_permute_dimensions(a, order.data(), size_of(order), 0, &view, nullptr);
      break;
    }
    case 1:
      xlashape_shape_drop_degenerate_dimensions(a, &view, nullptr);
      break;
    case 2:
      xlashape_shape_to_physical_order(a, &view, nullptr);
      break;
    case 3: {
      xlashape_layout* const layout = draw_layout(input, dimensions);
      xlashape_shape_create_array(type, dimensions.data(), nullptr, size_of(dimensions), layout, 0, &view, nullptr);
      break;
    }
    default: {
      const List other = reshaped(input, dimensions);
      const auto layout = held<HeldLayout>(xlashape_shape_align_layouts, a, other.data(), size_of(other), 0u);
      if (layout != nullptr)
        xlashape_shape_create_array(type, other.data(), nullptr, size_of(other), layout, 0, &view, nullptr);
    }
  }
  return view != nullptr ? kept(view, input) : any<xlashape_shape>(input);
}

List draw_path(Input& input, const xlashape_shape* shape) {
  List path;
  std::vector<HeldShape> parts;
  while (path.size() < 8 && !input.one_in(4)) {
    const int64_t count = xlashape_shape_tuple_element_count(shape);
    if (count == 0) break;
    path.push_back(input.mostly(input.below(count)));
    parts.push_back(held<HeldShape>(xlashape_shape_tuple_element, shape, path.back()));
    shape = parts.back();
    if (shape == nullptr) break;
  }
  return path;
}

int64_t draw_value(Input& input, const Signature& signature, const Parameter& p, const Context& context) {
  static const auto& bounds = *new std::map<std::string_view, int64_t>{{"flags", 4},       {"classes", kClassBits + 1},
                                                                       {"is_signed", 3},   {"is_dynamic", 3},
                                                                       {"workers", 64},    {"unit", 3},
                                                                       {"which", 4},       {"value", 6},
                                                                       {"elements", 1000}, {"space", 64},
                                                                       {"device", 3},      {"byte_offset", 64},
                                                                       {"limit", 5},       {"max_bytes", 1 << 16}};
  if (p.name == "memory_space") return input.mostly(input.below(8), 10);
  if (p.name.ends_with("space"))
    return input.one_in(4) ? input.mostly(input.below(65), 10) : input.one_in(4) ? 1 : kDeviceSpace;
  if (p.name == "byte") return input.mostly(input.byte(), 10);
  if (p.name == "bytes") return input.mostly(input.below(200), 10);
  if (p.name == "address" || p.name == "dst" || p.name == "src")  // of the first one that a device gave, or any
    return input.mostly(int64_t{1} << 20, 4);
  if (p.name == "mask") return input.flags(kEqualBits);
  if (p.name == "fields") return input.flags(kLayoutFieldBits);
  if (p.name == "flags" && input.one_in(3)) return input.one_in(8) ? input.wild() : 1 << input.below(10);
  if (p.base == "xlashape_target") return input.mostly(input.below(xlashape_target_count()), 20);
  if (p.name == "pointer_size") return input.mostly(8);
  if (p.name == "bits" || p.name == "storage_bits") return input.one_in(2) ? 1 << input.below(7) : input.wild();
  if (p.name == "number") return input.mostly(input.below(6), 20);
  if (p.name == "letter")
    return input.one_in(8) ? input.byte() : xlashape_dimension_letter(context.rank, input.below(context.rank));
  if (p.name == "linear" && context.map != nullptr)
    return input.mostly(input.below(xlashape_index_map_storage_elements(context.map)), 10);
  if (p.name == "rank") {  // of nothing else; a list of that length would be an honest work of its own
    const int64_t rank = input.mostly(context.rank, 10);
    return rank > 1000 && signature.returns == Role::kStatus ? rank | int64_t{1} << 40 : rank;
  }
  if (p.name == "level" || p.name == "split") return input.mostly(input.below(2), 20);
  if (p.name == "dimension" || p.name == "at") return input.mostly(input.below(context.rank + (p.name == "at")), 20);
  const auto bound = bounds.find(p.name);
  return input.mostly(input.below(bound != bounds.end() ? bound->second : 4), 20);
}

List draw_items(Input& input, const Signature& signature, const Parameter& p, const Context& context, int64_t count) {
  const List& dimensions = context.dimensions;
  const int64_t rank = context.rank;
  const bool is_rank = p.count >= 0 && signature.parameters[static_cast<size_t>(p.count)].name == "rank";
  const bool is_a = p.name == "a", is_order = p.name == "permutation" || p.name.find("minor") != std::string_view::npos;
  static thread_local List last;  // the factors of a function that has two lists of them
  List items;
  if (is_order) {
    items = input.permutation(count >= 0 ? count : rank);
  } else if (p.name == "dimensions" && !is_rank) {  // some of them
    items = input.permutation(std::min<int64_t>(rank, 64));
    items.resize(static_cast<size_t>(input.below(size_of(items) + 1)));
  } else if (p.name == "dimensions") {
    items = context.shape != nullptr && !input.one_in(4) ? reshaped(input, dimensions) : dimensions;
    for (int64_t& size : items)
      if (input.one_in(60)) size = input.one_in(2) ? XLASHAPE_DIMENSION_UNBOUNDED : input.wild();
  } else if (p.name == "dynamic") {
    for (int64_t i = 0; i < rank; ++i) items.push_back(input.one_in(4));
  } else if (p.name == "byte_strides") {
    items = draw_strides(input, dimensions, std::max(1, xlashape_element_type_storage_bits(context.type) / 8));
  } else if (p.name == "index" && context.map == nullptr) {
    for (const int64_t size : dimensions) items.push_back(input.mostly(input.below(size), 20));
  } else if (p.name == "index") {  // of some position, padding or not
    items.assign(static_cast<size_t>(rank), 0);
    int32_t is_padding = 0;
    xlashape_index_map_multidimensional_index(context.map,
                                              input.below(xlashape_index_map_storage_elements(context.map)),
                                              items.data(), rank, &is_padding, nullptr);
  } else if (context.shape != nullptr && (p.name == "base" || p.name == "extent")) {  // of a window
    for (const int64_t size : dimensions)
      items.push_back(p.name == "base"  ? (input.one_in(6) ? input.below(size + 1) : 0)
                      : input.one_in(6) ? input.below(size + 1)
                                        : size);
  } else if (p.name == "path") {
    items = context.shape != nullptr ? draw_path(input, context.shape) : List{3, 200, 1};
  } else if (p.name == "bytes") {
    std::string bytes;
    if (const int function = counterpart(signature.name); function >= 0) bytes = answer_of(input, function);
    edit(input, &bytes);
    items.assign(bytes.begin(), bytes.end());
  } else if (is_a || p.name == "b") {
    if (is_a)
      last = dimensions;
    else
      for (int64_t n = input.below(4); n > 0; --n) last = reshaped(input, last);
    items = last;
  } else {
    for (int64_t i = 0; i < (count >= 0 ? count : input.below(5)); ++i)
      items.push_back(p.name == "step" ? input.within(1, 3) : input.one_in(3) ? 1 : input.below(7));
  }
  // What another parameter is as long as the sum of is not longer than that.
  const bool is_summed = std::any_of(signature.parameters.begin(), signature.parameters.end(), [&](const Parameter& q) {
    return q.is_sum && signature.parameters[static_cast<size_t>(q.count)].name == p.name;
  });
  if (!items.empty() && input.one_in(30))
    items[static_cast<size_t>(input.below(size_of(items)))] = is_summed ? input.wild() | INT64_MIN : input.wild();
  if (count >= 0) items.resize(static_cast<size_t>(count), 1);
  return items;
}

std::string draw_text(Input& input, const Signature& signature, const Parameter& p) {
  static const std::vector<std::string> kShapes = {"f32[2,3]{1,0}",
                                                   "(f32[2]{0}, (bf16[4], token[]))",
                                                   "f32[8,16]{1,0:T(2,4)(2,1)}",
                                                   "s4[9]{0:E(4)}",
                                                   "pred[]",
                                                   "opaque[]",
                                                   "b(f32[4])",
                                                   "f32[<=5,?]",
                                                   "u8[64,20]{1,0:PD(64,21)}"},
                                        kLayouts = {"{1,0:T(8,128)(2,1)S(1)}", "{0:L(4)M(8)SC(0:1,2)}", "{}"},
                                        kArrays = {"float32[2,3]{col}",
                                                   "tensor<?x4xf32, #stablehlo.bounds<8, ?>>",
                                                   "memref<2x3xf32, strided<[1, 2], offset: 4>>",
                                                   "i8 ((8,2),(128,3)):((128,3072),(1,1024))",
                                                   "{'shape': (2, 3), 'dtype': '<f4'}",
                                                   "ShapeDtypeStruct(shape=(2, 3), dtype=bfloat16)",
                                                   "%x = f32[2]{0} add(%a)"},
                                        kWords = {"row",
                                                  "col",
                                                  "T",
                                                  "1,0",
                                                  "ab",
                                                  "AB8a16b2a",
                                                  "hw->wh",
                                                  "a b -> b a",
                                                  "T(8,128)(2,1)",
                                                  "swapaxes(0,1)",
                                                  "Tile([32, 32])",
                                                  "inner_dims_pos = [0] inner_tiles = [8]",
                                                  "Layout(major_to_minor=(1, 0), tiling=((8, 128),))",
                                                  "affine_map<(i,j) -> (j, i floordiv 8, i mod 8)>"};
  const auto has = [&](const char* word) { return signature.name.find(word) != std::string_view::npos; };
  const auto& whole = has("words") ? kWords : has("_read") ? kArrays : has("layout") ? kLayouts : kShapes;
  static const std::string kTails[] = {"", "", " %x", ", f32[3]{0}", ") -> f32[]", "x", "1", "]", "{ ROOT"};
  std::string text;
  if (p.name == "name") {
    static const std::string kNames[] = {"f32", "s4", "tuple", "F32", "cpu", "execution.1", "execution.2", ""};
    const char* const name = has("target")
                                 ? xlashape_target_name(static_cast<int32_t>(input.below(xlashape_target_count())))
                                 : xlashape_element_type_name(static_cast<int32_t>(4 * input.below(9) + 3));
    text = name != nullptr && input.one_in(2) ? name : kNames[input.below(std::size(kNames))];
  } else {
    const int function = counterpart(signature.name);
    text = function >= 0 && input.one_in(2) ? answer_of(input, function)
                                            : whole[static_cast<size_t>(input.below(size_of(whole)))];
    if (signature.name.ends_with("_head")) text += kTails[input.below(std::size(kTails))];
  }
  edit(input, &text);
  return text;
}

std::vector<unsigned char> draw_struct(Input& input, const Parameter& p, const Context& context,
                                       std::deque<List>& kept_lists) {
  std::vector<unsigned char> bytes(p.size);
  const auto put = [&](const auto& value) { std::memcpy(bytes.data(), &value, sizeof value); };
  const auto keep = [&](const List& list) { return kept_lists.emplace_back(list).data(); };
  if (p.base == "xlashape_layout_spec") {
    Words words;
    draw_words(input, context.dimensions, &words);
    xlashape_layout_spec spec = spec_of(words, keep);
    if (input.one_in(100)) spec.rank = -1 - input.below(3);
    if (input.one_in(60)) spec.minor_to_major = nullptr;
    put(spec);
  }
  if (p.base == "xlashape_bitcast_steps") {
    xlashape_bitcast_steps steps = {};
    const auto room = [&] { return input.one_in(40) ? -1 : input.one_in(2) ? input.below(8) : 1024; };
    steps.transpose1_capacity = room(), steps.transpose2_capacity = room();
    steps.transpose1 = kept_lists.emplace_back(1024).data();
    steps.transpose2 = kept_lists.emplace_back(1024).data();
    put(steps);
  }
  if (p.base == "xlashape_queue") {
    const auto kind = static_cast<int32_t>(input.one_in(3) ? 0 : input.mostly(kQueueKind, 6));
    put(xlashape_queue{kind, 0, static_cast<uint64_t>(input.below(4))});
  }
  return bytes;
}

}  // namespace api_fuzz
