/* SPDX-License-Identifier: Apache-2.0 */
// A compiled program as a dump tells it: computations, instructions, and what connects them. Readers fill it through
// ProgramBuilder, whatever the format; what an instruction costs is told by others.
//
// An instruction takes about 100 bytes with its name, so that dumps of gigabytes fit: texts that repeat are numbers of
// a TextPool, and lists are ranges of one vector.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pool.h"
#include "shapes.h"

namespace xlashape::cli {

// The instructions about which something is known here; all others are kOther, and have only a name.
enum class Opcode : uint8_t {
  kOther,
  kParameter,
  kConstant,
  kTuple,
  kGetTupleElement,
  kBitcast,
  kCopy,
  kCopyStart,
  kTranspose,
  kReshape,
  kFusion,
  kWhile,
  kCall,
  kConditional,
  kAsyncStart,
  kAsyncUpdate,  // and each other "-update"
  kAsyncDone,    // likewise
  kStart,        // a "-start" that is none of those here
  kAdd,
  kSubtract,
  kCompare,
  kAfterAll,
  kOptimizationBarrier,
  kAddDependency,
  kDomain,
  kDynamicUpdateSlice,
  kConcatBitcast,  // a custom call of TPUs: pieces that lie behind each other are seen as one array
  kUnread,         // not an opcode: nobody has looked yet
};
Opcode opcode_named(std::string_view name);
// Whether each element of the result is made of the elements at the same place of the operands.
bool is_elementwise(std::string_view opcode);

struct ListRange {
  uint32_t first = 0, count = 0;
};

struct Instruction {
  uint64_t name = 0;             // see Program::name_of
  uint32_t line = 0;             // of the text; 0 where the dump has no lines
  uint32_t opcode_name = kNone;  // of Program::texts, as all texts here
  uint32_t shape = kNone;        // of Program::shapes; kNone where it could not be read
  uint32_t computation = kNone;
  uint32_t op_name = kNone;   // what the program's author wrote: "jit(decode)/mul"
  uint32_t source = kNone;    // "decode.py:44"
  ListRange operands;         // of Program::operands
  ListRange called;           // of Program::called
  uint32_t first_number = 0;  // of Program::numbers: what the opcode needs, see ProgramBuilder::number
  uint16_t number_count = 0;
  Opcode opcode = Opcode::kOther;
  bool root : 1 = false;  // the text says so
  // "call-start", "fusion-start": so XLA prints an async-start whose computation only does what `opcode` says.
  bool starts : 1 = false;
};
static_assert(sizeof(Instruction) <= 56);

struct Computation {
  uint32_t name = kNone;
  ListRange instructions;
  uint32_t root = kNone;  // kNone where it is not known
};

struct ProgramHead {
  std::string name;                   // of the module: "jit_decode"
  std::string format;                 // "hlo", "hlo_proto", "stablehlo"
  bool scheduled = false;             // the order of instructions is the order of execution
  std::optional<int64_t> partitions;  // devices that share the program's arrays; protos do not say it
  bool partitioned = true;            // false: shapes are those of all devices together
};

struct Program : ProgramHead {
  TextPool texts;
  Shapes shapes;
  Block<char> names;  // of instructions, each behind its length
  std::vector<Computation> computations;
  Block<Instruction> instructions;
  Block<uint32_t> operands;  // instructions; kNone for a name that the computation has not
  Block<uint32_t> called;    // computations; kNone for a name that the module has not
  Block<int64_t> numbers;
  uint32_t entry = kNone;
  std::vector<uint32_t>
      entry_parameters;  // shapes that the module's head gives (entry_computation_layout); may be empty
  uint32_t entry_result = kNone;
  uint32_t entry_signature = kNone;         // what the entry's own head says of its result; without layouts
  std::vector<int64_t> aliased_parameters;  // of the entry, one for each array that shares its memory with a result
  std::vector<int64_t> donated_parameters;  // likewise, for arrays that are donated and share none
  std::vector<uint32_t> repeated;           // instructions whose names the computation has already
  uint64_t text_bytes = 0;
  bool fragment = false;  // instructions without their computation: nothing is known of arguments and results

  std::string_view name_of(const Instruction& instruction) const;
  const Instruction& at(uint32_t instruction) const { return instructions[instruction]; }
  std::span<const uint32_t> operands_of(const Instruction& instruction) const;
  std::span<const uint32_t> called_by(const Instruction& instruction) const;
  std::span<const int64_t> numbers_of(const Instruction& instruction) const;
  std::optional<int64_t> first_number_of(const Instruction& instruction) const;
  std::span<const Instruction> instructions_of(const Computation& computation) const;
  // The shape of what the instruction makes, of a copy, a transpose, a reshape or a fusion also where it begins it;
  // kNone where that is not known.
  uint32_t made_by(const Instruction& instruction) const;
  std::string_view text(uint32_t number) const { return number == kNone ? std::string_view() : texts.text(number); }
};

// Fills a program in the order in which a dump is written. Names of operands count within their computation and may
// come before their instruction; names of computations likewise within the module.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(Program* program) : program_(*program) {}

  void begin_computation(std::string_view name, bool entry);
  bool in_computation() const { return in_computation_; }
  // The instruction that the calls below are about. `shape`: of Program::shapes.
  Instruction& add(std::string_view name, std::string_view opcode, uint32_t shape, bool root);
  void operand(std::string_view name) { operand(local(name)); }
  // The same by number: a name's is known before its instruction is, and while others are added.
  uint32_t local(std::string_view name) { return names_.of(name); }
  void operand(uint32_t local);
  // The instruction that the open computation has so far by that name, and the one that an operand is; or kNone.
  uint32_t found(uint32_t local) const { return local < instruction_of_.size() ? instruction_of_[local] : kNone; }
  uint32_t found_operand(uint32_t operand) const { return found(program_.operands[operand]); }
  // The computation of that name so far, or kNone.
  uint32_t found_computation(uint32_t name) const {
    return name < computation_of_.size() ? computation_of_[name] : kNone;
  }
  // A computation that the instruction calls: of a while the condition first, then the body.
  void called(std::string_view computation);
  // By opcode. parameter: which one; get-tuple-element: which element; transpose: the permutation; compare: its
  // Direction; constant: its value, where it is one integer; while: how often it runs, where the dump says so. Of more
  // than 65535 the rest is lost.
  void number(int64_t value);
  void end_computation();
  // Once, at the module's end. `last_is_root`: where no line says ROOT it is the last one, as for XLA; false where one
  // may be missing.
  void finish(bool last_is_root);
  // Where no computation was said to be the entry.
  void entry(uint32_t computation) { program_.entry = computation; }

  enum Direction : int64_t { kEqual, kNotEqual, kGreaterEqual, kGreater, kLessEqual, kLess };

 private:
  Program& program_;
  TextPool names_;                        // of the computation's instructions and operands
  std::vector<uint32_t> instruction_of_;  // by the number in names_
  std::vector<uint32_t> computation_of_;  // by the number in texts
  std::vector<Opcode> opcodes_;           // by the number in texts
  size_t first_operand_ = 0;              // of the computation
  bool in_computation_ = false;
};

// While, call, conditional and async-start: what they call runs with its values in memory. Only what begins them does:
// an older XLA names the computation at call-done, too.
bool runs_what_it_calls(const Instruction& instruction);
// Whether a copy, a transpose or a reshape can make `to` of `from`: XLA's own reader refuses others.
bool can_be(Opcode relayout, const Shape& from, const Shape& to);
// Of "LT" and the like.
std::optional<ProgramBuilder::Direction> direction_named(std::string_view word);
// How often a loop runs, where its backend_config says so: {"known_trip_count":{"n":"12"}}.
std::optional<int64_t> known_trip_count(std::string_view backend_config);

}  // namespace xlashape::cli
