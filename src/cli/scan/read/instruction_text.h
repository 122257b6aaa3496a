// One instruction of HLO text:
//     ROOT %add.3 = f32[2]{0} add(%a, %b), metadata={op_name="jit(f)/add" stack_frame_id=2}
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/scan/program/program.h"
#include "cli/scan/program/source.h"

namespace xlashape::cli {

class InstructionReader {
 public:
  InstructionReader(Program* program, ProgramBuilder* builder) : program_(*program), builder_(*builder) {}

  SourceTable& sources() { return sources_; }
  // Reads a line without the blanks around it into the builder. Null, or why it is not understood; then nothing is added,
  // or only an instruction without a shape.
  const char* read(std::string_view line, uint64_t number);

 private:
  void operands(Opcode opcode, std::string_view text, uint32_t shape);
  void attributes(uint32_t instruction, std::string_view text);
  void attribute(uint32_t instruction, std::string_view key, std::string_view value);
  void metadata(uint32_t instruction, std::string_view text);
  void called(std::string_view names);
  uint32_t source_of(int64_t frame);

  Program& program_;
  ProgramBuilder& builder_;
  SourceTable sources_;
  std::unordered_map<int64_t, uint32_t> source_of_frame_;
  std::string_view body_;  // of a while, to be called after its condition
};

}  // namespace xlashape::cli
