// Plans: made once, executed as often as wanted. Of relayouts, and of batches of index conversions.
#ifndef XLASHAPE_PLAN_HPP_
#define XLASHAPE_PLAN_HPP_

#include "index_map.hpp"
#include "runtime.hpp"
#include "shape.hpp"

namespace xlashape {

enum class FillPolicy : std::int32_t {
  kPadding = XLASHAPE_FILL_PADDING,          // the destination layout's padding value
  kPreserve = XLASHAPE_FILL_PRESERVE,        // what was there
  kUnspecified = XLASHAPE_FILL_UNSPECIFIED,  // anything: fastest
};

// As xlashape_relayout_options. Empty: not given; else as many as the rank.
struct PlanOptions {
  FillPolicy fill_policy = FillPolicy::kPadding;
  std::uint32_t flags = 0;  // XLASHAPE_PLAN_*
  std::string backend = {};
  std::int32_t src_space = 0;  // XLASHAPE_SPACE_*
  std::int32_t dst_space = 0;
  std::optional<std::int32_t> device = {};  // of the backend, from 0; none: the current one, or its first
  // A side given by byte strides instead of by its layout, from the element at index 0...0.
  std::vector<std::int64_t> src_byte_strides = {};
  std::vector<std::int64_t> dst_byte_strides = {};
  // A box: `extent` elements from src_base of the source to dst_base of the destination.
  std::vector<std::int64_t> src_base = {};
  std::vector<std::int64_t> dst_base = {};
  std::vector<std::int64_t> extent = {};
};

namespace detail {

// `options` for C; they refer to it.
inline Result<xlashape_relayout_options> for_c(const PlanOptions& options, std::int64_t rank) {
  for (const auto* list :
       {&options.src_byte_strides, &options.dst_byte_strides, &options.src_base, &options.dst_base, &options.extent})
    if (!list->empty() && length(*list) != rank)
      return Error(Status::kInvalidArgument, "strides, bases and extent must have as many entries as the rank");
  if (options.backend.find('\0') != std::string::npos)  // C would see the part before it
    return Error(Status::kNotFound, "no backend has a NUL in its name");
  const auto data = [](const std::vector<std::int64_t>& list) { return list.empty() ? nullptr : list.data(); };
  xlashape_relayout_options out = {};
  out.struct_size = sizeof out;
  out.flags = options.flags;
  out.fill_policy = static_cast<std::int32_t>(options.fill_policy);
  out.src_space = options.src_space;
  out.dst_space = options.dst_space;
  out.device = for_c(options.device);
  out.backend = options.backend.empty() ? nullptr : options.backend.c_str();
  out.src_byte_strides = data(options.src_byte_strides);
  out.dst_byte_strides = data(options.dst_byte_strides);
  out.src_base = data(options.src_base);
  out.dst_base = data(options.dst_base);
  out.extent = data(options.extent);
  return out;
}

// What a plan asks of the memory of one side.
struct Side {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool exact = false;  // an image: exactly `high` bytes

  bool takes(std::size_t bytes) const noexcept {
    const auto size = static_cast<std::int64_t>(bytes);
    return exact ? size == high : low >= 0 && size >= high;
  }
  XLASHAPE_COLD Error refused(const char* what, std::size_t bytes) const noexcept {
    char text[160];
    if (exact || low >= 0)
      std::snprintf(text, sizeof text, "%s has %zu bytes, %lld are wanted", what, bytes, static_cast<long long>(high));
    else
      std::snprintf(text, sizeof text, "%s reaches before its first element (negative strides): use execute_at", what);
    return Error(Status::kOutOfRange, text);
  }
};

}  // namespace detail

// A relayout, planned. May be executed on many threads at once, with different destinations.
class Plan : public detail::Handle<xlashape_plan, xlashape_plan_retain, xlashape_plan_release> {
 public:
  void swap(Plan& other) noexcept { std::swap(*this, other); }

  static Result<Plan> try_create(const Shape& src, const Shape& dst, const PlanOptions& options = {},
                                 const Runtime& runtime = {});
  XLASHAPE_THROWS static Plan create(const Shape& src, const Shape& dst, const PlanOptions& options = {},
                                     const Runtime& runtime = {}) {
    return try_create(src, dst, options, runtime).value();
  }

  // Moves the bytes from one contiguous range of plain objects to another: elements of the shapes' type, bytes, or
  // unsigned integers of that width. A side that is given by its layout has exactly sizes().bytes; one by strides reaches
  // as far as the plan does. They must not overlap, save that a plan that moves nothing may run onto itself.
  template <class S, class D>
  Result<void> try_execute(const S& src, D&& dst) const {
    if (!suit(src, dst)) return refused(src, dst);
    detail::Call call;
    Result<void> result;
    if (xlashape_plan_execute(get(), std::data(src), std::data(dst), result.record()) != XLASHAPE_STATUS_OK)
      return call.told(result.error());
    return result;
  }
  template <class S, class D>
  XLASHAPE_THROWS void execute(const S& src, D&& dst) const {
    if (!suit(src, dst)) detail::raise(refused(src, dst));
    detail::Call call;
    Error error{detail::ForCall()};
    if (xlashape_plan_execute(get(), std::data(src), std::data(dst), error.record()) != XLASHAPE_STATUS_OK)
      call.raise(error);
  }

  // The same for addresses of index 0...0, unchecked.
  Result<void> try_execute_at(const void* src, void* dst) const {
    detail::Call call;
    Result<void> result;
    if (xlashape_plan_execute(get(), src, dst, result.record()) != XLASHAPE_STATUS_OK) return call.told(result.error());
    return result;
  }
  XLASHAPE_THROWS void execute_at(const void* src, void* dst) const {
    detail::Call call;
    Error error{detail::ForCall()};
    if (xlashape_plan_execute(get(), src, dst, error.record()) != XLASHAPE_STATUS_OK) call.raise(error);
  }
  // Everything that can be said about an execution: tasks, queues, memory of devices. What exec's struct_size says is set.
  Result<void> try_execute_ex(xlashape_exec exec) const {
    detail::Call call;
    Result<void> result;
    exec.struct_size = sizeof exec;
    if (xlashape_plan_execute_ex(get(), &exec, result.record()) != XLASHAPE_STATUS_OK) return call.told(result.error());
    return result;
  }
  // `count` images, evenly spaced by steps in bytes, unchecked.
  Result<void> try_execute_batch_at(std::int64_t count, const void* src, std::int64_t src_step, void* dst,
                                    std::int64_t dst_step) const {
    detail::Call call;
    Result<void> result;
    if (xlashape_plan_execute_batch(get(), count, src, src_step, dst, dst_step, result.record()) != XLASHAPE_STATUS_OK)
      return call.told(result.error());
    return result;
  }

  // Into how many tasks it splits well for that many workers.
  std::int64_t task_count(std::int64_t workers) const noexcept { return xlashape_plan_task_count(get(), workers); }
  Result<xlashape_plan_requirements> try_requirements() const {
    Result<xlashape_plan_requirements> result;
    xlashape_plan_requirements out = {};
    out.struct_size = sizeof out;
    if (xlashape_plan_get_requirements(get(), &out, result.record()) == XLASHAPE_STATUS_OK) result.emplace(out);
    return result;
  }
  XLASHAPE_THROWS xlashape_plan_requirements requirements() const { return try_requirements().value(); }
  // Name of the backend that runs it.
  std::string_view backend() const noexcept {
    const char* name = xlashape_plan_backend(get());
    return name == nullptr ? std::string_view() : name;
  }
  // One line; for people, not stable.
  XLASHAPE_THROWS std::string describe() const { return detail::text(xlashape_plan_describe, get()).value(); }

 private:
  template <class S, class D>
  bool suit(const S& src, D& dst) const noexcept {
    using From = std::remove_const_t<detail::Item<const S>>;
    using To = detail::Item<D>;
    static_assert(detail::kIsMemory<const S> && detail::kIsMemory<D>, "relayouts are of plain objects");
    static_assert(!std::is_const_v<To>, "the destination is read-only");
    const auto* from = reinterpret_cast<const char*>(std::data(src));
    const auto* to = reinterpret_cast<const char*>(std::data(dst));
    const std::size_t from_bytes = std::size(src) * sizeof(From), to_bytes = std::size(dst) * sizeof(To);
    const bool apart = from + from_bytes <= to || to + to_bytes <= from || (same_ && from == to);
    return src_.takes(from_bytes) && dst_.takes(to_bytes) && apart && detail::holds<From>(type_, bits_) &&
           detail::holds<To>(type_, bits_);
  }
  // What does not suit.
  template <class S, class D>
  XLASHAPE_COLD Error refused(const S& src, D& dst) const noexcept {
    using From = std::remove_const_t<detail::Item<const S>>;
    using To = detail::Item<D>;
    const std::size_t from_bytes = std::size(src) * sizeof(From), to_bytes = std::size(dst) * sizeof(To);
    if (!*this) return Error(Status::kInvalidArgument, "the plan is empty");
    if (!src_.takes(from_bytes)) return src_.refused("src", from_bytes);
    if (!dst_.takes(to_bytes)) return dst_.refused("dst", to_bytes);
    char text[120];
    const auto wrong = [&](const char* what, std::size_t size) {
      std::snprintf(text, sizeof text, "%s is no range of %s: objects of another type, of %zu bytes", what,
                    xlashape_element_type_name(static_cast<std::int32_t>(type_)), size);
      return Error(Status::kInvalidArgument, text);
    };
    if (!detail::holds<From>(type_, bits_)) return wrong("src", sizeof(From));
    if (!detail::holds<To>(type_, bits_)) return wrong("dst", sizeof(To));
    return Error(Status::kInvalidArgument, "src and dst overlap");
  }

  detail::Side src_, dst_;
  ElementType type_ = ElementType::kInvalid;
  std::int32_t bits_ = 0;
  bool same_ = false;  // moves nothing
};

inline Result<Plan> Plan::try_create(const Shape& src, const Shape& dst, const PlanOptions& options,
                                     const Runtime& runtime) {
  const auto given = detail::for_c(options, src.rank());
  if (!given) return given.error();
  Plan plan;
  Result<Plan> result;
  xlashape_plan* made = nullptr;
  if (xlashape_plan_create(runtime.get(), src.get(), dst.get(), &*given, &made, result.record()) != XLASHAPE_STATUS_OK)
    return result;
  static_cast<Handle&>(plan) = Handle(made);
  plan.type_ = src.element_type();
  plan.bits_ = storage_bits(plan.type_);
  const auto needs = plan.try_requirements();
  const auto src_sizes = src.try_sizes(), dst_sizes = dst.try_sizes();
  if (!needs) return needs.error();
  if (!src_sizes) return src_sizes.error();
  if (!dst_sizes) return dst_sizes.error();
  const bool src_image = options.src_byte_strides.empty(), dst_image = options.dst_byte_strides.empty();
  plan.src_ = {needs->src_low, src_image ? src_sizes->bytes : needs->src_high, src_image};
  plan.dst_ = {needs->dst_low, dst_image ? dst_sizes->bytes : needs->dst_high, dst_image};
  plan.same_ = src_image && dst_image && options.extent.empty() && src == dst;
  result.emplace(std::move(plan));
  return result;
}

namespace detail {

template <class S, class D>
Result<void> relayout_once(const Shape& src_shape, const S& src, const Shape& dst_shape, D&& dst,
                           const PlanOptions& options, const Runtime& runtime) {
  using From = std::remove_const_t<Item<const S>>;
  using To = Item<D>;
  static_assert(kIsMemory<const S> && kIsMemory<D>, "relayouts are of plain objects");
  static_assert(!std::is_const_v<To>, "the destination is read-only");
  const ElementType type = src_shape.element_type();
  if (!holds<From>(type, storage_bits(type)) || !holds<To>(type, storage_bits(type)))
    return Error(Status::kInvalidArgument, "src or dst is no range of the element type");
  const auto given = for_c(options, src_shape.rank());
  if (!given) return given.error();
  Result<void> result;
  (void)xlashape_relayout(runtime.get(), src_shape.get(), std::data(src),
                          static_cast<std::int64_t>(std::size(src) * sizeof(From)), dst_shape.get(), std::data(dst),
                          static_cast<std::int64_t>(std::size(dst) * sizeof(To)), &*given, result.record());
  return result;
}

}  // namespace detail

// Plans and executes at once. Ranges may be longer than what is touched; what is touched lies at and after their start.
template <class S, class D>
Result<void> try_relayout(const Shape& src_shape, const S& src, const Shape& dst_shape, D&& dst,
                          const PlanOptions& options = {}, const Runtime& runtime = {}) {
  detail::Call call;
  return call.told(detail::relayout_once(src_shape, src, dst_shape, dst, options, runtime));
}
template <class S, class D>
XLASHAPE_THROWS void relayout(const Shape& src_shape, const S& src, const Shape& dst_shape, D&& dst,
                              const PlanOptions& options = {}, const Runtime& runtime = {}) {
  detail::Call call;
  call.value(detail::relayout_once(src_shape, src, dst_shape, dst, options, runtime));
}

enum class Conversion : std::int32_t {
  kToLinear = XLASHAPE_CONVERSION_TO_LINEAR,                      // multidimensional indices to positions
  kToMultidimensional = XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL,  // the reverse
};

// A batch of index conversions, planned once, in memory of any space. `options` are those of the C interface, `device` too;
// what their struct_size says is set.
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

  // exec.count indices from exec.src to exec.dst; gives how many were bad, with a queue always 0. What exec's struct_size
  // and `bad` say is set. The caller answers for the addresses.
  Result<std::int64_t> try_execute_ex(xlashape_exec exec) const {
    detail::Call call;
    Result<std::int64_t> result;
    std::int64_t bad = 0;
    exec.struct_size = sizeof exec;
    exec.bad = exec.queue_kind == XLASHAPE_QUEUE_NONE ? &bad : nullptr;
    if (xlashape_plan_execute_ex(get(), &exec, result.record()) != XLASHAPE_STATUS_OK) return call.told(result.error());
    result.emplace(bad);
    return result;
  }
  // Name of the backend that runs it.
  std::string_view backend() const noexcept {
    const char* name = xlashape_plan_backend(get());
    return name == nullptr ? std::string_view() : name;
  }
  // One line; for people, not stable.
  XLASHAPE_THROWS std::string describe() const { return detail::text(xlashape_plan_describe, get()).value(); }
};

}  // namespace xlashape

#endif  // XLASHAPE_PLAN_HPP_
