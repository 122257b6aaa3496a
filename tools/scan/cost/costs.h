/* SPDX-License-Identifier: Apache-2.0 */
// What a program's arrays and relayouts cost in bytes.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>
#include <xlashape/target.hpp>

#include "cli/base/number.h"
#include "donation.h"
#include "runs.h"
#include "scan/program/module.h"
#include "verdict.h"

namespace xlashape::cli {

struct Total {
  int64_t arrays = 0, bytes = 0, logical_bytes = 0;
  void add(const ShapeFacts& facts);
};

// An array in memory.
struct Row {
  // kInterior: within a fusion, so in no memory.
  enum class RowKind : uint8_t { kArgument, kConstant, kValue, kInterior };
  uint32_t instruction = kNone, shape = kNone;
  RowKind kind = RowKind::kValue;
};

struct Relayout {
  uint32_t instruction = kNone;
  Judgement judgement;
  int64_t bytes = 0;  // read and written, as often as it runs
  int64_t times = 1;
  bool times_known = true;
  bool interior = false;
};

// An argument that could be donated.
struct Donatable {
  Row row;
  Donation donation = Donation::kSaves;
  uint32_t blocked_by = kNone;  // see Undonated
};

struct VerdictTotal {
  int64_t count = 0, bytes = 0;
};

// Sums stop at the largest int64_t.
struct Totals {
  Total arguments, outputs, constants, values;
  std::map<int64_t, Total> by_space;  // arguments, constants and values
  std::array<VerdictTotal, std::size(kVerdicts)> verdicts;
  int64_t unsized = 0;     // arrays whose sizes are not known, like those without bounds
  bool predicted = false;  // layouts of arguments and results are the target's choice
  bool outputs_known = true;

  const VerdictTotal& of(Verdict verdict) const { return verdicts[static_cast<size_t>(verdict)]; }
};

// Interiors of fusions are listed where that is asked for, and never summed.
struct Costs : Totals {
  std::vector<Row> rows;
  std::vector<Relayout> relayouts;
  // Arguments that could be donated: each has the shape and layout of a result, and neither shares its memory.
  std::vector<Donatable> undonated;
  int64_t aliased_bytes = 0;  // of arguments that share their memory with results
  std::vector<Runs> runs;     // by computation
};

// The target chooses the layouts of arguments and results where the program's text has none of that target's.
Costs costs_of(Program* program, std::optional<Target> target, bool interiors);

int64_t wasted(const ShapeFacts& facts);
double ratio(int64_t bytes, int64_t logical_bytes);  // 1 where there are no bytes

}  // namespace xlashape::cli
