// SPDX-License-Identifier: Apache-2.0
#include "compile_options.h"

namespace pjrt_plugin {
namespace {

// The fields of a message, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}

  int number = 0;
  std::uint64_t value = 0;  // of a varint
  std::string_view text;    // of a submessage

  bool next() {
    if (bytes_.empty()) return false;
    const std::uint64_t key = varint();
    number = static_cast<int>(key >> 3 & 0x1fffffff);
    value = 0;
    text = {};
    switch (key & 7) {
      case 0:
        value = varint();
        return true;
      case 1:
        take(8);
        return true;
      case 2:
        text = take(varint());
        return true;
      case 5:
        take(4);
        return true;
      default:
        refuse();
    }
  }

  std::uint64_t varint() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(take(1)[0]);
      result |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
    refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "the bytes are no protocol buffer");
  }
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) refuse();
    const std::string_view taken = bytes_.substr(0, static_cast<std::size_t>(count));
    bytes_.remove_prefix(static_cast<std::size_t>(count));
    return taken;
  }

  std::string_view bytes_;
};

// DeviceAssignmentProto: computation_devices (3), the first's replica_device_ids (1), packed or not.
std::int64_t first_device(std::string_view assignment) {
  for (Fields field(assignment); field.next();)
    if (field.number == 3)
      for (Fields id(field.text); id.next();)
        if (id.number == 1) return static_cast<std::int64_t>(id.text.empty() ? id.value : Fields(id.text).varint());
  return 0;
}

}  // namespace

CompileOptions compile_options(std::string_view bytes) {
  CompileOptions options;
  for (Fields field(bytes); field.next();) {
    if (field.number != 3) continue;  // executable_build_options
    for (Fields build(field.text); build.next();) {
      if (build.number == 4) options.replicas = static_cast<std::int64_t>(build.value);
      if (build.number == 5) options.partitions = static_cast<std::int64_t>(build.value);
      if (build.number == 9) options.device = first_device(build.text);
    }
  }
  return options;
}

std::string name_of_hlo(std::string_view bytes) {
  for (Fields field(bytes); field.next();)
    if (field.number == 1) return std::string(field.text);
  return {};
}

std::string assignment_to(std::int64_t device) {
  std::string ids;
  for (auto left = static_cast<std::uint64_t>(device);; left >>= 7) {
    ids += static_cast<char>(left < 0x80 ? left : (left & 0x7f) | 0x80);
    if (left < 0x80) break;
  }
  const std::string computation = std::string("\x0a") + static_cast<char>(ids.size()) + ids;
  return std::string("\x08\x01\x10\x01\x1a") + static_cast<char>(computation.size()) + computation;
}

}  // namespace pjrt_plugin
