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
    const name = part === "outputs" ? "results" : part;
    if (t[part] === null) stat(name, "not known", "", true);
    stat(name, bytes(of.bytes), `${count(positive(of.arrays), "array")}, ${bytes(of.logical_bytes)} of data`);
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
  where.append(spaceTable(objects(t.by_space), spaces));
  if (positive(t.unsized))
    where.append(make("p", {class: "dim"}, `${count(t.unsized, "array")} without a known size: not counted.`));
}

// Of each memory space what is allocated and in use, and the arrays in it. Those of some bytes have one line together.
function spaceTable(sums, spaces) {
  const numbers = [...new Set([...sums, ...spaces].map((s) => s.space))].filter((n) => number(n) !== null).slice(0, 64);
  const of = (all, n) => all.find((s) => s.space === n) ?? {};
  const kLittle = 65536, much = spaces.some((s) => positive(s.allocated) >= kLittle);
  const little = numbers.filter((n) => much && number(of(spaces, n).allocated) !== null &&
    of(spaces, n).allocated < kLittle);
  const step = (m) => (number(m.peak_step) === null ? "" :
    `step ${grouped(m.peak_step)} of ${grouped(m.steps)} ${short(text(m.peak_instruction), 80)}`);
  const name = (n) => space(n, text(of(sums, n).name) || text(of(spaces, n).name));
  const told = numbers.filter((n) => !little.includes(n));
  const sized = (n) => number(of(spaces, n).allocated) !== null || number(of(spaces, n).peak_bytes) !== null;
  const columns = [  // without a buffer assignment only what is known of the arrays
    ...(told.some(sized) ? [["allocated", (n) => bytes(of(spaces, n).allocated)],
      ["peak", (n) => bytes(of(spaces, n).peak_bytes)], ["at", (n) => step(of(spaces, n))]] : []),
    ["arrays", (n) => grouped(of(sums, n).arrays)], ["bytes", (n) => bytes(of(sums, n).bytes)],
    ["data", (n) => bytes(of(sums, n).logical_bytes)], ["factor", (n) => heated(ratio(of(sums, n)))]
  ];
  const rows = told.map((n) => make("tr", {}, make("td", {}, name(n)),
    ...columns.map(([title, cell]) => make("td", {class: title === "at" ? "mono text" : "number"}, cell(n)))));
  const head = [make("th", {}, "memory space"),
    ...columns.map(([title]) => make("th", {class: title === "at" ? "" : "number"}, title))];
  const words = little.map((n) => `${name(n)} ${bytes(of(spaces, n).allocated)}`).join(", ");
  return make("div", {},
    rows.length ? make("div", {class: "scroll"},
      make("table", {class: "plain spaces"}, make("thead", {}, make("tr", {}, ...head)),
        make("tbody", {}, ...rows))) : "",
    words ? make("p", {class: "dim"}, `and ${words}`) : "");
}

// "52.12 GiB of 15.75 GiB hbm: 36.37 GiB over"
function fit(f) {
  // Arguments alone tell nothing but that they do not fit, and of small memories nobody wants to hear that they do.
  if ((f.exact !== true || f.space !== 0) && f.fits !== false) return "";
  const least = positive(f.available), most = positive(f.available_most), needed = positive(f.needed);
  const available = needed > least ? most : least;
  const stated = (x) => bytes(x, 2);
  const rest = needed > available ? `${stated(needed - available)} over` : `${stated(available - needed)} left`;
  const what = f.exact === true ? "" : "arguments alone: ";
  return `${what}${stated(needed)} of ${stated(available)} ${text(f.name)}: ${rest}` +
    (text(f.why) && `; but ${text(f.why)}`);
}

// What there is to know before any number.
function notes() {
  const target = text(current.target) || text(data.target);
  return [
    text(current.file), text(current.format),
    `${grouped(positive(current.instructions))} instructions in ${
      count(positive(current.computations), "computation")}`,
    bytes(current.text_bytes), current.layouts_predicted === true ? `layouts predicted for ${target}` : target,
    current.format === "stablehlo" && current.layouts_predicted !== true ?
      "without layouts: --target predicts them" : "",
    current.partitioned === false ? `shapes of ${grouped(current.partitions)} devices together, one has less` : ""
  ].filter(Boolean).join(" \u00b7 ");
}

const verdictNote = () => ["moves", "duplicate", "space", "unproven", "free"]
  .map((word) => [word, object(object(current.verdicts)[word])])
  .filter(([, v]) => positive(v.count))
  .map(([word, v]) => `${grouped(v.count)} ${word}${v.bytes ? ` (${bytes(v.bytes)})` : ""}`)
  .join(", ");

// The findings: what fills the section of each.
const findings = {
  undonated: (where) => {
    table(where, "undonated", "Not donated", objects(current.undonated).filter((v) => text(v.donation) !== "read"),
      undonatedColumns, valueItem,
      `${bytes(object(current.totals).undonated)} of arguments could share the memory of a result: where the caller ` +
        "does not need them afterwards, donate them (donate_argnums in jax)");
    more(where, current.undonated_left_out);
  },
  rewritten: (where) => {
    table(where, "rewritten", "Written again by a loop", objects(current.rewritten), rewrittenColumns, valueItem,
      `${bytes(object(current.totals).rewritten)} of results in memory of their own, while the loop reads an ` +
        "argument: donated as it is, nothing is saved; first carry it through the loop and write only what changes");
    more(where, current.rewritten_left_out);
  },
  relayouts: (where) => {
    const words = verdictNote();
    table(where, "relayouts", "Relayouts", objects(current.relayouts), relayoutColumns, relayoutItem,
      words ? `${words}; bytes read and written` : "");
    more(where, current.relayouts_left_out);
  },
  waste: (where) => {
    const sum = ["arguments", "constants", "values"].map((part) => object(object(current.totals)[part]))
                  .reduce((n, t) => n + positive(t.bytes) - positive(t.logical_bytes), 0);
    table(where, "waste", "Waste", objects(current.waste), wasteColumns, valueItem,
      `${bytes(sum)} of padding in arguments, constants and values`);
  },
  memory: (where) => {
    const order = objects(current.sections).filter((s) => s.finding === "peak").map((s) => s.space);
    const spaces = objects(object(current.peak).spaces).slice(0, 32);
    const rank = (s) => (order.includes(s.space) ? order.indexOf(s.space) : 99);
    const little = (s) => objects(current.sections).some(
      (x) => x.finding === "peak" && x.space === s.space && x.little === true);
    for (const s of spaces.sort((a, b) => rank(a) - rank(b))) {
      const id = `memory-${text(s.space)}`;
      const to = little(s) ? where.appendChild(make("details", {}, make("summary", {},
        `In ${space(s.space, s.name)} at the peak: less than 1 % of the memory`))) : where.appendChild(make("div"));
      chart(to, s);
      table(to, id, `In ${text(s.name) || space(s.space)} at the peak`, objects(s.groups), groupColumns,
        groupItem(s.members), number(s.peak_step) === null ? "all that is allocated, as the times are not known" : "");
      more(to, s.groups_left_out);
    }
  }
};
const titles = {undonated: "Not donated", rewritten: "Written again by a loop",
  relayouts: "Relayouts", waste: "Waste", memory: "Memory"};
function more(where, left) {
  if (positive(left) && where.querySelector("table"))
    where.append(make("p", {class: "dim"}, `and ${grouped(left)} more`));
}

function show(module) {
  current = object(module);
  redraws = [];
  links.clear();
  for (const id of ["reports", "totals", "findings", "map", "largest", "values", "unparsed", "sections"])
    byId(id).replaceChildren();
  panel.replaceChildren();
  reports(byId("reports"));
  if (module) program();
  redraws.forEach((redraw) => redraw());
  // The panel is never empty where there is a row.
  const rows = [...document.querySelectorAll(".box tbody tr")];
  const first = rows.find((row) => !row.closest("details")) ?? rows[0];
  if (first) links.get(first.dataset.link)(true);
}

// Of the module that is shown all but the reports.
function program() {
  byId("file").textContent = notes();
  const look = text(current.look_first) && `Look first: ${text(current.look_first)}`;
  byId("first").replaceChildren(...[...objects(current.fits).map(fit), look].filter(Boolean)
    .map((line) => make("span", {class: "line"}, line)));
  totals(byId("totals"));
  const sections = objects(current.sections).map((s) => ({...s, id: s.finding === "peak" ? "memory" : text(s.finding)}))
                     .filter((s) => Object.hasOwn(findings, s.id));
  const ids = [...new Set([...sections.map((s) => s.id), ...Object.keys(findings)])];
  const shown = [];
  for (const id of ids) {
    const of = sections.find((s) => s.id === id), little = of && of.little === true && id !== "memory";
    const section = byId("findings").appendChild(make("section", {id}));
    findings[id](little ? section.appendChild(make("details", {}, make("summary", {},
      `${titles[id]}: ${bytes(of.bytes)}, less than 1 % of the memory`))) : section);
    if (section.querySelector("table, svg")) shown.push([id, titles[id]]);
    else section.remove();
  }
  if (!shown.some(([id]) => id === "memory"))
    byId("findings").append(make("p", {class: "dim"}, "No buffer assignment: neither offsets nor a peak are known."));
  treemap(byId("map"));
  table(byId("largest"), "largest", "Largest arrays", objects(current.largest), groupColumns, groupItem([]));
  more(byId("largest"), current.largest_left_out);
  if (objects(current.values).length) {
    const one = byId("values").appendChild(make("details", {}, make("summary", {}, "All arrays one by one")));
    table(one, "values", "Arrays", objects(current.values), valueColumns, valueItem);
    more(one, current.values_left_out);
  }
  const lines = objects(current.unparsed_lines).slice(0, 200);
  if (lines.length)
    byId("unparsed")
      .append(make("details", {}, make("summary", {}, `Lines not understood: ${grouped(positive(current.unparsed))}`),
        ...lines.map((l) => make("div", {class: "mono"},
                       make("span", {class: "dim"}, `${grouped(l.line)}: ${text(l.why)}: `), short(text(l.text))))));
  const parts = [["reports", "Reports"], ...shown, ["map", "Arrays"], ["largest", "Largest"], ["values", "All"]];
  byId("sections").replaceChildren(...parts.filter(([id]) => byId(id) && byId(id).firstChild)
    .map(([id, name]) => make("a", {href: `#${id}`}, name)));
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
// Of a report without a program the program that it names.
const named = (modules.length ? modules : objects(data.reports)).map((m) => (modules.length ? m.name : m.module));
byId("header").append(
  make("div", {class: "bar"},
    make("h1", {class: "text"},
      named.length === 1 ? short(text(named[0]), 200) || "xlashape scan" : "xlashape scan"),
    modules.length > 1 ? make("label", {}, `${count(modules.length, "module")} `, choose) : "",
    make("nav", {id: "sections", "aria-label": "sections"})),
  make("div", {id: "file", class: "dim text"}), make("p", {id: "first", class: "text"}));
if (text(named[0])) document.title = `${short(text(named[0]), 80)} - xlashape scan`;
budgets(byId("budgets"));
dock();

// A link names the module, where there are several, the table and the row: "#jit_step/waste/copy.3".
const keys = modules.map((m, i) => {
  const name = text(m.name), nth = modules.slice(0, i).filter((other) => text(other.name) === name).length;
  return `${name}${nth ? `~${nth + 1}` : ""}/`;
});
const linkOf = (link) => ((modules.length > 1 ? keys[Math.max(0, modules.findIndex((m) => m === current))] : "") + link)
  .split("/").map(encodeURIComponent).join("/");
function follow() {
  let words;
  try {
    words = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const other = modules.length > 1 ? keys.findIndex((key) => words.startsWith(key)) : -1;
  if (other >= 0) {
    words = words.slice(keys[other].length);
    if (modules[other] !== current) {
      choose.value = other;
      show(modules[other]);
    }
  }
  links.get(words)?.(false);
}
show(modules[0]);
follow();
addEventListener("hashchange", follow);
let seen = 0;
new ResizeObserver(([entry]) => {
  if (Math.abs(entry.contentRect.width - seen) < 1) return;
  seen = entry.contentRect.width;
  requestAnimationFrame(() => redraws.forEach((redraw) => redraw()));
}).observe(byId("main"));
