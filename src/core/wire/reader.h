// Reads protocol buffer fields in sequence, and always knows its offset.
#pragma once
#include <cstdint>

#include "base/status.h"
#include "wire/nanopb.h"

namespace xlashape::core {

class Reader {
 public:
  Reader(const uint8_t* bytes, int64_t size, Error* err)
      : stream_(pb_istream_from_buffer(bytes, static_cast<size_t>(size))), end_(size), err_(err) {}

  int64_t offset() const { return end_ - static_cast<int64_t>(stream_.bytes_left); }
  bool at_end() const { return stream_.bytes_left == 0; }

  // Reads the tag of the next field, whose number and wire type the functions below use.
  Status next();
  uint32_t field() const { return field_; }
  bool is_varint() const { return type_ == PB_WT_VARINT; }
  bool is_nested() const { return type_ == PB_WT_STRING; }

  // The payload of a varint field.
  Status varint(int64_t* value);
  // The payload of a nested field, to be read through *inside; `leave` continues behind it.
  Status enter(Reader* inside);
  Status leave(Reader* inside);
  // Copies the payload of a nested field, for text.
  Status bytes(void* data, size_t size);
  int64_t left() const { return static_cast<int64_t>(stream_.bytes_left); }
  // A repeated number, packed or not: f(value) for each. Any other wire type is an unknown field, as in protobuf.
  template <class F>
  Status numbers(F&& f) {
    int64_t value;
    if (is_varint()) {
      XLASHAPE_TRY(varint(&value));
      f(value);
      return XLASHAPE_STATUS_OK;
    }
    if (!is_nested()) return skip();
    Reader inside = *this;
    XLASHAPE_TRY(enter(&inside));
    while (!inside.at_end()) {
      XLASHAPE_TRY(inside.varint(&value));
      f(value);
    }
    return leave(&inside);
  }
  // A single number into *value; a field of another wire type is unknown, too.
  Status number(int64_t* value) { return is_varint() ? varint(value) : skip(); }
  // Skips a field of any wire type.
  Status skip();

 private:
  Status malformed(int64_t at) const;

  pb_istream_t stream_;
  int64_t end_;  // the offset behind the last byte of the stream
  Error* err_;
  uint32_t field_ = 0;
  pb_wire_type_t type_ = PB_WT_VARINT;
};

}  // namespace xlashape::core
