#include "picture.h"

#include <fmt/format.h>

#include "explain_json.h"
#include "human.h"
#include "image.h"
#include "memory_picture.h"

namespace xlashape::cli {
namespace {

struct Options {
  std::string in, out, tint = "auto";
  Reading reading;
  PictureOptions picture;
};

// Pixels have their channels in the last dimension: three or four of them are worth a colour each.
std::optional<int64_t> tint_dimension(const std::string& name, const Shape& shape) {
  const Numbers dimensions = dimensions_of(shape);
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (name == "none") return std::nullopt;
  if (name != "auto") return dimension_named(rank, name);
  const bool bytes = xlashape_shape_element_type(shape.get()) == XLASHAPE_U8;
  if (bytes && rank >= 3 && (dimensions.back() == 3 || dimensions.back() == 4)) return rank - 1;
  return std::nullopt;
}

int picture(Options options, const Common& common) {
  const Array array = read_array(options.in, options.reading);
  options.picture.tint = tint_dimension(options.tint, array.shape);
  const Picture drawn = draw_memory(array, options.picture);
  write_png(options.out, drawn.height, drawn.width, 3, 8, drawn.pixels);
  if (common.json) {
    const Json json = {{"in", options.in},
                       {"shape", text_of(array.shape)},
                       {"out", options.out},
                       {"width", drawn.width},
                       {"height", drawn.height},
                       {"bytes", array.bytes.size()},
                       {"shown_bytes", drawn.shown_bytes},
                       {"padding_bytes", drawn.padding_bytes},
                       {"bytes_per_line", drawn.bytes_per_line},
                       {"columns", drawn.columns},
                       {"scale", drawn.scale}};
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
    return kDone;
  }
  fmt::print("{}: {}, {} a line {}in {}, {} of padding, {} x {} pixels\n", options.out, text_of(array.shape),
             counted(drawn.bytes_per_line, "byte"), drawn.tiled ? "of a tile, " : "", counted(drawn.columns, "column"),
             human_bytes(static_cast<double>(drawn.padding_bytes)), drawn.width, drawn.height);
  if (drawn.shown_bytes < array.bytes.size())
    fmt::print("the first {} of {} are drawn\n", human_bytes(static_cast<double>(drawn.shown_bytes)),
               human_bytes(static_cast<double>(array.bytes.size())));
  return kDone;
}

}  // namespace

Run add_picture(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("picture", "Draw a file's memory as a PNG: one pixel a byte, padding hatched");
  auto options = std::make_shared<Options>();
  command->add_option("IN", options->in, "What relayout reads")->required();
  command->add_option("OUT", options->out, "The PNG to write")->required();
  const CLI::Range most(int64_t{1}, int64_t{1} << 20);
  command
      ->add_option("--width", options->picture.width,
                   "Bytes in a line (default: a tile's row, or the minor dimensions)")
      ->check(most)
      ->type_name("N");
  command->add_option("--columns", options->picture.columns, "Columns to set long memory in")
      ->check(most)
      ->type_name("N");
  command->add_option("--scale", options->picture.scale, "Pixels a byte, both ways")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
  command
      ->add_option("--tint", options->tint,
                   "Colour bytes by their index in this dimension (a number or a letter); "
                   "none; auto: the channels of u8 pixels")
      ->type_name("DIM");
  command->add_option("--from", options->reading.layout, "The layout IN's bytes have")->type_name("LAYOUT");
  command->add_option("--shape", options->reading.shape, "What IN's bytes are")->type_name("SHAPE");
  command->add_option("--dtype", options->reading.dtype, "Element type of the same width")->type_name("TYPE");
  add_common(*command, common);
  return [options, &common] { return picture(*options, common); };
}

}  // namespace xlashape::cli
