/* SPDX-License-Identifier: Apache-2.0 */
// What a compiler or an allocator says when memory does not suffice: numbers and arrays as the text states them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace xlashape::cli {

// "41.74G": the bytes, and how far the text's rounding may be from them. `bytes` is -1 where it says none.
struct StatedSize {
  int64_t bytes = -1;
  int64_t rounding = 0;
  bool known() const { return bytes >= 0; }
  bool operator==(const StatedSize&) const = default;
};

// A line of a table: "program  41.22G".
struct StatedPart {
  std::string name;
  StatedSize size;  // not known: "arguments  unknown size"
  StatedSize unpadded,
      fragmented;  // "(24.2% utilization: Unpadded (9.97G) Padded (41.19G), 0.7% fragmentation (1.1M))"
};

// An array, or memory without one, that a list names.
struct StatedBuffer {
  uint64_t line = 0;
  StatedSize size, unpadded, padding;
  std::string shape;    // as the text has it; empty where it has none
  std::string op_name;  // what the program's author wrote
  std::string source;   // "model.py:12"
  std::string label;    // of XLA: "copy.7"
  std::string kind;     // "HLO temp", "argument or result", "parameter"
};

struct MemoryReport {
  uint64_t line = 0;  // where it begins
  std::string what;   // its first sentence, shortened
  std::string space;  // "hbm", "vmem"; empty where it says none
  std::string module;
  StatedSize needed, available, over;
  std::vector<StatedPart> total, program;  // of all that is needed; of what the program itself needs
  std::vector<StatedBuffer> buffers;
  int64_t unread = 0;       // lines of its lists that were cut or say something else
  int64_t times = 1;        // that the text says the same
  bool fails = true;        // false: a table of what is used, not an error
  bool of_program = false;  // the compiler's numbers of all that a program needs, its code included
};
using OnMemoryReport = std::function<void(MemoryReport&&)>;

}  // namespace xlashape::cli
