// What texts say of memory: errors that it did not suffice, and tables of what is in use.
const stated = (x) => bytes(x, 2);  // as compilers write them
const sumOf = (b) => (number(b.stated) === null ? null : b.stated * Math.max(1, positive(b.count)));
const statedName = (b) => text(b.shape) || text(b.label) || "(no name)";
const statedWaste = (b) => {
  const {data, padding} = object(b.waste);
  return positive(data) && positive(padding) ? (data + padding) / data : null;
};
const otherNames = (b) => (positive(b.other_names) ? `and ${grouped(b.other_names)} with other names` : "");
// Where the bytes of the shape are not those that the text states, or there is no shape to be read.
function statedNote(b) {
  if (text(b.shape) && b.understood !== true) return "this shape was cut, or is none";
  return text(b.differs) && `the shape takes ${stated(b.bytes) || "0 B"}, stated are ${stated(b.stated)}: ${
    text(b.differs)}`;
}
const statedColumns = [
  column("bytes", sumOf, [part("bytes", (b) => stated(sumOf(b))),
    part("each", (b) => positive(b.count) > 1 && `${grouped(b.count)} x ${stated(b.stated)}`, "dim")], "number"),
  column("array", statedName,
    [part("shape", (b) => broken(statedName(b))), part("kind", field("kind"), "dim")], "shape"),
  column("name", (b) => text(b.label),
    [part("label", (b) => text(b.shape) && field("label")(b)), part("other_names", otherNames, "dim")], "mono name"),
  code,
  column("factor", statedWaste, [part("factor", (b) => statedWaste(b) && heated(statedWaste(b)))], "number"),
  column("padding", (b) => number(object(b.waste).padding),
    [part("padding", (b) => statedWaste(b) && `${stated(b.waste.padding)} of padding`),
      part("data", (b) => statedWaste(b) && `${stated(b.waste.data)} of data`, "dim")], "number"),
  column("better", (b) => text(object(b.better).layout) && positive(b.stated) - positive(b.better.bytes),
    [part("better_layout", (b) => broken(text(object(b.better).layout))),
      part("better_bytes", (b) => text(object(b.better).layout) && stated(b.better.bytes), "dim")],
    "mono better"),
  column("note", statedNote, [part("note", statedNote)], "why")
];
const statedItem = (b) => {
  const shape = text(b.shape), at = shape.indexOf("{"), better = object(b.better);
  return {
    name: b.name,
    facts: [
      ["stated", stated(b.stated)], ["rounded by", positive(b.rounding) ? `up to ${stated(b.rounding)}` : ""],
      ["arrays", positive(b.count) > 1 ? grouped(b.count) : ""], ["use", text(b.kind)],
      ["bytes of the shape", stated(b.bytes)], ["data", stated(b.logical_bytes)], ["note", statedNote(b)],
      ["op_name", text(b.op_name), "mono text"], ["other names", otherNames(b)],
      ["source", text(b.source), "mono text"], ["line of the text", grouped(b.line)]
    ],
    shapes: [["Shape", shape],
      ["Better", text(better.layout) && at > 0 ? shape.slice(0, at) + text(better.layout) : ""]]
  };
};

// "36.00 GiB of 15.75 GiB hbm: 20.25 GiB over"
function statedNumbers(r) {
  const name = text(r.space), has = number(r.available) !== null;
  if (number(r.needed) === null) return `the text does not say how much is needed: ${text(r.what)}`;
  if (!has)
    return `${stated(r.needed)} needed${name && ` of ${name}`}${
      r.failed === true ? "; how much there is, the text does not say" : ""}`;
  return `${stated(r.needed)} of ${stated(r.available)}${name && ` ${name}`}${
    number(r.over) === null ? "" : `: ${stated(r.over)} over`}`;
}

// All that is needed, and what the program itself needs, by its parts.
function statedParts(title, parts) {
  if (parts.length === 0) return "";
  const bodies = parts.slice(0, 100).map((p) => make("tr", {}, make("td", {"data-field": "part"}, text(p.name)),
    make("td", {class: "number", "data-field": "part_bytes"}, stated(p.bytes) || "not known"),
    number(p.unpadded) === null ? make("td") :
      make("td", {class: "number dim", "data-field": "part_data"}, `${stated(p.unpadded)} of data`)));
  return make("div", {class: "parts"}, make("h3", {}, title),
    make("table", {class: "plain"}, make("tbody", {}, ...bodies)));
}

function reports(where) {
  objects(data.reports).slice(0, 100).forEach((r, i) => {
    const line = (name, words, kind = "") =>
      (words ? make("p", {"data-field": name, class: `text ${kind}`}, words) : "");
    const to = where.appendChild(make("article", {class: "report"})), next = object(r.next);
    const place = [text(r.module), `${text(r.file)}, line ${grouped(r.line)}`].filter(Boolean).join("  ");
    to.append(make("div", {class: "bar"},
      make("h2", {"data-field": "title"}, r.failed === true ? "Out of memory" : "Memory"),
      make("span", {class: "dim text", "data-field": "place"}, place)),
      line("numbers", statedNumbers(r), r.failed === true ? "strong alarm" : "strong"),
      line("times", positive(r.times) > 1 && `the text says so ${grouped(r.times)} times`, "dim"),
      make("div", {class: "both"}, statedParts("All", objects(r.total)), statedParts("Program", objects(r.program))));
    const rows = objects(r.buffers).map((b) => ({...b, name: text(b.label) || text(b.shape)}));
    const filled = statedColumns.filter((c) => rows.some((b) => c.parts.some(({of}) => of(b))));
    const below = to.appendChild(make("div"));
    table(below, `report-${i + 1}`, "Largest", rows, filled, statedItem, `${stated(r.listed)} that the text lists`);
    more(below, r.buffers_left_out);
    to.append(
      line("unread", positive(r.unread) && `${count(r.unread, "line")} of its lists cut or not understood`, "alarm"),
      line("next", text(next.why)), ...list(next.commands).slice(0, 9).map(
        (command) => make("pre", {class: "command", "data-field": "command"}, text(command))));
  });
}
