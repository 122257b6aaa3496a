/* SPDX-License-Identifier: Apache-2.0 */
// Runs forms, large ones on PyTorch's own threads.
#pragma once

#include <cstdint>

#include "form.h"

namespace xlashape_torch {

// One array. `src` and `dst` are where index 0...0, or position 0 of memory, is. std::runtime_error.
void execute(const Form& form, const void* src, void* dst);

// `count` arrays, evenly spaced, the sources `src_step` bytes apart and the results form.result_bytes.
void execute_batch(const Form& form, int64_t count, const void* src, int64_t src_step, void* dst);

}  // namespace xlashape_torch
