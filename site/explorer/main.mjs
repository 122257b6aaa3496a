// SPDX-License-Identifier: Apache-2.0
// The page: state from the address, the library's answers, and what the reader changes.
import { load_module } from "./xlashape/module.mjs";
import { Shape } from "./xlashape/shape.mjs";
import { targets } from "./xlashape/target.mjs";
import { hash_of, kDefaults, state_of } from "./address.mjs";
import { kExamples } from "./examples.mjs";
import { arrays_in } from "./finding.mjs";
import { show_found, text_of } from "./found.mjs";
import { element, made, show_error } from "./page.mjs";
import { show_explanation, show_leaves, show_notations, show_targets } from "./panels.mjs";
import { forget, remember, remember_now, text_of_entry } from "./past.mjs";
import { show_instead, show_picture } from "./picture.mjs";
import { listen, use_shape } from "./place.mjs";
import { read_array, read_beside, show_note, tried } from "./reading.mjs";
import { offer } from "./share.mjs";
import { show_summary } from "./summary.mjs";

const form = element("controls");
const kMostOfShape = 100_000, kMostText = 2_000_000; // characters that are looked at while somebody types
const kTitle = "Layout Explorer - xlashape";
let is_loaded = false, state = state_of(location.hash), shapes = [], svg = "";
state.shape = text_of_entry() ?? state.shape;
let found = [], chosen; // the arrays in a text that is no shape, and the one among them that is shown

// The address holds no more of a text than its shapes.
function address() {
  const is_prose = shapes[0] === undefined && state.shape.trimEnd().includes("\n");
  const shape = found.length > 0 ? text_of(found) : is_prose ? "" : state.shape.slice(0, kMostOfShape);
  return hash_of({ ...state, shape });
}

// A text of one line may be a shape in any project's words, one of several lines only in XLA's.
function read_whole(text) {
  if (text.length > kMostOfShape)
    throw new Error(`the text has ${text.length} characters, a shape at most ${kMostOfShape}`);
  if (text.includes("\n") && tried(() => Shape.parse(text).dispose()) === null)
    throw new Error("no shape, such as f32[8,128], is in this text");
  return read_array(text, state.target);
}

const kReport = /RESOURCE_EXHAUSTED|out of memory|\bOOM\b/i;

/** The shape that the field's text is, or the chosen one of those in it; null without any text. */
function read_shape() {
  const text = state.shape.trimEnd();
  if (text.trim() === "") return null;
  try {
    const { shape, note } = read_whole(text);
    show_note("shape-note", note);
    return shape;
  } catch (error) {
    // A tuple that somebody types is not yet a text with shapes in it.
    const is_tuple = text.trimStart().startsWith("(") && !text.includes("\n");
    if (!is_tuple && text.length <= kMostText) found = arrays_in(text, state.target);
    if (found.length > 0) {
      chosen = found.find(({ text: name }) => name === state.pick) ?? found[0];
      return read_array(chosen.text, state.target).shape;
    }
    const is_report = kReport.test(text);
    show_error("shape-error", element("shape-field"),
      is_report ? new Error("no array's shape, such as f32[8,128], is in this report") : error, state.shape);
    if (is_report)
      element("shape-error").append(". The dump of the failed compilation has them all: ",
        made("a", { href: "../scan.html" }, "xlashape scan"));
    return undefined;
  }
}

function read_other(shape) {
  if (state.with.trim() === "") return null;
  try {
    const { shape: other, note } = read_beside(state.with, shape, state.target);
    show_note("with-note", note);
    return other;
  } catch (error) {
    show_error("with-error", element("with-field"), error, state.with);
    return undefined;
  }
}

// "0=3,1=7" by dimension, -1 elsewhere.
function at_of(text, dimensions) {
  if (text.trim() === "") return undefined;
  const at = dimensions.map(() => -1);
  for (const part of text.split(",")) {
    const found = /^\s*(?:(\d+)|([a-z]))\s*=\s*(\d+)\s*$/.exec(part);
    if (found === null) throw new Error(`“${part}”: write a dimension and an index, like 0=3 or x=3`);
    // Letters as XLA's documentation has them, for up to three dimensions: x is the last one, before it y and z.
    const letter = dimensions.length <= 3 ? "xyz".slice(0, dimensions.length).indexOf(found[2]) : -1;
    const d = found[1] !== undefined ? Number(found[1]) : letter < 0 ? -1 : dimensions.length - 1 - letter;
    if (!(d in dimensions)) throw new Error(`“${part}”: there is no such dimension, there are ${dimensions.length}`);
    if (at[d] !== -1) throw new Error(`“${part}”: dimension ${d} is given twice`);
    at[d] = BigInt(found[3]);
    if (at[d] >= dimensions[d]) throw new Error(`“${part}”: dimension ${d} has the size ${dimensions[d]}`);
  }
  return at;
}

function draw(shape, other) {
  let at;
  try {
    at = at_of(state.at, shape.dimensions);
  } catch (error) {
    show_error("at-error", element("at-field"), error);
  }
  const by = /^\d+$/.test(state.color) ? { colorBy: Number(state.color) } : { colorBy: state.color };
  return shape.draw(other ?? undefined, { format: "svg", data: true, show: state.show,
    zoom: other === null ? Number(state.zoom) : 0, overlayBytes: Number(state.overlay), at, maxCells: 1200, ...by });
}

// Options that depend on the shape.
function fill_choices(shape) {
  const rank = shape.category === "array" ? shape.rank : 0, tiles = shape.category === "array" ? shape.tiles ?? [] : [];
  const option = (value, text) => made("option", { value }, text);
  element("color-field").replaceChildren(option("position", "order in memory"), option("tile", "tile"),
    ...Array.from({ length: Math.min(rank, 12) }, (_, d) => option(String(d), `dimension ${d}`)));
  element("zoom-field").replaceChildren(option("0", "elements"),
    ...tiles.map((_, i) => option(String(i + 1), `tiles (${tiles[tiles.length - 1 - i].join(",")})`)));
  for (const [name, field] of [["color", "color-field"], ["zoom", "zoom-field"]]) {
    if (![...element(field).options].some((known) => known.value === state[name])) state[name] = kDefaults[name];
    element(field).value = state[name];
  }
}

// One error at a time: a shape that is wrong hides what was wrong with the rest.
function show() {
  if (!is_loaded) return;
  for (const shape of shapes) shape?.dispose();
  for (const name of ["shape", "with", "at"]) show_error(`${name}-error`, element(`${name}-field`), null);
  for (const name of ["shape", "with"]) show_note(`${name}-note`, "");
  found = [];
  chosen = undefined;
  const shape = read_shape(), other = shape === undefined ? undefined : read_other(shape);
  shapes = [shape, other];
  show_found(found, chosen, state, choose);
  element("state").textContent = "";
  // While a text is wrong, what was shown before stays, but paler, and without an error of its own.
  const is_wrong = shape === undefined || other === undefined;
  document.body.classList.toggle("wrong", is_wrong);
  if (is_wrong) {
    document.title = kTitle;
    if (element("picture").querySelector(".error") !== null) show_instead(null);
    return use_shape(null);
  }
  if (shape === null) {
    for (const id of ["explanation", "other-explanation", "targets", "summary"]) element(id).replaceChildren();
    show_notations(null);
    show_instead(null);
    use_shape(null);
    document.title = kTitle;
    element("state").textContent = "Type or paste a shape, an error, or anything with shapes in it.";
    return;
  }
  fill_choices(shape);
  show_summary(shape, state);
  show_explanation("explanation", shape, state.target);
  if (other === null) element("other-explanation").replaceChildren();
  else show_explanation("other-explanation", other, state.target);
  show_notations(shape);
  show_targets(shape, state);
  svg = "";
  const drawn = draw_or_say(shape, other);
  const root = element("picture").querySelector("svg");
  const whole = drawn && Number(state.zoom) === 0;
  const position = BigInt(/^\d{1,19}$/.test(state.position) ? state.position : 0);
  use_shape(whole ? shape : null, other, root?.dataset.tile ?? 0, position);
  document.title = `${shape} - Layout Explorer`.slice(0, 200);
}

function draw_or_say(shape, other) {
  if (shape.category === "tuple") {
    show_instead(show_leaves(shape, state, state.target));
    return false;
  }
  try {
    svg = draw(shape, other);
    show_picture(svg);
    return true;
  } catch (error) {
    show_error("at-error", element("at-field"), null);
    if (other !== null) show_error("with-error", element("with-field"), error);
    show_instead(other !== null ? null : made("p", { class: "error" }, error.message));
    return false;
  }
}

// What a link has of choices that do not exist becomes the usual one.
function fill_form() {
  for (const name of Object.keys(kDefaults)) {
    const field = form.elements[name];
    if (field === undefined) continue;
    field.value = state[name];
    const later = field.id === "color-field" || field.id === "zoom-field" || (name === "target" && !is_loaded);
    if (field.tagName === "SELECT" && !later && field.value !== state[name])
      field.value = state[name] = kDefaults[name];
  }
  fit();
}

// The field is as high as its text, up to what its style allows; browsers of 2024 and later need no help.
const fits_itself = CSS.supports("field-sizing", "content");
function fit() {
  if (fits_itself) return;
  const field = element("shape-field");
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight + 2}px`;
}

const write_address = (settled) => remember(settled, address(), state.shape.slice(0, kMostText));

let typing = ""; // the field into which somebody types: until it is left, that is one change
form.addEventListener("input", (event) => {
  const { name, value, tagName } = event.target;
  if (!Object.hasOwn(kDefaults, name)) return;
  const is_pasted = event.inputType === "insertFromPaste" || event.inputType === "insertFromDrop";
  const settled = ["shape", "with", "target"].includes(name) && (typing !== name || is_pasted);
  typing = is_pasted || tagName === "SELECT" ? "" : name;
  state[name] = value;
  if (name === "shape") {
    state.pick = "";
    fit();
  }
  show();
  write_address(settled);
});
form.addEventListener("change", () => (typing = ""));
form.addEventListener("submit", (event) => event.preventDefault());
element("shape-field").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.target.value.includes("\n")) return;
  event.preventDefault();
  typing = "";
});
addEventListener("resize", fit);

function choose(pick) {
  Object.assign(state, { pick, with: "", at: "", zoom: "0" });
  fill_form();
  show();
  write_address(true);
}

addEventListener("hashchange", () => {
  forget();
  typing = "";
  state = state_of(location.hash);
  state.shape = text_of_entry() ?? state.shape;
  fill_form();
  show();
});
offer(() => {
  remember_now(address(), state.shape.slice(0, kMostText));
  return { svg, title: document.title };
});
listen((position) => {
  if (state.position === position) return;
  state.position = position;
  write_address(false);
});
for (const [text, example] of kExamples)
  element("example-list").append(made("li", {}, made("a", { href: hash_of({ ...kDefaults, ...example }) }, text), " ",
    made("code", { class: "faint" }, example.shape)));
// In a frame of another page: the drawing and what it costs, with a way to all of it.
const is_embedded = location.search === "?embed";
document.body.classList.toggle("embedded", is_embedded);
element("whole-page").addEventListener("click", ({ target }) => (target.href = `index.html${address()}`));
fill_form();

try {
  await load_module();
  is_loaded = true;
  for (const name of targets()) element("target-field").append(made("option", { value: name }, name));
  fill_form();
  show();
  if (found.length > 0) write_address(false); // a long text in the address, as from the first page
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  element("state").textContent = `The library could not be loaded: ${error.message}`;
}
// Keeps the page's own files for the time without a network.
if (!is_embedded && "serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("offline.js").then(() => navigator.serviceWorker.ready).then(({ active }) => {
    const files = performance.getEntriesByType("resource").map(({ name }) => name)
      .filter((name) => new URL(name).origin === location.origin);
    active?.postMessage([location.href.split("#")[0], ...files]);
  }, () => {});
}
