/* SPDX-License-Identifier: Apache-2.0 */
// A program's signature: parameters with names, and a result (xla::ProgramShape).
#pragma once
#include <string>
#include <vector>

#include "shape/shape.h"
#include "xlashape_xla.h"

// The C handle is the C++ type; immutable once made.
struct xlashape_program_shape final : xlashape::core::RefCounted {
  std::vector<xlashape::core::Ref<xlashape_shape>> parameters;
  std::vector<std::string> names;  // one per parameter, "" for none
  xlashape::core::Ref<xlashape_shape> result;

  static void destroy(xlashape_program_shape* program) noexcept { delete program; }
};

namespace xlashape::core {

using ProgramShape = ::xlashape_program_shape;

inline bool equal(const ProgramShape& a, const ProgramShape& b, uint32_t mask) {
  if (a.names != b.names || !equal(*a.result, *b.result, mask)) return false;
  for (size_t i = 0; i < a.parameters.size(); ++i)
    if (!equal(*a.parameters[i], *b.parameters[i], mask)) return false;
  return true;
}

}  // namespace xlashape::core
