// Plans of batches of index conversions.
#ifndef XLASHAPE_INDEX_PLAN_HPP_
#define XLASHAPE_INDEX_PLAN_HPP_

#include "control.hpp"
#include "index_map.hpp"

namespace xlashape {

enum class Conversion : std::int32_t {
  kToLinear = XLASHAPE_CONVERSION_TO_LINEAR,                      // multidimensional indices to positions
  kToMultidimensional = XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL,  // the reverse
};

// A batch of index conversions, planned once, in memory of any space. `options` are those of the C interface, including
// `device`; their struct_size is set here.
class IndexPlan : public detail::Handle<xlashape_plan, xlashape_plan_retain, xlashape_plan_release> {
 public:
  using Handle::Handle;

  static Result<IndexPlan> try_create(const IndexMap& map, Conversion conversion, xlashape_index_options options = {},
                                      const Runtime& runtime = {}) {
    options.struct_size = sizeof options;
    return detail::make<IndexPlan, xlashape_plan>(xlashape_index_plan_create, runtime.get(), map.get(),
                                                  static_cast<std::int32_t>(conversion), &options);
  }
  XLASHAPE_THROWS static IndexPlan create(const IndexMap& map, Conversion conversion,
                                          const xlashape_index_options& options = {}, const Runtime& runtime = {}) {
    return try_create(map, conversion, options, runtime).value();
  }

  // Converts exec.count indices from exec.src to exec.dst. Returns how many were bad, with a queue always 0.
  // struct_size and `bad` of exec are set here, and `control` replaces its fields in exec. The caller is responsible
  // for the addresses.
  XLASHAPE_THROWS Result<std::int64_t> try_execute_ex(xlashape_exec exec, const Control& control = {}) const {
    detail::Call call;
    return call.told(executed(exec, control, call));
  }
  XLASHAPE_THROWS std::int64_t execute_ex(xlashape_exec exec, const Control& control = {}) const {
    detail::Call call;
    return call.value(executed(exec, control, call));
  }
  // Name of the backend that runs it.
  std::string_view backend() const noexcept {
    const char* name = xlashape_plan_backend(get());
    return name == nullptr ? std::string_view() : name;
  }
  // One line; for people, not stable.
  XLASHAPE_THROWS std::string describe() const { return detail::text(xlashape_plan_describe, get()).value(); }

 private:
  XLASHAPE_THROWS Result<std::int64_t> executed(xlashape_exec& exec, const Control& control, detail::Call& call) const {
    detail::Watch watch(control, call);
    Result<std::int64_t> result;
    std::int64_t bad = 0;
    exec.struct_size = sizeof exec;
    exec.bad = exec.queue_kind == XLASHAPE_QUEUE_NONE ? &bad : nullptr;
    watch.put_into(exec);
    if (xlashape_plan_execute_ex(get(), &exec, result.record()) == XLASHAPE_STATUS_OK && !watch.threw())
      result.emplace(bad);
    return result;
  }
};

}  // namespace xlashape

#endif  // XLASHAPE_INDEX_PLAN_HPP_
