/* SPDX-License-Identifier: Apache-2.0 */
// Operations of MLIR's text until the region around them ends: regions nest, and a program's computations do not, so a
// region's operations become a computation only at its end, those of inner regions first.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mlir_locations.h"
#include "scan/program/module.h"

namespace xlashape::cli {

class MlirRegions {
 public:
  enum class RegionKind : uint8_t { kModule, kFunction, kRegion, kSkipped };

  struct Operation {
    uint64_t line = 0;
    uint32_t name = kNone, opcode = kNone;  // of Program::texts
    uint32_t shape = kNone;
    uint32_t location = kNone;
    uint32_t results = 0;
    ListRange operands, called, numbers;  // of the lists below
    uint32_t regions = 0;                 // how many have begun
    bool root = false, typed = false;
    bool memory = true;  // has arrays; what has none is no instruction
  };

  MlirRegions(Program* program, Unparsed* unparsed, MlirLocations* locations)
      : program_(*program), unparsed_(*unparsed), locations_(*locations), builder_(program) {}

  bool empty() const { return open_.empty(); }
  RegionKind kind() const { return open_.back().kind; }
  bool in_computation() const { return !empty() && (kind() == RegionKind::kFunction || kind() == RegionKind::kRegion); }
  bool skipped() const { return !empty() && kind() == RegionKind::kSkipped; }

  void begin(RegionKind kind, std::string_view name, bool entry);
  // The region of the last operation; its values in this region are those that it begins with.
  void begin_region();
  void end();
  void finish();  // at the module's end: where instructions come from is known only then

  Operation& add(std::string_view name, std::string_view opcode, uint64_t line);
  Operation* last();
  void operand(std::string_view name);
  void called(std::string_view function);
  void number(int64_t value);
  // A value that the last operation's regions begin with.
  void iteration(std::string_view name, uint32_t shape);
  void parameter(std::string_view name, uint32_t shape, uint32_t location, uint64_t line);
  // Another name of an operation's result.
  void alias(std::string_view name, std::string_view operation);

 private:
  struct Frame {
    RegionKind kind = RegionKind::kModule;
    bool entry = false;
    uint32_t name = kNone;
    uint32_t operations = 0, operands = 0, called = 0, numbers = 0, iterations = 0, aliases = 0;  // where they begin
    int64_t parameters = 0;
  };
  struct Named {
    uint32_t name = kNone, other = kNone;
  };
  void emit(const Frame& frame);
  uint32_t name_of_region(const Operation& owner);

  Program& program_;
  Unparsed& unparsed_;
  MlirLocations& locations_;
  ProgramBuilder builder_;
  std::vector<Frame> open_;
  std::vector<Operation> operations_;
  std::vector<uint32_t> operands_, called_;  // names
  std::vector<int64_t> numbers_;
  std::vector<Named> iterations_;       // names and shapes
  std::vector<Named> aliases_;          // names and operations' names
  std::vector<uint32_t> used_;          // by the number of a region's name: how often
  std::vector<uint32_t> location_of_;   // by instruction
  std::vector<Opcode> opcodes_;         // by the number in texts
  std::vector<uint32_t> operation_of_;  // by the number of a name, while a computation is written: an alias's operation
};

}  // namespace xlashape::cli
