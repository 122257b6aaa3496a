// SPDX-License-Identifier: Apache-2.0
// Batches of index conversions: whole, by tasks, by executors; against single conversions.
#include "plans.h"
#include "xlashape_runtime.h"

namespace api_fuzz {
namespace {

struct IndexInfo {
  HeldMap map;
  xlashape_runtime* runtime;
  bool to_linear, marks_invalid;
  int64_t index_step, dimension_step;  // as they hold, not as they were given
};
std::map<const void*, IndexInfo>& infos() {
  static auto& made = *new std::map<const void*, IndexInfo>;
  return made;
}

void create(Input& input) {
  auto* map = any<xlashape_index_map>(input);
  if (map == nullptr || input.one_in(2)) {
    const xlashape_shape* const shape = input.one_in(2) ? draw_array(input) : pick<xlashape_shape>(input);
    map = MAKE(index_map, xlashape_index_map_create, shape);
  }
  const int64_t rank = xlashape_index_map_rank(map);
  const auto direction = static_cast<int32_t>(input.mostly(input.within(1, 2), 60));
  auto options = XLASHAPE_INIT(xlashape_index_options);
  options.flags = input.flags(XLASHAPE_INDEX_MARK_INVALID | XLASHAPE_PLAN_ALLOW_FALLBACK);
  static constexpr const char* kBackends[] = {nullptr, nullptr, "scalar", "simd", "nothing"};
  options.backend = input.pick(kBackends);
  if (input.one_in(2)) {
    const bool across = input.one_in(2);
    options.index_step = input.mostly(across ? 1 : rank + input.below(3));
    options.dimension_step = input.mostly(across ? 400 + input.below(3) : 1);
  }
  auto block = resized(options, input);
  xlashape_runtime* const runtime = draw_runtime(input);
  const MayFail scope(runtime);
  auto* const plan = MAKE(index_plan, xlashape_index_plan_create, runtime, map, direction,
                          reinterpret_cast<const xlashape_index_options*>(block.data()));
  if (plan == nullptr) return;
  check_chosen(runtime, options.backend != nullptr ? options.backend : "", options.flags,
               xlashape_index_plan_backend(plan));
  const bool is_usual = options.index_step == 0 && options.dimension_step == 0;
  infos().erase(plan);
  infos().emplace(
      plan, IndexInfo{HeldMap(xlashape_index_map_retain(map)), runtime, direction == XLASHAPE_CONVERSION_TO_LINEAR,
                      (options.flags & XLASHAPE_INDEX_MARK_INVALID) != 0, is_usual ? rank : options.index_step,
                      is_usual ? 1 : options.dimension_step});
}

// One index and its position, as single conversions say.
struct Pair {
  List index;
  int64_t linear;
  bool is_good;
};
Pair draw_pair(Input& input, const xlashape_index_map* map, bool to_linear, bool is_honest) {
  const int64_t rank = xlashape_index_map_rank(map), positions = xlashape_index_map_storage_elements(map);
  Pair pair = {List(static_cast<size_t>(rank)), is_honest || to_linear ? input.below(positions) : input.wild(), false};
  int32_t is_padding = 0;
  const bool is_there = xlashape_index_map_multidimensional_index(map, pair.linear, pair.index.data(), rank,
                                                                  &is_padding, nullptr) == XLASHAPE_STATUS_OK;
  pair.is_good = is_there && is_padding == 0;
  if (!to_linear) return pair;
  if (!pair.is_good) pair.index.assign(pair.index.size(), 0);
  if (!is_honest && rank > 0) pair.index[static_cast<size_t>(input.below(rank))] = input.wild();
  pair.is_good =
      xlashape_index_map_linear_index(map, pair.index.data(), rank, &pair.linear, nullptr) == XLASHAPE_STATUS_OK;
  return pair;
}

void execute_batch(Input& input) {
  const auto* const plan = pick<xlashape_index_plan>(input);
  const auto at = infos().find(plan);
  if (plan == nullptr || at == infos().end()) return;
  const IndexInfo& info = at->second;
  const int64_t rank = xlashape_index_map_rank(info.map);
  constexpr int64_t kSpread = 16384;  // from there on executors have work
  const int64_t count = input.one_in(40) && info.dimension_step < 9 ? kSpread + input.below(3000)
                        : input.one_in(20)                          ? 0
                                                                    : input.below(input.one_in(4) ? 400 : 30);
  if (info.index_step > 410 || info.dimension_step > 410 || info.index_step < 0 || info.dimension_step < 0) return;
  const bool is_honest = input.one_in(2);
  const int64_t room =
      count == 0 || rank == 0 ? 0 : (count - 1) * info.index_step + (rank - 1) * info.dimension_step + 1;
  Numbers index(static_cast<size_t>(room), input), linear(static_cast<size_t>(count), input);
  const auto entry = [&](int64_t i, int64_t d) -> int64_t& {
    return index[static_cast<size_t>(i * info.index_step + d * info.dimension_step)];
  };
  std::vector<Pair> pairs;
  int64_t all_bad = 0, bad = -77;
  for (int64_t i = 0; i < count; ++i) {
    pairs.push_back(draw_pair(input, info.map, info.to_linear, is_honest || !input.one_in(7)));
    all_bad += pairs.back().is_good ? 0 : 1;
    if (!info.to_linear) linear[static_cast<size_t>(i)] = pairs.back().linear;
    for (int64_t d = 0; info.to_linear && d < rank; ++d) entry(i, d) = pairs.back().index[static_cast<size_t>(d)];
  }
  // Entries of several indices in one place were written over: what holds is then not known here.
  bool are_apart = true;
  for (int64_t i = 0; info.to_linear && i < count; ++i)
    for (int64_t d = 0; d < rank; ++d)
      are_apart &= entry(i, d) == pairs[static_cast<size_t>(i)].index[static_cast<size_t>(d)];
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  const DrawnExecutor drawn = draw_executor(input);
  if (input.one_in(3)) exec.executor = &drawn.executor;
  int64_t* const src = (info.to_linear ? index : linear).data();
  int64_t* const dst = (info.to_linear ? linear : index).data();
  const int64_t index_bytes = 8 * room, linear_bytes = 8 * count;
  const bool is_checked = input.one_in(2);
  const int64_t src_bytes = !is_checked      ? XLASHAPE_UNCHECKED
                            : info.to_linear ? index_bytes
                                             : linear_bytes,
                dst_bytes = !is_checked      ? XLASHAPE_UNCHECKED
                            : info.to_linear ? linear_bytes
                                             : index_bytes;
  const MayFail scope(info.runtime);
  const int64_t tasks = input.one_in(3) ? input.within(1, 5) : 0, given = input.one_in(40) ? -1 : count;
  int64_t* const told = tasks == 0 && input.one_in(2) ? &bad : nullptr;
  xlashape_status status = XLASHAPE_STATUS_OK;
  exec.src = reinterpret_cast<uint64_t>(src), exec.src_bytes = src_bytes;
  exec.dst = reinterpret_cast<uint64_t>(dst), exec.dst_bytes = dst_bytes;
  exec.task_count = tasks;
  if (tasks == 0 && exec.executor == nullptr && input.one_in(2)) {
    status = CALL(xlashape_index_plan_execute, plan, given, src, src_bytes, dst, dst_bytes, told);
  } else {
    do {
      if (tasks > 0) exec.task_end = exec.task_begin + 1;
      status = CALL(xlashape_index_plan_execute_with, plan, given, &exec, told);
      ++exec.task_begin;
    } while (exec.task_begin < tasks && status == XLASHAPE_STATUS_OK);
  }
  check(given >= 0 || status != XLASHAPE_STATUS_OK, "less than no indices are converted");
  check(status == XLASHAPE_STATUS_OK || bad == -77, "the number of bad indices is written on failure");
  if (status == XLASHAPE_STATUS_OUT_OF_RANGE)
    check(all_bad > 0 && !info.marks_invalid, "OUT_OF_RANGE without a bad index");
  if (status != XLASHAPE_STATUS_OK || !are_apart) return;
  check(all_bad == 0 || info.marks_invalid, "a bad index was let through");
  check(told == nullptr || bad == all_bad, "the number of bad indices");
  for (int64_t i = 0; i < count; ++i) {
    const Pair& pair = pairs[static_cast<size_t>(i)];
    if (info.to_linear)
      check(linear[static_cast<size_t>(i)] == (pair.is_good ? pair.linear : -1),
            "a batch's linear index is not a single one's");
    for (int64_t d = 0; !info.to_linear && d < rank; ++d)
      check(entry(i, d) == (pair.is_good ? pair.index[static_cast<size_t>(d)] : -1),
            "a batch's index is not a single one's");
  }
}

constexpr Operation kOperations[] = {{create, 4}, {execute_batch, 5}};

}  // namespace

bool has_index_plans(const xlashape_runtime* runtime) {
  return pool_of<xlashape_index_plan>().any_of([&](const void* plan) {
    const auto at = infos().find(plan);
    return at != infos().end() && at->second.runtime == runtime;
  });
}
void forget_index_plans() { infos().clear(); }

Operations conversion_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
