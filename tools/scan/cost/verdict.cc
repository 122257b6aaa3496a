// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <vector>
#include <xlashape/bitcast.hpp>
#include <xlashape/layout.hpp>

#include "cli/base/array.h"
#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

// Where an array is: its memory space, and how the cores share it. All else is its order in memory.
constexpr uint32_t kPlace = XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE | XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS;

bool same_place(const Shape& a, const Shape& b) {
  const Layout x = layout_of(a), y = layout_of(b);
  return x.memory_space() == y.memory_space() && x.split_count() == y.split_count();
}

bool reshape_is_free(const Shape& from, const Shape& to) {
  return from.reshape_is_bitcast(to, XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE);
}

// XLA says of each bitcast that it moves nothing; this is whether that can be proven.
bool bitcast_is_free(const Shape& from, const Shape& to) {
  constexpr uint32_t kFlags = XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE;
  // Elements of another width have no places that could be compared: all bytes of the one are the other.
  if (value_bits(from.element_type()) != value_bits(to.element_type())) {
    const Result<int64_t> a = from.try_byte_size(), b = to.try_byte_size();
    return a && b && *a == *b;
  }
  return reshape_is_free(from, to) ||
         xlashape_shape_is_reshape_or_transpose_bitcast(from.get(), to.get(), kFlags) != 0 ||
         static_cast<bool>(try_decompose_bitcast(from, to, kFlags)) ||
         reshape_is_free(from.to_physical_order(), to.to_physical_order());
}

// Whether each element is as far from the first one in both, as in {0} and {0:T(1024)}.
bool same_places(const Shape& a, const Shape& b) {
  const Result<Integers> x = a.try_strides(Unit::kBits), y = b.try_strides(Unit::kBits);
  if (!x || !y || x->size() != y->size() || container_bits(a) != container_bits(b)) return false;
  const Integers dimensions = a.dimensions();
  for (size_t i = 0; i < x->size(); ++i)
    if (dimensions[i] > 1 && (*x)[i] != (*y)[i]) return false;
  return true;
}

std::vector<int64_t> permutation_of(const Program& program, const Instruction& transpose, int64_t rank) {
  const auto numbers = program.numbers_of(transpose);
  if (static_cast<int64_t>(numbers.size()) == rank) return {numbers.begin(), numbers.end()};
  return {};
}

// Those of `order` that must move to get `wanted`: all but a longest part that both have in the same order.
std::vector<int64_t> moved(const Integers& order, const Integers& wanted) {
  std::vector<int64_t> place(order.size());
  for (size_t i = 0; i < wanted.size(); ++i) place[static_cast<size_t>(wanted[i])] = static_cast<int64_t>(i);
  const size_t count = order.size();
  std::vector<size_t> before(count, count), ends;  // ends[n]: the last of the best increasing sequence of n + 1
  for (size_t i = 0; i < count; ++i) {
    const auto value = [&](size_t at) { return place[static_cast<size_t>(order[at])]; };
    const auto at =
        std::lower_bound(ends.begin(), ends.end(), i, [&](size_t a, size_t b) { return value(a) < value(b); });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end())
      ends.push_back(i);
    else
      *at = i;
  }
  std::vector<bool> stays(count, false);
  for (size_t at = ends.empty() ? count : ends.back(); at < count; at = before[at]) stays[at] = true;
  std::vector<int64_t> out;
  for (size_t i = 0; i < count; ++i)
    if (!stays[i]) out.push_back(order[i]);
  std::sort(out.begin(), out.end());
  return out;
}

std::string tiles_of(const Shape& shape) {
  if (!shape.has_layout()) return "";
  const std::string text = shape.layout().to_string();
  const size_t begin = text.find("T("), end = begin == std::string::npos ? begin : text.rfind(')');
  if (begin == std::string::npos || end < begin) return "";
  // Behind the tiles there may be other fields in brackets, each of which begins with a letter.
  size_t stop = begin + 1;
  while (stop < text.size() && text[stop] == '(') stop = std::min(text.find(')', stop), text.size() - 1) + 1;
  return text.substr(begin, stop - begin);
}

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::string_view kNames[] = {"moves", "duplicate", "space", "free", "unproven"};
  return kNames[static_cast<size_t>(verdict)];
}

// A fusion of nothing but relayouts is a relayout itself.
const Judge::Body& Judge::body_of(uint32_t computation) {
  const auto [known, is_new] = bodies_.try_emplace(computation);
  if (!is_new) return known->second;
  const ListRange inside = program_.computations[computation].instructions;
  Body body;
  body.verdict = Verdict::kDuplicate;  // what a fusion writes is written anew
  for (uint32_t i = inside.first; i < inside.first + inside.count; ++i) {
    Judgement part;
    switch (program_.at(i).opcode) {
      case Opcode::kParameter:
        continue;
      case Opcode::kCopy:
      case Opcode::kTranspose:
      case Opcode::kReshape:
        body.relayout = true;
        [[fallthrough]];
      case Opcode::kBitcast:
        if (judge(i, &part)) break;
        [[fallthrough]];
      default:
        return bodies_[computation] = Body();
    }
    if (part.verdict != Verdict::kMoves) continue;
    body.verdict = Verdict::kMoves;
    body.cause = i;
  }
  return bodies_[computation] = body;
}

bool Judge::shapes_of(const Instruction& instruction, uint32_t* from, uint32_t* to) const {
  const auto operands = program_.operands_of(instruction);
  if (operands.empty() || operands[0] == kNone) return false;
  *from = program_.at(operands[0]).shape;
  *to = program_.made_by(instruction);
  return *from != kNone && *to != kNone && program_.shapes.facts(*from).array && program_.shapes.facts(*to).array;
}

std::optional<Verdict> Judge::verdict_of(const Instruction& instruction, const Shape& from, const Shape& to) const {
  if (!can_be(instruction.opcode, from, to)) return std::nullopt;
  const Shape a = from.without_layout_fields(kPlace), b = to.without_layout_fields(kPlace);
  const Verdict same = same_place(from, to) ? Verdict::kFree : Verdict::kSpace;
  switch (instruction.opcode) {
    case Opcode::kCopy:
    case Opcode::kCopyStart: {
      if (a == b) return same == Verdict::kSpace ? same : Verdict::kDuplicate;
      std::vector<int64_t> identity(static_cast<size_t>(a.rank()));
      std::iota(identity.begin(), identity.end(), 0);
      // A copy writes its bytes anew even where none changes its place.
      if (!a.transpose_is_bitcast(b, identity) && !same_places(a, b)) return Verdict::kMoves;
      return same == Verdict::kSpace ? same : Verdict::kDuplicate;
    }
    case Opcode::kTranspose:
      return a.transpose_is_bitcast(b, permutation_of(program_, instruction, a.rank())) ? same : Verdict::kMoves;
    case Opcode::kReshape:
      if (reshape_is_free(a, b)) return same;
      if (a.dimensions() != b.dimensions() || !same_places(a, b)) return Verdict::kMoves;
      return same == Verdict::kSpace ? same : Verdict::kDuplicate;  // padding comes or goes
    default:  // a bitcast stays where it is, whatever its memory space says within a fusion
      return bitcast_is_free(a, b) ? Verdict::kFree : Verdict::kUnproven;
  }
}

bool Judge::judge(uint32_t number, Judgement* judgement) {
  const Instruction& instruction = program_.at(number);
  switch (instruction.opcode) {
    case Opcode::kCopy:
    case Opcode::kCopyStart:
    case Opcode::kTranspose:
    case Opcode::kReshape:
    case Opcode::kBitcast:
      break;
    case Opcode::kFusion: {
      const auto called = program_.called_by(instruction);
      if (program_.operands_of(instruction).size() != 1 || called.size() != 1 || called[0] == kNone) return false;
      const Body& body = body_of(called[0]);
      judgement->verdict = body.verdict;
      judgement->cause = body.cause;
      return body.relayout && shapes_of(instruction, &judgement->from, &judgement->to);
    }
    default:
      return false;
  }
  if (!shapes_of(instruction, &judgement->from, &judgement->to)) return false;
  std::string key = fmt::format("{} {} {}", static_cast<int>(instruction.opcode), judgement->from, judgement->to);
  for (const int64_t number : program_.numbers_of(instruction)) key += fmt::format(" {}", number);
  auto known = known_.find(key);
  if (known == known_.end())
    known = known_
                .emplace(std::move(key), verdict_of(instruction, program_.shapes.facts(judgement->from).shape,
                                                    program_.shapes.facts(judgement->to).shape))
                .first;
  judgement->verdict = known->second.value_or(Verdict::kUnproven);
  return known->second.has_value();
}

std::string why_it_moves(const Program& program, uint32_t relayout, const Judgement& judgement) {
  if (judgement.cause != kNone) {
    const Instruction& inside = program.at(judgement.cause);
    Judgement part = judgement;
    part.cause = kNone;
    part.from = program.at(program.operands_of(inside)[0]).shape;
    part.to = inside.shape;
    return why_it_moves(program, judgement.cause, part);
  }
  Shape a = program.shapes.facts(judgement.from).shape;
  const Shape& to = program.shapes.facts(judgement.to).shape;
  if (program.at(relayout).opcode == Opcode::kTranspose) {
    const std::vector<int64_t> permutation = permutation_of(program, program.at(relayout), a.rank());
    // The array with its dimensions in the new order and its elements where they are.
    if (const Result<Shape> permuted = a.try_permute_dimensions(permutation)) a = *permuted;
  }
  if (a.dimensions() != to.dimensions()) return "the elements are in other rows than before";
  std::string why;
  const Integers before = order_of(a), after = order_of(to);
  if (before != after) {
    const std::vector<int64_t> dimensions = moved(before, after);
    why = fmt::format("{} {} {} place in memory: minor_to_major {{{}}} becomes {{{}}}",
                      dimensions.size() == 1 ? "dimension" : "dimensions", joined(dimensions, ", "),
                      dimensions.size() == 1 ? "changes its" : "change their", joined(before, ","), joined(after, ","));
  }
  const std::string old_tiles = tiles_of(a), new_tiles = tiles_of(to);
  if (old_tiles != new_tiles)
    why += fmt::format("{}tiles {} become {}", why.empty() ? "" : ", ", old_tiles.empty() ? "none" : old_tiles,
                       new_tiles.empty() ? "none" : new_tiles);
  return why.empty() ? "the elements have other places" : why;
}

}  // namespace xlashape::cli
