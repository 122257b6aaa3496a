// SPDX-License-Identifier: Apache-2.0
// Fuzzes (shape, layout, layout) -> plan: whatever the bytes describe, the plan is refused or does what the reference
// walker does, in any number of tasks, and touches nothing else.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "backends/scalar/relayout.h"
#include "ir/reference.h"
#include "layout/validate.h"
#include "plan/relayout.h"

namespace {

using namespace xlashape;
using namespace xlashape::core;

// Small numbers out of the fuzzer's bytes; 0 when they are used up.
class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  int64_t next(int64_t bound) {
    if (size_ == 0 || bound <= 0) return 0;
    --size_;
    return *data_++ % bound;
  }
  // Mostly small, now and then huge or negative.
  int64_t wild(int64_t bound) {
    const int64_t kind = next(16);
    if (kind == 15) return INT64_MAX - next(3);
    if (kind == 14) return -next(3);
    return next(bound);
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

Ref<Layout> read_layout(Bytes& bytes, const std::vector<int64_t>& dimensions) {
  auto layout = Ref<Layout>::adopt(new Layout);
  const auto rank = static_cast<int64_t>(dimensions.size());
  std::vector<int64_t> rest;
  for (int64_t i = 0; i < rank; ++i) rest.push_back(i);
  while (!rest.empty()) {
    const auto i = static_cast<size_t>(bytes.next(static_cast<int64_t>(rest.size())));
    layout->minor_to_major.push_back(rest[i]);
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
  }
  if (bytes.next(3) == 0)
    for (const int64_t d : dimensions) layout->padded_dimensions.push_back(d < 100 ? d + bytes.next(4) : d);
  layout->padding_value = static_cast<int32_t>(bytes.next(6));
  for (int64_t levels = bytes.next(4); levels > 0; --levels) {
    const int64_t size = bytes.next(5);
    layout->tile_ranks.push_back(size);
    for (int64_t i = 0; i < size; ++i)
      layout->tile_dimensions.push_back(bytes.next(8) == 0 ? XLASHAPE_COMBINE_DIMENSION : bytes.wild(9));
  }
  layout->tail_padding_alignment = bytes.next(4) == 0 ? bytes.wild(17) : 1;
  static constexpr int64_t kBits[] = {0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 3, 6};
  layout->element_size_in_bits = kBits[bytes.next(12)];
  if (layout->has_tiles() && !layout->tile_dimensions.empty() && bytes.next(6) == 1)
    layout->tile_dimensions[static_cast<size_t>(bytes.next(layout->tile_dimensions.ssize()))] =
        XLASHAPE_MATCH_DIMENSION;
  if (!layout->has_padding() && bytes.next(16) == 1) {
    layout->minor_to_major.clear();
    layout->memory_space = 5;
  }
  return layout;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes bytes(data, size);
  const auto type = static_cast<xlashape_element_type>(bytes.next(37));
  std::vector<int64_t> dimensions[2];
  for (int64_t rank = bytes.next(6); rank > 0; --rank) dimensions[0].push_back(bytes.wild(12));
  const bool box = bytes.next(4) == 0;
  dimensions[1] = dimensions[0];
  if (box)
    for (int64_t& d : dimensions[1]) d = bytes.wild(12);
  Ref<Shape> shapes[2];
  for (int side = 0; side < 2; ++side) {
    Ref<Layout> layout = read_layout(bytes, dimensions[side]);
    if (validate_layout(*layout, nullptr) ||
        make_array(type, dimensions[side], {}, std::move(layout), &shapes[side], nullptr))
      return 0;
  }
  RelayoutRequest request;
  request.src.array = shapes[0].get();
  request.dst.array = shapes[1].get();
  request.fill_policy = static_cast<int32_t>(bytes.next(2));
  std::vector<int64_t> numbers[5];  // strides of both sides, bases of both sides, extent
  for (auto& list : numbers)
    for (size_t i = 0; i <= dimensions[0].size(); ++i)
      list.push_back(bytes.wild(40) - (&list < numbers + 2 ? bytes.next(40) : 0));
  const auto stride = [&](const std::vector<int64_t>& list, RelayoutSide& side) {
    const int64_t which = bytes.next(8);
    if (which == 0) side.byte_strides = list.data();
    if (which == 1) side.element_strides = list.data(), side.first_element = bytes.wild(400);
  };
  stride(numbers[0], request.src);
  stride(numbers[1], request.dst);
  if (box) {
    request.src.base = numbers[2].data();
    request.dst.base = numbers[3].data();
    request.extent = numbers[4].data();
  }
  // A value step, now and then: into another type, with scales of any bits, with bits from the highest.
  const int64_t steps = bytes.next(64);
  std::vector<float> scale;
  std::vector<int32_t> zero_point;
  if (steps >= 32) {
    const auto to = static_cast<xlashape_element_type>(bytes.next(37));
    Ref<Layout> layout = read_layout(bytes, dimensions[1]);
    if (validate_layout(*layout, nullptr) || make_array(to, dimensions[1], {}, std::move(layout), &shapes[1], nullptr))
      return 0;
    request.dst.array = shapes[1].get();
    request.values.convert = true;
  }
  request.values.saturate = (steps & 1) != 0;
  request.values.src_high_first = (steps & 2) != 0;
  request.values.dst_high_first = (steps & 4) != 0;
  if ((steps & 8) != 0) {
    request.values.scale_dimension = bytes.next(7) - 1;
    const bool each = bytes.next(2) != 0 && request.values.scale_dimension >= 0 &&
                      request.values.scale_dimension < static_cast<int64_t>(dimensions[0].size());
    const int64_t size = each ? dimensions[0][static_cast<size_t>(request.values.scale_dimension)] : 1;
    for (int64_t i = 0; i < std::clamp<int64_t>(size, 0, 64); ++i) {
      scale.push_back(std::ldexp(static_cast<float>(1 + bytes.next(250)), static_cast<int>(bytes.next(200)) - 140));
      zero_point.push_back(static_cast<int32_t>(bytes.next(250) - 125) * (bytes.next(9) == 8 ? 1 << 24 : 1));
    }
    request.values.scale_count = static_cast<int64_t>(scale.size());
    request.values.scale = scale.data();
    request.values.zero_point = bytes.next(3) == 0 ? nullptr : zero_point.data();
  }
  alignas(16) char space[4096];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  if (build_relayout(request, arena, &ir, nullptr)) return 0;
  constexpr int64_t kMost = 1 << 16;          // what is larger is planned, but not moved
  constexpr int64_t kFar = int64_t{1} << 40;  // no memory is so far from the place that a caller points at
  const auto near = [](int64_t low) { return -kFar < low && low < kFar; };
  const bool small = ir.elements <= kMost && ir.src_high - ir.src_low <= kMost && ir.dst_high - ir.dst_low <= kMost &&
                     ir.dst->positions <= kMost && near(ir.src_low) && near(ir.dst_low);
  scalar::ScalarRelayoutPlan plan;
  scalar::init(ir, &plan);
  if (scalar::tasks(ir, plan, 64) < 1) std::abort();
  if (!small) return 0;
  std::vector<unsigned char> src(static_cast<size_t>(ir.src_high - ir.src_low)),
      want(static_cast<size_t>(ir.dst_high - ir.dst_low), 0xA5);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<unsigned char>(i * 37 + 11);
  std::vector<unsigned char> got = want;
  const auto* from = reinterpret_cast<const char*>(src.data()) - ir.src_low;
  reference::relayout(ir, from, reinterpret_cast<char*>(want.data()) - ir.dst_low);
  const int64_t tasks = 1 + bytes.next(5);
  for (int64_t t = tasks; t-- > 0;)
    scalar::execute(ir, plan, from, reinterpret_cast<char*>(got.data()) - ir.dst_low, t, t + 1, tasks);
  if (want != got) std::abort();
  return 0;
}
