// Layouts: making them from specs, asking them, and new ones from old ones.
#include <algorithm>

#include "fields.h"
#include "flags.h"

namespace api_fuzz {
namespace {

// A layout in a caller's words.
struct Words {
  std::vector<int64_t> minor_to_major, padded, tile_ranks, tiles, split_dimensions, split_sizes, split_indices;
  int32_t padding_value = 0;
  int64_t element_bits = 0, tail = 0, memory_space = 0, prefix = 0;
};

int64_t tile_size(Input& input) {
  static constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 32, 128, 1, 1};
  return input.one_in(10) ? XLASHAPE_COMBINE_DIMENSION : input.mostly(input.pick(kSizes), 200);
}

Words draw_words(Input& input, const std::vector<int64_t>& dimensions) {
  Words words;
  const auto rank = static_cast<int64_t>(dimensions.size());
  words.minor_to_major = input.permutation(rank);
  if (rank > 0 && input.one_in(80)) words.minor_to_major[static_cast<size_t>(input.below(rank))] = input.wild();
  if (input.one_in(5))
    for (const int64_t size : dimensions)
      words.padded.push_back(input.mostly(size < 0 ? size : size > INT64_MAX - 8 ? size : size + input.below(5), 200));
  words.padding_value = static_cast<int32_t>(input.mostly(input.below(6), 100));
  if (input.one_in(2))
    for (int64_t levels = input.below(4); levels > 0; --levels) {
      const int64_t most = std::clamp<int64_t>(rank, 2, 3) + (input.one_in(10) ? 1 : 0);
      words.tile_ranks.push_back(input.mostly(input.below(most + 1), 200));
      for (int64_t i = 0; i < words.tile_ranks.back() && i < 8; ++i) words.tiles.push_back(tile_size(input));
      if (words.tile_ranks.back() > 8) words.tile_ranks.back() = 8;
    }
  static constexpr int64_t kBits[] = {1, 2, 4, 8, 16, 32, 64, 128, 3, 24};
  if (input.one_in(4)) words.element_bits = input.mostly(input.pick(kBits));
  if (input.one_in(6)) words.tail = input.mostly(input.within(1, input.one_in(2) ? 3 : 40));
  if (input.one_in(8)) words.memory_space = input.mostly(input.below(8));
  if (input.one_in(16)) words.prefix = input.mostly(input.below(64));
  if (rank > 0 && input.one_in(5))
    for (int64_t i = input.within(1, 2); i > 0; --i) {
      words.split_dimensions.push_back(input.mostly(input.below(rank)));
      const int64_t cuts = input.below(3);
      words.split_sizes.push_back(cuts);
      for (int64_t k = 1; k <= cuts; ++k) words.split_indices.push_back(input.mostly(2 * k));
    }
  if (!words.tiles.empty() && input.one_in(6))
    words.tiles[static_cast<size_t>(input.below(size_of(words.tiles)))] = XLASHAPE_MATCH_DIMENSION;
  if (input.one_in(30)) {  // no order, which only a memory space allows; widths and splits need one
    words.minor_to_major.clear();
    words.padded.clear();
    if (!input.one_in(8)) words.split_dimensions.clear(), words.split_sizes.clear(), words.split_indices.clear();
    if (!input.one_in(8)) words.memory_space = input.within(1, 8);
  }
  return words;
}

// The words as a spec, which points to them.
xlashape_layout_spec spec_of(const Words& words) {
  xlashape_layout_spec spec = {};
  spec.struct_size = sizeof spec;
  spec.padding_value = words.padding_value;
  spec.rank = size_of(words.minor_to_major);
  spec.minor_to_major = words.minor_to_major.data();
  spec.padded_dimensions = words.padded.empty() ? nullptr : words.padded.data();
  spec.tile_count = size_of(words.tile_ranks);
  spec.tile_ranks = words.tile_ranks.data();
  spec.tile_dimensions = words.tiles.data();
  spec.element_size_in_bits = words.element_bits;
  spec.tail_padding_alignment_in_elements = words.tail;
  spec.memory_space = words.memory_space;
  spec.split_count = size_of(words.split_sizes);
  spec.split_dimensions = words.split_dimensions.data();
  spec.split_sizes = words.split_sizes.data();
  spec.split_indices = words.split_indices.data();
  spec.dynamic_shape_metadata_prefix_bytes = words.prefix;
  return spec;
}

// The words as fields, in any order; what is not said is left out, or said all the same.
Fields fields_of(Input& input, const Words& words) {
  Fields fields;
  const auto add = [&](int64_t number, const std::vector<int64_t>& values, bool is_said) {
    if (is_said || input.one_in(4))
      fields.insert(fields.begin() + input.below(size_of(fields) + 1), Field{number, values});
  };
  const auto add_one = [&](int64_t number, int64_t value) { add(number, {value}, value != 0); };
  add(XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR, words.minor_to_major, !words.minor_to_major.empty());
  if (!words.padded.empty()) add(XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS, words.padded, true);
  add_one(XLASHAPE_LAYOUT_FIELD_PADDING_VALUE, words.padding_value);
  add_one(XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS, words.element_bits);
  add_one(XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE, words.memory_space);
  add_one(XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES, words.prefix);
  add_one(XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS, words.tail);
  // Levels and splits stay in their order.
  int64_t first = 0;
  const auto add_next = [&](int64_t number, std::vector<int64_t> values) {
    first += input.below(size_of(fields) - first + 1);
    fields.insert(fields.begin() + first++, Field{number, std::move(values)});
  };
  auto tile = words.tiles.begin();
  for (const int64_t rank : words.tile_ranks) {
    add_next(XLASHAPE_LAYOUT_FIELD_TILE, {tile, tile + rank});
    tile += rank;
  }
  first = 0;
  auto cut = words.split_indices.begin();
  for (size_t i = 0; i < words.split_sizes.size(); ++i) {
    std::vector<int64_t> values = {words.split_dimensions[i]};
    values.insert(values.end(), cut, cut + words.split_sizes[i]);
    cut += words.split_sizes[i];
    add_next(XLASHAPE_LAYOUT_FIELD_SPLIT, values);
  }
  return fields;
}

Words words_of(const Fields& fields) {
  Words words;
  for (const auto& [number, values] : fields) {
    const int64_t one = values.empty() ? 0 : values[0];
    switch (number) {
      case XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR:
        words.minor_to_major = values;
        break;
      case XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS:
        words.padded = values;
        break;
      case XLASHAPE_LAYOUT_FIELD_PADDING_VALUE:
        words.padding_value = static_cast<int32_t>(one);
        break;
      case XLASHAPE_LAYOUT_FIELD_TILE:
        words.tile_ranks.push_back(size_of(values));
        words.tiles.insert(words.tiles.end(), values.begin(), values.end());
        break;
      case XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS:
        words.element_bits = one;
        break;
      case XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE:
        words.memory_space = one;
        break;
      case XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES:
        words.prefix = one;
        break;
      case XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS:
        words.tail = one;
        break;
      case XLASHAPE_LAYOUT_FIELD_SPLIT:
        words.split_dimensions.push_back(one);
        words.split_sizes.push_back(size_of(values) - 1);
        words.split_indices.insert(words.split_indices.end(), values.begin() + 1, values.end());
        break;
      default:
        check(false, "a field that words_of does not know");
    }
  }
  return words;
}

// Makes a layout of the list, which has to be the one that the same words make as a spec, or fail as that does.
xlashape_layout* create_from_fields(Input& input, const std::vector<int64_t>& list) {
  const Reading reading = read_fields(list, layout_rules, 0);
  auto block = Numbers::of(list, input);
  xlashape_layout* made = MAKE(layouts, xlashape_layout_create_from_fields, block.data(), size_of(list));
  if (ended.was_refused_memory) return made;
  if (reading.status != XLASHAPE_STATUS_OK) {
    check_ended(list, ended.status, reading.status, "a list of fields that is none is taken, or refused otherwise");
    return made;
  }
  const Words words = words_of(reading.fields);
  const xlashape_status status = ended.status;
  if (!words.padded.empty() && words.padded.size() != words.minor_to_major.size()) {
    check(made == nullptr, "widths of another number than the dimensions' are taken");
    return made;
  }
  const xlashape_layout_spec spec = spec_of(words);
  xlashape_layout* same = nullptr;
  check_ended(list, status, xlashape_layout_create(&spec, &same, nullptr), "fields and spec fail differently");
  if (same == nullptr) return made;
  check(xlashape_layout_equal(made, same, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
        "fields make another layout than a spec");
  world.layouts.drop(same);
  return made;
}

xlashape_layout* create(Input& input, const Words& words, bool plain) {
  auto order = Numbers::of(words.minor_to_major, input), padded = Numbers::of(words.padded, input),
       tile_ranks = Numbers::of(words.tile_ranks, input), tiles = Numbers::of(words.tiles, input),
       split_dimensions = Numbers::of(words.split_dimensions, input),
       split_sizes = Numbers::of(words.split_sizes, input), split_indices = Numbers::of(words.split_indices, input);
  const int64_t rank = plain               ? size_of(words.minor_to_major)
                       : input.one_in(200) ? -1 - input.below(3)
                                           : size_of(words.minor_to_major);
  int64_t* const widths = words.padded.empty() ? nullptr : padded.data();
  const bool can_be_listed =
      std::all_of(words.tile_ranks.begin(), words.tile_ranks.end(), [](int64_t count) { return count >= 0; });
  if (can_be_listed && input.one_in(2)) return create_from_fields(input, listed(fields_of(input, words)));
  xlashape_layout_spec spec = spec_of(words);
  spec.rank = rank;
  spec.minor_to_major = order.data();
  spec.padded_dimensions = widths;
  spec.tile_ranks = tile_ranks.data();
  spec.tile_dimensions = tiles.data();
  spec.split_dimensions = split_dimensions.data();
  spec.split_sizes = split_sizes.data();
  spec.split_indices = split_indices.data();
  if (plain) return MAKE(layouts, xlashape_layout_create, &spec);
  if (input.one_in(60)) spec.minor_to_major = nullptr;
  auto block = resized(spec, input);
  return MAKE(layouts, xlashape_layout_create, reinterpret_cast<const xlashape_layout_spec*>(block.data()));
}

// Lists that are none.
void damage_fields(Input& input) {
  const std::vector<int64_t> dimensions(static_cast<size_t>(input.below(5)), 5);
  Words words = draw_words(input, dimensions);
  for (int64_t& count : words.tile_ranks)
    if (count < 0) return;
  const std::vector<int64_t> list = damaged(input, fields_of(input, words), layout_rules);
  if (const auto size = draw_wrong_size(input)) {
    auto block = Numbers::of(list, input);
    MAKE(layouts, xlashape_layout_create_from_fields, block.data(), *size);
    check(ended.status == XLASHAPE_STATUS_INVALID_ARGUMENT, "a list of that length is taken");
    return;
  }
  create_from_fields(input, list);
}

// What a layout says of itself as fields makes it again.
void read_back(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  const auto list = ANSWER(int64_t, xlashape_layout_fields, layout);
  if (!list) return;
  const Reading reading = read_fields(*list, layout_rules, 0);
  check(reading.status == XLASHAPE_STATUS_OK, "a layout's fields are no fields");
  check(std::is_sorted(reading.fields.begin(), reading.fields.end(),
                       [](const Field& a, const Field& b) { return a.number < b.number; }),
        "a layout's fields do not rise");
  xlashape_layout* made = create_from_fields(input, *list);
  check(made != nullptr || ended.was_refused_memory, "a layout's fields make none");
  if (made == nullptr) return;
  check(GET(xlashape_layout_equal, made, layout, XLASHAPE_EQUAL_METADATA_PREFIX) == 1,
        "a layout's fields make another layout");
  const auto again = ANSWER(int64_t, xlashape_layout_fields, made);
  check(!again || *again == *list, "the same layout has other fields");
}

// Asks for everything that the words said.
void check_answers(const xlashape_layout* layout, const Words& words) {
  const auto same = [](const std::optional<std::vector<int64_t>>& got, const std::vector<int64_t>& want) {
    return !got || *got == want;
  };
  check(GET(xlashape_layout_rank, layout) == size_of(words.minor_to_major), "the layout's rank");
  check(same(ANSWER(int64_t, xlashape_layout_minor_to_major, layout), words.minor_to_major), "minor_to_major");
  check(same(ANSWER(int64_t, xlashape_layout_padded_dimensions, layout), words.padded), "padded_dimensions");
  check(GET(xlashape_layout_tile_count, layout) == size_of(words.tile_ranks), "the number of tiles");
  size_t at = 0;
  for (size_t level = 0; level < words.tile_ranks.size(); ++level) {
    const auto end = at + static_cast<size_t>(words.tile_ranks[level]);
    check(same(ANSWER(int64_t, xlashape_layout_tile, layout, static_cast<int64_t>(level)),
               {words.tiles.begin() + static_cast<ptrdiff_t>(at), words.tiles.begin() + static_cast<ptrdiff_t>(end)}),
          "a tile");
    at = end;
  }
  check(GET(xlashape_layout_padding_value, layout) == words.padding_value, "the padding value");
  check(GET(xlashape_layout_element_size_in_bits, layout) == words.element_bits, "the element size");
  check(GET(xlashape_layout_tail_padding_alignment_in_elements, layout) == std::max<int64_t>(words.tail, 1),
        "the tail alignment");
  check(GET(xlashape_layout_memory_space, layout) == words.memory_space, "the memory space");
  check(GET(xlashape_layout_dynamic_shape_metadata_prefix_bytes, layout) == words.prefix, "the metadata prefix");
  check(GET(xlashape_layout_split_count, layout) == size_of(words.split_sizes), "the number of splits");
  for (size_t i = 0; i < words.split_dimensions.size(); ++i) {
    int64_t dimension = -77;
    const auto cuts = ANSWER(int64_t, xlashape_layout_split, layout, static_cast<int64_t>(i), &dimension);
    check(!cuts || dimension == words.split_dimensions[i], "a split's dimension");
  }
}

void create_any(Input& input) {
  const std::vector<int64_t> dimensions(static_cast<size_t>(input.one_in(30) ? input.below(70) : input.below(6)), 5);
  const Words words = draw_words(input, dimensions);
  xlashape_layout* made = create(input, words, true);
  if (made != nullptr) check_answers(made, words);
  create(input, words, false);
}

void create_plain(Input& input) {
  const int64_t rank = input.mostly(input.below(7), 20);
  if (rank > 1000) {  // a list of that length would be an honest work of its own
    MAKE(layouts, xlashape_layout_create_row_major, rank | int64_t{1} << 40);
    MAKE(layouts, xlashape_layout_create_column_major, rank | int64_t{1} << 40);
    return;
  }
  xlashape_layout* row = MAKE(layouts, xlashape_layout_create_row_major, rank);
  xlashape_layout* column = MAKE(layouts, xlashape_layout_create_column_major, rank);
  if (row != nullptr) check(GET(xlashape_layout_is_dim0_major, row) == 1, "row-major");
  if (column != nullptr) check(GET(xlashape_layout_is_dim0_minor, column) == 1, "column-major");
  if (rank < 0) return;
  auto order = Numbers::of(input.permutation(rank), input);
  xlashape_layout* made = MAKE(layouts, xlashape_layout_create_major_to_minor, order.data(), rank);
  if (made == nullptr) return;
  if (const auto got = ANSWER(int64_t, xlashape_layout_minor_to_major, made))
    check(std::equal(got->rbegin(), got->rend(), order.data()), "major_to_minor is not the reverse");
}

void ask(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  xlashape_layout* other = world.layouts.pick(input);
  const uint32_t mask = input.flags(kEqualBits);
  const int64_t rank = GET(xlashape_layout_rank, layout);
  const auto order = ANSWER(int64_t, xlashape_layout_minor_to_major, layout);
  const auto places = ANSWER(int64_t, xlashape_layout_logical_to_physical, layout);
  if (order && places)
    for (int64_t i = 0; i < rank; ++i)
      check((*places)[static_cast<size_t>((*order)[static_cast<size_t>(i)])] == rank - 1 - i,
            "logical_to_physical is no inverse");
  GET(xlashape_layout_is_dim0_major, layout);
  GET(xlashape_layout_is_dim0_minor, layout);
  ANSWER(int64_t, xlashape_layout_tile, layout, input.mostly(input.below(3)));
  int64_t dimension = -77;
  const int64_t split = input.mostly(input.below(GET(xlashape_layout_split_count, layout)), 10);
  if (const auto cuts = answer<int64_t>(F_xlashape_layout_split, [&](auto... rest) {
        return xlashape_layout_split(layout, split, &dimension, rest...);
      }))
    check(dimension >= 0 && dimension < rank && std::is_sorted(cuts->begin(), cuts->end()), "a split");
  const int32_t equal = GET(xlashape_layout_equal, layout, other, mask);
  check(equal == GET(xlashape_layout_equal, other, layout, mask), "equality has a direction");
  check(layout != nullptr ||
            (rank == 0 && GET(xlashape_layout_hash, layout, mask) == 0 && GET(xlashape_layout_tile_count, layout) == 0),
        "NULL answers");
  if (layout == nullptr) return;
  check(GET(xlashape_layout_equal, layout, layout, mask) == 1, "a layout is not equal to itself");
  const uint64_t hash = GET(xlashape_layout_hash, layout, mask);
  if (equal) check(hash == GET(xlashape_layout_hash, other, mask), "equal layouts hash differently");
}

// All of a layout at once makes it again.
void copy(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  xlashape_layout_spec spec = {};
  auto block = resized(spec, input);
  std::memset(block.data() + 4, 0xA5, block.size() - 4);
  const xlashape_status status =
      CALL(xlashape_layout_get_spec, layout, reinterpret_cast<xlashape_layout_spec*>(block.data()));
  if (status != XLASHAPE_STATUS_OK) {
    for (size_t i = 4; i < block.size(); ++i) check(block[i] == 0xA5, "a spec is written on failure");
    return;
  }
  std::memcpy(&spec, block.data(), sizeof spec);
  check(spec.struct_size == sizeof spec, "the size of a spec");
  xlashape_layout* made = MAKE(layouts, xlashape_layout_create, &spec);
  check(xlashape_layout_create(&spec, &made, nullptr) == XLASHAPE_STATUS_OK, "a layout's spec makes none");
  world.layouts.drop(made);
  const uint32_t mask = XLASHAPE_EQUAL_METADATA_PREFIX;
  check(GET(xlashape_layout_equal, made, layout, mask) == 1, "a layout's spec makes another layout");
  check(GET(xlashape_layout_hash, made, mask) == GET(xlashape_layout_hash, layout, mask), "a copy hashes differently");
}

// Tiles and splits, each by itself, stand one after the other in the layout's text.
void print_parts(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  const auto printed = TEXT(xlashape_layout_print, layout, 0);
  const auto whole = printed ? std::string(printed->begin(), printed->end()) : std::string();
  const auto join = [&](std::string joined, int64_t count, auto&& print) {
    for (int64_t i = 0; i < count; ++i) {
      const std::optional<std::vector<char>> part = print(i);
      if (!part) return;
      joined.append(part->begin(), part->end());
    }
    check(count == 0 || !printed || whole.find(joined) != std::string::npos, "a part's text is not in the layout's");
  };
  const auto tile = [&](int64_t i) { return TEXT(xlashape_layout_print_tile, layout, i); };
  const auto split = [&](int64_t i) { return TEXT(xlashape_layout_print_split, layout, i); };
  const int64_t tiles = GET(xlashape_layout_tile_count, layout), splits = GET(xlashape_layout_split_count, layout);
  join("T", tiles, tile);
  join("SC", splits, split);
  check(!tile(tiles) && !split(splits) && !tile(-1), "the text of a part that is not there");
  tile(input.wild()), split(input.wild());
}

void derive(Input& input) {
  xlashape_layout* layout = world.layouts.pick(input);
  const int64_t rank = GET(xlashape_layout_rank, layout), dimension = input.mostly(input.below(rank), 10);
  MAKE(layouts, xlashape_layout_move_dimension_to_major, layout, dimension);
  MAKE(layouts, xlashape_layout_move_dimension_to_minor, layout, dimension);
  std::vector<int64_t> some = input.permutation(std::min<int64_t>(rank, 64));
  some.resize(static_cast<size_t>(input.below(static_cast<int64_t>(some.size()) + 1)));
  if (!some.empty() && input.one_in(10)) some[0] = input.wild();
  auto list = Numbers::of(some, input);
  const auto count = static_cast<int64_t>(list.size());
  GET(xlashape_layout_are_dimensions_consecutive, layout, list.data(), count);
  xlashape_layout* rest = MAKE(layouts, xlashape_layout_delete_dimensions, layout, list.data(), count);
  if (rest != nullptr) check(GET(xlashape_layout_rank, rest) == rank - count, "dimensions that were not deleted");
}

void churn(Input& input) { world.layouts.churn(input); }

constexpr Operation kOperations[] = {{create_any, 6},    {create_plain, 2}, {ask, 5},         {derive, 4}, {copy, 2},
                                     {damage_fields, 4}, {read_back, 3},    {print_parts, 2}, {churn, 2}};

}  // namespace

xlashape_layout* draw_layout(Input& input, const std::vector<int64_t>& dimensions) {
  return create(input, draw_words(input, dimensions), true);
}

Operations layout_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
