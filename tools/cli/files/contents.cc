// SPDX-License-Identifier: Apache-2.0
#include "contents.h"

#include <algorithm>
#include <set>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "container.h"
#include "file_members.h"
#include "formats.h"
#include "sidecar.h"

namespace xlashape::cli {
namespace {

Content content_of(const Raw& raw, const std::string& path) {
  Content content;
  content.name = raw.member;
  content.bytes = raw.size;
  if (raw.type == ElementType::kInvalid && !raw.shape && raw.items.descr.empty()) {
    content.why = raw.why;
    return content;
  }
  Array array = as_failures([&] { return describe_array(raw, path, {}); }, path);
  content.shape = std::move(array.shape);
  content.items = std::move(array.items);
  return content;
}

Contents all_of(const FileMembers& file) {
  Contents contents = {file.path(), file.kind(), true, {}};
  std::set<std::string> names;
  for (size_t i = 0; i < file.names().size(); ++i) {
    if (!names.insert(file.names()[i]).second) fail_data("{}: has two members \"{}\"", file.path(), file.names()[i]);
    contents.arrays.push_back(content_of(file.describe(i), file.path() + ":" + file.names()[i]));
  }
  return contents;
}

// Of raw bytes; none where there is no sidecar.
std::optional<Contents> described(const std::string& path) {
  const std::optional<DescribedFile> found = find_described(path);
  if (!found) return std::nullopt;
  Raw raw;
  raw.shape = as_failures([&] { return Shape::parse(found->claim.shape); }, found->sidecar);
  raw.size = found->claim.bytes;
  return Contents{path, "raw", false, {content_of(raw, path)}};
}

}  // namespace

bool names_contents(const std::string& text) { return ends_with(text, ".npy") || !place_of(text).kind.empty(); }

Contents contents_of(const std::string& path) {
  if (const auto [file, name] = file_and_member(path); !file.empty()) {
    const FileMembers members(file);
    const size_t number = members.number_of(name);
    return {file, members.kind(), false, {content_of(members.describe(number), path)}};
  }
  if (has_members(path)) return all_of(FileMembers(path));
  const FileParts file(path);
  if (const Buffer start = file.read(0, std::min(file.size(), kZipEnd)); is_npy(start.bytes()))
    return {path, "npy", false, {content_of(raw_of(read_npy_header(file), file.size(), path), path)}};
  else if (is_zip(start.bytes()))
    return all_of(FileMembers(path));
  if (std::optional<Contents> contents = described(path)) return *std::move(contents);
  if (ends_with(path, ".npy")) fail_data("{}: does not begin as a .npy file does", path);
  fail_data("{}: says nothing of its arrays: explain reads .npy, .npz, .safetensors, and raw bytes with their sidecar",
            path);
}

}  // namespace xlashape::cli
