#include "plans.h"

namespace pjrt_plugin {
namespace {

using xlashape::Plan;
using xlashape::PlanOptions;
using xlashape::Shape;

enum Movement : std::int64_t { kFromHost, kToHost, kBetween };

// A host's array as part of a key.
void append(Numbers& key, const HostArray& host) {
  if (!host.byte_strides.empty()) {
    key.push_back(1);
    key.insert(key.end(), host.byte_strides.begin(), host.byte_strides.end());
  } else if (host.layout) {
    std::int64_t needed = 0;
    (void)xlashape_layout_fields(host.layout.get(), nullptr, 0, &needed, nullptr);
    key.push_back(2);
    key.resize(key.size() + static_cast<std::size_t>(needed));
    (void)xlashape_layout_fields(host.layout.get(), key.data() + key.size() - needed, needed, &needed, nullptr);
  }
}

Shape shape_of(const Array& array, const HostArray& host) {
  return value_at(array.text, Shape::try_array(array.type, array.dimensions, host.layout));
}

std::string told(const Shape& from, const Shape& to) { return from.to_string() + " -> " + to.to_string(); }

}  // namespace

Plan Plans::from_host(const HostArray& from, const Array& to) {
  Numbers key = to.key;
  key.push_back(kFromHost);
  append(key, from);
  return kept_.get(key, [&] {
    PlanOptions options;
    options.src_byte_strides = from.byte_strides;
    const Shape shape = shape_of(to, from);
    return value_at(told(shape, to.shape), Plan::try_create(shape, to.shape, options, runtime_));
  });
}

Plan Plans::to_host(const Array& from, const HostArray& to) {
  Numbers key = from.key;
  key.push_back(kToHost);
  append(key, to);
  return kept_.get(key, [&] {
    PlanOptions options;
    options.flags = XLASHAPE_PLAN_READ_SOON;
    options.dst_byte_strides = to.byte_strides;
    const Shape shape = shape_of(from, to);
    return value_at(told(from.shape, shape), Plan::try_create(from.shape, shape, options, runtime_));
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
  Numbers key = from.key;
  key.insert(key.end(), {kBetween, place.space, place.device});
  key.insert(key.end(), to.key.begin(), to.key.end());
  return kept_.get(key, [&] {
    PlanOptions options;
    options.src_space = options.dst_space = place.space;
    if (place.device > 0) options.device = place.device - 1;
    auto plan = Plan::try_create(from.shape, to.shape, options, runtime_);
    if (!plan && place.space != XLASHAPE_SPACE_CPU &&
        (plan.error().status() == xlashape::Status::kUnsupported ||
         plan.error().status() == xlashape::Status::kNotFound))
      return Plan();
    return value_at(told(from.shape, to.shape), std::move(plan));
  });
}

}  // namespace pjrt_plugin
