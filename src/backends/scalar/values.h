/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts with a value step, element by element.
#pragma once
#include <optional>

#include "backends/common/element.h"
#include "backends/common/guarded_loops.h"
#include "backends/common/packed_writer.h"
#include "backends/common/values.h"
#include "backends/scalar/relayout.h"

namespace xlashape::scalar {

// What a container of the source becomes.
class ElementStep {
 public:
  explicit ElementStep(const xlashape_relayout_ir& ir) : keep_(backends::conversion(ir)), values_(ir.values) {
    if (values_ != nullptr && (values_->flags & XLASHAPE_VALUES_CONVERT) != 0) step_.emplace(*values_);
  }
  // Of the element at `index` of the source.
  backends::Wide operator()(const backends::Wide& value, const int64_t* index) const {
    if (!step_) return keep_(value);
    return at_channel(value, step_->has_channels() ? index[values_->scale_dimension] : 0);
  }
  backends::Wide at_channel(const backends::Wide& value, int64_t channel) const;

 private:
  const backends::Conversion keep_;
  const xlashape_value_ir* const values_;
  std::optional<backends::ValueStep> step_;
};

// Moves the rectangles of a nest.
class ValueMover {
 public:
  ValueMover(const xlashape_relayout_ir& ir, const ScalarRelayoutPlan& plan, const char* src, char* dst, bool shared)
      : ir_(ir), plan_(plan), src_(src), dst_(dst), shared_(shared), step_(ir) {}
  void operator()(const backends::LoopRange* ranges) const;

 private:
  const xlashape_relayout_ir& ir_;
  const ScalarRelayoutPlan& plan_;
  const char* const src_;
  char* const dst_;
  const bool shared_;
  const ElementStep step_;
};

}  // namespace xlashape::scalar
