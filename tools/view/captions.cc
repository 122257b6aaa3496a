// SPDX-License-Identifier: Apache-2.0
#include "captions.h"

#include <algorithm>

namespace xlashape::view {
namespace {

constexpr int64_t kMostSteps = 1 << 17;  // of a walk through memory or along a dimension: some milliseconds

std::string percent(int64_t part, int64_t whole) {
  const auto tenths = static_cast<int64_t>(static_cast<double>(part) / static_cast<double>(whole) * 1000 + 0.5);
  if (tenths == 0 && part > 0) return "less than 0.1 %";
  if (tenths == 1000 && part < whole) return "more than 99.9 %";
  return decimal(tenths / 10) + "." + decimal(tenths % 10) + " %";
}

// "0-7, 120-127", of an axis' indices.
std::string spans_text(const Grid& grid, const Axis& axis) {
  const int64_t extent = grid.storage->extent(axis.dimension);
  std::string text;
  for (const Span& span : axis.spans) {
    const int64_t unit = (span.end - 1) * axis.step;
    const int64_t last = unit + std::min(axis.step - 1, std::max<int64_t>(extent - 1 - unit, 0));
    text += cat({text.empty() ? "" : ", ", grouped(span.begin * axis.step)});
    if (last > span.begin * axis.step) text += "-" + grouped(last);
  }
  return text;
}

std::string axis_text(const Grid& grid, const Axis& axis, const char* noun) {
  const int64_t dimension = axis.dimension;
  std::string text = cat({noun, " are dimension ", decimal(dimension), ", size ",
                          grid.storage->array().dynamic_dimensions()[static_cast<size_t>(dimension)] != 0 ? "<=" : "",
                          grouped(grid.storage->size(dimension))});
  if (grid.storage->extent(dimension) > grid.storage->size(dimension))
    text += " stored as " + grouped(grid.storage->extent(dimension));
  return text;
}

std::string shown_of(const Grid& grid, const Axis& axis) {
  return axis.shown() < axis.extent ? "; shown: " + spans_text(grid, axis) : "";
}

// Which dimensions run down and across, and how much of them is shown.
std::vector<std::string> axis_captions(const Grid& grid) {
  if (grid.is_folded()) return {axis_text(grid, grid.columns, "the cells") + shown_of(grid, grid.rows)};
  std::vector<std::string> lines;
  if (grid.rows.dimension >= 0) lines.push_back(axis_text(grid, grid.rows, "rows") + shown_of(grid, grid.rows));
  if (grid.columns.dimension >= 0)
    lines.push_back(axis_text(grid, grid.columns, "columns") + shown_of(grid, grid.columns));
  return lines;
}

// How many blocks of memory the elements along a dimension touch, from index 0 on.
std::string touched(const Grid& grid, const Plane& plane, int64_t dimension, const char* noun, int64_t block) {
  const Storage& storage = *grid.storage;
  std::vector<int64_t> index = plane.index;
  const int64_t size = storage.size(dimension), steps = std::min(size, kMostSteps);
  std::vector<int64_t> blocks;
  for (int64_t i = 0; i < steps; ++i) {
    index[static_cast<size_t>(dimension)] = i;
    blocks.push_back(storage.place(storage.position(index)).byte / block);
  }
  // Tiles that do not nest come back to a block.
  std::sort(blocks.begin(), blocks.end());
  const auto count = std::unique(blocks.begin(), blocks.end()) - blocks.begin();
  return cat({noun, " touches ", counted(count, "block"),
              steps < size ? cat({" with its first ", grouped(steps), " elements"}) : ""});
}

std::string touched_blocks(const Grid& grid, const Options& options) {
  const Plane& plane = grid.planes[0];
  if (grid.columns.dimension < 0) return "the element touches 1 block";
  const bool is_line = grid.rows.dimension < 0 || grid.is_folded();
  std::string text =
      touched(grid, plane, grid.columns.dimension, is_line ? "the array" : "the first row", options.overlay_bytes);
  if (!is_line) text += ", " + touched(grid, plane, grid.rows.dimension, "the first column", options.overlay_bytes);
  return text;
}

}  // namespace

std::string plane_text(const Grid& grid, const Plane& plane) {
  const int64_t rank = grid.storage->rank();
  if (rank < 3 && grid.rows.dimension >= 0 && grid.columns.dimension >= 0) return "";
  if (grid.is_folded() && rank == 1) return "";
  if (rank < 2) return "";
  std::string text = "[";
  for (int64_t d = 0; d < rank; ++d) {
    if (d > 0) text += ',';
    const bool drawn = d == grid.rows.dimension || d == grid.columns.dimension;
    text += drawn ? ":" : decimal(plane.index[static_cast<size_t>(d)]);
  }
  return text + "]";
}

std::string gap_text(const Axis& axis, const std::vector<int64_t>& units, size_t after, const char* noun, size_t most) {
  const int64_t first = (units[after - 1] + 1) * axis.step, last = units[after] * axis.step - 1;
  const std::string range = cat({grouped(first), first < last ? "-" + grouped(last) : ""});
  for (const std::string& text : {cat({noun, range, " not shown"}), cat({range, " not shown"}), range})
    if (text.size() <= most) return text;
  return "\u22EF";
}

std::vector<std::string> size_captions(const Storage& storage) {
  const xlashape_sizes& sizes = storage.sizes();
  std::vector<std::string> lines;
  std::string text = cat({counted(sizes.elements, "element"), " of ", counted(sizes.element_bits, "bit"), " in ",
                          counted(sizes.bytes, "byte")});
  const int64_t padding = sizes.storage_elements - sizes.elements;
  if (padding == 0) {
    text += ", no padding";
  } else {
    text += cat({", ", counted(padding, "position"), " of padding (", percent(padding, sizes.storage_elements), ")"});
  }
  lines.push_back(text);
  if (storage.padding_elsewhere() > 0 && sizes.elements > 0) {
    const auto not_drawn = [&](int64_t positions, const char* where) {
      if (positions > 0) lines.push_back(cat({"not drawn: ", counted(positions, "position"), " of padding ", where}));
    };
    not_drawn(sizes.tail_padding, "at the end of the memory");
    not_drawn(storage.padding_elsewhere() - sizes.tail_padding,
              "inside tiles, where inner tiles or merged dimensions do not come out even");
  }
  if (storage.metadata_bytes() > 0)
    lines.push_back(cat({counted(storage.metadata_bytes(), "byte"), " in front of it are not counted"}));
  if (storage.levels() > 0) {
    text.clear();
    for (int64_t level = 0; level < storage.levels(); ++level)
      text += cat({text.empty() ? "tiles of " : ", in them tiles of ", grouped(storage.tile_positions(level))});
    lines.push_back(text + " positions");
  }
  return lines;
}

std::vector<std::string> shown_captions(const Scene& scene, const Options& options) {
  const Grid& grid = scene.grid;
  if (grid.storage->sizes().elements == 0) return {"there is nothing to draw: the array has no elements"};
  std::vector<std::string> lines = axis_captions(grid);
  if (scene.other_storage) {
    const std::vector<std::string> others = axis_captions(scene.other);
    if (others != lines) {
      for (std::string& line : lines) line.insert(0, "of the first, ");
      for (const std::string& line : others) lines.push_back("of the second, " + line);
    }
  }
  if (static_cast<int64_t>(grid.planes.size()) < grid.plane_count)
    lines.push_back(
        cat({grouped(static_cast<int64_t>(grid.planes.size())), " of ", counted(grid.plane_count, "plane"), " shown"}));
  if (grid.level >= 0)
    lines.push_back(cat({"each cell is a tile of ", counted(grid.storage->tile_positions(grid.level), "position")}));
  static constexpr const char* kNumbers[] = {
      "position in memory", "index", "byte in memory", "outermost tile", "sublane.lane of a TPU's register", nullptr};
  if (const char* number = kNumbers[options.show]) {
    const bool tiles = options.show == XLASHAPE_DRAW_POSITION && grid.level >= 0;
    if (options.show == XLASHAPE_DRAW_BYTE && grid.storage->bits() % 8 != 0) number = "byte.bit in memory";
    lines.push_back(cat({"numbers: ", tiles ? "the tile's place in memory, counted in such tiles" : number}));
  }
  return lines;
}

std::vector<std::string> overlay_captions(const Scene& scene, const Options& options) {
  if (options.overlay_bytes == 0 || scene.grid.planes.empty()) return {};
  const std::string blocks = cat({"blocks of ", counted(options.overlay_bytes, "byte")});
  if (!scene.other_storage) return {cat({blocks, ": ", touched_blocks(scene.grid, options)})};
  return {cat({blocks, " of the first: ", touched_blocks(scene.grid, options)}),
          cat({blocks, " of the second: ", touched_blocks(scene.other, options)})};
}

std::vector<std::string> relayout_captions(const Scene& scene) {
  const Storage &from = scene.storage, &to = *scene.other_storage;
  if (from.sizes().elements == 0) return {};
  const int64_t steps = std::min(from.sizes().storage_elements, kMostSteps);
  int64_t elements = 0, runs = 0, longest = 0, run = 0, same = 0, last = -1, last_to = -1;
  std::vector<int64_t> index;
  for (int64_t at = 0; at < steps; ++at) {
    if (!from.index_at(at, &index)) continue;
    const int64_t there = to.position(index);
    const bool goes_on = last >= 0 && at == last + 1 && there == last_to + 1;
    run = goes_on ? run + 1 : 1;
    runs += goes_on ? 0 : 1;
    longest = std::max(longest, run);
    const Place a = from.place(at), b = to.place(there);
    same += a.byte == b.byte && a.bit == b.bit;
    ++elements;
    last = at, last_to = there;
  }
  const bool all = steps == from.sizes().storage_elements;
  const std::string of = all ? "" : cat({" (of the first ", grouped(steps), " positions)"});
  std::vector<std::string> lines;
  if (all && same == elements) {
    lines.emplace_back("no element moves: each is at the same byte in both");
  } else {
    lines.push_back(cat({grouped(same), " of ", counted(elements, "element"), same == 1 ? " is" : " are",
                         " at the same byte in both", of}));
    if (longest == 1) {
      lines.push_back(cat({"no two elements are neighbours in both", of}));
    } else {
      lines.push_back(cat({"elements that are neighbours in both: ", counted(runs, "run"), ", the longest of ",
                           counted(longest, "element"), of}));
    }
  }
  if (from.array().element_type() != to.array().element_type()) {
    lines.emplace_back("the element types differ: no relayout");
    return lines;
  }
  lines.push_back(
      cat({"a relayout reads ", counted(from.sizes().bytes, "byte"), " and writes ", grouped(to.sizes().bytes)}));
  return lines;
}

}  // namespace xlashape::view
