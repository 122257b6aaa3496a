/* SPDX-License-Identifier: Apache-2.0 */
// The padding behind an array's last element that aligns the size of its storage: it belongs to no slab.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "cli/execution/execution.h"

namespace xlashape::cli {

class Tail {
 public:
  // That of the request's destination, where it is filled and there are `several` slabs; else nothing.
  Tail(const Request& request, bool several);

  // The bits of the tail in the last byte of the last slab, which are its bytes.
  void complete(std::span<uint8_t> slab) const;
  // What follows the slabs.
  void write(const std::function<void(int64_t at, Bytes)>& write) const;

 private:
  int64_t begin_ = 0, end_ = 0;   // its whole bytes
  std::vector<uint8_t> element_;  // one of padding, or a byte of them
  uint8_t shared_ = 0;            // the bits of the byte before that belong to it
  uint8_t last_ = 0xFF;           // those of the last byte that belong to the storage: the others are 0
};

}  // namespace xlashape::cli
