// Numbers as text.
#pragma once
#include <cstdint>
#include <string>

namespace xlashape::core::draw {

std::string decimal(int64_t number);  // 1048576; not inlined: it is called in many places
std::string grouped(int64_t number);  // 1,048,576

}  // namespace xlashape::core::draw
