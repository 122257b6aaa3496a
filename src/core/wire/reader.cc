// SPDX-License-Identifier: Apache-2.0
#include "wire/reader.h"

namespace xlashape::core {

using ir::WireType;

Status ProtoReader::malformed(int64_t at, const char* what) const {
  return fail_at(err_, XLASHAPE_STATUS_PARSE, at, "expected a protocol buffer, found %s in field %u", what, field_);
}

Status ProtoReader::next() {
  const int64_t at = offset();
  uint64_t tag;
  if (!rest_.varint(&tag)) return malformed(at, rest_.wrong);
  constexpr int64_t kMostBytes = 5;  // of 32 bits
  if (tag > UINT32_MAX || offset() - at > kMostBytes)
    return fail_at(err_, XLASHAPE_STATUS_PARSE, at, "expected a protocol buffer, found a tag of more than 32 bits");
  type_ = static_cast<WireType>(tag & 7);
  field_ = static_cast<uint32_t>(tag >> 3);
  if (field_ != 0) return XLASHAPE_STATUS_OK;
  return fail_at(err_, XLASHAPE_STATUS_PARSE, at, "expected a protocol buffer, found field number 0");
}

Status ProtoReader::varint(int64_t* value) {
  const int64_t at = offset();
  uint64_t bits;
  if (!rest_.varint(&bits)) return malformed(at, rest_.wrong);
  *value = static_cast<int64_t>(bits);
  return XLASHAPE_STATUS_OK;
}

Status ProtoReader::enter(ProtoReader* inside) {
  const int64_t at = offset();
  uint64_t size;
  if (!rest_.length(&size)) return malformed(at, rest_.wrong);
  if (size > rest_.left()) return malformed(at, "parent stream too short");
  *inside = *this;
  rest_.at += size;
  inside->rest_.end = rest_.at;
  return XLASHAPE_STATUS_OK;
}

// Groups, which proto3 no longer writes but readers must still skip, are fields from a begin to an end.
Status ProtoReader::skip() {
  constexpr size_t kMostGroups = 100;  // inside each other, as in protobuf
  const int64_t start = offset();
  uint32_t groups[kMostGroups];
  size_t open = 0;
  do {
    if (type_ == WireType::kStartGroup) {
      if (open == kMostGroups) return malformed(start, "too many groups inside each other");
      groups[open++] = field_;
    } else if (type_ == WireType::kEndGroup) {
      if (open == 0 || groups[--open] != field_) return malformed(start, "a group's end without its begin");
    } else if (!rest_.skip_payload(type_)) {
      return malformed(start, rest_.wrong);
    }
    if (open == 0) return XLASHAPE_STATUS_OK;
    if (at_end()) return malformed(start, "a group without an end");
    XLASHAPE_TRY(next());
  } while (true);
}

}  // namespace xlashape::core
