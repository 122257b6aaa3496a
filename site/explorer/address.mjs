// SPDX-License-Identifier: Apache-2.0
// What the page shows, as the part of its address behind the #: a link shows what its sender saw. `shape` may be a text
// with several shapes; `pick` is the one among them that is shown, or empty: the largest.

export const kDefaults = Object.freeze({
  shape: "bf16[20,200]{1,0:T(8,128)(2,1)}", pick: "", with: "", target: "", show: "position", color: "position",
  zoom: "0", overlay: "0", at: "", position: "0",
});

/** Reads `#shape=...&with=...`, or a shape alone: `#f32[16,256]{1,0:T(8,128)}`. What is not known is left out. */
export function state_of(hash) {
  const text = hash.replace(/^#/, "");
  if (text === "") return { ...kDefaults };
  if (!/^[a-z]+=/.test(text)) return { ...kDefaults, shape: decoded(text) };
  const state = { ...kDefaults };
  for (const part of text.split("&")) {
    const equals = part.indexOf("=");
    const name = part.slice(0, equals);
    if (equals > 0 && Object.hasOwn(kDefaults, name)) state[name] = decoded(part.slice(equals + 1));
  }
  return state;
}

/** The same the other way; what is as usual is left out. */
export function hash_of(state) {
  const parts = [];
  for (const [name, usual] of Object.entries(kDefaults))
    if (name === "shape" || state[name] !== usual)
      parts.push(`${name}=${encodeURIComponent(state[name].toWellFormed?.() ?? state[name])}`);
  return `#${parts.join("&")}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that begins no escape
  }
}
