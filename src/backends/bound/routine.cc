// SPDX-License-Identifier: Apache-2.0
#include "backends/bound/routine.h"

#include <cstring>

#include "backends/common/entry.h"
#include "backends/common/system.h"

namespace xlashape::bound {
namespace {

using backends::fail;

ffi_type* ffi_type_of(ArgumentType type) {
  switch (type) {
    case ArgumentType::kVoid:
      return &ffi_type_void;
    case ArgumentType::kI32:
      return &ffi_type_sint32;
    case ArgumentType::kU32:
      return &ffi_type_uint32;
    case ArgumentType::kI64:
      return &ffi_type_sint64;
    case ArgumentType::kU64:
      return &ffi_type_uint64;
    case ArgumentType::kSize:
      return sizeof(size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32;
    case ArgumentType::kF32:
      return &ffi_type_float;
    case ArgumentType::kF64:
      return &ffi_type_double;
    case ArgumentType::kPointer:
      break;
  }
  return &ffi_type_pointer;
}

bool fits(ArgumentType type, int64_t value) {
  switch (type) {
    case ArgumentType::kI32:
      return value >= INT32_MIN && value <= INT32_MAX;
    case ArgumentType::kU32:
      return value >= 0 && value <= UINT32_MAX;
    case ArgumentType::kSize:
      return value >= 0 && static_cast<uint64_t>(value) <= SIZE_MAX;
    case ArgumentType::kU64:
      return value >= 0;
    default:
      return true;
  }
}

int64_t number(const RoutineCall& move, ArgumentValue value) {
  switch (value) {
    case ArgumentValue::kBytes:
      return move.bytes;
    case ArgumentValue::kRowBytes:
      return move.row_bytes;
    case ArgumentValue::kRows:
      return move.rows;
    case ArgumentValue::kColumns:
      return move.columns;
    case ArgumentValue::kSrcPitch:
      return move.src_pitch;
    case ArgumentValue::kDstPitch:
      return move.dst_pitch;
    default:
      return 0;
  }
}

// Storage of one argument during a call.
union ArgumentStorage {
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  size_t size;
  float f32;
  double f64;
  const void* pointer;
};

size_t put(ArgumentType type, int64_t integer, double real, void* to) {
  ArgumentStorage word;
  size_t size = sizeof(int64_t);
  switch (type) {
    case ArgumentType::kI32:
    case ArgumentType::kU32:
      word.u32 = static_cast<uint32_t>(integer);
      size = sizeof word.u32;
      break;
    case ArgumentType::kSize:
      word.size = static_cast<size_t>(integer);
      size = sizeof word.size;
      break;
    case ArgumentType::kF32:
      word.f32 = static_cast<float>(real);
      size = sizeof word.f32;
      break;
    case ArgumentType::kF64:
      word.f64 = real;
      break;
    default:
      word.i64 = integer;
  }
  std::memcpy(to, &word, size);
  return size;
}

}  // namespace

xlashape_status Routine::load(xlashape_error* err) {
  // As for every object that the library maps: it is never unloaded, and its symbols are visible to nothing else.
  const char* reason;
  void* handle = backends::open_library(description_.library.c_str(), &reason);
  if (handle == nullptr)
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "[role.%s]: %s", description_.label.c_str(), reason);
  function_ = reinterpret_cast<void (*)()>(backends::find_symbol(handle, description_.symbol.c_str()));
  if (function_ == nullptr)
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "[role.%s]: %s has no symbol %s", description_.label.c_str(),
                description_.library.c_str(), description_.symbol.c_str());
  unsigned count = 0;
  for (const RoutineArgument& argument : description_.arguments)
    types_[count++] = argument.by_reference ? &ffi_type_pointer : ffi_type_of(argument.type);
  if (ffi_prep_cif(&cif_, FFI_DEFAULT_ABI, count, ffi_type_of(description_.returns), types_) != FFI_OK)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "[role.%s]: libffi cannot make such a call",
                description_.label.c_str());
  return XLASHAPE_STATUS_OK;
}

bool Routine::takes(const RoutineCall& move) const {
  for (const RoutineArgument& argument : description_.arguments)
    if (argument.value != ArgumentValue::kConstant && !fits(argument.type, number(move, argument.value))) return false;
  return true;
}

xlashape_status Routine::call(const RoutineCall& move, xlashape_error* err) const {
  alignas(16) char storage[kMaxArguments][kMaxConstants * sizeof(ArgumentStorage)];
  const void* pointers[kMaxArguments];
  void* slots[kMaxArguments];
  size_t i = 0;
  for (const RoutineArgument& argument : description_.arguments) {
    char* at = storage[i];
    if (argument.type == ArgumentType::kPointer) {
      pointers[i] = argument.value == ArgumentValue::kSrc ? move.src : move.dst;
      slots[i] = &pointers[i];
    } else if (argument.value != ArgumentValue::kConstant) {
      put(argument.type, number(move, argument.value), 0, at);
      slots[i] = at;
    } else {
      char* next = at;
      for (int c = 0; c < argument.constants; ++c)
        next += put(argument.type, argument.integer[c], argument.real[c], next);
      slots[i] = at;
    }
    if (argument.by_reference) {
      pointers[i] = at;
      slots[i] = &pointers[i];
    }
    ++i;
  }
  union {
    ffi_arg narrow;
    int64_t wide;
    double real;
  } result{};
  ffi_call(const_cast<ffi_cif*>(&cif_), function_, &result, slots);
  if (!description_.has_ok) return XLASHAPE_STATUS_OK;
  const ArgumentType type = description_.returns;
  const int64_t returned = type == ArgumentType::kI32   ? static_cast<int32_t>(result.narrow)
                           : type == ArgumentType::kU32 ? static_cast<uint32_t>(result.narrow)
                                                        : result.wide;
  if (returned == description_.ok) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_DEVICE, "%s returned %lld", description_.symbol.c_str(),
              static_cast<long long>(returned));
}

}  // namespace xlashape::bound
