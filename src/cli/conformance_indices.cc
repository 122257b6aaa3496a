// Index batches and index plans of a plugin, entry by entry against conversions one at a time.
#include <algorithm>

#include "conformance_suite.h"
#include "stage.h"

namespace xlashape::cli {

void Suite::batch(Random& random, const Shape& shape) {
  const IndexMap map = index_map_of(shape);
  const Numbers dimensions = dimensions_of(shape);
  const auto rank = static_cast<int64_t>(dimensions.size());
  const int64_t storage = xlashape_index_map_storage_elements(map.get());
  const int64_t count = 1 + random.below(200), gap = random.below(3);
  const bool by_dimension = random.chance(30);
  const int64_t index_step = by_dimension ? 1 : rank + gap, across = by_dimension ? count + gap : 1;
  const size_t room = static_cast<size_t>(std::max<int64_t>((rank + gap) * count + count * (rank + 1) + gap * rank, 1));
  // A linear index may be padding, or outside; most are neither.
  Numbers linear(static_cast<size_t>(count)), indices(room, -99), back(static_cast<size_t>(count) + 8, -99);
  std::vector<Numbers> wanted;
  std::vector<bool> good;
  for (int64_t i = 0; i < count; ++i) {
    linear[static_cast<size_t>(i)] =
        random.chance(3) ? storage + random.below(3) : random.below(std::max<int64_t>(storage, 1));
    Numbers index(static_cast<size_t>(rank) + 1);
    xlashape_error err = new_error();
    good.push_back(xlashape_index_map_multidimensional_index(map.get(), linear[static_cast<size_t>(i)], index.data(),
                                                             rank, nullptr, &err) == XLASHAPE_STATUS_OK);
    wanted.push_back(index);
  }
  const auto bad_total = std::count(good.begin(), good.end(), false);
  const auto first_bad = std::find(good.begin(), good.end(), false) - good.begin();
  xlashape_error err = new_error();
  int64_t bad = -1;
  // Marking: everything is answered.
  check(xlashape_index_map_multidimensional_indices(runtime_.get(), map.get(), count, linear.data(), indices.data(),
                                                    index_step, across, XLASHAPE_INDEX_MARK_BAD, &bad, &err),
        err);
  if (bad != bad_total) wrong("{} bad entries are counted, there are {}", bad, bad_total);
  std::vector<bool> written(indices.size(), false);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t d = 0; d < rank; ++d) {
      const auto at = static_cast<size_t>(i * index_step + d * across), k = static_cast<size_t>(i);
      const int64_t want = good[k] ? wanted[k][static_cast<size_t>(d)] : -1;
      written[at] = true;
      if (indices[at] != want) wrong("position {}: index {} is {}, must be {}", linear[k], d, indices[at], want);
    }
  for (size_t at = 0; at < indices.size(); ++at)
    if (!written[at] && indices[at] != -99) wrong("entry {} was written, which is no index", at);
  // And back, where the bad ones are now -1.
  check(xlashape_index_map_linear_indices(runtime_.get(), map.get(), count, indices.data(), index_step, across,
                                          back.data(), XLASHAPE_INDEX_MARK_BAD, &bad, &err),
        err);
  if (rank > 0 && bad != bad_total) wrong("{} bad indices are counted, there are {}", bad, bad_total);
  for (int64_t i = 0; i < count && rank > 0; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t want = good[k] ? linear[k] : -1;
    if (back[k] != want) wrong("index {}: position is {}, must be {}", i, back[k], want);
  }
  for (size_t at = static_cast<size_t>(count); at < back.size(); ++at)
    if (back[at] != -99) wrong("wrote past the {} results", count);
  // Stopping: the smallest bad one is told.
  bad = -1;
  const xlashape_status status = xlashape_index_map_multidimensional_indices(
      runtime_.get(), map.get(), count, linear.data(), indices.data(), index_step, across, 0, &bad, &err);
  if ((status == XLASHAPE_STATUS_OK) != (bad_total == 0))
    wrong("{} bad entries, and the answer is {}", bad_total, xlashape_status_name(status));
  if (bad_total > 0 && err.index != first_bad)
    wrong("stops at entry {}, the first bad one is {}", err.index, first_bad);
}

// The same by a plan of its own: in tasks in any order, with byte offsets, each task telling what was bad among its own.
void Suite::index_plan(Random& random, const Shape& shape) {
  const IndexMap map = index_map_of(shape);
  const int64_t rank = static_cast<int64_t>(dimensions_of(shape).size());
  const int64_t storage = xlashape_index_map_storage_elements(map.get());
  xlashape_index_options options = {};
  options.struct_size = sizeof options;
  options.flags = XLASHAPE_INDEX_MARK_BAD;
  options.backend = name_.c_str();
  Plan plan;
  xlashape_error err = new_error();
  if (xlashape_index_plan_create(runtime_.get(), map.get(), XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options,
                                 plan.out(), &err) != XLASHAPE_STATUS_OK)
    throw Refused();
  const int64_t count = 1 + random.below(700), skipped = random.below(9), tasks = 1 + random.below(64);
  Numbers linear(static_cast<size_t>(count + skipped)), index(static_cast<size_t>(skipped + count * rank + 1), -99);
  Numbers wanted = index;
  int64_t bad_wanted = 0, bad_found = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i + skipped);
    linear[at] = random.chance(3) ? storage : random.below(std::max<int64_t>(storage, 1));
    const bool good = xlashape_index_map_multidimensional_index(map.get(), linear[at],
                                                                wanted.data() + static_cast<size_t>(skipped + i * rank),
                                                                rank, nullptr, nullptr) == XLASHAPE_STATUS_OK;
    bad_wanted += !good;
    for (int64_t d = 0; d < rank && !good; ++d) wanted[static_cast<size_t>(skipped + i * rank + d)] = -1;
  }
  for (const int64_t task : shuffled(random, tasks)) {
    xlashape_exec exec = {};
    exec.struct_size = sizeof exec;
    exec.src = reinterpret_cast<uintptr_t>(linear.data());
    exec.dst = reinterpret_cast<uintptr_t>(index.data());
    exec.src_byte_offset = exec.dst_byte_offset = 8 * skipped;
    exec.task_begin = task;
    exec.task_end = task + 1;
    exec.task_count = tasks;
    exec.count = count;
    int64_t bad = 0;
    exec.bad = &bad;
    on_small_stack([&] { check(xlashape_plan_execute_ex(plan.get(), &exec, &err), err); });
    bad_found += bad;
  }
  if (bad_found != bad_wanted)
    wrong("in {} tasks, byte offset {}: {} bad entries are counted, there are {}", tasks, 8 * skipped, bad_found,
          bad_wanted);
  for (size_t at = 0; at < index.size(); ++at)
    if (index[at] != wanted[at])
      wrong("in {} tasks, byte offset {}: entry {} is {}, must be {}", tasks, 8 * skipped,
            static_cast<int64_t>(at) - skipped, index[at], wanted[at]);
}

void Suite::index_batches(int64_t count, uint64_t seed) {
  for (int64_t i = 0; i < count; ++i) {
    Random random(seed * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(i));
    // Positions need no memory: every fifth array is far larger than any.
    const Shape shape = i % 5 == 4 ? far_request(random).src : random_request(random).src;
    run(kIndices, "indices of " + text_of(shape), [&] {
      const int64_t calls = watch_.calls(kIndices);
      batch(random, shape);
      if (watch_.calls(kIndices) == calls) throw Refused();
    });
    if (i % 4 == 3) run(kIndices, "an index plan of " + text_of(shape), [&] { index_plan(random, shape); });
  }
}

}  // namespace xlashape::cli
