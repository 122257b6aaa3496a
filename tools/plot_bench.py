#!/usr/bin/env python3
"""Draws what `./x bench --peers --json FILE` wrote: B of every case, ours as bars, the peers as marks on them.

plot_bench.py FILE... [-o OUT.svg]: several files (of several backends, say) become bars beside each other. Needs only
Python's standard library.
"""

import argparse
import html
import json
import pathlib

BARS = ["#3b6ea8", "#8fb4dc", "#c9a13b", "#777777"]
MARKS = {"numpy": "#d1495b", "torch": "#edae49", "onednn": "#00798c", "openblas": "#7b4ea3", "eigen": "#2e933c",
         "xla": "#e07a1f", "naive": "#999999"}
ROW, LEFT, WIDTH, TOP = 22, 300, 620, 70


def read(paths):
    """(label, {case: record}) of each file, in the order given."""
    for path in paths:
        # Below 20 KB a sample is mostly the call, and with threads the copy's is mostly theirs.
        results = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["results"]
        records = [record for record in results if record["bytes"] >= 20000]
        names = sorted({record["backend"] for record in records})
        threads = records[0]["threads"] if records else 1
        yield f"{', '.join(names)}, {threads} thread{'s' if threads > 1 else ''}", {r["name"]: r for r in records}


def text(x, y, words, **attributes):
    attributes = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{html.escape(words)}</text>'


def scale(runs):
    """The axis: a little more than the largest B shown, at least 1."""
    largest = max((record["B"] for _, records in runs for record in records.values()), default=1)
    return max(1.0, -(-largest * 10 // 1) / 10)


def legend(runs, peers):
    x = LEFT
    for (label, _), colour in zip(runs, BARS):
        yield f'<rect x="{x}" y="14" width="12" height="12" fill="{colour}"/>'
        yield text(x + 17, 24, label)
        x += 40 + 7 * len(label)
    x = LEFT
    for peer in peers:
        yield f'<circle cx="{x + 5}" cy="39" r="4" fill="{MARKS.get(peer, "#000000")}"/>'
        yield text(x + 14, 43, peer)
        x += 32 + 7 * len(peer)


def row(y, name, runs, most):
    group = next(records[name].get("class", "") for _, records in runs if name in records)
    yield text(LEFT - 8, y + 15, f"{name}  ({group})" if group else name, text_anchor="end")
    height = (ROW - 6) / len(runs)
    peers = {}
    for i, ((_, records), colour) in enumerate(zip(runs, BARS)):
        record = records.get(name)
        if record is None:
            continue
        yield (f'<rect x="{LEFT}" y="{y + 3 + i * height:.1f}" width="{record["B"] / most * WIDTH:.1f}" '
               f'height="{height:.1f}" fill="{colour}"/>')
        for peer, seconds in record["peers"].items():
            if seconds > 0:
                peers.setdefault(peer, record["copy_seconds"] / seconds)
    for peer, b in sorted(peers.items()):
        x = LEFT + min(b, most) / most * WIDTH
        yield f'<circle cx="{x:.1f}" cy="{y + ROW / 2:.1f}" r="3.5" fill="{MARKS.get(peer, "#000000")}"><title>{html.escape(peer)} {b:.2f}</title></circle>'


def draw(runs):
    names = list(dict.fromkeys(name for _, records in runs for name in records))
    peers = sorted({peer for _, records in runs for record in records.values() for peer in record["peers"]})
    most = scale(runs)
    height = TOP + ROW * len(names)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 30}" height="{height + 20}" '
           f'font-family="sans-serif" font-size="11">')
    yield f'<rect width="{LEFT + WIDTH + 30}" height="{height + 20}" fill="white"/>'
    yield from legend(runs, peers)
    for tenth in range(0, int(most * 10) + 1):
        x = LEFT + tenth / 10 / most * WIDTH
        yield (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{height}" '
               f'stroke="{"#555555" if tenth == 10 else "#dddddd"}"/>')
        yield text(x, TOP - 8, f"{tenth / 10:.1f}", text_anchor="middle")
    yield text(LEFT - 20, TOP - 8, "B: time of the best copy / time", text_anchor="end")
    for i, name in enumerate(names):
        yield from row(TOP + i * ROW, name, runs, most)
    yield "</svg>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("-o", "--output", default="bench.svg")
    arguments = parser.parse_args()
    if len(arguments.files) > len(BARS):
        parser.error(f"at most {len(BARS)} files")
    runs = list(read(arguments.files))
    pathlib.Path(arguments.output).write_text("\n".join(draw(runs)) + "\n", encoding="utf-8")


main()
