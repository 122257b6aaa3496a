// SPDX-License-Identifier: Apache-2.0
#include "array_place.h"

#include <algorithm>
#include <bit>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "file_members.h"
#include "formats.h"
#include "npz.h"
#include "safetensors.h"
#include "sidecar.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kStart = 64;  // bytes that tell .npy, PNG and zip apart

[[noreturn]] void fail_whole(const std::string& path, const char* what) {
  fail_data("{}: {} is read whole: leave --max-memory out, or save the array as .npy", path, what);
}

}  // namespace

ArrayPlace::ArrayPlace(const std::string& path, const Reading& reading) {
  require_one_type(path, reading);
  if (reading.offset || reading.bytes) {
    array_ = described_behind(path, reading, &offset_);
    open(path);
    require_part(path, file_->size(), offset_, array_.shape.sizes().bytes, reading.bytes.has_value(),
                 array_.shape.to_string());
  } else if (const auto [file, name] = file_and_member(path); !file.empty()) {
    find_member(file, name, path, reading);
  } else if (is_safetensors(path)) {
    find_member(path, "", path, reading);
  } else {
    find_raw(path, reading);
  }
}

void ArrayPlace::open(const std::string& path) {
  if (file_exists(path) && !is_regular_file(path))
    fail_data("{}: is read in parts, which a pipe or a device cannot be: give a file, or leave --max-memory out", path);
  file_.emplace(path);
  stamp_ = stamp_of(path);
}

void ArrayPlace::find_member(const std::string& file, const std::string& name, const std::string& path,
                             const Reading& reading) {
  open(file);
  const FileMembers members(file);
  const size_t number = members.number_of(name);
  offset_ = members.place_of(number);
  const Raw raw = members.describe(number);
  array_ = array_of(raw, raw.size, path, reading);
  offset_ += array_.before;
  if constexpr (std::endian::native == std::endian::big) swap_bytes_ = unit_of(array_.shape);
}

void ArrayPlace::find_raw(const std::string& path, const Reading& reading) {
  const bool shape_given = !reading.shape.empty();
  const std::optional<DescribedFile> described =
      shape_given && !ends_with(path, ".json") ? std::nullopt : find_described(path);
  open(described ? described->data : path);
  Raw raw;
  int64_t size = file_->size();
  if (described) {
    raw.shape = as_failures([&] { return Shape::parse(described->claim.shape); }, described->sidecar);
    raw.high_first = described->claim.high_first;
  } else if (const Buffer start = file_->read(0, std::min(size, kStart)); is_npy(start.bytes())) {
    const NpyHeader header = read_npy_header(*file_);
    raw = raw_of(header, size, path);
    size = header.data_bytes;
    offset_ = header.data_offset;
    swap_bytes_ = header.swap_bytes;
  } else if (is_png(start.bytes())) {
    fail_whole(path, "a PNG");
  } else if (is_zip(start.bytes()) && (!shape_given || ends_with(path, ".npz"))) {
    fail_whole(path, "a .npz file");
  } else if (ends_with(path, ".npy") && !shape_given) {
    fail_data("{}: does not begin as a .npy file does", path);
  }
  array_ = array_of(raw, size, path, reading);
  offset_ = sum(offset_, array_.before);
}

void ArrayPlace::read_to(int64_t at, std::span<uint8_t> out) const {
  file_->read_to(sum(offset_, at), out);
  if (swap_bytes_ > 1) swap_bytes(out, swap_bytes_);
}

void ArrayPlace::require_unchanged() const {
  if (stamp_of(file_->path()) != stamp_) fail_data("{}: changed while it was read", file_->path());
}

}  // namespace xlashape::cli
