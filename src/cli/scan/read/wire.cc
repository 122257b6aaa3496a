#include "wire.h"

#include "cli/base/failure.h"

namespace xlashape::cli {

WireFields::WireFields(const WireFile& file, std::string_view message)
    : file_(file),
      message_(message),
      stream_(pb_istream_from_buffer(reinterpret_cast<const pb_byte_t*>(message.data()), message.size())) {}

void WireFields::malformed(std::string_view at) const {
  fail_data("{}: byte {}: expected a protocol buffer, found {} in field {}", file_.path, file_.offset_of(at),
            PB_GET_ERROR(&stream_), number_);
}

bool WireFields::next() {
  if (stream_.bytes_left == 0) return false;
  const std::string_view at = left();
  uint64_t tag = 0;
  constexpr size_t kMostBytes = 5;  // of 32 bits
  if (!pb_decode_varint(&stream_, &tag)) malformed(at);
  if (tag > UINT32_MAX || at.size() - left().size() > kMostBytes)
    fail_data("{}: byte {}: expected a protocol buffer, found a tag of more than 32 bits", file_.path,
              file_.offset_of(at));
  type_ = static_cast<pb_wire_type_t>(tag & 7);
  number_ = static_cast<uint32_t>(tag >> 3);
  if (number_ == 0)
    fail_data("{}: byte {}: expected a protocol buffer, found field number 0", file_.path, file_.offset_of(at));
  if (type_ != PB_WT_VARINT && type_ != PB_WT_STRING) {
    if (!pb_skip_field(&stream_, type_)) malformed(at);
    return true;
  }
  uint64_t value = 0;
  if (!pb_decode_varint(&stream_, &value)) malformed(at);
  value_ = static_cast<int64_t>(value);
  if (type_ == PB_WT_VARINT) return true;
  if (value > stream_.bytes_left)
    fail_data("{}: byte {}: field {} says that it has {} bytes, and its message has only {} more", file_.path,
              file_.offset_of(at), number_, value, stream_.bytes_left);
  bytes_ = left().substr(0, static_cast<size_t>(value));
  if (!pb_read(&stream_, nullptr, bytes_.size())) malformed(at);
  return true;
}

bool WireFields::next_packed() {
  if (stream_.bytes_left == 0) return false;
  const std::string_view at = left();
  uint64_t value = 0;
  if (!pb_decode_varint(&stream_, &value)) malformed(at);
  value_ = static_cast<int64_t>(value);
  return true;
}

}  // namespace xlashape::cli
