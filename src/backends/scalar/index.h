// Batches of index conversions of the scalar backend.
#pragma once
#include "xlashape_backend.h"

namespace xlashape::scalar {

// Entries [begin, end). Without MARK_BAD stops at the first bad one and returns its number, else returns end; counts bad ones.
int64_t to_linear(const xlashape_op& op, const int64_t* index, int64_t* linear, int64_t begin, int64_t end,
                  int64_t* bad);
int64_t to_multi(const xlashape_op& op, const int64_t* linear, int64_t* index, int64_t begin, int64_t end,
                 int64_t* bad);

}  // namespace xlashape::scalar
