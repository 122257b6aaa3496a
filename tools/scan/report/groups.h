/* SPDX-License-Identifier: Apache-2.0 */
// Equal arrays in one row: how many, their bytes, and which lines of code write them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scan/cost/costs.h"
#include "scan/cost/writers.h"

namespace xlashape::cli {

// Who made a value, and where.
struct InstructionOrigin {
  std::string name, computation, opcode, op_name, source;
  std::string operand;  // of an instruction without words of its own: what it takes, which has told these
  uint64_t line = 0;
  int64_t times = 1;
  bool times_known = true;
};

InstructionOrigin origin_of(const Program& program, const Costs& costs, const Writers::Writer& writer);

// Arrays of a group that one line of code writes.
struct WrittenArrays {
  InstructionOrigin origin;
  std::vector<std::string> names;  // some
  int64_t count = 0;
};

struct ArrayGroup {
  std::string shape;
  std::string_view use;  // "temporary"; "argument"
  int64_t count = 0, bytes = 0;
  std::vector<WrittenArrays> origins;  // of as many arrays as are looked at
  int64_t origins_left_out = 0;        // arrays that nobody looked at
};

// Groups arrays by shape and use, the one with the most bytes first.
class Groups {
 public:
  struct Group {
    int64_t count = 0, bytes = 0;
    std::vector<uint32_t> first;  // numbers of its first arrays
  };
  using Key = std::pair<std::string_view, std::string_view>;  // shape and use

  void add(std::string_view shape, std::string_view use, int64_t bytes, uint32_t number);
  std::vector<std::pair<Key, Group>> largest(size_t rows, int64_t* left_out) const;
  // The same as rows; `written` adds who writes the array of that number.
  std::vector<ArrayGroup> rows(size_t rows, int64_t* left_out,
                               const std::function<void(uint32_t number, ArrayGroup*)>& written) const;

 private:
  std::map<Key, Group> groups_;
};

// The last two parts of a path: "tools/progs.py:14".
std::string_view end_of_path(std::string_view source);

// Adds one array to those of its line of code.
void add_written(const std::string& name, InstructionOrigin origin, ArrayGroup* group);
// The line of code with the most arrays first; keeps some names.
void sort_written(ArrayGroup* group);

}  // namespace xlashape::cli
