/* SPDX-License-Identifier: Apache-2.0 */
// Writes elements of less than a byte, all those of a byte at once where they come one after the other.
#pragma once
#include <cstdint>

#include "ir/compiler.h"

namespace xlashape::backends {

class PackedWriter {
 public:
  // `order`: 0, or what order_of answers. `shared`: a byte may also have elements of others, who may write them at the
  // same time: outside of a box.
  PackedWriter(char* base, int bits, int order, bool shared)
      : base_(reinterpret_cast<unsigned char*>(base)), bits_(bits), order_(order), shared_(shared) {}
  PackedWriter(const PackedWriter&) = delete;
  ~PackedWriter() {
    if (mask_ != 0) flush(byte_, mask_, value_);
  }

  void put(int64_t at, int value) {
    put(at, 0, 1, [value](int64_t) { return value; });
  }
  // value(i) to element at + i * step, for each i below `count`.
  template <class Value>
  void put(int64_t at, int64_t step, int64_t count, Value&& value) {
    int64_t byte = byte_;
    int mask = mask_, collected = value_;  // not as members, which a byte that is written might change
    for (int64_t i = 0; i < count; ++i, at += step) {
      const int64_t bit = (at * bits_) ^ order_;
      if (bit >> 3 != byte) {
        if (mask == 0xFF)
          base_[byte] = static_cast<unsigned char>(collected);
        else if (mask != 0)
          flush(byte, mask, collected);
        byte = bit >> 3;
        mask = collected = 0;
      }
      const int own = ((1 << bits_) - 1) << (bit & 7);
      mask |= own;
      collected = (collected & ~own) | ((value(i) << (bit & 7)) & own);
    }
    byte_ = byte;
    mask_ = mask;
    value_ = collected;
  }

 private:
  XLASHAPE_NOINLINE void flush(int64_t at, int mask, int value) const {
    unsigned char* const byte = base_ + at;
    if (mask == 0xFF) {
      *byte = static_cast<unsigned char>(value);
    } else if (shared_) {
      ir::set_bits(byte, mask, value);
    } else {
      *byte = static_cast<unsigned char>((*byte & ~mask) | value);
    }
  }

  unsigned char* const base_;
  const int bits_, order_;
  const bool shared_;
  // The elements of a byte that are not in memory yet.
  int64_t byte_ = 0;
  int mask_ = 0, value_ = 0;
};

}  // namespace xlashape::backends
