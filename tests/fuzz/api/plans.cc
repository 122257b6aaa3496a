#include "plans.h"

#include <algorithm>
#include <map>

namespace api_fuzz {
namespace {

std::map<const xlashape_plan*, PlanInfo>& infos() {
  static auto& made = *new std::map<const xlashape_plan*, PlanInfo>;
  return made;
}
std::vector<xlashape_shape*>& kept_shapes() {
  static auto& made = *new std::vector<xlashape_shape*>;
  return made;
}
std::vector<xlashape_index_map*>& kept_maps() {
  static auto& made = *new std::vector<xlashape_index_map*>;
  return made;
}

const xlashape_shape* keep(xlashape_shape* shape) {
  if (shape != nullptr) kept_shapes().push_back(xlashape_shape_retain(shape));
  return shape;
}

// Byte strides of a dense array in some order of its dimensions, with gaps and signs.
std::vector<int64_t> draw_strides(Input& input, const xlashape_shape* shape, bool may_overlap) {
  const std::vector<int64_t> dimensions = dimensions_of(shape);
  std::vector<int64_t> strides(dimensions.size());
  int64_t step = std::max(1, xlashape_element_type_storage_bits(xlashape_shape_element_type(shape)) / 8);
  for (const int64_t d : input.permutation(static_cast<int64_t>(dimensions.size()))) {
    const auto i = static_cast<size_t>(d);
    if (input.one_in(6)) step += input.below(9);
    strides[i] = input.one_in(6) ? -step : step;
    if (may_overlap && input.one_in(10)) strides[i] = 0;
    if (input.one_in(100)) strides[i] = input.wild();
    if (dimensions[i] > 0 && (__builtin_mul_overflow(step, dimensions[i], &step) || step > INT64_MAX / 2))
      step = INT64_MAX / 2;
  }
  return strides;
}

void draw_box(Input& input, Request* request) {
  const std::vector<int64_t> src = dimensions_of(request->src), dst = dimensions_of(request->dst);
  if (src.size() != dst.size()) return;
  request->has_extent = true;
  request->has_src_base = !input.one_in(4), request->has_dst_base = !input.one_in(4);
  for (size_t i = 0; i < src.size(); ++i) {
    constexpr int64_t kFar = int64_t{1} << 40;
    const int64_t most = std::clamp<int64_t>(std::min(src[i], dst[i]), 0, kFar);
    int64_t extent = input.one_in(4)   ? most
                     : input.one_in(2) ? most / 2 + input.below(most / 2 + 1)
                                       : input.below(most + 1);
    const int64_t src_base = request->has_src_base ? input.below(std::min(src[i], kFar) - extent + 1) : 0;
    const int64_t dst_base = request->has_dst_base ? input.below(std::min(dst[i], kFar) - extent + 1) : 0;
    // Boxes that end with a tile, mostly of the destination.
    const int64_t over = (input.one_in(3) ? src_base + extent : dst_base + extent) % 4;
    if (over <= extent && input.one_in(2)) extent -= over;
    request->extent.push_back(input.mostly(extent, 100));
    request->src_base.push_back(input.mostly(src_base, 100));
    request->dst_base.push_back(input.mostly(dst_base, 100));
  }
}

xlashape_runtime* runtime_for(Input& input, const Request& request) {
  if (request.is_beyond_cpu() && input.one_in(2)) return draw_runtime_with_ours(input, draw_open_devices(input));
  if (input.one_in(12)) return draw_runtime_with_ours(input, draw_open(input));
  return request.backend == "simd" && !input.one_in(4) ? steady() : draw_runtime(input);
}

void note(const xlashape_plan* plan, const Request& request, xlashape_runtime* runtime) {
  check_chosen(runtime, request.backend, request.flags, GET(xlashape_plan_backend, plan));
  infos()[plan] = {
      false, request, nullptr, false, 0, 0, 0, runtime, is_ours(runtime, GET(xlashape_plan_backend, plan))};
}

// Of a plan by the steady runtime, which knows neither a device nor another space than the CPU's.
void check_beyond_cpu(const Request& request, xlashape_status status) {
  if (!request.is_beyond_cpu() || ended.was_refused_memory) return;
  check(status != XLASHAPE_STATUS_OK, "a plan is made for a device or a space that nobody has");
  Request plain = request;
  plain.device = 0;
  const bool in_space = plain.is_beyond_cpu();
  plain.src_space = plain.dst_space = 0;
  const xlashape_relayout_options options = plain.options();
  xlashape_plan* plan = nullptr;
  if (xlashape_plan_create(steady(), plain.src, plain.dst, &options, &plan, nullptr) != XLASHAPE_STATUS_OK) return;
  xlashape_plan_release(plan);
  const auto is_space = [](int32_t space) { return space >= 0 && space <= 63; };
  check(status == (!is_space(request.src_space) || !is_space(request.dst_space) ? XLASHAPE_STATUS_INVALID_ARGUMENT
                   : in_space                                                   ? XLASHAPE_STATUS_NOT_FOUND
                   : request.device < 0                                         ? XLASHAPE_STATUS_INVALID_ARGUMENT
                                                                                : XLASHAPE_STATUS_OUT_OF_RANGE),
        "a plan for a device or a space that nobody has fails for another reason");
}

void create(Input& input) {
  const Request request = draw_request(input);
  xlashape_runtime* runtime = runtime_for(input, request);
  const xlashape_relayout_options options = request.options();
  auto block = resized(options, input);
  auto* given = reinterpret_cast<xlashape_relayout_options*>(block.data());
  const MayFail scope(runtime);
  xlashape_plan* plan = MAKE(plans, xlashape_plan_create, runtime, request.src, request.dst, given);
  const xlashape_status status = ended.status;
  if (plan != nullptr) note(plan, request, runtime);
  if (runtime == steady() && block.size() == sizeof options) check_beyond_cpu(request, status);
}

// Two plans are one and the same to those who use them.
void check_same_plan(const xlashape_plan* a, const xlashape_plan* b) {
  const auto describe = [](const xlashape_plan* plan) {
    char text[4096];
    int64_t needed = 0;
    check(xlashape_plan_describe(plan, text, sizeof text, &needed, nullptr) == XLASHAPE_STATUS_OK || needed > 4096,
          "a plan is not described");
    return std::string(text);
  };
  xlashape_plan_requirements x = {}, y = {};
  x.struct_size = y.struct_size = sizeof x;
  check(describe(a) == describe(b), "a plan by fields is described otherwise than one by options");
  check(xlashape_plan_get_requirements(a, &x, nullptr) == XLASHAPE_STATUS_OK &&
            xlashape_plan_get_requirements(b, &y, nullptr) == XLASHAPE_STATUS_OK && std::memcmp(&x, &y, sizeof x) == 0,
        "a plan by fields requires something else than one by options");
  check(xlashape_plan_task_count(a, 7) == xlashape_plan_task_count(b, 7), "a plan by fields has other tasks");
}

// By a list of fields: what an independent reader makes of it, by options, has to come out the same.
void create_by_fields(Input& input) {
  Request request = draw_request(input);
  const bool is_damaged = input.one_in(3);
  // Lists of the source's rank, whatever the destination's is.
  if (is_damaged && is_array(request.src) && input.one_in(4))
    request.dst_strides = draw_strides(input, request.src, false), request.has_dst_strides = true;
  xlashape_runtime* runtime = runtime_for(input, request);
  const Fields fields = request.fields(input);
  const std::vector<int64_t> list = is_damaged ? damaged(input, fields, plan_rules) : listed(fields);
  auto block = Numbers::of(list, input);
  const MayFail scope(runtime);
  if (const auto size = draw_wrong_size(input)) {
    MAKE(plans, xlashape_plan_create_from_fields, runtime, request.src, request.dst, block.data(), *size);
    return check(ended.status == XLASHAPE_STATUS_INVALID_ARGUMENT, "a list of that length is taken");
  }
  const int64_t rank = xlashape_shape_rank(request.src);
  const Reading reading = read_fields(list, plan_rules, rank);
  check(is_damaged || reading.status == XLASHAPE_STATUS_OK, "a list of ours is none");
  const Request asked = request_of(request, reading);
  xlashape_plan* plan =
      MAKE(plans, xlashape_plan_create_from_fields, runtime, request.src, request.dst, block.data(), size_of(list));
  const xlashape_status status = ended.status;
  if (plan != nullptr) note(plan, asked, runtime);
  if (ended.was_refused_memory) return;
  if (request.src == nullptr) return check(status == XLASHAPE_STATUS_INVALID_ARGUMENT, "a plan of no shape");
  if (reading.status != XLASHAPE_STATUS_OK)
    return check_ended(list, status, reading.status, "a list of fields that is none is taken, or refused otherwise");
  // Options would be read further than the lists go.
  const bool has_lists =
      asked.has_src_strides || asked.has_dst_strides || asked.has_src_base || asked.has_dst_base || asked.has_extent;
  if (has_lists && xlashape_shape_rank(request.dst) != rank)
    return check(status != XLASHAPE_STATUS_OK, "lists of another rank than the destination's are taken");
  const xlashape_relayout_options options = asked.options();
  xlashape_plan* same = nullptr;
  check_ended(list, status, xlashape_plan_create(runtime, request.src, request.dst, &options, &same, nullptr),
              "fields and options fail differently");
  if (same != nullptr) check_same_plan(plan, same);
  xlashape_plan_release(same);
  if (runtime == steady()) check_beyond_cpu(asked, status);
}

void create_conversion(Input& input) {
  xlashape_index_map* map = world.maps.pick(input);
  const auto direction = static_cast<int32_t>(input.mostly(input.within(1, 2), 60));
  const int64_t rank = GET(xlashape_index_map_rank, map);
  xlashape_index_options options = {};
  options.struct_size = sizeof options;
  options.flags = input.flags(XLASHAPE_INDEX_MARK_BAD | XLASHAPE_PLAN_ALLOW_FALLBACK);
  static constexpr const char* kBackends[] = {nullptr, nullptr, "scalar", "simd", "nothing"};
  options.backend = input.pick(kBackends);
  if (input.one_in(2)) {
    const bool across = input.one_in(2);
    options.index_step = input.mostly(across ? 1 : rank + input.below(3));
    options.dimension_step = input.mostly(across ? 40 + input.below(3) : 1);
  }
  xlashape_runtime* runtime = draw_runtime(input);
  auto block = resized(options, input);
  const MayFail scope(runtime);
  const bool plain = input.one_in(8);
  xlashape_plan* plan = MAKE(plans, xlashape_index_plan_create, runtime, map, direction,
                             plain ? nullptr : reinterpret_cast<const xlashape_index_options*>(block.data()));
  if (plan == nullptr) return;
  infos().erase(plan);
  if (!plain && block.size() < sizeof options) return;
  kept_maps().push_back(xlashape_index_map_retain(map));
  check_chosen(runtime, plain || !options.backend ? "" : options.backend, plain ? 0 : options.flags,
               GET(xlashape_plan_backend, plan));
  const bool usual = plain || (options.index_step == 0 && options.dimension_step == 0);
  infos()[plan] = {true,
                   {},
                   map,
                   direction == XLASHAPE_CONVERSION_TO_LINEAR,
                   usual ? rank : options.index_step,
                   usual ? 1 : options.dimension_step,
                   plain ? 0 : options.flags & XLASHAPE_INDEX_MARK_BAD,
                   runtime,
                   is_ours(runtime, GET(xlashape_plan_backend, plan))};
}

void ask(Input& input) {
  xlashape_plan* plan = world.plans.pick(input);
  TEXT(xlashape_plan_describe, plan);
  const char* backend = GET(xlashape_plan_backend, plan);
  check((backend == nullptr || *backend == '\0') == (plan == nullptr), "a plan's backend");
  const int64_t workers = input.mostly(input.below(64), 4), tasks = GET(xlashape_plan_task_count, plan, workers);
  check(tasks >= (plan == nullptr ? 0 : 1), "fewer tasks than one");
  predict(plan);
  xlashape_plan_requirements empty = {};
  auto block = resized(empty, input);
  std::memset(block.data() + 4, 0xA5, block.size() - 4);
  const xlashape_status status =
      CALL(xlashape_plan_get_requirements, plan, reinterpret_cast<xlashape_plan_requirements*>(block.data()));
  for (size_t i = 4; status != XLASHAPE_STATUS_OK && i < block.size(); ++i)
    check(block[i] == 0xA5, "requirements are written on failure");
  if (status != XLASHAPE_STATUS_OK || block.size() < sizeof empty) return;
  std::memcpy(&empty, block.data(), sizeof empty);
  check(empty.src_low <= empty.src_high && empty.dst_low <= empty.dst_high && empty.plan_bytes > 0 &&
            empty.src_alignment >= 1 && empty.dst_alignment >= 1,
        "a plan's requirements");
  const auto is_power = [](int64_t n) { return n >= 1 && (n & (n - 1)) == 0; };
  check(is_power(empty.scratch_alignment) && is_power(empty.src_preferred_alignment) &&
            is_power(empty.dst_preferred_alignment) && empty.src_preferred_alignment >= empty.src_alignment &&
            empty.dst_preferred_alignment >= empty.dst_alignment && empty.scratch_bytes >= 0 &&
            empty.scratch_bytes <= int64_t{4} << 30 && empty.estimated_ns >= 0 && empty.stack_bytes > 0 &&
            empty.stack_bytes <= 256 << 10,
        "what a plan's requirements say of scratch, of the best alignment, of time or of the stack");
  const PlanInfo* const info = info_of(plan);
  const Owned* const ours = info != nullptr ? added_backend(info->runtime, backend) : nullptr;
  if (ours != nullptr && ours->takes_scratch)
    check(empty.scratch_bytes == kScratch && empty.scratch_alignment == kScratchAlignment &&
              empty.dst_preferred_alignment == 2 * kScratchAlignment && empty.estimated_ns >= 7,
          "requirements are not what the backend asks for");
}

void churn(Input& input) { world.plans.churn(input); }

constexpr Operation kOperations[] = {{create, 8},
                                     {create_by_fields, 5},
                                     {create_conversion, 3},
                                     {ask, 3},
                                     {churn, 1},
                                     {execute, 12},
                                     {relayout_once, 5},
                                     {execute_nothing, 1},
                                     {execute_conversion, 4},
                                     {execute_watched, 4},
                                     {execute_large, 1},
                                     {execute_list, 5},
                                     {compare_keys, 3},
                                     {ask_shapes, 1}};

}  // namespace

void predict(const xlashape_plan* plan) {
  int64_t ns = 0;
  check(CALL(xlashape_plan_predict, plan, &ns) != XLASHAPE_STATUS_OK || ns >= 1, "a plan is predicted to take no time");
}

void note_plan(const xlashape_plan* plan, const Request& request, xlashape_runtime* runtime) {
  note(plan, request, runtime);
}

xlashape_plan* make_scratch_plan(Input& input) {
  Request request = draw_request(input);
  request.backend.clear(), request.src_space = request.dst_space = request.device = 0;
  xlashape_runtime* const runtime = draw_runtime_with_ours(input, open_scratch);
  const xlashape_relayout_options options = request.options();
  const MayFail scope(runtime);
  xlashape_plan* const plan = MAKE(plans, xlashape_plan_create, runtime, request.src, request.dst, &options);
  if (plan != nullptr) note(plan, request, runtime);
  return plan;
}

bool is_array(const xlashape_shape* shape) {
  const xlashape_category category = xlashape_shape_category(shape);
  return category == XLASHAPE_CATEGORY_ARRAY || category == XLASHAPE_CATEGORY_BUFFER;
}

Request draw_request(Input& input) {
  Request request;
  xlashape_shape* src = input.one_in(3) ? world.shapes.pick(input) : draw_array(input);
  xlashape_shape* dst = src;
  const bool box = input.one_in(3);
  if (is_array(src) && !input.one_in(10)) {
    std::vector<int64_t> dimensions = dimensions_of(src);
    for (int64_t& size : dimensions)
      if (box && input.one_in(2) && size >= 0 && size < 100) size = std::max<int64_t>(0, size + input.within(-3, 3));
    auto sizes = Numbers::of(dimensions, input);
    dst = MAKE(shapes, xlashape_shape_create_array, xlashape_shape_element_type(src), sizes.data(), nullptr,
               static_cast<int64_t>(sizes.size()), input.one_in(5) ? nullptr : draw_layout(input, dimensions), 0);
  } else if (input.one_in(2)) {
    dst = world.shapes.pick(input);
  }
  request.src = keep(src), request.dst = keep(dst);
  request.flags = input.flags(XLASHAPE_PLAN_ALLOW_FALLBACK | XLASHAPE_PLAN_READ_SOON);
  request.fill_policy = static_cast<int32_t>(input.mostly(input.one_in(2) ? 0 : input.below(3), 60));
  static constexpr const char* kBackends[] = {"",     "",     "", "",     "simd",        "scalar",
                                              "simd", "simd", "", "ours", "no such one", "\xFF\n"};
  request.backend = input.pick(kBackends);
  static constexpr int32_t kDeviceNumbers[] = {1, 1, kDevices, kDevices + 1, -1, INT32_MAX, INT32_MIN};
  if (input.one_in(16)) request.device = input.pick(kDeviceNumbers);
  static constexpr int32_t kSpaces[] = {
      XLASHAPE_SPACE_CPU, XLASHAPE_SPACE_CPU, kDeviceSpace, kDeviceSpace, kDeviceSpace, 2, 63, 64, -1, INT32_MIN};
  if (input.one_in(16)) request.src_space = input.pick(kSpaces);
  if (input.one_in(16)) request.dst_space = input.pick(kSpaces);
  if (is_array(src) && input.one_in(6))
    request.src_strides = draw_strides(input, src, true), request.has_src_strides = true;
  if (is_array(dst) && input.one_in(6))
    request.dst_strides = draw_strides(input, dst, false), request.has_dst_strides = true;
  if (box && is_array(src) && is_array(dst)) draw_box(input, &request);
  // Lists that are too short for what is looked at would be the caller's fault.
  if (xlashape_shape_rank(src) != xlashape_shape_rank(dst))
    request.has_src_strides = request.has_dst_strides = request.has_extent = request.has_src_base =
        request.has_dst_base = false;
  return request;
}

bool is_kept(const xlashape_runtime* runtime) {
  return is_kept_elsewhere(runtime) ||
         world.runtimes.any_of([&](const xlashape_runtime* some) { return some == runtime; }) ||
         world.plans.any_of([&](const xlashape_plan* plan) {
           const PlanInfo* const info = info_of(plan);
           return info != nullptr && info->runtime == runtime;
         });
}

void forget_plan(const xlashape_plan* plan) { infos().erase(plan); }

const PlanInfo* info_of(const xlashape_plan* plan) {
  const auto at = infos().find(plan);
  return at == infos().end() ? nullptr : &at->second;
}

void forget_plans() {
  infos().clear();
  for (xlashape_shape* shape : kept_shapes()) xlashape_shape_release(shape);
  for (xlashape_index_map* map : kept_maps()) xlashape_index_map_release(map);
  kept_shapes().clear(), kept_maps().clear();
}

Operations plan_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
