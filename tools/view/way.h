/* SPDX-License-Identifier: Apache-2.0 */
// The way of the memory through a picture: a line from each element to the next one, which passes behind the texts.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace xlashape::view {

struct Stop {
  int64_t position, x, y;
};

struct TextBox {
  int64_t left, top, right, bottom;
};

// The data of an SVG path: from stop to stop where positions follow each other. What lies below a text is left out,
// since a line of the text's colour would strike it through. Empty where there are fewer than two stops.
std::string way_path(std::vector<Stop> stops, const std::vector<TextBox>& texts);

}  // namespace xlashape::view
