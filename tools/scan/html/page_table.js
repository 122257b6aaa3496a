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

const amount = (title, of, show = (v) => bytes(of(v))) => ({title, kind: "number", key: (v) => number(of(v)), show});
const words = (title, of, kind = "text") => ({title, kind, key: of, show: (v) => breakable(make("span"), of(v))});
const shaped = (title, of) => ({title, kind: "shape", key: of, show: (v) => breakable(make("span"), of(v))});
const field = (name) => (v) => text(v[name]);
const named = [
  words("op", field("op"), "op"), words("name", field("name"), "mono name"),
  words("op_name", field("op_name"), "mono path"), words("source", field("source"), "mono text"),
  {title: "times", kind: "number", key: (v) => number(v.times), show: times}
];
const better = (v) => (text(object(v.better).how) ? `${bytes(v.better.bytes)}: ${text(v.better.layout)}` : "");
const valueColumns = [
  amount("bytes", (v) => v.bytes), amount("data", (v) => v.logical_bytes),
  amount("factor", ratio, (v) => heated(ratio(v))), shaped("shape", field("shape")), words("better", better, "wide"),
  ...named
];
const relayoutColumns = [
  amount("bytes", (r) => r.bytes), {...words("verdict", field("verdict")), kind: "", show: (r) => verdict(r.verdict)},
  shaped("from", field("from")), shaped("to", field("to")), words("why", field("why"), "wide"), ...named
];
const memberColumns = [
  amount("bytes", (b) => b.bytes), words("use", field("use"), ""), words("name", field("name"), "mono name"),
  shaped("shape", field("shape")), amount("allocation", (b) => b.allocation, field("allocation")),
  amount("offset", (b) => b.offset, (b) => grouped(b.offset)),
  amount("from step", (b) => b.begin, (b) => grouped(b.begin)), amount("to step", (b) => b.end, (b) => grouped(b.end))
];

function table(where, title, rows, columns, item, note = "") {
  const filter = make("input", {type: "search", placeholder: "filter", "aria-label": `filter ${title}`});
  const shown = make("span", {class: "dim", role: "status"}), body = make("tbody"), head = make("tr");
  const entries = rows.map((row) => ({row, keys: columns.map((c) => c.key(row)), words: ""}));
  for (const entry of entries) entry.words = entry.keys.join("\n").toLowerCase();
  let order = entries, by = -1, down = true;
  const box = make("div", {class: "box"}, make("table", {}, make("thead", {}, head), body));
  const restart = roving(body, "tr");
  function fill() {
    const wanted = filter.value.trim().toLowerCase().split(/\s+/);
    const hits = order.filter((entry) => wanted.every((word) => entry.words.includes(word)));
    body.replaceChildren(...hits.slice(0, kMostRows).map(({row}) => {
      const name = text(row.name);
      const node = make("tr", {tabindex: "-1", "data-name": name, class: name === chosen ? "selected" : null},
        ...columns.map((c) => make("td", {class: c.kind}, c.show(row))));
      node.addEventListener("click", () => select(item(row)));
      return node;
    }));
    restart();
    shown.textContent = hits.length === rows.length && rows.length <= kMostRows ?
      count(rows.length, "row") :
      `${grouped(Math.min(hits.length, kMostRows))} of ${count(rows.length, "row")}`;
  }
  columns.forEach((column, i) => {
    const button = make("button", {title: `sort by ${column.title}`}, column.title);
    const cell = make("th", {class: column.kind, scope: "col"}, button);
    button.addEventListener("click", () => {
      down = by === i ? !down : column.kind === "number";
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
  where.append(make("div", {class: "bar"}, make("h2", {}, title), filter, shown, make("span", {class: "dim"}, note)),
    rows.length ? box : make("p", {class: "dim"}, "None."));
}
