# SPDX-License-Identifier: Apache-2.0
"""Reads a C header of ours into what the reference shows: texts, sections, groups of declarations with their comment.

A comment on lines of its own belongs to the declarations that follow it without an empty line; a comment beside a
declaration belongs to that one. A comment that an empty line follows is a text by itself, and `/* == Title == ... */`
begins a section. A constant after a function begins a group of its own, as it prepares the next function."""

import re
from dataclasses import dataclass, field

NO_MACROS = re.compile(r"XLASHAPE_\w*H_$")  # guards against a second inclusion


@dataclass
class Declaration:
    kind: str  # macro, type, handle, struct, function
    name: str
    text: str  # as the reference writes it: of a macro "NAME" or "NAME(x)", of a struct its name
    comment: list = field(default_factory=list)  # lines of the comment beside it
    value: str = ""  # of a macro
    fields: list = field(default_factory=list)  # of a struct: Groups
    nullable: list = field(default_factory=list)  # parameters


@dataclass
class Group:
    comment: list
    declarations: list


@dataclass
class Text:
    lines: list


@dataclass
class Section:
    title: str
    lines: list


class HeaderError(Exception):
    pass


def comment_lines(comment):
    """The lines inside of /* */, without the stars that stand before them."""
    lines = [re.sub(r"^ *\* ?", "", line) if number else line for number, line in enumerate(comment[2:-2].split("\n"))]
    lines[0] = lines[0][1:] if lines[0].startswith(" ") else lines[0]
    return [line.rstrip() for line in lines]


def without_annotations(text):
    """A declaration as C has it without our macros, in one line."""
    text = re.sub(r"XLASHAPE_(LEN|THREADS)\((?:[^()]|\([^()]*\))*\)|\bXLASHAPE_(API|DRAW_API|NULLABLE|INOUT|CALL)\b",
                  " ", text)
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r"\s+([,)])", r"\1", text).replace("( ", "(").replace("(* ", "(*")


def nullable_parameters(text):
    """Parameters that may be NULL, without arrays, which may be where their count is 0."""
    found = []
    for parameter in re.findall(r"[^,]+", text[text.find("(") :]):
        if "XLASHAPE_NULLABLE" in parameter and "XLASHAPE_LEN" not in parameter:
            found.append(re.search(r"(\w+)\s+XLASHAPE_NULLABLE", parameter).group(1))
    return found


def declared_name(text):
    """The name in `int32_t x`, `void (*x)(int a)`, `char x[480]`, `int f(int a)`."""
    match = re.search(r"\(\*(\w+)\)", text) or re.search(r"(\w+)\s*\(", text) or re.search(r"(\w+)(\[\w+\])*$", text)
    return match.group(1)


def declaration(text, comment_free):
    """The declaration that C's `text` makes, or None for one that only announces a struct."""
    line = without_annotations(comment_free)
    handle = re.fullmatch(r"typedef struct (\w+) \1", line)
    if re.fullmatch(r"struct \w+", line) or (handle and "XLASHAPE_THREADS" not in comment_free):
        return None
    struct = re.match(r"(?:typedef )?struct (\w+) \{", line)
    if struct:
        body = text[text.index("{") + 1 : text.rindex("}")]
        fields = [item for item in items(body) if isinstance(item, Group)]
        return Declaration("struct", struct.group(1), struct.group(1), fields=fields)
    if handle:
        return Declaration("handle", handle.group(1), handle.group(1))
    if line.startswith("typedef "):
        return Declaration("type", declared_name(line[8:]), line[8:])
    name = declared_name(line)
    if re.search(r"XLASHAPE_(DRAW_)?API\b", comment_free):
        return Declaration("function", name, line, nullable=nullable_parameters(comment_free))
    return Declaration("member", name, line)


class Reader:
    def __init__(self):
        self.items, self.comment, self.declarations, self.macros = [], [], [], {}

    def end_group(self):
        if self.declarations:
            self.items.append(Group(self.comment, self.declarations))
        elif self.comment:
            self.items.append(Text(self.comment))
        self.comment, self.declarations = [], []

    def add_comment(self, lines):
        self.end_group()
        title = re.match(r"== (.+?) =+ ?\*?$", lines[0])
        if title:
            self.items.append(Section(title.group(1), lines[1:]))
        else:
            self.comment = lines

    def add(self, new):
        if new.kind == "macro":
            if new.name in self.macros:  # another branch of an #if: which value it has depends on the system
                self.macros[new.name].value = ""
                return
            self.macros[new.name] = new
            if any(old.kind == "function" for old in self.declarations):
                self.end_group()
        self.declarations.append(new)


def end_of_declaration(text, begin):
    depth, at = 0, begin
    while at < len(text):
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        depth += (text[at] in "({") - (text[at] in ")}")
        if text[at] == ";" and depth == 0:
            return at + 1
        at += 1
    raise HeaderError(f"no end of the declaration {text[begin : begin + 60]!r}")


def items(text):
    """All of the header, in its order."""
    reader, at, gap = Reader(), 0, "\n"
    while True:
        blank = re.compile(r"\s*").match(text, at)
        gap, at = blank.group(), blank.end()
        if gap.count("\n") > 1:
            reader.end_group()
        if at >= len(text):
            reader.end_group()
            return reader.items
        if text.startswith("/*", at):
            end = text.index("*/", at) + 2
            lines = comment_lines(text[at:end])
            if "\n" not in gap and reader.declarations:
                reader.declarations[-1].comment += [line.strip() for line in lines]
            else:
                reader.add_comment(lines)
            at = end
        elif text[at] == "#":
            line = re.compile(r"#(?:[^\\\n/]|\\\n|/(?!\*))*").match(text, at)
            define = re.match(r"#define (\w+)(\([\w, ]*\))?\s*(.*)", line.group().replace("\\\n", " "))
            if define and not NO_MACROS.match(define.group(1)):
                name, parameters, value = define.groups()
                reader.add(Declaration("macro", name, name + (parameters or ""), value=" ".join(value.split())))
            at = line.end()
            if not define and text.startswith("/*", at):  # of an #endif: repeats the condition
                at = text.index("*/", at) + 2
        elif text.startswith('extern "C++" {', at):  # a helper of a macro
            at = text.index("\n}\n", at) + 2
        elif text.startswith('extern "C" {', at) or text[at] == "}":
            at = text.index("{", at) + 1 if text[at] == "e" else at + 1
        else:
            end = end_of_declaration(text, at)
            whole = text[at : end - 1]
            new = declaration(whole, re.sub(r"/\*.*?\*/", " ", whole, flags=re.S))
            if new:
                reader.add(new)
            at = end
