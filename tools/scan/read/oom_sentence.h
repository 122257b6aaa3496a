/* SPDX-License-Identifier: Apache-2.0 */
// The sentences that say that memory does not suffice, of XLA's compilers, runtimes and allocators, old and new.
#pragma once
#include <string_view>

#include "scan/program/memory_report.h"

namespace xlashape::cli {

// Where such a sentence begins in the line; npos where none does.
size_t start_of_oom(std::string_view line);
// What the sentence says; the text may go on behind it. `complete`: whether more text could add to it.
MemoryReport read_oom(std::string_view text, bool* complete);

}  // namespace xlashape::cli
