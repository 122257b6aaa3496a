# SPDX-License-Identifier: Apache-2.0
"""The page of `scan --html` in a browser, Chromium or Firefox. Usage: page_test.py BROWSER [--keep FOLDER] [PAGE...].

Without a PAGE only a page filled with samples that are made here is tested; each PAGE that the command wrote is opened
too, and each cell must show what its data says. Ends with `N passed, M failed`."""

import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "site"))
import browser  # noqa: E402

SCAN = pathlib.Path(__file__).resolve().parents[2] / "tools/scan/html"
PARTS = ["page.html", "page.css", "page_data.js", "page_panel.js", "page_table.js", "page_reports.js",
         "page_chart.js", "page.js"]
HOSTILE = '</script><img src=x onerror="alert(1)"><b>&amp;\u202e'
BROWSER = None
KEEP = None  # the folder for screenshots
PAGES = []

# Before anything else of the page: what goes wrong in it, and what it asks of a network.
WATCH = """<script>
window.wrong = [];
addEventListener("error", (e) => wrong.push("error: " + e.message), true);
addEventListener("unhandledrejection", (e) => wrong.push("rejection: " + e.reason));
addEventListener("securitypolicyviolation", (e) => wrong.push("policy: " + e.blockedURI));
window.alert = () => wrong.push("alert");
window.$ = (s) => document.querySelector(s);
window.$$ = (s) => [...document.querySelectorAll(s)];
// Of each row of a section's tables the text of one field; all fields of a row in order.
window.texts = (section, field) =>
  $$(`#${section} tbody tr`).map((row) => row.querySelector(`[data-field=${field}]`)?.textContent ?? "");
window.facts = (row) => [...row.querySelectorAll("[data-field]")].map((node) => [node.dataset.field, node.textContent]);
window.key = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
window.click = (node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
</script>"""
# After it: the steps of a test, which fill `result`.
STEPS = """<script>
addEventListener("load", () => setTimeout(() => {
  const result = {};
  try { %s } catch (e) { wrong.push("test: " + e.message + e.stack); }
  result.wrong = wrong;
  result.loaded = performance.getEntriesByType("resource").map((r) => r.name);
  const out = document.createElement("pre");
  out.id = "result";
  out.textContent = JSON.stringify(result);
  document.body.append(out);
}, 200));
</script>"""


# Of each report the facts around its table, and those of the table's rows.
STATED = """
  result.reports = $$("#reports .report").map((one) => {
    const rows = [...one.querySelectorAll(".box tbody tr")];
    const around = [...one.querySelectorAll("[data-field]")].filter((node) => !node.closest(".box"));
    return [around.map((node) => [node.dataset.field, node.textContent]), rows.map(facts)];
  });
"""


def escaped(data):
    return json.dumps(data).replace("<", "\\u003c")


def template():
    command = [sys.executable, SCAN / "page.py", "-", *(SCAN / part for part in PARTS)]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8")


def page_with(data):
    before, after = template().split("XLASHAPE_SCAN_JSON")
    return before + (data if isinstance(data, str) else escaped(data)) + after


def browse(page, steps="", size=(1400, 1000), dark=False, shot=None, limit=120):
    """Runs the steps in the page: (result, DOM, the errors that the browser logged)."""
    watched = page.replace("<head>", "<head>" + WATCH, 1)
    at = watched.rindex("</body>")
    watched = watched[:at] + STEPS % steps + watched[at:]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.html"
        path.write_text(watched, encoding="utf-8")
        BROWSER.patience = limit
        BROWSER.resize(*size)
        BROWSER.show_as("dark" if dark else "light")
        BROWSER.go(path.as_uri())
        result = BROWSER.wait_for("document.querySelector('#result')?.textContent", limit)
        dom = BROWSER.evaluate("document.documentElement.outerHTML")
        if shot:
            BROWSER.screenshot(shot)
    return json.loads(result), dom, BROWSER.errors()


def total(arrays, size, data):
    return {"arrays": arrays, "bytes": size, "logical_bytes": data}


def value(i, **other):
    size = (1 + i * 7919 % 500) * 4096
    shape = ["f32[1000,64]{1,0:T(8,128)}", "bf16[4,8,1,8,64]{2,4,3,1,0:T(8,128)(2,1)S(1)}", "s32[]{:T(128)}"][i % 3]
    return {"kind": "argument" if i % 9 == 0 else "value", "name": f"fusion.{i}", "computation": "main.12",
            "op": "fusion", "operand": "", "shape": shape, "bytes": size, "logical_bytes": size // (1 + i % 12),
            "waste_ratio": 1.0 * (1 + i % 12), "times_known": i % 5 != 0,
            "space": i % 2, "times": i, "op_name": f"jit(step)/block/{i}",
            "source": f"step.py:{i}", "line": i + 40, "better": None if i % 2 else {
                "bytes": size // 2, "layout": "{0,1:T(8,128)}"}} | other


def group(i, **other):
    """Equal arrays, of two lines of code."""
    return {"count": 7, "bytes": 7 * 4096 * (i + 1), "shape": "f32[1000,64]{1,0:T(8,128)}", "use": "temporary",
            "origins": [{"count": 5, "names": [f"while.{i}{{{n}}}" for n in range(5)], "writer": f"fusion.{i}",
                         "op": "fusion", "operand": "", "op_name": f"jit(step)/while/body/{i}",
                         "source": f"a/b/s.py:{i}"},
                        {"count": 1, "names": [f"copy.{i}"], "writer": f"copy.{i}", "op": "copy", "operand": "x.1",
                         "op_name": "x", "source": ""}], "origins_left_out": 1} | other


def relayout(i, verdict):
    return {"verdict": verdict, "op": "copy", "name": f"copy.{i}", "computation": "main.12", "bytes": 1000 * i,
            "from": "f32[1000,64]{1,0:T(8,128)}", "to": "f32[1000,64]{0,1:T(8,128)}", "operand": "p.1 x",
            "bytes_read": 500 * i,
            "bytes_written": 500 * i, "times": i, "times_known": i % 2 == 0, "why": "dimension 1 moves", "op_name": "x",
            "source": "step.py:3", "line": i}


def shape(element_type, dimensions, order, tiles, padded, size, data, space=0):
    return {"element_type": element_type, "dimensions": dimensions, "minor_to_major": order, "tiles": tiles,
            "padded": padded, "bytes": size, "logical_bytes": data, "space": space,
            "words": ["a line in words", "another"]}


def module(name="jit_step"):
    verdicts = ["moves", "free", "space", "duplicate", "unproven"]
    blocks = [{"name": f"fusion.{i}", "allocation": 1 + i % 2, "offset": 4096 * (i // 2), "bytes": 4096, "begin": i,
               "end": i + 40, "shape": "f32[1000,64]{1,0:T(8,128)}"} for i in range(120)]
    spaces = {"space": 0, "name": "hbm", "allocated": 600000, "peak_bytes": 160000, "peak_step": 80, "steps": 160,
              "peak_instruction": "fusion.80", "timeline": [[i, 160000 - 1000 * abs(i - 80)] for i in range(160)],
              "members": [dict(block, use="temporary") for block in blocks[:40]], "blocks": blocks,
              "groups": [group(i) for i in range(40)], "groups_left_out": 4,
              "blocks_left_out": 3, "allocations": [{"number": 1, "bytes": 300000, "use": "temporary"},
                                                       {"number": 2, "bytes": 300000}]}
    return {
        "name": name, "file": f"module_0001.{name}.txt", "format": "hlo", "computations": 27, "instructions": 840,
        "text_bytes": 178342, "unparsed": 1, "unparsed_lines": [{"line": 7, "text": HOSTILE, "why": "no type"}],
        "totals": {"arguments": total(6, 2**27, 2**27), "outputs": total(2, 2**20, 2**20),
                   "constants": total(1, 512, 4), "values": total(300, 2**29, 2**28), "temp": 2**28,
                   "allocated": 2**30,
                   "by_space": [{"space": 0, "name": None, **total(9, 9000, 4500)},
                                {"space": 1, "name": "vmem", **total(1, 2, 1)}]},
        "waste": [value(i) for i in range(1, 251)] + [
            value(251, name=HOSTILE, op_name=HOSTILE, shape=HOSTILE, source=HOSTILE)],
        "values": [value(i) for i in range(300)], "values_left_out": 312,
        "fits": [{"space": 0, "name": "hbm", "needed": 600000, "exact": True, "available": 200000,
                  "available_most": 200000, "fits": False, "why": None}],
        "look_first": "9.0 MiB of padding: fusion.1  step.py:1",
        "sections": [{"finding": "waste", "space": None, "bytes": 9 * 2**20, "little": False},
                     {"finding": "peak", "space": 0, "bytes": 2**20, "little": False},
                     {"finding": "undonated", "space": None, "bytes": 5, "little": True}],
        "largest": [group(i, use="value") for i in range(20)], "largest_left_out": 0,
        "undonated": [value(i, kind="argument", better=None) for i in range(3)], "undonated_left_out": 0,
        "relayouts": [relayout(i, verdicts[i % 5]) for i in range(200)],
        "verdicts": {word: {"count": 40, "bytes": 3 * 2**20} for word in verdicts}, "peak": {"spaces": [spaces]},
        "shapes": {
            "f32[1000,64]{1,0:T(8,128)}": shape("f32", [1000, 64], [1, 0], [[8, 128]], [1000, 128], 512000, 256000),
            "f32[1000,64]{0,1:T(8,128)}": shape("f32", [1000, 64], [0, 1], [[8, 128]], [1024, 64], 262144, 256000),
            "bf16[4,8,1,8,64]{2,4,3,1,0:T(8,128)(2,1)S(1)}": shape(
                "bf16", [4, 8, 1, 8, 64], [2, 4, 3, 1, 0], [[8, 128], [2, 1]], [4, 8, 128, 8, 64], 4194304, 32768, 1),
            "s32[]{:T(128)}": shape("s32", [], [], [[128]], [], 512, 4)}}


def report(**other):
    """What a text says of memory: arrays whose shape is whole, cut, and not the size that the text states."""
    def buffer(i, **more):
        return {"count": 1, "stated": 2**30 // i, "rounding": 5 * 2**20, "stated_unpadded": 2**25 // i,
                "stated_padding": None, "shape": "f32[1000,64]{1,0:T(8,128)}", "understood": True, "bytes": 2**30 // i,
                "logical_bytes": 2**25 // i, "waste": {"data": 2**25 // i, "padding": 2**30 // i - 2**25 // i},
                "differs": None, "better": {"layout": "{0,1:T(8,128)}", "bytes": 2**25 // i}, "kind": "HLO temp",
                "label": f"copy.{i}", "op_name": f"jit(f)/add/{i}", "source": f"a/b/model.py:{i}", "other_names": 0,
                "line": 10 + i} | more

    plain = {"waste": None, "better": None, "bytes": None, "logical_bytes": None}
    return {"file": "error.txt", "line": 30, "failed": True, "what": "Ran out of memory on HBM", "space": "hbm",
            "module": "jit_rank", "needed": 36 * 2**30, "available": 16911433728, "over": 21743271936,
            "rounding": 5 * 2**20, "targets": ["tpu:v5e"],
            "total": [{"name": "reserved", "bytes": 2**28, "unpadded": None, "fragmented": None},
                      {"name": "arguments", "bytes": None, "unpadded": None, "fragmented": None}],
            "program": [{"name": "HLO temp", "bytes": 2**32, "unpadded": 2**29, "fragmented": None}],
            "buffers": [buffer(1), buffer(2, count=3, other_names=2), buffer(3, shape="f32[1000,64", **plain | {
                "understood": False}), buffer(4, shape=None, **plain), buffer(5, differs="the text has no tiles")],
            "buffers_left_out": 7, "listed": 5 * 2**30, "unread": 2, "times": 3,
            "next": {"why": "The text names no arrays.", "commands": ["python3 ...", "xlashape scan dump"]}} | other


def sample():
    worst = [{"name": f"copy.{i}", "bytes": 2**24, "text": "f32[1000,64]{1,0} -> f32[1000,64]{0,1}"} for i in range(3)]
    budget = {"budget": "max-moved", "module": "jit_step", "space": None, "limit": 10**6, "value": 48 * 2**20,
              "broken": True}
    waste = budget | {"budget": "max-waste", "space": 1, "limit": 1.5, "value": 2.25, "worst": []}
    kept = budget | {"budget": "max-bytes", "broken": False, "worst": []}
    totals = {"arguments": total(1, 8, 8), "by_space": [{"space": 0, "name": None, **total(1, 8, 8)}]}
    small = module("jit_small") | {"totals": totals, "verdicts": {}, "waste": [value(3)], "peak": None}
    return {"xlashape_scan": 1, "target": "tpu:v5e", "modules": [small, module()],
            "budgets": [budget | {"worst": worst}, waste, kept]}


def mutants(data):
    """The sample with every member of each kind of object missing, null, or of another kind, one at a time."""
    def changed(path, new):
        copy = json.loads(json.dumps(data))
        at = copy
        for step in path[:-1]:
            at = at[step]
        if new == "missing":
            del at[path[-1]]
        else:
            at[path[-1]] = new
        return copy

    def paths(at, path):
        entries = list(at.items()) if isinstance(at, dict) else list(enumerate(at[:1])) if isinstance(at, list) else []
        for name, below in entries:
            yield path + [name]
            yield from paths(below, path + [name])

    kinds = ([None], {"x": HOSTILE}, -1, 1e308, 0.5, HOSTILE, True)
    for i, path in enumerate(paths(data, [])):
        for new in ("missing", None, kinds[i % len(kinds)]):
            if new != "missing" or not isinstance(path[-1], int):
                yield changed(path, new)


def human(size, digits=1):
    """Bytes as the command prints them."""
    unit = 0
    while size >= (1024 if unit == 0 else 1024 - 0.5 / 10**digits):
        size, unit = size / 1024, unit + 1
    return f"{size:,} B" if unit == 0 else f"{size:.{digits}f} {' KMGTPE'[unit]}iB"


def expected_report(row):
    """What the page must show of a report outside of its table, and in the rows of this table."""
    def told(*pairs):
        return [[field, text] for field, text in pairs if text]

    def stated(size):
        return human(size, 2) if size is not None else ""

    def parts(rows):
        return [fact for part in rows for fact in told(
            ("part", part["name"]), ("part_bytes", stated(part["bytes"]) or "not known"),
            ("part_data", part["unpadded"] is not None and stated(part["unpadded"]) + " of data"))]

    def buffer(one):
        waste, better = one["waste"], one["better"] or {"layout": ""}
        note = one["differs"] and (f"the shape takes {stated(one['bytes'])}, stated are {stated(one['stated'])}: "
                                   f"{one['differs']}")
        factor = waste and (waste["data"] + waste["padding"]) / waste["data"]
        return told(
            ("bytes", stated(one["stated"] * one["count"])),
            ("each", one["count"] > 1 and f"{one['count']:,} x {stated(one['stated'])}"),
            ("shape", one["shape"] or one["label"] or "(no name)"), ("kind", one["kind"]),
            ("label", one["shape"] and one["label"]),
            ("other_names", one["other_names"] and f"and {one['other_names']:,} with other names"),
            ("source", "/".join(one["source"].split("/")[-2:])), ("op_name", short(one["op_name"])),
            ("factor", waste and f"{factor:.{2 if factor < 100 else 1}f}x"),
            ("padding", waste and stated(waste["padding"]) + " of padding"),
            ("data", waste and stated(waste["data"]) + " of data"),
            ("better_layout", better["layout"]), ("better_bytes", better["layout"] and stated(better["bytes"])),
            ("note", "this shape was cut, or is none" if one["shape"] and not one["understood"] else note))

    of = " of " + row["space"] if row["space"] else ""
    if row["needed"] is None:
        numbers = "the text does not say how much is needed: " + row["what"]
    elif row["available"] is None:
        numbers = f"{stated(row['needed'])} needed{of}" + (
            "; how much there is, the text does not say" if row["failed"] else "")
    else:
        numbers = f"{stated(row['needed'])} of {stated(row['available'])}{of[3:]}" + (
            f": {stated(row['over'])} over" if row["over"] is not None else "")
    lines = "1 line" if row["unread"] == 1 else f"{row['unread']:,} lines"
    next_step = row["next"] or {"why": "", "commands": []}
    return told(
        ("title", "Out of memory" if row["failed"] else "Memory"),
        ("place", (row["module"] + "  " if row["module"] else "") + f"{row['file']}, line {row['line']:,}"),
        ("numbers", numbers), ("times", row["times"] > 1 and f"the text says so {row['times']:,} times"),
        *parts(row["total"]), *parts(row["program"]),
        ("unread", row["unread"] and f"{lines} of its lists cut or not understood"),
        ("next", next_step["why"]), *(("command", command) for command in next_step["commands"])), [
            buffer(one) for one in row["buffers"]]


def short(text):
    return text[:600] + " ..." if len(text) > 600 else text


def expected_tables(module):
    """What the page's tables must show of a module: by table and row the fields and their texts."""
    def told(*pairs):
        return [[field, short(text)] for field, text in pairs if text]

    def factor(row):
        ratio = row["waste_ratio"]
        return f"{ratio:.{2 if ratio < 100 else 1}f}x"

    def words(row):
        times = "" if row["times"] == 1 else f"{row['times']:,} times"
        return told(("instruction", row["name"] if row["op"] == row["name"] else f"{row['op']} {row['name']}"),
                    ("operand", row["operand"] and "of " + row["operand"]),
                    ("times", times if row["times_known"] else "in each iteration"), *code(row))

    def code(row):
        return told(("source", "/".join(row["source"].split("/")[-2:])), ("op_name", row["op_name"]))

    def array(row):
        return told(("shape", row["shape"]), ("kind", row["kind"].replace("value", "")))

    def waste(row):
        better = row["better"] or {"layout": "", "bytes": 0}
        return told(("wasted", human(row["bytes"] - row["logical_bytes"])), ("bytes", "of " + human(row["bytes"])),
                    ("factor", factor(row))) + array(row) + words(row) + told(
                        ("better_layout", better["layout"]),
                        ("better_bytes", better["layout"] and human(better["bytes"])),
                        ("better_moved", better.get("moved") and f"may move {human(better['moved'])} in each run"))

    def value(row):
        return told(("bytes", human(row["bytes"])), ("data", human(row["logical_bytes"]) + " of data"),
                    ("factor", factor(row))) + array(row) + words(row)

    def undonated(row):
        return told(("bytes", human(row["bytes"])), ("shape", row["shape"]), ("name", row["name"]),
                    ("op_name", row["op_name"]))

    def loop(row):
        source, op_name = code(row)
        return told(("by", f"{row['op']} {row['name']}"), ("by_source", source[1]), ("by_op_name", op_name[1]))

    def relayout(row):
        return told(("bytes", "in a fusion" if row["in_fusion"] else human(row["bytes"])), ("verdict", row["verdict"]),
                    ("from", row["from"]), ("to", "\u2192 " + row["to"]), ("why", row["why"]),
                    ("remedy", row.get("remedy"))) + words(row)

    def group(row):
        each = f"{row['count']:,} x {human(row['bytes'] // row['count'])}" if row["count"] > 1 else ""
        shown = told(("bytes", human(row["bytes"])), ("each", each), ("shape", row["shape"]),
                     ("use", row["use"].replace("value", "")))
        for origin in row["origins"][:6]:
            names = ", ".join(origin["names"][:4])
            more = origin["count"] - len(origin["names"][:4])
            own = re.sub(r"\{[^{}]*\}$", "", origin["names"][0]) == origin["writer"]
            shown += told(("names", names + (f" and {more:,} more" if more else "")),
                          ("writer", "" if own or not origin["writer"] else "by " + origin["writer"]),
                          ("operand", origin["operand"] and "of " + origin["operand"]), *code(origin))
        return shown

    tables = {"waste": [waste(row) for row in module["waste"]], "values": [value(row) for row in module["values"]],
              "undonated": [undonated(row) for row in module["undonated"] if row.get("donation") != "read"],
              "rewritten": [undonated(row) + loop(row["blocked_by"]) for row in module.get("rewritten", [])],
              "relayouts": [relayout(row) for row in module["relayouts"]],
              "largest": [group(row) for row in module["largest"]]}
    for space in (module["peak"] or {"spaces": []})["spaces"]:
        tables[f"memory-{space['space']}"] = [group(row) for row in space["groups"]]
    return {name + "-rows": rows for name, rows in tables.items() if rows}


class Page(unittest.TestCase):
    maxDiff = None

    def well(self, result, console=(), loaded=()):
        self.assertIsNotNone(result, "the steps did not run")
        self.assertEqual(result["wrong"], [])
        self.assertEqual(result["loaded"], list(loaded))
        self.assertEqual(list(console), [])

    def test_rows_and_totals(self):
        result, dom, console = browse(page_with(sample()), """
          result.rows = ["waste", "values", "relayouts", "memory", "undonated", "largest"]
            .map((id) => $$(`#${id} .box tbody tr`).length);
          result.cells = ["map", "memory"].map((id) => $$(`#${id} .cell`).length);
          const below = (node) => [...node.children].map((c) => c.textContent);
          result.stats = Object.fromEntries($$(".stats div").map((d) => below(d).slice(0, 2)));
          result.budgets = $("#budgets").innerText;
          result.options = $$("select option").map((o) => o.textContent.split(" ")[0]);
          result.first = texts("waste", "shape")[0];
          result.waste = texts("waste", "factor").slice(0, 3);
          result.left = [...$("#values").children[0].children].pop().textContent;
          result.times = texts("relayouts", "times").slice(1, 3);
          result.order = [...$("#findings").children].map((section) => section.id);
          result.look = $("#first").textContent;
          result.folded = $$("#findings section > details > summary").map((node) => node.textContent);
          result.group = facts($("#memory .box tbody tr"));
          result.panel = $("#panel h2").textContent;
          result.links = $$("nav a").map((a) => a.getAttribute("href"));
        """)
        self.well(result, console)
        self.assertEqual(result["rows"], [251, 300, 200, 40, 3, 20])
        self.assertEqual(result["order"], ["waste", "memory", "undonated", "relayouts"])
        self.assertEqual(result["links"], [*("#" + name for name in result["order"]), "#map", "#largest", "#values"])
        self.assertEqual(result["folded"], ["Not donated: 5 B, less than 1 % of the memory"])
        self.assertEqual(result["look"], "585.94 KiB of 195.31 KiB hbm: 390.62 KiB over"
                         "Look first: 9.0 MiB of padding: fusion.1  step.py:1")
        self.assertEqual(result["panel"], "fusion.1", "the panel is empty before a click")
        self.assertEqual(result["group"], [
            ["bytes", "28.0 KiB"], ["each", "7 x 4.0 KiB"], ["shape", "f32[1000,64]{1,0:T(8,128)}"],
            ["use", "temporary"], ["names", "while.0{0}, while.0{1}, while.0{2}, while.0{3} and 1 more"],
            ["writer", "by fusion.0"], ["source", "b/s.py:0"], ["op_name", "jit(step)/while/body/0"],
            ["names", "copy.0"], ["operand", "of x.1"], ["op_name", "x"]])
        self.assertEqual(result["cells"], [302, 120])  # 300 values, one array that only `waste` has, what is left out
        self.assertEqual(result["options"], ["jit_step", "jit_small"], "the worst module is not the first")
        self.assertEqual(result["first"], "bf16[4,8,1,8,64]{2,4,3,1,0:T(8,128)(2,1)S(1)}")
        self.assertEqual(result["waste"], ["2.00x", "3.00x", "4.00x"])
        self.assertEqual(result["times"], ["in each iteration", "2 times"])
        self.assertEqual(result["left"], "and 312 more")
        self.assertIn("2 budgets broken", result["budgets"])
        self.assertIn("max-moved: 48.0 MiB, allowed 976.6 KiB, in jit_step", result["budgets"])
        self.assertIn("max-waste: 2.25x, allowed 1.50x, in jit_step, memory space S(1)", result["budgets"])
        for name, text in (("arguments", "128.0 MiB"), ("values", "512.0 MiB"), ("temporary", "256.0 MiB"),
                           ("moved", "3.0 MiB"), ("lines not understood", "1"), ("waste factor", "1.67x"),
                           ("peak of S(0) hbm", "156.2 KiB")):
            self.assertEqual(result["stats"].get(name), text, name)
        self.assertNotRegex(dom.lower(), r"(src|href)=\W?(http|//)")

    def test_sorting_and_filter(self):
        result, _, console = browse(page_with(sample()), """
          const number = (rows) => rows.map((r) => { const [n, unit] = r.split(" ");
            return n * { B: 1, KiB: 1024, MiB: 1048576 }[unit]; });
          const button = (title) => $$("#values th button").find((b) => b.textContent.startsWith(title));
          const falls = (a) => a.every((x, i) => i === 0 || a[i - 1] >= x);
          result.before = falls(number(texts("values", "bytes")));
          button("bytes").click();
          result.down = falls(number(texts("values", "bytes")));
          result.said = button("bytes").parentNode.getAttribute("aria-sort");
          button("bytes").click();
          result.up = falls(number(texts("values", "bytes")).reverse());
          result.up_said = button("bytes").parentNode.getAttribute("aria-sort");
          button("instruction").click();
          const names = texts("values", "instruction");
          result.names = names.every((x, i) => i === 0 || names[i - 1] <= x);
          result.others = $$("#values th[aria-sort]").length;
          const waste = $$("#waste th button").find((b) => b.textContent === "better");
          waste.click();
          result.last = texts("waste", "better_layout").findIndex((x) => !x) === 125;
          const filter = $("#values input");
          filter.value = "FUSION.29 step.py";
          filter.dispatchEvent(new Event("input"));
          result.filtered = $$("#values tbody tr").length;
          result.status = $("#values [role=status]").textContent;
        """)
        self.well(result, console)
        self.assertEqual((result["before"], result["down"], result["up"], result["names"]), (False, True, True, True))
        self.assertEqual((result["said"], result["up_said"], result["others"]), ("descending", "ascending", 1))
        self.assertTrue(result["last"], "what is not known does not come last")
        self.assertEqual((result["filtered"], result["status"]), (11, "11 of 300 rows"))

    def test_panel_and_keys(self):
        result, _, console = browse(page_with(sample()), """
          const rows = $$("#waste tbody tr");
          result.stops = rows.filter((r) => r.tabIndex === 0).length;
          rows[0].focus();
          key(rows[0], "ArrowDown");
          result.moved = document.activeElement === rows[1];
          key(rows[1], "Enter");
          result.panel = $("#panel").innerText;
          result.drawn = $$("#panel svg").length;
          result.both = $$(".selected").length;
          click($$("#relayouts tbody tr")[0]);
          result.relayout = $("#panel").innerText;
          result.two = $$("#panel svg").length;
          const cells = $$("#map .cell");
          cells[0].focus();
          result.tip = $("#tip").innerText;
          key(cells[0], "End");
          result.end = document.activeElement === cells[cells.length - 1];
          click($$("#memory .cell")[5]);
          result.block = $("#panel").innerText;
          $$("#map button")[1].click();
          result.arguments = $$("#map .cell").length;
          $$("#map button")[3].click();
          result.spaces = $("#map svg").textContent.includes("S(1)");
          const titles = () => $$(".spaces th").map((cell) => cell.textContent);
          result.titles = titles();
          $("select").value = 1;
          $("select").dispatchEvent(new Event("change"));
          result.other_titles = titles();
          result.other = $$("#waste tbody tr").length;
          result.none = $("#findings").innerText.includes("No buffer assignment");
        """)
        self.well(result, console)
        self.assertEqual((result["stops"], result["moved"], result["end"]), (1, True, True))
        for text in ("fusion.2", "s32[]{:T(128)}", "512 B", "4 B", "a line in words", "step.py:2", "128.0x",
                     "hatched: padding"):
            self.assertIn(text, result["panel"])
        self.assertEqual((result["drawn"], result["two"]), (1, 2))
        self.assertGreater(result["both"], 2, "the row, its rectangle and its block are not all marked")
        for text in ("moves", "dimension 1 moves", "From", "To", "padded to 1,024", "tiles of 8 by 128"):
            self.assertIn(text, result["relayout"])
        self.assertEqual(result["tip"], "312 smaller arrays, 347.2 MiB: not drawn")
        self.assertIn("lives", result["block"])
        self.assertEqual(result["arguments"], 34)
        self.assertEqual((result["spaces"], result["other"], result["none"]), (True, 1, True))
        known = ["arrays", "bytes", "data", "factor"]
        self.assertEqual(result["titles"], ["memory space", "allocated", "peak", "at", *known])
        self.assertEqual(result["other_titles"], ["memory space", *known], "columns without a value")

    def test_limits(self):
        """What the target has, in the chart of memory over the schedule: a line where it is within reach, and words."""
        peak, allocated = 160000, 600000
        steps = """
          const frame = $("#memory svg").viewBox.baseVal, level = $("#memory svg .level").getBBox();
          result.peak = Number($("#memory svg .peak-dot").getAttribute("cy"));
          result.floor = level.y + level.height;
          result.lines = $$("#memory svg .limit-line").map((line) => Number(line.getAttribute("y1")));
          result.names = $$("#memory svg .limit-name").map((name) => name.textContent);
          result.inside = $$("#memory svg .limit-name").every((name) => { const b = name.getBBox();
            return b.x > 60 && b.y > 0 && b.x + b.width < frame.width && b.y + b.height < 116; });
          const said = $$("#memory svg text").find((node) => node.textContent.startsWith("peak ")).getBBox();
          result.below = $$("#memory svg .limit-line, #memory svg .limit-name").every(
            (node) => node.getBBox().y >= said.y + said.height - 2);
          result.whole = said.x >= 0 && said.x + said.width <= frame.width;
          result.over = $$("#memory svg .over").map((area) => area.getBBox().height);
          result.words = $$("#memory .limit").map((words) => words.textContent);
          result.alarms = $$("#memory .alarm").length;
          const style = (kind, of) => $$("#memory svg ." + kind).map((node) => getComputedStyle(node)[of]);
          result.drawn = [...style("limit-line", "stroke"), ...style("limit-name", "fill"), ...style("over", "fill")];
          result.paper = getComputedStyle($("#memory svg")).backgroundColor;
        """
        cases = (
            (100000, 100000, allocated, ["the peak is 58.59 KiB over 97.66 KiB hbm of v5e"]),
            (3000, 3000, allocated, ["the peak is 153.32 KiB over 2.93 KiB hbm of v5e"]),
            (200000, 200000, 170000, ["the peak is 80.0 % of 195.31 KiB hbm of v5e"]),
            (200000, 200000, allocated,
             ["the peak is 80.0 % of 195.31 KiB hbm of v5e, but what is allocated is 390.62 KiB over"]),
            (120000, 240000, 170000, ["the peak is 39.06 KiB over 117.19 KiB hbm of v5e, one core",
                                      "the peak is 66.6 % of 234.38 KiB hbm of v5e, both cores as one"]),
            (2**34, 2**34, allocated,
             ["the peak is less than 0.1 % of 16.00 GiB hbm of v5e, which is far above the chart"]),
            (None, None, allocated, []))
        for i, (least, most, size, words) in enumerate(cases):
            width, dark = ((1400, False), (360, True))[i % 2]
            with self.subTest(least=least, most=most, width=width):
                data = sample()
                one = data["modules"][1]
                one["peak"]["spaces"][0]["allocated"] = size
                if least:
                    one["fits"][0] |= {"available": least, "available_most": most}
                else:
                    one["fits"] = []
                result, _, console = browse(page_with(data), steps, (width, 1000), dark)
                self.well(result, console)
                self.assertEqual(result["words"], words)
                near = [limit for limit in dict.fromkeys([least, most]) if limit and limit < 3 * peak]
                name = r"[\d.]+ KiB hbm of v5e(, (one|both)[a-z ]*)?"
                self.assertEqual(result["names"], [re.search(name, text)[0] for text in words[:len(near)]])
                self.assertEqual((result["inside"], result["below"], result["whole"]), (True, True, True))
                floor = result["floor"]
                heights = [(floor - y) / (floor - result["peak"]) for y in result["lines"]]
                for height, limit in zip(heights, near, strict=True):
                    self.assertAlmostEqual(height, limit / peak, delta=0.02)
                above = [limit for limit in near if limit < peak]
                self.assertEqual([round(height) for height in result["over"]],
                                 [round((floor - result["peak"]) * (1 - limit / peak)) for limit in above])
                self.assertEqual(result["alarms"], sum(" over" in text for text in words))
                for colour in result["drawn"]:
                    self.assertNotEqual(colour, result["paper"])

    def test_reports(self):
        """What a text says of memory, alone and above programs."""
        one = report()
        others = [report(failed=False, needed=2**20, available=None, over=None, module=None, space="smem", buffers=[],
                         buffers_left_out=0, next=None, total=[], program=[], unread=0, times=1),
                  report(needed=None, available=None, over=None, buffers=[], listed=0, total=[], unread=1),
                  report(needed=5, available=None, over=None, space=None, buffers=[], total=[])]
        for modules in ([], sample()["modules"]):
            with self.subTest(modules=len(modules)):
                data = sample() | {"modules": modules, "budgets": [], "reports": [one, *others],
                                   "shapes": module()["shapes"]}
                result, _, console = browse(page_with(data), STATED + """
                  result.title = $("h1").textContent;
                  result.panel = $("#panel").innerText;
                  result.more = $$("#reports .report")[0].textContent.includes("and 7 more");
                  const last = $$("#report-1-rows tbody tr")[1];
                  click(last);
                  result.second = $("#panel").innerText;
                  result.link = $("#panel .link").getAttribute("href");
                  result.empty = $$("main > section").filter((s) => !s.firstChild && s.getClientRects().length).length;
                  result.none = $("#findings").innerText.includes("No buffer assignment");
                """)
                self.well(result, console)
                self.assertEqual(result["reports"], [list(expected_report(row)) for row in (one, *others)])
                self.assertEqual(result["title"], "xlashape scan")
                self.assertEqual((result["more"], result["empty"]), (True, 0))
                self.assertIn("copy.1", result["panel"])
                for text in ("copy.2", "512.00 MiB", "up to 5.00 MiB", "and 2 with other names", "The two most minor",
                             "Better", "a/b/model.py:2"):
                    self.assertIn(text, result["second"])
                self.assertEqual(result["link"], ("#jit_step/" if modules else "#") + "report-1/copy.2")
                self.assertEqual(result["none"], False)
        data |= {"modules": [], "reports": [others[0]]}
        result, _, console = browse(page_with(data), STATED + """
          result.panel = $("#panel").getClientRects().length;
          result.left = document.documentElement.clientWidth - $("main").getBoundingClientRect().width;
        """)
        self.well(result, console)
        self.assertEqual((result["panel"], result["left"]), (0, 0))

    def test_narrow(self):
        frame = ("<!DOCTYPE html><head></head><body>"
                 "<iframe style='width:%dpx;height:900px;border:0' srcdoc='%s'></iframe></body>")
        for width in (360, 400, 800):
            with self.subTest(width=width):
                page = html.escape(page_with(sample()), quote=True)
                result, _, console = browse(frame % (width, page), """
                  const inner = $("iframe").contentDocument;
                  result.wide = inner.documentElement.scrollWidth;
                  inner.querySelectorAll("#waste tbody tr")[0].click();
                  const panel = inner.querySelector("#panel");
                  result.modal = panel.matches(":modal");
                  result.panel = panel.getBoundingClientRect().width;
                  inner.querySelector(".close").click();
                  result.closed = !panel.open;
                """)
                self.well(result, console)
                self.assertEqual((result["modal"], result["closed"]), (True, True))
                self.assertLessEqual(result["wide"], width, "the page is wider than its window")
                self.assertLessEqual(result["panel"], width)

    def test_hostile_texts(self):
        data = sample()
        for m in data["modules"]:
            m["name"] = m["file"] = HOSTILE
            m["relayouts"][0] |= {"verdict": HOSTILE, "why": HOSTILE, "from": HOSTILE, "to": "__proto__",
                                   "name": "constructor"}
            m["shapes"][HOSTILE] = shape(HOSTILE, [3], [0], [[HOSTILE]], [HOSTILE], 3, 1) | {"words": [HOSTILE, None]}
            m["peak"] = {"spaces": [module()["peak"]["spaces"][0] | {"name": HOSTILE, "peak_instruction": HOSTILE}]}
            m["peak"]["spaces"][0]["blocks"][0]["name"] = HOSTILE
        data["budgets"][0] |= {"module": HOSTILE, "budget": HOSTILE, "worst": [{"name": HOSTILE, "text": HOSTILE}]}
        data["target"] = HOSTILE
        result, dom, console = browse(page_with(data), """
          $$("tbody tr").forEach(click);
          $$("#map .cell, #memory .cell").forEach(click);
          click($$("#waste tbody tr")[250]);
          result.shown = $("#panel h2").textContent;
          result.cell = texts("waste", "op_name")[250];
          result.images = $$("img, main b, dialog b").length;
          result.scripts = $$("script").length;
        """)
        self.well(result, console)
        shown = HOSTILE.replace("\u202e", "\\u202e")
        self.assertEqual((result["shown"], result["cell"]), (shown, shown))
        self.assertEqual((result["images"], result["scripts"]), (0, 4))
        self.assertNotIn("\u202e", re.sub(r'<script type="application/json".*?</script>', "", dom, flags=re.DOTALL))

    def test_wrong_data(self):
        for text, words in (("", "could not be read"), ("XLASHAPE", "could not be read"), ("null", "has version none"),
                            ("[]", "version none"), ('{"xlashape_scan":2}', "version 2"), ('{"xlashape_scan":1}', "")):
            with self.subTest(text=text):
                result, _, console = browse(page_with(text), 'result.text = $("#budgets").innerText;')
                self.well(result, console)
                self.assertIn(words, result["text"])

    def test_anything_missing(self):
        """All members missing or of another kind, one at a time: many pages in one browser."""
        data = sample()
        small = data["modules"].pop()
        for name in ("waste", "values", "relayouts", "undonated", "largest"):
            small[name] = small[name][:2]
        memory = small["peak"]["spaces"][0]
        memory |= {"groups": memory["groups"][:1], "blocks": memory["blocks"][:2], "timeline": [[0, 1], [5, 9]],
                   "members": memory["members"][:1]}
        data["modules"] = [small]
        data["reports"] = [report()]
        pages = list(mutants(data))
        self.assertGreater(len(pages), 400)
        # The page's own program, once for each: its elements are put back as they were.
        page = page_with(data)
        head, program = page.rsplit("<script>", 1)
        page = f'{head}<script type="text/plain" id="program">{program}'
        steps = """
          const body = $("#frame").outerHTML, program = $("#program").textContent;
          const all = JSON.parse($("#all").textContent), bad = /.{0,60}(NaN|undefined|Infinity|\\[object).{0,30}/s;
          result.runs = 0;
          for (const one of all) {
            $("#frame").outerHTML = body;
            $("#scan").textContent = JSON.stringify(one);
            const at = wrong.length;
            const script = document.createElement("script");
            script.textContent = program;
            try {
              document.body.append(script);
              for (const id of ["reports", "waste", "values", "relayouts", "memory", "undonated", "largest"]) {
                const row = $(`#${id} .box tbody tr`), button = $$(`#${id} th button`);
                if (row) click(row);
                if (button[1]) button[1].click();
              }
              for (const cell of [$("#map .cell"), $("#memory .cell")]) if (cell) { click(cell); cell.focus(); }
              for (const text of [$("#frame").textContent, $("#tip").textContent]) {
                if (bad.test(text)) wrong.push(text.match(bad)[0]);
              }
            } catch (e) { wrong.push(e.message + e.stack); }
            if (wrong.length > at) wrong.push("in run " + result.runs);
            script.remove();
            ++result.runs;
            if (wrong.length > 20) break;
          }
        """
        for at in range(0, len(pages), 100):  # what one page leaves in the browser goes with the next
            part = pages[at:at + 100]
            all_of_part = f'<script type="application/json" id="all">{escaped(part)}</script></body>'
            result, _, console = browse(page.replace("</body>", all_of_part), steps, limit=300)
            self.well(result, console)
            self.assertEqual(result["runs"], len(part))

    def test_screenshots(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, dark in (("light", False), ("dark", True)):
                path = pathlib.Path(KEEP or folder) / f"page-{name}.png"
                steps = 'click($$("#waste tbody tr")[0]);'
                _, _, console = browse(page_with(sample()), steps, (1400, 2400), dark, path)
                self.assertEqual(console, [])
                self.assertGreater(path.stat().st_size, 20000, f"{name}: hardly anything is drawn")

    def test_cpp(self):
        """The C++ that page.py writes has the bytes of the page."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.cc"
            subprocess.run([sys.executable, SCAN / "page.py", path, *(SCAN / part for part in PARTS)], check=True)
            arrays = re.findall(r"\[\] = \{(.*?)\};", path.read_text(encoding="ascii"), re.DOTALL)
        texts = [bytes(int(code) % 256 for code in array.split(",")).decode("utf-8") for array in arrays]
        self.assertEqual("XLASHAPE_SCAN_JSON".join(texts), template())
        self.assertNotIn("http:", template())
        self.assertNotIn("https:", template())

    def test_given_pages(self):
        """Pages that the command wrote: each cell of each table says what the data says, nothing is cut at 1280 pixels,
        the first row is shown, and a link leads to its row."""
        for path in PAGES:
            page = pathlib.Path(path).read_text(encoding="utf-8")
            data = re.search(r'<script type="application/json" id="scan">(.*?)</script>', page, re.DOTALL)
            modules, stated = json.loads(data[1])["modules"], json.loads(data[1])["reports"]
            result, _, console = browse(page, """
              const select = $("select");
              result.modules = (select ? [...select.options].map((o) => o.value) : [0]).map((i) => {
                if (select) { select.value = i; select.dispatchEvent(new Event("change")); }
                const first = ($$(".box tbody tr").find((row) => !row.closest("details")) ?? $(".box tbody tr"));
                const panel = $("#panel h2")?.textContent;
                $$("details").forEach((node) => { node.open = true; });
                const tables =
                  Object.fromEntries($$(".box table").map((t) => [t.id, [...t.tBodies[0].rows].map(facts)]));
                const wide = $$(".box").filter((box) => box.scrollWidth > box.clientWidth)
                  .map((box) => box.firstChild.id);
                const last = $$(".box tbody tr").at(-1);
                if (last) {
                  click(last);
                  const link = $("#panel .link").getAttribute("href"), shown = $("#panel h2").textContent;
                  click($(".box tbody tr"));
                  location.hash = link;
                  dispatchEvent(new Event("hashchange"));
                  if ($("#panel h2").textContent !== shown) wrong.push(link + " does not lead to " + shown);
                }
                for (const row of $$("tbody tr").slice(0, 20)) click(row);
                return {file: $("#file").textContent, tables, first: first?.dataset.name, panel, wide};
              });
              result.width = document.documentElement.scrollWidth;
            """ + STATED, (1280, 1000))
            self.well(result, console)
            reports = [list(expected_report(row)) for row in stated]
            self.assertEqual(result["reports"], reports)
            tables = {f"report-{i + 1}-rows": rows for i, (_, rows) in enumerate(reports) if rows}
            if not modules:
                shown, = result["modules"]
                self.assertEqual((shown["tables"], shown["wide"], shown["panel"]), (tables, [], shown["first"]))
                continue
            self.assertEqual(len(result["modules"]), len(modules))
            self.assertLessEqual(result["width"], 1280)
            for shown in result["modules"]:
                (module,) = [m for m in modules if shown["file"].startswith(m["file"] + " ")]
                with self.subTest(page=path, module=module["file"]):
                    self.assertEqual(shown["tables"], tables | expected_tables(module))
                    self.assertEqual(shown["wide"], [])
                    self.assertEqual(shown["panel"], shown["first"])
                    self.assertEqual("predicted" in shown["file"], module["layouts_predicted"])


def main():
    global BROWSER, KEEP
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    program = arguments.pop(0)
    if arguments[:1] == ["--keep"]:
        KEEP = arguments[1]
        del arguments[:2]
    PAGES.extend(arguments)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Page)
    BROWSER = browser.started(program)
    try:
        result = unittest.TextTestRunner(verbosity=1).run(suite)
    finally:
        BROWSER.close()
    failed = len({str(test).split(" (")[0] for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
