/* SPDX-License-Identifier: Apache-2.0 */
// The runtime that everything is measured on, as the options ask for it.
#pragma once
#include "library.h"
#include "options.h"
#include "team.h"

namespace bench {

class Session {
 public:
  explicit Session(const Options& options);
  xlashape_runtime* runtime() const { return runtime_.get(); }
  Team& team() const { return team_; }
  // `measure_seconds`: how long the plan's candidates may be timed; what is learned is forgotten.
  Plan plan(const xlashape_shape* src, const xlashape_shape* dst, double measure_seconds = 0) const;

 private:
  mutable Team team_;
  Runtime runtime_;
  std::string backend_;
};

}  // namespace bench
