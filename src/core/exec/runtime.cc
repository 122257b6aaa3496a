// SPDX-License-Identifier: Apache-2.0
#include "exec/runtime.h"

#include "plan/relayout.h"
#include "runtime/smoke.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

std::atomic<Runtime*> default_one{nullptr};

}  // namespace

Status plan_smoke_form(Arena& arena, xlashape_relayout_ir* form, Error* err) {
  constexpr int64_t dimensions[] = {kSmokeRows, kSmokeColumns};
  Ref<Shape> rows, columns;
  XLASHAPE_TRY(make_array(XLASHAPE_TYPE_F32, dimensions, {}, make_row_major(2), &rows, err));
  XLASHAPE_TRY(make_array(XLASHAPE_TYPE_F32, dimensions, {}, make_column_major(2), &columns, err));
  RelayoutRequest request;
  request.src.array = rows.get();
  request.dst.array = columns.get();
  return build_relayout(request, arena, form, err);
}

Status create_runtime(const xlashape_runtime_options& options, Ref<Runtime>* runtime, Error* err) {
  return make_runtime(options, plan_smoke_form, runtime, err);
}

Status set_default_runtime(Runtime& runtime, Error* err) {
  Runtime* before = nullptr;
  Ref<Runtime> kept = Ref<Runtime>::share(&runtime);
  if (!default_one.compare_exchange_strong(before, kept.get(), std::memory_order_acq_rel))
    return fail(err, XLASHAPE_STATUS_BUSY,
                "there is a default runtime already: set it once, before the first call that is given no runtime");
  kept.leak();
  return XLASHAPE_STATUS_OK;
}

Status default_runtime(Runtime** result, Error* err) {
  *result = default_one.load(std::memory_order_acquire);
  if (*result != nullptr) return XLASHAPE_STATUS_OK;
  Ref<Runtime> runtime;
  XLASHAPE_TRY(guarded(err, [&] { return create_runtime({}, &runtime, err); }));
  if (default_one.compare_exchange_strong(*result, runtime.get(), std::memory_order_acq_rel)) *result = runtime.leak();
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
