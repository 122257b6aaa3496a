// SPDX-License-Identifier: Apache-2.0
#include "exec/verify.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>

#include "ir/address.h"
#include "ir/compiler.h"
#include "ir/map.h"
#include "ir/reference.h"
#include "text/print.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

using reference::Bits;
using std::min;

// Draws `count` different numbers below `total`, one from each of `count` equal parts, so that no faulty range longer
// than two parts is missed. Gives all numbers in order where `count` is at least `total`.
class RandomPositions {
 public:
  RandomPositions(int64_t total, int64_t count, uint64_t* state)
      : count_(min(total, count)),
        part_(count_ > 0 ? total / count_ : 0),
        longer_(total - part_ * count_),
        state_(state) {}
  int64_t count() const { return count_; }
  int64_t at(int64_t i) {
    // The remainder goes to the first parts, one each.
    const auto size = static_cast<uint64_t>(part_ + (i < longer_));
    return i * part_ + min(i, longer_) + static_cast<int64_t>(ir::mul_high(next(), size));
  }

 private:
  // SplitMix64.
  uint64_t next() {
    uint64_t z = *state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  int64_t count_, part_, longer_;
  uint64_t* state_;
};

// An error message that is built piece by piece and truncated where it is too long.
class MessageLine {
 public:
  XLASHAPE_PRINTF(2, 3) void add(const char* format, ...) {
    va_list args;
    va_start(args, format);
    const int length = std::vsnprintf(text_ + length_, sizeof text_ - length_, format, args);
    va_end(args);
    if (length > 0) length_ = min(sizeof text_ - 1, length_ + static_cast<size_t>(length));
  }
  // Adds "[1,2,3]"; of many numbers only the first ones.
  void add_numbers(const int64_t* numbers, int32_t count, int64_t step = 1) {
    constexpr int32_t kMost = 8;
    for (int32_t d = 0; d < min(count, kMost); ++d) add("%c%lld", d == 0 ? '[' : ',', ll(numbers[d * step]));
    add("%s", count == 0 ? "[]" : count > kMost ? ",...]" : "]");
  }
  // Adds a container as a number.
  void add_bits(Bits value, int32_t bits) {
    if (bits > 64) {
      add("0x%016llx%016llx", static_cast<unsigned long long>(value >> 64), static_cast<unsigned long long>(value));
    } else {
      add("0x%0*llx", (bits + 3) / 4, static_cast<unsigned long long>(value));
    }
  }
  const char* text() const { return text_; }
  size_t length() const { return length_; }

 private:
  char text_[sizeof(Error::message)] = "";
  size_t length_ = 0;
};

class Verification {
 public:
  Verification(const Prepared& prepared, const xlashape_run& run, uint64_t state, Error* err)
      : prepared_(prepared), op_(*prepared.op), run_(run), state_(state), err_(err) {
    src_ = run.src + static_cast<uint64_t>(run.src_byte_offset);
    dst_ = run.dst + static_cast<uint64_t>(run.dst_byte_offset);
  }

  Status relayout() {
    const xlashape_relayout_ir& ir = *op_.relayout;
    const bool fills = (ir.flags & XLASHAPE_IR_HAS_BOX) == 0 && ir.fill_policy == XLASHAPE_FILL_PADDING;
    const bool pads = fills && ir.has_padding;
    const int64_t wanted = prepared_.runtime->verify_count;
    int64_t elements = wanted;
    // Where padding is filled, half of the positions are drawn from the whole storage (of an odd number, either half
    // may get one more), so that neither few elements in much padding nor little padding is missed.
    if (pads) elements = wanted < ir.dst->positions ? wanted / 2 + (wanted & static_cast<int64_t>(state_ & 1)) : 0;
    if (src_ == dst_ && (ir.flags & XLASHAPE_IR_IS_IDENTITY) != 0)
      elements = 0;  // in place, source and destination are the same bytes
    XLASHAPE_TRY(check_elements(elements));
    if (pads) XLASHAPE_TRY(check_positions(wanted - elements));
    return fills ? check_spare_bits() : XLASHAPE_STATUS_OK;
  }

  Status indices() {
    const auto* in = ir::pointer_at<const int64_t>(src_);
    const auto* out = ir::pointer_at<const int64_t>(dst_);
    const bool marks = (op_.flags & XLASHAPE_INDEX_MARK_INVALID) != 0;
    const int64_t first_invalid = run_.first_invalid != nullptr && !marks ? *run_.first_invalid : run_.count;
    RandomPositions draw(first_invalid, prepared_.runtime->verify_count, &state_);
    int64_t bad = 0;
    for (int64_t i = 0; i < draw.count(); ++i) XLASHAPE_TRY(check_entry(in, out, draw.at(i), false, &bad));
    // An entry that was called bad must be bad.
    if (first_invalid < run_.count) return check_entry(in, out, first_invalid, true, &bad);
    if (draw.count() == run_.count && run_.invalid_count != nullptr && *run_.invalid_count != bad) {
      begin();
      line_.add("%lld of %lld entries are invalid, it counted %lld", ll(bad), ll(run_.count), ll(*run_.invalid_count));
      return end(-1, -1);
    }
    return XLASHAPE_STATUS_OK;
  }

 private:
  const void* src() const { return ir::pointer_at<const void>(src_); }
  const void* dst() const { return ir::pointer_at<const void>(dst_); }

  Status check_elements(int64_t wanted) {
    const xlashape_relayout_ir& ir = *op_.relayout;
    const int32_t rank = ir.dst->rank;
    RandomPositions draw(ir.elements, wanted, &state_);
    for (int64_t i = 0; i < draw.count(); ++i) {
      int64_t left = draw.at(i);
      for (int32_t d = rank; d-- > 0; left /= ir.extent[d]) {
        const int64_t step = left % ir.extent[d];
        from_[d] = ir.src_base[d] + step;
        to_[d] = ir.dst_base[d] + step;
      }
      XLASHAPE_TRY(check_element(ir::position(*ir.dst, to_)));
    }
    return XLASHAPE_STATUS_OK;
  }

  // Checks positions of the whole storage, elements and padding. There is no box, so both sides have the same indices.
  Status check_positions(int64_t wanted) {
    const xlashape_relayout_ir& ir = *op_.relayout;
    const int32_t bits = ir.dst_container_bits;
    const Bits fill = reference::load(ir.fill, 0, 8, std::max(bits, 8));
    RandomPositions draw(ir.dst->positions, wanted, &state_);
    for (int64_t i = 0; i < draw.count(); ++i) {
      const int64_t at = draw.at(i);
      if (ir::index_at(*ir.dst, at, to_)) {
        std::copy_n(to_, ir.dst->rank, from_);
        XLASHAPE_TRY(check_element(at));
        continue;
      }
      const Bits found = reference::load_dst(ir, dst(), at);
      if (found == fill) continue;
      begin();
      const int64_t byte = add_place(at);
      line_.add(" is padding and holds ");
      line_.add_bits(found, bits);
      line_.add(", the fill is ");
      line_.add_bits(fill, bits);
      return end(-1, byte);
    }
    return XLASHAPE_STATUS_OK;
  }

  // Checks the element at from_ of the source and to_ of the destination, where it has position `at`.
  Status check_element(int64_t at) {
    const xlashape_relayout_ir& ir = *op_.relayout;
    const int32_t bits = ir.dst_container_bits;
    const int64_t origin = ir::position(*ir.src, from_);
    Bits want = reference::convert(ir, reference::load_src(ir, src(), origin), from_);
    if (bits < 128) want &= (static_cast<Bits>(1) << bits) - 1;
    const Bits found = reference::load_dst(ir, dst(), at);
    if (found == want) return XLASHAPE_STATUS_OK;
    begin();
    const int64_t byte = add_place(at);
    line_.add(", element ");
    line_.add_numbers(to_, ir.dst->rank);
    line_.add(", holds ");
    line_.add_bits(found, bits);
    line_.add(ir.values != nullptr ? ", it should hold " : ", the source has ");
    line_.add_bits(want, bits);
    line_.add(ir.values != nullptr ? ", from source byte %lld" : " at byte %lld",
              ll(ir::byte_of(origin, ir.src->unit_bits)));
    return end(-1, byte);
  }

  // Checks the spare bits after packed elements that end within a byte.
  Status check_spare_bits() {
    const xlashape_relayout_ir& ir = *op_.relayout;
    const int spare = reference::spare_bits(ir);
    if (spare == 0 || ir.dst_high == 0) return XLASHAPE_STATUS_OK;
    const int last = static_cast<const unsigned char*>(dst())[ir.dst_high - 1] & spare;
    if (last == 0) return XLASHAPE_STATUS_OK;
    begin();
    line_.add("the spare bits of destination byte %lld are 0x%02x, they must be 0", ll(ir.dst_high - 1),
              last >> std::countr_zero(static_cast<unsigned>(spare)));
    return end(-1, ir.dst_high - 1);
  }

  // Checks entry `at` of a batch. Compares the backend's answer unless it called the entry bad.
  Status check_entry(const int64_t* in, const int64_t* out, int64_t at, bool called_invalid, int64_t* bad) {
    const xlashape_map_ir& map = *op_.map;
    const bool to_linear = op_.kind == XLASHAPE_OP_TO_LINEAR;
    const int64_t step = op_.dimension_step;
    const int64_t in_at = to_linear ? at * op_.index_step : at, out_at = to_linear ? at : at * op_.index_step;
    const int32_t in_count = to_linear ? map.rank : 1, out_count = to_linear ? 1 : map.rank;
    for (int32_t d = 0; d < in_count; ++d) from_[d] = in[in_at + d * step];
    bool good = true;
    if (to_linear) {
      for (int32_t d = 0; d < map.rank; ++d)
        good &= static_cast<uint64_t>(from_[d]) < static_cast<uint64_t>(map.dimensions[d]);
      if (good) to_[0] = ir::position(map, from_);
    } else {
      good = static_cast<uint64_t>(from_[0]) < static_cast<uint64_t>(map.positions) && ir::index_at(map, from_[0], to_);
    }
    if (!good) std::fill_n(to_, out_count, -1);
    *bad += !good;
    bool right = called_invalid ? !good : good || (op_.flags & XLASHAPE_INDEX_MARK_INVALID) != 0;
    if (!called_invalid)
      for (int32_t d = 0; d < out_count; ++d) right &= out[out_at + d * step] == to_[d];
    if (right) return XLASHAPE_STATUS_OK;
    begin();
    line_.add("entry %lld of the batch, ", ll(at));
    line_.add_numbers(from_, in_count);
    line_.add(called_invalid ? ", is called invalid" : ", became ");
    if (!called_invalid) line_.add_numbers(out + (out_count > 0 ? out_at : 0), out_count, step);
    line_.add(", it is ");
    if (good)
      line_.add_numbers(to_, out_count);
    else
      line_.add("invalid");
    return end(at, -1);
  }

  void begin() { line_.add("verify: backend %s: ", prepared_.backend->name.c_str()); }

  // Adds "destination byte 12"; returns the byte.
  int64_t add_place(int64_t position) {
    const xlashape_relayout_ir& ir = *op_.relayout;
    const int64_t byte = ir::byte_of(position, ir.dst->unit_bits);
    line_.add("destination byte %lld", ll(byte));
    if (ir.dst_container_bits < 8)
      line_.add(" bit %d", reference::lowest_bit(position, ir.dst->unit_bits, reference::dst_high_first(ir)));
    return byte;
  }

  // Adds the shape's text, truncated where it is too long.
  void add_shape(const Shape& shape) {
    char text[108];
    int64_t needed;
    print_shape(shape, 0, text, sizeof text, &needed, nullptr);
    line_.add("%s", text);
  }

  // Adds the operation and the plan, then gives the message to the caller and the logger.
  Status end(int64_t index, int64_t offset) {
    if (op_.relayout != nullptr) {
      const xlashape_relayout_ir& ir = *op_.relayout;
      line_.add(": ");
      add_shape(*prepared_.src_shape);
      line_.add(" -> ");
      add_shape(*prepared_.dst_shape);
      if (ir.src->output_extent == nullptr) line_.add(", source by strides");
      if (ir.dst->output_extent == nullptr) line_.add(", destination by strides");
      if (ir.flags & XLASHAPE_IR_HAS_BOX) {
        line_.add(", box ");
        line_.add_numbers(ir.extent, ir.dst->rank);
        line_.add(" from ");
        line_.add_numbers(ir.src_base, ir.dst->rank);
        line_.add(" to ");
        line_.add_numbers(ir.dst_base, ir.dst->rank);
      }
    } else {
      line_.add(": indices of ");
      line_.add_numbers(op_.map->dimensions, op_.map->rank);
      line_.add(" in %lld positions", ll(op_.map->positions));
    }
    if (run_.task_count > 1) line_.add(", %lld tasks", ll(run_.task_count));
    char plan[320];
    prepared_.backend->calls.describe(prepared_.storage, *prepared_.op, plan, sizeof plan);
    line_.add("; plan: %s", plan);
    const uint32_t source = prepared_.backend->calls.source();
    prepared_.runtime->hooks.log(XLASHAPE_LOG_ERROR, source, {line_.text(), line_.length()});
    fail(err_, XLASHAPE_STATUS_INTERNAL, "%s", line_.text());
    set_source(err_, source);
    set_index(err_, index);
    set_offset(err_, offset);
    return XLASHAPE_STATUS_INTERNAL;
  }

  const Prepared& prepared_;
  const xlashape_op& op_;
  const xlashape_run& run_;
  uint64_t src_, dst_, state_;
  Error* err_;
  MessageLine line_;
  int64_t from_[ir::kMaxValues], to_[ir::kMaxValues];
};

}  // namespace

Status verify(const Prepared& prepared, const xlashape_run& run, Error* err) {
  const xlashape_op& op = *prepared.op;
  if (op.src_space != XLASHAPE_SPACE_CPU || op.dst_space != XLASHAPE_SPACE_CPU) return XLASHAPE_STATUS_OK;
  // Executions draw different positions: the seed is their number and the time, which differs between processes.
  const uint64_t number = prepared.runtime->verified.fetch_add(1, std::memory_order_relaxed);
  const auto now = static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  Verification check(prepared, run, number * 0xBF58476D1CE4E5B9 + now * 0xD1342543DE82EF95, err);
  return op.relayout != nullptr ? check.relayout() : check.indices();
}

}  // namespace xlashape::core
