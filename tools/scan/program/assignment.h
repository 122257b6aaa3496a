/* SPDX-License-Identifier: Apache-2.0 */
// Which value is where in memory, and when: XLA's buffer assignment, from its text or from an HloProto.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "pool.h"
#include "shapes.h"

namespace xlashape::cli {

// A value in an allocation. Several values may have the same bytes, one after the other or as one.
struct AssignedValue {
  uint32_t name = kNone;   // of Assignment::texts: the instruction and the place in its tuple, "copy-start.1{0}"
  uint32_t shape = kNone;  // of Assignment::shapes; kNone where it could not be read
  int64_t offset = 0, size = 0;
  int64_t begin = -1, end = -1;  // steps of the schedule, `end` the last; -1: not known
};

struct Allocation {
  enum class Use : uint8_t { kTemporary, kParameter, kConstant, kThreadLocal, kOutput };
  int64_t number = 0;
  int64_t size = 0;
  int64_t space = 0;  // XLA's color: the memory space
  Use use = Use::kTemporary;
  uint32_t first = 0, count = 0;  // of Assignment::values
};

inline std::string_view name(Allocation::Use use) {
  constexpr std::string_view kNames[] = {"temporary", "parameter", "constant", "thread-local", "output"};
  return kNames[static_cast<size_t>(use)];
}

struct Assignment {
  TextPool texts;
  Shapes shapes;
  std::vector<Allocation> allocations;
  std::vector<AssignedValue> values;
  std::vector<uint32_t> steps;  // the instruction at each step of the schedule, of `texts`; empty where it is not known
  bool empty() const { return allocations.empty(); }
};

}  // namespace xlashape::cli
