/* SPDX-License-Identifier: Apache-2.0 */
// Instructions of HLO text: what a statement says goes into a program.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hlo_statement.h"
#include "scan/program/program.h"
#include "scan/program/source.h"

namespace xlashape::cli {

class InstructionReader {
 public:
  InstructionReader(Program* program, ProgramBuilder* builder) : program_(*program), builder_(*builder) {}

  SourceTable& sources() { return sources_; }
  // Null, or why the statement is not understood as a whole. What is known is added nevertheless.
  const char* read(const HloStatement& statement, uint64_t line);

  // Computations that stand within an instruction. They come into the program when the one around them has ended.
  struct InlineComputation {
    std::string name, text;
    uint64_t line = 0;
  };
  std::vector<InlineComputation> take_inline() { return std::move(inline_); }

  // The shape that a text says, in whatever way it is written; kNone where it is none.
  uint32_t shape_of(std::string_view text);

 private:
  struct InstructionParts {
    std::string_view name, shape, opcode, inside;
    bool root = false;
  };
  uint32_t add(const InstructionParts& parts);
  uint32_t operand(HloCursor* cursor);
  uint32_t typed_operand(std::string_view shape, std::string_view name);
  uint32_t nested(HloCursor* cursor, std::string_view shape);
  uint32_t element_of(uint32_t tuple, std::string_view name, HloCursor* cursor);
  void literal(uint32_t instruction, std::string_view text);
  void attribute(uint32_t instruction, std::string_view key, std::string_view value);
  void metadata(uint32_t instruction, std::string_view text);
  void called(uint32_t instruction, std::string_view names);
  void fail(const char* why) { why_ = why_ == nullptr ? why : why_; }
  uint32_t source_of(int64_t frame);

  Program& program_;
  ProgramBuilder& builder_;
  SourceTable sources_;
  std::unordered_map<int64_t, uint32_t> source_of_frame_;
  std::vector<InlineComputation> inline_;
  std::vector<uint32_t> operands_;  // of the instructions that are being read, one within the other
  std::string_view body_;           // of a while, to be called after its condition
  const char* why_ = nullptr;
  uint64_t line_ = 0;
  uint32_t depth_ = 0, unnamed_ = 0;
};

// The shape of an instruction that says none, from its operands and attributes, as XLA infers it; kNone where that is
// not simple. It must be the last one that was added.
uint32_t inferred_shape(Program* program, const ProgramBuilder& builder, const Instruction& instruction);

}  // namespace xlashape::cli
