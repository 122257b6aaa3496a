// SPDX-License-Identifier: Apache-2.0
// What the page showed before, for Back: an entry of the browser's history for each shape that somebody settled on.
// The entry holds the field's whole text, of which the address has the shapes alone.

let waiting = 0, is_new = false;

/** Writes the address soon; with `settled` as an entry of its own, else in the place of the last one. */
export function remember(settled, hash, text) {
  clearTimeout(waiting);
  is_new ||= settled;
  waiting = setTimeout(() => remember_now(hash(), text()), 150);
}

export function remember_now(hash, text) {
  forget();
  const adds = is_new && hash !== location.hash;
  is_new = false;
  history[adds ? "pushState" : "replaceState"]({ text }, "", hash);
}

/** What waits to be written is out of date. */
export const forget = () => clearTimeout(waiting);

/** The field's text of the entry that is shown now, or undefined. */
export const text_of_entry = () => history.state?.text;
