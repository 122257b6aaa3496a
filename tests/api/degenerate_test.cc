// SPDX-License-Identifier: Apache-2.0
// Shapes that hardly hold anything: no dimensions, sizes of 0 and 1, tiles of 1 and of `*`, later levels of tiles that
// are longer than the ones before. All small ones are asked everything, and what the sizes say is compared with the
// index map.
#include <set>

#include "api.h"
#include "every_answer.h"
#include "xlashape_experimental.h"
#include "xlashape_xla.h"

namespace {

using api::Ints;
using Bytes = std::vector<unsigned char>;

// Plans it to a row-major array and back, and moves: what comes back is what was there, or in a box without elements
// nothing.
void ask_for_plans(const xlashape_shape* shape, int64_t rank, const xlashape_sizes& sizes) {
  const api::Shape row =
      api::make<api::Shape>(xlashape_shape_without_layout_fields, shape, XLASHAPE_LAYOUT_FIELD_TILES);
  int64_t row_bytes = 0;
  ASSERT_EQ(xlashape_shape_byte_size(row.get(), 8, 0, &row_bytes, nullptr), XLASHAPE_STATUS_OK);
  const auto* ranges =
      static_cast<const xlashape_extension_execution*>(xlashape_get_extension(XLASHAPE_EXTENSION_EXECUTION, 11));
  const Ints none(static_cast<size_t>(rank), 0);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  const auto held = static_cast<size_t>(sizes.elements * sizes.element_bits / 8);
  Bytes from(static_cast<size_t>(row_bytes) + 1), there(static_cast<size_t>(sizes.bytes) + 1), back(from.size());
  for (size_t i = 0; i < held; ++i) from[i] = static_cast<unsigned char>(i + 1);
  const auto move = [&](const xlashape_shape* a, const xlashape_shape* b, const Bytes& in, Bytes& out) {
    const api::Plan plan = api::make<api::Plan>(xlashape_plan_create, nullptr, a, b, &options);
    ASSERT_NE(plan, nullptr);
    char text[1024];
    int64_t needed, ns, begin, end;
    EXPECT_EQ(xlashape_plan_describe(plan.get(), text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
    auto reach = XLASHAPE_INIT(xlashape_plan_requirements);
    EXPECT_EQ(xlashape_plan_get_requirements(plan.get(), &reach, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_NE(xlashape_plan_predict(plan.get(), &ns, nullptr), XLASHAPE_STATUS_INTERNAL);
    EXPECT_GE(xlashape_plan_task_count(plan.get(), 3), 1);
    EXPECT_EQ(ranges->source_range(plan.get(), 0, reach.dst_high, &begin, &end, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_TRUE((begin == 0 && end == 0) || (reach.src_low <= begin && begin < end && end <= reach.src_high));
    EXPECT_EQ(xlashape_plan_execute(plan.get(), in.data(), byte_count(in), out.data(), byte_count(out), nullptr),
              XLASHAPE_STATUS_OK);
  };
  for (xlashape_fill_policy policy = XLASHAPE_FILL_PADDING; policy <= XLASHAPE_FILL_UNSPECIFIED; ++policy) {
    options.fill_policy = policy;
    std::fill(back.begin(), back.end(), 0);
    move(row.get(), shape, from, there);
    move(shape, row.get(), there, back);
    EXPECT_TRUE(std::equal(from.data(), from.data() + held, back.data())) << "fill policy " << policy;
  }
  if (rank == 0) return;
  options.extent = none.data();
  const Bytes before = there;
  move(row.get(), shape, from, there);
  EXPECT_EQ(there, before);
}

// Where each element is, by the index map.
void check_sizes(const xlashape_shape* shape, int64_t rank, const Ints& dimensions, const xlashape_sizes& sizes) {
  const api::IndexMap map = api::make<api::IndexMap>(xlashape_index_map_create, shape);
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

void ask_everything(const std::string& text, const Ints& dimensions) {
  SCOPED_TRACE(text);
  xlashape_shape* parsed = nullptr;
  ASSERT_EQ(xlashape_shape_parse(text.data(), static_cast<int64_t>(text.size()), 0, &parsed, nullptr),
            XLASHAPE_STATUS_OK);
  const api::Shape shape(parsed);
  const auto rank = static_cast<int64_t>(dimensions.size());
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  ASSERT_EQ(xlashape_shape_sizes(shape.get(), &sizes, nullptr), XLASHAPE_STATUS_OK);
  check_sizes(shape.get(), rank, dimensions, sizes);
  EXPECT_TRUE(every_answer::is_answered(shape.get()));
  ask_for_plans(shape.get(), rank, sizes);
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
            ask_everything(type + "[" + bounds + "]" + braces, dimensions);
            if (testing::Test::HasFailure()) return;
          }
      }
  EXPECT_GT(asked, 3000);
}

}  // namespace
