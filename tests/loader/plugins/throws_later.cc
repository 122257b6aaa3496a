// SPDX-License-Identifier: Apache-2.0
// The correct backend, which throws once it is asked for a plan of anything but 32-bit elements:
// the smoke test has those.
#include <stdexcept>

#include "xlashape_backend.h"

extern "C" xlashape_status xlashape_backend_open_good(const xlashape_host*, xlashape_backend*, xlashape_error*);

extern "C" __attribute__((visibility("default"))) xlashape_status xlashape_backend_open_throws_later(
    const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  const xlashape_status status = xlashape_backend_open_good(host, backend, err);
  backend->name = "throws_later";
  backend->plan_size = [](void*, const xlashape_op*, int64_t* bytes, int64_t* alignment, xlashape_error*) {
    *bytes = *alignment = 8;
    return xlashape_status{XLASHAPE_STATUS_OK};
  };
  backend->plan_init = [](void*, const xlashape_op* op, void*, xlashape_error*) {
    if (op->relayout != nullptr && op->relayout->value_bits != 32) throw std::runtime_error("not these");
    return xlashape_status{XLASHAPE_STATUS_OK};
  };
  return status;
}
