// Backends of ours. Each does what the library tries it with before it is used, by the reference walker; then one goes
// on like that, and the others refuse plans or executions, with a message or without.
#include "plan/reference.h"
#include "runtimes.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);
#ifdef XLASHAPE_WITH_SIMD
extern "C" xlashape_status xlashape_backend_open_simd(const xlashape_host*, xlashape_backend*, xlashape_error*);
const xlashape_backend_open api_fuzz::open_simd = xlashape_backend_open_simd;
#else
const xlashape_backend_open api_fuzz::open_simd = nullptr;
#endif

namespace api_fuzz {
namespace {

xlashape_status say(xlashape_error* err, xlashape_status status, const char* text) {
  if (err == nullptr || err->struct_size < sizeof *err) return status;
  err->code = status;
  std::strcpy(err->message, text);
  err->message_len = static_cast<uint32_t>(std::strlen(text));
  return status;
}

// The array of 3 x 5 that a backend is tried with.
bool is_trial(const xlashape_op* op) { return op->relayout->elements == 15; }

xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support) {
  support->level = op->relayout != nullptr ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
  return XLASHAPE_OK;
}
xlashape_status supports_nothing(void*, const xlashape_op*, xlashape_support*) { return XLASHAPE_OK; }

constexpr size_t kPart = 3000;
xlashape_status plan_size(void*, const xlashape_op*, size_t* bytes, size_t* align) {
  *bytes = kPart;
  *align = 256;
  return XLASHAPE_OK;
}
xlashape_status plan_init(void*, const xlashape_op*, int32_t, void* storage, xlashape_error*) {
  check(reinterpret_cast<uintptr_t>(storage) % 256 == 0, "a backend's part is not aligned as it asked");
  std::memset(storage, 1, kPart);
  return XLASHAPE_OK;
}
xlashape_status refuses_plan(void*, const xlashape_op* op, int32_t, void*, xlashape_error* err) {
  return is_trial(op) ? XLASHAPE_OK : say(err, XLASHAPE_DEVICE, "ours: there is no device");
}
xlashape_status refuses_plan_silently(void*, const xlashape_op* op, int32_t, void*, xlashape_error*) {
  return is_trial(op) ? XLASHAPE_OK : XLASHAPE_DEVICE;
}

// All of it belongs to the first task.
xlashape_status plan_execute(void*, const void*, const xlashape_op* op, const xlashape_run* run, xlashape_error*) {
  if (run->task_begin != 0 || run->task_end == 0) return XLASHAPE_OK;
  const uint64_t src = run->src + static_cast<uint64_t>(run->src_byte_offset),
                 dst = run->dst + static_cast<uint64_t>(run->dst_byte_offset);
  xlashape::reference::relayout(*op->relayout, reinterpret_cast<const void*>(src), reinterpret_cast<void*>(dst));
  return XLASHAPE_OK;
}
xlashape_status refuses_run(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                            xlashape_error* err) {
  return is_trial(op) ? plan_execute(self, storage, op, run, err)
                      : say(err, XLASHAPE_INTERNAL, "ours: it does not run");
}
xlashape_status refuses_run_silently(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                     xlashape_error* err) {
  return is_trial(op) ? plan_execute(self, storage, op, run, err) : XLASHAPE_BUSY;
}

void fill(xlashape_backend* backend, const xlashape_host* host) {
  backend->abi_version = host->abi_max;
  backend->name = "ours";
  backend->build_id = "1";
  backend->memory_space = XLASHAPE_SPACE_CPU;
  backend->supports = supports;
  backend->plan_size = plan_size;
  backend->plan_init = plan_init;
  backend->plan_execute = plan_execute;
}
xlashape_status open_works(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  return XLASHAPE_OK;
}
xlashape_status open_idle(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  backend->supports = supports_nothing;
  return XLASHAPE_OK;
}
xlashape_status open_without_plans(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  backend->plan_init = refuses_plan;
  return XLASHAPE_OK;
}
xlashape_status open_without_plans_silent(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  backend->plan_init = refuses_plan_silently;
  return XLASHAPE_OK;
}
xlashape_status open_without_runs(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  backend->plan_execute = refuses_run;
  return XLASHAPE_OK;
}
xlashape_status open_without_runs_silent(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  backend->plan_execute = refuses_run_silently;
  return XLASHAPE_OK;
}
xlashape_status open_refuses(const xlashape_host*, xlashape_backend*, xlashape_error* err) {
  return say(err, XLASHAPE_UNSUPPORTED, "ours: it does not open");
}
xlashape_status open_of_other_version(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  fill(backend, host);
  backend->abi_version = host->abi_max + 1;
  return XLASHAPE_OK;
}

}  // namespace

xlashape_backend_open draw_open(Input& input) {
  static constexpr xlashape_backend_open kOpens[] = {open_works,
                                                     open_works,
                                                     open_idle,
                                                     open_without_plans,
                                                     open_without_plans_silent,
                                                     open_without_runs,
                                                     open_without_runs_silent,
                                                     open_refuses,
                                                     open_of_other_version,
                                                     xlashape_backend_open_scalar};
  return input.one_in(30) ? nullptr : input.pick(kOpens);
}

}  // namespace api_fuzz
