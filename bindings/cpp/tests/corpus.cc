// SPDX-License-Identifier: Apache-2.0
// corpus FILE...: runs golden cases (their format: tests/data/golden/README.md) through xlashape.hpp. Prints
// `FAIL <id>: got ... want ...`, and at the end `N passed, M failed`.
#include <fstream>
#include <iostream>

#include "corpus_memory.h"

namespace corpus {
namespace {

using xlashape::IndexMap;
using xlashape::Shape;
using xlashape::Status;

Shape shape_of(const Json& item) { return read_shape(item); }
Shape a_of(const Json& item) { return read_shape(item, "a", "a_"); }
Shape b_of(const Json& item) { return read_shape(item, "b", "b_"); }

// What `ignore` may name, without the endings that the case's author may have written out.
uint32_t ignored(const Json& item) {
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
      {"metadata_prefix", XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX},
  };
  if (!item.contains("ignore")) return XLASHAPE_EQUAL_XLA;
  uint32_t mask = 0;
  for (const Json& name : item.at("ignore")) {
    std::string key = text(name);
    for (const std::string ending : {"_in_layout", "_in_bits", "_in_elements", "s"})
      if (key.size() > ending.size() && key.compare(key.size() - ending.size(), ending.size(), ending) == 0)
        key.resize(key.size() - ending.size());
    mask |= bits.at(key);
  }
  return mask;
}

uint32_t bitcast_flags(const Json& item) {
  return XLASHAPE_BITCAST_XLA | (item.value("ignore_element_type", false) ? XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE : 0);
}

// "Not there" is an answer, null, not an error.
template <class T, class F>
Json or_null(xlashape::Result<T> result, F json) {
  if (!result && result.error().status() == Status::kNotFound) return nullptr;
  return json(std::move(result).value());
}

Json multi_index(const Json& item) {
  const auto map = IndexMap::of(shape_of(item));
  Integers index(static_cast<size_t>(map.rank()));
  return map.multidimensional_index(field(item, "linear").get<int64_t>(), index) ? Json(index) : Json("padding");
}

Json stride(const Json& item) {
  const Shape shape = shape_of(item);
  const int64_t dimension = xlashape::dimension_number(shape.rank(), field(item, "dimension").get<int64_t>());
  return shape.strides(xlashape::Unit::kElements)[static_cast<size_t>(dimension)];
}

Json next_index(const Json& item) {
  auto index = integers(field(item, "index"));
  return shape_of(item).next_index(index) ? Json(index) : Json(nullptr);
}

Json primitive(const Json& item) {
  const std::string name = text(field(item, "type"));
  auto type = xlashape::ElementType::kInvalid;
  // Names that XLA's text does not know are still those of numbers.
  for (int32_t number = 1; number < 256; ++number)
    if (xlashape::name(static_cast<xlashape::ElementType>(number)) == name)
      type = static_cast<xlashape::ElementType>(number);
  if (type == xlashape::ElementType::kInvalid) type = xlashape::element_type(name);
  return {{"number", static_cast<int32_t>(type)},
          {"bits", xlashape::bits(type)},
          {"bytes", xlashape::storage_bits(type) / 8}};
}

Json unmodified_dims(const Json& item) {
  const auto flat = xlashape::unmodified_dimensions(a_of(item).dimensions(), b_of(item).dimensions());
  Json pairs = Json::array();
  for (size_t i = 0; i + 1 < flat.size(); i += 2) pairs.push_back({flat[i], flat[i + 1]});
  return pairs;
}

Json inserted_deleted_ones(const Json& item) {
  return or_null(xlashape::try_inserted_or_deleted_ones(a_of(item), b_of(item)), [&](const xlashape::Ones& ones) {
    const Json expect = item.value("expect", Json());
    if (!expect.is_object()) return Json::array({ones.deleted, ones.inserted});
    Json named = Json::object();  // under whatever two names the case gives them
    for (const auto& [name, list] : expect.items())
      named[name] = name.find("insert") != std::string::npos || name.find("add") != std::string::npos ? ones.inserted
                                                                                                      : ones.deleted;
    return named;
  });
}

// Row-major, without tiles or widths, in the element's own storage.
Shape plain_of(const Shape& shape) { return Shape::array(shape.element_type(), shape.dimensions()); }

// Images are compared where they are made: the answer is what was wanted, or what differs.
Json relaid(const Json& item, const Shape& src, const Shape& dst) {
  const std::string difference = compare_relayout(src, dst, item);
  return difference.empty() ? field(item, "expect") : Json(difference);
}

using Run = Json (*)(const Json&);
const std::map<std::string, Run>& kinds() {
  static const std::map<std::string, Run> all = {
      {"parse", [](const Json& item) { return describe(shape_of(item)); }},
      {"reject", [](const Json& item) { return Json("accepted as " + shape_of(item).to_string()); }},
      {"print",
       [](const Json& item) {
         return Json(shape_of(item).to_string(item.value("with_layout", true) ? 0 : XLASHAPE_PRINT_WITHOUT_LAYOUT));
       }},
      {"linear_index",
       [](const Json& item) {
         return Json(IndexMap::of(shape_of(item)).linear_index(integers(field(item, "index"))));
       }},
      {"multi_index", multi_index},
      {"element_count", [](const Json& item) { return Json(shape_of(item).element_count()); }},
      {"storage_elements", [](const Json& item) { return Json(shape_of(item).sizes().storage_elements); }},
      {"byte_size",
       [](const Json& item) { return Json(shape_of(item).byte_size(item.value("pointer_size", int64_t{0}))); }},
      {"stride", stride},
      {"dimension_number",
       [](const Json& item) {
         return Json(xlashape::dimension_number(shape_of(item).rank(), field(item, "dimension").get<int64_t>()));
       }},
      {"next_index", next_index},
      {"to_memory", [](const Json& item) { return relaid(item, plain_of(shape_of(item)), shape_of(item)); }},
      {"relayout",
       [](const Json& item) { return relaid(item, read_shape(item, "src", "src_"), read_shape(item, "dst", "dst_")); }},
      {"pack",
       [](const Json& item) { return Json(pack(plain_of(shape_of(item)), shape_of(item), field(item, "data"))); }},
      {"bytes",
       [](const Json& item) {
         const xlashape::Shape src = read_shape(item, "src", "src_"), dst = read_shape(item, "dst", "dst_");
         Image image(static_cast<size_t>(dst.sizes().bytes));
         relayout(src, unhex(text(field(item, "data"))), dst, &image, xlashape::FillPolicy::kPadding);
         return Json(hex(image));
       }},
      {"fill_value",
       [](const Json& item) {
         return Json(hex(xlashape::padding_element(xlashape::element_type(text(field(item, "type"))),
                                                   padding_value(field(item, "padding_value")))));
       }},
      {"primitive", primitive},
      {"equal", [](const Json& item) { return Json(a_of(item).equal(b_of(item), ignored(item))); }},
      {"compatible", [](const Json& item) { return Json(a_of(item).compatible(b_of(item), ignored(item))); }},
      {"reshape_is_bitcast",
       [](const Json& item) { return Json(a_of(item).reshape_is_bitcast(b_of(item), bitcast_flags(item))); }},
      {"transpose_is_bitcast",
       [](const Json& item) {
         return Json(
             a_of(item).transpose_is_bitcast(b_of(item), integers(field(item, "permutation")), bitcast_flags(item)));
       }},
      {"deduce_transpose",
       [](const Json& item) {
         return or_null(a_of(item).try_deduce_transpose(b_of(item), bitcast_flags(item)),
                        [](const Integers& list) { return Json(list); });
       }},
      {"unmodified_dims", unmodified_dims},
      {"inserted_deleted_ones", inserted_deleted_ones},
      {"align_layouts",
       [](const Json& item) {
         return or_null(
             shape_of(item).try_align_layouts(integers(field(item, "output_dimensions")), XLASHAPE_BITCAST_XLA),
             [](const xlashape::Layout& layout) { return Json(layout.minor_to_major()); });
       }},
      {"permute_dims",
       [](const Json& item) {
         return Json(shape_of(item).permute_dimensions(integers(field(item, "permutation"))).to_string());
       }},
      {"delete_dims",
       [](const Json& item) {
         return Json(shape_of(item).delete_dimensions(integers(field(item, "dimensions"))).to_string());
       }},
      {"insert_dims",
       [](const Json& item) {
         const auto at = field(item, "at").get<int64_t>();
         return Json(shape_of(item).insert_dimensions(at, integers(field(item, "sizes"))).to_string());
       }},
      {"descending_same_physical",
       [](const Json& item) { return Json(shape_of(item).to_physical_order().to_string()); }},
      {"normalized_transpose",
       [](const Json& item) {
         const auto out = xlashape::normalized_transpose(integers(field(item, "output_dimensions")),
                                                         integers(field(item, "permutation")));
         return Json::array({out.dimensions, out.permutation});
       }},
      {"true_rank", [](const Json& item) { return Json(shape_of(item).true_rank()); }},
      {"logical_to_physical", [](const Json& item) { return Json(shape_of(item).layout().logical_to_physical()); }},
      {"leaf_count", [](const Json& item) { return Json(shape_of(item).leaf_count()); }},
      {"max_split_size",
       [](const Json& item) { return Json(shape_of(item).max_split_size(field(item, "dimension").get<int64_t>())); }},
      {"subshape",
       [](const Json& item) { return Json(shape_of(item).subshape(integers(field(item, "path"))).to_string()); }},
      {"proto_encode", [](const Json& item) { return Json(hex(shape_of(item).to_proto())); }},
  };
  return all;
}

std::string stage_of(Status status) {
  if (status == Status::kParse) return "syntax";
  return status == Status::kInvalidArgument || status == Status::kOverflow ? "validate" : "value";
}

// Empty when the case passes, else what is wrong with it.
std::string run(const Json& item) {
  const Json& want = field(item, "expect");
  const bool wants_error = want.is_object() && want.contains("error");
  try {
    const Json got = kinds().at(text(field(item, "kind")))(item);
    const bool structure = item["kind"] == "parse";
    if (!wants_error && (structure ? with_short_names(got) == with_short_names(want) : got == want)) return "";
    return "got " + got.dump().substr(0, 400) + " want " + want.dump().substr(0, 400);
  } catch (const xlashape::Exception& refused) {
    const std::string stage = stage_of(refused.status());
    if (wants_error && (!want.contains("stage") || want["stage"] == stage)) return "";
    return std::string("got ") + refused.error().name() + " (" + stage + "): " + refused.what() + " want " +
           want.dump().substr(0, 400);
  }
}

}  // namespace
}  // namespace corpus

int main(int argc, char** argv) {
  int64_t passed = 0, failed = 0;
  const auto fail = [&](const std::string& id, const std::string& why) {
    ++failed;
    std::cout << "FAIL " << id << ": " << why << "\n";
  };
  if (argc < 2) fail("corpus", "usage: corpus FILE...");
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) fail(argv[i], "cannot be opened");
    const int64_t before = passed + failed;
    for (std::string line; std::getline(file, line);) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      std::string id = argv[i], why;
      try {
        const auto item = corpus::Json::parse(line);
        id = item.value("id", id);
        why = corpus::run(item);
      } catch (const std::exception& error) {
        why = error.what();
      }
      if (why.empty()) {
        ++passed;
      } else {
        fail(id, why);
      }
    }
    if (before == passed + failed) fail(argv[i], "holds no case");
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
