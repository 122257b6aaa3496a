// SPDX-License-Identifier: Apache-2.0
#include "file_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/output/output.h"
#include "cli/output/wrap.h"

namespace xlashape::cli {
namespace {

// Of a column; longer texts break their own line alone.
constexpr size_t kWidest = 64;

int64_t bytes_of(const Contents& contents) {
  int64_t bytes = 0;
  for (const Content& array : contents.arrays) bytes = sum(bytes, array.bytes);
  return bytes;
}

// Characters of a text that is safe.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

struct Row {
  std::string name, shape, bytes, exact, note;
};

Row row_of(const std::string& name, const std::string& shape, int64_t bytes, const std::string& note) {
  return {safe(name), safe(shape), human_size(bytes), grouped(bytes), safe(note)};
}

// A member's name and below it what it is, where the terminal has no room for columns.
void print_narrow(const Paint& paint, const std::vector<Row>& rows, size_t width) {
  for (const Row& row : rows) {
    const bool last = &row == &rows.back();
    for (const std::string& line : wrapped(row.name, width - std::min<size_t>(width, 2)))
      say("  {}\n", last ? paint.label(Text::made(line)) : Text::made(line));
    const size_t room = width - std::min<size_t>(width, 4);
    const std::string words = row.shape + (row.shape.empty() ? "" : "  ") + row.bytes + "  " + row.exact;
    for (const std::string& line : wrapped(words, room)) say("    {}\n", Text::made(line));
    if (row.note.empty()) continue;
    for (const std::string& line : wrapped(row.note, room)) say("    {}\n", paint.faint(Text::made(line)));
  }
}

}  // namespace

void print_table(const Paint& paint, const Contents& contents) {
  std::vector<Row> rows;
  for (const Content& array : contents.arrays)
    rows.push_back(row_of(array.name, array.shape ? array.shape.to_string() : "-", array.bytes,
                          !array.shape                 ? array.why
                          : !array.items.descr.empty() ? note_of(array.items, array.shape)
                                                       : ""));
  rows.push_back(row_of("total", "", bytes_of(contents), ""));
  size_t name = 0, shape = 0, bytes = 0, exact = 0;
  for (const Row& row : rows) {
    name = std::max(name, width_of(row.name));
    shape = std::max(shape, width_of(row.shape));
    bytes = std::max(bytes, row.bytes.size());
    exact = std::max(exact, row.exact.size());
  }
  name = std::min(name, kWidest);
  shape = std::min(shape, kWidest);
  say("{}\n",
      paint.title(text("{}: {}", contents.path, counted(static_cast<int64_t>(contents.arrays.size()), "member"))));
  const std::optional<size_t> width = output_width();
  if (width && name + shape + bytes + exact + 8 > *width) return print_narrow(paint, rows, *width);
  for (const Row& row : rows) {
    const bool last = &row == &rows.back();
    const Text first = Text::made(padded(row.name, name));
    say("  {}  {}  {:>{}}  {:>{}}{}\n", last ? paint.label(first) : first, Text::made(padded(row.shape, shape)),
        row.bytes, bytes, row.exact, exact, row.note.empty() ? Text() : paint.faint(Text::made("  " + row.note)));
  }
}

Json table_json(const Contents& contents) {
  Json members = Json::array();
  for (const Content& array : contents.arrays)
    members.add({{"name", array.name},
                 {"shape", array.shape ? Json(array.shape.to_string()) : Json()},
                 {"bytes", array.bytes},
                 {"dtype", array.items.descr.empty() ? Json() : Json(array.items.descr)},
                 {"why", array.why.empty() ? Json() : Json(array.why)}});
  return {{"file", contents.path}, {"kind", contents.kind}, {"members", members}, {"bytes", bytes_of(contents)}};
}

}  // namespace xlashape::cli
