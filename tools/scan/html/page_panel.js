// The panel: what was selected.

const narrow = window.matchMedia("(max-width: 1099px)");
const panel = byId("panel");
function dock() {  // beside the page where it is wide enough; otherwise a dialog over it
  if (panel.open) panel.close();
  if (!narrow.matches) panel.setAttribute("open", "");
}
narrow.addEventListener("change", dock);

function definitions(rows) {
  const node = make("dl");
  for (const [name, value, kind] of rows) {
    if (value) node.append(make("dt", {}, name), make("dd", {class: kind ?? "text"}, value));
  }
  return node;
}
function shapeOf(name) {
  for (const from of [current.shapes, data.shapes]) {
    if (Object.hasOwn(object(from), name)) return object(from[name]);
  }
  return null;
}

function dimensionTable(info) {
  const sizes = integers(info.dimensions), order = integers(info.minor_to_major), padded = integers(info.padded);
  if (sizes.length === 0) return "";
  const body = make("tbody");
  sizes.forEach((size, i) => {
    const place = order.indexOf(i);
    const where = place < 0      ? "" :
      place === 0                ? "most minor: contiguous" :
      place === sizes.length - 1 ? "most major" :
                                   `minor, place ${place + 1}`;
    const grown = (padded[i] ?? size) !== size;
    body.append(make("tr", {},
      ...[i, grouped(size), grouped(padded[i] ?? size), where].map(
        (x, column) => make("td", {class: column < 3 ? "number" : ""},
          column === 2 && grown ? make("strong", {}, String(x)) : String(x)))));
  });
  const head =
    ["dimension", "size", "padded", "in memory"].map((x, i) => make("th", {class: i < 3 ? "number" : ""}, x));
  return make(
    "div", {class: "scroll"}, make("table", {class: "plain"}, make("thead", {}, make("tr", {}, ...head)), body));
}

function explained(caption, name) {
  const node =
    make("div", {}, make("h3", {}, caption), breakable(make("div", {class: "shape whole"}), short(name, 4000)));
  const info = shapeOf(name);
  if (!info) return node;
  const order = integers(info.minor_to_major), sizes = integers(info.dimensions);
  const side = (x) => (positive(x) || x === "d" ? text(x) : "*");
  const tiles = list(info.tiles).slice(0, 16).map((tile) => `(${list(tile).slice(0, 32).map(side).join(",")})`);
  const words = order.length > 1 ? order.map((d) => `${d} (${grouped(sizes[d])})`).join(", then ") : "";
  node.append(definitions([
    ["element type", text(info.element_type)], ["order", words && `from the most minor: dimension ${words}`],
    ["tiles", tiles.join(", each in tiles of ") || "none"], ["bytes", bytes(info.bytes)],
    ["data", bytes(info.logical_bytes)], ["waste", number(ratio(info)) === null ? "" : heated(ratio(info))],
    ["memory space", space(info.space)]
  ]));
  node.append(dimensionTable(info));
  const lines = list(info.words).slice(0, 40).map(text).filter(Boolean);
  if (lines.length) node.append(make("ul", {}, ...lines.map((line) => make("li", {class: "text"}, line))));
  node.append(drawing(info));
  return node;
}

// The two most minor dimensions of an array with its tiles and its padding.
function drawing(info) {
  const sizes = integers(info.dimensions), order = integers(info.minor_to_major), padded = integers(info.padded);
  const first = list(list(info.tiles)[0]).map(number), node = make("div");
  if (sizes.some((x) => x === null || x < 0) || order.length !== sizes.length) return node;
  if (order.some((d) => d === null || sizes[d] === undefined)) return node;
  const combined = first.some((x) => x === null || x <= 0);
  const side = (place) => {
    const d = order[place], tile = combined ? null : first[first.length - 1 - place] ?? null;
    const size = d === undefined ? 1 : sizes[d];
    return {d, size, tile, whole: Math.max(size, padded[d] ?? (tile ? Math.ceil(size / tile) * tile : size))};
  };
  const columns = side(0), rows = side(1);
  if (columns.whole === 0 || rows.whole === 0) return node;
  const left = 64, top = 20, room = 290, few = columns.whole <= 64 && rows.whole <= 64;
  // Where all elements can be told apart each is a square; otherwise each side has its own scale.
  const square = Math.min(16, room / columns.whole, 280 / rows.whole);
  const width = few ? Math.max(square * columns.whole, 8) : room;
  const height = few ? Math.max(square * rows.whole, 8) : Math.min(220, Math.max(24, rows.whole * 12));
  // Padding, or an array, too thin to be seen gets some pixels.
  const inner = (s, length) =>
    (s.size === s.whole ? length : Math.min(length - 2, Math.max(s.size ? 4 : 0, length * s.size / s.whole)));
  const w = inner(columns, width), h = inner(rows, height);
  const label = (s) => (s.d === undefined ? "one" : `dim ${s.d}: ${grouped(s.size)}`);
  const svg = mark("svg", {
    class: "chart",
    viewBox: `0 0 364 ${height + top + 8}`,
    role: "img",
    "aria-label": `${label(columns)} of ${grouped(columns.whole)} across, ${label(rows)} of ${grouped(rows.whole)} down`
  });
  svg.append(mark("rect", {x: left, y: top, width, height, fill: "url(#hatch)"}),
    mark("rect", {x: left, y: top, width: w, height: h, class: "array"}));
  const lines = (n, every, length, across, kind) => {
    for (let i = every; i < n; i += every) {
      const at = i / n * length;
      svg.append(mark("line",
        across ? {x1: left + at, x2: left + at, y1: top, y2: top + height, class: kind} :
                 {x1: left, x2: left + width, y1: top + at, y2: top + at, class: kind}));
    }
  };
  if (few) {
    lines(columns.whole, 1, width, true, "element");
    lines(rows.whole, 1, height, false, "element");
  }
  const notes = [];
  for (const [s, length, across] of [[columns, width, true], [rows, height, false]]) {
    if (!s.tile) continue;
    const step = Math.max(1, Math.ceil(s.whole / s.tile / (length / 8)));
    if (step > 1) notes.push(`one border of tiles in ${grouped(step)} is drawn ${across ? "across" : "down"}`);
    lines(s.whole, s.tile * step, length, across, "tile");
  }
  svg.append(mark("rect", {x: left, y: top, width, height, class: "outline"}),
    mark("text", {x: left, y: 14},
      `${label(columns)}${columns.whole === columns.size ? "" : `, padded to ${grouped(columns.whole)}`}`));
  [rows.d === undefined ? "" : `dim ${rows.d}:`, grouped(rows.size), rows.whole === rows.size ? "" : "padded to",
    rows.whole === rows.size ? "" : grouped(rows.whole)]
    .forEach((line, i) => svg.append(mark("text", {x: left - 4, y: top + 11 + 12 * i, "text-anchor": "end"}, line)));
  node.append(make("h3", {}, "The two most minor dimensions"), svg);
  const scale = (s, length) =>
    (s.whole > length ? `one pixel is ${grouped(Math.round(s.whole / length * 10) / 10)}` :
                        `one element is ${grouped(Math.round(length / s.whole * 10) / 10)} pixels`);
  notes.unshift(
    few ? "each small square is an element" : `scale: across ${scale(columns, width)}, down ${scale(rows, height)}`);
  if (columns.tile) notes.push(`thick lines: tiles of ${first.join(" by ")}`);
  if (combined) notes.push("the first tile joins dimensions: its borders are not drawn");
  if (columns.whole > columns.size || rows.whole > rows.size) notes.push("hatched: padding");
  const planes = order.slice(2).reduce((n, d) => n * (padded[d] ?? sizes[d]), 1);
  if (planes !== 1 && number(planes) !== null) notes.push(`${grouped(planes)} such planes`);
  node.append(make("p", {class: "dim"}, notes.join("; ") + "."));
  return node;
}

// Shows a row in the panel, with a link to it; `quietly`: nobody clicked.
function select(item, link = null, quietly = false) {
  chosen = item.name;
  for (const node of document.querySelectorAll("[data-name]")) {
    node.classList.toggle("selected", node.dataset.name === chosen);
  }
  const close = make("button", {class: "close"}, "Close");
  close.addEventListener("click", () => panel.close());
  const address = link === null ? "" : make("a", {href: `#${linkOf(link)}`, class: "link"}, "link");
  panel.replaceChildren(
    make("div", {class: "bar"}, make("h2", {class: "text"}, short(item.name) || "without a name"), address, close),
    definitions(item.facts), ...(item.more ?? []),
    ...item.shapes.filter(([, shape]) => shape).map(([caption, shape]) => explained(caption, shape)));
  panel.scrollTop = 0;
  if (narrow.matches && !panel.open && !quietly) panel.showModal();
}
const place = (v) => [["operation", [text(v.op), text(v.kind)].filter(Boolean).join(", ")],
  ["takes", text(v.operand), "mono text"], ["computation", text(v.computation), "mono text"],
  ["op_name", text(v.op_name), "mono text"], ["source", text(v.source), "mono text"],
  ["line of the dump", grouped(v.line)], ["runs", times(v)]];
function valueItem(v) {
  const better = object(v.better);
  const saved = positive(v.bytes) - positive(better.bytes);
  const shape = text(v.shape), at = shape.indexOf("{");
  return {
    name: text(v.name),
    facts: [
      ["bytes", bytes(v.bytes)], ["data", bytes(v.logical_bytes)], ["memory space", space(v.space)], ...place(v),
      ["better", text(better.layout) && `${text(better.layout)} takes ${bytes(better.bytes)}, ${bytes(saved)} less`]
    ],
    shapes: [["Shape", shape], ["Better",
      text(better.layout) && at > 0 ? shape.slice(0, at) + text(better.layout) : ""]]
  };
}
const relayoutItem = (r) => ({
  name: text(r.name),
  facts: [
    ["verdict", make("span", {}, verdict(r.verdict))], ["why", text(r.why)], ["bytes moved", bytes(r.bytes)],
    ["read", bytes(r.bytes_read)], ["written", bytes(r.bytes_written)], ...place(r)
  ],
  shapes: [["From", text(r.from)], ["To", text(r.to)]]
});
const lives = (b) =>
  (number(b.begin) === null || b.begin < 0 ? "always" : `steps ${grouped(b.begin)} to ${grouped(b.end)}`);
const blockItem = (b) => ({
  name: text(b.name),
  facts: [
    ["bytes", bytes(b.bytes)], ["use", text(b.use)], ["allocation", text(b.allocation)], ["offset", grouped(b.offset)],
    ["lives", lives(b)], ["written by", text(b.writer) && `${text(b.op)} ${text(b.writer)}`, "mono text"], ...place(b)
  ],
  shapes: [["Shape", text(b.shape)]]
});
// Arrays of one shape and use; `members` are the single arrays of the table's space, where there are some.
const groupItem = (members) => (g) => {
  const single = objects(members).filter((m) => m.shape === g.shape && m.use === g.use).slice(0, 100);
  return {
    name: text(list(object(list(g.origins)[0]).names)[0]) || text(g.shape),
    facts: [["bytes", bytes(g.bytes)], ["arrays", grouped(g.count)], ["use", text(g.use)]],
    more: [
      make("h3", {}, "Written by"), make("div", {class: "mono origins"}, ...origins(g, 100)),
      ...(single.length ? [
        make("h3", {}, "Where they are"),
        make("div", {class: "scroll"}, make("table", {class: "plain"},
          make("thead", {}, make("tr", {},
            ...["array", "allocation", "offset", "lives"].map((x) => make("th", {}, x)))),
          make("tbody", {}, ...single.map((m) => make("tr", {}, make("td", {class: "mono"}, broken(text(m.name))),
            ...[text(m.allocation), grouped(m.offset), lives(m)].map((x) => make("td", {}, x)))))))
      ] : [])
    ],
    shapes: [["Shape", text(g.shape)]]
  };
};
function verdict(word) {
  const known = ["moves", "duplicate", "space", "unproven", "free"].includes(word) ? word : "";
  return make("span", {class: `verdict ${known}`}, text(word) || "?");
}
