/* SPDX-License-Identifier: Apache-2.0 */
// Layouts as people write them on the command line: --to, --from, --transpose.
#pragma once
#include <string>
#include <xlashape/interop.hpp>

#include "items.h"

namespace xlashape::cli {

// The array as `words` have it, which `option` gives: the shape that its elements are moved to, maybe of another
// element type, and the same memory with its dimensions in the order of the words. What `items` are moved as has one
// more dimension than words speak of.
Arranged arranged(const Shape& shape, const std::string& words, const Items& items, const char* option);

// The array in a layout; a Failure for words that permute its dimensions or say another element type.
Shape laid_out(const Shape& shape, const std::string& words, const Items& items, const char* option);

}  // namespace xlashape::cli
