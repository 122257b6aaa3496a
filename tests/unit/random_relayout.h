/* SPDX-License-Identifier: Apache-2.0 */
// Random relayouts, and running them on a backend's table against the reference walker.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "index/sizes.h"
#include "ir/reference.h"
#include "plan/relayout.h"
#include "text/print.h"
#include "unit/random_shape.h"

namespace xlashape::core::testing {

inline constexpr int64_t kGuard = 64;

inline std::string text(const Shape& shape) {
  char buffer[512];
  int64_t needed;
  auto err = XLASHAPE_INIT(xlashape_error);
  return xlashape_shape_print(&shape, 0, buffer, sizeof buffer, &needed, &err) ? err.message : buffer;
}

inline Ref<Shape> parsed(const std::string& words) {
  auto err = XLASHAPE_INIT(xlashape_error);
  xlashape_shape* made = nullptr;
  if (xlashape_shape_parse(words.data(), words.size(), 0, &made, &err)) throw std::runtime_error(err.message + words);
  return Ref<Shape>::adopt(made);
}

inline std::vector<unsigned char> random_bytes(Random& random, int64_t size) {
  std::vector<unsigned char> bytes(static_cast<size_t>(size));
  for (auto& b : bytes) b = static_cast<unsigned char>(random.in(0, 255));
  return bytes;
}

struct Case {
  Ref<Shape> src, dst;
  std::vector<int64_t> src_strides, dst_strides, src_base, dst_base, extent;
  std::vector<float> scale;
  std::vector<int32_t> zero_point;
  RelayoutRequest request;

  std::string name() const {
    std::string s = text(*src) + " -> " + text(*dst) + " fill " + std::to_string(request.fill_policy);
    const auto add = [&](const char* what, const std::vector<int64_t>& v) {
      if (v.empty()) return;
      s += std::string(" ") + what;
      for (const int64_t x : v) s += " " + std::to_string(x);
    };
    const auto add_side = [&](const char* name, const RelayoutSide& side, const std::vector<int64_t>& strides) {
      add(name, strides);
      if (side.element_strides != nullptr) s += " in elements, first " + std::to_string(side.first_element);
    };
    add_side("src_strides", request.src, src_strides), add_side("dst_strides", request.dst, dst_strides);
    add("src_base", src_base), add("dst_base", dst_base), add("extent", extent);
    const ValueRequest& values = request.values;
    if (values.convert) s += values.saturate ? " saturate" : " convert";
    if (values.src_high_first) s += " src_high_first";
    if (values.dst_high_first) s += " dst_high_first";
    if (!scale.empty())
      s += " scales " + std::to_string(scale.size()) + " along " + std::to_string(values.scale_dimension);
    return s;
  }
};

// Whole arrays, from layout to layout.
inline Case case_of(Ref<Shape> src, Ref<Shape> dst, int32_t fill_policy = XLASHAPE_FILL_PADDING) {
  Case c;
  c.src = std::move(src);
  c.dst = std::move(dst);
  c.request.src.array = c.src.get();
  c.request.dst.array = c.dst.get();
  c.request.fill_policy = fill_policy;
  return c;
}

// Strides without overlap: a random order of the dimensions, gaps, signs.
inline std::vector<int64_t> random_strides(Random& random, const std::vector<int64_t>& dimensions, int64_t width,
                                           bool source) {
  std::vector<int64_t> strides(dimensions.size());
  std::vector<size_t> order(dimensions.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random.engine());
  int64_t reach = width;
  for (const size_t d : order) {
    const int64_t stride = reach + (random.chance(20) ? random.in(0, 9) : 0);
    strides[d] = random.chance(20) ? -stride : stride;
    reach = stride * std::max<int64_t>(dimensions[d], 1);
    if (source && random.chance(5)) strides[d] = 0;
  }
  return strides;
}

// Gives a side strides, in bytes or in elements.
inline void add_strides(Random& random, const Shape& array, bool source, std::vector<int64_t>* strides,
                        RelayoutSide* side) {
  const std::vector<int64_t> dimensions(array.dimensions.begin(), array.dimensions.end());
  if (random.chance(50)) {
    const int64_t width = (element_type_info(array.element_type).storage_bits + 7) / 8;
    *strides = random_strides(random, dimensions, width, source);
    side->byte_strides = strides->data();
    return;
  }
  *strides = random_strides(random, dimensions, 1, source);
  static constexpr int64_t kNone = 0;
  side->element_strides = strides->empty() ? &kNone : strides->data();
  side->first_element = random.in(0, 9);
  for (size_t d = 0; d < strides->size(); ++d)
    if (dimensions[d] > 1 && (*strides)[d] < 0) side->first_element -= (*strides)[d] * (dimensions[d] - 1);
}

// "u8[3,4]{0,1": so many percent of them not in row-major order.
// What is behind the order, and the brace, comes from the caller.
inline std::string permuted(Random& random, int percent, const std::string& type,
                            const std::vector<int64_t>& dimensions) {
  std::string bounds, order;
  std::vector<int64_t> turn(dimensions.size());
  for (size_t i = 0; i < turn.size(); ++i) turn[i] = static_cast<int64_t>(turn.size() - 1 - i);
  if (random.chance(percent)) std::shuffle(turn.begin(), turn.end(), random.engine());
  for (size_t i = 0; i < turn.size(); ++i) {
    bounds += (i ? "," : "") + std::to_string(dimensions[i]);
    order += (i ? "," : "") + std::to_string(turn[i]);
  }
  return type + "[" + bounds + "]{" + order;
}

// A relayout between two arrays of these dimensions, with any fill, now and then of a box.
inline Case case_between(Random& random, const std::vector<int64_t>& dimensions, Ref<Shape> src, Ref<Shape> dst) {
  Case c = case_of(std::move(src), std::move(dst), static_cast<int32_t>(random.in(0, 2)));
  if (random.chance(20)) {
    for (const int64_t d : dimensions) {
      const int64_t n = random.in(1, d);
      c.extent.push_back(n);
      c.src_base.push_back(random.in(0, d - n));
      c.dst_base.push_back(random.in(0, d - n));
    }
    c.request.extent = c.extent.data();
    c.request.src.base = c.src_base.data();
    c.request.dst.base = c.dst_base.data();
  }
  return c;
}

// Between arrays of these types.
inline Case random_case(Random& random, xlashape_element_type type, xlashape_element_type dst_type) {
  Case c;
  const auto dimensions = random_dimensions(random, random.chance(10) ? 9 : 5, random.chance(10) ? 20000 : 1500);
  auto other = dimensions;
  const bool box = random.chance(25);
  if (box)
    for (auto& d : other) d = std::max<int64_t>(0, d + random.in(-3, 6));
  c.src = random_array(random, type, dimensions);
  c.dst = random_array(random, dst_type, other);
  c.request.src.array = c.src.get();
  c.request.dst.array = c.dst.get();
  c.request.fill_policy = static_cast<int32_t>(random.in(0, 2));
  if (random.chance(15)) add_strides(random, *c.src, true, &c.src_strides, &c.request.src);
  if (random.chance(15)) add_strides(random, *c.dst, false, &c.dst_strides, &c.request.dst);
  if (box) {
    for (size_t i = 0; i < dimensions.size(); ++i) {
      const int64_t n = random.in(random.chance(5) ? 0 : std::min<int64_t>({1, dimensions[i], other[i]}),
                                  std::min(dimensions[i], other[i]));
      c.extent.push_back(n);
      c.src_base.push_back(random.in(0, dimensions[i] - n));
      c.dst_base.push_back(random.in(0, other[i] - n));
    }
    static int64_t none = 0;
    c.request.extent = c.extent.empty() ? &none : c.extent.data();
    c.request.src.base = c.src_base.empty() ? nullptr : c.src_base.data();
    c.request.dst.base = c.dst_base.empty() ? nullptr : c.dst_base.data();
  }
  return c;
}

inline Case random_case(Random& random) {
  const xlashape_element_type type = random.of(all_types());
  return random_case(random, type, type);
}

// Some bits of each side's bytes from the highest on, where they are packed.
inline void order_bits(Random& random, Case& c) {
  const auto is_packed = [](const RelayoutSide& side) {
    const int64_t bits = container_bits(*side.array);
    return side.byte_strides == nullptr && bits != 0 && bits < 8;
  };
  c.request.values.src_high_first = is_packed(c.request.src) && random.chance(50);
  c.request.values.dst_high_first = is_packed(c.request.dst) && random.chance(50);
}

// Gives the case scales, where its types can have some: one, or one for each index of a dimension.
inline void add_scales(Random& random, Case& c) {
  const ElementTypeInfo &src = element_type_info(c.src->element_type), &dst = element_type_info(c.dst->element_type);
  const bool from_float = src.classes & XLASHAPE_CLASS_FLOAT, to_float = dst.classes & XLASHAPE_CLASS_FLOAT;
  if (!from_float && !to_float) return;
  if (from_float && to_float && src.bits == dst.bits) return;
  for (const ElementTypeInfo* info : {&src, &dst})
    if (((info->classes & XLASHAPE_CLASS_INTEGRAL) && info->bits > 32) || info->bits == 1) return;
  const bool quantizes = from_float && (!to_float || dst.bits < src.bits);
  ValueRequest& values = c.request.values;
  int64_t count = 1;
  if (c.src->rank() > 0 && random.chance(70)) {
    values.scale_dimension = random.in(0, c.src->rank() - 1);
    count = c.src->dimensions[static_cast<size_t>(values.scale_dimension)];
    if (count == 0) return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const float scale = std::ldexp(static_cast<float>(random.in(1, 1 << 20)), static_cast<int>(random.in(-30, 0)));
    c.scale.push_back(random.chance(25) ? -scale : scale);
    if (!quantizes && random.chance(5)) c.scale.back() = random.chance(50) ? 0.0f : -0.0f;
    if (from_float != to_float) c.zero_point.push_back(static_cast<int32_t>(random.in(-140, 140)));
  }
  values.scale_count = count;
  values.scale = c.scale.data();
  values.zero_point = c.zero_point.empty() ? nullptr : c.zero_point.data();
}

// The types whose values are single numbers.
inline const std::vector<xlashape_element_type>& numbers() {
  static const std::vector<xlashape_element_type> types = [] {
    std::vector<xlashape_element_type> found;
    for (int32_t type = 1; type < static_cast<int32_t>(element_types().size()); ++type)
      if (is_array_type(type) && (element_type_info(type).classes & XLASHAPE_CLASS_COMPLEX) == 0) found.push_back(type);
    return found;
  }();
  return types;
}

// A relayout that converts values, or reorders bits within bytes, or both.
inline Case random_value_case(Random& random) {
  const xlashape_element_type type = random.of(random.chance(50) ? numbers() : all_types());
  if (element_type_info(type).classes & XLASHAPE_CLASS_COMPLEX) return random_value_case(random);
  const xlashape_element_type dst_type = random.chance(85) ? random.of(numbers()) : type;
  Case c = random_case(random, type, dst_type);
  c.request.values.convert = type != dst_type || random.chance(20);
  c.request.values.saturate = c.request.values.convert && random.chance(30);
  order_bits(random, c);
  if (type != dst_type && random.chance(40)) add_scales(random, c);
  return c;
}

// The one option that a host gives its backend; no value: none.
struct HostOption {
  const char* key = "";
  const char* value = nullptr;
};

// A backend as the core sees it, with a host of the test's making.
struct OpenedBackend {
  xlashape_host host{};
  xlashape_backend table{};
  HostOption option;

  template <class Open>
  OpenedBackend(Open open, uint64_t cpu_features, int64_t l2_bytes, HostOption option = {}) : option(option) {
    host.struct_size = sizeof host;
    host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
    host.alloc = [](void*, size_t size, size_t) { return std::malloc(size); };
    host.free = [](void*, void* pointer, size_t, size_t) { std::free(pointer); };
    host.cpu_features[0] = cpu_features;
    host.l2_bytes = l2_bytes;
    host.manifest_path = "";
    host.opaque = &this->option;
    host.option = [](void* opaque, const char* key) {
      const HostOption& given = *static_cast<const HostOption*>(opaque);
      return std::strcmp(key, given.key) == 0 ? given.value : nullptr;
    };
    table.struct_size = sizeof table;
    auto err = XLASHAPE_INIT(xlashape_error);
    if (open(&host, &table, &err)) throw std::runtime_error(err.message);
    if (table.use_profile == nullptr || l2_bytes == 0) return;
    // Whatever the processor's family is known for.
    const std::string from = std::to_string(std::min(2 * l2_bytes, int64_t{1} << 60));
    const std::string text =
        "stream_runs_bytes = " + from + "\nstream_squares_bytes = " + from + "\nstream_copy_bytes = " + from + "\n";
    if (table.use_profile(table.self, text.c_str(), &err)) throw std::runtime_error(err.message);
  }
  OpenedBackend(const OpenedBackend&) = delete;
  ~OpenedBackend() {
    if (table.close) table.close(table.self);
  }
};

// A relayout on CPU memory.
inline xlashape_op op_of(const xlashape_relayout_ir& ir) {
  auto op = XLASHAPE_INIT(xlashape_op);
  op.kind = ir.values != nullptr ? XLASHAPE_OP_RELAYOUT_VALUES : XLASHAPE_OP_RELAYOUT;
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  op.relayout = &ir;
  return op;
}

// What the backend says about its plan for the case; its number of tasks is checked, too.
inline std::string description(const OpenedBackend& backend, const Case& c) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  if (build_relayout(c.request, arena, &ir, &err)) return err.message;
  const xlashape_op op = op_of(ir);
  const xlashape_backend& table = backend.table;
  auto support = XLASHAPE_INIT(xlashape_support);
  if (table.supports(table.self, &op, &support, nullptr) || support.level <= XLASHAPE_SUPPORT_NONE)
    return "it does not take it";
  int64_t bytes, alignment;
  if (table.plan_size(table.self, &op, &bytes, &alignment, nullptr)) return "";
  std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
  if (table.plan_init(table.self, &op, storage.data(), &err)) return err.message;
  char line[1024];
  table.describe(table.self, storage.data(), &op, line, sizeof line);
  if (table.plan_tasks != nullptr) {
    const int64_t tasks = table.plan_tasks(table.self, storage.data(), &op, 64);
    EXPECT_GE(tasks, 1) << c.name() << "\n" << line;
  }
  if (table.plan_destroy != nullptr) table.plan_destroy(table.self, storage.data());
  return line;
}

// Makes the plan run as one of its candidates, any of them, where it has some, or as such a text with other numbers
// says, where the backend takes that. Returns the choice; an error begins with "wrong".
inline std::string choose_candidate(const xlashape_backend& table, Random& random, void* storage,
                                    const xlashape_op& op) {
  if (table.plan_candidate == nullptr) return "";
  char text[XLASHAPE_CHOICE_BYTES], again[XLASHAPE_CHOICE_BYTES];
  int64_t length = 0;
  for (int64_t index = random.in(0, random.chance(50) ? 8 : XLASHAPE_MAX_CANDIDATES - 1); length == 0; index /= 2) {
    length = table.plan_candidate(table.self, storage, &op, index, text, sizeof text);
    if (length == 0 && index == 0) return "";
  }
  auto err = XLASHAPE_INIT(xlashape_error);
  if (table.plan_choose(table.self, storage, &op, text, &err)) return std::string("wrong: ") + err.message;
  table.plan_candidate(table.self, storage, &op, 0, again, sizeof again);
  if (std::strcmp(text, again) != 0) return std::string("wrong: ") + text + " became " + again;
  std::string other = text;
  for (int64_t changes = random.chance(50) ? random.in(1, 3) : 0; changes > 0; --changes) {
    const size_t from = other.find_first_of("0123456789", static_cast<size_t>(random.in(0, 200)));
    if (from == other.npos) continue;
    const size_t end = std::min(other.find_first_not_of("0123456789", from), other.size());
    other.replace(from, end - from, std::to_string(random.in(0, int64_t{1} << random.in(1, 21))));
  }
  return table.plan_choose(table.self, storage, &op, other.c_str(), &err) == XLASHAPE_STATUS_OK ? other : text;
}

// What the backend makes of these bytes; empty where it does not take the case. Both sides begin at their pointers.
inline std::vector<unsigned char> moved(const OpenedBackend& backend, const xlashape_relayout_ir& ir,
                                        const std::vector<unsigned char>& src) {
  const xlashape_op op = op_of(ir);
  const xlashape_backend& table = backend.table;
  auto support = XLASHAPE_INIT(xlashape_support);
  if (table.supports(table.self, &op, &support, nullptr) || support.level <= XLASHAPE_SUPPORT_NONE) return {};
  int64_t bytes, alignment;
  auto err = XLASHAPE_INIT(xlashape_error);
  if (table.plan_size(table.self, &op, &bytes, &alignment, &err)) throw std::runtime_error(err.message);
  std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
  if (table.plan_init(table.self, &op, storage.data(), &err)) throw std::runtime_error(err.message);
  std::vector<unsigned char> dst(static_cast<size_t>(ir.dst_high), 0x5A);
  auto run = XLASHAPE_INIT(xlashape_run);
  run.src = reinterpret_cast<uintptr_t>(src.data());
  run.dst = reinterpret_cast<uintptr_t>(dst.data());
  run.task_end = run.task_count = 1;
  if (table.plan_execute(table.self, storage.data(), &op, &run, &err)) throw std::runtime_error(err.message);
  if (table.plan_destroy != nullptr) table.plan_destroy(table.self, storage.data());
  return dst;
}

struct Tally {
  int with_nest = 0, taken = 0;
  int scattered = 0;  // refused where strides write elements that share bytes
};

// Runs the case in a random number of tasks in random order and compares every byte, guards included. A backend that
// does not take it is left alone.
inline void check_relayout(const OpenedBackend& backend, Random& random, const Case& c, Tally* tally) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir built;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(build_relayout(c.request, arena, &built, &err), XLASHAPE_STATUS_OK) << err.message << "\n" << c.name();
  alignas(16) char kept[65536];
  ASSERT_LE(relayout_bytes(built), sizeof kept);
  FixedArena copies(kept, relayout_bytes(built));
  const xlashape_relayout_ir& ir = *keep_relayout(built, copies);
  std::memset(space, 0xEE, sizeof space);  // a plan's form outlives what it was made in
  tally->with_nest += ir.nest != nullptr;

  const xlashape_backend& table = backend.table;
  const xlashape_op op = op_of(ir);
  auto support = XLASHAPE_INIT(xlashape_support);
  ASSERT_EQ(table.supports(table.self, &op, &support, nullptr), XLASHAPE_STATUS_OK);
  if (support.level == XLASHAPE_SUPPORT_NONE) {
    tally->scattered += ir.dst->output_extent == nullptr && ir.dst_container_bits < 8;
    return;
  }
  ++tally->taken;

  const int64_t misalign = random.chance(50) ? 0 : random.in(0, 63), dst_misalign = random.chance(50) ? 0 : misalign;
  // Exactly the bytes that may be read, so that a sanitizer sees one too many; on either end.
  const int64_t src_bytes = ir.src_high - ir.src_low;
  const auto src = random_bytes(random, src_bytes + misalign);
  auto want = random_bytes(random, ir.dst_high - ir.dst_low + 2 * kGuard + 64 + dst_misalign);
  auto got = want;
  const auto* from = reinterpret_cast<const char*>(src.data()) + misalign - ir.src_low;
  const auto at = [&](std::vector<unsigned char>& bytes) {
    // The destination's own alignment is the same in both.
    auto* start = reinterpret_cast<char*>(bytes.data()) + kGuard;
    start += -reinterpret_cast<uintptr_t>(start) & 63;
    return start + dst_misalign - ir.dst_low;
  };
  // Both buffers are aligned alike only if they start alike: move the bytes so that they do.
  std::vector<unsigned char> before(want);
  std::memset(want.data(), 0x5A, want.size());
  std::memset(got.data(), 0x5A, got.size());
  const int64_t dst_bytes = ir.dst_high - ir.dst_low;
  std::memcpy(at(want) + ir.dst_low, before.data(), static_cast<size_t>(dst_bytes));
  std::memcpy(at(got) + ir.dst_low, before.data(), static_cast<size_t>(dst_bytes));
  reference::relayout(ir, from, at(want));

  int64_t bytes, alignment;
  ASSERT_EQ(table.plan_size(table.self, &op, &bytes, &alignment, nullptr), XLASHAPE_STATUS_OK);
  std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
  ASSERT_LE(alignment, alignof(std::max_align_t));
  ASSERT_EQ(table.plan_init(table.self, &op, storage.data(), &err), XLASHAPE_STATUS_OK);
  if (random.chance(60)) {
    const std::string choice = choose_candidate(table, random, storage.data(), op);
    ASSERT_FALSE(choice.starts_with("wrong")) << choice << "\n" << c.name();
  }
  char line[1024];
  table.describe(table.self, storage.data(), &op, line, sizeof line);
  const int64_t tasks = random.chance(40) ? 1 : random.chance(10) ? random.in(10, 300) : random.in(2, 9);
  ASSERT_GE(table.plan_tasks(table.self, storage.data(), &op, tasks), 1);
  std::vector<int64_t> order(static_cast<size_t>(tasks));
  for (int64_t i = 0; i < tasks; ++i) order[static_cast<size_t>(i)] = i;
  std::shuffle(order.begin(), order.end(), random.engine());
  auto run = XLASHAPE_INIT(xlashape_run);
  run.src = reinterpret_cast<uintptr_t>(from);
  run.dst = reinterpret_cast<uintptr_t>(at(got));
  run.task_count = tasks;
  // Tasks may run at once: no byte may change in two of them.
  std::vector<int64_t> changed_by(static_cast<size_t>(dst_bytes), -1);
  std::vector<char> last;
  for (const int64_t task : order) {
    run.task_begin = task;
    run.task_end = task + 1;
    const char* const now = at(got) + ir.dst_low;
    last.assign(now, now + dst_bytes);
    ASSERT_EQ(table.plan_execute(table.self, storage.data(), &op, &run, &err), XLASHAPE_STATUS_OK);
    for (size_t i = 0; i < last.size(); ++i) {
      if (now[i] == last[i]) continue;
      ASSERT_EQ(changed_by[i], -1) << c.name() << "\n"
                                   << line << "\nbyte " << i << " changes in tasks " << changed_by[i] << " and "
                                   << task;
      changed_by[i] = task;
    }
  }
  if (table.plan_destroy != nullptr) table.plan_destroy(table.self, storage.data());
  if (c.request.fill_policy == XLASHAPE_FILL_UNSPECIFIED && (ir.flags & XLASHAPE_IR_HAS_BOX) == 0) {
    // Only elements and guards count: what lies between them may be anything.
    int64_t index[1024];
    for (int64_t p = 0; p < ir.dst->positions; ++p)
      if (!reference::index_at(*ir.dst, p, index)) {
        reference::store_dst(ir, at(got), p, reference::load_dst(ir, at(want), p));
      }
    const int64_t bits = ir.dst->positions * ir.dst_container_bits;
    if (bits % 8 != 0) at(got)[bits / 8] = at(want)[bits / 8];
  }
  // The buffers' starts may be aligned differently, so each is compared from where its destination is.
  const auto around = [&](std::vector<unsigned char>& b) {
    const char* start = at(b) + ir.dst_low - kGuard;
    return std::vector<unsigned char>(start, start + dst_bytes + 2 * kGuard);
  };
  const auto wanted = around(want), gotten = around(got);
  if (wanted != gotten) {
    const auto wrong = std::mismatch(wanted.begin(), wanted.end(), gotten.begin()).first - wanted.begin();
    FAIL() << c.name() << "\n"
           << line << "\nin " << tasks << " tasks, misaligned by " << misalign << " and " << dst_misalign
           << ": first wrong byte " << wrong - kGuard << " is " << int{gotten[static_cast<size_t>(wrong)]}
           << ", must be " << int{wanted[static_cast<size_t>(wrong)]};
  }
}

}  // namespace xlashape::core::testing
