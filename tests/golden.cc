// golden FILE...: runs golden cases (one JSON object per line, see data/golden/README.md) through the C API. Knows every
// kind of that format, for any file of it. Prints `FAIL <id>: got ... want ...`, and at the end `N passed, M failed`.
#include <fstream>
#include <functional>
#include <iostream>

#include "golden_memory.h"

namespace golden {
namespace {

// What `ignore` may name, without the endings that the case's author may have written out.
uint32_t ignore_mask(const Json& item) {
  static const std::map<std::string, uint32_t> bits = {
      {"layout", XLASHAPE_EQUAL_IGNORE_LAYOUT},
      {"tile", XLASHAPE_EQUAL_IGNORE_TILES},
      {"element_size", XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE},
      {"memory_space", XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE},
      {"tail_padding_alignment", XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT},
      {"tail_padding", XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT},
      {"split_config", XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS},
      {"padding", XLASHAPE_EQUAL_IGNORE_PADDING},
      {"minor_to_major_only", XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY},
      {"all_but_minor_to_major", XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY},
      {"element_type", XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE},
      {"fp_precision", XLASHAPE_EQUAL_IGNORE_FP_PRECISION},
      {"dynamic_dimension", XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION},
      {"dynamic", XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION},
      {"dimension", XLASHAPE_EQUAL_IGNORE_DIMENSIONS},
      {"buffer", XLASHAPE_EQUAL_IGNORE_BUFFER},
  };
  uint32_t mask = 0;
  if (!item.contains("ignore")) return mask;
  for (const Json& name : item["ignore"]) {
    std::string key = text(name);
    for (const std::string ending : {"_in_layout", "_in_bits", "_in_elements", "s"})
      if (key.size() > ending.size() && key.ends_with(ending)) key.resize(key.size() - ending.size());
    const auto found = bits.find(key);
    if (found == bits.end()) throw std::runtime_error("nothing is known that ignores " + name.dump());
    mask |= found->second;
  }
  return mask;
}

Shape shape_of(const Json& item) { return read_shape(item, "shape", ""); }
Shape a_of(const Json& item) { return read_shape(item, "a", "a_"); }
Shape b_of(const Json& item) { return read_shape(item, "b", "b_"); }

uint32_t bitcast_flags(const Json& item) {
  const bool ignore = item.contains("ignore_element_type") && item["ignore_element_type"] == true;
  return XLASHAPE_BITCAST_XLA | (ignore ? XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE : 0);
}

// "Not there" is an answer, null, not an error.
Json or_null(const std::function<Json()>& answer) {
  try {
    return answer();
  } catch (const Refused& refused) {
    if (refused.status == XLASHAPE_STATUS_NOT_FOUND) return nullptr;
    throw;
  }
}

xlashape_sizes sizes_of(const Shape& shape) {
  xlashape_sizes sizes = {};
  sizes.struct_size = sizeof sizes;
  call(xlashape_shape_sizes, shape.get(), &sizes);
  return sizes;
}

// function(arguments..., &number, &err)
template <class F, class... Arguments>
int64_t number_of(F function, Arguments... arguments) {
  int64_t number = 0;
  call(function, arguments..., &number);
  return number;
}

template <class F, class... Arguments>
Json text_after(F function, Arguments... arguments) {
  return print(make<xlashape_shape>(function, arguments...).get());
}

Json linear_index(const Json& item) {
  const Shape shape = shape_of(item);
  const IndexMap map = make<xlashape_index_map>(xlashape_index_map_create, shape.get());
  const auto index = integers(field(item, "index"));
  return number_of(xlashape_index_map_linear_index, map.get(), index.data(), static_cast<int64_t>(index.size()));
}

Json multi_index(const Json& item) {
  const Shape shape = shape_of(item);
  const IndexMap map = make<xlashape_index_map>(xlashape_index_map_create, shape.get());
  std::vector<int64_t> index(static_cast<size_t>(xlashape_index_map_rank(map.get())));
  int32_t is_padding = 0;
  call(xlashape_index_map_multidimensional_index, map.get(), integer(field(item, "linear")), index.data(),
       static_cast<int64_t>(index.size()), &is_padding);
  return is_padding ? Json("padding") : Json(index);
}

Json byte_size(const Json& item) {
  const Shape shape = shape_of(item);
  const int64_t pointer_size = item.contains("pointer_size") ? integer(item["pointer_size"]) : 0;
  return number_of(xlashape_shape_byte_size, shape.get(), pointer_size, 0u);
}

Json stride(const Json& item) {
  const Shape shape = shape_of(item);
  const int64_t dimension =
      number_of(xlashape_dimension_number, xlashape_shape_rank(shape.get()), integer(field(item, "dimension")));
  return list_of<int64_t>(xlashape_shape_strides, shape.get(), XLASHAPE_UNIT_ELEMENTS)[static_cast<size_t>(dimension)];
}

Json next_index(const Json& item) {
  const Shape shape = shape_of(item);
  auto index = integers(field(item, "index"));
  const bool more = xlashape_shape_next_index(shape.get(), index.data(), static_cast<int64_t>(index.size()));
  return more ? Json(index) : Json(nullptr);
}

Json fill_value(const Json& item) {
  const std::string name = text(field(item, "type"));
  xlashape_element_type type;
  call(xlashape_element_type_from_name, name.data(), name.size(), &type);
  const auto bytes = list_of<uint8_t>(xlashape_padding_element, type, padding_value(field(item, "padding_value")));
  return hex(bytes.data(), bytes.size());
}

Json primitive(const Json& item) {
  const std::string name = text(field(item, "type"));
  xlashape_element_type type = XLASHAPE_TYPE_INVALID;
  // Names that XLA's text does not know are still those of numbers.
  for (int32_t number = 1; number < 256; ++number)
    if (const char* known = xlashape_element_type_name(number); known != nullptr && name == known) type = number;
  if (type == XLASHAPE_TYPE_INVALID) call(xlashape_element_type_from_name, name.data(), name.size(), &type);
  return {{"number", type},
          {"bits", xlashape_element_type_bits(type)},
          {"bytes", xlashape_element_type_storage_bits(type) / 8}};
}

Json transpose_is_bitcast(const Json& item) {
  const Shape a = a_of(item), b = b_of(item);
  const auto permutation = integers(field(item, "permutation"));
  return xlashape_shape_transpose_is_bitcast(a.get(), b.get(), permutation.data(),
                                             static_cast<int64_t>(permutation.size()), bitcast_flags(item)) != 0;
}

Json deduce_transpose(const Json& item) {
  const Shape a = a_of(item), b = b_of(item);
  return or_null(
      [&] { return list_of<int64_t>(xlashape_shape_deduce_transpose, a.get(), b.get(), bitcast_flags(item)); });
}

Json unmodified_dims(const Json& item) {
  const auto a = dimensions_of(a_of(item).get()), b = dimensions_of(b_of(item).get());
  const auto flat = list_of<int64_t>(xlashape_dimensions_unmodified_by_reshape, a.data(),
                                     static_cast<int64_t>(a.size()), b.data(), static_cast<int64_t>(b.size()));
  Json pairs = Json::array();
  for (size_t i = 0; i + 1 < flat.size(); i += 2) pairs.push_back({flat[i], flat[i + 1]});
  return pairs;
}

Json inserted_deleted_ones(const Json& item) {
  const Shape a = a_of(item), b = b_of(item);
  return or_null([&] {
    std::vector<int64_t> deleted(static_cast<size_t>(xlashape_shape_rank(a.get())));
    std::vector<int64_t> inserted(static_cast<size_t>(xlashape_shape_rank(b.get())));
    int64_t deleted_count = 0, inserted_count = 0;
    call(xlashape_shape_inserted_or_deleted_ones, a.get(), b.get(), deleted.data(),
         static_cast<int64_t>(deleted.size()), &deleted_count, inserted.data(), static_cast<int64_t>(inserted.size()),
         &inserted_count);
    deleted.resize(static_cast<size_t>(deleted_count));
    inserted.resize(static_cast<size_t>(inserted_count));
    const Json expect = item.value("expect", Json());
    if (!expect.is_object()) return Json::array({deleted, inserted});
    Json named = Json::object();  // under whatever two names the case gives them
    for (const auto& [name, list] : expect.items())
      named[name] =
          name.find("insert") != std::string::npos || name.find("add") != std::string::npos ? inserted : deleted;
    return named;
  });
}

Json align_layouts(const Json& item) {
  const Shape shape = shape_of(item);
  const auto dimensions = integers(field(item, "output_dimensions"));
  return or_null([&] {
    const Layout layout = make<xlashape_layout>(xlashape_shape_align_layouts, shape.get(), dimensions.data(),
                                                static_cast<int64_t>(dimensions.size()), XLASHAPE_BITCAST_XLA);
    return list_of<int64_t>(xlashape_layout_minor_to_major, layout.get());
  });
}

Json permute_dims(const Json& item) {
  const Shape shape = shape_of(item);
  const auto permutation = integers(field(item, "permutation"));
  return text_after(xlashape_shape_permute_dimensions, shape.get(), permutation.data(),
                    static_cast<int64_t>(permutation.size()), 0u);
}

Json delete_dims(const Json& item) {
  const Shape shape = shape_of(item);
  const auto dimensions = integers(field(item, "dimensions"));
  return text_after(xlashape_shape_delete_dimensions, shape.get(), dimensions.data(),
                    static_cast<int64_t>(dimensions.size()));
}

Json insert_dims(const Json& item) {
  const Shape shape = shape_of(item);
  const auto sizes = integers(field(item, "sizes"));
  return text_after(xlashape_shape_insert_dimensions, shape.get(), integer(field(item, "at")), sizes.data(),
                    static_cast<int64_t>(sizes.size()), 0u);
}

Json normalized_transpose(const Json& item) {
  const auto dimensions = integers(field(item, "output_dimensions")),
             permutation = integers(field(item, "permutation"));
  if (dimensions.size() != permutation.size())
    throw Refused{XLASHAPE_STATUS_OUT_OF_RANGE, "the C function has one rank for both lists"};
  std::vector<int64_t> sizes(dimensions.size() + 1), order(dimensions.size() + 1);
  int64_t needed = 0;
  call(xlashape_normalized_transpose, dimensions.data(), permutation.data(), static_cast<int64_t>(dimensions.size()),
       sizes.data(), order.data(), static_cast<int64_t>(sizes.size()), &needed);
  sizes.resize(static_cast<size_t>(needed));
  order.resize(static_cast<size_t>(needed));
  return Json::array({sizes, order});
}

Json subshape(const Json& item) {
  const Shape shape = shape_of(item);
  const auto path = integers(field(item, "path"));
  return text_after(xlashape_shape_subshape, shape.get(), path.data(), static_cast<int64_t>(path.size()));
}

Json logical_to_physical(const Json& item) {
  const Layout layout = make<xlashape_layout>(xlashape_shape_layout, shape_of(item).get());
  return list_of<int64_t>(xlashape_layout_logical_to_physical, layout.get());
}

// Row-major, without tiles or widths, in the element's own storage.
Shape plain_of(const Shape& shape) {
  const auto dimensions = dimensions_of(shape.get());
  return make<xlashape_shape>(xlashape_shape_create_array, xlashape_shape_element_type(shape.get()), dimensions.data(),
                              static_cast<const uint8_t*>(nullptr), static_cast<int64_t>(dimensions.size()),
                              static_cast<xlashape_layout*>(nullptr), 0u);
}

// Images are compared where they are made: the answer is what was wanted, or what differs.
Json image(const Json& item, const Shape& src, const Shape& dst) {
  static const Json kNothing = "(no element)";
  const Json& fill = item.contains("fill") ? item["fill"] : kNothing;
  const Json& want = field(item, "expect");
  const bool list = want.is_array();  // else an error is wanted
  const std::string difference = compare_relayout(
      src.get(), field(item, "data"), dst.get(),
      list ? want : Json(std::vector<Json>(static_cast<size_t>(cells_of(dst.get()).count), fill)), fill);
  return difference.empty() ? want : Json(difference);
}

Json answer(const Json& item) {
  using Run = Json (*)(const Json&);
  static const std::map<std::string, Run> kinds = {
      {"parse", [](const Json& item) { return describe(shape_of(item).get()); }},
      {"reject", [](const Json& item) { return Json("accepted as " + print(shape_of(item).get())); }},
      {"print",
       [](const Json& item) {
         return Json(print(shape_of(item).get(), item.value("with_layout", true) ? 0 : XLASHAPE_PRINT_WITHOUT_LAYOUT));
       }},
      {"linear_index", linear_index},
      {"multi_index", multi_index},
      {"element_count",
       [](const Json& item) { return Json(number_of(xlashape_shape_element_count, shape_of(item).get())); }},
      {"storage_elements", [](const Json& item) { return Json(sizes_of(shape_of(item)).storage_elements); }},
      {"byte_size", byte_size},
      {"stride", stride},
      {"dimension_number",
       [](const Json& item) {
         return Json(number_of(xlashape_dimension_number, xlashape_shape_rank(shape_of(item).get()),
                               integer(field(item, "dimension"))));
       }},
      {"next_index", next_index},
      {"to_memory",
       [](const Json& item) {
         const Shape shape = shape_of(item);
         return image(item, plain_of(shape), shape);
       }},
      {"relayout",
       [](const Json& item) { return image(item, read_shape(item, "src", "src_"), read_shape(item, "dst", "dst_")); }},
      {"pack",
       [](const Json& item) {
         const Shape shape = shape_of(item);
         return Json(pack(shape.get(), plain_of(shape).get(), field(item, "data")));
       }},
      {"bytes",
       [](const Json& item) {
         const Shape src = read_shape(item, "src", "src_"), dst = read_shape(item, "dst", "dst_");
         Image image(static_cast<size_t>(sizes_of(dst).bytes));
         relayout(src.get(), unhex(text(field(item, "data"))), dst.get(), &image, XLASHAPE_FILL_PADDING);
         return Json(hex(image.data(), image.size()));
       }},
      {"fill_value", fill_value},
      {"primitive", primitive},
      {"equal",
       [](const Json& item) {
         return Json(xlashape_shape_equal(a_of(item).get(), b_of(item).get(), ignore_mask(item)) != 0);
       }},
      {"compatible",
       [](const Json& item) {
         return Json(xlashape_shape_compatible(a_of(item).get(), b_of(item).get(), ignore_mask(item)) != 0);
       }},
      {"reshape_is_bitcast",
       [](const Json& item) {
         return Json(xlashape_shape_reshape_is_bitcast(a_of(item).get(), b_of(item).get(), bitcast_flags(item)) != 0);
       }},
      {"transpose_is_bitcast", transpose_is_bitcast},
      {"deduce_transpose", deduce_transpose},
      {"unmodified_dims", unmodified_dims},
      {"inserted_deleted_ones", inserted_deleted_ones},
      {"align_layouts", align_layouts},
      {"permute_dims", permute_dims},
      {"delete_dims", delete_dims},
      {"insert_dims", insert_dims},
      {"descending_same_physical",
       [](const Json& item) { return text_after(xlashape_shape_to_physical_order, shape_of(item).get()); }},
      {"normalized_transpose", normalized_transpose},
      {"true_rank", [](const Json& item) { return Json(xlashape_shape_true_rank(shape_of(item).get())); }},
      {"logical_to_physical", logical_to_physical},
      {"leaf_count", [](const Json& item) { return Json(xlashape_shape_leaf_count(shape_of(item).get())); }},
      {"max_split_size",
       [](const Json& item) {
         return Json(number_of(xlashape_shape_max_split_size, shape_of(item).get(), integer(field(item, "dimension"))));
       }},
      {"subshape", subshape},
      {"proto_encode",
       [](const Json& item) {
         const auto bytes = list_of<uint8_t>(xlashape_shape_to_proto, shape_of(item).get());
         return Json(hex(bytes.data(), bytes.size()));
       }},
  };
  const std::string kind = text(field(item, "kind"));
  const auto found = kinds.find(kind);
  if (found == kinds.end()) throw std::runtime_error("unknown kind '" + kind + "'");
  return found->second(item);
}

std::string stage_of(xlashape_status status) {
  if (status == XLASHAPE_STATUS_PARSE) return "syntax";
  return status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_OVERFLOW ? "validate" : "value";
}

std::string short_text(const Json& value) {
  const std::string all = value.dump();
  return all.size() <= 400 ? all : all.substr(0, 400) + "...";
}

// Empty when the case passes, else what is wrong with it.
std::string run(const Json& item) {
  const Json& want = field(item, "expect");
  const bool wants_error = want.is_object() && want.contains("error");
  try {
    const Json got = answer(item);
    const bool structure = item["kind"] == "parse";
    if (!wants_error && (structure ? with_short_names(got) == with_short_names(want) : got == want)) return "";
    return "got " + short_text(got) + " want " + short_text(want);
  } catch (const Refused& refused) {
    const std::string stage = stage_of(refused.status);
    if (wants_error && (!want.contains("stage") || want["stage"] == stage)) return "";
    return std::string("got ") + xlashape_status_name(refused.status) + " (" + stage + "): " + refused.message +
           " want " + short_text(want);
  }
}

struct Tally {
  int64_t passed = 0, failed = 0;
  void fail(const std::string& id, const std::string& why) {
    ++failed;
    std::cout << "FAIL " << id << ": " << why << "\n";
  }
};

void run_file(const char* path, Tally* tally) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return tally->fail(path, "cannot be opened");
  const int64_t before = tally->passed + tally->failed;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::string id = std::string(path) + ":" + std::to_string(number);
    try {
      const Json item = Json::parse(line);
      if (!item.is_object()) throw std::runtime_error("the line is no JSON object");
      if (item.contains("id") && item["id"].is_string()) id = item["id"].get<std::string>();
      const std::string why = run(item);
      if (why.empty()) {
        ++tally->passed;
      } else {
        tally->fail(id, why);
      }
    } catch (const std::exception& error) {
      tally->fail(id, error.what());
    }
  }
  if (file.bad()) tally->fail(path, "cannot be read");
  if (before == tally->passed + tally->failed) tally->fail(path, "holds no case");
}

}  // namespace
}  // namespace golden

int main(int argc, char** argv) {
  golden::Tally tally;
  if (argc < 2) tally.fail("golden", "usage: golden FILE...");
  for (int i = 1; i < argc; ++i) golden::run_file(argv[i], &tally);
  std::cout << tally.passed << " passed, " << tally.failed << " failed\n";
  return tally.failed == 0 ? 0 : 1;
}
