// SPDX-License-Identifier: Apache-2.0
#include "plans.h"

namespace pjrt_plugin {
namespace {

using xlashape::Plan;
using xlashape::PlanOptions;
using xlashape::Shape;

// The key of a movement between an array and one of the host.
std::string key_of(const Array& array, const char* movement, const HostArray& host) {
  std::string key = array.text + movement;
  if (!host.byte_strides.empty()) {
    append(key, host.byte_strides);
  } else if (host.layout) {
    key += host.layout.to_string();
  }
  return key;
}

Shape shape_of(const Array& array, const HostArray& host) {
  return value_at(array.text, Shape::try_array(array.type, array.dimensions, host.layout));
}

std::string relayout_text(const Shape& from, const Shape& to) { return from.to_string() + " -> " + to.to_string(); }

}  // namespace

Plan Plans::from_host(const HostArray& from, const Array& to) {
  return kept_.get(key_of(to, " from ", from), [&] {
    PlanOptions options;
    options.src_byte_strides = from.byte_strides;
    const Shape shape = shape_of(to, from);
    return value_at(relayout_text(shape, to.shape), Plan::try_create(shape, to.shape, options, runtime_));
  });
}

Plan Plans::to_host(const Array& from, const HostArray& to) {
  return kept_.get(key_of(from, " to ", to), [&] {
    PlanOptions options;
    options.flags = XLASHAPE_PLAN_KEEP_IN_CACHE;
    options.dst_byte_strides = to.byte_strides;
    const Shape shape = shape_of(from, to);
    return value_at(relayout_text(from.shape, shape), Plan::try_create(from.shape, shape, options, runtime_));
  });
}

std::int64_t Plans::bytes_to_host(const Array& from, const HostArray& to) {
  if (to.byte_strides.empty()) return value_at(from.text, shape_of(from, to).try_byte_size());
  const auto requirements = value_at(from.text, to_host(from, to).try_requirements());
  if (requirements.dst_low < 0)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                  from.text + ": host_layout has negative byte strides, which reach in front of dst");
  return requirements.dst_high;
}

Plan Plans::between(const Array& from, const Array& to, Place place) {
  std::string key = from.text + " -> " + to.text + " in ";
  append(key, {place.space, place.device});
  return kept_.get(key, [&] {
    PlanOptions options;
    options.src_space = options.dst_space = place.space;
    if (place.device > 0) options.device = place.device - 1;
    auto plan = Plan::try_create(from.shape, to.shape, options, runtime_);
    if (!plan && place.space != XLASHAPE_SPACE_CPU &&
        (plan.error().status() == xlashape::Status::kUnsupported ||
         plan.error().status() == xlashape::Status::kNotFound))
      return Plan();
    return value_at(relayout_text(from.shape, to.shape), std::move(plan));
  });
}

}  // namespace pjrt_plugin
