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
    const to = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: nodes.length - 1
    }[event.key];
    if (event.key === "Enter" || event.key === " ")
      event.target.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    else if (to === undefined)
      return;
    else if (nodes[to])
      stop(nodes[to]).focus();
    event.preventDefault();
  });
  box.addEventListener("click", (event) => {
    const node = event.target.closest(selector);
    if (node) stop(node);
  });
  return () => all().slice(0, 1).forEach(stop);
}

// A table's column: its title, what it is sorted by, and the parts of its cells, each a fact with the name of a field.
const column = (title, key, parts, kind = "") => ({title, key, parts, kind});
const part = (name, of, kind = "") => ({name, of, kind});
const broken = (x) => (x ? breakable(make("span"), x) : "");
const field = (name) => (v) => broken(text(v[name]));
const said = (name, before) => (v) => (text(v[name]) ? make("span", {}, before, field(name)(v)) : "");

// "src/model/attention.py:14" in the table, all of it in the panel.
function source(v) {
  const all = text(v.source), end = all.split("/").slice(-2).join("/");
  return all && make("span", {title: all === end ? null : all}, broken(end));
}

const who = (v) => (text(v.op) === text(v.name) ? text(v.name) : `${text(v.op)} ${text(v.name)}`);
function times(v) {
  if (v.times === null || v.times_known === false) return "in each iteration";
  return number(v.times) === null || v.times === 1 ? "" : `${grouped(v.times)} times`;
}
const code = column("code", (v) => `${text(v.source)} ${text(v.op_name)}`,
  [part("source", source, "strong"), part("op_name", field("op_name"))], "mono code");
const instruction = column("instruction", (v) => text(v.name),
  [part("instruction", (v) => broken(who(v))), part("operand", said("operand", "of "), "dim"),
    part("times", times, "dim")],
  "mono name");
const array = column("array", (v) => text(v.shape),
  [part("shape", field("shape")), part("kind", (v) => (text(v.kind) === "value" ? "" : text(v.kind)), "dim")], "shape");
const factors = column("factor", ratio, [part("factor", (v) => heated(ratio(v)))], "number");
const wasted = (v) => positive(v.bytes) - positive(v.logical_bytes);

const wasteColumns = [
  column("waste", wasted, [part("wasted", (v) => bytes(wasted(v))),
    part("bytes", (v) => `of ${bytes(v.bytes)}`, "dim")],
    "number"),
  factors, array, instruction, code,
  column("better", (v) => number(object(v.better).bytes) === null ? null : positive(v.bytes) - v.better.bytes,
    [part("better_layout", (v) => broken(text(object(v.better).layout))),
      part("better_bytes", (v) => text(object(v.better).layout) && bytes(v.better.bytes), "dim"),
      part("better_moved", (v) => positive(object(v.better).moved) ?
        `may move ${bytes(v.better.moved)} in each run` : "",
        "dim")],
    "mono better")
];
const undonatedColumns = [
  column("bytes", (v) => number(v.bytes), [part("bytes", (v) => bytes(v.bytes))], "number"),
  column("array", (v) => text(v.shape), [part("shape", field("shape"))], "shape"),
  column("argument", (v) => text(v.name), [part("name", field("name"))], "mono name"),
  column("path", (v) => text(v.op_name), [part("op_name", field("op_name"))], "mono code")
];
const rewrittenColumns = [
  ...undonatedColumns,
  column("by", (v) => text(object(v.blocked_by).name),
    [part("by", (v) => broken(who(object(v.blocked_by)))),
      part("by_source", (v) => source(object(v.blocked_by)), "strong"),
      part("by_op_name", (v) => field("op_name")(object(v.blocked_by)))], "mono code")
];
const valueColumns = [
  column("bytes", (v) => number(v.bytes),
    [part("bytes", (v) => bytes(v.bytes)), part("data", (v) => `${bytes(v.logical_bytes)} of data`, "dim")], "number"),
  factors, array, instruction, code
];
const relayoutColumns = [
  column("bytes", (r) => number(r.bytes),
    [part("bytes", (r) => (r.in_fusion === true ? "in a fusion" : bytes(r.bytes)))], "number"),
  column("verdict", (r) => text(r.verdict), [part("verdict", (r) => verdict(r.verdict))], "verdict-cell"),
  column("layouts", (r) => text(r.from),
    [part("from", field("from")), part("to", (r) => make("span", {}, "\u2192 ", field("to")(r)))], "shape"),
  column("why", (r) => text(r.why), [part("why", field("why")), part("remedy", field("remedy"), "strong")], "why"),
  instruction, code
];

const kMostOrigins = 6;
const base = (name) => name.replace(/\{[^{}]*\}$/, "");
function names(o) {
  const shown = list(o.names).map(text).slice(0, 4);
  const left = positive(o.count) - shown.length;
  return shown.join(", ") + (left > 0 ? ` and ${grouped(left)} more` : "");
}
const originParts = [
  part("names", (o) => broken(names(o))),
  part("writer", (o) => {
    const first = text(list(o.names)[0]);
    return text(o.writer) && base(first) !== text(o.writer) ? make("span", {}, "by ", field("writer")(o)) : "";
  }, "dim"),
  part("operand", said("operand", "of "), "dim"), part("source", source, "strong"),
  part("op_name", field("op_name"))
];
// Who writes the arrays of a group, one line of code below the other.
function origins(group, most) {
  const all = objects(group.origins), shown = all.slice(0, most);
  const told = shown.reduce((n, o) => n + positive(o.count), 0), left = positive(group.count) - told;
  return [
    ...shown.map((o) => make("div", {class: "origin"}, ...facts(o, originParts))),
    left > 0 ? make("div", {class: "dim"}, `and ${grouped(left)} from elsewhere`) : ""
  ];
}
const each = (g) => (positive(g.count) > 1 ? `${grouped(g.count)} x ${bytes(positive(g.bytes) / g.count)}` : "");
const groupColumns = [
  column("bytes", (g) => number(g.bytes), [part("bytes", (g) => bytes(g.bytes)), part("each", each, "dim")], "number"),
  column("array", (g) => text(g.shape),
    [part("shape", field("shape")), part("use", (g) => (text(g.use) === "value" ? "" : text(g.use)), "dim")], "shape"),
  {...column("written by", (g) => objects(g.origins).map((o) => text(o.source) + text(o.op_name)).join(), [],
    "mono code"),
    cell: (g) => origins(g, kMostOrigins)}
];

const facts = (row, parts) =>
  parts.map(({name, of, kind}) => [name, of(row), kind])
    .filter(([, shown]) => shown)
    .map(([name, shown, kind]) => make("div", {class: kind || null, "data-field": name}, shown));

const links = new Map();  // from the part of a link behind "#" to what selects the row

function table(where, id, title, rows, columns, item, note = "") {
  if (rows.length === 0) return;
  const filter = make("input", {type: "search", placeholder: "filter", "aria-label": `filter ${title}`});
  const shown = make("span", {class: "dim", role: "status"}), body = make("tbody"), head = make("tr");
  const seen = new Map();
  const entries = rows.map((row) => {
    const name = text(row.name) || text(list(object(list(row.origins)[0]).names)[0]) || text(row.shape);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return {row, name, link: `${id}/${name}${nth > 1 ? `~${nth}` : ""}`,
      keys: columns.map((c) => c.key(row)), words: ""};
  });
  for (const entry of entries) entry.words = JSON.stringify(entry.row).toLowerCase();
  let order = entries, by = -1, down = true;
  const box = make("div", {class: "box"}, make("table", {id: `${id}-rows`}, make("thead", {}, head), body));
  const restart = roving(body, "tr");
  function fill() {
    const wanted = filter.value.trim().toLowerCase().split(/\s+/);
    const hits = order.filter((entry) => wanted.every((word) => entry.words.includes(word)));
    body.replaceChildren(...hits.slice(0, kMostRows).map((entry) => {
      const node = make("tr", {tabindex: "-1", "data-name": entry.name, "data-link": entry.link,
        class: entry.name === chosen ? "selected" : null},
        ...columns.map((c) => make("td", {class: c.kind || null, "data-title": c.title},
          ...(c.cell ? c.cell(entry.row) : facts(entry.row, c.parts)))));
      node.addEventListener("click", () => select(item(entry.row), entry.link));
      return node;
    }));
    restart();
    shown.textContent = hits.length === rows.length && rows.length <= kMostRows ?
      count(rows.length, "row") :
      `${grouped(Math.min(hits.length, kMostRows))} of ${count(rows.length, "row")}`;
  }
  for (const entry of entries)
    links.set(entry.link, (quietly) => {
      const node = [...body.children].find((one) => one.dataset.link === entry.link);
      const details = quietly ? null : node?.closest("details");
      if (details) details.open = true;
      select(item(entry.row), entry.link, quietly);
      if (!quietly) node?.scrollIntoView({block: "center"});
    });
  columns.forEach((column, i) => {
    const button = make("button", {title: `sort by ${column.title}`}, column.title);
    const cell = make("th", {class: column.kind || null, scope: "col"}, button);
    button.addEventListener("click", () => {
      const numbers = column.kind === "number" || column.title === "better";
      down = by === i ? !down : numbers;
      by = i;
      const sign = down ? -1 : 1;
      const known = entries.filter(({keys}) => keys[i] !== null && keys[i] !== ""),
            rest = entries.filter(({keys}) => keys[i] === null || keys[i] === "");
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
  where.append(make("div", {class: "bar"}, make("h2", {}, title), rows.length > 5 ? filter : "", shown,
    note ? make("span", {class: "dim"}, note) : ""), box);
}
