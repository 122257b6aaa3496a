// SPDX-License-Identifier: Apache-2.0
// Checks index batches and index plans of a plugin, entry by entry, against single conversions.
#include <algorithm>
#include <span>
#include <xlashape/index_plan.hpp>

#include "cli/random_cases/stage.h"
#include "conformance_suite.h"

namespace xlashape::cli {
namespace {

// The index of the element at a position, if there is one.
bool holds_element(const IndexMap& map, int64_t position, std::span<int64_t> index) {
  const Result<bool> element = map.try_multidimensional_index(position, index);
  return element && *element;
}

int64_t bytes_of(const Integers& numbers) { return static_cast<int64_t>(numbers.size() * sizeof(int64_t)); }

}  // namespace

void Suite::batch(Random& random, const Shape& shape) {
  const IndexMap map = IndexMap::of(shape);
  const Integers dimensions = shape.dimensions();
  const auto rank = static_cast<int64_t>(dimensions.size());
  const int64_t storage = map.storage_elements();
  const int64_t count = 1 + random.below(200), gap = random.below(3);
  const bool by_dimension = random.chance(30);
  const int64_t index_step = by_dimension ? 1 : std::max<int64_t>(rank + gap, 1),
                across = by_dimension ? count + gap : 1;
  const size_t room = static_cast<size_t>(std::max<int64_t>((rank + gap) * count + count * (rank + 1) + gap * rank, 1));
  // A linear index may be padding, or outside; most are neither.
  Integers linear(static_cast<size_t>(count)), indices(room, -99), back(static_cast<size_t>(count) + 8, -99);
  std::vector<Integers> wanted;
  std::vector<bool> good;
  for (int64_t i = 0; i < count; ++i) {
    linear[static_cast<size_t>(i)] =
        random.chance(3) ? storage + random.below(3) : random.below(std::max<int64_t>(storage, 1));
    Integers index(static_cast<size_t>(rank) + 1);
    good.push_back(
        holds_element(map, linear[static_cast<size_t>(i)], std::span(index).first(static_cast<size_t>(rank))));
    wanted.push_back(index);
  }
  const auto bad_total = std::count(good.begin(), good.end(), false);
  const auto first_invalid = std::find(good.begin(), good.end(), false) - good.begin();
  // With gaps between indices.
  const auto convert = [&](Conversion conversion, const Integers& from, Integers& to, uint32_t flags) {
    xlashape_index_options options = {};
    options.flags = flags;
    options.index_step = index_step;
    options.dimension_step = across;
    return IndexPlan::create(map, conversion, options, runtime_).try_execute(count, from, to);
  };
  // With MARK_INVALID every entry gets an answer.
  int64_t bad = convert(Conversion::kToMultidimensional, linear, indices, XLASHAPE_INDEX_MARK_INVALID).value();
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
    if (!written[at] && indices[at] != -99) wrong("entry {} was written, which is not an index", at);
  // The reverse conversion, where bad entries are now -1.
  bad = convert(Conversion::kToLinear, indices, back, XLASHAPE_INDEX_MARK_INVALID).value();
  if (rank > 0 && bad != bad_total) wrong("{} bad indices are counted, there are {}", bad, bad_total);
  for (int64_t i = 0; i < count && rank > 0; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t want = good[k] ? linear[k] : -1;
    if (back[k] != want) wrong("index {}: position is {}, must be {}", i, back[k], want);
  }
  for (size_t at = static_cast<size_t>(count); at < back.size(); ++at)
    if (back[at] != -99) wrong("wrote past the {} results", count);
  // Without MARK_INVALID the smallest bad entry is reported.
  const Result<int64_t> strict = convert(Conversion::kToMultidimensional, linear, indices, 0);
  if (strict.has_value() != (bad_total == 0))
    wrong("{} bad entries, and the answer is {}", bad_total, strict ? "OK" : strict.error().message());
  if (bad_total > 0 && strict.error().index() != first_invalid)
    wrong("stops at entry {}, the first bad one is {}", strict.error().index(), first_invalid);
}

// The same in tasks in any order, with byte offsets, each reporting its bad entries.
void Suite::index_plan(Random& random, const Shape& shape) {
  const IndexMap map = IndexMap::of(shape);
  const int64_t rank = static_cast<int64_t>(shape.dimensions().size());
  const int64_t storage = map.storage_elements();
  xlashape_index_options options = {};
  options.flags = XLASHAPE_INDEX_MARK_INVALID;
  options.backend = name_.c_str();
  const Result<IndexPlan> plan = IndexPlan::try_create(map, Conversion::kToMultidimensional, options, runtime_);
  if (!plan) throw Refused();
  const int64_t count = 1 + random.below(700), skipped = random.below(9), tasks = 1 + random.below(64);
  Integers linear(static_cast<size_t>(count + skipped)), index(static_cast<size_t>(skipped + count * rank + 1), -99);
  Integers wanted = index;
  int64_t bad_wanted = 0, bad_found = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(i + skipped);
    linear[at] = random.chance(3) ? storage : random.below(std::max<int64_t>(storage, 1));
    const bool good = holds_element(
        map, linear[at], std::span(wanted).subspan(static_cast<size_t>(skipped + i * rank), static_cast<size_t>(rank)));
    bad_wanted += !good;
    for (int64_t d = 0; d < rank && !good; ++d) wanted[static_cast<size_t>(skipped + i * rank + d)] = -1;
  }
  for (const int64_t task : shuffled(random, tasks)) {
    xlashape_execute_options one = {};
    one.src = reinterpret_cast<uintptr_t>(linear.data()), one.src_bytes = bytes_of(linear);
    one.dst = reinterpret_cast<uintptr_t>(index.data()), one.dst_bytes = bytes_of(index);
    one.src_byte_offset = one.dst_byte_offset = 8 * skipped;
    one.task_begin = task;
    one.task_end = task + 1;
    one.task_count = tasks;
    on_small_stack([&] { bad_found += plan->execute_with(count, one); });
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
    // Positions need no memory: every fifth array is far larger than memory.
    const Shape shape = i % 5 == 4 ? sparse_request(random).src : random_request(random).src;
    run(kIndices, "indices of " + shape.to_string(), [&] {
      const int64_t calls = watch_.calls(kIndices);
      batch(random, shape);
      if (watch_.calls(kIndices) == calls) throw Refused();
    });
    if (i % 4 == 3) run(kIndices, "an index plan of " + shape.to_string(), [&] { index_plan(random, shape); });
  }
}

}  // namespace xlashape::cli
