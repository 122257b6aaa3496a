/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts within one array: runs the steps of plan/in_place.h one after the other, each as tasks.
#pragma once
#include "exec/in_place_steps.h"
#include "exec/tasks.h"

namespace xlashape::core {

class InPlace {
 public:
  // Plans the steps of a relayout that `ir` is the form of.
  static Status make(const xlashape_relayout_ir& ir, const InPlaceSizes& sizes, const MakePart& make_part,
                     std::unique_ptr<InPlace>* result, Error* err);

  // Of working memory for so many workers, or for fewer of them where it would be more than a quarter of the array. It
  // begins at a multiple of kScratchAlignment.
  int64_t scratch_bytes(int64_t workers) const;
  static constexpr int64_t kScratchAlignment = 64;

  // Moves the array at run.src, which is run.dst too. Without run.scratch the runtime's allocator provides it. Where it
  // does not come to its end, the array is neither what it was nor what it should be.
  Status execute(const Hooks& hooks, const xlashape_run& run, const xlashape_executor& executor, const Control& control,
                 Error* err) const;

  std::string describe() const;

 private:
  // How many tasks have memory to run at a time.
  int64_t pieces(int64_t workers) const;

  std::vector<std::unique_ptr<InPlaceWork>> steps_;
  int64_t bytes_ = 0;
  bool shares_ = false;  // whether more than one worker moves it
  int64_t piece_bytes_ = 0, kept_bytes_ = 0;  // of working memory: for each task at a time, and for all
};

}  // namespace xlashape::core
