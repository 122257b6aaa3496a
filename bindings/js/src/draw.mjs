// SPDX-License-Identifier: Apache-2.0
// Pictures of layouts.
import { invalid } from "./errors.mjs";
import { call, chosen, text_in } from "./memory.mjs";
import { c } from "./module.mjs";

// Of xlashape_draw.h.
const kFormats = { text: 0, svg: 1, html: 2 };
const kShow = { position: 0, index: 1, byte: 2, tile: 3, lane: 4, nothing: 5 };
const kColorBy = { position: 0, tile: 1 }, kByDimension = 2;
const kColor = 1, kAscii = 2, kData = 4;
const kOptions = { size: 64, fields: {
  struct_size: [0, "Uint32"], flags: [4, "Uint32"], format: [8, "Int32"], show: [12, "Int32"], color_by: [16, "Int32"],
  color_dimension: [20, "Int32"], zoom: [24, "Int32"], columns: [28, "Int32"], max_cells: [32, "Int32"],
  overlay_bytes: [40, "BigInt64"], at: [48, "Uint32"], at_count: [56, "BigInt64"] } };

function draw_with(handles, { format = "text", show = "position", colorBy = "position", zoom = 0, columns = 0,
  maxCells = 0, overlayBytes = 0, at, color = false, ascii = false, data = false } = {}) {
  const by_dimension = typeof colorBy === "number" || typeof colorBy === "bigint";
  if (at !== undefined && !Array.isArray(at)) throw invalid("at is no list");
  const places = at === undefined ? undefined : Array.from(at);
  return call((frame) => {
    const options = frame.struct(kOptions, {
      format: chosen(kFormats, format, "format"),
      show: chosen(kShow, show, "show"),
      color_by: by_dimension ? kByDimension : chosen(kColorBy, colorBy, "colorBy"),
      flags: (color ? kColor : 0) | (ascii ? kAscii : 0) | (data ? kData : 0),
      color_dimension: by_dimension ? colorBy : 0,
      zoom, columns, max_cells: maxCells, overlay_bytes: overlayBytes,
      at: places === undefined ? 0 : frame.list(places, "at"),
      at_count: places?.length ?? 0,
    });
    const [shape, other] = handles();
    return text_in(frame, (...out) => c.xlashape_draw(shape, other, options, ...out));
  });
}

/**
 * `handles` gives the shape's and the other one's, which is 0 where there is none: called when all options are read,
 * since to read them may run code of the caller, which could dispose the shapes.
 */
export function draw(handles, options) {
  if (options !== undefined && options !== null && typeof options !== "object")
    throw invalid("the options are no object");
  return draw_with(handles, options ?? {});
}
