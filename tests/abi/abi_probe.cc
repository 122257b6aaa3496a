// SPDX-License-Identifier: Apache-2.0
// The scalar backend under another name: a plugin that the ABI tests can load into any runtime, and wrap.
#include "xlashape_backend.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);

extern "C" __attribute__((visibility("default"))) xlashape_status xlashape_backend_open_abi_probe(
    const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  const xlashape_status status = xlashape_backend_open_scalar(host, backend, err);
  if (status == XLASHAPE_STATUS_OK) backend->name = "abi_probe";
  return status;
}
