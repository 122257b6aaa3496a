/* SPDX-License-Identifier: Apache-2.0 */
// The work of each kind of step of a relayout within one array.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "exec/plan.h"
#include "plan/in_place.h"

namespace xlashape::core {

// One step, as units of work that may run in any order and on several threads.
struct InPlaceWork {
  int64_t units = 0;
  int64_t least_units = 1;    // in one go, as fewer are not worth it
  int64_t scratch_bytes = 0;  // for each that runs at a time
  int64_t kept_bytes = 0;     // of what stays until another step takes it

  virtual ~InPlaceWork() = default;
  // Does units [begin, end) in the array. `kept` is the same memory for all steps.
  virtual Status run(uint64_t array, int64_t begin, int64_t end, char* scratch, char* kept, Error* err) const = 0;
  virtual void describe(std::string* text) const = 0;
};

// Has a backend plan the movement of units of so many bytes, by the digits' strides.
using MakePart =
    std::function<Status(int64_t unit, const std::vector<Digit>& digits, Ref<xlashape_plan>* part, Error* err)>;

Status make_work(InPlaceStep step, const InPlaceSizes& sizes, const MakePart& make_part,
                 std::unique_ptr<InPlaceWork>* work, Error* err);

}  // namespace xlashape::core
