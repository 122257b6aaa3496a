// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>

#include "cli/base/failure.h"
#include "npz.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kMost = 0xffffffff;  // and in its place stands what the fields of zip64 say
constexpr int64_t kDay = 0x0021;       // 1980-01-01, the first that a zip can say: archives of equal arrays are equal

void append(std::string* text, int64_t value, int width) {
  for (int i = 0; i < width; ++i) *text += static_cast<char>(value >> 8 * i & 255);
}

// What a member's header and its entry in the directory have in common.
std::string fields(int64_t version, bool utf8, int64_t crc, int64_t size, const std::string& name,
                   const std::string& extra) {
  std::string text;
  append(&text, version, 2);
  append(&text, utf8 ? 0x800 : 0, 2);
  append(&text, 0, 2);  // stored
  append(&text, 0, 2);
  append(&text, kDay, 2);
  append(&text, crc, 4);
  append(&text, std::min(size, kMost), 4);
  append(&text, std::min(size, kMost), 4);
  append(&text, static_cast<int64_t>(name.size()), 2);
  append(&text, static_cast<int64_t>(extra.size()), 2);
  return text;
}

// The sizes, and in the directory the place, that do not fit the other fields.
std::string extra_of(int64_t size, int64_t place) {
  std::string values;
  for (int i = 0; i < 2; ++i)
    if (size >= kMost) append(&values, size, 8);
  if (place >= kMost) append(&values, place, 8);
  if (values.empty()) return "";
  std::string text;
  append(&text, 1, 2);
  append(&text, static_cast<int64_t>(values.size()), 2);
  return text + values;
}

// zlib takes a null pointer, as bytes of no array may have it, for a wish to begin anew.
uLong crc_of(uLong before, Bytes bytes) { return bytes.empty() ? before : crc32_z(before, bytes.data(), bytes.size()); }

}  // namespace

void ZipWriter::write(const std::string& text) {
  sink_({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  at_ += static_cast<int64_t>(text.size());
}

void ZipWriter::add(const std::string& name, bool utf8, Bytes first, Bytes second) {
  if (name.size() > 0xffff) fail_data("a name of {} bytes is longer than a .npz file can have", name.size());
  const uLong crc = crc_of(crc_of(crc32_z(0, nullptr, 0), first), second);
  const auto size = static_cast<int64_t>(first.size() + second.size());
  const int64_t place = at_;
  const std::string extra = extra_of(size, 0), directory_extra = extra_of(size, place);
  write("PK\3\4" + fields(extra.empty() ? 20 : 45, utf8, static_cast<int64_t>(crc), size, name, extra) + name + extra);
  sink_(first);
  sink_(second);
  at_ += size;
  const int64_t version = directory_extra.empty() ? 20 : 45;
  directory_ += "PK\1\2";
  append(&directory_, version, 2);
  directory_ += fields(version, utf8, static_cast<int64_t>(crc), size, name, directory_extra);
  directory_.append(10, '\0');  // no comment, the first disk, no attributes
  append(&directory_, std::min(place, kMost), 4);
  directory_ += name + directory_extra;
  ++count_;
}

void ZipWriter::finish() {
  const int64_t start = at_, size = static_cast<int64_t>(directory_.size()), end = start + size;
  write(directory_);
  std::string text;
  if (count_ >= 0xffff || start >= kMost || size >= kMost) {
    text = "PK\6\6";
    append(&text, 44, 8);  // bytes of this record from here on
    append(&text, 45, 2);
    append(&text, 45, 2);
    append(&text, 0, 8);  // one disk
    for (const int64_t value : {count_, count_, size, start}) append(&text, value, 8);
    text += "PK\6\7";
    append(&text, 0, 4);
    append(&text, end, 8);
    append(&text, 1, 4);
  }
  text += "PK\5\6";
  append(&text, 0, 4);
  append(&text, std::min<int64_t>(count_, 0xffff), 2);
  append(&text, std::min<int64_t>(count_, 0xffff), 2);
  append(&text, std::min(size, kMost), 4);
  append(&text, std::min(start, kMost), 4);
  append(&text, 0, 2);  // no comment
  write(text);
}

}  // namespace xlashape::cli
