/* SPDX-License-Identifier: Apache-2.0 */
// Integers for people: sizes, grouped digits, times, rates, ratios.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace xlashape::cli {

std::string human_size(int64_t bytes, int digits = 1);      // "300 B", "1.5 KiB", "128.0 MiB": powers of 1024
// "200M", "1.5GiB", "4096", in powers of 1024; "2GB", of 1000; none where it is no size.
std::optional<int64_t> size_from(std::string_view text);
std::string grouped(int64_t value);                         // "8,388,608"
std::string human_time(double seconds);                     // "1.25 ms"
std::string human_rate(double bytes_per_second);            // "12.3 GB/s": powers of 1000
std::string human_ratio(double ratio);                      // "1.00x"
std::string counted(int64_t count, std::string_view noun);  // "1 tile", "32 tiles"

// "1, 2, 3"
std::string joined(std::span<const int64_t> numbers, std::string_view between);
std::string joined(std::span<const std::string> words, std::string_view between);

}  // namespace xlashape::cli
