// SPDX-License-Identifier: Apache-2.0
#include "file_members.h"

#include <optional>
#include <utility>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "formats.h"
#include "new_file.h"

namespace xlashape::cli {
namespace {

LimitOf limit_of_members(const std::string& path) {
  return [path](Bytes start) {
    if (is_safetensors(path)) return StreamLimit();
    if (const int64_t more = more_to_tell(start); more > 0) return StreamLimit{more};
    if (!is_zip(start)) fail_data("{}: is no .npz file", path);
    return StreamLimit();
  };
}

}  // namespace

std::pair<std::string, std::string> file_and_member(const std::string& path) {
  if (file_exists(path)) return {};
  for (size_t colon = path.rfind(':'); colon != std::string::npos && colon > 0; colon = path.rfind(':', colon - 1))
    if (file_exists(path.substr(0, colon))) return {path.substr(0, colon), path.substr(colon + 1)};
  return {};
}

bool has_members(const std::string& path) { return is_safetensors(path) || ends_with(path, ".npz"); }

FileMembers::FileMembers(const std::string& path)
    : file_(path, limit_of_members(path)), kind_(is_safetensors(path) ? "safetensors" : "npz") {
  list();
}

FileMembers::FileMembers(const std::string& path, Buffer bytes) : file_(path, std::move(bytes)), kind_("npz") {
  list();
}

void FileMembers::list() {
  if (kind_ == "safetensors") {
    header_ = read_safetensors(file_);
    names_.reserve(header_.tensors.size());
    for (const Tensor& tensor : header_.tensors) names_.push_back(tensor.name);
    return;
  }
  if (file_.size() < kZipEnd || !is_zip(file_.read(0, kZipEnd).bytes())) fail_data("{}: is no .npz file", path());
  zip_ = zip_members(file_);
  names_.reserve(zip_.size());
  for (const ZipMember& member : zip_) names_.push_back(npz_name(member.name));
}

Raw FileMembers::describe(size_t number) const {
  Raw raw;
  if (kind_ == "safetensors")
    raw = describe_tensor(header_, header_.tensors[number], path_of(number));
  else
    raw = raw_of(
        read_npy_header([&](int64_t most) { return read_zip_start(file_, zip_[number], most); }, path_of(number)),
        zip_[number].unpacked, path_of(number));
  raw.member = names_[number];
  return raw;
}

Raw FileMembers::read(size_t number) const {
  Raw raw;
  if (kind_ == "safetensors") {
    raw = describe(number);
    raw.bytes = read_tensor(file_, header_, header_.tensors[number]);
  } else {
    raw = from_npy(read_zip_member(file_, zip_[number]), path_of(number));
  }
  raw.member = names_[number];
  return raw;
}

size_t FileMembers::number_of(const std::string& name) const {
  if (kind_ == "safetensors") return static_cast<size_t>(&tensor_named(header_, name, path()) - header_.tensors.data());
  return static_cast<size_t>(&zip_member_named(zip_, name, path()) - zip_.data());
}

int64_t FileMembers::place_of(size_t number) const {
  if (kind_ != "safetensors")
    fail_data(
        "{}: members of a .npz file are read whole, as they may be compressed: save it as .npy, or leave "
        "--max-memory out",
        path_of(number));
  return header_.data_offset + header_.tensors[number].begin;
}

OutMember FileMembers::as_it_is(size_t number) const {
  OutMember member;
  member.name = names_[number];
  if (kind_ == "safetensors") {
    member.tensor = header_.tensors[number];
    member.bytes = member.tensor.end - member.tensor.begin;
    if (const auto said = header_.metadata.find("xlashape." + member.name); said != header_.metadata.end())
      member.shape_text = said->second;
    member.make = [this, number](Buffer* keep) {
      const Tensor& tensor = header_.tensors[number];
      *keep = file_.read(header_.data_offset + tensor.begin, tensor.end - tensor.begin);
      return keep->bytes();
    };
    return member;
  }
  member.file_name = zip_[number].name;
  member.bytes = zip_[number].unpacked;
  member.utf8 = (zip_[number].flags & 0x800) != 0;
  member.make = [this, number](Buffer* keep) {
    *keep = read_zip_member(file_, zip_[number]);
    return keep->bytes();
  };
  return member;
}

namespace {

// The file at `place`, if there is one.
std::optional<FileMembers> members_at(const Place& place) {
  if (is_stream(place.file) || !file_exists(place.file)) return std::nullopt;
  return std::optional<FileMembers>(std::in_place, place.file);
}

}  // namespace

void require_members(const Place& place) { members_at(place); }

Written write_member(const Place& place, const Shape& shape, const Pieces& pieces, const Items& items) {
  OutMember member = member_of(place, place.name, shape, items);
  if (pieces.are_placed())
    member.place = [&pieces](const Pieces::SinkAt& sink) { pieces.place(sink); };
  else
    member.make = [&pieces](Buffer*) { return pieces.only(); };
  std::string note =
      member.shape_text.empty() ? "" : fmt::format("\"{}\" is U8 there, with its shape in __metadata__", place.name);
  const std::optional<FileMembers> there = members_at(place);  // which are read when they are written
  std::vector<OutMember> members;
  bool replaced = false;
  for (size_t i = 0; there && i < there->names().size(); ++i) {
    const bool same = there->names()[i] == place.name;
    members.push_back(same ? member : there->as_it_is(i));
    replaced |= same;
  }
  if (!replaced) members.push_back(member);
  if (members.size() > 1)
    note += fmt::format("{}{} beside it stay as they are", note.empty() ? "" : "; ",
                        counted(static_cast<int64_t>(members.size()) - 1, "member"));
  return {place.kind, "", note,
          write_members(place, members, there ? there->metadata() : std::map<std::string, std::string>())};
}

}  // namespace xlashape::cli
