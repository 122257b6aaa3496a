/* SPDX-License-Identifier: Apache-2.0 */
// The fields of protocol buffer messages, in order; messages are spans of the file's bytes, so nothing is copied.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "ir/wire_bytes.h"

namespace xlashape::cli {

// The file that all messages lie in: for errors.
struct WireFile {
  std::string path;
  std::string_view bytes;
  int64_t offset_of(std::string_view part) const { return part.data() - bytes.data(); }
};

class WireFields {
 public:
  // `message`: a part of the file's bytes.
  WireFields(const WireFile& file, std::string_view message);

  // Reads the next field with its value; false at the message's end. Throws a Failure where the bytes are no field.
  bool next();
  uint32_t number() const { return number_; }
  // The field, if it has this number and the wire type of a message, of bytes or of text, or else of a number. A field
  // of another wire type is an unknown one, as in protobuf.
  bool is_bytes(uint32_t number) const { return number_ == number && type_ == ir::WireType::kBytes; }
  bool is_value(uint32_t number) const { return number_ == number && type_ == ir::WireType::kVarint; }
  std::string_view bytes() const { return bytes_; }
  int64_t value() const { return value_; }
  // A repeated number, packed or not: `use` is called with each.
  template <class Use>
  void values(uint32_t number, const Use& use) const {
    if (is_value(number)) return use(value_);
    if (!is_bytes(number)) return;
    WireFields inside(file_, bytes_);
    while (inside.next_packed()) use(inside.value_);
  }

 private:
  bool next_packed();
  [[noreturn]] void malformed(std::string_view at) const;
  std::string_view left() const { return {reinterpret_cast<const char*>(rest_.at), static_cast<size_t>(rest_.left())}; }

  const WireFile& file_;
  ir::WireBytes rest_;
  std::string_view bytes_;
  int64_t value_ = 0;
  uint32_t number_ = 0;
  ir::WireType type_ = ir::WireType::kVarint;
};

}  // namespace xlashape::cli
