// SPDX-License-Identifier: Apache-2.0
// The line that says what a shape costs.
import { hash_of } from "./address.mjs";
import { element, factor, human, made } from "./page.mjs";

/** "32.0 GiB for 1.00 GiB of data (32x); {0,2,1:T(4,128)} would take 1.00 GiB" */
export function show_summary(shape, state) {
  const line = element("summary");
  line.replaceChildren();
  if (shape === null) return;
  const { bytes, logical_bytes, least_waste } = shape.explain({ target: state.target || undefined });
  if (bytes === null || logical_bytes === null) return;
  line.append(factor(bytes, logical_bytes) === "" ? `${human(bytes)}, all of it data`
    : `${human(bytes)} for ${human(logical_bytes)} of data (${factor(bytes, logical_bytes)})`);
  if (!least_waste || least_waste.bytes >= bytes) return;
  const better = `${shape.toText({ layout: false })}${least_waste.layout}`;
  line.append("; ", made("a", { href: hash_of({ ...state, shape: better, pick: "", target: "", zoom: "0" }) },
    made("code", {}, least_waste.layout)), ` would take ${human(least_waste.bytes)}`);
}
