// Element types, versions, and functions of plain lists of numbers.
#include <algorithm>

#include "world.h"

namespace api_fuzz {

xlashape_element_type draw_type(Input& input) {
  static constexpr int32_t kArrays[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 15, 16, 18,
                                        19, 21, 22, 26, 27, 28, 30, 31, 32, 33, 35, 36, 6,  11, 16};
  return input.one_in(40) ? static_cast<xlashape_element_type>(input.wild()) : input.pick(kArrays);
}

namespace {

void versions(Input& input) {
  check(std::strlen(GET(xlashape_version)) > 0 && GET(xlashape_abi_version) != 0, "no version");
  check(std::strlen(GET(xlashape_status_name, static_cast<int32_t>(input.wild()))) > 0, "a status without a name");
}

void element_types(Input& input) {
  const xlashape_element_type type = draw_type(input);
  const int32_t bits = GET(xlashape_element_type_bits, type), storage = GET(xlashape_element_type_storage_bits, type);
  const uint32_t classes = GET(xlashape_element_type_classes, type);
  const bool is_array = (classes & XLASHAPE_CLASS_ARRAY) != 0;
  check((bits > 0) == is_array && (storage > 0) == is_array && bits <= storage, "bits of an element type");
  if (const char* name = GET(xlashape_element_type_name, type)) {
    auto text = Exact<char>::of(std::string(name), input);
    xlashape_element_type found = -7;
    const xlashape_status status = CALL(xlashape_element_type_from_name, text.data(), size_of(text), &found);
    check(status == XLASHAPE_STATUS_OK ? found == type : found == -7, "the type of a name");
  } else {
    check(classes == 0, "classes of no type");
  }
  const int32_t foreign = GET(xlashape_element_type_to_pjrt, type);
  if (foreign != 0) check(GET(xlashape_element_type_from_pjrt, foreign) == type, "PJRT's number and back");
  GET(xlashape_element_type_from_pjrt, static_cast<int32_t>(input.wild()));
  const xlashape_element_type whole = GET(xlashape_element_type_complex, type);
  if (whole != 0) check(GET(xlashape_element_type_complex_component, whole) == type, "a complex type's component");
  GET(xlashape_element_type_complex_component, type);
  const int32_t width = input.one_in(2) ? 1 << input.below(7) : static_cast<int32_t>(input.wild());
  const xlashape_element_type integral =
      GET(xlashape_element_type_integral, width, static_cast<int32_t>(input.below(3)));
  if (integral != 0) check(xlashape_element_type_bits(integral) == width, "bits of an integral type");
  const auto padding =
      ANSWER(uint8_t, xlashape_padding_element, type, static_cast<int32_t>(input.mostly(input.below(6))));
  if (padding) check(static_cast<int64_t>(padding->size()) * 8 == storage, "bytes of a padding element");
}

void casts(Input& input) {
  const xlashape_element_type a = draw_type(input), b = draw_type(input), c = draw_type(input);
  const auto holds = [](xlashape_element_type from, xlashape_element_type to) {
    return GET(xlashape_element_type_cast_preserves_values, from, to) == 1;
  };
  const uint32_t classes = GET(xlashape_element_type_classes, a);
  check(holds(a, a) == ((classes & XLASHAPE_CLASS_ARRAY) != 0), "a type and its own values");
  check(!holds(a, b) || !holds(b, c) || holds(a, c), "values kept on the way are not kept at its end");
  xlashape_float_format untold = {};
  auto block = resized(untold, input);
  std::memset(block.data() + 4, 0xA5, block.size() - 4);
  const xlashape_status status =
      CALL(xlashape_element_type_float_format, a, reinterpret_cast<xlashape_float_format*>(block.data()));
  if (status != XLASHAPE_STATUS_OK) {
    for (size_t i = 4; i < block.size(); ++i) check(block[i] == 0xA5, "a format is written on failure");
    return;
  }
  xlashape_float_format f;
  std::memcpy(&f, block.data(), sizeof f);
  check((classes & XLASHAPE_CLASS_FLOAT) != 0 && f.struct_size == sizeof f, "the format of no floating-point type");
  check(f.significand_width + f.exponent_width <= GET(xlashape_element_type_bits, a) + 1 - f.has_positive_zero,
        "the bits of a format");
  check(f.underflow_exponent < f.overflow_exponent, "the exponents of a format");
}

void names(Input& input) {
  static constexpr const char* kNames[] = {"f32",   "s4",     "tuple", "buffer",        "F32",
                                           "token", "opaque", "",      "f8e4m3b11fnuz", "f32\0"};
  auto text = Exact<char>::of(std::string(input.pick(kNames)), input);
  if (text.size() > 0 && input.one_in(3))
    text[static_cast<size_t>(input.below(static_cast<int64_t>(text.size())))] = static_cast<char>(input.byte());
  xlashape_element_type type = -7;
  const bool nowhere = input.one_in(20);
  const xlashape_status status =
      CALL(xlashape_element_type_from_name, text.data(), size_of(text), nowhere ? nullptr : &type);
  check((status == XLASHAPE_STATUS_OK) == (type != -7) && !(nowhere && status == XLASHAPE_STATUS_OK),
        "the type of a name");
}

void dimension_numbers(Input& input) {
  const int64_t rank = input.mostly(input.below(7), 10);
  const int64_t dimension = input.mostly(rank > 0 && rank < 7 ? input.within(-rank, rank - 1) : 0, 10);
  int64_t resolved = -77;
  xlashape_status status = CALL(xlashape_dimension_number, rank, dimension, &resolved);
  check(status == XLASHAPE_STATUS_OK ? resolved >= 0 && resolved < rank : resolved == -77, "a dimension's number");
  const char letter = GET(xlashape_dimension_letter, rank, dimension);
  int64_t found = -77;
  status = CALL(xlashape_dimension_from_letter, rank, letter != 0 ? letter : static_cast<char>(input.byte()), &found);
  check(letter == 0 || status != XLASHAPE_STATUS_OK || found == (dimension < 0 ? dimension + rank : dimension),
        "a dimension's letter");
  check(status == XLASHAPE_STATUS_OK || found == -77, "a dimension is written on failure");
}

std::vector<int64_t> few(Input& input, int64_t rank, int64_t most) {
  std::vector<int64_t> list;
  for (int64_t i = 0; i < rank; ++i) list.push_back(input.mostly(input.within(1, most), 60));
  return list;
}

void row_major_strides(Input& input) {
  const xlashape_element_type type = draw_type(input);
  const std::vector<int64_t> dimensions = few(input, input.below(6), 9);
  std::vector<int64_t> strides(dimensions.size());
  const int64_t bytes = std::max(1, xlashape_element_type_storage_bits(type) / 8);
  uint64_t step = static_cast<uint64_t>(bytes);
  for (size_t i = dimensions.size(); i-- > 0; step *= static_cast<uint64_t>(dimensions[i]))
    strides[i] = static_cast<int64_t>(step);
  if (!strides.empty() && input.one_in(2))
    strides[static_cast<size_t>(input.below(static_cast<int64_t>(strides.size())))] = input.wild();
  auto d = Numbers::of(dimensions, input), s = Numbers::of(strides, input);
  GET(xlashape_byte_strides_are_row_major, type, d.data(), s.data(),
      input.one_in(30) ? input.wild() >> 63 : static_cast<int64_t>(d.size()));
}

// A box: its walk, in some order, against its count and single indices of it.
void boxes(Input& input) {
  const int64_t rank = input.below(5);
  std::vector<int64_t> base, count, step;
  for (int64_t i = 0; i < rank; ++i) {
    base.push_back(input.mostly(input.below(5), 80));
    count.push_back(input.mostly(input.below(7), 80));
    step.push_back(input.mostly(input.one_in(20) ? 0 : input.within(1, 3), 80));
  }
  std::vector<int64_t> order = input.permutation(rank);
  if (rank > 0 && input.one_in(40)) order[0] = input.wild();
  auto b = Numbers::of(base, input), c = Numbers::of(count, input), s = Numbers::of(step, input),
       at = Numbers::of(base, input), o = Numbers::of(order, input);
  int64_t* const minor_to_major = input.one_in(2) ? nullptr : o.data();
  int64_t indices = -77;
  const xlashape_status status =
      CALL(xlashape_box_index_count, c.data(), s.data(), input.one_in(60) ? -1 : rank, &indices);
  check(status == XLASHAPE_STATUS_OK ? indices >= 0 : indices == -77,
        "a count is written on failure, or not on success");
  const auto index_at = [&](int64_t number) {
    return ANSWER(int64_t, xlashape_box_index_at, b.data(), c.data(), s.data(), minor_to_major, rank, number);
  };
  // Where one index is found, none of the walk overflows.
  const bool known = status == XLASHAPE_STATUS_OK &&
                     xlashape_box_index_at(b.data(), c.data(), s.data(), minor_to_major, rank, 0, nullptr, 0, &indices,
                                           nullptr) == XLASHAPE_STATUS_OK &&
                     xlashape_box_index_count(c.data(), s.data(), rank, &indices, nullptr) == XLASHAPE_STATUS_OK;
  check(known || status != XLASHAPE_STATUS_OK || indices != 0 || !index_at(0), "an index of an empty box");
  const auto walk = [&](int64_t number) {
    for (int i = 0; i < 40; ++i, ++number) {
      const std::vector<int64_t> before(at.data(), at.data() + at.size());
      if (const auto found = known && input.one_in(3) ? index_at(number) : std::nullopt)
        check(*found == before, "an index by its number is not the walk's");
      if (!GET(xlashape_box_next_index, b.data(), c.data(), s.data(), minor_to_major, rank, at.data())) {
        check(std::equal(before.begin(), before.end(), at.data()), "the index moved at the end");
        check(!known || number + 1 == indices, "a walk ended early");
        return;
      }
      check(!known || number + 1 < indices, "a walk goes on behind its end");
    }
  };
  walk(0);
  if (!known) return;
  check(!index_at(indices) && !index_at(-1), "an index outside the box");
  const int64_t number = input.one_in(2) ? indices - 1 : input.below(indices);
  const auto found = index_at(number);
  if (!found || static_cast<int64_t>(found->size()) != rank) return;
  std::copy(found->begin(), found->end(), at.data());
  walk(number);
}

void reshapes(Input& input) {
  std::vector<int64_t> a = few(input, input.below(6), 6), b = a;
  // The same product in other factors, mostly.
  for (int64_t i = input.below(4); i > 0 && b.size() >= 2; --i) {
    const size_t k = static_cast<size_t>(input.below(static_cast<int64_t>(b.size()) - 1));
    int64_t product;
    if (__builtin_mul_overflow(b[k], b[k + 1], &product)) break;
    b[k] = product;
    b.erase(b.begin() + static_cast<ptrdiff_t>(k) + 1);
  }
  if (input.one_in(3)) b.insert(b.begin() + input.below(static_cast<int64_t>(b.size()) + 1), input.mostly(1, 4));
  auto x = Numbers::of(a, input), y = Numbers::of(b, input);
  const auto rank_of = [&](const Numbers& list) { return input.one_in(50) ? -1 : static_cast<int64_t>(list.size()); };
  const int64_t a_rank = rank_of(x), b_rank = rank_of(y);
  const auto factors = ANSWER(int64_t, xlashape_common_factors, x.data(), a_rank, y.data(), b_rank);
  if (factors) {
    check(factors->size() >= 2 && factors->size() % 2 == 0, "common factors are no pairs");
    check((*factors)[factors->size() - 2] == a_rank && factors->back() == b_rank, "the last pair is not the ranks");
  }
  const auto kept = ANSWER(int64_t, xlashape_dimensions_unmodified_by_reshape, x.data(), a_rank, y.data(), b_rank);
  if (kept)
    for (size_t i = 0; i + 1 < kept->size(); i += 2)
      check(a.at(static_cast<size_t>((*kept)[i])) == b.at(static_cast<size_t>((*kept)[i + 1])),
            "an unmodified dimension differs");
}

void transposes(Input& input) {
  const std::vector<int64_t> dimensions = few(input, input.below(6), 6);
  const auto rank = static_cast<int64_t>(dimensions.size());
  std::vector<int64_t> order = input.permutation(rank);
  if (rank > 0 && input.one_in(20)) order[0] = input.wild();
  auto d = Numbers::of(dimensions, input), p = Numbers::of(order, input);
  int64_t needed = -7;
  xlashape_status status = CALL(xlashape_normalized_transpose, d.data(), p.data(), rank, nullptr, nullptr, 0, &needed);
  if (status != XLASHAPE_STATUS_OK) return;
  check(needed >= 1 && needed <= std::max<int64_t>(rank, 1), "needed of a normalized transpose");
  const int64_t capacity = std::max<int64_t>(0, needed + input.within(-1, 2));
  Numbers sizes(static_cast<size_t>(capacity), input), at(static_cast<size_t>(capacity), input);
  int64_t again = -7;
  status = CALL(xlashape_normalized_transpose, d.data(), p.data(), rank, sizes.data(), at.data(), capacity, &again);
  if (status == XLASHAPE_STATUS_NO_MEMORY) return;
  check(again == needed && (status == XLASHAPE_STATUS_OK) == (capacity == 0 || capacity >= needed),
        "capacity and status disagree");
  if (status != XLASHAPE_STATUS_OK) check(sizes.is_untouched() && at.is_untouched(), "an answer is written on failure");
}

void paths(Input& input) {
  const std::vector<int64_t> path = few(input, input.below(6), 300);
  auto steps = Numbers::of(path, input);
  const auto bytes = ANSWER(uint8_t, xlashape_path_to_proto, steps.data(), static_cast<int64_t>(steps.size()));
  if (!bytes) return;
  auto wire = Exact<uint8_t>::of(*bytes, input);
  const bool damaged = wire.size() > 0 && input.one_in(3);
  if (damaged) wire[static_cast<size_t>(input.below(static_cast<int64_t>(wire.size())))] = input.byte();
  const auto read = ANSWER(int64_t, xlashape_path_from_proto, wire.data(), static_cast<int64_t>(wire.size()));
  if (read && !damaged) check(*read == path, "a path's bytes are read as another path");
}

constexpr Operation kOperations[] = {
    {versions, 1},          {element_types, 3}, {casts, 2},    {names, 1},      {dimension_numbers, 2},
    {row_major_strides, 1}, {boxes, 2},         {reshapes, 2}, {transposes, 2}, {paths, 2}};

}  // namespace

Operations number_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
