// Writes protocol buffer fields in the order of the calls, or only counts their bytes. Lengths of nested messages must
// be known beforehand: no byte is moved afterwards.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "wire/nanopb.h"

namespace xlashape::core {

inline int64_t varint_size(uint64_t value) { return (static_cast<int64_t>(std::bit_width(value | 1)) + 6) / 7; }

// Bytes of a field with a payload of `size` bytes: tag, length, payload. For field numbers up to 15.
inline int64_t nested_size(int64_t size) { return 1 + varint_size(static_cast<uint64_t>(size)) + size; }

inline int64_t varints_size(std::span<const int64_t> values) {
  int64_t size = 0;
  for (const int64_t value : values) size += varint_size(static_cast<uint64_t>(value));
  return size;
}

class Writer {
 public:
  Writer() : stream_{} {}  // counts only
  Writer(uint8_t* out, int64_t size)
      : stream_(pb_ostream_from_buffer(out, static_cast<size_t>(size))), counts_(false) {}

  int64_t written() const { return static_cast<int64_t>(stream_.bytes_written); }
  bool ok() const { return ok_; }  // false: `size` was less than what was written

  void always(uint32_t field, int64_t value) {
    tag(PB_WT_VARINT, field);
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
    if (counts_) return add_size(size);
    for (const int64_t value : values) varint(static_cast<uint64_t>(value));
  }
  // Each is 0 or 1, whose varint is the same byte.
  void packed(uint32_t field, std::span<const uint8_t> bools) {
    if (!bools.empty()) raw(field, bools.data(), bools.size());
  }
  void text(uint32_t field, std::string_view value) {
    raw(field, reinterpret_cast<const pb_byte_t*>(value.data()), value.size());
  }
  // Writes the tag and length of a message. The caller then writes its `size` bytes, or adds them when only counting.
  void open(uint32_t field, int64_t size) {
    tag(PB_WT_STRING, field);
    varint(static_cast<uint64_t>(size));
  }
  bool counts() const { return counts_; }
  void add_size(int64_t size) { stream_.bytes_written += static_cast<size_t>(size); }

 private:
  void tag(pb_wire_type_t type, uint32_t field) { varint(uint64_t{field} << 3 | type); }
  void varint(uint64_t value) {
    if (counts_) {
      add_size(varint_size(value));
    } else {
      ok_ &= pb_encode_varint(&stream_, value);
    }
  }
  void raw(uint32_t field, const pb_byte_t* data, size_t size) {
    tag(PB_WT_STRING, field);
    if (!counts_) {
      ok_ &= pb_encode_string(&stream_, data, size);
    } else {
      varint(size);
      add_size(static_cast<int64_t>(size));
    }
  }

  pb_ostream_t stream_;
  bool counts_ = true;
  bool ok_ = true;
};

}  // namespace xlashape::core
