// Entry point: pictures.
#include "draw/draw.h"

#include "api/answer.h"
#include "base/struct_io.h"
#include "xlashape_util.h"

using namespace xlashape::core;

namespace {

Status read_options(const xlashape_draw_options* in, draw::Options* options, Error* err) {
  if (in == nullptr) return XLASHAPE_STATUS_OK;
  xlashape_draw_options given;
  XLASHAPE_TRY(read_struct(in, &given, "options", err));
  XLASHAPE_TRY(check_flags(given.flags, XLASHAPE_DRAW_COLOR | XLASHAPE_DRAW_ASCII | XLASHAPE_DRAW_DATA, err));
  XLASHAPE_TRY(check_list(given.at, given.at_count, "options.at", "options.at_count", err));
  options->format = given.format;
  options->show = given.show;
  options->color_by = given.color_by;
  options->flags = given.flags;
  options->color_dimension = given.color_dimension;
  options->zoom = given.zoom;
  if (given.columns != 0) options->columns = given.columns;
  options->max_cells = given.max_cells;
  options->overlay_bytes = given.overlay_bytes;
  options->at.assign(given.at, given.at + given.at_count);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

extern "C" {

xlashape_status xlashape_shape_draw(const xlashape_shape* shape, const xlashape_shape* other,
                                    const xlashape_draw_options* options, char* text, int64_t capacity, int64_t* needed,
                                    xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
    draw::Options read;
    XLASHAPE_TRY(read_options(options, &read, err));
    std::string picture;
    XLASHAPE_TRY(draw_shape(*shape, other, read, &picture, err));
    return answer_text(picture, text, capacity, needed, err);
  });
}

}  // extern "C"
