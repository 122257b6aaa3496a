#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables and pictures of docs/performance.md, from the results in docs/performance/*.csv.

    page.py                          checks that page, pictures and results agree; ends with `N passed, M failed`
    page.py --write                  makes tables and pictures anew
    page.py --rows RESULT.json...    prints what `bench --json` measured as such a file, without its first lines

A file begins with lines `# name: value` (title, machine, date, commit, note), then a head, then a row for each case:
its set and class, the megabytes read and written, B, B with both arrays 16 bytes after a line, B of a measured plan,
and the B of each peer. An empty cell was not measured, `-` cannot be expressed, `wrong` moved wrong bytes. Sets are
never mixed: constants were tuned beside the first file of cases, and not beside the others.
"""

import csv
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/performance.md"
RESULTS = ROOT / "docs/performance"

FIXED = ["set", "class", "case", "MB", "B", "B16", "measured"]
PEERS = {"naive": "plain loops", "numpy": "NumPy", "torch": "PyTorch", "xla": "XLA by jax",
         "xla_plan": "TransposePlan", "hptt": "HPTT", "hptt_measure": "HPTT, measured", "onednn": "oneDNN",
         "openblas": "OpenBLAS", "eigen": "Eigen"}
SETS = {"first": "first file, tuned beside", "second": "second file, came later", "random": "random forms"}
# Classes of the first file that came later and that few tables have: not in its mean.
YOUNG = {"small-digits": "small dimensions", "padded": "padded tiles", "packed": "elements below a byte"}
CLASSES = {"2d-large": "matrices", "2d-skinny": "tall and wide matrices", "batched-2d": "batches of matrices",
           "image": "images: NHWC, NCHW", "inner-kept": "inner dimension stays", "nd": "many dimensions",
           "ttc": "ranks 4 to 6 (TTC)", "pad": "padding", "tile": "tiles", "tile-partial": "tiles with ragged edges",
           "small": "32 to 40 KB in all", **YOUNG, "1": "1 byte", "2": "2 bytes", "4": "4 bytes", "8": "8 bytes",
           "16": "16 bytes"}
BYTES = {"u8": "1", "s8": "1", "pred": "1", "u16": "2", "s16": "2", "f16": "2", "bf16": "2", "u32": "4", "s32": "4",
         "f32": "4", "u64": "8", "s64": "8", "f64": "8", "c64": "8", "c128": "16"}
SOURCES = {"relayout_cases.json": "first", "relayout_cases_2.json": "second", "random": "random"}
SMALL = 0.02  # MB: below, a sample is mostly the call
BEHIND = 0.95  # the best peer's time over ours: differences below a twentieth are noise
WORST = 4
SHOWN = 3  # the latest machines: the others are older commits


def number(text):
    return float(text) if re.fullmatch(r"[\d.]+(e-\d+)?", text) else None


class Case:
    def __init__(self, row):
        self.set, self.group, self.name = row["set"], row["class"], row["case"]
        self.megabytes, self.b, self.odd, self.measured = (number(row[key]) for key in FIXED[3:])
        self.peers = {name: number(row[name]) for name in row if name not in FIXED and number(row[name])}

    def best(self):
        """(B of the fastest peer, its name), or None."""
        return max(((b, name) for name, b in self.peers.items()), default=None)

    def ratio(self):
        return self.b / self.best()[0] if self.peers else None


class Machine:
    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        about = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
        self.path, self.title, self.name = path, about["title"], about["machine"]
        self.date, self.commit, self.note = about["date"], about["commit"], about["note"]
        rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
        self.cases = [case for case in map(Case, rows) if case.megabytes >= SMALL]

    def of(self, name, group=None):
        """The cases of a set: of a class, or those of its mean."""
        return [case for case in self.cases if case.set == name and
                (case.group == group if group else name != "first" or case.group not in YOUNG)]


def machines():
    return sorted(map(Machine, RESULTS.glob("*.csv")), key=lambda machine: machine.date, reverse=True)


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def cell(value, form="{:.2f}"):
    return "" if value is None else form.format(value)


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
            *("| " + " | ".join(row) + " |" for row in rows)]


def means(all_machines):
    head = ["machine", "cases", "B", "least", "B, 16 after a line", "B, measured plan", "regret",
            "best peer's time / ours", "least", "behind"]
    rows = []
    for machine in all_machines:
        groups = [(SETS[name], machine.of(name)) for name in SETS]
        if machine in all_machines[:SHOWN]:
            groups[1:1] = [(f"its {title}", machine.of("first", group)) for group, title in YOUNG.items()]
        for title, cases in groups:
            if not cases:
                continue
            ratios = [case.ratio() for case in cases if case.peers]
            measured = [case for case in cases if case.measured]
            rows.append([
                machine.title, f"{title}, {len(cases)}", cell(mean(case.b for case in cases)),
                cell(min(case.b for case in cases)), cell(mean(case.odd for case in cases if case.odd)),
                cell(mean(case.measured for case in measured)),
                cell(mean(case.measured / case.b for case in measured)), cell(mean(ratios)),
                cell(min(ratios, default=None)),
                f"{sum(ratio < BEHIND for ratio in ratios)} of {len(ratios)}" if ratios else ""])
    return table(head, rows)


def pictures(all_machines):
    return [f"![{machine.title}: B by class, ours and the best peer]({RESULTS.name}/{machine.path.stem}.svg)"
            for machine in all_machines[:SHOWN]]


def about(all_machines):
    rows = [[f"[{machine.title}]({RESULTS.name}/{machine.path.stem}.svg)", machine.date, machine.commit,
             f"{machine.name}. {machine.note}"] for machine in all_machines]
    return table(["machine", "date", "commit", "what it is, and what else there is to know"], rows)


def peers(all_machines):
    head = ["machine", "cases", *PEERS.values()]
    rows = []
    for machine in all_machines[:SHOWN]:
        for name in SETS:
            row = []
            for peer in PEERS:
                ratios = [case.b / case.peers[peer] for case in machine.of(name) if peer in case.peers]
                row.append(f"{mean(ratios):.2f} ({min(ratios):.2f})" if ratios else "")
            if any(row):
                rows.append([machine.title, SETS[name], *row])
    return table(head, rows)


def slow(all_machines):
    rows = []
    for machine in all_machines[:SHOWN]:
        for name in SETS:
            behind = sorted((case for case in machine.cases if case.set == name and case.peers
                             and case.ratio() < BEHIND), key=Case.ratio)
            if behind:
                rows.append([machine.title, SETS[name], str(len(behind)), ", ".join(
                    f"`{case.name}` {case.ratio():.2f} ({PEERS[case.best()[1]]})" for case in behind[:WORST])])
    return table(["machine", "cases", "behind", "furthest behind: the best peer's time over ours"], rows)


STYLE = """<style>
  text { font: 12px sans-serif; fill: #1f2328 }
  .title { font-weight: bold }
  .small { font-size: 11px; fill: #59636e; stroke: #ffffff; stroke-width: 2px; paint-order: stroke }
  .page { fill: #ffffff }
  .line { stroke: #d1d9e0 }
  .ours { fill: #0969da }
  .peer { fill: #9aa4ae }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .small { fill: #9198a1; stroke: #0d1117 }
    .page { fill: #0d1117 }
    .line { stroke: #3d444d }
    .ours { fill: #4493f8 }
    .peer { fill: #7d8590 }
  }
</style>"""
WIDTH, LABEL, BAR, ROW = 880, 176, 190, 26  # a column: its labels, the length of B = 1, the height of a class


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def text(x, y, words, kind="", end=False):
    attributes = (f' class="{kind}"' if kind else "") + (' text-anchor="end"' if end else "")
    return f'<text x="{x}" y="{y}"{attributes}>{escaped(words)}</text>'


def panel(machine, name, x, y):
    """(the drawing of a set's classes, the y below it)."""
    groups = [(group, machine.of(name, group)) for group in CLASSES]
    groups = [(group, cases) for group, cases in groups if cases]
    if not groups:
        return [], y
    count, by = sum(len(cases) for _, cases in groups), ", by the size of an element" if name == "random" else ""
    out = [text(x, y, f"{SETS[name]}: {count} cases{by}", "title")]
    y += 10
    for part in (0, 0.5, 1):
        at = x + LABEL + part * BAR
        out.append(f'<line x1="{at}" y1="{y}" x2="{at}" y2="{y + ROW * len(groups)}" class="line"/>')
    for group, cases in groups:
        best = mean(case.best()[0] for case in cases if case.peers)
        row = [text(x + LABEL - 8, y + 17, f"{CLASSES[group]} ({len(cases)})", end=True)]
        for value, kind, at in [(mean(case.b for case in cases), "ours", y + 3), (best, "peer", y + 14)]:
            if value is not None:
                length = round(min(value, 1.1) * BAR, 1)
                row.append(f'<rect x="{x + LABEL}" y="{at}" width="{length}" height="10" class="{kind}"/>')
                row.append(text(round(x + LABEL + length + 4, 1), at + 9, f"{value:.2f}", "small"))
        out.append("".join(row))
        y += ROW
    return out, y + 24


def picture(machine):
    left, low = panel(machine, "first", 8, 70)
    aside = WIDTH // 2 if left else 8
    right, high = panel(machine, "second", aside, 70)
    more, high = panel(machine, "random", aside, high)
    height = max(low, high)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}">', STYLE,
        f'<rect width="{WIDTH}" height="{height}" class="page"/>',
        text(8, 20, f"{machine.title}, {machine.date}, commit {machine.commit}", "title"),
        '<rect x="8" y="32" width="10" height="10" class="ours"/>', text(23, 41, "xlashape"),
        '<rect x="93" y="32" width="10" height="10" class="peer"/>',
        text(108, 41, "the best peer of each case; B, geometric mean, one thread; lines at 0.5 and at 1, the fastest "
                      "copy"), *left, *right, *more, "</svg>", ""])


BLOCK = re.compile(r"(<!-- made by tests/bench/page\.py: (\w+) -->\n)(?:[^\n]+\n)*")  # to the next empty line


def made():
    """path -> what stands there when everything agrees."""
    found = machines()
    tables = {"about": about, "means": means, "pictures": pictures, "peers": peers, "slow": slow}
    page = BLOCK.sub(lambda block: block[1] + "\n".join(tables[block[2]](found)) + "\n",
                     PAGE.read_text(encoding="utf-8"))
    return {PAGE: page, **{machine.path.with_suffix(".svg"): picture(machine) for machine in found}}


def write_rows(paths):
    found = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in paths]
    names = list(dict.fromkeys(peer for data in found for peer in data["peers"]))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(FIXED + names)
    for result in (result for data in found for result in data["results"]):
        def b(seconds):
            return f"{result['copy_seconds'] / seconds:.3g}" if seconds else ""

        name, group, case = SOURCES[result["source"]], result["class"], result["name"]
        if name == "random":
            group = BYTES[case.split("[")[0]]
        out.writerow([name, group, case, f"{result['bytes'] * 1e-6:.3g}", b(result["seconds"]),
                      b(result["seconds_odd"]), b(result["measured_seconds"]),
                      *(b(result["peers"][peer]) if peer in result["peers"] else
                        "wrong" if peer in result["wrong_peers"] else "-" for peer in names)])


def main(words):
    if words[:1] == ["--rows"]:
        write_rows(words[1:])
        return 0
    wrong = []
    for path, wanted in made().items():
        if words == ["--write"]:
            path.write_text(wanted, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != wanted:
            wrong.append(f"{path.relative_to(ROOT)} is not what docs/performance/*.csv say; run: tests/bench/page.py "
                         "--write")
    lost = {path for path in RESULTS.glob("*.svg")} - made().keys()
    wrong += [f"{path.relative_to(ROOT)} has no results" for path in sorted(lost)]
    print(*wrong, f"{len(made()) - len(wrong)} passed, {len(wrong)} failed", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
