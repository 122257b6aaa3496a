// The explanation of a shape, and what compilers would choose for it.
import { targets } from "./xlashape/index.mjs";
import { hash_of } from "./address.mjs";
import { element, grouped, made } from "./page.mjs";

/** The lines that `xlashape explain` prints. */
export function show_explanation(id, shape, target) {
  const { title, lines } = shape.explainLines({ target: target || undefined });
  const rows = lines.map(({ label, text }) =>
    made("tr", {}, made("th", { scope: "row" }, label.trim()), made("td", { class: "text" }, text.trimEnd())));
  element(id).replaceChildren(made("h2", {}, made("code", {}, title)), made("table", {}, made("tbody", {}, ...rows)));
}

const waste_of = (sizes) => (Number(sizes.logicalBytes) > 0 ? `${(Number(sizes.bytes) / Number(sizes.logicalBytes)).toFixed(2)}x` : "");

/** A row for each target: the layout that its compiler chooses, and what that costs. */
export function show_targets(shape, state) {
  const section = element("targets");
  const array = shape.category === "array" || shape.category === "tuple";
  if (!array) return section.replaceChildren();
  const rows = [];
  for (const name of targets()) {
    const row = made("tr", {}, made("th", { scope: "row" }, name));
    try {
      const chosen = shape.forTarget(name);
      const text = chosen.toString();
      row.append(made("td", { class: "text" }, made("a", { href: hash_of({ ...state, shape: text, target: "", with: "", zoom: "0" }) }, text)));
      if (shape.category === "array") {
        const sizes = chosen.sizes;
        row.append(made("td", { class: "number" }, grouped(sizes.bytes)), made("td", { class: "number" }, waste_of(sizes)));
      }
      chosen.dispose();
    } catch (error) {
      row.append(made("td", { class: "faint", colspan: "3" }, error.message));
    }
    rows.push(row);
  }
  const head = made("tr", {}, ...["target", "layout"].map((text) => made("th", { scope: "col" }, text)),
    ...(shape.category === "array" ? ["bytes", "waste"] : []).map((text) => made("th", { scope: "col", class: "number" }, text)));
  section.replaceChildren(made("h2", {}, "The layout that each target's compiler chooses"),
    made("table", {}, made("thead", {}, head), made("tbody", {}, ...rows)));
}

/** The arrays in a tuple, to be looked at one by one. */
export function show_leaves(shape, state, target) {
  const { leaves } = shape.explain({ target: target || undefined });
  const items = leaves.map(({ path, shape: text }) =>
    made("li", {}, made("code", {}, `${path} `), made("a", { href: hash_of({ ...state, shape: text, with: "", at: "", zoom: "0" }) }, text)));
  return made("div", {}, made("p", {}, "A tuple is drawn one array at a time:"), made("ul", {}, ...items));
}
