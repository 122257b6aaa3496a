# SPDX-License-Identifier: Apache-2.0
"""Writes the C reference from the headers: a page for each, in reStructuredText with Sphinx's C domain."""

import re
from itertools import groupby
from pathlib import Path

import c_header
import pages

PARTS = ("", "_runtime", "_xla", "_interop", "_target", "_backend", "_experimental")
HEADERS = (*(f"include/xlashape{part}.h" for part in PARTS), "tools/view/xlashape_draw.h")
HEADER = (pages.ROOT / "include/xlashape.h").read_text(encoding="utf-8")
STATUSES = "|".join(re.findall(r"#define XLASHAPE_STATUS_([A-Z]{5,}) ", HEADER))
# What a comment has besides words: code, in ` ` or seen by its form, and signs that mean something to reStructuredText.
CODE = re.compile(rf"""`(?P<code>[^`]+)`
    | (?P<name> \[[a-z]\w+(?:\ \+\ 1)?\]             # the count of an array
      | \b(?:\w+::)+\w+ | \b[\w/]+\.(?:h|proto)\b    # XLA's functions, files
      | \bXLASHAPE_\w+\*? | \b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b | \b(?:{STATUSES})\b
      | \b[a-z]\w*_\w+\b)
    | \bdocs/(?P<page>\w+)\.md | (?P<emphasis>\*[a-z]+\*) | (?P<sign>[\\*|_`])""", re.X)


def inline(text):
    """A line of a comment as reStructuredText. Names become code, which the extension `names` turns into links."""

    def part(match):
        if match["sign"]:
            return "\\" + match["sign"]
        if match["page"]:
            return f":doc:`/{match['page']}`"
        if match["emphasis"]:
            return match["emphasis"]
        # Where neither a space nor one of these signs stands beside it, reStructuredText needs an escaped space.
        before = "\\ " if not re.search(r"(^|[\s'\"(\[{<\-/:])$", text[: match.start()]) else ""
        after = "\\ " if not re.match(r"$|[\s'\")\]}>\-/:.,;!?]", text[match.end() :]) else ""
        return f"{before}``{match['code'] or match['name']}``{after}"

    return CODE.sub(part, text)


def prose(lines):
    """A comment as reStructuredText: paragraphs, lists of `-`, and code, which is indented by four columns or more."""
    out = []
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()

    def kind(line):
        return "blank" if not line.strip() else "code" if line.startswith("    ") else "text"

    for what, chunk in groupby(lines, kind):
        chunk = list(chunk)
        if what == "code":
            language = "c" if any(";" in line and "value[" not in line for line in chunk) else "text"
            out += ["", f".. code-block:: {language}", ""] + ["   " + line[4:] for line in chunk] + [""]
        elif what == "blank":
            out.append("")
        else:
            for line in chunk:
                item = line.startswith("- ")
                if item and out and out[-1].strip() and not out[-1].startswith(("- ", "  ")):
                    out.append("")
                words = line[2:] if item else line.lstrip()
                out.append(line[: len(line) - len(words)] + inline(words))
    return [line if line.strip() else "" for line in out]


def beside(lines):
    """A comment beside a declaration, as one line."""
    return inline(" ".join(line.strip() for line in lines if line.strip()))


def constants(macros):
    """Each has its name, which is a C object to link to, its value, and what is said beside it: several are a table."""
    if len(macros) == 1:
        body = [f"``{macros[0].value}``"] if macros[0].value else []
        yield from directive("macro", [macros[0].text], body + ["", beside(macros[0].comment)])
        return
    yield from (".. list-table::", "   :class: constants", "   :widths: auto", "")
    rows = [(f".. c:macro:: {one.text}", one.value and f"``{one.value}``", beside(one.comment)) for one in macros]
    columns = [number for number in range(3) if any(row[number] for row in rows)]
    for row in rows:
        yield from (f"   {' ' if number else '*'} - {row[number]}".rstrip() for number in columns)
    yield ""


def directive(name, signatures, body, indent=""):
    head = f"{indent}.. c:{name}:: "
    yield head + signatures[0]
    for more in signatures[1:]:
        yield " " * len(head) + more
    yield ""
    for line in body:
        yield (indent + "   " + line) if line else ""
    yield ""


def members(struct):
    """A comment on lines of its own is about the fields after it, up to one that has its own beside it."""
    for group in struct.fields:
        comment = prose(group.comment)
        for alone, found in groupby(group.declarations, lambda one: bool(one.comment) or not comment):
            if alone:
                for one in found:
                    yield from directive("member", [one.text], [beside(one.comment)] if one.comment else [])
            else:
                yield from directive("member", [one.text for one in found], comment)
                comment = []


def may_be_null(functions):
    names = sorted({name for function in functions for name in function.nullable})
    if names:
        yield ""
        yield f"May be NULL: {', '.join(f'``{name}``' for name in names)}."


def group(item):
    """The comment stands once: with the first declaration that has room for a text."""
    comment = prose(item.comment)
    kinds = {"macro": "macro", "type": "type", "handle": "type", "struct": "struct", "function": "function"}
    if item.declarations[0].kind == "macro":
        yield from comment + [""]
        comment = []
    for kind, found in groupby(item.declarations, lambda one: one.kind):
        found = list(found)
        if kind == "macro":
            yield from constants(found)
        elif kind == "function":
            said = [f"{one.name}: {beside(one.comment)}" for one in found if one.comment]
            yield from directive("function", [one.text for one in found], comment + said + list(may_be_null(found)))
            comment = []
        else:
            for one in found:
                body = comment + ([beside(one.comment)] if one.comment else [])
                if kind == "handle" and not body:
                    body = ["A handle. Its contents are the library's; any thread may use it at any time."]
                yield from directive(kinds[kind], [one.text], body + [""] + list(members(one)))
                comment = []


def names_of(items):
    for item in items:
        if isinstance(item, c_header.Group):
            yield from (one.name for one in item.declarations)


def page(header, text):
    """The reference of one header."""
    items = c_header.items(text)
    first, rest = items[0], items[1:]
    out = [header, "=" * len(header), ""] + prose(first.lines) + [""]
    if not isinstance(rest[0], c_header.Section):
        rest.insert(0, c_header.Section("Macros of the header", []))
    for item in rest:
        if isinstance(item, c_header.Section):
            out += [item.title, "-" * len(item.title), ""] + prose(item.lines) + [""]
        elif isinstance(item, c_header.Text):
            out += prose(item.lines) + [""]
        else:
            out += list(group(item))
    out += ["Index of this header", "-" * 20, "", ".. hlist::", "   :columns: 2", ""]
    out += [f"   - ``{name}``" for name in sorted(names_of(rest)) if name.islower()]
    return "\n".join(out) + "\n"


def index():
    """The first page of the reference."""
    return """The C interface
===============

The headers of the library, and that of the library that draws. They are shown here in their own order, with their own
comments; all names are in the :ref:`index <genindex>`.

.. toctree::
   :maxdepth: 2

""" + "".join(f"   {Path(header).stem}\n" for header in HEADERS)
