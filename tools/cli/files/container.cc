// SPDX-License-Identifier: Apache-2.0
#include "container.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "cli/base/failure.h"
#include "cli/base/number.h"
#include "cli/output/output.h"
#include "formats.h"
#include "npz.h"
#include "safetensors.h"

namespace xlashape::cli {
namespace {

Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

}  // namespace

Place place_of(const std::string& out) {
  std::string small = out;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string kind : {"safetensors", "npz"}) {
    if (ends_with(out, "." + kind)) return {out, "", kind};
    const size_t at = small.rfind("." + kind + ":");
    if (at == std::string::npos) continue;
    const size_t colon = at + 1 + kind.size();
    const std::string name = out.substr(colon + 1);
    return {out.substr(0, colon), kind == "npz" ? npz_name(name) : name, kind};
  }
  return {out, "", ""};
}

Arranged arranged_to(const std::string& words, const Array& array, const std::string& out, const char* option) {
  const Arranged all = arranged(array.shape, words, array.items, option);
  const auto packed = [](const Shape& shape) {
    LayoutSpec spec = layout_of(shape).spec();
    spec.element_size_in_bits = 4;
    return shape.with_layout(Layout::create(spec));
  };
  const bool packs = place_of(out).kind == "safetensors" && all.result.element_type() == ElementType::kF4E2M1FN &&
                     layout_of(all.result) == Layout::row_major(array.shape.rank()) &&
                     array.shape.sizes().elements % 2 == 0 && words.find('{') == words.npos;
  return packs ? Arranged{packed(all.destination), packed(all.result)} : all;
}

OutMember member_of(const Place& place, const std::string& name, const Shape& shape, const Items& items) {
  OutMember member;
  member.name = name;
  member.bytes = shape.sizes().bytes;
  if (place.kind == "safetensors") {
    member.tensor = tensor_of(name, shape, &member.shape_text);
    member.unit = unit_of(shape);
    return member;
  }
  member.file_name = name + ".npy";
  const std::optional<std::string> header = npy_header_of(items, shape);
  if (!header)
    fail_data(
        "a .npz file holds row-major and column-major arrays of NumPy's types and at most 32 dimensions, unlike "
        "{}: name OUT .safetensors",
        shape.to_string());
  member.header = *header;
  return member;
}

namespace {

// In the order of their widths, so that each begins where its elements may.
void sort_by_width(std::vector<OutMember>* members) {
  const auto width = [](const OutMember& member) { return width_of(member.tensor); };
  std::stable_sort(members->begin(), members->end(),
                   [&](const OutMember& a, const OutMember& b) { return width(a) > width(b); });
}

Bytes in_little_endian(Bytes bytes, int64_t unit, Buffer* keep) {
  if (std::endian::native != std::endian::big || unit <= 1) return bytes;
  if (bytes.data() != keep->data()) {
    *keep = Buffer(static_cast<int64_t>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), keep->data());
  }
  swap_bytes(keep->writable(), unit);
  return keep->bytes();
}

std::string header_of(const Place& place, const std::vector<OutMember>& members,
                      std::map<std::string, std::string> metadata) {
  std::vector<Tensor> tensors;
  tensors.reserve(members.size());
  for (const OutMember& member : members) {
    tensors.push_back(member.tensor);
    metadata.erase("xlashape." + member.name);
    if (!member.shape_text.empty()) metadata["xlashape." + member.name] = member.shape_text;
  }
  return make_safetensors_header(tensors, metadata, place.file);
}

// A .safetensors file one member of which is written in an order of its own.
int64_t write_placed_members(const Place& place, const std::vector<OutMember>& members, const std::string& header) {
  if (place.kind != "safetensors")
    fail_data(
        "{}: a .npz file has a checksum before each array, which is known when all of it is there: give a .npy "
        "file, or .safetensors",
        place.file);
  int64_t size = static_cast<int64_t>(header.size());
  for (const OutMember& member : members) size = sum(size, member.bytes);
  write_plain(place.file, Pieces(size, [&](const Pieces::SinkAt& sink) {
                sink(0, bytes_of(header));
                int64_t at = static_cast<int64_t>(header.size());
                for (const OutMember& member : members) {
                  const auto write = [&](int64_t from, Bytes bytes) {
                    Buffer keep;
                    sink(at + from, in_little_endian(bytes, member.unit, &keep));
                  };
                  if (member.place) {
                    member.place(write);
                  } else {
                    Buffer keep;
                    write(0, member.make(&keep));
                  }
                  at += member.bytes;
                }
              }));
  return size;
}

}  // namespace

int64_t write_members(const Place& place, std::vector<OutMember> members, std::map<std::string, std::string> metadata) {
  if (place.kind == "safetensors") sort_by_width(&members);
  const std::string header = place.kind == "safetensors" ? header_of(place, members, std::move(metadata)) : "";
  const bool placed =
      std::any_of(members.begin(), members.end(), [](const OutMember& m) { return m.place != nullptr; });
  if (placed) return write_placed_members(place, members, header);
  int64_t size = 0;
  const Pieces pieces([&](const Pieces::Sink& out) {
    const Pieces::Sink sink = [&](Bytes bytes) {
      size += static_cast<int64_t>(bytes.size());
      out(bytes);
    };
    sink(bytes_of(header));
    ZipWriter zip(sink);
    for (const OutMember& member : members) {
      Buffer keep;
      const Bytes bytes = in_little_endian(member.make(&keep), member.unit, &keep);
      if (place.kind == "npz")
        zip.add(member.file_name, member.utf8, bytes_of(member.header), bytes);
      else
        sink(bytes);
    }
    if (place.kind == "npz") zip.finish();
  });
  write_plain(place.file, pieces);
  return size;
}

void require_name(const Place& place) {
  if (place.name.empty()) fail_usage("{}: say what the array is called in it, as {}:NAME", place.file, place.file);
  for (std::string_view rest = place.name; !rest.empty();) {
    uint32_t code = 0;
    const size_t length = character(rest, &code);
    if (length == 0) fail_data("{}: a name in it must be UTF-8, unlike {}: give another name", place.file, place.name);
    rest.remove_prefix(length);
  }
}

void require_tensor(const Place& place, const Shape& shape) {
  header_of(place, {member_of(place, place.name, shape, {})}, {});
}

}  // namespace xlashape::cli
