/* SPDX-License-Identifier: Apache-2.0 */
// Whether a file can be written, asked before anything is moved.
#pragma once
#include <cstdint>
#include <string>

namespace xlashape::cli {

// Throws where the file at `path` is protected, or its disk has no room for `bytes`. People are told of a result that
// is large, and much larger than the `read` bytes that it is made of.
void require_destination(const std::string& path, int64_t bytes, int64_t read);

}  // namespace xlashape::cli
