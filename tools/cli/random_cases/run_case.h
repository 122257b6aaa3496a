/* SPDX-License-Identifier: Apache-2.0 */
// One relayout at real size, or in arrays far larger than the machine's memory, executed in several ways and compared
// with the expected result. For both self-tests.
#pragma once
#include <functional>

#include "cli/execution/execution.h"
#include "cli/execution/reference.h"
#include "random_case.h"
#include "region.h"

namespace xlashape::cli {

// A case that this machine does not allow, or that would take too long: it has no result.
struct NotRun {
  std::string why;
};

struct CaseOptions {
  int modes = 3;         // of execution, besides the plain one
  bool guarded = false;  // source read-only, inaccessible pages behind it: for a process that may die
  // Calls its argument where the first execution is to run; empty: at once.
  std::function<void(const std::function<void()>&)> stage;
};

// Throws a Failure where the result is wrong. *bytes becomes the memory used, if that is more.
void try_large(Random& random, const Plan& plan, const Request& request, const CaseOptions& case_options,
               int64_t* bytes);

// Boxes in arrays of more than 2^31 elements, and strides that reach as far. Only the pages with elements exist.
Request sparse_request(Random& random);
void try_sparse(Random& random, const Plan& plan, const Request& request, const CaseOptions& case_options,
                int64_t* bytes);

// Moves all of more than 2^31 elements: the source repeats itself by strides of 0, and most of the destination is one
// piece of memory mapped many times. Only windows are checked, among them those around 2^31, 2^32 and the ends.
inline constexpr int kHugeRequests = 5;
Request huge_request(int number);
// Runs a small part of it first; nothing that would take longer than `seconds` is run.
void try_huge(Random& random, const Runtime& runtime, const Request& request, double seconds, int64_t* bytes);

// Writes values that arithmetic would change into some elements: signalling NaNs, denormals, negative zero.
void fill_with_nans(std::span<uint8_t> bytes, int64_t bits, size_t every);

// Checks that a plan's requirements are valid and that it touches only the arrays.
void check_requirements(const xlashape_plan_requirements& needs, const ElementOffsets& from, const ElementOffsets& to);

// Compares a whole side with the expected bytes. `was`: its contents before, including the margins.
void compare(const Expected& expected, const RegionPlace& place, Bytes was, const std::string& how);
// The source must be unchanged, including the margins.
void compare_source(const RegionPlace& place, Bytes was);

// Bytes in memory order: "3f 80".
std::string bytes_text(Bytes bytes);

}  // namespace xlashape::cli
