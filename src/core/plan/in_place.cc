// SPDX-License-Identifier: Apache-2.0
#include "plan/in_place.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xlashape::core {
namespace {

// Panels grow with the array, so that the blocks that both sides have in common are as large as these.
constexpr int64_t kBlocksOfGood = 4;   // times InPlaceSizes::block
constexpr int64_t kPanelsOfMost = 64;  // times InPlaceSizes::panel
constexpr int64_t kLine = 64;
constexpr int64_t kMostDivisor = 1 << 16;  // that is tried, but for the number itself

using Stride = int64_t Digit::*;

bool by_src(const Digit& a, const Digit& b) { return a.src > b.src; }

// Whether the digits of this side take all places from `unit` up, without a gap.
bool is_dense(const std::vector<Digit>& digits, Stride side, int64_t unit, int64_t bytes) {
  for (const size_t i : minor_first(digits, side)) {
    if (digits[i].*side != unit) return false;
    unit *= digits[i].extent;
  }
  return unit == bytes;
}

int64_t largest_divisor(int64_t number, int64_t most) {
  if (number <= most) return number;
  for (int64_t d = std::min(most, kMostDivisor); d > 1; --d)
    if (number % d == 0) return d;
  return 1;
}

// A digit, and whether it is within the source's panels and within the destination's.
struct Marked : Digit {
  bool in_src = false, in_dst = false;
};

// Marks the minor digits of a side that have at most `most` bytes, of which one may be cut for it.
void mark_minor(std::vector<Marked>& digits, Stride side, int64_t unit, int64_t most, bool Marked::*mark) {
  std::sort(digits.begin(), digits.end(), [&](const Marked& a, const Marked& b) { return a.*side < b.*side; });
  int64_t bytes = unit;
  for (size_t i = 0; i < digits.size(); ++i) {
    const int64_t part = largest_divisor(digits[i].extent, most / bytes);
    if (part == 1) return;
    const bool is_cut = part < digits[i].extent;
    if (is_cut) {
      Marked outer = digits[i];
      outer.extent /= part, outer.src *= part, outer.dst *= part;
      digits[i].extent = part;
      digits.push_back(outer);
    }
    digits[i].*mark = true;
    bytes *= part;
    if (is_cut) return;
  }
}

void add_step(std::vector<InPlaceStep>* steps, InPlaceStep::Kind kind, Permutation moves) {
  std::sort(moves.digits.begin(), moves.digits.end(), by_src);
  moves.reduce();
  if (!moves.digits.empty()) steps->push_back({kind, std::move(moves), {}, 0});
}

// How a permutation is cut for three steps.
struct Cut {
  std::vector<Marked> digits;
  int64_t block;  // bytes of what is within panels of both sides
};

Cut cut_for_panels(const Permutation& whole, int64_t most) {
  Cut cut{{}, whole.unit};
  for (const Digit& digit : whole.digits) cut.digits.push_back({digit});
  mark_minor(cut.digits, &Digit::src, whole.unit, most, &Marked::in_src);
  mark_minor(cut.digits, &Digit::dst, whole.unit, most, &Marked::in_dst);
  for (const Marked& digit : cut.digits)
    if (digit.in_src && digit.in_dst) cut.block *= digit.extent;
  return cut;
}

void add_three_steps(const Permutation& whole, const std::vector<Marked>& digits, std::vector<InPlaceStep>* steps) {
  // The strides after the first and after the second step. Blocks are what is in both panels.
  std::vector<int64_t> first(digits.size()), second(digits.size());
  int64_t block = whole.unit;
  const std::vector<Digit> plain(digits.begin(), digits.end());
  const std::vector<size_t> from_src = minor_first(plain, &Digit::src), from_dst = minor_first(plain, &Digit::dst);
  for (const size_t i : from_dst)
    if (digits[i].in_src && digits[i].in_dst) first[i] = second[i] = block, block *= digits[i].extent;
  int64_t src_panel = block, dst_panel = block;
  for (const size_t i : from_src)
    if (digits[i].in_src && !digits[i].in_dst) first[i] = src_panel, src_panel *= digits[i].extent;
  for (const size_t i : from_dst)
    if (digits[i].in_dst && !digits[i].in_src) second[i] = dst_panel, dst_panel *= digits[i].extent;
  Permutation within{whole.count * (whole.bytes / src_panel), src_panel, whole.unit, {}};
  Permutation blocks{whole.count, whole.bytes, block, {}};
  Permutation order{whole.count * (whole.bytes / dst_panel), dst_panel, whole.unit, {}};
  for (size_t i = 0; i < digits.size(); ++i) {
    const Marked& d = digits[i];
    if (!d.in_src) first[i] = d.src;
    if (!d.in_dst) second[i] = d.dst;
    if (d.in_src) within.digits.push_back({d.extent, d.src, first[i]});
    if (!d.in_src || !d.in_dst) blocks.digits.push_back({d.extent, first[i], second[i]});
    if (d.in_dst) order.digits.push_back({d.extent, second[i], d.dst});
  }
  add_step(steps, InPlaceStep::Kind::kPanels, std::move(within));
  add_step(steps, InPlaceStep::Kind::kBlocks, std::move(blocks));
  add_step(steps, InPlaceStep::Kind::kPanels, std::move(order));
}

void add_by_blocks(const Permutation& whole, const InPlaceSizes& sizes, std::vector<InPlaceStep>* steps) {
  // Panels that are a part of the array, and the same part of it in blocks. Larger ones where digits have few divisors,
  // as short blocks take longer than panels that leave the caches.
  const double square = static_cast<double>(whole.bytes) * static_cast<double>(kBlocksOfGood * sizes.block);
  const int64_t panel = std::clamp(static_cast<int64_t>(std::sqrt(square)), sizes.panel, kPanelsOfMost * sizes.panel);
  const auto cut = [&](const Permutation& moves) {
    Cut made = cut_for_panels(moves, panel);
    for (int64_t most = panel; made.block < sizes.block && most <= moves.bytes / 32;)
      made = cut_for_panels(moves, most *= 2);
    return made;
  };
  const Cut all = cut(whole);
  const int64_t fitting = panel / whole.digits[0].src;  // rows
  if (whole.count == 1 && whole.digits.size() == 2 && all.block < sizes.block && fitting > 1) {
    const int64_t unit = whole.unit, columns = whole.digits[1].extent, width = whole.digits[0].src;
    const int64_t rest = whole.digits[0].extent % fitting, rows = whole.digits[0].extent - rest;
    const Permutation most{1, rows * width, unit, {{rows, width, unit}, {columns, unit, rows * unit}}};
    const Permutation aside{1, rest * width, unit, {{rest, width, unit}, {columns, unit, rest * unit}}};
    if (const Cut other = cut(most); rest > 0 && rows > 0 && other.block >= 2 * all.block) {
      steps->push_back({InPlaceStep::Kind::kSetAside, aside, {}, rows});
      add_three_steps(most, other.digits, steps);
      steps->push_back({InPlaceStep::Kind::kJoin, aside, {}, rows});
      return;
    }
  }
  add_three_steps(whole, all.digits, steps);
}

// The digit whose places are those where the values of digit `i` go; -1: there is none, so that what goes there does
// not come back.
int partner_of(const std::vector<Digit>& digits, size_t i) {
  for (size_t k = 0; k < digits.size(); ++k)
    if (digits[k].src == digits[i].dst && digits[k].dst == digits[i].src && digits[k].extent == digits[i].extent)
      return static_cast<int>(k);
  return -1;
}

// Cuts the array into boxes that change places in pairs. False where the permutation is not its own inverse.
bool add_pairs(const Permutation& whole, const InPlaceSizes& sizes, std::vector<InPlaceStep>* steps) {
  const std::vector<Digit>& digits = whole.digits;
  std::vector<int> partner(digits.size());
  for (size_t i = 0; i < digits.size(); ++i)
    if ((partner[i] = partner_of(digits, i)) < 0) return false;

  // Within a box are runs of both sides: the source's minor digits and their partners. Of the next digit and its
  // partner as much as is left.
  const auto run = static_cast<int64_t>(std::sqrt(static_cast<double>(sizes.box) * static_cast<double>(whole.unit)));
  std::vector<int64_t> within(digits.size(), 1);
  int64_t bytes = whole.unit;
  for (const size_t i : minor_first(digits, &Digit::src)) {
    int64_t part = std::min(digits[i].extent, run / bytes);
    // In whole lines where these are several.
    const int64_t lines = kLine / std::gcd(kLine, bytes);
    if (part < digits[i].extent && part > lines) part -= part % lines;
    if (part <= 1 && digits[i].extent > 1) break;
    within[i] = std::max(within[i], part);
    const auto other = static_cast<size_t>(partner[i]);
    within[other] = std::max(within[other], part);
    bytes *= part;
    if (part < digits[i].extent) break;
  }
  InPlaceStep step{InPlaceStep::Kind::kPairs, {whole.count, whole.bytes, whole.unit, {}}, {}, 0};
  std::vector<int> outer(digits.size(), -1);
  for (size_t i = 0; i < digits.size(); ++i) {
    const Digit& d = digits[i];
    const int64_t part = within[i], rest = d.extent % part;
    int inner = -1;
    if (part > 1) {
      if (rest != 0) inner = static_cast<int>(step.moves.digits.size());
      step.moves.digits.push_back({part, d.src, d.dst});
    }
    if (part == d.extent) continue;
    outer[i] = static_cast<int>(step.outer.size());
    step.outer.push_back({{(d.extent - 1) / part + 1, d.src * part, d.dst * part}, partner[i], inner, rest});
  }
  for (PairDigit& digit : step.outer) digit.partner = outer[static_cast<size_t>(digit.partner)];
  steps->push_back(std::move(step));
  return true;
}

Status refuse(Error* err, const char* why) {
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "in place: %s: give the destination memory of its own", why);
}

}  // namespace

std::vector<size_t> minor_first(const std::vector<Digit>& digits, Stride side) {
  std::vector<size_t> order(digits.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return digits[a].*side < digits[b].*side; });
  return order;
}

void Permutation::reduce() {
  std::vector<Digit> all;
  for (const Digit& digit : digits)
    if (digit.extent > 1) all.push_back(digit);
  // Outermost of both sides, innermost of both sides.
  size_t first = 0;
  for (; first < all.size() && all[first].src == all[first].dst; ++first) {
    count *= all[first].extent;
    bytes /= all[first].extent;
  }
  size_t last = all.size();
  for (; last > first && all[last - 1].src == unit && all[last - 1].dst == unit; --last) unit *= all[last - 1].extent;
  digits.clear();
  for (size_t i = first; i < last; ++i) {
    Digit* const outer = digits.empty() ? nullptr : &digits.back();
    if (outer != nullptr && outer->src == all[i].src * all[i].extent && outer->dst == all[i].dst * all[i].extent)
      *outer = {outer->extent * all[i].extent, all[i].src, all[i].dst};
    else
      digits.push_back(all[i]);
  }
}

Status plan_in_place(const xlashape_relayout_ir& ir, const InPlaceSizes& sizes, std::vector<InPlaceStep>* steps,
                     Error* err) {
  steps->clear();
  if (ir.flags & XLASHAPE_IR_HAS_BOX || ir.src->positions < 0) return refuse(err, "there is a box, or strides");
  if (ir.src_container_bits != ir.dst_container_bits)
    return refuse(err, "the two layouts keep an element in different numbers of bits");
  const bool fills = ir.has_padding && ir.fill_policy == XLASHAPE_FILL_PADDING;
  if (ir.flags & XLASHAPE_IR_IS_IDENTITY && !fills) return XLASHAPE_STATUS_OK;
  if (ir.src->positions != ir.elements || ir.dst->positions != ir.elements)
    return refuse(err, "a layout has padding, which the other one has no place for");
  if (ir.elements <= 1) return XLASHAPE_STATUS_OK;
  if (ir.nest == nullptr || ir.nest->guard_count > 0) return refuse(err, "the tiles have no common factors");
  const int64_t element = ir.src_unit_bits < 8 ? 1 : ir.src_container_bits / 8;
  Permutation whole{1, ir.elements * element, element, {}};
  for (int32_t i = 0; i < ir.nest->loop_count; ++i)
    whole.digits.push_back({ir.nest->extent[i], ir.nest->src_stride[i], ir.nest->dst_stride[i]});
  std::sort(whole.digits.begin(), whole.digits.end(), by_src);
  whole.reduce();
  if (!is_dense(whole.digits, &Digit::src, whole.unit, whole.bytes) ||
      !is_dense(whole.digits, &Digit::dst, whole.unit, whole.bytes))
    return refuse(err, "the places of the two layouts have no common digits");
  if (ir.src_unit_bits < 8) {  // counted in elements: a byte has several
    const int64_t in_byte = 8 / ir.src_unit_bits;
    if (whole.unit % in_byte != 0) return refuse(err, "elements change places within bytes");
    whole.bytes /= in_byte, whole.unit /= in_byte;
    for (Digit& digit : whole.digits) digit.src /= in_byte, digit.dst /= in_byte;
  }
  if (whole.digits.empty()) return XLASHAPE_STATUS_OK;
  if (whole.unit >= sizes.block)
    add_step(steps, InPlaceStep::Kind::kBlocks, std::move(whole));
  else if (whole.bytes <= sizes.panel)
    add_step(steps, InPlaceStep::Kind::kPanels, std::move(whole));
  else if (!add_pairs(whole, sizes, steps))
    add_by_blocks(whole, sizes, steps);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
