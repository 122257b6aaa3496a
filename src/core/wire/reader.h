/* SPDX-License-Identifier: Apache-2.0 */
// Reads protocol buffer fields in sequence, and always knows its offset.
#pragma once
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "ir/wire_bytes.h"

namespace xlashape::core {

class ProtoReader {
 public:
  ProtoReader(const uint8_t* bytes, int64_t size, Error* err) : first_(bytes), rest_{bytes, bytes + size}, err_(err) {}

  int64_t offset() const { return rest_.at - first_; }
  bool at_end() const { return rest_.at == rest_.end; }

  // Reads the tag of the next field, whose number and wire type the functions below use.
  Status next();
  uint32_t field() const { return field_; }
  bool is_varint() const { return type_ == ir::WireType::kVarint; }
  bool is_nested() const { return type_ == ir::WireType::kBytes; }

  // The payload of a varint field.
  Status varint(int64_t* value);
  // The payload of a nested field, to be read through *inside; this reader is then behind it.
  Status enter(ProtoReader* inside);
  // All that is left, for text.
  std::string_view text() const { return {reinterpret_cast<const char*>(rest_.at), static_cast<size_t>(rest_.left())}; }
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
    ProtoReader inside = *this;
    XLASHAPE_TRY(enter(&inside));
    while (!inside.at_end()) {
      XLASHAPE_TRY(inside.varint(&value));
      f(value);
    }
    return XLASHAPE_STATUS_OK;
  }
  // A single number into *value; a field of another wire type is unknown, too.
  Status number(int64_t* value) { return is_varint() ? varint(value) : skip(); }
  // Skips a field of any wire type.
  Status skip();

 private:
  Status malformed(int64_t at, const char* what) const;

  const uint8_t* first_;  // of the whole message, where offsets begin
  ir::WireBytes rest_;
  Error* err_;
  uint32_t field_ = 0;
  ir::WireType type_ = ir::WireType::kVarint;
};

}  // namespace xlashape::core
