/* SPDX-License-Identifier: Apache-2.0 */
// A 64-bit hash of integers, for caches inside one process. Depends on src/ir alone.
#pragma once
#include <cstdint>
#include <span>

#include "ir/int128.h"

namespace xlashape::core {

class Hash {
 public:
  void add(int64_t value) {
    const ir::UInt128 wide = ir::product(state_ ^ static_cast<uint64_t>(value), 0x9E3779B97F4A7C15u);
    state_ = ir::low_word(wide) ^ ir::high_word(wide) ^ 0xD6E8FEB86659FD93u;
  }
  // The length is hashed too, so that a list and a longer one that begins with it give different hashes.
  void add(std::span<const int64_t> values) {
    add(static_cast<int64_t>(values.size()));
    for (const int64_t value : values) add(value);
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0x243F6A8885A308D3u;
};

}  // namespace xlashape::core
