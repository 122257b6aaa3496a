// SPDX-License-Identifier: Apache-2.0
// Pictures as pages: the SVG, and a script that follows the pointer and a slider through the memory's order.
#include "captions.h"
#include "markup.h"
#include "render.h"

namespace xlashape::view {
namespace {

constexpr const char* kStyle =
    ":root{color-scheme:light dark}body{margin:0;font:15px/1.5 system-ui,sans-serif;background:#fff;color:#1b1b1f}"
    "header{position:sticky;top:0;left:0;padding:.5rem 1rem;background:#f3f4f6;border-bottom:1px solid "
    "#d0d4da;z-index:1}"
    "h1{font:600 1rem/1.4 ui-monospace,monospace;margin:0 0 .3rem;overflow-wrap:anywhere}"
    "output{display:block;min-height:1.5em;font-family:ui-monospace,monospace;overflow-wrap:anywhere}"
    "label{display:flex;gap:.6rem;align-items:center}input{flex:1;min-width:6rem;max-width:40rem}"
    "main{overflow-x:auto;padding:.5rem 1rem}text,path{pointer-events:none}"
    "rect[data-position],rect[data-to]{cursor:crosshair}"
    "@media(prefers-color-scheme:dark){body{background:#16181d;color:#e8eaed}"
    "header{background:#22252b;border-color:#3c4048}}";

constexpr const char* kScript = R"js('use strict';
const svg = document.querySelector('svg'), out = document.querySelector('output');
const slider = document.querySelector('input'), play = document.querySelector('button');
const bits = BigInt(svg.dataset.bits), toBits = BigInt(svg.dataset.otherBits || svg.dataset.bits), tile = BigInt(svg.dataset.tile);
const byIndex = new Map(), order = [], seen = new Set(), to = new Map();
for (const cell of svg.querySelectorAll('rect[data-position],rect[data-to]')) {
  const { index, position } = cell.dataset;
  if (index !== undefined) {
    if (!byIndex.has(index)) byIndex.set(index, []);
    byIndex.get(index).push(cell);
    if (cell.dataset.to !== undefined) to.set(index, BigInt(cell.dataset.to));
  }
  if (position !== undefined && !seen.has(position)) { seen.add(position); order.push(cell); }
}
order.sort((a, b) => { const d = BigInt(a.dataset.position) - BigInt(b.dataset.position); return d < 0n ? -1 : d > 0n ? 1 : 0; });
const places = new Map(order.map((cell, i) => [cell.dataset.position, i]));
slider.max = Math.max(order.length - 1, 0);
const place = (at, size) => { const bit = at * size; return `byte ${bit / 8n}` + (size % 8n ? ` from bit ${bit % 8n}` : ''); };
let marked = [];
function show(cell) {
  for (const old of marked) old.classList.remove('on');
  const { index, position } = cell.dataset;
  marked = index === undefined ? [cell] : byIndex.get(index);
  for (const now of marked) now.classList.add('on');
  let text = index === undefined ? 'padding' : `[${index}]`;
  const from = index === undefined ? position : (marked.find((one) => one.dataset.position !== undefined) || cell).dataset.position;
  if (from !== undefined) {
    const at = BigInt(from);
    text += `: position ${at}, ${place(at, bits)}` + (tile ? `, tile ${at / tile}` : '');
    if (places.has(from)) slider.value = places.get(from);
  }
  if (index !== undefined && to.has(index)) {
    const there = to.get(index);
    text += `; in the other: position ${there}, ${place(there, toBits)}`;
    if (from !== undefined) text += `, ${there * toBits / 8n - BigInt(from) * bits / 8n} bytes further`;
  } else if (from === undefined) text += `: position ${cell.dataset.to} of the other`;
  out.textContent = text;
}
svg.addEventListener('pointerover', (event) => { if (event.target.dataset.position !== undefined || event.target.dataset.to !== undefined) show(event.target); });
slider.addEventListener('input', () => { if (order.length) show(order[+slider.value]); });
let timer = 0;
play.addEventListener('click', () => {
  if (timer) { clearInterval(timer); timer = 0; play.textContent = 'Play'; return; }
  play.textContent = 'Stop';
  timer = setInterval(() => { if (order.length) { slider.value = (+slider.value + 1) % order.length; show(order[+slider.value]); } }, 120);
});
if (order.length) show(order[0]);
)js";

}  // namespace

std::string render_html(const Scene& scene, const Options& options) {
  Options with_data = options;
  with_data.flags |= XLASHAPE_DRAW_DATA;
  const std::string shape = shape_text(scene.storage);
  Markup page;
  page.raw(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\"><title>");
  page.text(shape).raw("</title><style>").raw(kStyle).raw("</style></head><body><header><h1>").text(shape);
  if (scene.other_storage) page.raw(" &#8594; ").text(shape_text(*scene.other_storage));
  page.raw(
      "</h1><label>memory, in order <input type=\"range\" min=\"0\" value=\"0\">"
      "<button type=\"button\">Play</button></label><output aria-live=\"polite\"></output></header><main>");
  page.raw(render_svg(scene, with_data)).raw("</main><script>").raw(kScript).raw("</script></body></html>\n");
  return page.take();
}

}  // namespace xlashape::view
