// Index maps: single conversions against each other, batches against single ones.
#include "runtimes.h"

namespace api_fuzz {

bool single_index(const xlashape_index_map* map, const std::vector<int64_t>& index, int64_t* linear) {
  return xlashape_index_map_linear_index(map, index.data(), static_cast<int64_t>(index.size()), linear, nullptr) ==
         XLASHAPE_STATUS_OK;
}

bool single_position(const xlashape_index_map* map, int64_t linear, std::vector<int64_t>* index) {
  int32_t padding = 0;
  index->assign(static_cast<size_t>(xlashape_index_map_rank(map)), -1);
  return xlashape_index_map_multidimensional_index(map, linear, index->data(), static_cast<int64_t>(index->size()),
                                                   &padding, nullptr) == XLASHAPE_STATUS_OK &&
         padding == 0;
}

int64_t draw_count(Input& input) {
  constexpr int64_t kSpread = 16384;  // from there on executors have work
  if (input.one_in(40)) return kSpread + input.below(3000);
  return input.one_in(20) ? 0 : input.below(input.one_in(4) ? 400 : 30);
}

IndexBatch draw_batch(Input& input, const xlashape_index_map* map, int64_t count, bool to_linear, bool damaged) {
  IndexBatch batch;
  const int64_t rank = xlashape_index_map_rank(map), positions = xlashape_index_map_storage_elements(map);
  for (int64_t i = 0; i < count; ++i) {
    int64_t linear = positions > 0 ? input.below(positions) : 0;
    std::vector<int64_t> index;
    bool good = positions > 0 && single_position(map, linear, &index);
    if (damaged && input.one_in(7)) {
      if (to_linear && rank > 0) {
        index.resize(static_cast<size_t>(rank));
        index[static_cast<size_t>(input.below(rank))] = input.wild();
        good = single_index(map, index, &linear);
      } else if (!to_linear) {
        linear = input.wild();
        good = linear >= 0 && linear < positions && single_position(map, linear, &index);
      }
    } else if (to_linear && !good) {
      index.assign(static_cast<size_t>(rank), 0);
      good = single_index(map, index, &linear);
    }
    if (rank == 0 && to_linear) good = single_index(map, {}, &linear);
    batch.linear.push_back(linear);
    batch.index.push_back(index);
    batch.good.push_back(good);
    batch.bad += good ? 0 : 1;
  }
  return batch;
}

namespace {

void create(Input& input) {
  xlashape_shape* shape = input.one_in(2) ? draw_array(input) : world.shapes.pick(input);
  MAKE(maps, xlashape_index_map_create, shape);
}

void single(Input& input) {
  xlashape_index_map* map = world.maps.pick(input);
  const int64_t rank = GET(xlashape_index_map_rank, map), positions = GET(xlashape_index_map_storage_elements, map);
  check(map != nullptr || (rank == 0 && positions == 0), "NULL answers");
  const int64_t linear = input.mostly(input.below(positions), 10);
  Numbers index(static_cast<size_t>(rank), input);
  int32_t padding = -7;
  const bool asked = input.one_in(2);
  const int64_t given = input.one_in(60) ? rank + 1 : rank;
  xlashape_status status =
      CALL(xlashape_index_map_multidimensional_index, map, linear, index.data(), given, asked ? &padding : nullptr);
  if (status != XLASHAPE_STATUS_OK) {
    check(index.is_untouched() && padding == -7, "an index is written on failure");
    for (size_t i = 0; i < index.size(); ++i) index[i] = input.mostly(input.below(5));
  } else if (asked && padding == 1) {
    for (size_t i = 0; i < index.size(); ++i) check(index[i] == -1, "an index of padding");
    return;
  }
  int64_t back = -77;
  const bool found = status == XLASHAPE_STATUS_OK;
  status = CALL(xlashape_index_map_linear_index, map, index.data(), given, &back);
  check(status == XLASHAPE_STATUS_OK || back == -77, "a linear index is written on failure");
  if (found) check(status == XLASHAPE_STATUS_OK && back == linear, "an index and back");
}

void batch(Input& input) {
  xlashape_index_map* map = world.maps.pick(input);
  const int64_t rank = GET(xlashape_index_map_rank, map), count = draw_count(input);
  xlashape_runtime* runtime = count < 1000 || world.runtimes.empty() ? draw_runtime(input) : world.runtimes.any(input);
  const bool to_linear = input.one_in(2), damaged = !input.one_in(3);
  const IndexBatch given = draw_batch(input, map, count, to_linear, damaged);
  const bool across = input.one_in(2);
  const int64_t gap = input.one_in(3) ? input.below(3) : 0;
  const int64_t index_step = across ? 1 : rank + gap, dimension_step = across ? count + gap : 1;
  const int64_t room = count == 0 || rank == 0 ? 0 : (count - 1) * index_step + (rank - 1) * dimension_step + 1;
  Numbers index(static_cast<size_t>(room), input), linear(static_cast<size_t>(count), input);
  for (int64_t i = 0; i < count; ++i) {
    const auto n = static_cast<size_t>(i);
    if (!to_linear) linear[n] = given.linear[n];
    for (int64_t d = 0; to_linear && d < rank; ++d)
      index[static_cast<size_t>(i * index_step + d * dimension_step)] = given.index[n][static_cast<size_t>(d)];
  }
  const uint32_t flags = damaged && input.one_in(2) ? XLASHAPE_INDEX_MARK_BAD : input.flags(XLASHAPE_INDEX_MARK_BAD);
  int64_t bad = -77;
  int64_t* const told = input.one_in(4) ? nullptr : &bad;
  const MayFail scope(runtime);
  const xlashape_status status = to_linear ? CALL(xlashape_index_map_linear_indices, runtime, map, count, index.data(),
                                                  index_step, dimension_step, linear.data(), flags, told)
                                           : CALL(xlashape_index_map_multidimensional_indices, runtime, map, count,
                                                  linear.data(), index.data(), index_step, dimension_step, flags, told);
  if (status != XLASHAPE_STATUS_OK) {
    check(bad == -77, "the number of bad indices is written on failure");
    if (status == XLASHAPE_STATUS_OUT_OF_RANGE && map != nullptr)
      check(given.bad > 0 && flags == 0, "OUT_OF_RANGE without a bad index");
    return;
  }
  check(map != nullptr && (given.bad == 0 || flags == XLASHAPE_INDEX_MARK_BAD), "a bad index was let through");
  if (told != nullptr) check(bad == (flags == 0 ? 0 : given.bad), "the number of bad indices");
  for (int64_t i = 0; i < count; ++i) {
    const auto n = static_cast<size_t>(i);
    if (to_linear)
      check(linear[n] == (given.good[n] ? given.linear[n] : -1), "a batch's linear index differs from a single one's");
    for (int64_t d = 0; !to_linear && d < rank; ++d)
      check(index[static_cast<size_t>(i * index_step + d * dimension_step)] ==
                (given.good[n] ? given.index[n][static_cast<size_t>(d)] : -1),
            "a batch's index differs from a single one's");
  }
}

void churn(Input& input) { world.maps.churn(input); }

constexpr Operation kOperations[] = {{create, 3}, {single, 3}, {batch, 4}, {churn, 1}};

}  // namespace

Operations map_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
