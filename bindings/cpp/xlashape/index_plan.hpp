// SPDX-License-Identifier: Apache-2.0
// Plans of batches of index conversions.
#ifndef XLASHAPE_INDEX_PLAN_HPP_
#define XLASHAPE_INDEX_PLAN_HPP_

#include <xlashape_runtime.h>

#include "control.hpp"
#include "index_map.hpp"

namespace xlashape {

enum class Conversion : std::int32_t {
  // members: CONVERSION_(\w+) as k{Name} = {C},
  kToLinear = XLASHAPE_CONVERSION_TO_LINEAR,                      // multidimensional indices to positions
  kToMultidimensional = XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL,  // the reverse
  // end of members
};

// A batch of index conversions, planned once, in memory of any space. `options` are those of the C interface, including
// `device`; their struct_size is set here.
class IndexPlan : public detail::Handle<xlashape_index_plan, xlashape_index_plan_retain, xlashape_index_plan_release> {
 public:
  using Handle::Handle;

  static Result<IndexPlan> try_create(const IndexMap& map, Conversion conversion, xlashape_index_options options = {},
                                      const Runtime& runtime = {}) {
    options.struct_size = sizeof options;
    return detail::make<IndexPlan, xlashape_index_plan>(xlashape_index_plan_create, runtime.get(), map.get(),
                                                        static_cast<std::int32_t>(conversion), &options);
  }
  XLASHAPE_THROWS static IndexPlan create(const IndexMap& map, Conversion conversion,
                                          const xlashape_index_options& options = {}, const Runtime& runtime = {}) {
    return try_create(map, conversion, options, runtime).value();
  }

  // Converts `count` indices in memory of the CPU; spans that are too short are an error. Returns how many were
  // invalid.
  Result<std::int64_t> try_execute(std::int64_t count, Span<const std::int64_t> src, Span<std::int64_t> dst) const {
    detail::Call call;
    return call.outcome(executed(count, src, dst));
  }
  XLASHAPE_THROWS std::int64_t execute(std::int64_t count, Span<const std::int64_t> src, Span<std::int64_t> dst) const {
    detail::Call call;
    return call.value(executed(count, src, dst));
  }
  // The same with all options: arrays of int64 at any addresses, queues, tasks. Their struct_size is set here, and
  // `control` replaces its fields in them. With a queue nothing is counted: returns 0.
  XLASHAPE_THROWS Result<std::int64_t> try_execute_with(std::int64_t count, xlashape_execute_options options,
                                                        const Control& control = {}) const {
    detail::Call call;
    return call.outcome(executed(count, options, control, call));
  }
  XLASHAPE_THROWS std::int64_t execute_with(std::int64_t count, xlashape_execute_options options,
                                            const Control& control = {}) const {
    detail::Call call;
    return call.value(executed(count, options, control, call));
  }
  // The recommended number of tasks for that many workers.
  std::int64_t task_count(std::int64_t workers) const { return xlashape_index_plan_task_count(get(), workers); }
  Result<xlashape_plan_requirements> try_requirements() const {
    Result<xlashape_plan_requirements> result;
    auto out = XLASHAPE_INIT(xlashape_plan_requirements);
    if (xlashape_index_plan_get_requirements(get(), &out, result.record()) == XLASHAPE_STATUS_OK) result.emplace(out);
    return result;
  }
  XLASHAPE_THROWS xlashape_plan_requirements requirements() const { return try_requirements().value(); }
  // Name of the backend that runs it.
  std::string_view backend() const noexcept {
    const char* name = xlashape_index_plan_backend(get());
    return name == nullptr ? std::string_view() : name;
  }
  // One line; for people, not stable.
  XLASHAPE_THROWS std::string describe() const { return detail::text(xlashape_index_plan_describe, get()).value(); }

 private:
  Result<std::int64_t> executed(std::int64_t count, Span<const std::int64_t> src, Span<std::int64_t> dst) const {
    Result<std::int64_t> result;
    std::int64_t invalid = 0;
    const auto bytes = [](std::size_t entries) { return static_cast<std::int64_t>(entries * sizeof(std::int64_t)); };
    if (xlashape_index_plan_execute(get(), count, src.data(), bytes(src.size()), dst.data(), bytes(dst.size()),
                                    &invalid, result.record()) == XLASHAPE_STATUS_OK)
      result.emplace(invalid);
    return result;
  }
  XLASHAPE_THROWS Result<std::int64_t> executed(std::int64_t count, xlashape_execute_options& options,
                                                const Control& control, detail::Call& call) const {
    detail::Watch watch(control, call);
    Result<std::int64_t> result;
    std::int64_t invalid = 0;
    options.struct_size = sizeof options;
    watch.put_into(options);
    std::int64_t* const counted = options.queue.kind == XLASHAPE_QUEUE_NONE ? &invalid : nullptr;
    if (xlashape_index_plan_execute_with(get(), count, &options, counted, result.record()) == XLASHAPE_STATUS_OK &&
        !watch.threw())
      result.emplace(invalid);
    return result;
  }
};

}  // namespace xlashape

#endif  // XLASHAPE_INDEX_PLAN_HPP_
