/* SPDX-License-Identifier: Apache-2.0 */
// What a manifest says about vendor routines: the tables [role.NAME]. docs/bound.md describes the format.
#pragma once
#include <string>
#include <vector>

#include "xlashape_backend.h"

namespace xlashape::bound {

enum class Role : uint8_t { kCopyLinear, kCopy2d, kTranspose2d };
const char* name_of(Role role);

// The values that a role passes to its routine, by the names that manifests use.
enum class ArgumentValue : uint8_t { kSrc, kDst, kBytes, kRowBytes, kRows, kColumns, kSrcPitch, kDstPitch, kConstant };
inline constexpr int kValues = static_cast<int>(ArgumentValue::kConstant);

enum class ArgumentType : uint8_t { kVoid, kI32, kU32, kI64, kU64, kSize, kF32, kF64, kPointer };

inline constexpr int kMaxArguments = 16;
inline constexpr int kMaxConstants = 2;  // at one pointer: the real and the imaginary part

struct RoutineArgument {
  ArgumentType type = ArgumentType::kVoid;
  bool by_reference = false;  // passed by a pointer to the value, as for Fortran and for complex scalars
  ArgumentValue value = ArgumentValue::kConstant;
  int constants = 0;
  int64_t integer[kMaxConstants] = {};
  double real[kMaxConstants] = {};
};

struct Description {
  Role role;
  std::string label;    // "transpose_2d.f32": its place in the manifest
  std::string library;  // "", a soname or a path, as passed to dlopen
  std::string symbol;
  std::vector<RoutineArgument> arguments;
  ArgumentType returns = ArgumentType::kVoid;
  bool has_ok = false;
  int64_t ok = 0;
  int32_t element_bits = 0;  // bits of an element; 0: any element, and all counts are bytes
  int64_t min_bytes = 64 << 10;
};

// Reads all roles of the manifest at `path`. Errors name line and column.
xlashape_status read_manifest(const char* path, std::vector<Description>* roles, xlashape_error* err);

}  // namespace xlashape::bound
