/* SPDX-License-Identifier: Apache-2.0 */
// Lines of the tables in reports of memory, each by itself.
#pragma once
#include <optional>
#include <string_view>

#include "scan/program/memory_report.h"

namespace xlashape::cli {

inline constexpr std::string_view kCompiledStats = "CompiledMemoryStats(";

// "    reserved        528.00M"; nothing where the line is no such part of a sum.
std::optional<StatedPart> part_of(std::string_view line);

// A row of XLA's memory usage report, "   64.00MiB(100%);   64.00MiB;            0;                2;
// 2xbf16[4,8,2048,8,64]", each allocation by itself. `cut`: the line is a row without its end.
std::optional<StatedBuffer> usage_row(std::string_view line, bool* cut);

// What jax prints of memory_analysis(): "CompiledMemoryStats(generated_code_size_in_bytes=1173504, ...)".
std::optional<MemoryReport> compiled_stats(std::string_view line);

}  // namespace xlashape::cli
