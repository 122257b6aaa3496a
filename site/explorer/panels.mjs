// SPDX-License-Identifier: Apache-2.0
// The explanation of a shape, and what compilers would choose for it.
import { targets } from "./xlashape/target.mjs";
import { hash_of } from "./address.mjs";
import { element, factor, grouped, human, made } from "./page.mjs";
import { tried } from "./reading.mjs";

/** The lines that `xlashape explain` prints. */
export function show_explanation(id, shape, target) {
  const { title, lines } = shape.explainLines({ target: target || undefined });
  const rows = lines.map(({ label, text }) =>
    made("tr", {}, made("th", { scope: "row" }, label.trim()), made("td", { class: "text" }, text.trimEnd())));
  element(id).replaceChildren(made("h2", {}, made("code", {}, title)), made("table", {}, made("tbody", {}, ...rows)));
}

// The first two are layouts alone, as is the last.
const kNotations = [["oneDNN's tag", "onednn"], ["linalg.pack", "pack"], ["MLIR", "mlir"], ["memref", "memref"],
  ["CuTe", "cute"], ["NumPy", "numpy"], ["jax", "jax"]];

/** An array in the notations of other projects, those that can express it. */
export function show_notations(shape) {
  const texts = shape?.category !== "array" ? []
    : kNotations.map(([name, notation]) => [name, tried(() => shape.toNotation(notation))])
      .filter(([, text]) => text !== null);
  element("notations").hidden = texts.length === 0;
  element("notation-list").replaceChildren(...texts.map(([name, text]) =>
    made("tr", {}, made("th", { scope: "row" }, name), made("td", { class: "text" }, text))));
}

// Of an array, or of all arrays in a tuple: bytes in memory, and those of the elements alone.
function bytes_of(shape) {
  const { bytes, logicalBytes, logical_bytes } = shape.category === "array" ? shape.sizes : shape.explain();
  return [bytes, logicalBytes ?? logical_bytes];
}

// "cpu gpu", "tpu:v4 v5e v5p": targets of a kind have its name once.
const kind_of = (name) => name.split(":")[0];
const together = (names) => names.map((name, i) =>
  i > 0 && name.includes(":") && kind_of(name) === kind_of(names[i - 1]) ? name.slice(kind_of(name).length + 1) : name)
  .join(" ");

/** The layouts that compilers choose: { text, layout, names, bytes, data }, or { names, error }. */
function choices_of(shape, with_sizes) {
  const choices = new Map();
  for (const name of targets()) {
    let key, facts;
    try {
      const chosen = shape.forTarget(name);
      key = chosen.toString();
      if (!choices.has(key)) {
        const [bytes, data] = with_sizes ? bytes_of(chosen) : [null, null];
        facts = { text: key, layout: chosen.layout ?? key, bytes, data };
      }
      chosen.dispose();
    } catch (error) {
      key = error.message;
      facts = { error: key };
    }
    if (!choices.has(key)) choices.set(key, { ...facts, names: [] });
    choices.get(key).names.push(name);
  }
  return [...choices.values()];
}

// As long as the bytes, dark as far as they hold data.
function bar(bytes, data, most) {
  const part = (one, whole) => `width:${Math.min(100, 100 * Number(one) / Math.max(1, Number(whole))).toFixed(2)}%`;
  return made("td", { class: "bar" },
    made("div", { style: part(bytes, most) }, made("div", { style: part(data, bytes) })));
}

/** A row for each layout that targets' compilers choose, and what it costs, beside the shape's own. */
export function show_targets(shape, state) {
  const section = element("targets");
  if (shape.category !== "array" && shape.category !== "tuple") return section.replaceChildren();
  const with_sizes = shape.leafCount <= 64; // of more arrays the sums take too long
  const own = String(shape), choices = choices_of(shape, with_sizes);
  if (!choices.some(({ text }) => text === own)) {
    const [bytes, data] = with_sizes ? bytes_of(shape) : [null, null];
    choices.unshift({ text: own, layout: shape.layout ?? own, names: ["as written"], bytes, data });
  }
  const most = Math.max(1, ...choices.map(({ bytes }) => Number(bytes ?? 0)));
  const rows = choices.map(({ text, layout, names, bytes, data, error }) => {
    const row = made("tr", {}, made("th", { scope: "row" }, together(names)));
    if (error !== undefined) {
      row.append(made("td", { class: "faint", colspan: "4" }, error));
      return row;
    }
    const href = hash_of({ ...state, shape: text, pick: "", target: "", with: "", zoom: "0" });
    row.append(made("td", { class: "text" },
      made("a", { href, ...(text === own ? { "aria-current": "true" } : {}) }, layout)));
    if (with_sizes && bytes !== null)
      row.append(bar(bytes, data, most),
        made("td", { class: "number", title: `${grouped(bytes)} bytes` }, human(bytes)),
        made("td", { class: "number" }, factor(bytes, data)));
    return row;
  });
  section.replaceChildren(made("h2", {}, "The layouts that compilers choose"),
    made("table", {}, made("tbody", {}, ...rows)),
    ...(with_sizes ? [made("p", { class: "note" }, "blue: data, grey: padding")] : []));
}

/** The arrays in a tuple, to be looked at one by one. */
export function show_leaves(shape, state, target) {
  const { leaves } = shape.explain({ target: target || undefined });
  const items = leaves.map(({ path, shape: text }) =>
    made("li", {}, made("code", {}, `${path} `),
      made("a", { href: hash_of({ ...state, shape: text, pick: "", with: "", at: "", zoom: "0" }) }, text)));
  return made("div", {}, made("p", {}, "A tuple is drawn one array at a time:"), made("ul", {}, ...items));
}
