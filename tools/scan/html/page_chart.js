const tip = byId("tip");
function tell(words, x, y) {
  tip.hidden = !words;
  tip.textContent = short(words, 900);
  if (!words) return;
  const {width, height} = tip.getBoundingClientRect();
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
function cell({x, y, width, height}, classes, fill, label, name, pick) {
  const gap = Math.min(0.5, width / 6, height / 6);  // neighbours stay apart
  const area = {x: x + gap, y: y + gap, width: width - 2 * gap, height: height - 2 * gap};
  const node = mark("rect", {
    ...area,
    class: `cell ${classes} ${name && name === chosen ? "selected" : ""}`,
    tabindex: "-1",
    role: "button",
    "aria-label": short(label),
    "data-name": name
  });
  if (fill) node.style.fill = fill;
  node.addEventListener("click", pick);
  return node;
}
const kLetter = 7;  // pixels that a letter takes at most, on average
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
      placed.push({
        item: items[i],
        ...(across ? {x: x + at, y, width: length, height: thick} : {x, y: y + at, width: thick, height: length})
      });
      at += length;
    }
    if (across)
      [y, height] = [y + thick, height - thick];
    else
      [x, width] = [x + thick, width - thick];
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
  // What is not listed has the bytes that the listed arrays leave of all.
  const sums = ["arguments", "constants", "values"].map((part) => object(object(current.totals)[part]));
  const listed = objects(current.values).filter((v) => v.kind !== "interior");
  const left = {
    arrays: positive(current.values_left_out),
    bytes: sums.reduce((n, t) => n + positive(t.bytes), 0) - listed.reduce((n, v) => n + positive(v.bytes), 0)
  };
  if (left.arrays === 0) left.bytes = 0;
  const ways = {
    all: sorted,
    arguments: sorted.filter((v) => v.kind === "argument"),
    values: sorted.filter((v) => v.kind !== "argument"),
    "by memory space": sorted
  };
  const svg = mark("svg", {class: "chart", role: "group", "aria-label": "arrays by bytes, coloured by waste"});
  let way = "all";
  const restart = roving(svg, ".cell");
  function show() {
    const width = Math.max(200, svg.clientWidth || where.clientWidth), height = width < 600 ? 260 : 320;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    svg.replaceChildren();
    const groups = new Map();
    const group = (key) => groups.get(key) ?? groups.set(key, {key, items: [], size: 0, arrays: 0, rest: 0}).get(key);
    for (const v of ways[way]) {
      const to = group(way === "by memory space" ? space(v.space) || "memory space not known" : "");
      to.size += v.bytes;
      if (to.items.length < kMostCells)
        to.items.push({v, size: v.bytes});
      else
        [to.arrays, to.rest] = [to.arrays + 1, to.rest + v.bytes];
    }
    if (way === "all") {
      const to = group("");
      to.arrays += positive(left.arrays);
      to.rest += positive(left.bytes);
      to.size += positive(left.bytes);
    }
    const whole = [...groups.values()];
    for (const {items, arrays, rest} of whole) {
      if (rest > 0) items.push({v: null, arrays, size: rest});
      items.sort((a, b) => b.size - a.size);
    }
    for (const outer of squarify(whole.sort((a, b) => b.size - a.size), 0, 0, width, height)) {
      const title = outer.item.key ? 16 : 0;
      if (title && outer.width > 60 && outer.height > 18)
        svg.append(mark("text", {x: outer.x + 4, y: outer.y + 12}, `${outer.item.key}  ${bytes(outer.item.size)}`));
      for (const {item, ...area} of squarify(
             outer.item.items, outer.x, outer.y + title, outer.width, outer.height - title)) {
        const v = item.v, x = v && ratio(v);
        const label = v ? `${text(v.name)}\n${bytes(v.bytes)}, ${bytes(v.logical_bytes)} of data, ${factor(x)}\n${
                            text(v.shape)}\n${text(v.op)} ${text(v.op_name)} ${text(v.source)}` :
                          `${count(item.arrays, "smaller array")}, ${bytes(item.size)}: not drawn`;
        svg.append(v ? cell(area, "", colour(x), label, text(v.name), () => select(valueItem(v))) :
                       cell(area, "other", "", label, "", () => {}));
        const letters = Math.floor((area.width - 8) / kLetter);
        const lines =
          v ? [text(v.name), `${bytes(v.bytes)} ${factor(x)}`, text(v.shape)] : ["not drawn", bytes(item.size)];
        lines.slice(0, Math.floor((area.height - 4) / 13)).forEach((line, i) => {
          if (letters > 4)
            svg.append(mark("text", {x: area.x + 4, y: area.y + 13 + 13 * i, class: v ? on(x) : ""},
              line.length > letters ? line.slice(0, letters - 1) + "\u2026" : line));
        });
      }
    }
    if (!svg.querySelector(".cell")) svg.append(mark("text", {x: 8, y: 20}, "None of the listed arrays."));
    restart();
  }
  const choices = Object.keys(ways).map((key) => {
    const button = make("button", {"aria-pressed": String(key === way)}, key);
    button.addEventListener("click", () => {
      way = key;
      choices.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      show();
    });
    return button;
  });
  where.append(make("div", {class: "bar"}, make("h2", {}, "Arrays by bytes"),
                 make("span", {role: "group", "aria-label": "which arrays"}, ...choices),
                 make("span", {class: "legend dim"}, "waste 1x", make("i"), "8x and more")),
    svg);
  tells(svg, (node) => node.getAttribute("aria-label") ?? "");
  redraws.push(show);
}

// What programs can have of a memory space on the target; two numbers where its name does not say whether both cores of
// a chip compute as one.
function limitsOf(s) {
  const fit = objects(current.fits).find((f) => number(f.space) !== null && f.space === s.space);
  const target = (text(current.target) || text(data.target)).split(":").pop();
  if (!fit || positive(fit.available) === 0) return [];
  const limit = (size, cores) => ({size, name: `${bytes(size, 2)} ${text(fit.name)} of ${target}${cores}`});
  return positive(fit.available_most) > fit.available ?
    [limit(fit.available, ", one core"), limit(fit.available_most, ", both cores as one")] :
    [limit(fit.available, "")];
}
const kReach = 3;  // a limit that is as many times the peak would leave no curve to see
function limitWords({size, name}, peak, allocated, drawn) {
  if (peak > size) return `the peak is ${bytes(peak - size, 2)} over ${name}`;
  const percent = Math.floor(peak / size * 1000) / 10;
  return `the peak is ${percent < 0.1 ? "less than 0.1" : fixed(percent, 1)} % of ${name}${
    drawn && size > kReach * peak ? ", which is far above the chart" : ""}${
    positive(allocated) > size ? `, but what is allocated is ${bytes(allocated - size, 2)} over` : ""}`;
}

// Memory over time: the bytes occupied at each step, and below it where they are.
function chart(where, s) {
  const points =
    list(s.timeline).filter((p) => number(list(p)[0]) !== null && number(p[1]) !== null).sort((a, b) => a[0] - b[0]);
  const blocks = objects(s.blocks).filter((b) => positive(b.bytes) > 0).sort((a, b) => b.bytes - a.bytes),
        drawn = blocks.slice(0, kMostBlocks);
  const allocations = objects(s.allocations).filter((a) => positive(a.bytes) > 0);
  if (points.length === 0 && (drawn.length === 0 || allocations.length === 0)) return;
  let size = 0;
  const bases = new Map();
  for (const a of allocations) {
    bases.set(a.number, size);
    size += a.bytes;
  }
  const last = points.length ? points[points.length - 1][0] : 0;
  const steps =
    drawn.reduce((most, b) => Math.max(most, positive(b.end) + 1), Math.max(1, positive(s.steps), last + 1));
  const peak =
    points.reduce((best, p) => (p[1] > best[1] ? p : best), [number(s.peak_step), number(s.peak_bytes) ?? 0]);
  const limits = limitsOf(s), lines = limits.filter((limit) => limit.size <= kReach * peak[1]);
  const high = Math.max(1, peak[1], ...lines.map((limit) => limit.size));
  const at = (step) => {  // the bytes at a step, by halving
    let low = 0, end = points.length;
    while (low < end) {
      const middle = (low + end) >> 1;
      if (points[middle][0] <= step)
        low = middle + 1;
      else
        end = middle;
    }
    return low ? points[low - 1][1] : null;
  };
  const svg = mark(
    "svg", {class: "chart", role: "group", "aria-label": `memory space ${space(s.space, s.name)} over the schedule`});
  const restart = roving(svg, ".cell");
  const floor = 112, base = points.length ? 130 : 8, tall = drawn.length && size > 0 ? 280 : 0,
        height = base + tall + 22, left = 66;
  let X = (step) => step, width = 300;
  const cross = mark("line", {class: "cross", y1: 14, y2: base + tall, visibility: "hidden"});
  function show() {
    width = Math.max(260, svg.clientWidth || where.clientWidth);
    X = (step) => left + Math.min(1, Math.max(0, step / steps)) * (width - left - 8);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("height", height);
    svg.replaceChildren();
    let peakLine = "";  // over all blocks
    const scale = (bottom, most, room) => {
      const every = 2 ** Math.max(0, Math.ceil(Math.log2(most / (room / 28))));
      for (let b = 0; b <= most; b += every) {
        const y = bottom - b / most * room;
        svg.append(mark("line", {x1: left, x2: width - 8, y1: y, y2: y, class: "axis"}),
          mark("text", {x: left - 5, y: y + 4, "text-anchor": "end", class: "faint"}, bytes(b)));
      }
    };
    if (points.length) {
      scale(floor, high, 84);
      const Y = (b) => floor - b / high * 84;
      const area = (bottom) => {  // of what is in use, as far as it is above `bottom`
        const line = points.map((p) => `H${X(p[0]).toFixed(1)}V${Math.min(bottom, Y(p[1])).toFixed(1)}`).join("");
        return `M${X(points[0][0])} ${bottom}${line}H${X(steps)}V${bottom}Z`;
      };
      svg.append(mark("path", {class: "level", d: area(floor)}));
      for (const limit of lines) {
        // The peak has its words on the other side.
        const y = Y(limit.size), early = peak[0] !== null && X(peak[0]) < width / 2;
        if (peak[1] > limit.size) svg.append(mark("path", {class: "over", d: area(y)}));
        svg.append(mark("line", {x1: left, x2: width - 8, y1: y, y2: y, class: "limit-line"}),
          mark("text", {class: "limit-name", x: early ? width - 12 : left + 4, y: y > floor - 16 ? y - 4 : y + 12,
            "text-anchor": early ? "end" : "start"}, limit.name));
      }
      if (peak[0] !== null) {
        const x = X(peak[0] + 0.5), middle = x > width / 2;
        peakLine = mark("line", {x1: x, x2: x, y1: 16, y2: base + tall, class: "peak-line"});
        svg.append(mark("circle", {cx: x, cy: Y(peak[1]), r: 4, class: "peak-dot"}));
        const words = `peak ${bytes(peak[1])} at step ${grouped(peak[0])}${
          peak[0] === s.peak_step ? ` ${short(text(s.peak_instruction), 40)}` : ""}`;
        const label = mark("text", {x: x + (middle ? -8 : 8), y: 14, "text-anchor": middle ? "end" : "start"}, words);
        svg.append(label);
        const box = label.getBBox();  // in a narrow window it starts at the edge
        if (box.x < 2 || box.x + box.width > width) set(label, {x: 2, "text-anchor": "start"}, []);
      }
    }
    if (tall) {
      scale(base + tall, size, tall);
      for (const b of drawn) {
        if (!bases.has(b.allocation)) continue;
        const live = number(b.begin) !== null && b.begin >= 0, x = live ? X(b.begin) : left,
              end = live ? X(positive(b.end) + 1) : width - 8;
        const high = Math.max(0.5, b.bytes / size * tall),
              y = base + tall - (bases.get(b.allocation) + positive(b.offset)) / size * tall - high;
        const info = shapeOf(text(b.shape));
        svg.append(
          cell({x, y: Math.max(base, y), width: Math.max(1, end - x), height: high}, "", colour(info ? ratio(info) : 1),
            `${text(b.name)}\n${bytes(b.bytes)} at offset ${grouped(b.offset)} of allocation ${text(b.allocation)}, ${
              lives(b)}\n${text(b.shape)}`,
            text(b.name), () => select(blockItem(b))));
        const letters = Math.floor((end - x - 6) / kLetter), name = text(b.name);
        if (high > 13 && letters > 4)
          svg.append(mark("text", {x: x + 4, y: y + high / 2 + 4, class: info ? on(ratio(info)) : ""},
            name.length > letters ? name.slice(0, letters - 1) + "\u2026" : name));
      }
    }
    const fifth = steps / (width < 500 ? 3 : 8), ten = 10 ** Math.floor(Math.log10(fifth)),
          every = Math.max(1, [1, 2, 5, 10].find((m) => m * ten >= fifth) * ten);
    for (let step = 0; step < steps; step += every)
      svg.append(mark("text", {x: X(step), y: height - 6, "text-anchor": step ? "middle" : "start", class: "faint"},
        step ? grouped(step) : "step 0"));
    svg.append(peakLine, cross);
    restart();
  }
  tells(svg, (node, event) => {
    const about = node.getAttribute("aria-label") ?? "";
    if (!event) return about;
    const step = Math.floor((event.clientX - svg.getBoundingClientRect().left - left) / (width - left - 8) * steps);
    const inside = step >= 0 && step < steps;
    set(cross, {
      visibility: inside ? "visible" : "hidden",
      x1: event.clientX - svg.getBoundingClientRect().left,
      x2: event.clientX - svg.getBoundingClientRect().left
    },
      []);
    return [
      inside && `step ${grouped(step)}${points.length ? `: ${bytes(at(step))} occupied` : ""}`,
      node.classList.contains("cell") && about
    ].filter(Boolean)
      .join("\n");
  });
  svg.addEventListener("pointerleave", () => cross.setAttribute("visibility", "hidden"));
  const out = positive(s.blocks_left_out) + blocks.length - drawn.length;
  where.append(make("div", {class: "bar"}, make("h3", {}, `Memory space ${space(s.space, s.name)}`),
                 make("span", {class: "dim"},
                   `${bytes(s.allocated)} allocated, peak ${bytes(s.peak_bytes)}${
                     out ? `; ${count(out, "smaller block")} not drawn` : ""}`),
                 ...(peak[1] > 0 ? limits : []).map((limit) => make("span",
                   {class: Math.max(peak[1], positive(s.allocated)) > limit.size ? "limit alarm" : "limit dim"},
                   limitWords(limit, peak[1], s.allocated, points.length > 0)))),
    svg);
  redraws.push(show);
}
