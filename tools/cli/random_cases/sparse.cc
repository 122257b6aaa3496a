// SPDX-License-Identifier: Apache-2.0
// Boxes in arrays with more elements than 32 bits count. All memory is reserved and untouched: it reads as zeros, and a
// page exists only once it has been written (or read), which the system reports.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "execution_mode.h"
#include "offsets.h"
#include "run_case.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kMostElements = 3000;           // of a box: each may take a separate page
constexpr int64_t kMostBytes = int64_t{1} << 36;  // spanned by a side

int64_t product(const Integers& numbers) {
  int64_t result = 1;
  for (const int64_t number : numbers) result *= number;
  return result;
}

// Some dimension, or a product, goes beyond 2^31 or 2^32 elements.
Integers sparse_dimensions(Random& random, const Integers& extent, int64_t width) {
  const Integers order = shuffled(random, static_cast<int64_t>(extent.size()));
  const bool one = random.chance(35);
  for (int64_t bits = 31 + random.below(4);; --bits) {
    Integers dimensions = extent;
    int64_t left = bits;
    for (size_t i = 0; i < order.size(); ++i) {
      const auto d = static_cast<size_t>(order[i]);
      const bool last = i + 1 == order.size();
      const int64_t take = one ? (i == 0 ? left : 0) : last ? left : random.below(left + 1);
      left -= take;
      dimensions[d] = std::max<int64_t>(extent[d], (int64_t{1} << take) + random.below(7));
    }
    if (bits < 8 || product(dimensions) * width <= kMostBytes / 2) return dimensions;
  }
}

Shape sparse_shape(Random& random, ElementType type, const Integers& dimensions) {
  const auto rank = static_cast<int64_t>(dimensions.size());
  for (int attempt = 0; attempt < 20; ++attempt) {
    LayoutSpec spec;
    spec.minor_to_major = shuffled(random, rank);
    static constexpr int64_t kRows[] = {1, 2, 8, 16, 100};
    if (random.chance(50)) spec.tiles = {{random.any(kRows), 128}};
    if (random.chance(20)) spec.tiles.push_back({2, 1});
    if (random.chance(10)) spec.tiles = {{3, 5}, {2}};
    if (value_bits(type) < 8 && random.chance(50)) spec.element_size_in_bits = value_bits(type);
    if (random.chance(20)) {
      spec.padded_dimensions = dimensions;
      for (int64_t& size : spec.padded_dimensions) size += random.below(3);
    }
    if (auto shape = laid_out(type, dimensions, spec, kMostBytes)) return *shape;
  }
  return Shape::array(type, dimensions, Layout::row_major(rank));
}

// Each stride exceeds the range of the smaller ones; one or more strides span gigabytes.
Integers sparse_strides(Random& random, ElementType type, const Integers& dimensions) {
  Integers strides(dimensions.size());
  int64_t span = (value_bits(type) + 7) / 8, left = product(dimensions);
  for (const int64_t dimension : shuffled(random, static_cast<int64_t>(dimensions.size()))) {
    const auto d = static_cast<size_t>(dimension);
    const int64_t most = kMostBytes / 2 / left;  // so that the others fit, too
    int64_t step = span;
    if (random.chance(60) && most > step) step += random.below(std::min<int64_t>(most - step, int64_t{1} << 33));
    strides[d] = random.chance(30) ? -step : step;
    span = step * dimensions[d];
    left /= dimensions[d];
  }
  return strides;
}

int64_t bytes_of(const ElementOffsets& side) { return side.high() - side.low(); }

// An element converted to another container, by the small reference on one element.
class Converter {
 public:
  explicit Converter(const Request& request) {
    const ElementType type = request.src.element_type();
    const auto single = [&](const Shape& shape, const Integers& strides) {
      LayoutSpec spec;
      if (strides.empty()) spec.element_size_in_bits = layout_of(shape).element_size_in_bits();
      return Shape::array(type, {}, Layout::create(spec));
    };
    one_.src = single(request.src, request.src_byte_strides);
    one_.dst = single(request.dst, request.dst_byte_strides);
  }
  Word operator()(Word word) const {
    const ElementOffsets from = ElementOffsets::of_source(one_), to = ElementOffsets::of_destination(one_);
    uint8_t given[sizeof word] = {}, made[sizeof word] = {};
    store_word(given, 0, from.container(), word);
    const Expected expected = expected_result(one_, from, to, Bytes(given, static_cast<size_t>(from.high())),
                                              Bytes(made, static_cast<size_t>(to.high())));
    return load_word(expected.bytes.data(), 0, to.container());
  }

 private:
  Request one_;
};

// One side in memory: the box's elements, in a region without anything else.
class SparsePlace {
 public:
  SparsePlace(const ElementOffsets& side, int64_t alignment, Offsets offsets)
      : region_(bytes_of(side) + 3 * alignment + 16), offsets_(std::move(offsets)), bits_(side.container()) {
    if (!region_) throw NotRun{fmt::format("the system does not reserve {} bytes of address space", bytes_of(side))};
    // As misaligned as the plan allows.
    auto at = reinterpret_cast<uintptr_t>(region_.data()) - static_cast<uint64_t>(side.low());
    const auto step = static_cast<uint64_t>(alignment);
    at = (at + step - 1) / step * step;
    if (at % (2 * step) == 0) at += step;
    pointer_ = region_.data() + (at - reinterpret_cast<uintptr_t>(region_.data()));
  }
  uint8_t* pointer() const { return pointer_; }
  int64_t container() const { return bits_; }
  void put(const Integers& step, Word word) const { store_word(pointer_, offsets_.bit_of(step), bits_, word); }

  // Checks that each element is as expected, and that nothing was written between them. Zeroes everything again.
  // Returns the bytes of the pages that existed.
  int64_t take_back(const std::vector<Word>& wanted, const Integers& extent, const std::string& what) {
    Integers step(extent.size());
    size_t n = 0;
    do {
      const int64_t bit = offsets_.bit_of(step);
      const Word found = load_word(pointer_, bit, bits_);
      if (found != wanted[n])
        wrong("{} byte {}, element [{}] of the box, holds {}, must hold {}", what, bit >> 3, joined(step, ","),
              text_of(found), text_of(wanted[n]));
      store_word(pointer_, bit, bits_, 0);
      ++n;
    } while (advance(&step, extent));
    int64_t taken = 0;
    for (const auto& [begin, end] : region_.touched()) {
      taken += end - begin;
      for (int64_t at = begin; at < end; ++at)
        if (region_.data()[at] != 0)
          wrong("{} byte {}, which holds no element of the box, was written: it is {:#04x}", what,
                region_.data() + at - pointer_, region_.data()[at]);
    }
    region_.clear();
    return taken;
  }

 private:
  std::string text_of(Word word) const {
    uint8_t bytes[sizeof word] = {};
    store_word(bytes, 0, bits_, word);
    return bytes_text(Bytes(bytes, static_cast<size_t>(std::max<int64_t>(bits_ / 8, 1))));
  }

  Region region_;
  Offsets offsets_;
  int64_t bits_;
  uint8_t* pointer_;
};

// Random elements, one for each of the box, and what they are.
std::vector<Word> write_noise(Random& random, const SparsePlace& place, const Integers& extent) {
  std::vector<Word> words;
  Integers step(extent.size());
  do {
    uint8_t bytes[sizeof(Word)] = {};
    for (int64_t i = 0; i < std::max<int64_t>(place.container() / 8, 1); ++i)
      bytes[i] = static_cast<uint8_t>(random.next());
    words.push_back(load_word(bytes, 0, place.container()));
    place.put(step, words.back());
  } while (advance(&step, extent));
  return words;
}

}  // namespace

Request sparse_request(Random& random) {
  const ElementType type = random_type(random);
  const int64_t width = (value_bits(type) + 7) / 8;
  const int64_t rank = 1 + random.below(4);
  Request request;
  int64_t elements = 1;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t limit = std::max<int64_t>(kMostElements / elements, 1);
    request.extent.push_back(1 + random.below(std::min<int64_t>(limit, random.chance(30) ? 400 : 20)));
    elements *= request.extent.back();
  }
  const int64_t kind = random.below(4);
  const auto side = [&](bool sparse, bool strided, Shape* shape, Integers* strides, Integers* base) {
    Integers dimensions = request.extent;
    if (sparse && !strided) dimensions = sparse_dimensions(random, request.extent, width);
    for (size_t d = 0; d < dimensions.size(); ++d) {
      const int64_t room = dimensions[d] - request.extent[d];
      base->push_back(random.chance(50) ? room : random.below(room + 1));
    }
    if (strided) {
      *shape = Shape::array(type, dimensions, Layout::row_major(rank));
      *strides = sparse_strides(random, type, dimensions);
    } else {
      *shape = sparse_shape(random, type, dimensions);
    }
  };
  side(kind != 1, kind == 3 && random.chance(60), &request.src, &request.src_byte_strides, &request.src_base);
  side(kind != 2, kind == 3 && random.chance(60), &request.dst, &request.dst_byte_strides, &request.dst_base);
  request.fill_policy = FillPolicy::kPreserve;
  return request;
}

void try_sparse(Random& random, const Plan& plan, const Request& request, const CaseOptions& case_options,
                int64_t* bytes) {
  const xlashape_plan_requirements needs = plan.requirements();
  const ElementOffsets from = ElementOffsets::of_source(request), to = ElementOffsets::of_destination(request);
  if (std::max(bytes_of(from), bytes_of(to)) > 2 * kMostBytes) throw NotRun{"the case takes too much address space"};
  SparsePlace src(from, needs.src_alignment, Offsets(random, from, request.src_base, request.extent, false));
  SparsePlace dst(to, needs.dst_alignment, Offsets(random, to, request.dst_base, request.extent, false));
  const Converter convert(request);
  const std::vector<Word> words = write_noise(random, src, request.extent);
  std::vector<Word> wanted = words;
  if (from.container() != to.container())
    for (Word& word : wanted) word = convert(word);
  for (int round = 0; round <= case_options.modes; ++round) {
    const ExecutionMode mode = round == 0 ? ExecutionMode() : random_mode(random, needs);
    const auto run = [&] { execute(plan, needs, mode, src.pointer(), dst.pointer()); };
    if (round == 0 && case_options.stage) {
      case_options.stage(run);
    } else {
      run();
    }
    *bytes = std::max(*bytes, dst.take_back(wanted, request.extent, mode_text(mode) + ": destination"));
  }
  src.take_back(words, request.extent, "the source changed:");
}

}  // namespace xlashape::cli
