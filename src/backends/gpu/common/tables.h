/* SPDX-License-Identifier: Apache-2.0 */
// The numbers that do not fit a kernel's arguments, laid out for device memory (kernels/map.h): both index maps and the
// box.
#pragma once
#include <cstdint>

#include "xlashape_backend.h"

namespace xlashape::gpu {

struct TableLayout {
  int64_t src_map, dst_map, box;  // where each begins
  int64_t words;                  // in total
};
TableLayout table_layout(const xlashape_relayout_ir& ir);
void write_tables(const xlashape_relayout_ir& ir, int64_t* words);

// For an index batch: the words that count bad entries, and the map, which begins at XS_TABLE_START.
int64_t table_words(const xlashape_map_ir& map);
void write_tables(const xlashape_map_ir& map, int64_t* words);

}  // namespace xlashape::gpu
