/* SPDX-License-Identifier: Apache-2.0 */
// Which arguments could share their memory with a result, and what that would save.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "scan/program/program.h"

namespace xlashape::cli {

// What XLA does where an argument is donated, with its result in the argument's memory.
enum class Donation : uint8_t {
  kSaves,  // the result is made where the argument is
  kLoop,  // a while makes the result in memory of its own and still reads the argument: the result is copied at its end
  kRead,  // the argument is read when the result is made, or later: one of the two is copied
};
std::string_view name(Donation donation);

// An array of an argument, which is the parameter `instruction` of the entry, or a part of it.
struct Argument {
  uint32_t instruction = kNone, shape = kNone;
  size_t leaf = 0;       // the number of the array within the parameter
  bool aliased = false;  // it shares its memory with a result already
};
struct Undonated {
  size_t argument = 0;  // of the list that was asked about
  Donation donation = Donation::kSaves;
  uint32_t blocked_by = kNone;  // the while, or the last instruction that reads the argument
};

// Of a scheduled program: the arguments that have the shape and layout of a result and share no memory. As jax does it,
// the first argument of a shape gets the first result of that shape, and so on. `arguments`, and `results`, the shapes
// of the results: in order.
std::vector<Undonated> undonated(const Program& program, const std::vector<Argument>& arguments,
                                 const std::vector<uint32_t>& results);

}  // namespace xlashape::cli
