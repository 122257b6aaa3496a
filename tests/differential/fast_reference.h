/* SPDX-License-Identifier: Apache-2.0 */
// The meaning of a relayout once more, for arrays of real size: what src/core/plan/reference.h says element by element
// comes here from tables. In nearly every layout each sum of the index map takes its terms from one dimension alone, so
// a position is a sum of as many numbers as there are dimensions, and each of them is looked up. It uses the maps of
// the form and nothing else: neither its nest nor a backend's code, so no mistake of theirs can be in both.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/reference.h"

namespace xlashape::core::testing {

// Where the elements of a box lie on one side: bytes from position 0, or bits where containers are packed.
class Places {
 public:
  Places(const xlashape_map_ir& map, const int64_t* base, const int64_t* extent, int container_bits)
      : map_(map), base_(base, base + map.rank), bits_(container_bits < 8), divisor_(bits_ ? 1 : 8) {
    find_origins();
    for (int d = 0; separable_ && d < map.rank; ++d) tables_.push_back(table(d, extent[d]));
  }

  // Whether there is a table of each dimension: the place of an element is the sum of what they say.
  bool separable() const { return separable_; }
  const std::vector<int64_t>& of(int dimension) const { return tables_[static_cast<size_t>(dimension)]; }

  // What a strided side adds to that.
  int64_t first() const { return scaled(map_.first_position); }
  // The same by the walker's own arithmetic.
  int64_t at(const int64_t* index) const {
    int64_t from[1024];
    for (int d = 0; d < map_.rank; ++d) from[d] = base_[static_cast<size_t>(d)] + index[d];
    return scaled(reference::position(map_, from));
  }

 private:
  static constexpr int kNone = -1, kSeveral = -2;

  int64_t scaled(int64_t position) const { return position * map_.unit_bits / divisor_; }

  // Which dimension each value comes from, and which dimensions no sum cuts: those have one stride.
  void find_origins() {
    origin_.assign(static_cast<size_t>(map_.rank + map_.value_count), kNone);
    cut_.assign(static_cast<size_t>(map_.rank), false);
    for (int d = 0; d < map_.rank; ++d) origin_[static_cast<size_t>(d)] = d;
    for (int s = 0; s < map_.sum_count; ++s) {
      int from = kNone;
      for (int t = map_.sum_first_term[s]; t < map_.sum_first_term[s + 1]; ++t) {
        const int term = origin_[static_cast<size_t>(map_.term_value[t])];
        if (term >= 0) cut_[static_cast<size_t>(term)] = true;
        if (term != kNone) from = from == kNone || from == term ? term : kSeveral;
      }
      for (int v = map_.sum_first_value[s]; v < map_.sum_first_value[s + 1]; ++v)
        origin_[static_cast<size_t>(map_.rank + v)] = from;
      separable_ = separable_ && from != kSeveral;
    }
  }

  std::vector<int64_t> table(int d, int64_t extent) const {
    std::vector<int64_t> places(static_cast<size_t>(extent));
    std::vector<int64_t> index(static_cast<size_t>(map_.rank), 0);
    int64_t stride = 0;
    for (int o = 0; o < map_.output_count; ++o)
      if (map_.output_value[o] == d) stride += map_.output_stride[o];
    for (int64_t i = 0; i < extent; ++i) {
      const int64_t at = index[static_cast<size_t>(d)] = base_[static_cast<size_t>(d)] + i;
      places[static_cast<size_t>(i)] =
          scaled(cut_[static_cast<size_t>(d)] ? reference::position(map_, index.data()) : stride * at);
    }
    return places;
  }

  const xlashape_map_ir& map_;
  std::vector<int64_t> base_;
  bool bits_;
  int64_t divisor_;
  bool separable_ = true;
  std::vector<int> origin_;
  std::vector<bool> cut_;
  std::vector<std::vector<int64_t>> tables_;
};

class FastReference {
 public:
  explicit FastReference(const xlashape_relayout_ir& ir)
      : ir_(ir),
        src_(*ir.src, ir.src_base, ir.extent, ir.src_container_bits),
        dst_(*ir.dst, ir.dst_base, ir.extent, ir.dst_container_bits) {
    if (ir.elements > 0 && separable()) {
      spot_check();
      arrange();
    }
  }

  bool has_channels() const { return ir_.values != nullptr && ir_.values->scale_count > 1; }

  // Whether elements go through tables; if not, one by one through both programs, which takes some fifty times as long.
  bool separable() const { return src_.separable() && dst_.separable(); }

  // All that `dst` is to hold in the end, its untouched bytes being there already. Both point at position 0.
  void run(const char* src, char* dst) const {
    if ((ir_.flags & XLASHAPE_IR_HAS_BOX) == 0 && ir_.fill_policy == XLASHAPE_FILL_PADDING) fill(dst);
    elements(src, dst);
  }

  // The elements alone.
  void elements(const char* src, char* dst) const {
    if (ir_.elements == 0) return;
    if (!separable() || has_channels()) return one_by_one(src, dst);
    const int from = ir_.src_container_bits, to = ir_.dst_container_bits;
    if (from != to || ir_.values != nullptr)
      return with_width(from, [&]<int kFrom>() {
        with_width(to, [&]<int kTo>() { walk([&](const Row& row) { convert_row<kFrom, kTo>(src, dst, row); }); });
      });
    with_width(from, [&]<int kBits>() { walk([&](const Row& row) { copy_row<kBits>(src, dst, row); }); });
  }

 private:
  // Elements of the joined dimensions that follow each other on both sides.
  struct Run {
    int64_t from, to, count;
  };
  struct Row {
    int64_t from, to;
  };
  // A dimension that is not in a row, and how far its index has come.
  struct Outer {
    int dimension;
    int64_t extent;
  };

  template <class Use>
  static void with_width(int bits, Use use) {
    switch (bits) {
      case 1:
        return use.template operator()<1>();
      case 2:
        return use.template operator()<2>();
      case 4:
        return use.template operator()<4>();
      case 8:
        return use.template operator()<8>();
      case 16:
        return use.template operator()<16>();
      case 32:
        return use.template operator()<32>();
      case 64:
        return use.template operator()<64>();
      case 128:
        return use.template operator()<128>();
      default:
        throw std::runtime_error("a container of " + std::to_string(bits) + " bits");
    }
  }

  template <int kBits>
  static ir::UInt128 load(const char* base, int64_t at) {
    if constexpr (kBits < 8) {
      return static_cast<unsigned>(static_cast<unsigned char>(base[at >> 3]) >> (at & 7)) & ((1u << kBits) - 1);
    } else if constexpr (kBits == 128) {
      ir::UInt128 value;
      std::memcpy(&value, base + at, 16);
      return value;
    } else {
      uint64_t value = 0;
      char* const low = reinterpret_cast<char*>(&value) + (reference::kBigEndian ? 8 - kBits / 8 : 0);
      std::memcpy(low, base + at, kBits / 8);
      return value;
    }
  }

  template <int kBits>
  static void store(char* base, int64_t at, ir::UInt128 value) {
    if constexpr (kBits < 8) {
      const unsigned mask = ((1u << kBits) - 1) << (at & 7), bits = static_cast<unsigned>(value) << (at & 7);
      auto* byte = reinterpret_cast<unsigned char*>(base + (at >> 3));
      *byte = static_cast<unsigned char>((*byte & ~mask) | (bits & mask));
    } else if constexpr (kBits == 128) {
      std::memcpy(base + at, &value, 16);
    } else {
      const auto low = static_cast<uint64_t>(value);
      std::memcpy(base + at, reinterpret_cast<const char*>(&low) + (reference::kBigEndian ? 8 - kBits / 8 : 0),
                  kBits / 8);
    }
  }

  template <int kBits>
  void copy_row(const char* src, char* dst, const Row& row) const {
    if constexpr (kBits >= 8) {
      if (!runs_.empty()) {
        for (const Run& run : runs_)
          std::memcpy(dst + row.to + run.to, src + row.from + run.from, static_cast<size_t>(run.count * (kBits / 8)));
        return;
      }
      src += row.from, dst += row.to;
      for (size_t i = 0; i < from_.size(); ++i) std::memcpy(dst + to_[i], src + from_[i], kBits / 8);
    } else {
      for (size_t i = 0; i < from_.size(); ++i)
        store<kBits>(dst, row.to + to_[i], load<kBits>(src, row.from + from_[i]));
    }
  }

  template <int kFrom, int kTo>
  void convert_row(const char* src, char* dst, const Row& row) const {
    for (size_t i = 0; i < from_.size(); ++i)
      store<kTo>(dst, row.to + to_[i], reference::convert(ir_, load<kFrom>(src, row.from + from_[i]), nullptr));
  }

  // Tables of the joined dimensions, made of those that step least in the destination; the others turn around them.
  void arrange() {
    std::vector<Outer> order;
    for (int d = 0; d < ir_.src->rank; ++d) {
      if (ir_.extent[d] > 1) order.push_back({d, ir_.extent[d]});
    }
    const auto step = [&](const Outer& outer) {
      return std::abs(dst_.of(outer.dimension)[1] - dst_.of(outer.dimension)[0]);
    };
    std::stable_sort(order.begin(), order.end(), [&](const Outer& a, const Outer& b) { return step(a) < step(b); });
    int64_t from = src_.first(), to = dst_.first();  // of the first element
    for (int d = 0; d < ir_.src->rank; ++d) from += src_.of(d)[0], to += dst_.of(d)[0];
    first_ = {from, to};
    from_.assign(1, 0);
    to_.assign(1, 0);
    size_t joined = 0;
    for (; joined < order.size(); ++joined) {
      const auto count = static_cast<int64_t>(from_.size());
      if (count >= 512 || (count >= 16 && count * order[joined].extent > 1 << 15)) break;
      join(order[joined]);
    }
    outer_.assign(order.begin() + static_cast<ptrdiff_t>(joined), order.end());
    if (ir_.src_container_bits == ir_.dst_container_bits && ir_.src_container_bits >= 8) find_runs();
  }

  void join(const Outer& outer) {
    const std::vector<int64_t>&from = src_.of(outer.dimension), &to = dst_.of(outer.dimension);
    const size_t before = from_.size();
    from_.resize(before * from.size());
    to_.resize(before * from.size());
    for (size_t i = from.size(); i-- > 0;) {
      const int64_t a = from[i] - from[0], b = to[i] - to[0];
      for (size_t j = 0; j < before; ++j) {
        from_[i * before + j] = static_cast<int32_t>(from_[j] + a);
        to_[i * before + j] = static_cast<int32_t>(to_[j] + b);
      }
    }
    const auto fits = [](int64_t value) { return std::abs(value) < INT32_MAX / 2; };
    if (!fits(from.back() - from[0]) || !fits(to.back() - to[0])) throw std::runtime_error("a row reaches over 1 GiB");
  }

  // Rows of long runs are copied run by run.
  void find_runs() {
    const int64_t width = ir_.src_container_bits / 8;
    for (size_t i = 0; i < from_.size(); ++i) {
      if (!runs_.empty()) {
        Run& run = runs_.back();
        if (from_[i] == run.from + run.count * width && to_[i] == run.to + run.count * width) {
          ++run.count;
          continue;
        }
      }
      runs_.push_back({from_[i], to_[i], 1});
      if (runs_.size() > from_.size() / 8) return runs_.clear();
    }
  }

  template <class Use>
  void walk(Use use) const {
    std::vector<int64_t> at(outer_.size(), 0);
    Row row = first_;
    while (true) {
      use(row);
      size_t i = 0;
      for (; i < outer_.size(); ++i) {
        const std::vector<int64_t>&from = src_.of(outer_[i].dimension), &to = dst_.of(outer_[i].dimension);
        const auto old = static_cast<size_t>(at[i]);
        const bool wraps = ++at[i] == outer_[i].extent;
        if (wraps) at[i] = 0;
        const auto now = static_cast<size_t>(at[i]);
        row.from += from[now] - from[old];
        row.to += to[now] - to[old];
        if (!wraps) break;
      }
      if (i == outer_.size()) return;
    }
  }

  void one_by_one(const char* src, char* dst) const {
    const int rank = ir_.src->rank;
    std::vector<int64_t> at(static_cast<size_t>(rank), 0);
    const int from_unit = ir_.src_container_bits < 8 ? 1 : 8, to_unit = ir_.dst_container_bits < 8 ? 1 : 8;
    std::vector<int64_t> index(static_cast<size_t>(rank));
    for (int64_t n = 0; n < ir_.elements; ++n) {
      const auto value = reference::load(src, src_.at(at.data()), from_unit, ir_.src_container_bits);
      for (size_t d = 0; d < index.size(); ++d) index[d] = ir_.src_base[d] + at[d];
      reference::store(dst, dst_.at(at.data()), to_unit, ir_.dst_container_bits,
                       reference::convert(ir_, value, index.data()));
      for (int i = rank; i-- > 0;) {
        if (++at[static_cast<size_t>(i)] < ir_.extent[i]) break;
        at[static_cast<size_t>(i)] = 0;
      }
    }
  }

  // Every position, and no bits behind the last one.
  void fill(char* dst) const {
    const int bits = ir_.dst_container_bits;
    const int64_t end = ir_.dst->positions * bits, bytes = (end + 7) / 8;
    if (bytes == 0) return;
    int64_t done = 1;
    if (bits < 8) {
      unsigned byte = ir_.fill[0] & ((1u << bits) - 1);
      for (int width = bits; width < 8; width *= 2) byte |= byte << width;
      dst[0] = static_cast<char>(byte);
    } else {
      done = bits / 8;
      std::memcpy(dst, ir_.fill, static_cast<size_t>(done));
    }
    while (done < bytes) {
      const int64_t more = std::min({done, bytes - done, int64_t{16384}});
      std::memcpy(dst + done, dst, static_cast<size_t>(more));
      done += more;
    }
    if (end % 8 != 0) dst[end / 8] = static_cast<char>(dst[end / 8] & ((1 << (end % 8)) - 1));
  }

  // That a place is the sum of its parts, for a few elements: the last one, and some in between.
  void spot_check() const {
    uint64_t state = static_cast<uint64_t>(ir_.elements) * 0x9E3779B97F4A7C15u;
    for (int n = 0; n < 8; ++n) {
      int64_t index[1024], from = src_.first(), to = dst_.first();
      for (int d = 0; d < ir_.src->rank; ++d) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        index[d] =
            n == 0 ? ir_.extent[d] - 1 : static_cast<int64_t>((state >> 20) % static_cast<uint64_t>(ir_.extent[d]));
        from += src_.of(d)[static_cast<size_t>(index[d])];
        to += dst_.of(d)[static_cast<size_t>(index[d])];
      }
      if (from != src_.at(index) || to != dst_.at(index)) throw std::runtime_error("tables and the map do not agree");
    }
  }

  const xlashape_relayout_ir& ir_;
  Places src_, dst_;
  Row first_{};
  std::vector<int32_t> from_, to_;  // of each element of a row, from the row's first
  std::vector<Run> runs_;           // the same in runs, where they are long
  std::vector<Outer> outer_;        // innermost first
};

}  // namespace xlashape::core::testing
