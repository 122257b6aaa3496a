// SPDX-License-Identifier: Apache-2.0
// The explanation of a shape, and what compilers would choose for it.
import { targets } from "./xlashape/index.mjs";
import { hash_of } from "./address.mjs";
import { element, grouped, made } from "./page.mjs";
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

/** A row for each target: the layout that its compiler chooses, and what that costs. */
export function show_targets(shape, state) {
  const section = element("targets");
  const array = shape.category === "array" || shape.category === "tuple";
  if (!array) return section.replaceChildren();
  const with_sizes = shape.leafCount <= 64; // of more arrays the sums take too long
  const rows = [];
  for (const name of targets()) {
    const row = made("tr", {}, made("th", { scope: "row" }, name));
    try {
      const chosen = shape.forTarget(name);
      const text = chosen.toString();
      const href = hash_of({ ...state, shape: text, target: "", with: "", zoom: "0" });
      row.append(made("td", { class: "text" }, made("a", { href }, text)));
      if (with_sizes) {
        const [bytes, logical] = bytes_of(chosen);
        const ratio = Number(logical) > 0 ? `${(Number(bytes) / Number(logical)).toFixed(2)}x` : "";
        row.append(made("td", { class: "number" }, bytes === null ? "" : grouped(bytes)),
          made("td", { class: "number" }, ratio));
      }
      chosen.dispose();
    } catch (error) {
      row.append(made("td", { class: "faint", colspan: "3" }, error.message));
    }
    rows.push(row);
  }
  const head = made("tr", {}, ...["target", "layout"].map((text) => made("th", { scope: "col" }, text)),
    ...(with_sizes ? ["bytes", "waste"] : []).map((text) => made("th", { scope: "col", class: "number" }, text)));
  section.replaceChildren(made("h2", {}, "The layout that each target's compiler chooses"),
    made("table", {}, made("thead", {}, head), made("tbody", {}, ...rows)));
}

/** The arrays in a tuple, to be looked at one by one. */
export function show_leaves(shape, state, target) {
  const { leaves } = shape.explain({ target: target || undefined });
  const items = leaves.map(({ path, shape: text }) =>
    made("li", {}, made("code", {}, `${path} `),
      made("a", { href: hash_of({ ...state, shape: text, with: "", at: "", zoom: "0" }) }, text)));
  return made("div", {}, made("p", {}, "A tuple is drawn one array at a time:"), made("ul", {}, ...items));
}
