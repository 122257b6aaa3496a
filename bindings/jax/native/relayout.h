// One relayout: its plan, and what the arrays on both sides must look like.
#pragma once

#include <xlashape.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "failure.h"
#include "xla/ffi/api/c_api.h"

namespace xlashape_jax {

struct ShapeRelease {
  void operator()(xlashape_shape* shape) const { xlashape_shape_release(shape); }
};
using ShapeHandle = std::unique_ptr<xlashape_shape, ShapeRelease>;

struct PlanRelease {
  void operator()(xlashape_plan* plan) const { xlashape_plan_release(plan); }
};
using PlanHandle = std::unique_ptr<xlashape_plan, PlanRelease>;

// The array on one side: as elements that lie behind each other, or, if it has neither padding nor tiles, with its
// dimensions. Dimensions before that are those of a batch.
struct Side {
  xlashape_element_type type;
  std::vector<int64_t> dimensions;
  int64_t storage_elements;
  int64_t bytes;
  bool whole;        // every position holds an element
  bool ends_inside;  // the last byte has bits that belong to no position

  // How many arrays the buffer holds; -1 if it does not fit.
  int64_t count_of(const XLA_FFI_Buffer& buffer) const;
};

class Relayout {
 public:
  // The text by which equal relayouts are recognized, whatever the texts of their shapes: xlashape_plan_key. False, and
  // a failure that names the shapes, where these are none.
  static bool key_of(std::string_view from, std::string_view to, std::string* key, Failure* failure);

  // The relayout with that key. Null, and a failure that names the shapes, where there is none.
  static std::shared_ptr<const Relayout> make(std::string_view from, std::string_view to, std::string key,
                                              Failure* failure);

  // Moves one array, or a batch of them, on XLA's threads where it is large.
  bool run(const XLA_FFI_CallFrame& frame, const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to,
           Failure* failure) const;

  const std::string& key() const { return key_; }

 private:
  bool fits(const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to, int64_t* count, Failure* failure) const;
  bool move(const XLA_FFI_CallFrame& frame, int64_t count, const void* from, void* to, Failure* failure) const;

  std::string key_;
  PlanHandle plan_;
  Side from_;
  Side to_;
};

}  // namespace xlashape_jax
