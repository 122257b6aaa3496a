// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
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

struct Member {
  std::string name;
  int64_t flags = 0, method = 0, crc = 0, packed = 0, unpacked = 0, header = 0;
};

// Reads little-endian numbers and checks their offsets.
class Archive {
 public:
  Archive(Bytes bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  int64_t size() const { return static_cast<int64_t>(bytes_.size()); }
  Bytes part(int64_t at, int64_t length) const {
    if (at < 0 || length < 0 || at > size() || length > size() - at) fail("it is cut off, or its directory is wrong");
    return bytes_.subspan(static_cast<size_t>(at), static_cast<size_t>(length));
  }
  int64_t number(int64_t at, int width) const {
    uint64_t value = 0;
    const Bytes from = part(at, width);
    for (int i = width; i-- > 0;) value = value << 8 | from[static_cast<size_t>(i)];
    if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) fail("a size in it is absurd");
    return static_cast<int64_t>(value);
  }
  [[noreturn]] void fail(std::string_view what) const { fail_data("{}: bad zip archive: {}", path_, what); }

 private:
  Bytes bytes_;
  const std::string& path_;
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
void widen(const Archive& zip, int64_t at, int64_t length, Member* member) {
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

std::vector<Member> members_of(const Archive& zip) {
  const Directory directory = find_directory(zip);
  std::vector<Member> members;
  int64_t at = directory.offset;
  for (int64_t i = 0; i < directory.count; ++i) {
    if (zip.number(at, 4) != 0x02014b50) zip.fail("its directory is wrong");
    Member member;
    member.flags = zip.number(at + 8, 2);
    member.method = zip.number(at + 10, 2);
    member.crc = zip.number(at + 16, 4);
    member.packed = zip.number(at + 20, 4);
    member.unpacked = zip.number(at + 24, 4);
    member.header = zip.number(at + 42, 4);
    const int64_t name = zip.number(at + 28, 2), extra = zip.number(at + 30, 2), comment = zip.number(at + 32, 2);
    const Bytes text = zip.part(at + 46, name);
    member.name.assign(text.begin(), text.end());
    widen(zip, at + 46 + name, extra, &member);
    members.push_back(std::move(member));
    at += 46 + name + extra + comment;
  }
  return members;
}

Buffer inflated(const Archive& zip, Bytes packed, int64_t size) {
  if (size / kMostGrowth > static_cast<int64_t>(packed.size())) zip.fail("a member claims an impossible size");
  Buffer out(size);
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) zip.fail("zlib does not start");
  size_t in_at = 0, out_at = 0;
  int result = Z_OK;
  uint8_t none = 0;
  while (result == Z_OK) {
    const size_t give = std::min<size_t>(packed.size() - in_at, 1 << 30);
    const size_t take = std::min<size_t>(static_cast<size_t>(size) - out_at, 1 << 30);
    stream.next_in = const_cast<uint8_t*>(packed.data()) + in_at;
    stream.avail_in = static_cast<uInt>(give);
    stream.next_out = take > 0 ? out.data() + out_at : &none;
    stream.avail_out = static_cast<uInt>(take);
    result = inflate(&stream, Z_NO_FLUSH);
    if (give == stream.avail_in && take == stream.avail_out && result == Z_OK) result = Z_BUF_ERROR;
    in_at += give - stream.avail_in;
    out_at += take - stream.avail_out;
  }
  inflateEnd(&stream);
  if (result != Z_STREAM_END || out_at != static_cast<size_t>(size)) zip.fail("a member does not unpack to its size");
  return out;
}

}  // namespace

bool is_zip(Bytes bytes) {
  return bytes.size() >= kZipEnd && bytes[0] == 'P' && bytes[1] == 'K' && (bytes[2] == 3 || bytes[2] == 5);
}

Buffer read_npz_member(Bytes archive, const std::string& wanted, const std::string& path) {
  const Archive zip(archive, path);
  const std::vector<Member> members = members_of(zip);
  const Member* found = nullptr;
  for (const Member& member : members)
    if (member.name == wanted || member.name == wanted + ".npy") found = &member;
  if (wanted.empty() && members.size() == 1) found = &members.front();
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const Member& member : members)
      names.push_back(ends_with(member.name, ".npy") ? member.name.substr(0, member.name.size() - 4) : member.name);
    fail_for_member(path, wanted, names);
  }
  if (found->flags & 1) zip.fail("the member is encrypted");
  if (zip.number(found->header, 4) != 0x04034b50) zip.fail("a member is not where the directory says");
  const int64_t data = found->header + 30 + zip.number(found->header + 26, 2) + zip.number(found->header + 28, 2);
  const Bytes packed = zip.part(data, found->packed);
  Buffer out;
  if (found->method == 0) {
    if (found->packed != found->unpacked) zip.fail("a stored member has two sizes");
    out = Buffer(found->unpacked);
    if (!packed.empty()) std::memcpy(out.data(), packed.data(), packed.size());
  } else if (found->method == 8) {
    out = inflated(zip, packed, found->unpacked);
  } else {
    fail_unsupported("{}: members packed by method {} are not read, only stored and deflated ones", path,
                     found->method);
  }
  const auto crc = static_cast<int64_t>(crc32_z(0, out.data(), static_cast<z_size_t>(out.size())));
  if (out.size() > 0 && crc != found->crc) zip.fail("a member's checksum is wrong");
  return out;
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
