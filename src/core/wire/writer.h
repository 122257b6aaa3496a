/* SPDX-License-Identifier: Apache-2.0 */
// Writes protocol buffer fields in the order of the calls, or only counts their bytes. Lengths of nested messages must
// be known beforehand: no byte is moved afterwards.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "ir/wire_bytes.h"

namespace xlashape::core {

inline int64_t varint_size(uint64_t value) { return (static_cast<int64_t>(std::bit_width(value | 1)) + 6) / 7; }

// Bytes of a field with a payload of `size` bytes: tag, length, payload. For field numbers up to 15.
inline int64_t nested_size(int64_t size) { return 1 + varint_size(static_cast<uint64_t>(size)) + size; }

inline int64_t varints_size(std::span<const int64_t> values) {
  int64_t size = 0;
  for (const int64_t value : values) size += varint_size(static_cast<uint64_t>(value));
  return size;
}

class ProtoWriter {
 public:
  ProtoWriter() = default;  // counts only
  ProtoWriter(uint8_t* out, int64_t size) : out_(out), size_(size) {}

  int64_t written() const { return written_; }
  bool ok() const { return counts() || written_ <= size_; }  // false: `size` was less than what was written

  void always(uint32_t field, int64_t value) {
    tag(ir::WireType::kVarint, field);
    varint(static_cast<uint64_t>(value));
  }
  // As in proto3, the default is not written.
  void number(uint32_t field, int64_t value) {
    if (value != 0) always(field, value);
  }
  void packed(uint32_t field, std::span<const int64_t> values) {
    if (values.empty()) return;
    const int64_t size = varints_size(values);
    open(field, size);
    if (counts()) return add_size(size);
    for (const int64_t value : values) varint(static_cast<uint64_t>(value));
  }
  // Each is 0 or 1, whose varint is the same byte.
  void packed(uint32_t field, std::span<const uint8_t> bools) {
    if (!bools.empty()) raw(field, bools.data(), bools.size());
  }
  void text(uint32_t field, std::string_view value) { raw(field, value.data(), value.size()); }
  // Writes the tag and length of a message. The caller then writes its `size` bytes, or adds them when only counting.
  void open(uint32_t field, int64_t size) {
    tag(ir::WireType::kBytes, field);
    varint(static_cast<uint64_t>(size));
  }
  bool counts() const { return out_ == nullptr; }
  void add_size(int64_t size) { written_ += size; }

 private:
  void tag(ir::WireType type, uint32_t field) { varint(uint64_t{field} << 3 | static_cast<uint8_t>(type)); }
  void varint(uint64_t value) {
    if (counts()) return add_size(varint_size(value));
    uint8_t bytes[10];
    size_t size = 0;
    for (; value >= 128; value >>= 7) bytes[size++] = static_cast<uint8_t>(value | 128);
    bytes[size++] = static_cast<uint8_t>(value);
    put(bytes, size);
  }
  void raw(uint32_t field, const void* data, size_t size) {
    open(field, static_cast<int64_t>(size));
    put(data, size);
  }
  // Where there is no room for all of it nothing is written, only counted.
  void put(const void* data, size_t size) {
    const auto bytes = static_cast<int64_t>(size);
    if (size > 0 && bytes <= size_ - written_) std::memcpy(out_ + written_, data, size);
    add_size(bytes);
  }

  uint8_t* out_ = nullptr;
  int64_t size_ = 0;
  int64_t written_ = 0;
};

}  // namespace xlashape::core
