// SPDX-License-Identifier: Apache-2.0
// What the page showed before, for Back: an entry of the browser's history for each shape that somebody settled on.
// The entry holds the field's whole text, of which the address has the shapes alone.

let pending = null, timer = 0;

/** Writes the address soon; with `settled` as an entry of its own, else in the place of the last one. */
export function remember(settled, hash, text) {
  if (settled && pending?.adds) write();
  pending = { hash, text, adds: settled || pending?.adds === true };
  clearTimeout(timer);
  timer = setTimeout(write, 150);
}

export function remember_now(hash, text) {
  remember(false, hash, text);
  write();
}

function write() {
  const { hash, text, adds } = pending;
  forget();
  history[adds && hash !== location.hash ? "pushState" : "replaceState"]({ text }, "", hash);
}

/** What waits to be written is out of date. */
export function forget() {
  clearTimeout(timer);
  pending = null;
}

/** The field's text of the entry that is shown now, or undefined. */
export const text_of_entry = () => history.state?.text;
