// One relayout at real size, or in arrays far larger than the machine, carried out in several ways and held against what must
// come out. For both self-tests.
#pragma once
#include <functional>

#include "cli/movement/movement.h"
#include "cli/movement/reference.h"
#include "random_case.h"
#include "region.h"

namespace xlashape::cli {

// What this machine does not allow, or what would take too long: no verdict.
struct NotRun {
  std::string why;
};

struct Trial {
  int ways = 3;          // besides the one in one go
  bool guarded = false;  // the source may not be written to, and forbidden pages follow it: for a process that may die
  // Calls its argument where the first execution is to run; empty: at once.
  std::function<void(const std::function<void()>&)> stage;
};

// Throws Failure with what is wrong. *bytes becomes the memory taken, where that is more.
void try_large(Random& random, const Plan& plan, const Request& request, const Trial& trial, int64_t* bytes);

// Boxes in arrays of more than 2^31 elements, and strides that reach as far. Only the pages with elements exist.
Request far_request(Random& random);
void try_far(Random& random, const Plan& plan, const Request& request, const Trial& trial, int64_t* bytes);

// More than 2^31 elements that are all moved: the source repeats itself by strides of 0, and most of the destination is one
// piece of memory mapped again and again; what lies in windows, around 2^31, 2^32 and the ends among them, is looked at.
inline constexpr int kVastRequests = 5;
Request vast_request(int number);
// Tries a small part of it first: what would take longer than `seconds` is not run.
void try_vast(Random& random, const Runtime& runtime, const Request& request, double seconds, int64_t* bytes);

// Integers that arithmetic would not leave alone, in every so many elements: signalling NaNs, denormals, negative zero.
void fill_with_nans(std::span<uint8_t> bytes, int64_t bits, size_t every);

// What a plan asks for must make sense, and it may touch no more than the arrays.
void check_requirements(const xlashape_plan_requirements& needs, const Side& from, const Side& to);

// Compares a whole place with what must be there. `was`: what it held, margins and all.
void compare(const Expected& expected, const Place& place, Bytes was, const std::string& how);
// The source must be as it was, margins and all.
void compare_source(const Place& place, Bytes was);

// Bytes as they lie: "3f 80".
std::string bytes_text(Bytes bytes);

}  // namespace xlashape::cli
