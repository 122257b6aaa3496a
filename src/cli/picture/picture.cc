#include "picture.h"

#include "cli/base/dimension.h"
#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/files/image.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "memory_picture.h"

namespace xlashape::cli {
namespace {

// Pixels have their channels in the last dimension: three or four channels get a colour each.
std::optional<int64_t> tint_dimension(const std::string& name, const Shape& shape) {
  const Integers dimensions = shape.dimensions();
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (name == "none") return std::nullopt;
  if (name != "auto") return dimension_named(rank, name);
  const bool bytes = shape.element_type() == ElementType::kU8;
  if (bytes && rank >= 3 && (dimensions.back() == 3 || dimensions.back() == 4)) return rank - 1;
  return std::nullopt;
}

}  // namespace

int run_picture(const PictureOptions& options, const Common& common) {
  if (is_same_file(options.in, options.out))
    fail_usage("OUT is IN, {}: a picture in its place would be the end of the array", options.in);
  const std::string format = promised_format(options.out);
  if (!format.empty() && format != "png") fail_usage("OUT {}: a picture is a PNG: name it .png", options.out);
  const Array array = read_array(options.in, options.reading);
  DrawOptions draw = options.draw;
  draw.tint = tint_dimension(options.tint, array.shape);
  const Picture drawn = draw_memory(array, draw);
  const std::vector<uint8_t> png = make_png(drawn.height, drawn.width, 3, 8, drawn.pixels, options.out);
  const Bytes part = png;
  write_plain(options.out, {&part, 1});
  if (common.json) {
    const Json json = {{"in", options.in},
                       {"shape", array.shape.to_string()},
                       {"out", options.out},
                       {"width", drawn.width},
                       {"height", drawn.height},
                       {"bytes", array.bytes.size()},
                       {"shown_bytes", drawn.shown_bytes},
                       {"padding_bytes", drawn.padding_bytes},
                       {"bytes_per_line", drawn.bytes_per_line},
                       {"columns", drawn.columns},
                       {"scale", drawn.scale}};
    say_json(json);
    return kDone;
  }
  say("{}: {}, {} a line {}in {}, {} of padding, {} x {} pixels\n", options.out, array.shape.to_string(),
      counted(drawn.bytes_per_line, "byte"), drawn.tiled ? "of a tile, " : "", counted(drawn.columns, "column"),
      human_bytes(static_cast<double>(drawn.padding_bytes)), drawn.width, drawn.height);
  if (drawn.shown_bytes < array.bytes.size())
    say("the first {} of {} are drawn\n", human_bytes(static_cast<double>(drawn.shown_bytes)),
        human_bytes(static_cast<double>(array.bytes.size())));
  return kDone;
}

}  // namespace xlashape::cli
