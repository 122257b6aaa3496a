#include "relayout.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
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
  return text + ']';
}

bool parse(std::string_view text, const char* which, ShapeHandle* shape, Failure* failure) {
  xlashape_shape* parsed = nullptr;
  xlashape_error err = {};
  err.struct_size = sizeof err;
  if (const auto status = xlashape_shape_parse(text.data(), static_cast<int64_t>(text.size()), 0, &parsed, &err))
    return failure->set(code_of(status), "xlashape_relayout: attribute %s is '%.*s': %s", which,
                        static_cast<int>(std::min<size_t>(text.size(), 300)), text.data(), err.message);
  shape->reset(parsed);
  return true;
}

struct Shapes {
  ShapeHandle from;
  ShapeHandle to;

  bool parse_both(std::string_view from_text, std::string_view to_text, Failure* failure) {
    return parse(from_text, "from", &from, failure) && parse(to_text, "to", &to, failure);
  }
};

bool refused(std::string_view from, std::string_view to, xlashape_status status, const xlashape_error& err,
             Failure* failure) {
  return failure->set(code_of(status), "xlashape_relayout: %.*s -> %.*s: %s",
                      static_cast<int>(std::min<size_t>(from.size(), 200)), from.data(),
                      static_cast<int>(std::min<size_t>(to.size(), 200)), to.data(), err.message);
}

// The bits that an element has in an array of XLA's CPU: values of less than a byte are packed, but bool.
int32_t memory_bits(xlashape_element_type type) {
  const int32_t bits = xlashape_element_type_bits(type);
  return type != XLASHAPE_TYPE_PRED && (bits == 1 || bits == 2 || bits == 4) ? bits
                                                                             : xlashape_element_type_storage_bits(type);
}

// The sizes of one side, or a failure. Another width than XLA's would have the plan leave the array.
xlashape_status side_of(const xlashape_shape* shape, Side* side, xlashape_error* err) {
  xlashape_sizes sizes = {};
  sizes.struct_size = sizeof sizes;
  if (const auto status = xlashape_shape_sizes(shape, &sizes, err)) return status;
  const int32_t wanted = memory_bits(xlashape_shape_element_type(shape));
  if (sizes.element_bits != wanted) {
    std::snprintf(err->message, sizeof err->message, "a layout with elements of %d bits, which have %d in XLA's memory",
                  sizes.element_bits, wanted);
    return XLASHAPE_STATUS_UNSUPPORTED;
  }
  int64_t rank = 0;
  side->dimensions.resize(static_cast<size_t>(xlashape_shape_rank(shape)));
  if (const auto status = xlashape_shape_dimensions(shape, side->dimensions.data(),
                                                    static_cast<int64_t>(side->dimensions.size()), &rank, err))
    return status;
  side->type = xlashape_shape_element_type(shape);
  side->storage_elements = sizes.storage_elements;
  side->whole = sizes.storage_elements == sizes.elements;
  side->bytes = sizes.bytes;
  side->ends_inside = sizes.storage_elements % 8 * sizes.element_bits % 8 != 0;
  return XLASHAPE_STATUS_OK;
}

// Arrays of one plan, evenly spaced.
struct Arrays {
  const xlashape_plan* plan;
  int64_t count;
  const char* from;
  int64_t from_step;
  char* to;
  int64_t to_step;

  // Those with numbers [begin, end).
  xlashape_status execute(int64_t begin, int64_t end, xlashape_error* err) const {
    xlashape_status status = XLASHAPE_STATUS_OK;
    for (int64_t i = begin; i < end && status == XLASHAPE_STATUS_OK; ++i)
      status = xlashape_plan_execute(plan, from + i * from_step, to + i * to_step, err);
    return status;
  }
};

// A batch in parts, each for one task.
struct Parts {
  Arrays arrays;
  int64_t parts;
  std::atomic<bool> failed{false};
  xlashape_status status = XLASHAPE_STATUS_OK;
  xlashape_error err = {};

  // Part i of them. The first one that fails leaves its error; all others still run, as each index must.
  static void XLASHAPE_CALL run(void* opaque, int64_t i, uint32_t) {
    auto* self = static_cast<Parts*>(opaque);
    const int64_t begin = self->first(i);
    xlashape_error err = {};
    err.struct_size = sizeof err;
    const auto status = self->arrays.execute(begin, self->first(i + 1), &err);
    if (status == XLASHAPE_STATUS_OK || self->failed.exchange(true)) return;
    self->status = status;
    self->err = err;
  }

 private:
  int64_t first(int64_t i) const { return arrays.count / parts * i + std::min(i, arrays.count % parts); }
};

}  // namespace

int64_t Side::count_of(const XLA_FFI_Buffer& buffer) const {
  if (static_cast<xlashape_element_type>(buffer.dtype) != type) return -1;
  const int64_t rank = static_cast<int64_t>(dimensions.size());
  int64_t leading = buffer.rank - rank;
  if (!(whole && leading >= 0 && std::equal(dimensions.begin(), dimensions.end(), buffer.dims + leading))) {
    leading = buffer.rank - 1;
    if (leading < 0 || buffer.dims[leading] != storage_elements) return -1;
  }
  int64_t count = 1;
  for (int64_t i = 0; i < leading; ++i) count *= buffer.dims[i];
  return count;
}

bool Relayout::key_of(std::string_view from, std::string_view to, std::string* key, Failure* failure) {
  Shapes shapes;
  if (!shapes.parse_both(from, to, failure)) return false;
  xlashape_error err = {};
  err.struct_size = sizeof err;
  int64_t needed = 0;
  auto status = xlashape_plan_key(shapes.from.get(), shapes.to.get(), nullptr, nullptr, 0, &needed, &err);
  if (status == XLASHAPE_STATUS_OK) {
    key->resize(static_cast<size_t>(needed));
    status = xlashape_plan_key(shapes.from.get(), shapes.to.get(), nullptr, key->data(), needed, &needed, &err);
  }
  if (status != XLASHAPE_STATUS_OK) return refused(from, to, status, err, failure);
  key->pop_back();  // the NUL
  return true;
}

std::shared_ptr<const Relayout> Relayout::make(std::string_view from, std::string_view to, std::string key,
                                               Failure* failure) {
  Shapes shapes;
  auto made = std::make_shared<Relayout>();
  if (!shapes.parse_both(from, to, failure)) return nullptr;
  made->key_ = std::move(key);
  xlashape_plan* plan = nullptr;
  xlashape_error err = {};
  err.struct_size = sizeof err;
  auto status = xlashape_plan_create(nullptr, shapes.from.get(), shapes.to.get(), nullptr, &plan, &err);
  made->plan_.reset(plan);
  if (status == XLASHAPE_STATUS_OK) status = side_of(shapes.from.get(), &made->from_, &err);
  if (status == XLASHAPE_STATUS_OK) status = side_of(shapes.to.get(), &made->to_, &err);
  if (status == XLASHAPE_STATUS_OK) return made;
  refused(from, to, status, err, failure);
  return nullptr;
}

bool Relayout::fits(const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to, int64_t* count, Failure* failure) const {
  *count = from_.count_of(from);
  if (*count < 0 || *count != to_.count_of(to))
    return failure->set(
        XLA_FFI_Error_Code_INVALID_ARGUMENT,
        "xlashape_relayout: %.400s takes one array of %lld elements or a batch of them, and gives as many of "
        "%lld, not %.150s -> %.150s",
        key_.c_str(), static_cast<long long>(from_.storage_elements), static_cast<long long>(to_.storage_elements),
        text_of(from).c_str(), text_of(to).c_str());
  if (*count > 1 && (from_.ends_inside || to_.ends_inside))
    return failure->set(XLA_FFI_Error_Code_UNIMPLEMENTED,
                        "xlashape_relayout: %.600s: a batch of %lld arrays that do not end on a byte", key_.c_str(),
                        static_cast<long long>(*count));
  return true;
}

bool Relayout::run(const XLA_FFI_CallFrame& frame, const XLA_FFI_Buffer& from, const XLA_FFI_Buffer& to,
                   Failure* failure) const {
  int64_t count = 0;
  if (!fits(from, to, &count, failure)) return false;
  if (count == 0 || to_.bytes == 0) return true;
  const auto src = reinterpret_cast<uintptr_t>(from.data), dst = reinterpret_cast<uintptr_t>(to.data);
  if (src < dst + static_cast<uintptr_t>(to_.bytes * count) && dst < src + static_cast<uintptr_t>(from_.bytes * count))
    return failure->set(XLA_FFI_Error_Code_INVALID_ARGUMENT,
                        "xlashape_relayout: %.600s: argument and result share memory; a relayout is not done in place",
                        key_.c_str());
  return move(frame, count, from.data, to.data, failure);
}

bool Relayout::move(const XLA_FFI_CallFrame& frame, int64_t count, const void* from, void* to, Failure* failure) const {
  const int64_t from_step = from_.bytes, to_step = to_.bytes;
  xlashape_error err = {};
  err.struct_size = sizeof err;
  xlashape_status status = XLASHAPE_STATUS_OK;
  const int64_t larger = std::max(from_step, to_step);
  const Arrays arrays = {plan_.get(), count, static_cast<const char*>(from), from_step, static_cast<char*>(to), to_step};
  if (larger >= kManyBytes || larger * count >= kManyBytes) {
    Pool pool(frame);
    if (pool.workers() > 1 && larger >= kManyBytes) {
      const xlashape_executor executor = pool.executor();
      xlashape_exec exec = {};
      exec.struct_size = sizeof exec;
      exec.executor = &executor;
      for (int64_t i = 0; i < count && status == XLASHAPE_STATUS_OK; ++i) {
        exec.src = reinterpret_cast<uintptr_t>(from) + static_cast<uintptr_t>(i * from_step);
        exec.dst = reinterpret_cast<uintptr_t>(to) + static_cast<uintptr_t>(i * to_step);
        status = xlashape_plan_execute_ex(plan_.get(), &exec, &err);
      }
    } else if (pool.workers() > 1) {
      // Several for each thread: those that begin late find little left.
      const int64_t parts = std::clamp<int64_t>(larger * count / kPartBytes, 1, 8 * int64_t{pool.workers()});
      Parts all = {arrays, std::min(parts, count)};
      pool.parallel_for(all.parts, &all, Parts::run);
      status = all.status;
      err = all.err;
    } else {
      status = arrays.execute(0, count, &err);
    }
  } else {
    status = arrays.execute(0, count, &err);
  }
  if (status == XLASHAPE_STATUS_OK) return true;
  return failure->set(code_of(status), "xlashape_relayout: %.400s: %s", key_.c_str(), err.message);
}

}  // namespace xlashape_jax
