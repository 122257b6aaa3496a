// SPDX-License-Identifier: Apache-2.0
#include "verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <random>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/execution/reference.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

// Larger results are sampled: a position takes about 0.2 us, most of it waiting for memory.
constexpr int64_t kMostPositions = int64_t{1} << 21;

// One relayout that was carried out, and what stands against it.
struct Move {
  const char* way;  // after "backend NAME"
  const Request& request;
  const Plan& plan;
  ElementCheck elements;

  [[noreturn]] void blame(const std::string& wrong) const {
    cli::wrong("verify: backend {}{}: {}: {} -> {}; plan: {}", plan.backend(), way, wrong, request.src.to_string(),
               request.dst.to_string(), plan.describe());
  }
  void check(int64_t position) {
    if (const std::string wrong = elements.wrong_at(position); !wrong.empty()) blame(wrong);
  }
};

// Which bits of the source a relayout keeps: where containers differ those of the values. An int4 of -8 in a byte may
// be 0x08, as XLA and ml_dtypes have it, or 0xf8.
class Kept {
 public:
  explicit Kept(const Request& request) {
    const int64_t bits = container_bits(request.src), other = container_bits(request.dst);
    const int64_t value = bits == other ? bits : kept_bits(request.src.element_type(), bits, other);
    bytes_ = std::max<int64_t>(bits / 8, 1);
    for (int64_t bit = 0; bit < bytes_ * 8; ++bit)
      if (bit % bits < value) mask_[bit / 8] |= static_cast<uint8_t>(1 << bit % 8);
    if (std::endian::native == std::endian::big) std::reverse(mask_, mask_ + bytes_);
  }
  uint8_t of(int64_t byte) const { return mask_[byte % bytes_]; }

 private:
  int64_t bytes_;
  uint8_t mask_[16] = {};
};

// Checks one position from each of `count` equal parts, so that no faulty range longer than two parts is missed.
int64_t check_forward(Move* forward) {
  const int64_t positions = forward->elements.positions();
  const int64_t count = std::min(positions, kMostPositions);
  std::mt19937_64 random(std::bit_cast<uint64_t>(seconds_now()));  // not all systems have /dev/urandom
  Progress progress("verify");
  for (int64_t i = 0; i < count; ++i) {
    const int64_t part = positions / count, longer = positions % count;
    const int64_t begin = i * part + std::min(i, longer), size = part + (i < longer ? 1 : 0);
    forward->check(begin + (size > 1 ? std::uniform_int_distribution<int64_t>(0, size - 1)(random) : 0));
    if (i % 65536 == 0) progress.show(static_cast<double>(i) / static_cast<double>(count));
  }
  if (const std::string wrong = forward->elements.wrong_tail(); !wrong.empty()) forward->blame(wrong);
  return count;
}

}  // namespace

Verified verify_relayout(const Runtime& runtime, const Request& request, const Plan& plan, Bytes source, Bytes result,
                         int threads) {
  const bool converts = (request.flags & XLASHAPE_PLAN_CONVERT) != 0;
  std::optional<OneValue> values;
  if (converts) values.emplace(runtime, request);
  Move forward{"", request, plan, ElementCheck(request, source, result, converts ? &*values : nullptr)};
  Verified verified;
  verified.positions = forward.elements.positions();
  verified.checked = check_forward(&forward);
  // What is converted back may be another value, and padding between strides anything.
  if (converts || !request.src_element_strides.empty()) return verified;

  // Checks every element by moving the result back. Padding of the source may hold anything, so a source with padding
  // is first moved to a clean copy.
  const auto size = static_cast<int64_t>(source.size());
  Request back = request;
  std::swap(back.src, back.dst);
  const auto flag = [&](uint32_t of, uint32_t is) { return (request.flags & of) != 0 ? is : 0; };
  const uint32_t order = flag(XLASHAPE_PLAN_SRC_HIGH_FIRST, XLASHAPE_PLAN_DST_HIGH_FIRST);
  back.flags = order | flag(XLASHAPE_PLAN_DST_HIGH_FIRST, XLASHAPE_PLAN_SRC_HIGH_FIRST);
  back.fill_policy = FillPolicy::kPadding;
  Request same = back;
  same.src = same.dst;
  same.flags = order | flag(XLASHAPE_PLAN_SRC_HIGH_FIRST, XLASHAPE_PLAN_SRC_HIGH_FIRST);
  const Plan back_plan = make_plan(runtime, back);
  Buffer again(size);
  if (size > 0) std::memset(again.data(), 0xA5, source.size());
  execute(back_plan, result.data(), static_cast<int64_t>(result.size()), again.data(), size, threads);
  Bytes expected = source;
  Plan same_plan;
  Buffer clean;
  const Sizes sizes = request.src.sizes();
  if (sizes.storage_elements != sizes.elements || sizes.elements * sizes.element_bits % 8 != 0) {
    same_plan = make_plan(runtime, same);
    clean = Buffer(size);
    execute(same_plan, source.data(), size, clean.data(), size, threads);
    expected = clean.bytes();
  }
  const Kept kept(request);
  auto found = std::mismatch(expected.begin(), expected.end(), again.data());
  while (found.first != expected.end() &&
         ((*found.first ^ *found.second) & kept.of(found.first - expected.begin())) == 0)
    found = std::mismatch(found.first + 1, expected.end(), found.second + 1);
  verified.bytes = size;
  if (found.first == expected.end()) return verified;

  // Finds the relayout at fault: checks the positions in that byte in each of them.
  const int64_t byte = found.first - expected.begin();
  Move backward{" on the way back", back, back_plan, ElementCheck(back, result, again.bytes())};
  const int64_t bits = container_bits(request.src);
  const int64_t first = byte * 8 / bits,
                end = std::min(byte * 8 / bits + std::max<int64_t>(8 / bits, 1), backward.elements.positions());
  for (int64_t position = first; position < end; ++position) {
    if (const int64_t origin = backward.elements.origin_of(position); origin >= 0) forward.check(origin);
    backward.check(position);
    if (same_plan)
      Move{" on the way to a copy of the source", same, same_plan, ElementCheck(same, source, expected)}.check(
          position);
  }
  wrong("verify: byte {} came back as {:#04x}, it was {:#04x}: by backend {}; plan: {}", byte, *found.second,
        *found.first, back_plan.backend(), back_plan.describe());
}

}  // namespace xlashape::cli
