// SPDX-License-Identifier: Apache-2.0
#include "npz.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "formats.h"

namespace xlashape::cli {
namespace {

// Deflate makes at most 1032 bytes out of one: a larger size is invalid.
constexpr int64_t kMostGrowth = 1032;

// Reads little-endian numbers and checks their offsets.
class Archive {
 public:
  explicit Archive(const FileParts& file) : file_(file) {}

  int64_t size() const { return file_.size(); }
  Buffer part(int64_t at, int64_t length) const {
    if (at < 0 || length < 0 || at > size() || length > size() - at) fail("it is cut off, or its directory is wrong");
    return file_.read(at, length);
  }
  std::string text(int64_t at, int64_t length) const {
    const Buffer from = part(at, length);
    return {from.data(), from.data() + length};
  }
  int64_t number(int64_t at, int width) const {
    if (at < begin_ || at > begin_ + window_.size() - width) {
      if (at < 0 || at > size() - width) fail("it is cut off, or its directory is wrong");
      constexpr int64_t kAround = 1 << 12;  // numbers that are near each other are read together
      begin_ = std::max<int64_t>(at - kAround, 0);
      window_ = file_.read(begin_, std::min(size(), at + kAround) - begin_);
    }
    uint64_t value = 0;
    for (int i = width; i-- > 0;) value = value << 8 | window_.data()[at - begin_ + i];
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) fail("a size in it is absurd");
    return static_cast<int64_t>(value);
  }
  [[noreturn]] void fail(std::string_view what) const { fail_data("{}: bad zip archive: {}", file_.path(), what); }

 private:
  const FileParts& file_;
  mutable Buffer window_;
  mutable int64_t begin_ = 0;
};

struct Directory {
  int64_t offset, count;
};

Directory find_directory(const Archive& zip) {
  // The end record has 22 bytes and a comment of at most 65535 bytes.
  for (int64_t at = zip.size() - 22; at >= 0 && at >= zip.size() - 22 - 65535; --at) {
    if (zip.number(at, 4) != 0x06054b50) continue;
    Directory found = {zip.number(at + 16, 4), zip.number(at + 10, 2)};
    if (at >= 20 && zip.number(at - 20, 4) == 0x07064b50) {  // zip64
      const int64_t end = zip.number(at - 12, 8);
      if (zip.number(end, 4) != 0x06064b50) zip.fail("its zip64 directory is missing");
      found = {zip.number(end + 48, 8), zip.number(end + 32, 8)};
    }
    return found;
  }
  zip.fail("no directory at its end");
}

// The 64-bit values that do not fit the directory's own fields.
void widen(const Archive& zip, int64_t at, int64_t length, ZipMember* member) {
  for (const int64_t end = at + length; at + 4 <= end;) {
    const int64_t id = zip.number(at, 2), size = zip.number(at + 2, 2);
    at += 4;
    if (id == 1) {
      int64_t field = at;
      for (int64_t* value : {&member->unpacked, &member->packed, &member->header})
        if (*value == 0xffffffff) {
          *value = zip.number(field, 8);
          field += 8;
        }
      return;
    }
    at += size;
  }
}

// The bytes of a deflated member, whose packed ones begin at `data`; the first `wanted` of them, if they are fewer than
// it says that it has: then no more is read than they need.
Buffer inflated(const Archive& zip, int64_t data, const ZipMember& member, int64_t wanted) {
  const bool whole = wanted == member.unpacked;
  const int64_t piece_bytes = whole ? int64_t{1} << 20 : int64_t{1} << 12;
  if (member.unpacked / kMostGrowth > member.packed) zip.fail("a member claims an impossible size");
  Buffer out(wanted), piece;
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) zip.fail("zlib does not start");
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> ends(&stream, &inflateEnd);
  int64_t in_at = 0, out_at = 0;
  int result = Z_OK;
  uint8_t none = 0;
  while (result == Z_OK && (whole || out_at < wanted)) {
    if (stream.avail_in == 0 && in_at < member.packed) {
      piece = zip.part(data + in_at, std::min(member.packed - in_at, piece_bytes));
      in_at += piece.size();
      stream.next_in = piece.data();
      stream.avail_in = static_cast<uInt>(piece.size());
    }
    const uInt give = stream.avail_in;
    const auto take = static_cast<uInt>(std::min<int64_t>(wanted - out_at, 1 << 30));
    stream.next_out = take > 0 ? out.data() + out_at : &none;
    stream.avail_out = take;
    result = inflate(&stream, Z_NO_FLUSH);
    if (give == stream.avail_in && take == stream.avail_out && result == Z_OK) result = Z_BUF_ERROR;
    out_at += take - stream.avail_out;
  }
  const bool ended = whole ? result == Z_STREAM_END : result == Z_OK || result == Z_STREAM_END;
  if (!ended || out_at != wanted) zip.fail("a member does not unpack to its size");
  return out;
}

// At most `most` bytes of a member.
Buffer unpacked(const FileParts& file, const ZipMember& member, int64_t most) {
  const Archive zip(file);
  const int64_t wanted = std::min(member.unpacked, most);
  if (member.flags & 1) zip.fail("the member is encrypted");
  if (zip.number(member.header, 4) != 0x04034b50) zip.fail("a member is not where the directory says");
  const int64_t data = member.header + 30 + zip.number(member.header + 26, 2) + zip.number(member.header + 28, 2);
  if (data > zip.size() || member.packed > zip.size() - data) zip.fail("it is cut off, or its directory is wrong");
  if (member.method == 0) {
    if (member.packed != member.unpacked) zip.fail("a stored member has two sizes");
    return zip.part(data, wanted);
  }
  if (member.method != 8)
    fail_unsupported("{}: members packed by method {} are not read, only stored and deflated ones", file.path(),
                     member.method);
  return inflated(zip, data, member, wanted);
}

}  // namespace

bool is_zip(Bytes bytes) {
  return bytes.size() >= kZipEnd && bytes[0] == 'P' && bytes[1] == 'K' && (bytes[2] == 3 || bytes[2] == 5);
}

std::vector<ZipMember> zip_members(const FileParts& file) {
  const Archive zip(file);
  const Directory directory = find_directory(zip);
  std::vector<ZipMember> members;
  int64_t at = directory.offset;
  for (int64_t i = 0; i < directory.count; ++i) {
    if (zip.number(at, 4) != 0x02014b50) zip.fail("its directory is wrong");
    ZipMember member;
    member.flags = zip.number(at + 8, 2);
    member.method = zip.number(at + 10, 2);
    member.crc = zip.number(at + 16, 4);
    member.packed = zip.number(at + 20, 4);
    member.unpacked = zip.number(at + 24, 4);
    member.header = zip.number(at + 42, 4);
    const int64_t name = zip.number(at + 28, 2), extra = zip.number(at + 30, 2), comment = zip.number(at + 32, 2);
    member.name = zip.text(at + 46, name);
    widen(zip, at + 46 + name, extra, &member);
    members.push_back(std::move(member));
    at += 46 + name + extra + comment;
  }
  return members;
}

std::string npz_name(const std::string& name) {
  return ends_with(name, ".npy") ? name.substr(0, name.size() - 4) : name;
}

const ZipMember& zip_member_named(const std::vector<ZipMember>& members, const std::string& name,
                                  const std::string& path) {
  if (name.empty() && members.size() == 1) return members.front();
  const auto found = std::find_if(members.rbegin(), members.rend(), [&](const ZipMember& member) {
    return member.name == name || member.name == name + ".npy";
  });
  if (found != members.rend()) return *found;
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const ZipMember& member : members) names.push_back(npz_name(member.name));
  fail_for_member(path, name, names);
}

Buffer read_zip_member(const FileParts& file, const ZipMember& member) {
  Buffer out = unpacked(file, member, member.unpacked);
  const auto crc = static_cast<int64_t>(crc32_z(0, out.data(), static_cast<z_size_t>(out.size())));
  if (out.size() > 0 && crc != member.crc) Archive(file).fail("a member's checksum is wrong");
  return out;
}

Buffer read_zip_start(const FileParts& file, const ZipMember& member, int64_t most) {
  return unpacked(file, member, most);
}

void fail_for_member(const std::string& path, const std::string& name, const std::vector<std::string>& names) {
  std::string held;
  for (const std::string& other : names) {
    held += (held.empty() ? "" : ", ") + other.substr(0, 300);
    if (held.size() <= 300) continue;
    held += ", ...";
    break;
  }
  held = names.empty() ? "it is empty" : "it holds " + held;
  if (name.empty()) fail_data("{}: say which member, as {}:NAME; {}", path, path, held);
  throw Failure(kData, "NOT_FOUND", fmt::format("{}: no member \"{}\"; {}", path, name, held));
}

}  // namespace xlashape::cli
