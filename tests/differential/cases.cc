// SPDX-License-Identifier: Apache-2.0
#include "differential/cases.h"

#include <cmath>
#include <numeric>

#include "backends/scalar/limits.h"
#include "backends/simd/limits.h"

namespace xlashape::core::testing {
namespace {

using Numbers = std::vector<int64_t>;

struct Type {
  const char* name;
  int64_t width;  // bytes of an element where nothing else is said
};
const std::vector<Type> kTypes = {{"u8", 1}, {"u8", 1}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"c128", 16}};

const std::vector<std::string> kTiles = {
    "T(8,128)",  "T(8,128)",     "T(8,128)(2,1)", "T(8,128)(4,1)", "T(1024)(128)(4,1)",
    "T(4,128)",  "T(2,128)",     "T(2,128)(2,1)", "T(1,128)(2,1)", "T(32,128)(32,1)",
    "T(16,16)",  "T(3,5)",       "T(6)",          "T(4)",          "T(4,1)",
    "T(8,8)(2)", "T(256)",       "T(2,3,4)",      "T(5,7)(5,1)",   "T(8,d)",
    "T(d,128)",  "T(8,128)(d,1)"};

// -- Numbers ----------------------------------------------------------------------------------------------------------

// A number of at most `most` elements of `width` bytes at or beside a limit, or a multiple of one.
int64_t edge(Random& random, int64_t width, int64_t most) {
  const auto limit = limits();
  for (int tries = 0; tries < 12; ++tries) {
    int64_t n = limit[static_cast<size_t>(random.in(0, static_cast<int64_t>(limit.size()) - 1))];
    if (random.chance(35)) n *= random.in(2, 7);
    if (random.chance(50)) n /= width;
    n += random.in(-1, 1);
    if (n > 1 && n <= most) return n;
  }
  return random.in(1, std::max<int64_t>(most, 1));
}

// n as two factors in either order; alone where it has none that are not too uneven.
Numbers factors(Random& random, int64_t n) {
  Numbers divisors;
  for (int64_t d = 2; d * d <= n && d <= 600; ++d)
    if (n % d == 0) divisors.push_back(d);
  if (divisors.empty()) return {n};
  const int64_t d = random.of(divisors);
  return random.chance(50) ? Numbers{d, n / d} : Numbers{n / d, d};
}

// Dimensions of about `elements` elements: edges, products that are edges, small ones, and one that fills up what is
// left.
Numbers draw_dimensions(Random& random, int64_t rank, int64_t elements, int64_t width) {
  Numbers dimensions(static_cast<size_t>(rank), 0);
  int64_t room = std::max<int64_t>(elements, 1);
  const auto take = [&](int64_t n) {
    n = std::clamp<int64_t>(n, 1, std::max<int64_t>(room, 1));
    room /= n;
    return n;
  };
  if (rank > 2 && random.chance(45)) {
    const Numbers parts = factors(random, edge(random, width, room));
    const auto at = static_cast<size_t>(random.in(0, rank - 2));
    for (size_t i = 0; i < parts.size(); ++i) dimensions[at + i] = take(parts[i]);
  } else {
    dimensions[static_cast<size_t>(random.in(0, rank - 1))] = take(edge(random, width, room));
  }
  std::vector<size_t> open;
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] == 0) open.push_back(i);
  std::shuffle(open.begin(), open.end(), random.engine());
  for (size_t i = 0; i < open.size(); ++i) {
    int64_t& d = dimensions[open[i]];
    const int64_t kind = random.in(1, 100);
    if (i + 1 == open.size() && kind <= 80) {
      d = take(room + (random.chance(50) ? random.in(-1, 1) : 0));
    } else if (kind <= 45) {
      d = take(random.in(2, 12));
    } else if (kind <= 70) {
      d = take(edge(random, width, room));
    } else if (kind <= 92) {
      d = take(random.in(1, 300));
    } else {
      d = 1;
    }
  }
  return dimensions;
}

// -- Layouts ----------------------------------------------------------------------------------------------------------

Numbers row_major(size_t rank) {
  Numbers order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = static_cast<int64_t>(rank - 1 - i);
  return order;
}

// Any order; or one in which neighbours mostly stay neighbours, so that they go on as one.
Numbers draw_order(Random& random, size_t rank) {
  Numbers order = row_major(rank);
  if (random.chance(50)) {
    std::shuffle(order.begin(), order.end(), random.engine());
    return order;
  }
  std::vector<Numbers> groups;
  for (const int64_t d : order) {
    if (groups.empty() || random.chance(50)) groups.push_back({});
    groups.back().push_back(d);
  }
  std::shuffle(groups.begin(), groups.end(), random.engine());
  order.clear();
  for (const Numbers& group : groups) order.insert(order.end(), group.begin(), group.end());
  return order;
}

std::string joined(const Numbers& numbers) {
  std::string s;
  for (const int64_t n : numbers) s += (s.empty() ? "" : ",") + std::to_string(n);
  return s;
}

// `ends` is what comes behind the order: tiles, tail, element bits, padding.
Ref<Shape> array(const std::string& type, const Numbers& dimensions, const Numbers& order,
                 const std::string& ends = "") {
  return parsed(type + "[" + joined(dimensions) + "]{" + joined(order) + (ends.empty() ? "" : ":" + ends) + "}");
}

std::string draw_padding(Random& random, const Numbers& dimensions) {
  static const std::vector<std::string> values = {"zero", "one", "lowest", "highest"};
  Numbers padded;
  for (const int64_t d : dimensions) {
    int64_t more = random.chance(50) ? random.in(0, 3) : 0;
    if (random.chance(10)) {  // up to a multiple of something
      const int64_t unit = int64_t{1} << random.in(3, 8);
      more = (unit - d % unit) % unit;
    }
    padded.push_back(d + more);
  }
  return "PD(" + joined(padded) + ")" + (random.chance(60) ? "PV(" + random.of(values) + ")" : "");
}

Case between(Random& random, Ref<Shape> src, Ref<Shape> dst) {
  Case c = case_of(std::move(src), std::move(dst), static_cast<int32_t>(random.in(0, 2)));
  c.request.keep_in_cache = random.chance(20);
  return c;
}

// -- Boxes and strides ------------------------------------------------------------------------------------------------

void make_box(Random& random, Case& c) {
  const auto draw = [&](int64_t room) { return random.chance(40) ? 0 : random.in(0, room); };
  for (size_t i = 0; i < c.src->dimensions.size(); ++i) {
    const int64_t most = std::min(c.src->dimensions[i], c.dst->dimensions[i]);
    const int64_t n =
        random.chance(50) ? most : std::max<int64_t>(most - random.in(0, 1 + most / 4), std::min<int64_t>(1, most));
    c.extent.push_back(n);
    c.src_base.push_back(draw(c.src->dimensions[i] - n));
    c.dst_base.push_back(draw(c.dst->dimensions[i] - n));
  }
  c.request.extent = c.extent.data();
  c.request.src.base = c.src_base.data();
  c.request.dst.base = c.dst_base.data();
}

// Strides of the dimensions in that order, most of them with nothing in between: rows that are apart by a byte, an
// element, up to a line or a page; some backwards; of a source now and then the same element again, or windows that
// overlap.
Numbers draw_strides(Random& random, const Numbers& dimensions, const Numbers& order, int64_t width, bool source) {
  Numbers strides(dimensions.size());
  int64_t reach = width;
  for (const int64_t index : order) {
    const auto d = static_cast<size_t>(index);
    int64_t stride = reach;
    switch (random.chance(55) ? 0 : random.in(1, 6)) {
      case 1:
        stride += 1;
        break;
      case 2:
        stride += width;
        break;
      case 3:
        stride += random.in(0, 70);
        break;
      case 4:
        stride = (stride + 63) / 64 * 64 + (random.chance(50) ? random.in(-1, 1) * width : 0);
        break;
      case 5:
        if (stride > 600) stride = (stride + 4095) / 4096 * 4096 + random.in(-1, 1);
        break;
      case 6:
        if (width == 1 || random.chance(30)) stride += 2 * width + 1;
        break;
      default:
        break;
    }
    stride = std::max(stride, reach);
    reach = stride * std::max<int64_t>(dimensions[d], 1);
    if (source && random.chance(6)) stride = 0;
    if (source && random.chance(3)) stride = width * random.in(1, 3);
    strides[d] = random.chance(15) ? -stride : stride;
  }
  return strides;
}

// Strides in bytes, elements being `width` bytes wide, or in elements.
void stride(Random& random, const Shape& array, const Numbers& order, int64_t width, bool source, Numbers* strides,
            RelayoutSide* side) {
  const Numbers dimensions(array.dimensions.begin(), array.dimensions.end());
  const bool in_elements = container_bits(array) < 8 || random.chance(30);
  *strides = draw_strides(random, dimensions, order, in_elements ? 1 : width, source);
  (in_elements ? side->element_strides : side->byte_strides) = strides->data();
  for (size_t d = 0; in_elements && d < dimensions.size(); ++d)
    if (dimensions[d] > 1 && (*strides)[d] < 0) side->first_element -= (*strides)[d] * (dimensions[d] - 1);
}

void stride_source(Random& random, Case& c, const Numbers& order, int64_t width) {
  stride(random, *c.src, order, width, true, &c.src_strides, &c.request.src);
}
void stride_destination(Random& random, Case& c, const Numbers& order, int64_t width) {
  stride(random, *c.dst, order, width, false, &c.dst_strides, &c.request.dst);
}

// -- Families ---------------------------------------------------------------------------------------------------------

// All orders of ranks 2 to 6, one after the other: 2 + 6 + 24 + 120 + 720.
Numbers numbered_order(uint64_t number) {
  number %= 872;
  size_t rank = 2;
  uint64_t count = 2;
  while (number >= count) number -= count, count *= ++rank;
  Numbers order = row_major(rank);
  for (size_t i = 0; i < rank; ++i) {  // the digits of the number, in the factorial system
    const size_t left = rank - i;
    std::swap(order[i], order[i + number % left]);
    number /= left;
  }
  return order;
}

Case permutation(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  Numbers order;
  if (draw.number % 2 == 0) {
    order = numbered_order(draw.number / 2);
  } else {
    order = draw_order(random, static_cast<size_t>(random.in(2, 4)));
  }
  const Numbers dimensions =
      draw_dimensions(random, static_cast<int64_t>(order.size()), draw.bytes / type.width, type.width);
  const Numbers from = random.chance(80) ? row_major(order.size()) : draw_order(random, order.size());
  return between(random, array(type.name, dimensions, from), array(type.name, dimensions, order));
}

Case tiled(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  const int64_t rank = random.in(1, 5);
  Numbers dimensions = draw_dimensions(random, rank, draw.bytes / type.width, type.width);
  if (random.chance(40)) {  // beside a multiple of a tile's side
    static const Numbers sides = {4, 8, 32, 128};
    dimensions.back() = std::max<int64_t>(1, random.of(sides) * random.in(1, 9) + random.in(-1, 1));
  }
  const Numbers from = random.chance(60) ? row_major(dimensions.size()) : draw_order(random, dimensions.size()),
                to = random.chance(30) ? from : draw_order(random, dimensions.size());
  const int64_t which = random.in(1, 10);  // source, destination, both
  const std::string source = which <= 4 ? random.of(kTiles) : "", destination = which > 3 ? random.of(kTiles) : "";
  const bool alike = random.chance(4);  // the same on both sides, which may be the same memory
  Case c = between(random, array(type.name, dimensions, from, alike ? destination : source),
                   array(type.name, dimensions, alike ? from : to, destination));
  if (random.chance(8)) make_box(random, c);
  return c;
}

Case padded(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  const Numbers dimensions = draw_dimensions(random, random.in(1, 5), draw.bytes / type.width, type.width);
  const size_t rank = dimensions.size();
  const auto ends = [&](bool always) {
    std::string s = random.chance(25) ? random.of(kTiles) : "";
    if (random.chance(25)) s += "L(" + std::to_string(edge(random, 1, 5000)) + ")";
    return s + (always || random.chance(40) ? draw_padding(random, dimensions) : "");
  };
  const bool into = random.chance(70);
  const std::string source = ends(!into), destination = ends(into);
  const Numbers from = random.chance(60) ? row_major(rank) : draw_order(random, rank),
                to = random.chance(40) ? from : draw_order(random, rank);
  const bool alike = random.chance(6);  // the same on both sides, which may be the same memory
  return between(random, array(type.name, dimensions, from, alike ? destination : source),
                 array(type.name, dimensions, alike ? from : to, destination));
}

Case boxed(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  const Numbers dimensions = draw_dimensions(random, random.in(1, 5), draw.bytes / type.width, type.width);
  const size_t rank = dimensions.size();
  const auto side = [&] {
    Numbers larger = dimensions;
    for (int64_t& d : larger)
      if (random.chance(50)) d += random.in(0, random.chance(30) ? 20 : 3);
    return array(type.name, larger, random.chance(50) ? row_major(rank) : draw_order(random, rank),
                 random.chance(35) ? random.of(kTiles) : "");
  };
  Ref<Shape> src = side(), dst = side();
  Case c = between(random, std::move(src), std::move(dst));
  make_box(random, c);
  if (random.chance(15)) stride_source(random, c, draw_order(random, rank), type.width);
  return c;
}

Case strided(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  const Numbers dimensions = draw_dimensions(random, random.in(1, 5), draw.bytes / type.width, type.width);
  const size_t rank = dimensions.size();
  const Numbers from = random.chance(50) ? row_major(rank) : draw_order(random, rank),
                to = random.chance(40) ? from : draw_order(random, rank);
  const int64_t which = random.in(1, 10);
  Case c = between(random, array(type.name, dimensions, from, which > 6 && random.chance(30) ? random.of(kTiles) : ""),
                   array(type.name, dimensions, to, which <= 3 && random.chance(30) ? random.of(kTiles) : ""));
  if (which <= 6) stride_source(random, c, from, type.width);
  if (which > 3) stride_destination(random, c, to, type.width);
  if (random.chance(10)) make_box(random, c);
  return c;
}

// Elements of 1, 2 and 4 bits, packed on one side at least, and numbers in containers wider than they are.
Case packed(const Draw& draw) {
  struct Small {
    const char* name;
    int bits;
  };
  static const std::vector<Small> types = {{"u4", 4}, {"s4", 4}, {"f4e2m1fn", 4}, {"u2", 2},
                                           {"s2", 2}, {"u1", 1}, {"pred", 1}};
  Random& random = draw.random;
  const Small type = random.of(types);
  const int64_t elements = std::min<int64_t>(draw.bytes * 8 / type.bits, 700000);
  Numbers dimensions = draw_dimensions(random, random.in(1, 4), elements, 1);
  if (random.chance(40)) {  // few columns, and rows beside a multiple of a vector
    const int64_t rows = 128 * random.in(1, 9) + random.in(-1, 1);
    dimensions = {rows, random.chance(70) ? random.in(2, 70) : edge(random, 1, std::max<int64_t>(elements / rows, 2))};
    if (random.chance(40)) dimensions.insert(dimensions.begin(), random.in(1, 9));
    if (random.chance(30)) std::swap(dimensions.back(), dimensions[dimensions.size() - 2]);
  }
  const size_t rank = dimensions.size();
  const auto bits = [&] {
    return random.chance(75) ? type.bits : std::min(random.chance(90) ? 8 : 32, type.bits << random.in(1, 4));
  };
  const auto ends = [&](int width) {
    return (random.chance(20) ? random.of(kTiles) : "") +
           (random.chance(8) ? "L(" + std::to_string(random.in(2, 700)) + ")" : "") +
           (width == 8 ? "" : "E(" + std::to_string(width) + ")") +
           (random.chance(10) ? draw_padding(random, dimensions) : "");
  };
  int from_bits = bits(), to_bits = bits();
  if (from_bits >= 8 && to_bits >= 8) (random.chance(50) ? from_bits : to_bits) = type.bits;
  const Numbers from = random.chance(60) ? row_major(rank) : draw_order(random, rank),
                to = random.chance(20) ? from : draw_order(random, rank);
  const std::string source = ends(from_bits), destination = ends(to_bits);
  Case c = between(random, array(type.name, dimensions, from, source), array(type.name, dimensions, to, destination));
  if (random.chance(15)) make_box(random, c);
  if (random.chance(12)) stride_source(random, c, from, 1);
  if (random.chance(12)) stride_destination(random, c, to, 1);
  return c;
}

// Many small dimensions: alone, so that their tiles are cut anywhere, or with one or two large ones among them; plain
// or in tiles, those of one dimension above all, whose last one is short.
Case small_factors(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  const bool alone = random.chance(60);
  int64_t room = alone ? int64_t{1} << random.in(12, 16) : draw.bytes / type.width;
  const int64_t most = random.of(Numbers{3, 5, 7, 12, 12, 15});
  Numbers dimensions;
  for (int64_t i = alone ? random.in(4, 8) : random.in(2, 7); i > 0; --i) {
    const int64_t d = random.in(2, most);
    if (d <= room) dimensions.push_back(d), room /= d;
  }
  const auto put = [&](int64_t n) {
    n = std::max<int64_t>(n, 1);
    dimensions.insert(dimensions.begin() + random.in(0, static_cast<int64_t>(dimensions.size())), n);
    room /= n;
  };
  if (!alone && random.chance(60)) put(edge(random, type.width, std::max<int64_t>(room, 2)));
  if (!alone && room > 1) put(room + random.in(-1, 1));
  const size_t rank = dimensions.size();
  const auto tile = [&] {
    if (random.chance(40)) return random.of(kTiles);
    return "T(" + std::to_string(random.in(2, 9)) + (random.chance(30) ? ",1)" : ")");
  };
  const auto side = [&](bool plain, int percent) {
    const std::string ends = random.chance(percent) ? tile() : "";
    return array(type.name, dimensions, plain ? row_major(rank) : draw_order(random, rank), ends);
  };
  Ref<Shape> src = side(random.chance(30), 20), dst = side(false, 50);
  Case c = between(random, std::move(src), std::move(dst));
  if (random.chance(6)) make_box(random, c);
  return c;
}

// Runs that stay whole on both sides, of a length at a limit, of one dimension or of two: with several rows, in other
// orders, sometimes apart by more than their length.
Case runs(const Draw& draw) {
  Random& random = draw.random;
  const Type type = random.of(kTypes);
  const int64_t room = draw.bytes / type.width;
  const int64_t run = edge(random, type.width, std::max<int64_t>(room / 2, 2));
  Numbers inner = random.chance(30) ? factors(random, run) : Numbers{run};
  int64_t left = std::max<int64_t>(room / run, 2);
  Numbers outer;
  for (int64_t i = random.in(0, 3); i > 0; --i) {
    outer.push_back(random.in(1, std::min<int64_t>(left, 12)));
    left = std::max<int64_t>(left / outer.back(), 1);
  }
  outer.insert(outer.begin() + random.in(0, static_cast<int64_t>(outer.size())), left);
  Numbers dimensions = outer;
  dimensions.insert(dimensions.end(), inner.begin(), inner.end());
  const size_t rank = dimensions.size();
  const auto order = [&](bool plain) {  // the run is innermost, the rest in any order
    Numbers o = row_major(rank);
    if (!plain) std::shuffle(o.begin() + static_cast<ptrdiff_t>(inner.size()), o.end(), random.engine());
    return o;
  };
  const Numbers from = order(random.chance(70)), to = order(random.chance(30));
  const auto pitch = [&] {  // of rows
    if (!random.chance(20)) return std::string();
    Numbers padded = dimensions;
    padded[outer.size()] += random.in(0, 2);
    if (random.chance(30)) padded[outer.size() - 1] += random.in(0, 3);
    return "PD(" + joined(padded) + ")";
  };
  const std::string source = pitch(), destination = pitch();
  Case c = between(random, array(type.name, dimensions, from, source), array(type.name, dimensions, to, destination));
  if (random.chance(15)) stride_source(random, c, from, type.width);
  if (random.chance(15)) stride_destination(random, c, to, type.width);
  if (random.chance(8)) make_box(random, c);
  return c;
}

// Numbers that change their format; fewer of them, as the reference takes a hundred times as long for each.
Case values(const Draw& draw) {
  struct Number {
    const char* name;
    int64_t width;
  };
  static const std::vector<Number> types = {
      {"f32", 4},        {"f32", 4},      {"bf16", 2}, {"bf16", 2}, {"f16", 2},  {"f64", 8},      {"s8", 1},
      {"u8", 1},         {"s4", 1},       {"u4", 1},   {"s32", 4},  {"s16", 2},  {"f8e4m3fn", 1}, {"f8e5m2", 1},
      {"f8e4m3fnuz", 1}, {"f4e2m1fn", 1}, {"u32", 4},  {"s64", 8},  {"pred", 1}, {"f8e8m0fnu", 1}};
  Random& random = draw.random;
  const Number from = random.of(types);
  Number to = random.of(types);
  while (std::string(to.name) == from.name) to = random.of(types);
  const int64_t width = std::max(from.width, to.width);
  const Numbers dimensions = draw_dimensions(random, random.in(1, 4), draw.bytes / (random.chance(70) ? 8 : 2), width);
  const size_t rank = dimensions.size();
  const auto side = [&](const Number& type) {
    const bool packs = (std::string(type.name).ends_with("4") && type.width == 1) || type.name[0] == 'p';
    return array(type.name, dimensions, random.chance(60) ? row_major(rank) : draw_order(random, rank),
                 (random.chance(35) ? random.of(kTiles) : "") +
                     (packs && random.chance(60) ? (type.name[0] == 'p' ? "E(1)" : "E(4)") : "") +
                     (random.chance(10) ? draw_padding(random, dimensions) : ""));
  };
  Ref<Shape> src = side(from), dst = side(to);
  Case c = between(random, std::move(src), std::move(dst));
  c.request.values.convert = true;
  c.request.values.saturate = random.chance(25);
  if (random.chance(40)) add_scales(random, c);
  if (random.chance(12)) make_box(random, c);
  if (random.chance(12)) stride_source(random, c, row_major(rank), from.width);
  if (random.chance(12)) stride_destination(random, c, row_major(rank), to.width);
  return c;
}

}  // namespace

std::span<const Family> families() {
  static constexpr Family all[] = {
      {"Permutations", permutation, 24},
      {"Tiles", tiled, 18},
      {"Padding", padded, 11},
      {"Boxes", boxed, 10},
      {"Strides", strided, 11},
      {"Packed", packed, 11},
      {"SmallFactors", small_factors, 15},
      {"Runs", runs, 8},
      {"Values", values, 2},
  };
  return all;
}

std::span<const int64_t> limits() {
  static const Numbers all = [] {
    Numbers found;
    for (int64_t power = 16; power <= 4096; power *= 2) found.push_back(power);
    found.insert(found.end(), std::begin(simd::kLimits), std::end(simd::kLimits));
    found.insert(found.end(), std::begin(scalar::kLimits), std::end(scalar::kLimits));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }();
  return all;
}

}  // namespace xlashape::core::testing
