function budgets(where) {
  const broken = objects(data.budgets).filter((b) => b.broken === true);
  where.hidden = broken.length === 0 && !problem;
  const value = (b, x) => (/waste|ratio/.test(text(b.budget)) ? factor(x) : bytes(x));
  where.replaceChildren(
    problem ? make("p", {}, make("strong", {}, problem)) : make("h2", {}, count(broken.length, "budget") + " broken"));
  for (const b of broken.slice(0, 100)) {
    where.append(make("div", {class: "text"}, make("strong", {}, `${text(b.budget)}: ${value(b, b.value)}`),
                   `, allowed ${value(b, b.limit)}, in ${text(b.module)}${
                     number(b.space) === null ? "" : `, memory space ${space(b.space)}`}${
                     text(b.why) ? `; ${text(b.why)}` : ""}`),
      make("ol", {},
        ...objects(b.worst).slice(0, 10).map((w) => make("li", {class: "mono"}, `${bytes(w.bytes)}  ${text(w.name)}  `,
                                               breakable(make("span"), text(w.text))))));
  }
}

function totals(where) {
  const t = object(current.totals), verdicts = object(current.verdicts),
        spaces = objects(object(current.peak).spaces);
  const stats = make("dl", {class: "stats"});
  const stat = (name, big, small, alarm) => big &&
    stats.append(make("div", {class: alarm ? "alarm" : ""}, make("dt", {}, name), make("dd", {class: "big"}, big),
      make("dd", {class: "dim text"}, small)));
  const sum = (key) => ["arguments", "values", "constants"].reduce((n, part) => n + positive(object(t[part])[key]), 0);
  for (const part of ["arguments", "outputs", "constants", "values"]) {
    const of = object(t[part]);
    if (t[part] === null) stat(part, "not known", "", true);
    stat(part, bytes(of.bytes), `${count(positive(of.arrays), "array")}, ${bytes(of.logical_bytes)} of data`);
  }
  stat("temporary", bytes(t.temp), "");
  stat("allocated", bytes(t.allocated), "");
  if (sum("logical_bytes") > 0)
    stat("waste factor", factor(sum("bytes") / sum("logical_bytes")),
      `${bytes(Math.max(0, sum("bytes") - sum("logical_bytes")))} are padding`,
      sum("bytes") > 2 * sum("logical_bytes"));
  const moved = object(verdicts.moves), same = object(verdicts.duplicate);
  stat("moved", bytes(positive(moved.bytes)), count(positive(moved.count), "relayout"));
  if (positive(same.count)) stat("copied for nothing", bytes(positive(same.bytes)), count(same.count, "duplicate"));
  const peak = spaces.filter((s) => number(s.peak_bytes) !== null).sort((a, b) => b.peak_bytes - a.peak_bytes)[0];
  if (peak)
    stat(`peak of ${space(peak.space, peak.name)}`, bytes(peak.peak_bytes),
      number(peak.peak_step) === null ? "" :
                                        `step ${grouped(peak.peak_step)}, ${short(text(peak.peak_instruction), 80)}`);
  stat("lines not understood", grouped(positive(current.unparsed)), "", positive(current.unparsed) > 0);
  where.append(stats);
  const rows = objects(t.by_space).slice(0, 64).map((s) => {
    const memory = spaces.find((m) => m.space === s.space) ?? {};
    return make("tr", {}, make("td", {}, space(s.space, text(s.name) || memory.name)),
      ...[grouped(s.arrays), bytes(s.bytes), bytes(s.logical_bytes), heated(ratio(s)), bytes(memory.allocated),
        bytes(memory.peak_bytes)]
        .map((x) => make("td", {class: "number"}, x)));
  });
  const head = ["memory space", "arrays", "bytes", "data", "factor", "allocated", "peak"].map(
    (x, i) => make("th", {class: i ? "number" : ""}, x));
  if (rows.length)
    where.append(make("div", {class: "scroll"},
      make("table", {class: "plain"}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))));
}

function show(module) {
  current = object(module);
  redraws = [];
  for (const id of ["totals", "map", "waste", "relayouts", "memory", "values", "unparsed"]) byId(id).replaceChildren();
  hint();
  byId("file").textContent = [
    text(current.file), text(current.format),
    `${grouped(positive(current.instructions))} instructions in ${
      count(positive(current.computations), "computation")}`,
    bytes(current.text_bytes)
  ].filter(Boolean).join(" \u00b7 ");
  totals(byId("totals"));
  treemap(byId("map"));
  const left = object(current.values_left_out);
  table(byId("waste"), "Waste", objects(current.waste), valueColumns, valueItem);
  table(byId("relayouts"), "Relayouts", objects(current.relayouts), relayoutColumns, relayoutItem,
    ["moves", "duplicate", "space", "unproven", "free"]
      .map((word) => [word, object(object(current.verdicts)[word])])
      .filter(([, v]) => positive(v.count))
      .map(([word, v]) => `${word} ${grouped(v.count)}${v.bytes ? `, ${bytes(v.bytes)}` : ""}`)
      .join("; "));
  const memory = byId("memory"), spaces = objects(object(current.peak).spaces).slice(0, 32);
  memory.append(make("h2", {}, "Memory over time"));
  if (spaces.length === 0)
    memory.append(make("p", {class: "dim"}, "No buffer assignment: neither offsets nor a peak are known."));
  for (const s of spaces) {
    chart(memory, s);
    if (list(s.members).length)
      table(memory.appendChild(make("details", {}, make("summary", {}, `At the peak of ${space(s.space, s.name)}`))),
        "Members", objects(s.members), memberColumns, blockItem);
  }
  table(byId("values"), "Values", objects(current.values), valueColumns, valueItem,
    positive(left.arrays) ? `${count(left.arrays, "smaller array")}, ${bytes(left.bytes)}, not listed` : "");
  const lines = objects(current.unparsed_lines).slice(0, 200);
  if (lines.length)
    byId("unparsed")
      .append(make("details", {}, make("summary", {}, `Lines not understood: ${grouped(positive(current.unparsed))}`),
        ...lines.map((l) => make("div", {class: "mono"},
                       make("span", {class: "dim"}, `${grouped(l.line)}: ${text(l.why)}: `), short(text(l.text))))));
  redraws.forEach((redraw) => redraw());
}

// The worst module first: broken budgets, then padding and bytes that move.
const cost = (m) => {
  const t = object(m.totals), v = object(m.verdicts);
  const padding = ["arguments", "values"].reduce(
    (n, part) => n + positive(object(t[part]).bytes) - positive(object(t[part]).logical_bytes), 0);
  return padding + positive(object(v.moves).bytes) + positive(object(v.duplicate).bytes);
};
const breaks = (m) => objects(data.budgets).filter((b) => b.broken === true && b.module === m.name).length;
const modules = objects(data.modules)
                  .map((m) => ({m, breaks: breaks(m), cost: cost(m)}))
                  .sort((a, b) => b.breaks - a.breaks || b.cost - a.cost)
                  .map(({m}) => m);
const choose = make("select", {"aria-label": "module"},
  ...modules.map((m, i) => make("option", {value: i},
                   `${short(text(m.name), 120) || "module"} (${bytes(cost(m))} padding and moved)`)));
choose.addEventListener("change", () => show(modules[choose.value]));
const links =
  [["map", "Arrays"], ["waste", "Waste"], ["relayouts", "Relayouts"], ["memory", "Memory"], ["values", "Values"]].map(
    ([id, name]) => make("a", {href: `#${id}`}, name));
byId("header").append(
  make("div", {class: "bar"},
    make("h1", {class: "text"},
      modules.length === 1 ? short(text(modules[0].name), 200) || "xlashape scan" : "xlashape scan"),
    modules.length > 1 ? make("label", {}, `${count(modules.length, "module")} `, choose) : "",
    text(data.target) && make("span", {}, `predicted for ${text(data.target)}`),
    make("nav", {"aria-label": "sections"}, ...links)),
  make("div", {id: "file", class: "dim text"}));
if (modules.length) document.title = `${short(text(modules[0].name), 80)} - xlashape scan`;
budgets(byId("budgets"));
dock();
show(modules[0]);
let seen = 0;
new ResizeObserver(([entry]) => {
  if (Math.abs(entry.contentRect.width - seen) < 1) return;
  seen = entry.contentRect.width;
  requestAnimationFrame(() => redraws.forEach((redraw) => redraw()));
}).observe(byId("main"));
