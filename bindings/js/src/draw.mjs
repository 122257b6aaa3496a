// Pictures of layouts.
import * as abi from "./abi.mjs";
import { invalid } from "./errors.mjs";
import { call, chosen, text_in } from "./memory.mjs";
import { c } from "./module.mjs";

const kFormats = { text: abi.DRAW_TEXT, svg: abi.DRAW_SVG, html: abi.DRAW_HTML };
const kShow = { position: abi.DRAW_POSITION, index: abi.DRAW_INDEX, byte: abi.DRAW_BYTE, tile: abi.DRAW_TILE, lane: abi.DRAW_LANE,
  nothing: abi.DRAW_NOTHING };
const kColorBy = { position: abi.DRAW_BY_POSITION, tile: abi.DRAW_BY_TILE };

function draw_with(handles, { format = "text", show = "position", colorBy = "position", zoom = 0, columns = 0, maxCells = 0,
  overlayBytes = 0, at, color = false, ascii = false, data = false } = {}) {
  const by_dimension = typeof colorBy === "number" || typeof colorBy === "bigint";
  if (at !== undefined && !Array.isArray(at)) throw invalid("at is no list");
  const places = at === undefined ? undefined : Array.from(at);
  return call((frame) => {
    const options = frame.struct(abi.draw_options, {
      format: chosen(kFormats, format, "format"),
      show: chosen(kShow, show, "show"),
      color_by: by_dimension ? abi.DRAW_BY_DIMENSION : chosen(kColorBy, colorBy, "colorBy"),
      flags: (color ? abi.DRAW_COLOR : 0) | (ascii ? abi.DRAW_ASCII : 0) | (data ? abi.DRAW_DATA : 0),
      color_dimension: by_dimension ? colorBy : 0,
      zoom, columns, max_cells: maxCells, overlay_bytes: overlayBytes,
      at: places === undefined ? 0 : frame.list(places, "at"),
      at_count: places?.length ?? 0,
    });
    const [shape, other] = handles();
    return text_in(frame, (...out) => c.xlashape_shape_draw(shape, other, options, ...out));
  });
}

/**
 * `handles` gives the shape's and the other one's, which is 0 where there is none: called when all options are read, since
 * to read them may run code of the caller, which could dispose the shapes.
 */
export function draw(handles, options) {
  if (options !== undefined && options !== null && typeof options !== "object") throw invalid("the options are no object");
  return draw_with(handles, options ?? {});
}
