// Shapes that hardly hold anything: no dimensions, sizes of 0 and 1, tiles of 1 and of `*`, later levels of tiles that
// are longer than the ones before. All small ones are asked everything, and what the sizes say is compared with the
// index map.
#include <set>

#include "api.h"
#include "xlashape_experimental.h"

namespace {

using api::Ints;
using Bytes = std::vector<unsigned char>;

// Refused or not, but by a rule.
void expect_told(xlashape_status status) { EXPECT_NE(status, XLASHAPE_STATUS_INTERNAL); }

// An answer of variable length, taken whole.
template <class T, class F>
std::vector<T> answer(F&& call) {
  int64_t needed = 0;
  xlashape_status status = call(nullptr, 0, &needed);
  expect_told(status);
  std::vector<T> out(static_cast<size_t>(status == XLASHAPE_STATUS_OK ? needed : 0));
  if (!out.empty()) {
    status = call(out.data(), needed, &needed);
    EXPECT_EQ(status, XLASHAPE_STATUS_OK);
  }
  return out;
}

template <class Handle, class F>
Handle made(F&& create) {
  typename Handle::pointer handle = nullptr;
  expect_told(create(&handle));
  return Handle(handle);
}

void ask_about_dimensions(const xlashape_shape* shape, int64_t rank) {
  Ints all, none;
  for (int64_t d = 0; d < rank; ++d) all.push_back(rank - 1 - d);
  const int64_t sizes[] = {1, 0, 3};
  const auto ask_derived = [&](auto&& create) {
    const api::Shape derived = made<api::Shape>(create);
    xlashape_sizes told = {};
    told.struct_size = sizeof told;
    if (derived != nullptr) expect_told(xlashape_shape_sizes(derived.get(), &told, nullptr));
  };
  ask_derived([&](auto** out) { return xlashape_shape_drop_degenerate_dimensions(shape, out, nullptr); });
  ask_derived([&](auto** out) { return xlashape_shape_to_physical_order(shape, out, nullptr); });
  ask_derived([&](auto** out) { return xlashape_shape_with_packed_elements(shape, out, nullptr); });
  ask_derived([&](auto** out) { return xlashape_shape_permute_dimensions(shape, all.data(), rank, 0, out, nullptr); });
  for (int64_t at = 0; at <= rank; ++at)
    ask_derived([&](auto** out) { return xlashape_shape_insert_dimensions(shape, at, sizes, 3, 0, out, nullptr); });
  for (int64_t d = 0; d < rank; ++d) {
    ask_derived([&](auto** out) { return xlashape_shape_delete_dimensions(shape, &d, 1, out, nullptr); });
    int64_t size;
    expect_told(xlashape_shape_max_split_size(shape, d, &size, nullptr));
  }
  ask_derived([&](auto** out) { return xlashape_shape_for_target(shape, XLASHAPE_TARGET_TPU_V6E, 0, out, nullptr); });
  int64_t elements;
  expect_told(xlashape_shape_max_elements_per_split(shape, &elements, nullptr));
  const api::Shape row = made<api::Shape>(
      [&](auto** out) { return xlashape_shape_without_parts(shape, XLASHAPE_PART_TILES, out, nullptr); });
  const xlashape_shape* const both[] = {shape, row.get()};
  for (int i = 0; i < 2; ++i) {
    const xlashape_shape *const a = both[i], *const b = both[1 - i];
    xlashape_shape_reshape_is_bitcast(a, b, 0);
    xlashape_shape_is_reshape_or_transpose_bitcast(a, b, 0);
    answer<int64_t>([&](auto... out) { return xlashape_shape_deduce_transpose(a, b, 0, out..., nullptr); });
    int32_t kind;
    int64_t transpose[2][8], needed[2];
    xlashape_shape *from = nullptr, *to = nullptr;
    expect_told(xlashape_shape_decompose_bitcast(a, b, 0, &kind, transpose[0], 8, &needed[0], &from, &to, transpose[1],
                                                 8, &needed[1], nullptr));
    xlashape_shape_release(from), xlashape_shape_release(to);
    const Ints same(static_cast<size_t>(rank), 1);
    made<api::Layout>([&](auto** out) { return xlashape_shape_align_layouts(a, same.data(), rank, 0, out, nullptr); });
  }
}

void ask_for_texts(const xlashape_shape* shape, bool draws) {
  answer<uint8_t>([&](auto... out) { return xlashape_shape_to_proto(shape, out..., nullptr); });
  answer<uint8_t>([&](auto... out) { return xlashape_shape_to_pjrt(shape, XLASHAPE_PJRT_DROP, out..., nullptr); });
  answer<uint8_t>([&](auto... out) {
    return xlashape_shape_to_dlpack(shape, 0, nullptr, XLASHAPE_SPACE_CPU, 0, 0, out..., nullptr);
  });
  answer<char>(
      [&](auto... out) { return xlashape_shape_print_mlir(shape, XLASHAPE_PRINT_WITHOUT_LAYOUT, out..., nullptr); });
  answer<char>([&](auto... out) { return xlashape_shape_print_cute(shape, out..., nullptr); });
  answer<char>([&](auto... out) { return xlashape_shape_print_numpy(shape, out..., nullptr); });
  answer<char>([&](auto... out) { return xlashape_shape_print(shape, XLASHAPE_PRINT_STRICT, out..., nullptr); });
  for (const xlashape_unit unit : {XLASHAPE_UNIT_BYTES, XLASHAPE_UNIT_ELEMENTS})
    answer<int64_t>([&](auto... out) { return xlashape_shape_strides(shape, unit, out..., nullptr); });
  if (!draws) return;
  for (const int32_t format : {XLASHAPE_DRAW_TEXT, XLASHAPE_DRAW_SVG, XLASHAPE_DRAW_HTML})
    for (int32_t zoom = 0; zoom <= 1; ++zoom) {
      xlashape_draw_options options = {};
      options.struct_size = sizeof options;
      options.format = format;
      options.zoom = zoom;
      options.columns = 20;
      options.max_cells = 9;
      options.overlay_bytes = 3;
      options.show = XLASHAPE_DRAW_TILE;
      options.color_by = zoom;
      answer<char>([&](auto... out) {
        return xlashape_shape_draw(shape, zoom == 0 ? shape : nullptr, &options, out..., nullptr);
      });
    }
}

// Plans it to a row-major array and back, and moves: what comes back is what was there.
void ask_for_plans(const xlashape_shape* shape, const xlashape_sizes& sizes) {
  const api::Shape row = made<api::Shape>(
      [&](auto** out) { return xlashape_shape_without_parts(shape, XLASHAPE_PART_TILES, out, nullptr); });
  int64_t row_bytes = 0;
  ASSERT_EQ(xlashape_shape_byte_size(row.get(), 8, 0, &row_bytes, nullptr), XLASHAPE_STATUS_OK);
  const auto* ranges = static_cast<const xlashape_extension_execution*>(xlashape_get_extension(
      XLASHAPE_EXTENSION_EXECUTION, static_cast<int64_t>(std::strlen(XLASHAPE_EXTENSION_EXECUTION))));
  xlashape_relayout_options options = {};
  options.struct_size = sizeof options;
  Bytes from(static_cast<size_t>(row_bytes) + 1), there(static_cast<size_t>(sizes.bytes) + 1), back(from.size());
  for (int64_t i = 0; i < sizes.elements * sizes.element_bits / 8; ++i)
    from[static_cast<size_t>(i)] = static_cast<unsigned char>(i + 1);
  const auto move = [&](const xlashape_shape* a, const xlashape_shape* b, const Bytes& in, Bytes& out) {
    const api::Plan plan =
        made<api::Plan>([&](auto** p) { return xlashape_plan_create(nullptr, a, b, &options, p, nullptr); });
    ASSERT_NE(plan, nullptr);
    answer<char>([&](auto... text) { return xlashape_plan_describe(plan.get(), text..., nullptr); });
    answer<char>([&](auto... text) { return xlashape_plan_key(a, b, &options, text..., nullptr); });
    xlashape_plan_requirements reach = {};
    reach.struct_size = sizeof reach;
    expect_told(xlashape_plan_get_requirements(plan.get(), &reach, nullptr));
    int64_t ns, begin, end;
    expect_told(xlashape_plan_predict(plan.get(), &ns, nullptr));
    EXPECT_GE(xlashape_plan_task_count(plan.get(), 3), 1);
    EXPECT_EQ(ranges->source_range(plan.get(), 0, reach.dst_high, &begin, &end, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_TRUE((begin == 0 && end == 0) || (reach.src_low <= begin && begin < end && end <= reach.src_high));
    EXPECT_EQ(xlashape_plan_execute(plan.get(), in.data(), out.data(), nullptr), XLASHAPE_STATUS_OK);
  };
  move(row.get(), shape, from, there);
  move(shape, row.get(), there, back);
  EXPECT_EQ(back, from);
}

// Where each element is, by the index map.
void check_sizes(const xlashape_shape* shape, int64_t rank, const Ints& dimensions, const xlashape_sizes& sizes) {
  const api::IndexMap map =
      made<api::IndexMap>([&](auto** out) { return xlashape_index_map_create(shape, out, nullptr); });
  ASSERT_NE(map, nullptr);
  EXPECT_EQ(xlashape_index_map_storage_elements(map.get()), sizes.storage_elements);
  int64_t elements = 1;
  for (const int64_t size : dimensions) elements *= size;
  EXPECT_EQ(elements, sizes.elements);
  std::set<int64_t> positions;
  Ints index(dimensions.size() + 1, 0), found(dimensions.size() + 1);
  for (int64_t n = 0; n < elements; ++n) {
    int64_t position = -1;
    int32_t is_padding = -1;
    EXPECT_EQ(xlashape_index_map_linear_index(map.get(), index.data(), rank, &position, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_TRUE(positions.insert(position).second) << "two elements in one place";
    EXPECT_EQ(xlashape_index_map_multidimensional_index(map.get(), position, found.data(), rank, &is_padding, nullptr),
              XLASHAPE_STATUS_OK);
    EXPECT_EQ(is_padding, 0);
    EXPECT_EQ(found, index);
    xlashape_shape_next_index(shape, index.data(), rank);
  }
  const int64_t last = positions.empty() ? -1 : *positions.rbegin();
  EXPECT_LT(last, std::max<int64_t>(sizes.storage_elements, 0));
  EXPECT_EQ(sizes.data_bytes, ((last + 1) * sizes.element_bits + 7) / 8);
}

void ask_everything(const std::string& text, const Ints& dimensions, bool draws) {
  SCOPED_TRACE(text);
  xlashape_shape* parsed = nullptr;
  ASSERT_EQ(xlashape_shape_parse(text.data(), static_cast<int64_t>(text.size()), 0, &parsed, nullptr),
            XLASHAPE_STATUS_OK);
  const api::Shape shape(parsed);
  const auto rank = static_cast<int64_t>(dimensions.size());
  xlashape_sizes sizes = {};
  sizes.struct_size = sizeof sizes;
  ASSERT_EQ(xlashape_shape_sizes(shape.get(), &sizes, nullptr), XLASHAPE_STATUS_OK);
  check_sizes(shape.get(), rank, dimensions, sizes);
  ask_about_dimensions(shape.get(), rank);
  ask_for_texts(shape.get(), draws);
  ask_for_plans(shape.get(), sizes);
}

// All lists of `count` of the items, by a number below items.size() ** count.
template <class T>
std::vector<T> list_at(const std::vector<T>& items, int64_t count, int64_t number) {
  std::vector<T> list;
  for (; count > 0; --count, number /= static_cast<int64_t>(items.size()))
    list.push_back(items[static_cast<size_t>(number) % items.size()]);
  return list;
}
int64_t power(int64_t base, int64_t exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

TEST(Degenerate, EveryAnswerOfEverySmallOne) {
  const std::vector<std::string> levels = {"(1)", "(1,1)", "(1,1,1)", "(*,1)", "(*,*,1)", "(2)", "(2,1)", "(1,2)"};
  const auto level_count = static_cast<int64_t>(levels.size());
  // How many dimensions of which sizes, under how many levels of tiles.
  const struct {
    std::vector<int64_t> sizes;
    int64_t most_rank, most_levels;
  } groups[] = {{{}, 0, 3}, {{0, 1}, 2, 3}, {{0, 1, 3}, 2, 2}, {{0, 1, 2}, 4, 1}};
  const std::vector<std::string> types = {"f32", "s4", "c128", "pred"};
  int64_t asked = 0;
  for (const auto& group : groups)
    for (int64_t rank = group.most_rank == 0 ? 0 : 1; rank <= group.most_rank; ++rank)
      for (int64_t number = 0; number < power(static_cast<int64_t>(group.sizes.size()), rank); ++number) {
        const Ints dimensions = list_at(group.sizes, rank, number);
        std::string bounds, order;
        for (int64_t d = 0; d < rank; ++d) {
          bounds += (d ? "," : "") + std::to_string(dimensions[static_cast<size_t>(d)]);
          order += (d ? "," : "") + std::to_string(asked % 2 == 0 ? d : rank - 1 - d);
        }
        for (int64_t count = 0; count <= group.most_levels; ++count)
          for (int64_t tiles = 0; tiles < power(level_count, count); ++tiles, ++asked) {
            const std::string& type = types[static_cast<size_t>(asked) % types.size()];
            std::string parts = count > 0 ? ":T" : "";
            for (const std::string& level : list_at(levels, count, tiles)) parts += level;
            const char* const more[] = {"", "L(3)", type == "s4" ? "E(4)" : ""};
            if (const std::string rest = more[asked % 3]; !rest.empty()) parts += (count > 0 ? "" : ":") + rest;
            const std::string braces = rank > 0 || !parts.empty() ? "{" + order + parts + "}" : "";
            ask_everything(type + "[" + bounds + "]" + braces, dimensions, asked % 8 == 0);
            if (testing::Test::HasFailure()) return;
          }
      }
  EXPECT_GT(asked, 3000);
}

}  // namespace
