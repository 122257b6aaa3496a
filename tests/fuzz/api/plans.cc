// SPDX-License-Identifier: Apache-2.0
// Plans: making them, asking them, their keys, and ways that are measured.
#include "plans.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "xlashape_runtime.h"
#include "xlashape_xla.h"

namespace api_fuzz {
namespace {

std::map<const xlashape_plan*, PlanInfo>& infos() {
  static auto& made = *new std::map<const xlashape_plan*, PlanInfo>;
  return made;
}
// Shapes that requests name, kept until the input ends.
const xlashape_shape* keep(xlashape_shape* shape = nullptr, bool forget = false) {
  static auto& kept = *new std::vector<HeldShape>;
  if (forget) kept.clear();
  if (shape != nullptr) kept.emplace_back(xlashape_shape_retain(shape));
  return shape;
}

void draw_box(Input& input, Request* request) {
  constexpr int64_t kFar = int64_t{1} << 40;
  const List src = dimensions_of(request->src.shape), dst = dimensions_of(request->dst.shape);
  if (src.size() != dst.size()) return;
  request->extent.emplace();
  if (!input.one_in(4)) request->src.base.emplace();
  if (!input.one_in(4)) request->dst.base.emplace();
  for (size_t i = 0; i < src.size(); ++i) {
    const int64_t most = std::clamp<int64_t>(std::min(src[i], dst[i]), 0, kFar);
    int64_t extent = input.one_in(4)   ? most
                     : input.one_in(2) ? most / 2 + input.below(most / 2 + 1)
                                       : input.below(most + 1);
    const int64_t src_base = request->src.base ? input.below(std::min(src[i], kFar) - extent + 1) : 0;
    const int64_t dst_base = request->dst.base ? input.below(std::min(dst[i], kFar) - extent + 1) : 0;
    // Boxes that end with a tile, mostly of the destination.
    const int64_t over = (input.one_in(3) ? src_base + extent : dst_base + extent) % 4;
    if (over <= extent && input.one_in(2)) extent -= over;
    request->extent->push_back(input.mostly(extent, 100));
    if (request->src.base) request->src.base->push_back(input.mostly(src_base, 100));
    if (request->dst.base) request->dst.base->push_back(input.mostly(dst_base, 100));
  }
}

xlashape_runtime* runtime_for(Input& input, const Request& request) {
  if (request.is_beyond_cpu() && input.one_in(2))
    return draw_runtime_with_ours(input, kHasDevices | (input.one_in(2) ? kHasQueues : 0u));
  if (input.one_in(12)) return draw_runtime_with_ours(input, draw_behaviour(input));
  return request.backend == "simd" && !input.one_in(4) ? steady() : draw_runtime(input);
}

// By the steady runtime.
xlashape_status try_plan(const Request& request, HeldPlan* plan = nullptr) {
  const xlashape_relayout_options options = request.options();
  xlashape_plan* made = nullptr;
  const xlashape_status status =
      xlashape_plan_create(steady(), request.src.shape, request.dst.shape, &options, &made, nullptr);
  HeldPlan held_plan(made);
  if (plan != nullptr) std::swap(*plan, held_plan);
  return status;
}

// Of a plan by the steady runtime, which knows neither a device nor another space than the CPU's.
void check_beyond_cpu(const Request& request, xlashape_status status) {
  if (!request.is_beyond_cpu() || ended.was_refused_memory) return;
  check(status != XLASHAPE_STATUS_OK, "a plan is made for a device or a space that nobody has");
  Request plain = request;
  plain.device = 0;
  const bool in_space = plain.is_beyond_cpu();
  plain.src.space = plain.dst.space = 0;
  if (try_plan(plain) != XLASHAPE_STATUS_OK) return;
  const auto is_space = [](int32_t space) { return space >= 0 && space <= 63; };
  check(status == (!is_space(request.src.space) || !is_space(request.dst.space) ? XLASHAPE_STATUS_INVALID_ARGUMENT
                   : in_space                                                   ? XLASHAPE_STATUS_NOT_FOUND
                   : request.device < 0                                         ? XLASHAPE_STATUS_INVALID_ARGUMENT
                                                                                : XLASHAPE_STATUS_OUT_OF_RANGE),
        "a plan for a device or a space that nobody has fails for another reason");
}

void create(Input& input) {
  Request request = draw_request(input);
  const bool takes_scratch = input.one_in(6);
  if (takes_scratch) request.backend.clear(), request.src.space = request.dst.space = request.device = 0;
  xlashape_runtime* const runtime =
      takes_scratch ? draw_runtime_with_ours(input, kTakesScratch) : runtime_for(input, request);
  make_plan(input, runtime, request);
  if (runtime == steady() && ended.status != XLASHAPE_STATUS_INCOMPATIBLE) check_beyond_cpu(request, ended.status);
}

// Two shapes of one array: one without elements in order says nothing that the other does not.
bool is_same_array(const xlashape_shape* a, const xlashape_shape* b) {
  return xlashape_shape_equal(a, b, XLASHAPE_EQUAL_IGNORE_BUFFER) == 1;
}

void ask(Input& input) {
  const auto* const plan = any<xlashape_plan>(input);
  const PlanInfo* const info = info_of(plan);
  if (info == nullptr) return;
  const int64_t tasks = xlashape_plan_task_count(plan, input.mostly(input.below(64), 4));
  check(tasks >= 1, "fewer tasks than one");
  int64_t ns = 0;
  check(CALL(xlashape_plan_predict, plan, &ns) != XLASHAPE_STATUS_OK || ns >= 1, "a plan is predicted to take no time");
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  check(xlashape_plan_get_requirements(plan, &r, nullptr) == XLASHAPE_STATUS_OK, "a plan without requirements");
  const auto is_power = [](int64_t n) { return n >= 1 && (n & (n - 1)) == 0; };
  check(r.src_low <= r.src_high && r.dst_low <= r.dst_high && r.plan_bytes > 0 && r.src_alignment >= 1 &&
            r.dst_alignment >= 1,
        "a plan's requirements");
  check(is_power(r.scratch_alignment) && is_power(r.src_preferred_alignment) && is_power(r.dst_preferred_alignment) &&
            r.src_preferred_alignment >= r.src_alignment && r.dst_preferred_alignment >= r.dst_alignment &&
            r.scratch_bytes >= 0 && r.scratch_bytes <= int64_t{4} << 30 && r.stack_bytes > 0 &&
            r.stack_bytes <= 256 << 10,
        "what a plan's requirements say of scratch, of the best alignment or of the stack");
  const Owned* const ours = added_backend(info->runtime, xlashape_plan_backend(plan));
  if (ours != nullptr && ours->is(kTakesScratch))
    check(r.scratch_bytes == kScratch && r.scratch_alignment == kScratchAlignment &&
              r.dst_preferred_alignment == 2 * kScratchAlignment,
          "requirements are not what the backend asks for");
  xlashape_shape *src = nullptr, *dst = nullptr;
  if (CALL(xlashape_plan_shapes, plan, &src, &dst) != XLASHAPE_STATUS_OK)
    return check(ended.was_refused_memory, "a plan has no shapes");
  check(
      is_same_array(HeldShape(src), info->request.src.shape) && is_same_array(HeldShape(dst), info->request.dst.shape),
      "a plan's shapes are not those that it was made from");
}

// == Keys ==

// A scalar says nothing by an empty layout that it does not say without one, and is written alike.
bool is_asked_alike(const xlashape_shape* a, const xlashape_shape* b) {
  if (is_same_array(a, b)) return true;
  if (xlashape_shape_rank(a) != 0 || xlashape_shape_has_layout(a) == xlashape_shape_has_layout(b)) return false;
  const auto x = held<HeldShape>(xlashape_shape_with_default_layouts, a),
             y = held<HeldShape>(xlashape_shape_with_default_layouts, b);
  return is_same_array(xlashape_shape_has_layout(a) == 1 ? a : x, xlashape_shape_has_layout(b) == 1 ? b : y);
}

bool is_same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

// Whether two callers ask the same, in the words of the header.
bool is_same_question(const Request& a, const Request& b) {
  const auto is_same_side = [](const Side& x, const Side& y) {
    const auto space = [](int32_t given) { return given == 0 ? int32_t{XLASHAPE_SPACE_CPU} : given; };
    const auto strides = [](const Side& side) { return side.strides.value_or(List()); };
    const bool alike = x.is_strided() == y.is_strided() && strides(x) == strides(y) && x.first == y.first;
    return is_asked_alike(x.shape, y.shape) && space(x.space) == space(y.space) && alike &&
           (!x.strides || !y.strides || x.in_elements == y.in_elements) && x.base == y.base;
  };
  return is_same_side(a.src, b.src) && is_same_side(a.dst, b.dst) && a.flags == b.flags &&
         a.fill_policy == b.fill_policy && a.device == b.device && a.backend == b.backend && a.is_box() == b.is_box() &&
         a.extent.value_or(List()) == b.extent.value_or(List()) && is_same_bits(a.scale, b.scale) &&
         a.zero_point == b.zero_point && (a.scale.size() < 2 || a.scale_dimension == b.scale_dimension);
}

// The same but for little, or for nothing.
Request nearly(Input& input, const Request& request) {
  static const std::string kBackends[] = {"", "simd", "scalar", "\xFF\n", "\\xff\\x0a", "simd extent=1", "\\", "\\\\"};
  Request other = request;
  const auto rank = static_cast<size_t>(xlashape_shape_rank(other.src.shape));
  std::optional<List>* const lists[] = {&other.src.strides, &other.dst.strides, &other.src.base, &other.dst.base,
                                        &other.extent};
  std::optional<List>& list = *lists[input.below(5)];
  switch (input.below(9)) {
    case 0:
      other.flags ^= 1u << input.below(7);
      break;
    case 1:
      other.fill_policy = static_cast<int32_t>(input.below(3));
      break;
    case 2:
      (input.one_in(2) ? other.src : other.dst).space = static_cast<int32_t>(input.below(3));
      break;
    case 3:
      other.device += other.device == INT32_MAX ? -1 : 1;
      break;
    case 4:
      other.backend = kBackends[input.below(8)];
      break;
    case 5:
      std::swap(other.src.strides, other.dst.strides), std::swap(other.src.base, other.dst.base);
      std::swap(other.src.in_elements, other.dst.in_elements), std::swap(other.src.first, other.dst.first);
      break;
    case 6:
      std::swap(other.src.shape, other.dst.shape);
      break;
    case 7:
      if (!list)
        list = List(rank, input.below(2));
      else if (rank == 0 || input.one_in(3))
        list.reset();
      else
        (*list)[static_cast<size_t>(input.below(static_cast<int64_t>(rank)))] += 1 - 2 * input.below(2);
      break;
    default:
      break;
  }
  return other;
}

bool is_key_question(const Request& r) {
  const auto is_space = [](int32_t space) { return space >= 0 && space <= 63; };
  return is_array(r.src.shape) && is_array(r.dst.shape) &&
         xlashape_shape_rank(r.src.shape) == xlashape_shape_rank(r.dst.shape) && (r.flags & ~kPlanFlags) == 0 &&
         is_space(r.src.space) && is_space(r.dst.space);
}

void compare_keys(Input& input) {
  const Request a = draw_request(input), b = input.one_in(8) ? draw_request(input) : nearly(input, a);
  const auto key_of = [](const Request& request) {
    const xlashape_relayout_options options = request.options();
    return text_of(xlashape_plan_key, request.src.shape, request.dst.shape, &options);
  };
  const std::string x = key_of(a), y = key_of(b);
  check(x.empty() != is_key_question(a) && y.empty() != is_key_question(b),
        "a key of what is no question, or none of what is one");
  if (x.empty() || y.empty()) return;
  check(is_printable_line(x), "a key is no line");
  if ((x == y) == is_same_question(a, b)) return;
  std::fprintf(stderr, "%s\n%s\n", x.c_str(), y.c_str());
  a.print(), b.print();
  fault(x == y ? "two questions have one key" : "one question has two keys");
}

// == In place ==

// An array that is moved onto itself is what another plan makes of a copy; padding, which only an identity has, stays.
void move_in_place(Input& input) {
  Request request = draw_request(input);
  const Uncounted scope;
  HeldPlan apart, plan;
  const xlashape_status status = try_plan(request, &apart);
  request.flags |= XLASHAPE_PLAN_IN_PLACE;
  if (try_plan(request, &plan) != XLASHAPE_STATUS_OK) return;
  check(status == XLASHAPE_STATUS_OK, "a plan is made in place that cannot be made otherwise");
  constexpr int64_t kMostBytes = 1 << 20;
  Reach reach;
  if (!reach_of(plan, &reach) || std::max(reach.src_high, reach.dst_high) > kMostBytes) return;
  const xlashape_plan* const made = plan;
  const bool moves = text_of(xlashape_plan_describe, made).find("nothing to move") == std::string::npos;
  check(reach.src_low == 0 && reach.dst_low == 0 && (!moves || reach.src_high == reach.dst_high),
        "an array of two sizes");
  const std::vector<uint8_t> before = random_bytes(input, std::max(reach.src_high, reach.dst_high));
  const Memory array(before, static_cast<size_t>(input.below(16))), from(before, 8), to(before, 16);
  const auto move = [&](const HeldPlan& p, const Memory& src, const Memory& dst) {
    return xlashape_plan_execute(p, reinterpret_cast<const void*>(src.pointer(0)), reach.src_high,
                                 reinterpret_cast<void*>(dst.pointer(0)), reach.dst_high, nullptr);
  };
  check(move(apart, from, to) == XLASHAPE_STATUS_OK && move(plan, array, array) == XLASHAPE_STATUS_OK,
        "a plan does not run");
  if (array.bytes() == (moves ? to.bytes() : before)) return;
  request.print();
  fault("an array that is moved in place is another one");
}

// == Measuring ==

// A plan whose ways are timed. How large it is says one that is not measured.
void measure_plan(Input& input, xlashape_runtime* runtime) {
  constexpr int64_t kMostBytes = 1 << 16;
  const Request request = draw_request(input);
  HeldPlan plain;
  Reach reach;
  {
    const Uncounted scope;
    if (try_plan(request, &plain) != XLASHAPE_STATUS_OK || !reach_of(plain, &reach)) return;
  }
  if (reach.src_high - reach.src_low > kMostBytes || reach.dst_high - reach.dst_low > kMostBytes) return;
  const int64_t budget = input.one_in(20) ? -input.below(9) : 1 + input.below(20000);
  const auto* const made = make_plan(input, runtime, request, budget);
  check(made != nullptr || budget <= 0 || ended.status != XLASHAPE_STATUS_INVALID_ARGUMENT ||
            ended.was_refused_memory || runtime != steady(),
        "a plan is not measured that can be made");
  check(made == nullptr || budget >= 0, "a budget of less than nothing is taken");
}

// Wisdom is taken by who wrote it, and with a line more.
void judge_wisdom(xlashape_runtime* runtime, const std::string& more) {
  const std::string text = text_of(xlashape_runtime_export_wisdom, runtime);
  check(text.starts_with("xlashape wisdom 1\nprocessor ") && text.ends_with('\n'), "the head of wisdom");
  for (const std::string& given : {text, text + more}) {
    int64_t taken = -7;
    check(
        xlashape_runtime_import_wisdom(runtime, given.data(), size_of(given), &taken, nullptr) == XLASHAPE_STATUS_OK &&
            taken >= 0,
        "wisdom is not taken by who wrote it");
  }
}

void XLASHAPE_CALL on_progress(void* opaque, int64_t done, int64_t count) {
  auto& last = *static_cast<int64_t*>(opaque);
  check(done >= last && done <= count, "progress goes back, or beyond its end");
  last = done;
}

void calibrate(Input& input, xlashape_runtime* runtime) {
  // What it takes long to measure is cancelled: simd would move gigabytes.
  const bool is_long = text_of(xlashape_runtime_report, runtime).find("simd") != std::string::npos;
  const int32_t cancel = input.one_in(20) || is_long ? 1 : 0;
  int64_t last = 0, needed = -7;
  auto options = XLASHAPE_INIT(xlashape_calibrate_options);
  options.budget_ns = input.mostly(input.below(1000), 20);
  if (input.one_in(2)) options.progress = on_progress, options.progress_opaque = &last;
  if (input.one_in(2) || is_long) options.cancel = &cancel;
  const int64_t room = input.one_in(8) ? input.below(XLASHAPE_PROFILE_BYTES) : XLASHAPE_PROFILE_BYTES;
  Exact<char> text(static_cast<size_t>(room), input);
  auto block = resized(options, input);
  const auto* const given = is_long ? &options : reinterpret_cast<const xlashape_calibrate_options*>(block.data());
  if (CALL(xlashape_runtime_calibrate, runtime, given, text.data(), room, &needed) != XLASHAPE_STATUS_OK) return;
  check(room == 0 ? needed == XLASHAPE_PROFILE_BYTES
                  : room < XLASHAPE_PROFILE_BYTES || std::strlen(text.data()) + 1 == static_cast<size_t>(needed),
        "a profile of another size");
}

void measure(Input& input) {
  xlashape_runtime* const runtime = input.one_in(2)   ? draw_runtime_with_ours(input, kHasWays)
                                    : input.one_in(4) ? draw_runtime(input)
                                                      : steady();
  if (runtime == nullptr) return;
  const MayFail scope(runtime);
  measure_plan(input, runtime);
  const Uncounted uncounted;
  judge_wisdom(runtime, "0123456789abcdef0123456789abcdef ours 5 7 way 1\n");
  calibrate(input, runtime);
}

constexpr Operation kOperations[] = {{create, 10},      {ask, 3},          {execute, 16},      {relayout_once, 5},
                                     {execute_list, 5}, {compare_keys, 3}, {move_in_place, 3}, {measure, 1}};

}  // namespace

namespace {

// Of a side whose shape has the dimensions.
void draw_strides(Input& input, Side* side, bool may_overlap) {
  const List dimensions = dimensions_of(side->shape);
  List strides(dimensions.size());
  side->in_elements = input.one_in(2);
  const int32_t bits = xlashape_element_type_storage_bits(xlashape_shape_element_type(side->shape));
  int64_t step = side->in_elements ? 1 : std::max(1, bits / 8);
  for (const int64_t d : input.permutation(size_of(dimensions))) {
    const auto i = static_cast<size_t>(d);
    if (input.one_in(6)) step += input.below(9);
    strides[i] = input.one_in(6) ? -step : step;
    if (may_overlap && input.one_in(10)) strides[i] = 0;
    if (input.one_in(100)) strides[i] = input.wild();
    if (dimensions[i] > 0 && (__builtin_mul_overflow(step, dimensions[i], &step) || step > INT64_MAX / 2))
      step = INT64_MAX / 2;
  }
  if (side->in_elements) {
    side->first = input.below(9);
    for (size_t i = 0; i < strides.size(); ++i)
      if (int64_t reach; dimensions[i] > 1 && strides[i] < 0 &&
                         !__builtin_mul_overflow(strides[i], dimensions[i] - 1, &reach) && reach > INT64_MIN / 16)
        side->first -= reach;
    side->first = input.mostly(side->first, 30);
  }
  side->strides = std::move(strides);
}

// Scales, most of which are good, for all values or for each index of a dimension.
void draw_scales(Input& input, Request* request) {
  const List dimensions = dimensions_of(request->src.shape);
  request->scale_dimension = input.mostly(input.below(std::max<int64_t>(size_of(dimensions), 1)), 20);
  const bool each = request->scale_dimension >= 0 && request->scale_dimension < size_of(dimensions) && input.one_in(2);
  const int64_t count = each ? dimensions[static_cast<size_t>(request->scale_dimension)] : 1 + input.below(2);
  static constexpr float kScales[] = {1, 0.5f, 3e-3f, 1e30f, 1e-40f, 7, 0, -1, INFINITY, NAN};
  const bool points = input.one_in(2);
  for (int64_t i = 0; i < count && i < 64; ++i) {
    request->scale.push_back(kScales[input.below(input.one_in(30) ? 10 : 6)]);
    if (points) request->zero_point.push_back(static_cast<int32_t>(input.mostly(input.below(300) - 150, 30)));
  }
}

// Another element type for the destination's shape.
xlashape_shape* draw_converted(Input& input, const xlashape_shape* dst, Request* request) {
  const List dimensions = dimensions_of(dst);
  request->flags |= XLASHAPE_PLAN_CONVERT | (input.one_in(3) ? XLASHAPE_PLAN_SATURATE : 0);
  if (input.one_in(2)) draw_scales(input, request);
  return MAKE(shape, xlashape_shape_create_array, draw_type(input), dimensions.data(), nullptr, size_of(dimensions),
              input.one_in(5) ? nullptr : draw_layout(input, dimensions), 0);
}

}  // namespace

Request draw_request(Input& input) {
  Request request;
  xlashape_shape* src = input.one_in(3) ? pick<xlashape_shape>(input) : draw_array(input);
  xlashape_shape* dst = src;
  const bool box = input.one_in(3);
  if (is_array(src) && !input.one_in(10)) {
    List dimensions = dimensions_of(src);
    for (int64_t& size : dimensions)
      if (box && input.one_in(2) && size >= 0 && size < 100) size = std::max<int64_t>(0, size + input.within(-3, 3));
    dst = MAKE(shape, xlashape_shape_create_array, xlashape_shape_element_type(src), dimensions.data(), nullptr,
               size_of(dimensions), input.one_in(5) ? nullptr : draw_layout(input, dimensions), 0);
  } else if (input.one_in(2)) {
    dst = pick<xlashape_shape>(input);
  }
  request.flags = input.flags(XLASHAPE_PLAN_ALLOW_FALLBACK | XLASHAPE_PLAN_KEEP_IN_CACHE);
  if (input.one_in(6)) request.flags |= input.flags(XLASHAPE_PLAN_SRC_HIGH_FIRST | XLASHAPE_PLAN_DST_HIGH_FIRST);
  if (is_array(src) && is_array(dst) && input.one_in(6)) dst = draw_converted(input, dst, &request);
  request.src.shape = keep(src), request.dst.shape = keep(dst);
  request.fill_policy = static_cast<int32_t>(input.mostly(input.one_in(2) ? 0 : input.below(3), 60));
  static const std::string kBackends[] = {"",     "",     "", "",     "simd",        "scalar",
                                          "simd", "simd", "", "ours", "no such one", "\xFF\n"};
  request.backend = kBackends[input.below(12)];
  static constexpr int32_t kDeviceNumbers[] = {1, 1, kDevices, kDevices + 1, -1, INT32_MAX, INT32_MIN};
  if (input.one_in(16)) request.device = input.pick(kDeviceNumbers);
  static constexpr int32_t kSpaces[] = {
      XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CPU, kDeviceSpace, kDeviceSpace, kDeviceSpace, 2, 63, 64, -1, INT32_MIN};
  for (Side* const side : {&request.src, &request.dst})
    if (input.one_in(16)) side->space = input.pick(kSpaces);
  // Lists that are too short for what is looked at would be the caller's fault.
  if (!is_array(src) || !is_array(dst) || xlashape_shape_rank(src) != xlashape_shape_rank(dst)) return request;
  if (input.one_in(6)) draw_strides(input, &request.src, true);
  if (input.one_in(6)) draw_strides(input, &request.dst, false);
  if (box) draw_box(input, &request);
  return request;
}

xlashape_relayout_options Request::options() const {
  static constexpr int64_t kNoEntries = 0;  // a scalar's lists are given, too
  const auto list = [](const std::optional<List>& items) {
    return !items ? nullptr : items->empty() ? &kNoEntries : items->data();
  };
  auto o = XLASHAPE_INIT(xlashape_relayout_options);
  o.flags = flags;
  o.fill_policy = fill_policy;
  o.src_space = src.space, o.dst_space = dst.space;
  o.device = device;
  o.backend = backend.empty() ? nullptr : backend.c_str();
  (src.in_elements ? o.src_element_strides : o.src_byte_strides) = list(src.strides);
  (dst.in_elements ? o.dst_element_strides : o.dst_byte_strides) = list(dst.strides);
  o.src_first_element = src.first, o.dst_first_element = dst.first;
  o.scale_count = size_of(scale);
  o.scale = scale.empty() ? nullptr : scale.data();
  o.zero_point = zero_point.empty() ? nullptr : zero_point.data();
  o.scale_dimension = scale_dimension;
  o.src_base = list(src.base), o.dst_base = list(dst.base);
  o.extent = list(extent);
  return o;
}

void Request::print() const {
  std::string text = text_of(xlashape_shape_print, src.shape, 0u) + "\n" + text_of(xlashape_shape_print, dst.shape, 0u);
  text += "\nflags " + std::to_string(flags) + ", fill policy " + std::to_string(fill_policy) + ", spaces " +
          std::to_string(src.space) + " to " + std::to_string(dst.space) + ", device " + std::to_string(device) +
          ", backend \"" + backend + "\"\n";
  const auto add = [&](const char* name, const std::optional<List>& items) {
    if (!items) return;
    text += name;
    for (const int64_t item : *items) text += " " + std::to_string(item);
    text += "\n";
  };
  add(src.in_elements ? "src_element_strides" : "src_byte_strides", src.strides);
  add(dst.in_elements ? "dst_element_strides" : "dst_byte_strides", dst.strides);
  add("first elements", List{src.first, dst.first});
  for (size_t i = 0; i < scale.size(); ++i)
    text +=
        "scale " + std::to_string(scale[i]) + (zero_point.empty() ? "" : " " + std::to_string(zero_point[i])) + "\n";
  if (!scale.empty()) text += "scale_dimension " + std::to_string(scale_dimension) + "\n";
  add("src_base", src.base), add("dst_base", dst.base), add("extent", extent);
  std::fprintf(stderr, "%s", text.c_str());
}

xlashape_plan* make_plan(Input& input, xlashape_runtime* runtime, const Request& request, int64_t measure_ns) {
  const xlashape_relayout_options options = request.options();
  auto how = XLASHAPE_INIT(xlashape_measure_options);
  how.budget_ns = measure_ns;
  auto block = resized(options, input);
  const auto* const given = reinterpret_cast<const xlashape_relayout_options*>(block.data());
  const MayFail scope(runtime);
  auto* const plan =
      measure_ns == 0
          ? MAKE(plan, xlashape_plan_create, runtime, request.src.shape, request.dst.shape, given)
          : MAKE(plan, xlashape_plan_create_measured, runtime, request.src.shape, request.dst.shape, given, &how);
  if (block.size() < sizeof options) ended.status = XLASHAPE_STATUS_INCOMPATIBLE;
  if (plan == nullptr) return nullptr;
  const std::string backend = GET(xlashape_plan_backend, plan);
  check_chosen(runtime, request.backend, request.flags, backend);
  infos()[plan] = {request, runtime, added_backend(runtime, backend) != nullptr};
  return plan;
}

bool is_kept(const xlashape_runtime* runtime) {
  return is_kept_elsewhere(runtime) || has_index_plans(runtime) ||
         pool_of<xlashape_runtime>().any_of([&](const void* some) { return some == runtime; }) ||
         pool_of<xlashape_plan>().any_of([&](const void* plan) {
           const PlanInfo* const info = info_of(static_cast<const xlashape_plan*>(plan));
           return info != nullptr && info->runtime == runtime;
         });
}

const PlanInfo* info_of(const xlashape_plan* plan) {
  const auto at = infos().find(plan);
  return at == infos().end() ? nullptr : &at->second;
}

void forget_plans() {
  infos().clear();
  forget_index_plans();
  keep(nullptr, true);
}

Operations plan_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
