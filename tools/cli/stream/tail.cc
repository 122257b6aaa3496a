// SPDX-License-Identifier: Apache-2.0
#include "tail.h"

#include <algorithm>

namespace xlashape::cli {

Tail::Tail(const Request& request, bool several) {
  const Sizes sizes = request.dst.sizes();
  if (!several || sizes.tail_padding == 0 || request.fill_policy != FillPolicy::kPadding) return;
  const int64_t bits = sizes.element_bits, data_bits = (sizes.storage_elements - sizes.tail_padding) * bits;
  begin_ = (data_bits + 7) / 8;
  end_ = sizes.bytes;
  // An array of one element behind which are nine of padding, or more: its second byte, or element, has nothing else.
  LayoutSpec spec;
  spec.minor_to_major = {0};
  spec.padded_dimensions = {17};
  spec.padding_value = layout_of(request.dst).spec().padding_value;
  spec.element_size_in_bits = layout_of(request.dst).spec().element_size_in_bits;
  Request one;
  one.flags = request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST;
  one.src = Shape::array(request.dst.element_type(), {1});
  one.dst = Shape::array(request.dst.element_type(), {1}, Layout::create(spec));
  std::vector<uint8_t> src(static_cast<size_t>(one.src.sizes().bytes)), dst(static_cast<size_t>(one.dst.sizes().bytes));
  make_plan(Runtime(), one).execute(src, dst);
  const auto width = static_cast<size_t>(std::max<int64_t>(bits / 8, 1));
  element_.assign(dst.begin() + static_cast<std::ptrdiff_t>(width),
                  dst.begin() + static_cast<std::ptrdiff_t>(2 * width));
  // The first so many bits of a byte.
  const auto first_bits = [&](int64_t count) {
    return static_cast<uint8_t>(one.flags != 0 ? 0xFF00u >> count : (1u << count) - 1);
  };
  if (const int64_t used = sizes.storage_elements % 8 * (bits % 8) % 8; used != 0) last_ = first_bits(used);
  if (const int64_t used = data_bits % 8; used != 0) {
    shared_ = static_cast<uint8_t>(element_[0] & ~first_bits(used));
    if (begin_ == end_) shared_ &= last_;
  }
}

void Tail::complete(std::span<uint8_t> slab) const {
  if (shared_ != 0 && !slab.empty()) slab.back() |= shared_;
}

void Tail::write(const std::function<void(int64_t at, Bytes)>& write) const {
  if (begin_ >= end_) return;
  const size_t width = element_.size();
  std::vector<uint8_t> block((size_t{64} << 10) / width * width);
  for (size_t i = 0; i < block.size(); ++i) block[i] = element_[i % width];
  for (int64_t at = begin_; at < end_;) {
    const auto part = static_cast<size_t>(std::min<int64_t>(end_ - at, static_cast<int64_t>(block.size())));
    at += static_cast<int64_t>(part);
    if (at == end_) block[part - 1] &= last_;
    write(at - static_cast<int64_t>(part), Bytes(block).first(part));
  }
}

}  // namespace xlashape::cli
