// SPDX-License-Identifier: Apache-2.0
// The page: state from the address, the library's answers, and what the reader changes.
import { load } from "./xlashape/index.mjs";
import { hash_of, kDefaults, state_of } from "./address.mjs";
import { kExamples } from "./examples.mjs";
import { element, made, show_error } from "./page.mjs";
import { show_explanation, show_leaves, show_notations, show_targets } from "./panels.mjs";
import { show_instead, show_picture } from "./picture.mjs";
import { listen, use_shape } from "./place.mjs";
import { read_array, read_beside, show_note } from "./reading.mjs";

const form = element("controls");
const kMostText = 100_000; // characters of a shape that are looked at while somebody types
let library = null, state = state_of(location.hash), shapes = [], svg = "";

function read_shape(name, target) {
  const field = form.elements[name], text = state[name];
  show_error(`${name}-error`, field, null);
  show_note(`${name}-note`, "");
  if (text.trim() === "") return null;
  try {
    if (text.length > kMostText) throw new Error(`the text has ${text.length} characters, ${kMostText} are read here`);
    const { shape, note } = name === "with" ? read_beside(text, shapes[0], target) : read_array(text, target);
    show_note(`${name}-note`, note);
    return shape;
  } catch (error) {
    show_error(`${name}-error`, field, error, text);
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
  show_error("at-error", element("at-field"), null);
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

function show() {
  if (library === null) return;
  for (const shape of shapes) shape?.dispose();
  shapes = [read_shape("shape", state.target)];
  shapes.push(read_shape("with", state.target));
  const [shape, other] = shapes;
  const state_line = element("state");
  state_line.textContent = "";
  // While a text is wrong, what was shown before stays, but paler.
  const is_wrong = shape === undefined || other === undefined;
  element("panels").style.opacity = element("picture").style.opacity = is_wrong ? ".45" : "";
  if (is_wrong) return use_shape(null);
  if (shape === null) {
    for (const id of ["explanation", "other-explanation", "targets"]) element(id).replaceChildren();
    show_notations(null);
    show_instead(null);
    use_shape(null);
    state_line.textContent = "Type or paste a shape, as XLA or another project prints it.";
    return;
  }
  fill_choices(shape);
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
    if (other !== null) show_error("with-error", element("with-field"), error);
    show_instead(made("p", { class: "error" }, error.message));
    return false;
  }
}

// What a link has of choices that do not exist becomes the usual one.
function fill_form() {
  for (const name of Object.keys(kDefaults)) {
    const field = form.elements[name];
    if (field === undefined) continue;
    field.value = state[name];
    const later = field.id === "color-field" || field.id === "zoom-field" || (name === "target" && library === null);
    if (field.tagName === "SELECT" && !later && field.value !== state[name])
      field.value = state[name] = kDefaults[name];
  }
}

let waiting = 0;
function write_address() {
  clearTimeout(waiting);
  waiting = setTimeout(() => history.replaceState(null, "", hash_of(state)), 150);
}

form.addEventListener("input", (event) => {
  const { name, value } = event.target;
  if (!Object.hasOwn(kDefaults, name)) return;
  state[name] = value;
  show();
  write_address();
});
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => {
  clearTimeout(waiting);
  state = state_of(location.hash);
  fill_form();
  show();
});
element("copy-link").addEventListener("click", async (event) => {
  history.replaceState(null, "", hash_of(state));
  try {
    await navigator.clipboard.writeText(location.href);
    event.target.textContent = "Copied";
  } catch {
    event.target.textContent = "See the address";
  }
  setTimeout(() => (event.target.textContent = "Copy link"), 1500);
});
element("save-svg").addEventListener("click", () => {
  if (svg === "") return;
  const href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const link = made("a", { href, download: "layout.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
listen((position) => {
  if (state.position === position) return;
  state.position = position;
  write_address();
});
for (const [text, example] of kExamples)
  element("example-list").append(made("li", {}, made("a", { href: hash_of({ ...kDefaults, ...example }) }, text), " ",
    made("code", { class: "faint" }, example.shape)));
fill_form();

try {
  library = await load();
  for (const name of library.targets()) element("target-field").append(made("option", { value: name }, name));
  fill_form();
  show();
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  element("state").textContent = `The library could not be loaded: ${error.message}`;
}
// Keeps the page's own files for the time without a network.
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register("offline.js").then(() => navigator.serviceWorker.ready).then(({ active }) => {
    const files = performance.getEntriesByType("resource").map(({ name }) => name)
      .filter((name) => new URL(name).origin === location.origin);
    active?.postMessage([location.href.split("#")[0], ...files]);
  }, () => {});
}
