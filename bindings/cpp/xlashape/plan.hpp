// SPDX-License-Identifier: Apache-2.0
// Plans of relayouts: made once, executed as often as wanted.
#ifndef XLASHAPE_PLAN_HPP_
#define XLASHAPE_PLAN_HPP_

#include <xlashape_runtime.h>

#include <chrono>

#include "control.hpp"
#include "shape.hpp"

namespace xlashape {

enum class FillPolicy : std::int32_t {
  // members: FILL_(\w+) as k{Name} = {C},
  kPadding = XLASHAPE_FILL_PADDING,          // the destination layout's padding value
  kPreserve = XLASHAPE_FILL_PRESERVE,        // keeps the old bytes
  kUnspecified = XLASHAPE_FILL_UNSPECIFIED,  // anything: fastest
  // end of members
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
  // The same by strides in elements, each as wide as the layout has it, also packed (E(4)): numbered from the start of
  // the memory on, with index 0...0 at first_element; none of those moved may be before 0. Of a scalar, which has no
  // strides, first_element alone says it.
  std::vector<std::int64_t> src_element_strides = {};
  std::vector<std::int64_t> dst_element_strides = {};
  std::int64_t src_first_element = 0;
  std::int64_t dst_first_element = 0;
  // A box: `extent` elements from src_base of the source to dst_base of the destination.
  std::vector<std::int64_t> src_base = {};
  std::vector<std::int64_t> dst_base = {};
  std::vector<std::int64_t> extent = {};
  // With XLASHAPE_PLAN_CONVERT in `flags`, quantized values: real = (quantized - zero_point) * scale. One scale for the
  // whole array, or one for each index of the source's dimension scale_dimension. Zero points are as many, or none: 0.
  std::vector<float> scale = {};
  std::vector<std::int32_t> zero_point = {};
  std::int64_t scale_dimension = 0;
};

// How the backend's ways to run a plan are timed.
struct MeasureOptions {
  std::chrono::nanoseconds budget{0};  // about as long as it takes; 0: 0.2 s
  // Addresses for that, unchecked, as of Plan::execute_at; what the destination holds afterwards is unspecified. Both
  // null: the runtime's allocator provides the memory.
  const void* src = nullptr;
  void* dst = nullptr;
};

namespace detail {

// `options` as C structs, which refer to it.
inline Result<xlashape_relayout_options> for_c(const PlanOptions& options, std::int64_t rank) {
  for (const auto* list : {&options.src_byte_strides, &options.dst_byte_strides, &options.src_element_strides,
                           &options.dst_element_strides, &options.src_base, &options.dst_base, &options.extent})
    if (!list->empty() && length(*list) != rank)
      return Error(Status::kInvalidArgument, "strides, bases and extent must have as many entries as the rank");
  if (options.backend.find('\0') != std::string::npos)  // C would see the part before it
    return Error(Status::kNotFound, "no backend has a NUL in its name");
  if (!options.zero_point.empty() && options.zero_point.size() != options.scale.size())
    return Error(Status::kInvalidArgument, "zero_point must have as many entries as scale, or none");
  const auto data = [](const auto& list) { return list.empty() ? nullptr : list.data(); };
  auto out = XLASHAPE_INIT(xlashape_relayout_options);
  out.flags = options.flags;
  out.fill_policy = static_cast<std::int32_t>(options.fill_policy);
  out.src_space = options.src_space;
  out.dst_space = options.dst_space;
  out.device = for_c(options.device);
  out.backend = options.backend.empty() ? nullptr : options.backend.c_str();
  out.src_byte_strides = data(options.src_byte_strides);
  out.dst_byte_strides = data(options.dst_byte_strides);
  out.src_element_strides = data(options.src_element_strides);
  out.dst_element_strides = data(options.dst_element_strides);
  out.src_first_element = options.src_first_element;
  out.dst_first_element = options.dst_first_element;
  out.src_base = data(options.src_base);
  out.dst_base = data(options.dst_base);
  out.extent = data(options.extent);
  out.scale_count = length(options.scale);
  out.scale = data(options.scale);
  out.zero_point = data(options.zero_point);
  out.scale_dimension = options.scale_dimension;
  return out;
}

inline xlashape_measure_options for_c(const MeasureOptions& how) {
  auto out = XLASHAPE_INIT(xlashape_measure_options);
  out.budget_ns = how.budget.count();
  out.src = reinterpret_cast<std::uintptr_t>(how.src);
  out.dst = reinterpret_cast<std::uintptr_t>(how.dst);
  return out;
}

// Whether elements of one type keep their bits.
inline bool only_moves(const PlanOptions& options) noexcept {
  return options.scale.empty() && (options.flags & (XLASHAPE_PLAN_SRC_HIGH_FIRST | XLASHAPE_PLAN_DST_HIGH_FIRST)) == 0;
}

// What a plan requires of the memory of one side.
struct Side {
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool exact = false;  // an image: exactly `high` bytes
  ElementType type = ElementType::kInvalid;
  std::int32_t bits = 0;  // that the type takes in memory

  bool takes(std::size_t bytes) const noexcept {
    const auto size = static_cast<std::int64_t>(bytes);
    return exact ? size == high : low >= 0 && size >= high;
  }
  XLASHAPE_CPP_COLD Error refused(const char* what, std::size_t bytes) const noexcept {
    char text[160];
    if (exact || low >= 0)
      std::snprintf(text, sizeof text, "%s has %zu bytes, %lld are wanted", what, bytes, static_cast<long long>(high));
    else
      std::snprintf(text, sizeof text, "%s reaches before its first element (negative strides): use execute_at", what);
    return Error(Status::kOutOfRange, text);
  }
};

// Memory of one side for an execution.
struct Memory {
  const char* data;
  std::size_t bytes;
  std::size_t item;  // bytes of one object
  bool typed;        // objects that may hold the plan's elements

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(bytes); }
};

}  // namespace detail

struct PlanShapes {
  Shape src, dst;
};

// A planned relayout. It may be executed on many threads at once, with different destinations.
class Plan : public detail::Handle<xlashape_plan, xlashape_plan_retain, xlashape_plan_release> {
 public:
  void swap(Plan& other) noexcept { std::swap(*this, other); }

  static Result<Plan> try_create(const Shape& src, const Shape& dst, const PlanOptions& options = {},
                                 const Runtime& runtime = {}) {
    detail::Call call;
    return call.outcome(made(src, dst, options, runtime));
  }
  XLASHAPE_THROWS static Plan create(const Shape& src, const Shape& dst, const PlanOptions& options = {},
                                     const Runtime& runtime = {}) {
    detail::Call call;
    return call.value(made(src, dst, options, runtime));
  }
  // The same, with the fastest of the backend's ways to run it. What the runtime's executor throws meanwhile is thrown,
  // or told by the Result.
  static Result<Plan> try_create_measured(const Shape& src, const Shape& dst, const MeasureOptions& how = {},
                                          const PlanOptions& options = {}, const Runtime& runtime = {}) {
    detail::Call call;
    return call.outcome(made(src, dst, options, runtime, &how));
  }
  XLASHAPE_THROWS static Plan create_measured(const Shape& src, const Shape& dst, const MeasureOptions& how = {},
                                              const PlanOptions& options = {}, const Runtime& runtime = {}) {
    detail::Call call;
    return call.value(made(src, dst, options, runtime, &how));
  }

  // Moves the bytes from one contiguous range of plain objects to another: elements of that shape's type, bytes, or
  // unsigned integers of that width. A side that is given by its layout has exactly sizes().bytes; one by strides has
  // at least what the plan touches. They must not overlap, except that a plan that moves nothing may run in place, and
  // that one with XLASHAPE_PLAN_IN_PLACE in its flags always does: execute(a, a).
  template <class S, class D>
  Result<void> try_execute(const S& src, D&& dst) const {
    if (!suit(source(src), destination(dst))) return refused(source(src), destination(dst));
    detail::Call call;
    Result<void> result;
    if (xlashape_plan_execute(get(), std::data(src), source(src).size(), std::data(dst), destination(dst).size(),
                              result.record()) != XLASHAPE_STATUS_OK)
      return call.outcome(result.error());
    return result;
  }
  template <class S, class D>
  XLASHAPE_THROWS void execute(const S& src, D&& dst) const {
    if (!suit(source(src), destination(dst))) detail::raise(refused(source(src), destination(dst)));
    detail::Call call;
    Error error{detail::ForCall()};
    if (xlashape_plan_execute(get(), std::data(src), source(src).size(), std::data(dst), destination(dst).size(),
                              error.record()) != XLASHAPE_STATUS_OK)
      call.raise(error);
  }

  // The same for addresses, unchecked: of index 0...0, or of element 0 of a side with strides in elements.
  Result<void> try_execute_at(const void* src, void* dst) const {
    detail::Call call;
    Result<void> result;
    if (xlashape_plan_execute(get(), src, XLASHAPE_UNCHECKED, dst, XLASHAPE_UNCHECKED, result.record()) !=
        XLASHAPE_STATUS_OK)
      return call.outcome(result.error());
    return result;
  }
  XLASHAPE_THROWS void execute_at(const void* src, void* dst) const {
    detail::Call call;
    Error error{detail::ForCall()};
    if (xlashape_plan_execute(get(), src, XLASHAPE_UNCHECKED, dst, XLASHAPE_UNCHECKED, error.record()) !=
        XLASHAPE_STATUS_OK)
      call.raise(error);
  }
  // An execution with all options: tasks, queues, memory of devices. Their struct_size is set here, and `control`
  // replaces its fields in them.
  XLASHAPE_THROWS Result<void> try_execute_with(xlashape_execute_options options, const Control& control = {}) const {
    detail::Call call;
    return executed(options, control, call);
  }
  XLASHAPE_THROWS void execute_with(xlashape_execute_options options, const Control& control = {}) const {
    detail::Call call;
    call.value(executed(options, control, call));
  }

  // The recommended number of tasks for that many workers.
  std::int64_t task_count(std::int64_t workers) const { return xlashape_plan_task_count(get(), workers); }
  Result<xlashape_plan_requirements> try_requirements() const {
    Result<xlashape_plan_requirements> result;
    auto out = XLASHAPE_INIT(xlashape_plan_requirements);
    if (xlashape_plan_get_requirements(get(), &out, result.record()) == XLASHAPE_STATUS_OK) result.emplace(out);
    return result;
  }
  XLASHAPE_THROWS xlashape_plan_requirements requirements() const { return try_requirements().value(); }
  // The shapes that it was made from.
  Result<PlanShapes> try_shapes() const {
    Result<PlanShapes> result;
    xlashape_shape *src = nullptr, *dst = nullptr;
    if (xlashape_plan_shapes(get(), &src, &dst, result.record()) == XLASHAPE_STATUS_OK)
      result.emplace(PlanShapes{Shape(src), Shape(dst)});
    return result;
  }
  XLASHAPE_THROWS PlanShapes shapes() const { return try_shapes().value(); }
  // Name of the backend that runs it.
  std::string_view backend() const noexcept {
    const char* name = xlashape_plan_backend(get());
    return name == nullptr ? std::string_view() : name;
  }
  // The nanoseconds of one execution on the runtime's workers, where the runtime has a profile with speeds.
  std::optional<std::int64_t> predict() const {
    std::int64_t ns = 0;
    if (xlashape_plan_predict(get(), &ns, nullptr) != XLASHAPE_STATUS_OK) return std::nullopt;
    return ns;
  }
  // One line; for people, not stable.
  XLASHAPE_THROWS std::string describe() const { return detail::text(xlashape_plan_describe, get()).value(); }

 private:
  friend class Execution;

  static Result<Plan> made(const Shape& src, const Shape& dst, const PlanOptions& options, const Runtime& runtime,
                           const MeasureOptions* how = nullptr);
  XLASHAPE_THROWS Result<void> executed(xlashape_execute_options& options, const Control& control,
                                        detail::Call& call) const {
    detail::Watch watch(control, call);
    Result<void> result;
    options.struct_size = sizeof options;
    watch.put_into(options);
    if (xlashape_plan_execute_with(get(), &options, result.record()) != XLASHAPE_STATUS_OK || watch.threw())
      return call.outcome(result.error());  // what the last task's progress threw is no failure of C
    return result;
  }
  template <class S>
  detail::Memory source(const S& src) const noexcept {
    static_assert(detail::kIsMemory<const S>, "relayouts are of plain objects");
    return memory(src_, std::data(src), std::size(src));
  }
  template <class D>
  detail::Memory destination(D& dst) const noexcept {
    static_assert(detail::kIsMemory<D>, "relayouts are of plain objects");
    static_assert(!std::is_const_v<detail::Item<D>>, "the destination is read-only");
    return memory(dst_, std::data(dst), std::size(dst));
  }
  template <class T>
  static detail::Memory memory(const detail::Side& side, T* data, std::size_t size) noexcept {
    return {reinterpret_cast<const char*>(data), size * sizeof(T), sizeof(T),
            detail::holds<std::remove_const_t<T>>(side.type, side.bits)};
  }
  bool suit(const detail::Memory& src, const detail::Memory& dst) const noexcept {
    const bool apart =
        src.data + src.bytes <= dst.data || dst.data + dst.bytes <= src.data || (onto_itself_ && src.data == dst.data);
    return src_.takes(src.bytes) && dst_.takes(dst.bytes) && apart && src.typed && dst.typed;
  }
  // What does not suit.
  XLASHAPE_CPP_COLD Error refused(const detail::Memory& src, const detail::Memory& dst) const noexcept {
    if (!*this) return Error(Status::kInvalidArgument, "the plan is empty");
    if (!src_.takes(src.bytes)) return src_.refused("src", src.bytes);
    if (!dst_.takes(dst.bytes)) return dst_.refused("dst", dst.bytes);
    char text[120];
    const auto wrong = [&](const char* what, const detail::Side& side, std::size_t size) {
      std::snprintf(text, sizeof text, "%s is no range of %s: objects of another type, of %zu bytes", what,
                    xlashape_element_type_name(static_cast<std::int32_t>(side.type)), size);
      return Error(Status::kInvalidArgument, text);
    };
    if (!src.typed) return wrong("src", src_, src.item);
    if (!dst.typed) return wrong("dst", dst_, dst.item);
    return Error(Status::kInvalidArgument, "src and dst overlap");
  }

  detail::Side src_, dst_;
  bool onto_itself_ = false;  // moves nothing, or in place
};

inline Result<Plan> Plan::made(const Shape& src, const Shape& dst, const PlanOptions& options, const Runtime& runtime,
                               const MeasureOptions* how) {
  const auto given = detail::for_c(options, src.rank());
  if (!given) return given.error();
  Plan plan;
  Result<Plan> result;
  xlashape_plan* made = nullptr;
  if (how == nullptr) {
    (void)xlashape_plan_create(runtime.get(), src.get(), dst.get(), &*given, &made, result.record());
  } else {
    const xlashape_measure_options measured = detail::for_c(*how);
    (void)xlashape_plan_create_measured(runtime.get(), src.get(), dst.get(), &*given, &measured, &made,
                                        result.record());
  }
  if (made == nullptr) return result;
  static_cast<Handle&>(plan) = Handle(made);
  const ElementType src_type = src.element_type(), dst_type = dst.element_type();
  const auto needs = plan.try_requirements();
  if (!needs) return needs.error();
  const auto is_image = [](const auto& byte_strides, const auto& element_strides, std::int64_t first) {
    return byte_strides.empty() && element_strides.empty() && first == 0;
  };
  const bool src_image = is_image(options.src_byte_strides, options.src_element_strides, options.src_first_element);
  const bool dst_image = is_image(options.dst_byte_strides, options.dst_element_strides, options.dst_first_element);
  // A side given by strides need not have sizes by its layout.
  const auto src_bytes = src_image ? src.try_byte_size() : needs->src_high;
  const auto dst_bytes = dst_image ? dst.try_byte_size() : needs->dst_high;
  if (!src_bytes) return src_bytes.error();
  if (!dst_bytes) return dst_bytes.error();
  plan.src_ = {needs->src_low, *src_bytes, src_image, src_type, storage_bits(src_type)};
  plan.dst_ = {needs->dst_low, *dst_bytes, dst_image, dst_type, storage_bits(dst_type)};
  plan.onto_itself_ = (options.flags & XLASHAPE_PLAN_IN_PLACE) != 0 ||
                      (src_image && dst_image && options.extent.empty() && detail::only_moves(options) && src == dst);
  result.emplace(std::move(plan));
  return result;
}

// A text that is equal only for equal shapes and options, in every process: the key of a cache of plans. A plan for it
// need not exist.
inline Result<std::string> try_plan_key(const Shape& src, const Shape& dst, const PlanOptions& options = {}) {
  const auto given = detail::for_c(options, src.rank());
  if (!given) return given.error();
  return detail::text(xlashape_plan_key, src.get(), dst.get(), &*given);
}
XLASHAPE_THROWS inline std::string plan_key(const Shape& src, const Shape& dst, const PlanOptions& options = {}) {
  return try_plan_key(src, dst, options).value();
}

namespace detail {

template <class S, class D>
Result<void> relayout_once(const Shape& src_shape, const S& src, const Shape& dst_shape, D&& dst,
                           const PlanOptions& options, const Runtime& runtime) {
  using From = std::remove_const_t<Item<const S>>;
  using To = Item<D>;
  static_assert(kIsMemory<const S> && kIsMemory<D>, "relayouts are of plain objects");
  static_assert(!std::is_const_v<To>, "the destination is read-only");
  const ElementType src_type = src_shape.element_type(), dst_type = dst_shape.element_type();
  if (!holds<From>(src_type, storage_bits(src_type)) || !holds<To>(dst_type, storage_bits(dst_type)))
    return Error(Status::kInvalidArgument, "src or dst is no range of its shape's element type");
  const auto given = for_c(options, src_shape.rank());
  if (!given) return given.error();
  Result<void> result;
  (void)xlashape_relayout(runtime.get(), src_shape.get(), std::data(src),
                          static_cast<std::int64_t>(std::size(src) * sizeof(From)), dst_shape.get(), std::data(dst),
                          static_cast<std::int64_t>(std::size(dst) * sizeof(To)), &*given, result.record());
  return result;
}

}  // namespace detail

// Plans and executes at once. Ranges may be longer than the bytes touched, which begin at the start of the range or
// later.
template <class S, class D>
Result<void> try_relayout(const Shape& src_shape, const S& src, const Shape& dst_shape, D&& dst,
                          const PlanOptions& options = {}, const Runtime& runtime = {}) {
  detail::Call call;
  return call.outcome(detail::relayout_once(src_shape, src, dst_shape, dst, options, runtime));
}
template <class S, class D>
XLASHAPE_THROWS void relayout(const Shape& src_shape, const S& src, const Shape& dst_shape, D&& dst,
                              const PlanOptions& options = {}, const Runtime& runtime = {}) {
  detail::Call call;
  call.value(detail::relayout_once(src_shape, src, dst_shape, dst, options, runtime));
}

}  // namespace xlashape

#endif  // XLASHAPE_PLAN_HPP_
