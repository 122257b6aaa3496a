#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the man pages: pages.py COMMAND VERSION COMMAND.MD ENVIRONMENT.MD FOLDER.

The options come from `COMMAND --help --json`, the descriptions and examples from docs/command.md (a section for each
subcommand), the variables from docs/environment.md. FOLDER gets xlashape.1 and a page for each subcommand.
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys

# The sections of docs/environment.md that are about what the command reads.
VARIABLES = ("The command", "The library and its backends")


def escaped(text):
    """Text for roff. A hyphen that begins a word is an option's; characters beyond ASCII get their names."""
    text = re.sub(r"(?<!\w)-+", lambda match: match[0].replace("-", "\\-"), text.replace("\\", "\\(rs"))
    text = text.replace("~", "\\(ti").replace("^", "\\(ha").replace("`", "\\(ga").replace("'", "\\(aq")
    text = "".join(char if ord(char) < 128 else f"\\[u{ord(char):04X}]" for char in text)
    return "\\&" + text if text.startswith((".", "\\(aq")) else text


def literal(text):
    """A text in which each character is what a terminal gets."""
    return escaped(text).replace("\\-", "-").replace("-", "\\-")


def inline(text):
    """A line of Markdown: code is bold, *words* are underlined, a link to another page of docs is its name."""
    text = re.sub(r"\[[^][]*\]\(([\w-]+\.md)\)", r"docs/\1", text)
    text = re.sub(r"\[([^][]*)\]\([^()]*\)", r"\1", text)
    pieces = re.split(r"(`[^`]+`|\*\*[^*]+\*\*|\*[^*`]+\*)", text)
    made = ""
    for piece in pieces:
        if piece.startswith("`") and len(piece) > 2:
            made += f"\\fB{literal(piece[1:-1])}\\fR"
        elif piece.startswith("**"):
            made += f"\\fB{escaped(piece[2:-2])}\\fR"
        elif piece.startswith("*") and len(piece) > 2:
            made += f"\\fI{escaped(piece[1:-1])}\\fR"
        else:
            plain = escaped(piece)
            made += plain[2:] if made and plain.startswith("\\&") else plain
    return made


def code(lines):
    return [".PP", ".in +4", ".nf", *(literal(line) for line in lines), ".fi", ".in"]


def cells(row):
    """The cells of a row of a table; | within code does not end one."""
    return [cell.strip() for cell in re.findall(r"(?:`[^`]*`|[^|`])+", row.strip().strip("|"))]


def table(rows):
    """Each row as an entry: the first cell, and below it the second; the third is what holds otherwise."""
    made = []
    for row in rows[2:]:
        first, what, *otherwise = cells(row)
        text = what[0].upper() + what[1:].rstrip(".") + "."
        if otherwise:
            text += f" Otherwise: {otherwise[0].rstrip('.')}."
        made += [".TP", inline(first), inline(text)]
    return made


def blocks(text):
    """The paragraphs, lists, tables and indented code of a section, as pairs of a kind and lines."""
    found = []
    for line in text.splitlines() + [""]:
        if line.startswith("    ") and (not found or found[-1][0] in ("code", "end")):
            kind = "code"
        elif not line.strip():
            kind = "end"
        else:
            kind = {"#": "heading", "|": "table"}.get(line[0], "item" if line.startswith("- ") else "text")
        if kind == "text" and found and found[-1][0] == "item":
            found[-1][1].append(line.strip())  # the item goes on
        elif found and found[-1][0] == kind and kind != "item":
            found[-1][1].append(line)
        else:
            found.append((kind, [line]))
    return [(kind, lines) for kind, lines in found if kind != "end"]


def roff(found):
    made = []
    for kind, lines in found:
        if kind == "code":
            made += code([line[4:] for line in lines])
        elif kind == "heading":
            made += [".SS " + inline(lines[0].lstrip("# "))]
        elif kind == "table":
            made += table(lines)
        elif kind == "item":
            made += [".IP \\(bu 2", inline(" ".join([lines[0][2:], *lines[1:]]))]
        else:
            made += [".PP", inline(" ".join(line.strip() for line in lines))]
    return made


def sections(path, *needed):
    """The text below each heading of the second level, without comments; that before the first one is ''."""
    text = re.sub(r"(?s)<!--.*?-->\n*", "", pathlib.Path(path).read_text(encoding="utf-8"))
    pieces = re.split(r"(?m)^## (.*)\n", text)
    found = {"": re.sub(r"\A# .*\n", "", pieces[0]), **dict(zip(pieces[1::2], pieces[2::2]))}
    for title in needed:
        if title not in found:
            sys.exit(f"pages.py: {path} has no section {title}")
    return found


def option(argument):
    value = f" \\fI{literal(argument['value'])}\\fR" if argument["value"] else ""
    names = ", ".join(f"\\fB{literal(name)}\\fR" for name in argument["names"])
    limits, otherwise = argument["limits"], argument["default"]
    more = ""
    if limits.startswith("{") and not all(word in argument["help"] for word in limits[1:-1].split(",")):
        more += " One of " + limits[1:-1].replace(",", ", ") + "."
    elif match := re.fullmatch(r"\w+ in \[(.*) - (.*)\]", limits):
        # A bound that only keeps arithmetic from overflowing is of no use to people.
        more += f" From {match[1]} to {match[2]}." if int(match[2]) < 2**30 else f" At least {match[1]}."
    if otherwise:
        more += f" The default is {otherwise}."
    if argument["required"]:
        more += " Required."
    return [".TP", names + value, escaped(argument["help"].rstrip(".") + "." + more)]


def operand(argument):
    help = argument["help"].rstrip(".") + "."
    return [".TP", f"\\fI{argument['value']}\\fR" + ("..." if argument["repeated"] else ""), escaped(help)]


def synopsis(name, manual):
    words = [f"\\fB{literal(name)}\\fR", "[\\fIOPTION\\fR]..."]
    words += [f"\\fB{literal(o['names'][-1])}\\fR \\fI{o['value']}\\fR" for o in manual["options"] if o["required"]]
    words += [f"\\fI{o['value']}\\fR" + ("..." if o["repeated"] else "") for o in manual["operands"]]
    if manual["commands"]:
        words = [f"\\fB{literal(name)}\\fR", "\\fICOMMAND\\fR", "[\\fIOPTION\\fR]...", "[\\fIARGUMENT\\fR]..."]
    return [" ".join(words)]


def exit_codes(footer):
    """What --help says of them, where a subcommand gives them a meaning of its own."""
    match = re.search(r"^Exit codes: (.*)\.$", footer, re.MULTILINE)
    made = []
    for entry in re.split(r", (?=\d )", match[1]) if match else []:
        number, text = entry.split(" ", 1)
        made += [".TP", f"\\fB{number}\\fR", escaped(text[0].upper() + text[1:] + ".")]
    return made


def page(name, manual, version, body, see):
    """A page of sections: pairs of a title and lines."""
    title = name.replace(" ", "-")
    what = manual["what"].rstrip(".")
    if not what[:2].isupper():
        what = what[0].lower() + what[1:]
    lines = [f'.TH {literal(title.upper())} 1 "" "xlashape {version}" "User Commands"', ".nh", ".ad l"]
    lines += [".SH NAME", f"{literal(title)} \\- {escaped(what)}", ".SH SYNOPSIS", *synopsis(name, manual)]
    for heading, text in body:
        if text:
            lines += [".SH " + heading, *text]
    lines += [".SH SEE ALSO", ",\n".join(f".BR {literal(other)} (1)" for other in see)]
    text = "\n".join(lines) + "\n"
    return text + (".PP\nFiles in docs are those of xlashape's sources.\n" if "docs/" in text else "")


def subcommand_page(manual, version, docs, see):
    name = "xlashape " + manual["name"]
    found = blocks(docs.get(manual["name"], ""))
    # A section that begins with runs of the subcommand shows its examples; else --help has them.
    notes, _, example = manual["footer"].partition("Example:\n")
    runs = list(itertools.takewhile(lambda block: block[0] == "code", found))
    found = found[len(runs):]
    examples = roff(runs) or (code([line.strip() for line in example.splitlines()]) if example else [])
    description = [escaped(manual["what"] + ".")] + roff(found)
    if not found:
        description += [line for line in map(escaped, notes.splitlines()) if not line.startswith("Exit codes:")]
    arguments = [line for o in manual["operands"] for line in operand(o)]
    options = [line for o in manual["options"] for line in option(o)]
    codes = exit_codes(manual["footer"]) or roff(block for block in blocks(docs["Exit codes"]) if block[0] == "table")
    return page(name, manual, version, [
        ("DESCRIPTION", description), ("OPERANDS", arguments), ("OPTIONS", options), ("EXIT STATUS", codes),
        ("ENVIRONMENT", [".BR xlashape (1)", "tells which variables the command and its library read."]),
        ("EXAMPLES", examples)], see)


def main_page(manual, version, docs, environment, see):
    commands = []
    for command in manual["commands"]:
        commands += [".TP", f".BR {literal('xlashape-' + command['name'])} (1)", escaped(command["what"] + ".")]
    options = [line for o in manual["options"] for line in option(o)]
    variables = []
    for section in VARIABLES:
        variables += next(table(lines) for kind, lines in blocks(environment[section]) if kind == "table")
    intro = [block for block in blocks(docs[""]) if block[0] != "table"]  # its table is of the subcommands
    examples = code([line.strip() for command in manual["commands"]
                     for line in command["footer"].partition("Example:\n")[2].splitlines()[:1]])
    return page(manual["name"], manual, version, [
        ("DESCRIPTION", roff(intro + blocks(docs["Output"]))), ("COMMANDS", commands), ("OPTIONS", options),
        ("EXIT STATUS", roff(blocks(docs["Exit codes"]))), ("ENVIRONMENT", variables), ("EXAMPLES", examples)], see)


def main():
    command, version, docs, environment, folder = sys.argv[1:]
    manual = json.loads(subprocess.run([command, "--help", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    docs, environment = sections(docs, "Output", "Exit codes"), sections(environment, *VARIABLES)
    folder = pathlib.Path(folder)
    names = [manual["name"], *(f"{manual['name']}-{each['name']}" for each in manual["commands"])]
    pages = [main_page(manual, version, docs, environment, names[1:])]
    pages += [subcommand_page(each, version, docs, names[:1]) for each in manual["commands"]]
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in zip(names, pages):
        (folder / f"{name}.1").write_text(text, encoding="ascii")


main()
