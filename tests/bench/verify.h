/* SPDX-License-Identifier: Apache-2.0 */
// Is a relayout's result right? Element by element, by the index maps of both shapes.
#pragma once
#include <string>

#include "case.h"

namespace bench {

// "" where every position looked at holds what it should, else what does not: all positions of small arrays; the ends
// and a random sample of large ones. `padding`: positions without an element count too.
std::string mismatch(const Case& c, const char* src, const char* dst, bool padding);

}  // namespace bench
