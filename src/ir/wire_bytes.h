/* SPDX-License-Identifier: Apache-2.0 */
// The bytes of protocol buffers, read from the front: for the library's messages, and for the dumps that the command
// reads. No byte behind the end is looked at, and nothing recurses.
#pragma once
#include <cstdint>

namespace xlashape::ir {

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kStartGroup = 3, kEndGroup = 4, kFixed32 = 5 };

struct WireBytes {
  const uint8_t* at = nullptr;
  const uint8_t* end = nullptr;
  const char* wrong = "";  // why a function returned false

  uint64_t left() const { return static_cast<uint64_t>(end - at); }

  // At most ten bytes with seven bits each, the lowest first.
  bool varint(uint64_t* value) {
    *value = 0;
    for (unsigned bit = 0; at != end; bit += 7) {
      const uint8_t byte = *at++;
      if (bit == 63 && byte > 1) return fails("varint overflow");
      *value |= (byte & uint64_t{127}) << bit;
      if (byte < 128) return true;
    }
    return fails("end-of-stream");
  }

  // That of a payload, in at most 32 bits.
  bool length(uint64_t* size) { return varint(size) && (*size <= UINT32_MAX || fails("varint overflow")); }

  bool skip(uint64_t count) {
    if (count > left()) return fails("end-of-stream");
    at += count;
    return true;
  }

  // Skips what follows the tag of a field. Groups have no payload: what is in them are fields.
  bool skip_payload(WireType type) {
    uint64_t value = 0;
    switch (type) {
      case WireType::kVarint:
        return varint(&value);
      case WireType::kFixed64:
        return skip(8);
      case WireType::kBytes:
        return length(&value) && skip(value);
      case WireType::kFixed32:
        return skip(4);
      default:
        return fails("invalid wire_type");
    }
  }

  bool fails(const char* why) {
    wrong = why;
    return false;
  }
};

}  // namespace xlashape::ir
