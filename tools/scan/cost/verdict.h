/* SPDX-License-Identifier: Apache-2.0 */
// What a copy, a transpose, a reshape or a bitcast does to memory.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "scan/program/program.h"

namespace xlashape::cli {

enum class Verdict : uint8_t {
  kMoves,      // bytes change their order
  kDuplicate,  // the same bytes once more: equal layouts in the same memory space
  kSpace,      // the same layout in another memory space
  kFree,       // proven to move nothing
  kUnproven,   // a bitcast, so XLA says that it moves nothing; it is not proven here
};
inline constexpr Verdict kVerdicts[] = {Verdict::kMoves, Verdict::kDuplicate, Verdict::kSpace, Verdict::kFree,
                                        Verdict::kUnproven};
std::string_view name(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::kUnproven;
  uint32_t from = kNone, to = kNone;  // shapes
  uint32_t cause = kNone;             // of a fusion that moves: the instruction inside that does
};

// Judges each pair of shapes once: a program repeats them.
class Judge {
 public:
  explicit Judge(const Program& program) : program_(program) {}
  // False for an instruction that is no relayout, of which a shape is not known, or which cannot be.
  bool judge(uint32_t number, Judgement* judgement);

 private:
  bool shapes_of(const Instruction& instruction, uint32_t* from, uint32_t* to) const;
  std::optional<Verdict> verdict_of(const Instruction& instruction, const Shape& from, const Shape& to) const;

  struct Body {
    bool relayout = false;
    Verdict verdict = Verdict::kUnproven;
    uint32_t cause = kNone;
  };
  // Of a fusion's body; many fusions may have the same.
  const Body& body_of(uint32_t computation);

  const Program& program_;
  std::unordered_map<std::string, std::optional<Verdict>> known_;
  std::unordered_map<uint32_t, Body> bodies_;
};

// Why bytes move, in a few words: "dimension 2 becomes minor-most", "tiles T(8,128) become T(4,128)".
std::string why_it_moves(const Program& program, uint32_t relayout, const Judgement& judgement);

}  // namespace xlashape::cli
