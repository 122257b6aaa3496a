// SPDX-License-Identifier: Apache-2.0
// What can be carried away: a link, the drawing, the text of a frame.
import { element, made } from "./page.mjs";

async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Copy it by hand";
  }
  setTimeout(() => (button.textContent = label), 1500);
}

function save(svg) {
  const href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  made("a", { href, download: "layout.svg" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

/** A frame that shows the drawing at `address` and what it costs, without the rest of the page. */
function frame_of(address, title, height) {
  const url = new URL(address);
  url.search = "?embed";
  const frame = made("iframe", { src: url.href, title, width: "100%", height, loading: "lazy", style: "border:0" });
  return frame.outerHTML;
}

/** `now()` writes the address and gives { svg, title }. */
export function offer(now) {
  element("copy-link").addEventListener("click", ({ target }) => {
    now();
    copy(target, location.href);
  });
  element("save-svg").addEventListener("click", () => {
    const { svg } = now();
    if (svg !== "") save(svg);
  });
  element("embed").addEventListener("click", ({ target }) => {
    const { title } = now(), drawn = element("picture").firstElementChild?.getBoundingClientRect().height ?? 200;
    const field = element("embed-text");
    field.hidden = false;
    field.value = frame_of(location.href, title, String(Math.min(640, Math.round(drawn) + 150)));
    field.select();
    copy(target, field.value);
  });
}
