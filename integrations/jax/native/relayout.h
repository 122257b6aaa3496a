/* SPDX-License-Identifier: Apache-2.0 */
// One relayout: its plan, and what the arrays on both sides must look like.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>
#include <xlashape.hpp>

#include "failure.h"
#include "xla/ffi/api/c_api.h"

namespace xlashape_jax {

// The array on one side: as elements that lie behind each other, or, if it has neither padding nor tiles, with its
// dimensions. Dimensions before that are those of a batch.
struct Side {
  // Throws where elements have another width than in XLA's memory: the plan would leave the array.
  explicit Side(const xlashape::Shape& shape);

  // How many arrays the buffer holds; -1 if it does not fit.
  int64_t count_of(const XLA_FFI_Buffer& buffer) const;

  xlashape::ElementType type;
  std::vector<int64_t> dimensions;
  int64_t storage_elements;
  int64_t bytes;
  bool whole;        // every position holds an element
  bool ends_inside;  // the last byte has bits that belong to no position
};

class Relayout {
 public:
  // The text by which equal relayouts are recognized, whatever the texts of their shapes. A Failure that names the
  // shapes where these are none.
  static std::string key_of(std::string_view from, std::string_view to);

  // The relayout with that key. A Failure that names the shapes where there is none.
  Relayout(std::string_view from, std::string_view to, std::string key);

  // Moves one array, or a batch of them, on XLA's threads where it is large: in place where XLA gives the result the
  // memory of the argument.
  void run(const XLA_FFI_CallFrame& frame, const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to) const;

  const std::string& key() const { return key_; }

 private:
  struct Made;
  Relayout(Made made, std::string key);

  int64_t count_of(const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to) const;
  // Planned when first needed. A Failure, with the library's reason, where the relayout cannot be done in place.
  const xlashape::Plan& in_place() const;
  void move(const xlashape::Plan& plan, const XLA_FFI_CallFrame& frame, int64_t count, const char* from,
            char* to) const;

  std::string key_;
  xlashape::Plan plan_;
  Side from_;
  Side to_;
  mutable std::mutex mutex_;
  mutable xlashape::Plan in_place_;
};

}  // namespace xlashape_jax
