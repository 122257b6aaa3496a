// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Relayout" that move no bytes: properties and keys of plans.
#include <string>

#include "api/execution.h"
#include "api/plan_request.h"
#include "base/line.h"
#include "exec/in_place.h"
#include "ir/compiler.h"
#include "text/print.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;

namespace {

void add_shape(std::string* key, const Shape& shape) {
  const size_t before = key->size();
  int64_t needed = 0;
  for (int64_t room = 128;; room = needed) {
    key->resize(before + static_cast<size_t>(room));
    print_shape(shape, 0, key->data() + before, room, &needed, nullptr);
    if (needed <= room) break;
  }
  key->resize(before + static_cast<size_t>(needed) - 1);
}

constexpr int64_t kMostStack = 256 << 10;  // of any execution

// What an execution takes of a thread's stack at most.
int64_t stack_of(const Planned& plan) {
  // The library's own frames, with what the dynamic linker takes at a first call; those of verifying.
  constexpr int64_t kMost = kMostStack, kOwn = 12 << 10, kVerifying = 40 << 10;
  int64_t bytes = 0;
  plan.backend->calls.call_seldom("plan_stack", nullptr, [&](const xlashape_backend& table, Error*) {
    if (table.plan_stack != nullptr) bytes = table.plan_stack(table.self, plan.storage, &plan.op);
    return XLASHAPE_STATUS_OK;
  });
  if (bytes <= 0) return kMost;
  return std::min(std::max(std::min(bytes, kMost), plan.runtime->verify_count > 0 ? kVerifying : 0) + kOwn, kMost);
}

// Adds an option that is not the default, by its name.
void add_number(std::string* key, const char* name, int64_t value, int64_t unset = 0) {
  if (value != unset) append(key, " %s=%lld", name, ll(value));
}
template <class T>
void add_list(std::string* key, const char* name, const T* values, int64_t count) {
  if (values == nullptr) return;
  append(key, " %s=", name);
  for (int64_t i = 0; i < count; ++i) append(key, i > 0 ? ",%lld" : "%lld", ll(values[i]));
}
void add_values(std::string* key, const ValueRequest& values) {
  add_number(key, "convert", values.convert);
  add_number(key, "saturate", values.saturate);
  add_number(key, "src_high_first", values.src_high_first);
  add_number(key, "dst_high_first", values.dst_high_first);
  if (values.scale_count <= 0 || values.scale == nullptr) return;
  if (values.scale_count > 1) add_number(key, "scale_dimension", values.scale_dimension, -1);
  append(key, " scale=");
  for (int64_t i = 0; i < values.scale_count; ++i)  // exact, whatever the locale
    append(key, i > 0 ? ",%08x" : "%08x", xlashape::ir::bit_cast<uint32_t>(values.scale[i]));
  add_list(key, "zero_point", values.zero_point, values.scale_count);
}

// Makes any text part of a line. Different texts stay different.
std::string word_of(std::string_view text) {
  std::string word;
  for (const char c : text) word.append(c == '\\' ? 2 : 1, c);
  return clean_line(word);
}

// The same in every process and on every machine, as others of this release store such texts.
std::string key_of(const PlanRequest& call) {
  const RelayoutRequest& r = call.request;
  const PlanOptions& o = call.options;
  const int64_t rank = r.src.array->rank();
  std::string key;
  add_shape(&key, *r.src.array);
  key += " -> ";
  add_shape(&key, *r.dst.array);
  add_number(&key, "fill_policy", r.fill_policy);
  add_number(&key, "src_space", o.src_space, XLASHAPE_SPACE_CPU);
  add_number(&key, "dst_space", o.dst_space, XLASHAPE_SPACE_CPU);
  add_number(&key, "device", o.device);
  add_number(&key, "keep_in_cache", r.keep_in_cache);
  add_number(&key, "in_place", o.in_place.has_value());
  add_list(&key, "src_byte_strides", r.src.byte_strides, rank);
  add_list(&key, "dst_byte_strides", r.dst.byte_strides, rank);
  add_list(&key, "src_element_strides", r.src.element_strides, rank);
  add_list(&key, "dst_element_strides", r.dst.element_strides, rank);
  add_number(&key, "src_first_element", r.src.first_element);
  add_number(&key, "dst_first_element", r.dst.first_element);
  add_list(&key, "src_base", r.src.base, rank);
  add_list(&key, "dst_base", r.dst.base, rank);
  add_list(&key, "extent", r.extent, rank);
  add_values(&key, r.values);
  add_number(&key, "allow_fallback", o.allow_fallback);
  if (!o.backend.empty()) append(&key, " backend=%s", word_of(o.backend).c_str());  // last, as it may be any text
  return key;
}

}  // namespace

namespace xlashape::core {

int64_t count_tasks(const Planned& planned, int64_t workers) {
  return workers < 1 ? 1 : planned.backend->calls.plan_tasks(planned.storage, planned.op, workers);
}

Status answer_requirements(const Planned& planned, const Reach& reach, xlashape_plan_requirements* requirements,
                           int64_t stack_bytes, Error* err) {
  XLASHAPE_TRY(check_out_struct(requirements, "requirements", err));
  const xlashape_support& support = planned.support;
  const int64_t least = planned.op.map != nullptr ? sizeof(int64_t) : 1;  // an index is an int64_t
  xlashape_plan_requirements r{};
  r.src_alignment = std::max(support.src_alignment, least);
  r.dst_alignment = std::max(support.dst_alignment, least);
  r.src_low = reach.src_low;
  r.src_high = reach.src_high;
  r.dst_low = reach.dst_low;
  r.dst_high = reach.dst_high;
  r.scratch_bytes = support.scratch_bytes;
  r.plan_bytes = static_cast<int64_t>(planned.block_bytes);
  r.scratch_alignment = std::max<int64_t>(support.scratch_alignment, 1);
  r.src_preferred_alignment = std::max(support.src_preferred_alignment, r.src_alignment);
  r.dst_preferred_alignment = std::max(support.dst_preferred_alignment, r.dst_alignment);
  r.stack_bytes = stack_bytes != 0 ? stack_bytes : stack_of(planned);
  write_struct(requirements, r);
  return XLASHAPE_STATUS_OK;
}

Status describe_planned(const Planned& planned, char* text, int64_t capacity, int64_t* needed, Error* err) {
  char line[1024];
  planned.backend->calls.describe(planned.storage, planned.op, line, sizeof line);
  return answer_text(line, text, capacity, needed, err);
}

}  // namespace xlashape::core

extern "C" {

int64_t xlashape_plan_task_count(const xlashape_plan* plan, int64_t workers) {
  if (plan == nullptr) return 0;
  return plan->in_place != nullptr ? 1 : count_tasks(plan->planned, workers);
}

xlashape_status xlashape_plan_get_requirements(const xlashape_plan* plan, xlashape_plan_requirements* requirements,
                                               xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    // The parts of one that runs in place are other plans.
    return answer_requirements(plan->planned, reach_of(*plan->planned.op.relayout), requirements,
                               plan->in_place != nullptr ? kMostStack : 0, err);
  });
}

xlashape_status xlashape_plan_describe(const xlashape_plan* plan, char* text, int64_t capacity, int64_t* needed,
                                       xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    if (plan->in_place != nullptr) return answer_text(plan->in_place->describe(), text, capacity, needed, err);
    return describe_planned(plan->planned, text, capacity, needed, err);
  });
}

xlashape_status xlashape_plan_predict(const xlashape_plan* plan, int64_t* ns, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    XLASHAPE_TRY(require(ns, "ns", err));
    *ns = 0;
    if (plan->in_place != nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the plan runs in place: there is no prediction for that");
    const Planned& planned = plan->planned;
    return planned.backend->calls.plan_predict(planned.storage, planned.op, planned.runtime->hooks.executor.max_workers,
                                               ns, err);
  });
}

xlashape_status xlashape_plan_shapes(const xlashape_plan* plan, xlashape_shape** src_shape, xlashape_shape** dst_shape,
                                     xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(plan, "plan", err));
    XLASHAPE_TRY(require(src_shape, "src_shape", err));
    XLASHAPE_TRY(require(dst_shape, "dst_shape", err));
    *src_shape = Ref<Shape>(plan->src_shape).leak();
    *dst_shape = Ref<Shape>(plan->dst_shape).leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_plan_key(const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
                                  const xlashape_relayout_options* options, char* text, int64_t capacity,
                                  int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    PlanRequest call;
    XLASHAPE_TRY(unwrap(src_shape, dst_shape, options, &call, err));
    const int64_t src_rank = call.request.src.array->rank(), dst_rank = call.request.dst.array->rank();
    if (src_rank != dst_rank)  // lists by dimension have one length
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the source has rank %lld, the destination %lld", ll(src_rank),
                  ll(dst_rank));
    return answer_text(key_of(call), text, capacity, needed, err);
  });
}

const char* xlashape_plan_backend(const xlashape_plan* plan) {
  return plan != nullptr ? plan->planned.backend->name.c_str() : nullptr;
}

}  // extern "C"
