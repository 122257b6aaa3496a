// SPDX-License-Identifier: Apache-2.0
#include "wire.h"

#include "cli/base/failure.h"

namespace xlashape::cli {

using ir::WireType;

WireFields::WireFields(const WireFile& file, std::string_view message) : file_(file) {
  rest_.at = reinterpret_cast<const uint8_t*>(message.data());
  rest_.end = rest_.at + message.size();
}

void WireFields::malformed(std::string_view at) const {
  fail_data("{}: byte {}: expected a protocol buffer, found {} in field {}", file_.path, file_.offset_of(at),
            rest_.wrong, number_);
}

bool WireFields::next() {
  if (rest_.left() == 0) return false;
  const std::string_view at = left();
  uint64_t tag = 0;
  constexpr size_t kMostBytes = 5;  // of 32 bits
  if (!rest_.varint(&tag)) malformed(at);
  if (tag > UINT32_MAX || at.size() - left().size() > kMostBytes)
    fail_data("{}: byte {}: expected a protocol buffer, found a tag of more than 32 bits", file_.path,
              file_.offset_of(at));
  type_ = static_cast<WireType>(tag & 7);
  number_ = static_cast<uint32_t>(tag >> 3);
  if (number_ == 0)
    fail_data("{}: byte {}: expected a protocol buffer, found field number 0", file_.path, file_.offset_of(at));
  if (type_ != WireType::kVarint && type_ != WireType::kBytes) {
    if (!rest_.skip_payload(type_)) malformed(at);
    return true;
  }
  uint64_t value = 0;
  if (!rest_.varint(&value)) malformed(at);
  value_ = static_cast<int64_t>(value);
  if (type_ == WireType::kVarint) return true;
  if (value > rest_.left())
    fail_data("{}: byte {}: field {} says that it has {} bytes, and its message has only {} more", file_.path,
              file_.offset_of(at), number_, value, rest_.left());
  bytes_ = left().substr(0, static_cast<size_t>(value));
  rest_.at += value;
  return true;
}

bool WireFields::next_packed() {
  if (rest_.left() == 0) return false;
  const std::string_view at = left();
  uint64_t value = 0;
  if (!rest_.varint(&value)) malformed(at);
  value_ = static_cast<int64_t>(value);
  return true;
}

}  // namespace xlashape::cli
