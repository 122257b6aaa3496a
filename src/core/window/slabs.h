/* SPDX-License-Identifier: Apache-2.0 */
// Slabs: the boxes in which an array is moved that does not fit into memory.
#pragma once
#include "window/window.h"
#include "xlashape_runtime.h"

namespace xlashape::core {

// Chooses the extent of slabs that are windows of both sides, whose bytes together are at most `max_bytes`, so that
// they are read and written in as few runs as possible. OUT_OF_RANGE where the smallest slab takes more.
Status choose_slabs(const Shape& src, const Shape& dst, int64_t max_bytes, int64_t* extent, xlashape_slabs* slabs,
                    Error* err);

}  // namespace xlashape::core
