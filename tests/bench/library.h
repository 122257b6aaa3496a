/* SPDX-License-Identifier: Apache-2.0 */
// The C API as the benchmarks use it: handles that release themselves, and failures that become exceptions.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>

#include "byte_count.h"
#include "xlashape_runtime.h"

namespace bench {

template <auto kRelease>
struct Release {
  template <class T>
  void operator()(T* handle) const {
    kRelease(handle);
  }
};
using Layout = std::unique_ptr<xlashape_layout, Release<xlashape_layout_release>>;
using Shape = std::unique_ptr<xlashape_shape, Release<xlashape_shape_release>>;
using Map = std::unique_ptr<xlashape_index_map, Release<xlashape_index_map_release>>;
using Plan = std::unique_ptr<xlashape_plan, Release<xlashape_plan_release>>;
using IndexPlan = std::unique_ptr<xlashape_index_plan, Release<xlashape_index_plan_release>>;
using Runtime = std::unique_ptr<xlashape_runtime, Release<xlashape_runtime_release>>;

// Calls call(&err) and throws what the record says where it fails.
template <class F>
void check(F&& call) {
  auto err = XLASHAPE_INIT(xlashape_error);
  if (const xlashape_status status = call(&err))
    throw std::runtime_error(std::string(xlashape_status_name(status)) + ": " + err.message);
}

inline Shape parse_shape(const std::string& text) {
  xlashape_shape* shape = nullptr;
  check([&](xlashape_error* err) { return xlashape_shape_parse(text.data(), text.size(), 0, &shape, err); });
  return Shape(shape);
}

inline Map make_map(const xlashape_shape* shape) {
  xlashape_index_map* map = nullptr;
  check([&](xlashape_error* err) { return xlashape_index_map_create(shape, &map, err); });
  return Map(map);
}

inline IndexPlan make_index_plan(xlashape_runtime* runtime, const Map& map, xlashape_index_conversion conversion,
                                 int64_t index_step, int64_t dimension_step) {
  auto options = XLASHAPE_INIT(xlashape_index_options);
  options.index_step = index_step;
  options.dimension_step = dimension_step;
  xlashape_index_plan* plan = nullptr;
  check([&](xlashape_error* err) {
    return xlashape_index_plan_create(runtime, map.get(), conversion, &options, &plan, err);
  });
  return IndexPlan(plan);
}
inline void convert(const IndexPlan& plan, int64_t count, const int64_t* src, int64_t* dst) {
  check([&](xlashape_error* err) {
    return xlashape_index_plan_execute(plan.get(), count, src, XLASHAPE_UNCHECKED, dst, XLASHAPE_UNCHECKED, nullptr,
                                       err);
  });
}

inline xlashape_sizes sizes_of(const xlashape_shape* shape) {
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  check([&](xlashape_error* err) { return xlashape_shape_sizes(shape, &sizes, err); });
  return sizes;
}

}  // namespace bench
