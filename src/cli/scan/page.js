"use strict";
(() => {
  // What the scan wrote. Nothing in it is trusted: each value goes through one of these, and texts only become text nodes.
  const byId = (id) => document.getElementById(id);
  const list = (x) => (Array.isArray(x) ? x : []);
  const object = (x) => (x !== null && typeof x === "object" && !Array.isArray(x) ? x : {});
  const objects = (x) => list(x).map(object);
  const number = (x) => (typeof x === "number" && Number.isFinite(x) ? x : null);
  const integers = (x) => list(x).slice(0, 256).map(number);
  const positive = (x) => Math.max(0, number(x) ?? 0);
  const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  const escaped = (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
  const text = (x) => (typeof x === "string" ? x.replace(hidden, escaped) : number(x) !== null ? String(x) : "");
  const short = (x, most = 600) => (x.length > most ? x.slice(0, most) + " ..." : x);

  const kMostRows = 2000, kMostCells = 400, kMostBlocks = 3000;  // of one table, treemap, chart: a browser draws these at once

  function set(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  }
  const make = (tag, attributes = {}, ...children) => set(document.createElement(tag), attributes, children);
  const namespace = byId("marks").namespaceURI;
  const mark = (tag, attributes = {}, ...children) => set(document.createElementNS(namespace, tag), attributes, children);

  const grouped = (x) => (number(x) === null ? "" : x.toLocaleString("en-US", { maximumFractionDigits: 3 }));
  function bytes(x) {
    let value = number(x), unit = 0;
    if (value === null) return "";
    if (Math.abs(value) < 1024) return `${grouped(value)} B`;
    for (; Math.abs(value) >= 1023.95 && unit < 6; ++unit) value /= 1024;
    return `${value.toFixed(1)} ${["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][unit]}`;
  }
  const factor = (x) => (number(x) === null ? "" : `${x.toFixed(x < 100 ? 2 : x < 10000 ? 1 : 0)}x`);
  const ratio = (v) => number(v.waste_ratio) ?? (positive(v.logical_bytes) > 0 ? positive(v.bytes) / v.logical_bytes : null);
  const heat = (x) => Math.min(1, Math.max(0, Math.log2(Math.max(1, number(x) ?? 1)) / 3));  // 1 at 8x
  const colour = (x) => `color-mix(in oklab, var(--hot) ${(heat(x) * 100).toFixed(0)}%, var(--cold))`;
  const on = (x) => (heat(x) > 0.55 ? "on-hot" : "");
  const times = (v) => (number(v.times) !== null && v.times_known !== false ? grouped(v.times) :
    v.times === null || v.times_known === false ? "per iteration" : "");
  const count = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
  const space = (n, name) => (number(n) === null ? "" : `S(${n})` + (text(name) ? ` ${short(text(name), 40)}` : ""));

  function breakable(node, shape) {  // lines may end before a layout and after a comma or a slash
    for (const part of short(shape).split(/(?=\{)|(?<=[,/])/)) node.append(part, make("wbr"));
    return node;
  }
  function heated(x) {
    const node = make("span", { class: `heat ${on(x)}` }, factor(x));
    if (number(x) !== null) node.style.background = colour(x);
    return node;
  }

  let data, problem = "";
  try {
    data = object(JSON.parse(byId("scan").textContent));
    if (data.xlashape_scan !== 1) problem = `The data of this page has version ${text(data.xlashape_scan) || "none"}, not 1.`;
  } catch (error) {
    data = {};
    problem = `The data of this page could not be read: ${error.message}`;
  }
  let current = {};  // the module that is shown

  // The panel: what was selected.

  const narrow = window.matchMedia("(max-width: 1099px)");
  const panel = byId("panel");
  const hint = () => panel.replaceChildren(make("p", { class: "dim" }, "Select a row or a rectangle: its shape is explained and drawn here."));
  function dock() {  // beside the page where it is wide enough; otherwise a dialog over it
    if (panel.open) panel.close();
    if (!narrow.matches) panel.setAttribute("open", "");
  }
  narrow.addEventListener("change", dock);

  function definitions(rows) {
    const node = make("dl");
    for (const [name, value, kind] of rows) {
      if (value) node.append(make("dt", {}, name), make("dd", { class: kind ?? "text" }, value));
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
      const where = place < 0 ? "" : place === 0 ? "most minor: contiguous" : place === sizes.length - 1 ? "most major" : `minor, place ${place + 1}`;
      const grown = (padded[i] ?? size) !== size;
      body.append(make("tr", {}, ...[i, grouped(size), grouped(padded[i] ?? size), where].map((x, column) =>
        make("td", { class: column < 3 ? "number" : "" }, column === 2 && grown ? make("strong", {}, String(x)) : String(x)))));
    });
    const head = ["dimension", "size", "padded", "in memory"].map((x, i) => make("th", { class: i < 3 ? "number" : "" }, x));
    return make("div", { class: "scroll" }, make("table", { class: "plain" }, make("thead", {}, make("tr", {}, ...head)), body));
  }

  function explained(caption, name) {
    const node = make("div", {}, make("h3", {}, caption), breakable(make("div", { class: "shape whole" }), short(name, 4000)));
    const info = shapeOf(name);
    if (!info) return node;
    const order = integers(info.minor_to_major), sizes = integers(info.dimensions);
    const tiles = list(info.tiles).slice(0, 16).map((tile) => `(${list(tile).slice(0, 32).map((x) => (positive(x) ? text(x) : "*")).join(",")})`);
    const words = order.length > 1 ? order.map((d) => `${d} (${grouped(sizes[d])})`).join(", then ") : "";
    node.append(definitions([
      ["element type", text(info.element_type)], ["order", words && `from the most minor: dimension ${words}`],
      ["tiles", tiles.join(", each in tiles of ") || "none"], ["bytes", bytes(info.bytes)], ["data", bytes(info.logical_bytes)],
      ["waste", number(ratio(info)) === null ? "" : heated(ratio(info))], ["memory space", space(info.space)]]));
    node.append(dimensionTable(info));
    const lines = list(info.words).slice(0, 40).map(text).filter(Boolean);
    if (lines.length) node.append(make("ul", {}, ...lines.map((line) => make("li", { class: "text" }, line))));
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
      return { d, size, tile, whole: Math.max(size, padded[d] ?? (tile ? Math.ceil(size / tile) * tile : size)) };
    };
    const columns = side(0), rows = side(1);
    if (columns.whole === 0 || rows.whole === 0) return node;
    const left = 64, top = 20, room = 290, few = columns.whole <= 64 && rows.whole <= 64;
    // Where all elements can be told apart each is a square; otherwise each side has its own scale.
    const square = Math.min(16, room / columns.whole, 280 / rows.whole);
    const width = few ? Math.max(square * columns.whole, 8) : room;
    const height = few ? Math.max(square * rows.whole, 8) : Math.min(220, Math.max(24, rows.whole * 12));
    // Padding too thin to be seen gets two pixels.
    const inner = (s, length) => (s.size === s.whole ? length : Math.min(length - 2, Math.max(s.size ? 2 : 0, length * s.size / s.whole)));
    const w = inner(columns, width), h = inner(rows, height);
    const label = (s) => (s.d === undefined ? "one" : `dim ${s.d}: ${grouped(s.size)}`);
    const svg = mark("svg", { class: "chart", viewBox: `0 0 364 ${height + top + 8}`, role: "img", "aria-label":
      `${label(columns)} of ${grouped(columns.whole)} across, ${label(rows)} of ${grouped(rows.whole)} down` });
    svg.append(mark("rect", { x: left, y: top, width, height, fill: "url(#hatch)" }), mark("rect", { x: left, y: top, width: w, height: h, class: "array" }));
    const lines = (n, every, length, across, kind) => {
      for (let i = every; i < n; i += every) {
        const at = i / n * length;
        svg.append(mark("line", across ? { x1: left + at, x2: left + at, y1: top, y2: top + height, class: kind } :
          { x1: left, x2: left + width, y1: top + at, y2: top + at, class: kind }));
      }
    };
    if (few) {
      lines(columns.whole, 1, width, true, "element");
      lines(rows.whole, 1, height, false, "element");
    }
    const notes = [];
    for (const [s, length, across] of [[columns, width, true], [rows, height, false]]) {
      if (!s.tile) continue;
      const step = Math.max(1, Math.ceil(s.whole / s.tile / (length / 5)));
      if (step > 1) notes.push(`every ${grouped(step)}. border of tiles ${across ? "across" : "down"} is drawn`);
      lines(s.whole, s.tile * step, length, across, "tile");
    }
    svg.append(mark("rect", { x: left, y: top, width, height, class: "outline" }),
      mark("text", { x: left, y: 14 }, `${label(columns)}${columns.whole === columns.size ? "" : `, padded to ${grouped(columns.whole)}`}`));
    [rows.d === undefined ? "" : `dim ${rows.d}:`, grouped(rows.size), rows.whole === rows.size ? "" : "padded to", rows.whole === rows.size ? "" : grouped(rows.whole)]
      .forEach((line, i) => svg.append(mark("text", { x: left - 4, y: top + 11 + 12 * i, "text-anchor": "end" }, line)));
    node.append(make("h3", {}, "The two most minor dimensions"), svg);
    const scale = (s, length) => (s.whole > length ? `one pixel is ${grouped(Math.round(s.whole / length * 10) / 10)}` : `one element is ${grouped(Math.round(length / s.whole * 10) / 10)} pixels`);
    notes.unshift(few ? "each small square is an element" : `scale: across ${scale(columns, width)}, down ${scale(rows, height)}`);
    if (columns.tile) notes.push(`thick lines: tiles of ${first.join(" by ")}`);
    if (combined) notes.push("the first tile joins dimensions: its borders are not drawn");
    if (columns.whole > columns.size || rows.whole > rows.size) notes.push("hatched: padding");
    const planes = order.slice(2).reduce((n, d) => n * (padded[d] ?? sizes[d]), 1);
    if (planes !== 1) notes.push(`${grouped(planes)} such planes`);
    node.append(make("p", { class: "dim" }, notes.join("; ") + "."));
    return node;
  }

  function select(item) {
    document.querySelectorAll(".selected").forEach((node) => node.classList.remove("selected"));
    for (const node of document.querySelectorAll("[data-name]")) {
      if (node.dataset.name === item.name) node.classList.add("selected");
    }
    const close = make("button", { class: "close" }, "Close");
    close.addEventListener("click", () => panel.close());
    panel.replaceChildren(make("div", { class: "bar" }, make("h2", { class: "text" }, short(item.name) || "without a name"), close), definitions(item.facts),
      ...item.shapes.filter(([, shape]) => shape).map(([caption, shape]) => explained(caption, shape)));
    panel.scrollTop = 0;
    if (narrow.matches && !panel.open) panel.showModal();
  }
  const place = (v) => [["operation", [text(v.op), text(v.kind)].filter(Boolean).join(", ")], ["computation", text(v.computation), "mono text"],
    ["op_name", text(v.op_name), "mono text"], ["source", text(v.source), "mono text"], ["line of the dump", grouped(v.line)], ["times", times(v)]];
  function valueItem(v) {
    const better = object(v.better);
    const saved = positive(v.bytes) - positive(better.bytes);
    return { name: text(v.name), facts: [["bytes", bytes(v.bytes)], ["data", bytes(v.logical_bytes)], ["memory space", space(v.space)], ...place(v),
      ["better", text(better.how) && `${bytes(better.bytes)}, ${bytes(saved)} less: ${text(better.how)}`]],
      shapes: [["Shape", text(v.shape)], ["Better", text(better.shape)]] };
  }
  const relayoutItem = (r) => ({ name: text(r.name), facts: [["verdict", make("span", {}, verdict(r.verdict))], ["why", text(r.why)], ["bytes moved", bytes(r.bytes)],
    ["read", bytes(r.bytes_read)], ["written", bytes(r.bytes_written)], ...place(r)], shapes: [["From", text(r.from)], ["To", text(r.to)]] });
  const lives = (b) => (number(b.begin) === null || b.begin < 0 ? "always" : `steps ${grouped(b.begin)} to ${grouped(b.end)}`);
  const blockItem = (b) => ({ name: text(b.name), facts: [["bytes", bytes(b.bytes)], ["use", text(b.use)], ["allocation", text(b.allocation)], ["offset", grouped(b.offset)],
    ["lives", lives(b)]], shapes: [["Shape", text(b.shape)]] });
  function verdict(word) {
    const known = ["moves", "duplicate", "space", "unproven", "free"].includes(word) ? word : "";
    return make("span", { class: `verdict ${known}` }, text(word) || "?");
  }

  // Tables, rows and rectangles that one reaches by keys.

  function roving(box, selector) {  // one stop for Tab; the arrows go from one to the next
    const all = () => [...box.querySelectorAll(selector)];
    const stop = (node) => {
      all().forEach((other) => other.setAttribute("tabindex", other === node ? "0" : "-1"));
      return node;
    };
    box.addEventListener("keydown", (event) => {
      const nodes = all(), at = nodes.indexOf(event.target);
      if (at < 0) return;
      const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: nodes.length - 1 }[event.key];
      if (event.key === "Enter" || event.key === " ") event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      else if (to === undefined) return;
      else if (nodes[to]) stop(nodes[to]).focus();
      event.preventDefault();
    });
    box.addEventListener("click", (event) => {
      const node = event.target.closest(selector);
      if (node) stop(node);
    });
    return () => all().slice(0, 1).forEach(stop);
  }

  const amount = (title, of, show = (v) => bytes(of(v))) => ({ title, kind: "number", key: (v) => number(of(v)), show });
  const words = (title, of, kind = "text") => ({ title, kind, key: of, show: (v) => breakable(make("span"), of(v)) });
  const shaped = (title, of) => ({ title, kind: "shape", key: of, show: (v) => breakable(make("span"), of(v)) });
  const field = (name) => (v) => text(v[name]);
  const named = [words("op", field("op")), words("name", field("name"), "mono name"), words("op_name", field("op_name"), "mono path"), words("source", field("source"), "mono text"),
    { title: "times", kind: "number", key: (v) => number(v.times), show: times }];
  const better = (v) => (text(object(v.better).how) ? `${bytes(v.better.bytes)}: ${text(v.better.how)}` : "");
  const valueColumns = [amount("bytes", (v) => v.bytes), amount("data", (v) => v.logical_bytes), amount("factor", ratio, (v) => heated(ratio(v))),
    shaped("shape", field("shape")), ...named, words("better", better, "wide")];
  const relayoutColumns = [amount("bytes", (r) => r.bytes), { ...words("verdict", field("verdict")), kind: "", show: (r) => verdict(r.verdict) },
    shaped("from", field("from")), shaped("to", field("to")), words("why", field("why"), "wide"), ...named];
  const memberColumns = [amount("bytes", (b) => b.bytes), words("use", field("use"), ""), words("name", field("name"), "mono name"), shaped("shape", field("shape")),
    amount("allocation", (b) => b.allocation, field("allocation")), amount("offset", (b) => b.offset, (b) => grouped(b.offset)), amount("from step", (b) => b.begin, (b) => grouped(b.begin)), amount("to step", (b) => b.end, (b) => grouped(b.end))];

  function table(where, title, rows, columns, item, note = "") {
    const filter = make("input", { type: "search", placeholder: "filter", "aria-label": `filter ${title}` });
    const shown = make("span", { class: "dim", role: "status" }), body = make("tbody"), head = make("tr");
    const entries = rows.map((row) => ({ row, keys: columns.map((c) => c.key(row)), words: "" }));
    for (const entry of entries) entry.words = entry.keys.join("\n").toLowerCase();
    let order = entries, by = -1, down = true;
    const box = make("div", { class: "box" }, make("table", {}, make("thead", {}, head), body));
    const restart = roving(body, "tr");
    function fill() {
      const wanted = filter.value.trim().toLowerCase().split(/\s+/);
      const hits = order.filter((entry) => wanted.every((word) => entry.words.includes(word)));
      body.replaceChildren(...hits.slice(0, kMostRows).map(({ row }) => {
        const node = make("tr", { tabindex: "-1", "data-name": text(row.name) }, ...columns.map((c) => make("td", { class: c.kind }, c.show(row))));
        node.addEventListener("click", () => select(item(row)));
        return node;
      }));
      restart();
      shown.textContent = hits.length === rows.length && rows.length <= kMostRows ? count(rows.length, "row") : `${grouped(Math.min(hits.length, kMostRows))} of ${count(rows.length, "row")}`;
    }
    columns.forEach((column, i) => {
      const button = make("button", { title: `sort by ${column.title}` }, column.title);
      const cell = make("th", { class: column.kind, scope: "col" }, button);
      button.addEventListener("click", () => {
        down = by === i ? !down : column.kind === "number";
        by = i;
        const sign = down ? -1 : 1;
        const known = entries.filter(({ keys }) => keys[i] !== null && keys[i] !== ""), rest = entries.filter(({ keys }) => keys[i] === null || keys[i] === "");
        order = [...known.sort((a, b) => (a.keys[i] < b.keys[i] ? -sign : a.keys[i] > b.keys[i] ? sign : 0)), ...rest];
        head.querySelectorAll("th").forEach((other) => {
          other.removeAttribute("aria-sort");
          other.firstChild.textContent = columns[[...head.children].indexOf(other)].title;
        });
        cell.setAttribute("aria-sort", down ? "descending" : "ascending");
        button.textContent = `${column.title} ${down ? "\u25be" : "\u25b4"}`;
        fill();
      });
      head.append(cell);
    });
    filter.addEventListener("input", fill);
    fill();
    where.append(make("div", { class: "bar" }, make("h2", {}, title), filter, shown, make("span", { class: "dim" }, note)), rows.length ? box : make("p", { class: "dim" }, "None."));
  }

  const tip = byId("tip");
  function tell(words, x, y) {
    tip.hidden = !words;
    tip.textContent = short(words, 900);
    if (!words) return;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`;
    tip.style.top = `${y + 18 + height > innerHeight ? Math.max(4, y - height - 12) : y + 18}px`;
  }
  function tells(svg, about) {
    svg.addEventListener("pointermove", (event) => tell(about(event.target, event), event.clientX, event.clientY));
    svg.addEventListener("pointerleave", () => tell(""));
    svg.addEventListener("focusin", (event) => {
      const at = event.target.getBoundingClientRect();
      tell(about(event.target, null), at.left, at.top);
    });
    svg.addEventListener("focusout", () => tell(""));
  }
  function cell(area, classes, fill, label, name, pick) {
    const node = mark("rect", { ...area, class: `cell ${classes}`, tabindex: "-1", role: "button", "aria-label": short(label), "data-name": name });
    if (fill) node.style.fill = fill;
    node.addEventListener("click", pick);
    return node;
  }
  let redraws = [];  // charts follow the width of the page

  // Squarified treemap: rows of rectangles along the shorter side, each as long as that improves its worst aspect ratio.
  function squarify(items, x, y, width, height) {
    const placed = [];
    let rest = items.reduce((sum, item) => sum + item.size, 0);
    for (let first = 0, end; first < items.length && width > 0 && height > 0; first = end) {
      const side = Math.min(width, height), scale = width * height / rest;
      let sum = 0, worst = Infinity;
      for (end = first; end < items.length; ++end) {
        const thick = (sum + items[end].size) * scale / side;
        const aspect = Math.max(items[first].size * scale / thick / thick, thick / (items[end].size * scale / thick));
        if (end > first && aspect > worst) break;
        worst = aspect;
        sum += items[end].size;
      }
      const thick = sum * scale / side, across = width < height;
      for (let i = first, at = 0; i < end; ++i) {
        const length = items[i].size / sum * side;
        placed.push({ item: items[i], ...(across ? { x: x + at, y, width: length, height: thick } : { x, y: y + at, width: thick, height: length }) });
        at += length;
      }
      if (across) [y, height] = [y + thick, height - thick];
      else [x, width] = [x + thick, width - thick];
      rest -= sum;
    }
    return placed;
  }

  function treemap(where) {
    const all = new Map();  // both tables, each array once
    for (const v of [...objects(current.values), ...objects(current.waste)]) {
      if (positive(v.bytes) > 0) all.set(`${text(v.computation)}\n${text(v.name)}\n${text(v.shape)}`, v);
    }
    const sorted = [...all.values()].sort((a, b) => b.bytes - a.bytes);
    if (sorted.length === 0) return;
    const left = object(current.values_left_out);
    const ways = { all: sorted, arguments: sorted.filter((v) => v.kind === "argument"), values: sorted.filter((v) => v.kind !== "argument"), "by memory space": sorted };
    const svg = mark("svg", { class: "chart", role: "group", "aria-label": "arrays by bytes, coloured by waste" });
    let way = "all";
    const restart = roving(svg, ".cell");
    function show() {
      const width = Math.max(200, svg.clientWidth || where.clientWidth), height = width < 600 ? 260 : 320;
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      svg.replaceChildren();
      const groups = new Map();
      for (const v of ways[way]) {
        const key = way === "by memory space" ? space(v.space) || "memory space not known" : "";
        groups.set(key, [...(groups.get(key) ?? []).slice(0, kMostCells), v]);
      }
      const rests = new Map();
      const whole = [...groups].map(([key, values]) => {
        const items = values.slice(0, kMostCells).map((v) => ({ v, size: v.bytes }));
        rests.set(key, items);
        if (key === "" && way === "all" && positive(left.bytes) > 0) items.push({ v: null, size: left.bytes });
        return { key, items: items.sort((a, b) => b.size - a.size), size: items.reduce((sum, i) => sum + i.size, 0) };
      });
      for (const outer of squarify(whole.sort((a, b) => b.size - a.size), 0, 0, width, height)) {
        const title = outer.item.key ? 16 : 0;
        if (title && outer.width > 60 && outer.height > 18) svg.append(mark("text", { x: outer.x + 4, y: outer.y + 12 }, `${outer.item.key}  ${bytes(outer.item.size)}`));
        for (const { item, ...area } of squarify(outer.item.items, outer.x, outer.y + title, outer.width, outer.height - title)) {
          const v = item.v, x = v && ratio(v);
          const label = v ? `${text(v.name)}\n${bytes(v.bytes)}, ${bytes(v.logical_bytes)} of data, ${factor(x)}\n${text(v.shape)}\n${text(v.op)} ${text(v.op_name)} ${text(v.source)}` :
            `${count(positive(left.arrays), "smaller array")}, ${bytes(left.bytes)}: not listed`;
          svg.append(v ? cell(area, "", colour(x), label, text(v.name), () => select(valueItem(v))) : cell(area, "other", "", label, "", () => {}));
          const letters = Math.floor((area.width - 8) / 6.4);
          const lines = v ? [text(v.name), `${bytes(v.bytes)} ${factor(x)}`, text(v.shape)] : ["not listed", bytes(left.bytes)];
          lines.slice(0, Math.floor((area.height - 4) / 13)).forEach((line, i) => {
            if (letters > 4) svg.append(mark("text", { x: area.x + 4, y: area.y + 13 + 13 * i, class: v ? on(x) : "" }, line.length > letters ? line.slice(0, letters - 1) + "\u2026" : line));
          });
        }
      }
      if (!svg.querySelector(".cell")) svg.append(mark("text", { x: 8, y: 20 }, "None of the listed arrays."));
      restart();
    }
    const choices = Object.keys(ways).map((key) => {
      const button = make("button", { "aria-pressed": String(key === way) }, key);
      button.addEventListener("click", () => {
        way = key;
        choices.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
        show();
      });
      return button;
    });
    where.append(make("div", { class: "bar" }, make("h2", {}, "Arrays by bytes"), make("span", { role: "group", "aria-label": "which arrays" }, ...choices),
      make("span", { class: "legend dim" }, "waste 1x", make("i"), "8x and more")), svg);
    tells(svg, (node) => node.getAttribute("aria-label") ?? "");
    redraws.push(show);
  }

  // Memory over time: the bytes occupied at each step, and below it where they are.
  function chart(where, s) {
    const points = list(s.timeline).filter((p) => number(list(p)[0]) !== null && number(p[1]) !== null).sort((a, b) => a[0] - b[0]);
    const blocks = objects(s.blocks).filter((b) => positive(b.bytes) > 0).sort((a, b) => b.bytes - a.bytes), drawn = blocks.slice(0, kMostBlocks);
    const allocations = objects(s.allocations).filter((a) => positive(a.bytes) > 0);
    if (points.length === 0 && (drawn.length === 0 || allocations.length === 0)) return;
    let size = 0;
    const bases = new Map();
    for (const a of allocations) {
      bases.set(a.number, size);
      size += a.bytes;
    }
    const last = points.length ? points[points.length - 1][0] : 0;
    const steps = drawn.reduce((most, b) => Math.max(most, positive(b.end) + 1), Math.max(1, positive(s.steps), last + 1));
    const peak = points.reduce((best, p) => (p[1] > best[1] ? p : best), [number(s.peak_step), number(s.peak_bytes) ?? 0]);
    const high = Math.max(1, peak[1]);
    const at = (step) => {  // the bytes at a step, by halving
      let low = 0, end = points.length;
      while (low < end) {
        const middle = (low + end) >> 1;
        if (points[middle][0] <= step) low = middle + 1;
        else end = middle;
      }
      return low ? points[low - 1][1] : null;
    };
    const svg = mark("svg", { class: "chart", role: "group", "aria-label": `memory space ${space(s.space, s.name)} over the schedule` });
    const restart = roving(svg, ".cell");
    const base = points.length ? 130 : 8, tall = drawn.length && size > 0 ? 280 : 0, height = base + tall + 22, left = 66;
    let X = (step) => step, width = 300;
    const cross = mark("line", { class: "cross", y1: 14, y2: base + tall, visibility: "hidden" });
    function show() {
      width = Math.max(260, svg.clientWidth || where.clientWidth);
      X = (step) => left + Math.min(1, Math.max(0, step / steps)) * (width - left - 8);
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      svg.replaceChildren();
      const scale = (bottom, most, room) => {
        const every = 2 ** Math.max(0, Math.ceil(Math.log2(most / (room / 28))));
        for (let b = 0; b <= most; b += every) {
          const y = bottom - b / most * room;
          svg.append(mark("line", { x1: left, x2: width - 8, y1: y, y2: y, class: "axis" }), mark("text", { x: left - 5, y: y + 4, "text-anchor": "end", class: "faint" }, bytes(b)));
        }
      };
      if (points.length) {
        scale(112, high, 84);
        const Y = (b) => 112 - b / high * 84;
        const line = points.map((p) => `H${X(p[0]).toFixed(1)}V${Y(p[1]).toFixed(1)}`).join("");
        svg.append(mark("path", { class: "level", d: `M${X(points[0][0])} 112${line}H${X(steps)}V112Z` }));
        if (peak[0] !== null) {
          const x = X(peak[0] + 0.5), middle = x > width / 2;
          svg.append(mark("line", { x1: x, x2: x, y1: 16, y2: base + tall, class: "peak-line" }), mark("circle", { cx: x, cy: Y(peak[1]), r: 4, class: "peak-dot" }));
          const words = `peak ${bytes(peak[1])} at step ${grouped(peak[0])}${peak[0] === s.peak_step ? ` ${short(text(s.peak_instruction), 40)}` : ""}`;
          svg.append(mark("text", { x: x + (middle ? -8 : 8), y: 14, "text-anchor": middle ? "end" : "start" }, words));
        }
      }
      if (tall) {
        scale(base + tall, size, tall);
        for (const b of drawn) {
          if (!bases.has(b.allocation)) continue;
          const live = number(b.begin) !== null && b.begin >= 0, x = live ? X(b.begin) : left, end = live ? X(positive(b.end) + 1) : width - 8;
          const high = Math.max(0.5, b.bytes / size * tall), y = base + tall - (bases.get(b.allocation) + positive(b.offset)) / size * tall - high;
          const info = shapeOf(text(b.shape));
          svg.append(cell({ x, y: Math.max(base, y), width: Math.max(1, end - x), height: high }, "", colour(info ? ratio(info) : 1),
            `${text(b.name)}\n${bytes(b.bytes)} at offset ${grouped(b.offset)} of allocation ${text(b.allocation)}, ${lives(b)}\n${text(b.shape)}`, text(b.name), () => select(blockItem(b))));
          const letters = Math.floor((end - x - 6) / 6.4), name = text(b.name);
          if (high > 13 && letters > 4) svg.append(mark("text", { x: x + 4, y: y + high / 2 + 4, class: info ? on(ratio(info)) : "" }, name.length > letters ? name.slice(0, letters - 1) + "\u2026" : name));
        }
      }
      const fifth = steps / (width < 500 ? 3 : 8), ten = 10 ** Math.floor(Math.log10(fifth)), every = Math.max(1, [1, 2, 5, 10].find((m) => m * ten >= fifth) * ten);
      for (let step = 0; step < steps; step += every) svg.append(mark("text", { x: X(step), y: height - 6, "text-anchor": step ? "middle" : "start", class: "faint" }, step ? grouped(step) : "step 0"));
      svg.append(cross);
      restart();
    }
    tells(svg, (node, event) => {
      const about = node.getAttribute("aria-label") ?? "";
      if (!event) return about;
      const step = Math.floor((event.clientX - svg.getBoundingClientRect().left - left) / (width - left - 8) * steps);
      const inside = step >= 0 && step < steps;
      set(cross, { visibility: inside ? "visible" : "hidden", x1: event.clientX - svg.getBoundingClientRect().left, x2: event.clientX - svg.getBoundingClientRect().left }, []);
      return [inside && `step ${grouped(step)}${points.length ? `: ${bytes(at(step))} occupied` : ""}`, node.classList.contains("cell") && about].filter(Boolean).join("\n");
    });
    svg.addEventListener("pointerleave", () => cross.setAttribute("visibility", "hidden"));
    const out = positive(s.blocks_left_out) + blocks.length - drawn.length;
    where.append(make("div", { class: "bar" }, make("h3", {}, `Memory space ${space(s.space, s.name)}`),
      make("span", { class: "dim" }, `${bytes(s.allocated)} allocated, peak ${bytes(s.peak_bytes)}${out ? `; ${count(out, "smaller block")} not drawn` : ""}`)), svg);
    redraws.push(show);
  }

  function budgets(where) {
    const broken = objects(data.budgets).filter((b) => b.broken === true);
    where.hidden = broken.length === 0 && !problem;
    const value = (b, x) => (/waste|ratio/.test(text(b.budget)) ? factor(x) : bytes(x));
    where.replaceChildren(problem ? make("p", {}, make("strong", {}, problem)) : make("h2", {}, count(broken.length, "budget") + " broken"));
    for (const b of broken.slice(0, 100)) {
      where.append(make("div", { class: "text" }, make("strong", {}, `${text(b.budget)}: ${value(b, b.value)}`), `, allowed ${value(b, b.limit)}, in ${text(b.module)}${number(b.space) === null ? "" : `, memory space ${space(b.space)}`}`),
        make("ol", {}, ...objects(b.worst).slice(0, 10).map((w) => make("li", { class: "mono" }, `${bytes(w.bytes)}  ${text(w.name)}  `, breakable(make("span"), text(w.text))))));
    }
  }

  function totals(where) {
    const t = object(current.totals), verdicts = object(current.verdicts), spaces = objects(object(current.memory).spaces);
    const stats = make("dl", { class: "stats" });
    const stat = (name, big, small, alarm) => big && stats.append(make("div", { class: alarm ? "alarm" : "" }, make("dt", {}, name), make("dd", { class: "big" }, big), make("dd", { class: "dim text" }, small)));
    const sum = (key) => ["arguments", "values", "constants"].reduce((n, part) => n + positive(object(t[part])[key]), 0);
    for (const part of ["arguments", "outputs", "constants", "values"]) {
      const of = object(t[part]);
      stat(part, bytes(of.bytes), `${count(positive(of.arrays), "array")}, ${bytes(of.logical_bytes)} of data`);
    }
    stat("temporary", bytes(t.temporary), "");
    stat("allocated", bytes(t.allocated), "");
    if (sum("logical_bytes") > 0) stat("waste factor", factor(sum("bytes") / sum("logical_bytes")), `${bytes(Math.max(0, sum("bytes") - sum("logical_bytes")))} are padding`, sum("bytes") > 2 * sum("logical_bytes"));
    const moved = object(verdicts.moves), same = object(verdicts.duplicate);
    stat("moved", bytes(positive(moved.bytes)), count(positive(moved.count), "relayout"));
    if (positive(same.count)) stat("copied for nothing", bytes(positive(same.bytes)), count(same.count, "duplicate"));
    const peak = spaces.filter((s) => number(s.peak_bytes) !== null).sort((a, b) => b.peak_bytes - a.peak_bytes)[0];
    if (peak) stat(`peak of ${space(peak.space, peak.name)}`, bytes(peak.peak_bytes), number(peak.peak_step) === null ? "" : `step ${grouped(peak.peak_step)}, ${short(text(peak.peak_instruction), 80)}`);
    stat("lines not understood", grouped(positive(current.unparsed)), "", positive(current.unparsed) > 0);
    where.append(stats);
    const rows = objects(t.by_space).slice(0, 64).map((s) => {
      const memory = spaces.find((m) => m.space === s.space) ?? {};
      return make("tr", {}, make("td", {}, space(s.space, text(s.name) || memory.name)), ...[grouped(s.arrays), bytes(s.bytes), bytes(s.logical_bytes), heated(ratio(s)), bytes(memory.allocated), bytes(memory.peak_bytes)]
        .map((x) => make("td", { class: "number" }, x)));
    });
    const head = ["memory space", "arrays", "bytes", "data", "factor", "allocated", "peak"].map((x, i) => make("th", { class: i ? "number" : "" }, x));
    if (rows.length) where.append(make("div", { class: "scroll" }, make("table", { class: "plain" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))));
  }

  function show(module) {
    current = object(module);
    redraws = [];
    for (const id of ["totals", "map", "waste", "relayouts", "memory", "values", "unparsed"]) byId(id).replaceChildren();
    hint();
    byId("file").textContent = [text(current.file), text(current.format), `${grouped(positive(current.instructions))} instructions in ${count(positive(current.computations), "computation")}`, bytes(current.text_bytes)].filter(Boolean).join(" \u00b7 ");
    totals(byId("totals"));
    treemap(byId("map"));
    const left = object(current.values_left_out);
    table(byId("waste"), "Waste", objects(current.waste), valueColumns, valueItem);
    table(byId("relayouts"), "Relayouts", objects(current.relayouts), relayoutColumns, relayoutItem, ["moves", "duplicate", "space", "unproven", "free"].map((word) => [word, object(object(current.verdicts)[word])])
      .filter(([, v]) => positive(v.count)).map(([word, v]) => `${word} ${grouped(v.count)}${v.bytes ? `, ${bytes(v.bytes)}` : ""}`).join("; "));
    const memory = byId("memory"), spaces = objects(object(current.memory).spaces).slice(0, 32);
    memory.append(make("h2", {}, "Memory over time"));
    if (spaces.length === 0) memory.append(make("p", { class: "dim" }, "No buffer assignment: neither offsets nor a peak are known."));
    for (const s of spaces) {
      chart(memory, s);
      if (list(s.members).length) table(memory.appendChild(make("details", {}, make("summary", {}, `At the peak of ${space(s.space, s.name)}`))), "Members", objects(s.members), memberColumns, blockItem);
    }
    table(byId("values"), "Values", objects(current.values), valueColumns, valueItem, positive(left.arrays) ? `${count(left.arrays, "smaller array")}, ${bytes(left.bytes)}, not listed` : "");
    const lines = objects(current.unparsed_lines).slice(0, 200);
    if (lines.length) byId("unparsed").append(make("details", {}, make("summary", {}, `Lines not understood: ${grouped(positive(current.unparsed))}`),
      ...lines.map((l) => make("div", { class: "mono" }, make("span", { class: "dim" }, `${grouped(l.line)}: ${text(l.why)}: `), short(text(l.text))))));
    redraws.forEach((redraw) => redraw());
  }

  // The worst module first: broken budgets, then padding and bytes that move.
  const cost = (m) => {
    const t = object(m.totals), v = object(m.verdicts);
    const padding = ["arguments", "values"].reduce((n, part) => n + positive(object(t[part]).bytes) - positive(object(t[part]).logical_bytes), 0);
    return padding + positive(object(v.moves).bytes) + positive(object(v.duplicate).bytes);
  };
  const breaks = (m) => objects(data.budgets).filter((b) => b.broken === true && b.module === m.name).length;
  const modules = objects(data.modules).map((m) => ({ m, breaks: breaks(m), cost: cost(m) })).sort((a, b) => b.breaks - a.breaks || b.cost - a.cost).map(({ m }) => m);
  const choose = make("select", { "aria-label": "module" }, ...modules.map((m, i) => make("option", { value: i }, `${short(text(m.name), 120) || "module"} (${bytes(cost(m))} padding and moved)`)));
  choose.addEventListener("change", () => show(modules[choose.value]));
  const links = [["map", "Arrays"], ["waste", "Waste"], ["relayouts", "Relayouts"], ["memory", "Memory"], ["values", "Values"]].map(([id, name]) => make("a", { href: `#${id}` }, name));
  byId("header").append(make("div", { class: "bar" }, make("h1", { class: "text" }, modules.length === 1 ? short(text(modules[0].name), 200) || "xlashape scan" : "xlashape scan"), modules.length > 1 ? make("label", {}, `${count(modules.length, "module")} `, choose) : "",
    text(data.target) && make("span", {}, `predicted for ${text(data.target)}`), make("nav", { "aria-label": "sections" }, ...links)), make("div", { id: "file", class: "dim text" }));
  budgets(byId("budgets"));
  dock();
  show(modules[0]);
  let seen = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - seen) < 1) return;
    seen = entry.contentRect.width;
    requestAnimationFrame(() => redraws.forEach((redraw) => redraw()));
  }).observe(byId("main"));
})();
