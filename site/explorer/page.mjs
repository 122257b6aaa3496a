// SPDX-License-Identifier: Apache-2.0
// Small helpers for the document. Texts become text nodes, never markup.

export const element = (id) => document.getElementById(id);

/** A new element with attributes and children; strings among these are text. */
export function made(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** 1234567 as 1,234,567; numbers and BigInts. */
export const grouped = (number) => number.toString().replace(/\B(?=(\d{3})+$)/g, ",");

const kUnits = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** Bytes for people, in three digits: 960 B, 1.00 GiB. */
export function human(bytes) {
  let value = Number(bytes), unit = -1;
  for (; value >= 1023.5 && unit + 1 < kUnits.length; ++unit) value /= 1024;
  return unit < 0 ? `${value} B` : `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)} ${kUnits[unit]}`;
}

/** How many times as many bytes as the data has: 32x, 1.28x; empty where these are all. */
export function factor(bytes, data) {
  if (bytes === data || Number(data) === 0) return "";
  const ratio = Number(bytes) / Number(data);
  return ratio > 1 && ratio < 1.005 ? "1.00x" : `${Number(ratio.toPrecision(ratio < 100 ? 3 : 4))}x`;
}

/** Shows an error below its field, with the place marked where it is known; null hides it. */
export function show_error(id, field, error, text) {
  const box = element(id);
  box.hidden = error === null;
  box.replaceChildren();
  if (field !== null) field.setAttribute("aria-invalid", String(error !== null));
  if (error === null) return;
  box.append(error.message);
  if (error.offset >= 0 && text !== undefined) {
    const [at, end] = [error.offset, Math.min(text.length, error.offset + 1)];
    const from = Math.max(0, at - 60), to = Math.min(text.length, at + 40);
    box.append("\n", (from > 0 ? "…" : "") + text.slice(from, at), made("mark", {}, text.slice(at, end) || "␣"),
      text.slice(end, to) + (to < text.length ? "…" : ""));
  }
}
