/* SPDX-License-Identifier: Apache-2.0 */
// What people and logs write before each line of a text that they pass on.
#pragma once
#include <string_view>

namespace xlashape::cli {

// The line without such a prefix: "> ", "I0000 00:00:1700000000.123456 1234 file.cc:76] ",
// "2020-05-04 09:05:40.721128: E 1578 xla_util.cc:76] ", "[rank0]: ".
std::string_view without_prefix(std::string_view line);

}  // namespace xlashape::cli
