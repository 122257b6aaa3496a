// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>
#include <xlashape/draw.hpp>
#include <xlashape/interop.hpp>
#include <xlashape/target.hpp>

#include "cli/base/array.h"
#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/base/subcommands.h"
#include "cli/files/array_file.h"
#include "cli/files/texts.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

using xlashape::DrawOptions;

template <class Value, size_t N>
Value named(const std::array<std::pair<const char*, Value>, N>& names, const std::string& name) {
  for (const auto& [known, value] : names)
    if (name == known) return value;
  fail_usage("\"{}\" is not known", name);  // the command line checks it before
}

constexpr std::array<std::pair<const char*, DrawOptions::Show>, 6> kShow = {{
    {"position", DrawOptions::Show::kPosition},
    {"index", DrawOptions::Show::kIndex},
    {"byte", DrawOptions::Show::kByte},
    {"tile", DrawOptions::Show::kTile},
    {"lane", DrawOptions::Show::kLane},
    {"nothing", DrawOptions::Show::kNothing},
}};
constexpr std::array<std::pair<const char*, DrawOptions::Format>, 3> kFormats = {{
    {"text", DrawOptions::Format::kText},
    {"svg", DrawOptions::Format::kSvg},
    {"html", DrawOptions::Format::kHtml},
}};

DrawOptions::Format format_of(const DrawShapesOptions& options) {
  const std::string out = options.out.value_or("");
  std::string promised = promised_format(out);
  if (promised == "txt" || promised == "md") promised = "text";
  if (promised == "htm") promised = "html";
  if (promised.empty()) promised = options.as.empty() ? "text" : options.as;
  if (!options.as.empty() && options.as != promised)
    fail_usage("-o {}: its name promises another format than --as {}", out, options.as);
  for (const auto& [known, format] : kFormats)
    if (promised == known) return format;
  fail_usage("-o {}: a picture is .svg, .html or .txt; --as chooses for names that promise no format", out);
}

// "0=3,x=1": an index for some of the dimensions.
void take_index(std::string_view text, int64_t rank, std::vector<int64_t>* at) {
  at->resize(static_cast<size_t>(rank), -1);
  for (const std::string_view part : between_commas(text)) {
    const size_t equals = part.find('=');
    const std::optional<int64_t> value =
        equals == std::string_view::npos ? std::nullopt : number(part.substr(equals + 1));
    if (!value) fail_usage("--at: \"{}\" is not DIM=I, like 0=3 or x=3", part);
    const auto dimension = static_cast<size_t>(dimension_named(rank, part.substr(0, equals)));
    if ((*at)[dimension] >= 0)
      fail_usage("--at: dimension {} is given twice", dimension_name(rank, static_cast<int64_t>(dimension)));
    if (*value < 0) fail_usage("--at: {} is no index", *value);
    (*at)[dimension] = *value;
  }
}

int64_t overlay_bytes(const std::string& name) {
  if (name.empty()) return 0;
  if (name == "line") return 64;
  if (name == "page") return 4096;
  if (name == "sublane") return 512;
  if (name == "register") return 4096;
  const std::optional<int64_t> bytes = number(name);
  if (!bytes || *bytes < 1)
    fail_usage("--overlay: \"{}\" is not a number of bytes, line, page, sublane or register", name);
  return *bytes;
}

Shape shape_of(const std::string& text, std::optional<Target> target) {
  const Shape shape = parse_shape(text, target ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : 0);
  return target && is_array(shape) && !shape.has_layout() ? for_target(shape, *target) : shape;
}

DrawOptions draw_options(const DrawShapesOptions& options, const Shape& shape, const Common& common) {
  DrawOptions draw;
  draw.format = format_of(options);
  draw.show = named(kShow, options.show);
  const int64_t rank = is_array(shape) ? shape.rank() : 0;
  if (options.color_by == "tile") {
    draw.color_by = DrawOptions::ColorBy::kTile;
  } else if (options.color_by != "position") {
    draw.color_by = DrawOptions::ColorBy::kDimension;
    draw.color_dimension = static_cast<int32_t>(dimension_named(rank, options.color_by));
  }
  draw.zoom = options.zoom;
  draw.max_cells = options.max_cells;
  draw.overlay_bytes = overlay_bytes(options.overlay);
  for (const std::string& text : options.at) take_index(text, rank, &draw.at);
  if (draw.format == DrawOptions::Format::kText) {
    const auto terminal = static_cast<int64_t>(output_width().value_or(100));
    draw.columns = options.width != 0 ? options.width : static_cast<int32_t>(std::clamp<int64_t>(terminal, 20, 400));
    if (!options.out && !common.json && Paint(common).is_on()) draw.flags |= XLASHAPE_DRAW_COLOR;
    if (options.ascii) draw.flags |= XLASHAPE_DRAW_ASCII;
  }
  return draw;
}

}  // namespace

int run_draw(const DrawShapesOptions& options, const Common& common) {
  if (options.out && options.out->empty()) fail_usage("-o: the file's name is empty");
  if (options.out == "-" && common.json) fail_usage("-o - and --json both want standard output");
  if (options.texts.size() > 2) fail_usage("draw takes one shape, or two to compare, not {}", options.texts.size());
  const std::optional<Target> target = target_option(options.target);
  std::vector<Shape> shapes;
  for (const std::string& text : options.texts) {
    try {
      // The second may be a layout alone, in any words.
      const bool layout_alone =
          !shapes.empty() && is_array(shapes[0]) && !Shape::try_parse(text) && !try_read_shape(text);
      shapes.push_back(
          as_failures([&] { return layout_alone ? with_words(shapes[0], text).destination : shape_of(text, target); }));
    } catch (const Failure& failure) {
      if (common.json) say_json({{"error", error_json(failure)}});
      complain(text, failure);
      return failure.exit;
    }
  }
  const Shape& shape = shapes[0];
  const bool two = shapes.size() == 2;
  const DrawOptions draw = draw_options(options, shape, common);
  const std::string picture =
      as_failures([&] { return two ? xlashape::draw(shape, shapes[1], draw) : xlashape::draw(shape, draw); });
  if (options.out) {
    const Bytes part = {reinterpret_cast<const uint8_t*>(picture.data()), picture.size()};
    write_plain(options.out == "-" ? "/dev/stdout" : *options.out, {&part, 1});
  }
  if (common.json) {
    Json json = {{"shape", shape.to_string()},
                 {"other", two ? Json(shapes[1].to_string()) : Json()},
                 {"format", kFormats[static_cast<size_t>(draw.format)].first},
                 {"out", options.out ? Json(*options.out) : Json()},
                 {"picture", options.out ? Json() : Json(picture)}};
    say_json(json);
  } else if (!options.out) {
    put_out(Text::made(picture));  // made by the library, which writes no text of the caller's but the shapes
  } else if (options.out != "-") {
    say("{}: {}, {}\n", *options.out, shape.to_string(), human_size(static_cast<int64_t>(picture.size())));
  }
  return kDone;
}

}  // namespace xlashape::cli
