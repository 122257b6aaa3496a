// SPDX-License-Identifier: Apache-2.0
#include "relayout.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "pool.h"

namespace xlashape_jax {
namespace {

// Below this other threads begin too late to help: 4 MiB take a third of a millisecond.
constexpr int64_t kManyBytes = 4 << 20;
// What a thread takes of a batch at once, at least.
constexpr int64_t kPartBytes = 256 << 10;

std::string text_of(const XLA_FFI_Buffer& buffer) {
  const char* name = xlashape_element_type_name(static_cast<xlashape_element_type>(buffer.dtype));
  std::string text = name == nullptr ? "?" : name;
  text += '[';
  for (int64_t i = 0; i < buffer.rank; ++i) text += (i == 0 ? "" : ",") + std::to_string(buffer.dims[i]);
  return short_text(text + ']', 150);
}

xlashape::Shape parse(std::string_view text, const char* which) {
  auto shape = xlashape::Shape::try_parse(text);
  if (!shape) throw Failure(std::string("attribute ") + which + " is '" + short_text(text, 300) + "'", shape.error());
  return *std::move(shape);
}

// function(from's shape, to's shape), whose failures name the shapes.
template <class F>
auto of_shapes(std::string_view from, std::string_view to, F function) {
  const xlashape::Shape source = parse(from, "from"), target = parse(to, "to");
  try {
    return function(source, target);
  } catch (const xlashape::Exception& exception) {
    throw Failure(short_text(from, 200) + " -> " + short_text(to, 200), exception.error());
  }
}

// The bits that an element has in an array of XLA's CPU: values of less than a byte are packed, but bool.
int32_t memory_bits(xlashape::ElementType type) {
  const int32_t bits = xlashape::bits(type);
  const bool packed = type != xlashape::ElementType::kPred && (bits == 1 || bits == 2 || bits == 4);
  return packed ? bits : xlashape::storage_bits(type);
}

// A batch in parts, each for one task.
struct Parts {
  const xlashape::Plan& plan;
  int64_t count;  // arrays
  int64_t parts;
  const char* from;
  char* to;
  int64_t from_step;
  int64_t to_step;
  std::atomic<bool> failed{false};
  xlashape::Error error;

  // Part i of them. The first failure leaves its error, and nothing is begun after it.
  static void XLASHAPE_CALL run(void* opaque, int64_t i, uint32_t) {
    auto& self = *static_cast<Parts*>(opaque);
    for (int64_t array = self.first(i); array < self.first(i + 1) && !self.failed; ++array) {
      const auto done = self.plan.try_execute_at(self.from + array * self.from_step, self.to + array * self.to_step);
      if (!done && !self.failed.exchange(true)) self.error = done.error();
    }
  }

 private:
  int64_t first(int64_t i) const { return count / parts * i + std::min(i, count % parts); }
};

}  // namespace

Side::Side(const xlashape::Shape& shape) : type(shape.element_type()), dimensions(shape.dimensions()) {
  const xlashape::Sizes sizes = shape.sizes();
  if (const int32_t wanted = memory_bits(type); sizes.element_bits != wanted)
    throw xlashape::Exception(
        {xlashape::Status::kUnsupported, "a layout with elements of " + std::to_string(sizes.element_bits) +
                                             " bits, which have " + std::to_string(wanted) + " in XLA's memory"});
  storage_elements = sizes.storage_elements;
  bytes = sizes.bytes;
  whole = sizes.storage_elements == sizes.elements;
  ends_inside = sizes.storage_elements % 8 * sizes.element_bits % 8 != 0;
}

int64_t Side::count_of(const XLA_FFI_Buffer& buffer) const {
  if (static_cast<xlashape::ElementType>(buffer.dtype) != type) return -1;
  int64_t leading = buffer.rank - static_cast<int64_t>(dimensions.size());
  if (!(whole && leading >= 0 && std::equal(dimensions.begin(), dimensions.end(), buffer.dims + leading))) {
    leading = buffer.rank - 1;
    if (leading < 0 || buffer.dims[leading] != storage_elements) return -1;
  }
  int64_t count = 1;
  for (int64_t i = 0; i < leading; ++i) count *= buffer.dims[i];
  return count;
}

std::string Relayout::key_of(std::string_view from, std::string_view to) {
  return of_shapes(from, to, [](const auto& source, const auto& target) { return xlashape::plan_key(source, target); });
}

struct Relayout::Made {
  xlashape::Plan plan;
  Side from, to;
};

Relayout::Relayout(std::string_view from, std::string_view to, std::string key)
    : Relayout(of_shapes(from, to,
                         [](const auto& source, const auto& target) {
                           return Made{xlashape::Plan::create(source, target), Side(source), Side(target)};
                         }),
               std::move(key)) {}

Relayout::Relayout(Made made, std::string key)
    : key_(std::move(key)), plan_(std::move(made.plan)), from_(std::move(made.from)), to_(std::move(made.to)) {}

int64_t Relayout::count_of(const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to) const {
  const int64_t count = from_.count_of(from);
  if (count < 0 || count != to_.count_of(to))
    throw Failure(XLA_FFI_Error_Code_INVALID_ARGUMENT,
                  short_text(key_, 400) + " takes one array of " + std::to_string(from_.storage_elements) +
                      " elements or a batch of them, and gives as many of " + std::to_string(to_.storage_elements) +
                      ", not " + text_of(from) + " -> " + text_of(to));
  if (count > 1 && (from_.ends_inside || to_.ends_inside))
    throw Failure(XLA_FFI_Error_Code_UNIMPLEMENTED, short_text(key_, 600) + ": a batch of " + std::to_string(count) +
                                                        " arrays that do not end on a byte");
  return count;
}

void Relayout::run(const XLA_FFI_CallFrame& frame, const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to) const {
  const int64_t count = count_of(from, to);
  if (count == 0 || to_.bytes == 0) return;
  const auto src = reinterpret_cast<uintptr_t>(from.data), dst = reinterpret_cast<uintptr_t>(to.data);
  if (src == dst)
    return move(in_place(), frame, count, static_cast<const char*>(from.data), static_cast<char*>(to.data));
  if (src < dst + static_cast<uintptr_t>(to_.bytes * count) && dst < src + static_cast<uintptr_t>(from_.bytes * count))
    throw Failure(XLA_FFI_Error_Code_INVALID_ARGUMENT,
                  short_text(key_, 600) + ": argument and result share a part of their memory");
  move(plan_, frame, count, static_cast<const char*>(from.data), static_cast<char*>(to.data));
}

const xlashape::Plan& Relayout::in_place() const {
  const std::lock_guard lock(mutex_);
  if (!in_place_) {
    xlashape::PlanOptions options;
    options.flags = XLASHAPE_PLAN_IN_PLACE;
    const xlashape::PlanShapes shapes = plan_.shapes();
    auto made = xlashape::Plan::try_create(shapes.src, shapes.dst, options);
    if (!made) throw Failure(short_text(key_, 400), made.error());
    in_place_ = *std::move(made);
  }
  return in_place_;
}

void Relayout::move(const xlashape::Plan& plan, const XLA_FFI_CallFrame& frame, int64_t count, const char* from,
                    char* to) const {
  Parts all = {plan, count, 1, from, to, from_.bytes, to_.bytes, {}, {}};
  const int64_t larger = std::max(from_.bytes, to_.bytes);
  if (larger < kManyBytes && larger * count < kManyBytes) {
    Parts::run(&all, 0, 0);
  } else if (Pool pool(frame); pool.workers() > 1 && larger >= kManyBytes) {
    // Each array by itself, on all threads.
    const xlashape_executor executor = pool.executor();
    xlashape_execute_options options = {};
    options.executor = &executor;
    options.src_bytes = from_.bytes;
    options.dst_bytes = to_.bytes;
    for (int64_t i = 0; i < count; ++i) {
      options.src = reinterpret_cast<uintptr_t>(from + i * from_.bytes);
      options.dst = reinterpret_cast<uintptr_t>(to + i * to_.bytes);
      if (const auto done = plan.try_execute_with(options); !done) throw Failure(short_text(key_, 400), done.error());
    }
  } else {
    // Several parts for each thread: those that begin late find little left.
    const int64_t parts = std::clamp<int64_t>(larger * count / kPartBytes, 1, 8 * int64_t{pool.workers()});
    all.parts = std::min(parts, count);
    pool.parallel_for(all.parts, &all, Parts::run);
  }
  if (all.failed) throw Failure(short_text(key_, 400), all.error);
}

}  // namespace xlashape_jax
