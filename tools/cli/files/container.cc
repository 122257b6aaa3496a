// SPDX-License-Identifier: Apache-2.0
#include "container.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "cli/base/failure.h"
#include "formats.h"
#include "safetensors.h"

namespace xlashape::cli {

Place place_of(const std::string& out) {
  std::string small = out;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const std::string kind : {"safetensors"}) {
    if (ends_with(out, "." + kind)) return {out, "", kind};
    const size_t at = small.rfind("." + kind + ":");
    if (at == std::string::npos) continue;
    const size_t colon = at + 1 + kind.size();
    return {out.substr(0, colon), out.substr(colon + 1), kind};
  }
  return {out, "", ""};
}

namespace {

struct Start {
  std::string header;
  std::string shape_text;  // in the metadata, if any
};

Start start_of(const Place& place, const Shape& shape) {
  Start start;
  std::vector<Tensor> tensors = {tensor_of(place.name, shape, &start.shape_text)};
  std::map<std::string, std::string> metadata;
  if (!start.shape_text.empty()) metadata["xlashape." + place.name] = start.shape_text;
  start.header = make_safetensors_header(tensors, metadata, place.file);
  return start;
}

}  // namespace

void require_member(const Place& place, const Shape& shape) {
  if (place.name.empty()) fail_usage("{}: say what the array is called in it, as {}:NAME", place.file, place.file);
  start_of(place, shape);
}

Layout layout_to(const std::string& text, const Array& array, const std::string& out) {
  const Layout layout = layout_named(text, array.shape.rank(), array.items);
  if (text != "row" || place_of(out).kind != "safetensors" || array.shape.element_type() != ElementType::kF4E2M1FN)
    return layout;
  LayoutSpec spec = layout.spec();
  spec.element_size_in_bits = 4;
  return array.shape.sizes().elements % 2 == 0 ? Layout::create(spec) : layout;
}

Written write_member(const Place& place, const Shape& shape, Bytes bytes) {
  const Start start = start_of(place, shape);
  Buffer swapped;
  if (const int64_t unit = unit_of(shape); std::endian::native == std::endian::big && unit > 1) {
    swapped = Buffer(static_cast<int64_t>(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), swapped.data());
    swap_bytes(swapped.writable(), unit);
    bytes = swapped.bytes();
  }
  const Bytes parts[] = {{reinterpret_cast<const uint8_t*>(start.header.data()), start.header.size()}, bytes};
  write_plain(place.file, parts);
  const std::string note =
      start.shape_text.empty() ? "" : fmt::format("\"{}\" is U8 there, with its shape in __metadata__", place.name);
  return {"safetensors", "", note, static_cast<int64_t>(start.header.size() + bytes.size())};
}

}  // namespace xlashape::cli
