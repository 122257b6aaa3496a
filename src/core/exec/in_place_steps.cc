// SPDX-License-Identifier: Apache-2.0
#include "exec/in_place_steps.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/line.h"
#include "ir/address.h"
#include "ir/compiler.h"
#include "ir/divide.h"

namespace xlashape::core {
namespace {

using Kind = InPlaceStep::Kind;

Status run_part(const Ref<Plan>& part, uint64_t src, uint64_t dst, Error* err) {
  const Planned& planned = part->planned;
  xlashape_run run = run_at(src, dst);
  run.task_end = run.task_count = 1;
  return planned.backend->calls.plan_execute(planned.storage, planned.op, run, err);
}

// What its backend says first: the rest is about each part alone.
void describe_part(const Ref<Plan>& part, std::string* text) {
  char line[512];
  part->planned.backend->calls.describe(part->planned.storage, part->planned.op, line, sizeof line);
  *text += std::string_view(line).substr(0, std::string_view(line).find(';'));
}

// Panels of some that lie side by side: each is copied to the scratch memory and moved back from there.
class Panels final : public InPlaceWork {
 public:
  Status make(Permutation moves, const InPlaceSizes& sizes, const MakePart& make_part, Error* err) {
    together_ = std::clamp<int64_t>(sizes.panel / moves.bytes, 1, moves.count);
    count_ = moves.count, bytes_ = moves.bytes;
    units = (count_ - 1) / together_ + 1;
    scratch_bytes = together_ * bytes_;
    moves.digits.insert(moves.digits.begin(), {together_, bytes_, bytes_});
    XLASHAPE_TRY(make_part(moves.unit, moves.digits, &group_, err));
    moves.digits[0].extent = count_ % together_;
    return moves.digits[0].extent == 0 ? XLASHAPE_STATUS_OK : make_part(moves.unit, moves.digits, &last_, err);
  }

  Status run(uint64_t array, int64_t begin, int64_t end, char* scratch, char*, Error* err) const override {
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t at = array + static_cast<uint64_t>(i * together_ * bytes_);
      const int64_t panels = std::min(together_, count_ - i * together_);
      std::memcpy(scratch, ir::pointer_at<char>(at), static_cast<size_t>(panels * bytes_));
      XLASHAPE_TRY(run_part(panels == together_ ? group_ : last_, ir::address_of(scratch), at, err));
    }
    return XLASHAPE_STATUS_OK;
  }

  void describe(std::string* text) const override {
    append(text, "%lld panels of %lld bytes, %lld at a time: ", ll(count_), ll(bytes_), ll(together_));
    describe_part(group_, text);
  }

 private:
  int64_t count_ = 0, bytes_ = 0, together_ = 0;
  Ref<Plan> group_, last_;
};

// Blocks follow the cycles of the permutation. A unit of work is a column of the blocks: 64 bytes of each.
class Blocks final : public InPlaceWork {
 public:
  void make(const Permutation& moves) {
    bytes_ = moves.bytes, block_ = moves.unit;
    blocks_ = bytes_ / block_;
    columns_ = (block_ - 1) / kColumn + 1;
    units = moves.count * columns_;
    least_units = kLeastBytes / kColumn;
    scratch_bytes = (blocks_ + 63) / 64 * 8 + block_;
    for (const Digit& d : moves.digits)
      digits_.push_back({ir::reciprocal(d.dst / block_), d.dst / block_, d.src / block_});
    std::sort(digits_.begin(), digits_.end(), [](const auto& a, const auto& b) { return a.dst > b.dst; });
  }

  Status run(uint64_t array, int64_t begin, int64_t end, char* scratch, char*, Error*) const override {
    for (int64_t i = begin; i < end;) {
      const int64_t item = i / columns_, column = i % columns_, to = std::min(columns_, column + end - i);
      const int64_t low = column * kColumn, high = std::min(to * kColumn, block_);
      move_columns(ir::pointer_at<char>(array + static_cast<uint64_t>(item * bytes_ + low)),
                   static_cast<size_t>(high - low), scratch);
      i += to - column;
    }
    return XLASHAPE_STATUS_OK;
  }

  void describe(std::string* text) const override {
    append(text, "%lld x %lld blocks of %lld bytes in cycles", ll(units / columns_), ll(blocks_), ll(block_));
  }

 private:
  static constexpr int64_t kColumn = 64, kLeastBytes = 1024;
  static constexpr int kAhead = 8;
  static constexpr size_t kPrefetched = 256;  // of a block: the processor continues by itself

  struct BlockDigit {
    ir::Reciprocal by_dst;
    int64_t dst, src;  // in blocks
  };

  // Where the block comes from that goes to place `at`.
  int64_t source_of(int64_t at) const {
    int64_t from = 0;
    for (const BlockDigit& digit : digits_) {
      const int64_t q = ir::divide(at, digit.by_dst.magic, digit.by_dst.shift);
      at -= q * digit.dst;
      from += q * digit.src;
    }
    return from;
  }

  // Moves `bytes` of each block, the first of which are at `first`. A bit of the scratch memory says which places have
  // what belongs there.
  void move_columns(char* first, size_t bytes, char* scratch) const {
    auto* const done = reinterpret_cast<uint64_t*>(scratch);
    char* const saved = scratch + (blocks_ + 63) / 64 * 8;
    std::memset(done, 0, static_cast<size_t>((blocks_ + 63) / 64 * 8));
    for (int64_t start = 0; start < blocks_; ++start) {
      if (done[start / 64] >> (start % 64) & 1) continue;
      int64_t from = source_of(start);
      if (from == start) continue;
      copy_block(saved, first + start * block_, bytes);
      // Blocks that follow are anywhere, and are asked for in good time.
      int64_t ahead = from;
      for (int i = 0; i < kAhead; ++i) {
        ir::prefetch<3>(first + ahead * block_);
        ahead = source_of(ahead);
      }
      int64_t at = start;
      for (; from != start; at = from, from = source_of(from)) {
        for (size_t line = 0; line < std::min<size_t>(bytes, kPrefetched); line += 64)
          ir::prefetch<3>(first + ahead * block_ + line);
        ahead = source_of(ahead);
        copy_block(first + at * block_, first + from * block_, bytes);
        done[from / 64] |= uint64_t{1} << (from % 64);
      }
      copy_block(first + at * block_, saved, bytes);
    }
  }

  // Short blocks are copied without a call.
  static void copy_block(char* to, const char* from, size_t bytes) {
    switch (bytes) {
      case 1:
        std::memcpy(to, from, 1);
        break;
      case 2:
        std::memcpy(to, from, 2);
        break;
      case 4:
        std::memcpy(to, from, 4);
        break;
      case 8:
        std::memcpy(to, from, 8);
        break;
      case 16:
        std::memcpy(to, from, 16);
        break;
      default:
        std::memcpy(to, from, bytes);
    }
  }

  int64_t bytes_ = 0, block_ = 0, blocks_ = 0, columns_ = 0;
  std::vector<BlockDigit> digits_;
};

// Boxes change places in pairs. A unit of work is a box, with its partner if that comes later.
class Pairs final : public InPlaceWork {
 public:
  Status make(InPlaceStep step, const MakePart& make_part, Error* err) {
    bytes_ = step.moves.bytes;
    outer_ = std::move(step.outer);
    boxes_ = 1;
    for (size_t i = outer_.size(); i-- > 0; boxes_ *= outer_[i].digit.extent) place_.insert(place_.begin(), boxes_);
    units = step.moves.count * boxes_;
    scratch_bytes = step.moves.unit;
    for (const Digit& digit : step.moves.digits) scratch_bytes *= digit.extent;
    for (size_t i = 0; i < outer_.size(); ++i)
      if (outer_[i].inner >= 0) cut_.push_back(i);
    for (size_t last = 0; last < size_t{1} << cut_.size(); ++last) {
      std::vector<Digit> digits = step.moves.digits;
      for (size_t i = 0; i < cut_.size(); ++i)
        if (last >> i & 1) digits[static_cast<size_t>(outer_[cut_[i]].inner)].extent = outer_[cut_[i]].rest;
      XLASHAPE_TRY(make_part(step.moves.unit, digits, &parts_[last].move, err));
      // Dense in the scratch memory, in the order of the destination.
      std::vector<Digit> take = digits, put = digits;
      int64_t stride = step.moves.unit;
      for (const size_t i : minor_first(digits, &Digit::dst))
        take[i].dst = put[i].src = stride, stride *= digits[i].extent;
      XLASHAPE_TRY(make_part(step.moves.unit, take, &parts_[last].take, err));
      XLASHAPE_TRY(make_part(step.moves.unit, put, &parts_[last].put, err));
    }
    return XLASHAPE_STATUS_OK;
  }

  Status run(uint64_t array, int64_t begin, int64_t end, char* scratch, char*, Error* err) const override {
    const uint64_t kept = ir::address_of(scratch);
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t item = array + static_cast<uint64_t>(i / boxes_ * bytes_);
      const Box box = box_at(i % boxes_);
      if (box.partner < i % boxes_) continue;
      const uint64_t here = item + static_cast<uint64_t>(box.src), there = item + static_cast<uint64_t>(box.dst);
      XLASHAPE_TRY(run_part(box.parts->take, here, kept, err));
      if (there != here) XLASHAPE_TRY(run_part(box_at(box.partner).parts->move, there, here, err));
      XLASHAPE_TRY(run_part(box.parts->put, kept, there, err));
    }
    return XLASHAPE_STATUS_OK;
  }

  void describe(std::string* text) const override {
    append(text, "%lld x %lld boxes of up to %lld bytes in pairs: ", ll(units / boxes_), ll(boxes_), ll(scratch_bytes));
    describe_part(parts_[0].move, text);
  }

 private:
  struct Parts {
    Ref<Plan> take, move, put;  // out of the array, within it, into it
  };
  struct Box {
    int64_t partner, src, dst;  // its partner's number; where it is, and where it goes: its partner's place
    const Parts* parts;
  };

  Box box_at(int64_t number) const {
    Box box{0, 0, 0, nullptr};
    size_t last = 0, cut = 0;
    for (size_t i = 0; i < outer_.size(); ++i) {
      const PairDigit& outer = outer_[i];
      const int64_t value = number / place_[i];
      number -= value * place_[i];
      box.partner += value * place_[static_cast<size_t>(outer.partner)];
      box.src += value * outer.digit.src;
      box.dst += value * outer.digit.dst;
      if (outer.inner >= 0) last |= static_cast<size_t>(value == outer.digit.extent - 1) << cut++;
    }
    box.parts = &parts_[last];
    return box;
  }

  int64_t bytes_ = 0, boxes_ = 0;
  std::vector<PairDigit> outer_;
  std::vector<int64_t> place_;  // of each outer digit in a box's number
  std::vector<size_t> cut_;     // the outer digits that are cut, at most two
  std::array<Parts, 4> parts_;  // by which of these have their last value
};

// The last rows of a matrix, out of it and back. Both are one unit of work.
class SetAside final : public InPlaceWork {
 public:
  Status make(const InPlaceStep& step, const MakePart& make_part, Error* err) {
    units = 1;
    kept_bytes = step.moves.bytes;
    first_ = step.rows * step.moves.digits[0].src;
    return make_part(step.moves.unit, step.moves.digits, &part_, err);
  }
  Status run(uint64_t array, int64_t, int64_t, char*, char* kept, Error* err) const override {
    return run_part(part_, array + static_cast<uint64_t>(first_), ir::address_of(kept), err);
  }
  void describe(std::string* text) const override { append(text, "%lld bytes of rows set aside", ll(kept_bytes)); }

 private:
  int64_t first_ = 0;
  Ref<Plan> part_;
};

class Join final : public InPlaceWork {
 public:
  void make(const InPlaceStep& step) {
    units = 1;
    columns_ = step.moves.digits[1].extent;
    own_ = static_cast<size_t>(step.rows * step.moves.unit);
    rest_ = static_cast<size_t>(step.moves.digits[1].dst);
  }
  // From the last column on, which has to go furthest; the first one stays where it is.
  Status run(uint64_t array, int64_t, int64_t, char*, char* kept, Error*) const override {
    char* const first = ir::pointer_at<char>(array);
    for (auto i = static_cast<size_t>(columns_); i-- > 0;) {
      char* const to = first + i * (own_ + rest_);
      std::memmove(to, first + i * own_, own_);
      std::memcpy(to + own_, kept + i * rest_, rest_);
    }
    return XLASHAPE_STATUS_OK;
  }
  void describe(std::string* text) const override {
    append(text, "%lld columns of %zu bytes joined with %zu", ll(columns_), own_, rest_);
  }

 private:
  int64_t columns_ = 0;
  size_t own_ = 0, rest_ = 0;  // bytes of a column
};

}  // namespace

Status make_work(InPlaceStep step, const InPlaceSizes& sizes, const MakePart& make_part,
                 std::unique_ptr<InPlaceWork>* work, Error* err) {
  switch (step.kind) {
    case Kind::kPanels: {
      auto panels = std::make_unique<Panels>();
      XLASHAPE_TRY(panels->make(std::move(step.moves), sizes, make_part, err));
      *work = std::move(panels);
      break;
    }
    case Kind::kBlocks: {
      auto blocks = std::make_unique<Blocks>();
      blocks->make(step.moves);
      *work = std::move(blocks);
      break;
    }
    case Kind::kPairs: {
      auto pairs = std::make_unique<Pairs>();
      XLASHAPE_TRY(pairs->make(std::move(step), make_part, err));
      *work = std::move(pairs);
      break;
    }
    case Kind::kSetAside: {
      auto aside = std::make_unique<SetAside>();
      XLASHAPE_TRY(aside->make(step, make_part, err));
      *work = std::move(aside);
      break;
    }
    case Kind::kJoin: {
      auto join = std::make_unique<Join>();
      join->make(step);
      *work = std::move(join);
      break;
    }
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
