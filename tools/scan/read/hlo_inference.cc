// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/base/array.h"
#include "cli/base/number.h"
#include "hlo_instruction.h"

namespace xlashape::cli {
namespace {

// Others whose result has the shape of the first operand.
constexpr std::string_view kLikeFirst[] = {"add-dependency", "copy", "domain", "opt-barrier",
                                           "reverse",        "sort", "while"};

// Of a tuple without a shape: n lines of tuples of tuples have 2^n leaves.
constexpr size_t kMostLeaves = 1 << 12;

class Inference {
 public:
  Inference(Program* program, const ProgramBuilder& builder, const Instruction& instruction)
      : program_(*program), builder_(builder), instruction_(instruction) {
    const ListRange range = instruction.operands;
    for (uint32_t i = range.first; i < range.first + range.count; ++i) {
      const uint32_t operand = builder.found_operand(i);
      known_ = known_ && operand != kNone && program->at(operand).shape != kNone;
      if (known_) operands_.push_back(program->shapes.facts(program->at(operand).shape).shape);
    }
  }

  uint32_t run() {
    const std::string_view opcode = program_.text(instruction_.opcode_name);
    if (opcode == "after-all") return program_.shapes.of(Shape::token());
    if (opcode == "partition-id" || opcode == "replica-id") return program_.shapes.of("u32[]");
    if (!known_) return kNone;
    if (opcode == "tuple") return tuple();
    if (opcode == "call" || opcode == "conditional") return result_of_called();
    if (operands_.empty()) return kNone;
    const Shape& first = operands_[0];
    if (opcode == "get-tuple-element" && instruction_.number_count == 1)
      return of(first.try_tuple_element(program_.numbers[instruction_.first_number]));
    if (opcode == "sort" && operands_.size() > 1) return tuple();
    if (std::find(std::begin(kLikeFirst), std::end(kLikeFirst), opcode) != std::end(kLikeFirst)) return of(first);
    if (!is_array(first)) return kNone;
    if (opcode == "compare" || opcode == "is-finite") return of(first.try_with_element_type(ElementType::kPred));
    if (opcode == "select" || opcode == "clamp") return operands_.size() == 3 ? of(operands_[1]) : kNone;
    if (opcode == "real" || opcode == "imag") return of(first.try_with_element_type(part_of(first.element_type())));
    if (opcode == "convert" || opcode == "bitcast-convert" || opcode == "complex") return kNone;  // of another type
    if (is_elementwise(opcode)) return of(first);
    if (opcode == "transpose") {
      // The elements stay where they are, so that a layout must be known: row-major where none is said.
      const Result<Shape> laid_out = Shape::try_parse(first.to_string());
      const auto numbers = program_.numbers_of(instruction_);
      const std::vector<int64_t> permutation(numbers.begin(), numbers.end());
      return laid_out ? of(laid_out->try_permute_dimensions(permutation)) : kNone;
    }
    return kNone;
  }

 private:
  uint32_t of(const Shape& shape) { return shape ? program_.shapes.of(shape) : kNone; }
  uint32_t of(const Result<Shape>& shape) { return shape ? of(*shape) : kNone; }

  uint32_t tuple() {
    size_t leaves = 0;
    for (const Shape& operand : operands_) leaves += static_cast<size_t>(operand.leaf_count());
    return leaves <= kMostLeaves ? of(Shape::try_tuple(operands_)) : kNone;
  }

  static ElementType part_of(ElementType type) {
    if (type == ElementType::kC64) return ElementType::kF32;
    return type == ElementType::kC128 ? ElementType::kF64 : type;
  }

  uint32_t result_of_called() const {
    if (instruction_.called.count == 0) return kNone;
    const uint32_t called = builder_.found_computation(program_.called[instruction_.called.first]);
    if (called == kNone) return kNone;
    const Computation& computation = program_.computations[called];
    const uint32_t count = computation.instructions.count;
    if (computation.root != kNone) return program_.at(computation.root).shape;
    return count == 0 ? kNone : program_.at(computation.instructions.first + count - 1).shape;
  }

  Program& program_;
  const ProgramBuilder& builder_;
  const Instruction instruction_;
  std::vector<Shape> operands_;
  bool known_ = true;
};

}  // namespace

uint32_t inferred_shape(Program* program, const ProgramBuilder& builder, const Instruction& instruction) {
  return Inference(program, builder, instruction).run();
}

}  // namespace xlashape::cli
