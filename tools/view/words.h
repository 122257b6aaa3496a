/* SPDX-License-Identifier: Apache-2.0 */
// Pieces of texts.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace xlashape::view {

std::string cat(std::initializer_list<std::string_view> parts);
std::string decimal(int64_t number);                    // 1048576
std::string grouped(int64_t number);                    // 1,048,576
std::string counted(int64_t number, const char* noun);  // "1 row", "2 rows"

}  // namespace xlashape::view
