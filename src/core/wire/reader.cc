#include "wire/reader.h"

namespace xlashape::core {
namespace {

// Wire types that nanopb has no names for: groups, which proto3 no longer writes but readers must still skip.
constexpr int kStartGroup = 3, kEndGroup = 4;
constexpr size_t kMostGroups = 100;  // inside each other, as in protobuf

}  // namespace

Status Reader::malformed(int64_t at) const {
  return fail_at(err_, XLASHAPE_STATUS_PARSE, at, "expected a protocol buffer, found %s in field %u",
                 PB_GET_ERROR(&stream_), field_);
}

Status Reader::next() {
  const int64_t at = offset();
  uint64_t tag;
  if (!pb_decode_varint(&stream_, &tag)) return malformed(at);
  constexpr int64_t kMostBytes = 5;  // of 32 bits
  if (tag > UINT32_MAX || offset() - at > kMostBytes)
    return fail_at(err_, XLASHAPE_STATUS_PARSE, at, "expected a protocol buffer, found a tag of more than 32 bits");
  type_ = static_cast<pb_wire_type_t>(tag & 7);
  field_ = static_cast<uint32_t>(tag >> 3);
  if (field_ != 0) return XLASHAPE_STATUS_OK;
  return fail_at(err_, XLASHAPE_STATUS_PARSE, at, "expected a protocol buffer, found field number 0");
}

Status Reader::varint(int64_t* value) {
  const int64_t at = offset();
  uint64_t bits;
  if (!pb_decode_varint(&stream_, &bits)) return malformed(at);
  *value = static_cast<int64_t>(bits);
  return XLASHAPE_STATUS_OK;
}

Status Reader::enter(Reader* inside) {
  const int64_t at = offset();
  pb_istream_t stream;
  if (!pb_make_string_substream(&stream_, &stream)) return malformed(at);
  // nanopb takes the payload's bytes from the outer stream at once, so that the stream is then behind them.
  *inside = *this;
  inside->stream_ = stream;
  inside->end_ = offset();
  return XLASHAPE_STATUS_OK;
}

Status Reader::leave(Reader* inside) {
  return pb_close_string_substream(&stream_, &inside->stream_) ? XLASHAPE_STATUS_OK : malformed(inside->offset());
}

Status Reader::bytes(void* data, size_t size) {
  const int64_t at = offset();
  return pb_read(&stream_, static_cast<pb_byte_t*>(data), size) ? XLASHAPE_STATUS_OK : malformed(at);
}

Status Reader::skip() {
  const int64_t start = offset();
  const auto found = [&](const char* what) {
    return fail_at(err_, XLASHAPE_STATUS_PARSE, start, "expected a protocol buffer, found %s in field %u", what,
                   field_);
  };
  uint32_t groups[kMostGroups];
  size_t open = 0;
  do {
    const auto type = static_cast<int>(type_);
    if (type == kStartGroup) {
      if (open == kMostGroups) return found("too many groups inside each other");
      groups[open++] = field_;
    } else if (type == kEndGroup) {
      if (open == 0 || groups[--open] != field_) return found("a group's end without its begin");
    } else if (uint64_t ignored; is_varint()) {  // whose end nanopb would look for without a limit
      if (!pb_decode_varint(&stream_, &ignored)) return malformed(start);
    } else if (!pb_skip_field(&stream_, type_)) {
      return malformed(start);
    }
    if (open == 0) return XLASHAPE_STATUS_OK;
    if (at_end()) return found("a group without an end");
    XLASHAPE_TRY(next());
  } while (true);
}

}  // namespace xlashape::core
