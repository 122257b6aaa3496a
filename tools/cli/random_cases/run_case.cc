// SPDX-License-Identifier: Apache-2.0
#include "run_case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cli/base/failure.h"
#include "execution_mode.h"
#include "offsets.h"
#include "stage.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kMostAlignment = 4096;

}  // namespace

void check_requirements(const xlashape_plan_requirements& needs, const ElementOffsets& from, const ElementOffsets& to) {
  const auto absurd = [](int64_t alignment) {
    return alignment < 1 || alignment > kMostAlignment || (alignment & (alignment - 1)) != 0;
  };
  if (absurd(needs.src_alignment) || absurd(needs.dst_alignment))
    wrong("absurd alignments {} and {}", needs.src_alignment, needs.dst_alignment);
  const auto within = [](int64_t low, int64_t high, const ElementOffsets& side) {
    return low == high || (low >= side.low() && high <= side.high());
  };
  if (!within(needs.src_low, needs.src_high, from) || !within(needs.dst_low, needs.dst_high, to))
    wrong("would touch source bytes {} to {} of {} to {}, destination bytes {} to {} of {} to {}", needs.src_low,
          needs.src_high, from.low(), from.high(), needs.dst_low, needs.dst_high, to.low(), to.high());
}

void fill_with_nans(std::span<uint8_t> bytes, int64_t bits, size_t every) {
  static constexpr uint64_t kWords[3][4] = {{0x7C01, 0xFE01, 0x0001, 0x7F81},
                                            {0x7F800001, 0xFF812345, 0x00000001, 0x80000000},
                                            {0x7FF0000000000001, 0xFFF7123456789ABC, 1, 0x8000000000000000}};
  const size_t width = static_cast<size_t>(std::clamp<int64_t>(bits, 16, 64)) / 8;
  const auto& words = kWords[width == 2 ? 0 : width == 4 ? 1 : 2];
  for (size_t at = 0; at + width <= bytes.size(); at += every * width)
    std::memcpy(bytes.data() + at, &words[at / width / every % 4], width);
}

void compare(const Expected& expected, const RegionPlace& place, Bytes was, const std::string& how) {
  const Bytes now = place.all(), inside = place.inside();
  const auto before = static_cast<size_t>(place.before()), size = inside.size();
  const auto tell = [&](size_t at, uint8_t wanted) {
    const auto offset = static_cast<int64_t>(at) - static_cast<int64_t>(before);
    wrong("{}: destination byte {} {}is {:#04x}, must be {:#04x} (was {:#04x})", how, offset,
          offset >= 0 && offset < static_cast<int64_t>(size) ? "" : "outside the array ", now[at], wanted, was[at]);
  };
  for (size_t at = 0; at < now.size(); ++at) {
    if (at == before) at += size;
    if (at < now.size() && now[at] != was[at]) tell(at, was[at]);
  }
  if (expected.known.empty() && (size == 0 || std::memcmp(inside.data(), expected.bytes.data(), size) == 0)) return;
  for (size_t at = 0; at < size; ++at) {
    const uint8_t mask = expected.known.empty() ? 0xff : expected.known[at];
    if (((inside[at] ^ expected.bytes[at]) & mask) != 0) tell(before + at, expected.bytes[at]);
  }
}

void compare_source(const RegionPlace& place, Bytes was) {
  const Bytes now = place.all();
  const auto at = static_cast<size_t>(std::mismatch(was.begin(), was.end(), now.begin()).first - was.begin());
  if (at == was.size()) return;
  wrong("the source changed: byte {} is {:#04x}, it was {:#04x}", static_cast<int64_t>(at) - place.before(), now[at],
        was[at]);
}

std::string bytes_text(Bytes bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{}{:02x}", text.empty() ? "" : " ", byte);
  return text;
}

void try_large(Random& random, const Plan& plan, const Request& request, const CaseOptions& case_options,
               int64_t* bytes) {
  const xlashape_plan_requirements needs = plan.requirements();
  const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
  check_requirements(needs, from, to);
  RegionPlace src(random, from.low(), from.high(), needs.src_alignment, case_options.guarded && random.chance(50));
  RegionPlace dst(random, to.low(), to.high(), needs.dst_alignment, case_options.guarded && random.chance(50));
  if (random.chance(20)) fill_with_nans(src.inside(), value_bits(request.src.element_type()), 2);
  const std::vector<uint8_t> was(dst.all().begin(), dst.all().end()), source(src.all().begin(), src.all().end());
  Expected expected = expected_quickly(random, request, from, to, src.inside(), dst.inside());
  const auto taken =
      static_cast<int64_t>(2 * was.size() + 2 * source.size() + expected.bytes.size() + expected.known.size());
  *bytes = std::max(*bytes, taken);
  std::optional<Forbidden> data, behind, behind_dst;
  if (case_options.guarded) {
    src.region().forbid_writes();
    data.emplace(src.region().data(), src.region().size(), "writes to the source");
    behind.emplace(src.region().data() + src.region().size(), kGuardBytes, "touches memory behind the source");
    behind_dst.emplace(dst.region().data() + dst.region().size(), kGuardBytes, "touches memory behind the destination");
  }
  for (int round = 0; round <= case_options.modes; ++round) {
    const ExecutionMode mode = round == 0 ? ExecutionMode() : random_mode(random, needs);
    if (round > 0) std::memcpy(dst.all().data(), was.data(), was.size());
    const auto run = [&] { execute(plan, needs, mode, src.pointer(), dst.pointer()); };
    if (round == 0 && case_options.stage) {
      case_options.stage(run);
    } else {
      run();
    }
    try {
      compare(expected, dst, was, mode_text(mode));
    } catch (const Failure&) {
      // The tables were only sampled, so before a failure is reported every element is looked up in the index maps.
      std::copy(was.begin(), was.end(), dst.all().begin());
      const Expected slowly = expected_quickly(random, request, from, to, src.inside(), dst.inside(), false);
      if (slowly.bytes == expected.bytes && slowly.known == expected.known) throw;
      run();
      compare(slowly, dst, was, mode_text(mode));
      expected = slowly;
    }
  }
  if (case_options.guarded) src.region().allow_writes();
  compare_source(src, source);
}

}  // namespace xlashape::cli
