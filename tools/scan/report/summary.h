/* SPDX-License-Identifier: Apache-2.0 */
// What is told about one module: totals, and the rows of its tables as texts and numbers, the worst first. It holds
// nothing of the module, which may be large.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <xlashape/target.hpp>

#include "groups.h"
#include "scan/cost/capacity.h"
#include "scan/cost/costs.h"
#include "scan/cost/memory.h"
#include "scan/program/module.h"

namespace xlashape::cli {

struct Better {
  std::string layout;
  int64_t bytes = 0;
  int64_t moved = 0;  // an argument that the program reads as it is: read and written where it must be moved back first
};

struct ArrayRow {
  InstructionOrigin origin;
  std::string_view kind;  // "argument", "constant", "value", "interior"
  std::string shape;
  int64_t bytes = 0, logical_bytes = 0, space = 0;
  std::optional<Better> better;
};

// An argument that shares its memory with no result, although one has its shape and layout.
struct UndonatedRow : ArrayRow {
  Donation donation = Donation::kSaves;
  std::optional<InstructionOrigin> blocked_by;  // why donating it would save nothing
};

struct RelayoutRow {
  InstructionOrigin origin;
  Verdict verdict = Verdict::kUnproven;
  std::string from, to, why, remedy;
  std::string operand;  // what is moved: its name, and what the author calls it
  int64_t bytes_read = 0, bytes_written = 0, bytes = 0;
  bool interior = false;
};

struct MemberRow {
  InstructionOrigin origin;  // who writes it
  std::string name, shape;
  std::string_view use;
  int64_t allocation = 0, offset = 0, bytes = 0, begin = -1, end = -1;
  std::optional<int64_t> padding;  // of its bytes; not of a tuple, nor where they are not those of the shape
};

struct SpaceRow {
  int64_t space = 0;
  std::string name;  // on the target, like "vmem"; empty where it is not known
  int64_t allocated = 0, temporary = 0, peak = 0, peak_step = -1, steps = 0;
  std::string peak_instruction;
  std::vector<MemberRow> members;
  int64_t members_left_out = 0;
  std::vector<ArrayGroup> groups;  // of all members
  int64_t groups_left_out = 0;
  int64_t temporary_at_peak = 0;  // bytes of temporary values among the members
  // For drawing only:
  std::vector<std::pair<int64_t, int64_t>> timeline;
  std::vector<MemberRow> blocks;
  std::vector<Allocation> allocations;
  int64_t blocks_left_out = 0;
};

struct Summary : ProgramHead, Totals {
  std::string path;
  std::optional<Target> target;
  int64_t computations = 0, instructions = 0, text_bytes = 0;
  Unparsed unparsed;
  std::vector<ArrayRow> waste, by_bytes;
  std::vector<UndonatedRow> undonated;  // those first whose donation saves memory
  std::vector<UndonatedRow> rewritten;  // of which a loop makes the result in memory of its own
  int64_t undonated_bytes = 0;          // whose donation saves memory
  int64_t rewritten_bytes = 0;
  int64_t undonated_left_out = 0, rewritten_left_out = 0;
  std::vector<ArrayGroup> largest;  // of all arrays
  int64_t largest_left_out = 0;
  std::vector<RelayoutRow> relayouts;
  int64_t arrays_left_out = 0, relayouts_left_out = 0;
  std::vector<SpaceRow> spaces;  // empty without a buffer assignment
  std::vector<Fit> fits;         // into the target's memory, where that is known

  int64_t wasted() const;                    // of arguments, constants and values
  std::optional<int64_t> allocated() const;  // in all memory spaces
  std::optional<int64_t> temporary() const;
  int64_t temporary_bytes = -1;
};

struct SummaryOptions {
  size_t rows = 5;       // of each table
  size_t blocks = 0;     // of each memory space, with its timeline: for drawing
  bool interiors = false;
  std::optional<int64_t> space;  // only arrays there
};

Summary summary_of(Module* module, const Costs& costs, const SummaryOptions& wanted, std::optional<Target> target);

// "S(1)", or "S(1) vmem" where the target has a name for it.
std::string space_text(int64_t space, std::optional<Target> target);

}  // namespace xlashape::cli
