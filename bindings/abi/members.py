#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the members of enumerations and sets of flags in the bindings' sources to those of the ABI file. They stand
between two comments:

    # members: PATTERN as TEMPLATE
    ...
    # end of members

PATTERN matches the names of constants, without XLASHAPE_, in full; its group is the member's name. TEMPLATE is the
member's line: {NAME} as in C, {Name} as the language writes it, {C} the whole name in C, {SHORT} that without
XLASHAPE_. The member of a new constant is added behind that of the constant before it, and one whose constant is gone
goes. What is written by hand stays: the comment before a member or behind it, and the members' order.

    members.py           write
    members.py --check   exit 1, and name what a block lacks or has too much
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
COMMENT = {".py": "#", ".go": "//", ".hpp": "//", ".rs": "//"}
# Words that a language writes in its own way; those with digits (BF16) stay as they are.
WORDS = {".go": {word.upper(): word for word in ("CPU", "CUDA", "CuTe", "FP", "JAX", "MLIR", "MX", "MemRef", "NumPy",
                                                 "OneDNN", "OpenCL", "TRT", "XLA")}}


def in_words(name, suffix):
    words = WORDS.get(suffix, {})
    return "".join(words.get(word, word if re.search(r"\d", word) else word.capitalize()) for word in name.split("_"))


def expected(constants, pattern, template, suffix):
    """The line of each member, in the order of the headers."""
    for name in constants:
        short = name[len("XLASHAPE_"):]
        match = re.fullmatch(pattern, short)
        if match:
            words = {"NAME": match.group(1), "Name": in_words(match.group(1), suffix), "C": name, "SHORT": short}
            yield re.sub(r"\{(\w+)\}", lambda key: words[key.group(1)], template)


def plain(line):
    """A line without its alignment and its comment."""
    return re.sub(r" +", " ", re.sub(r"\s+(//|#).*", "", line.strip()))


def members(old, lines, indent, suffix):
    """(the block's text, what is new in it, what is gone from it)."""
    kept, pending, gone = [], [], []  # (member, text with the comments before it)
    for line in old.splitlines():
        pending.append(line)
        if re.match(r"\s*(//|#)", line):
            continue
        member = plain(line)
        kept.append((member, "\n".join(pending))) if member in lines else gone.append(member)
        pending = []
    there, new, at = {member for member, _ in kept}, [], 0
    for line in lines:
        if line in there:
            at = next(i for i, (member, _) in enumerate(kept) if member == line) + 1
            continue
        # Rustdoc wants a word about each item, which an argument of a macro and an arm of a match are not.
        is_item = suffix == ".rs" and "sys::" in line and "=>" not in line
        said = f"{indent}/// `{re.search(r'XLASHAPE_[A-Z0-9_]+', line)[0]}`.\n" if is_item else ""
        kept.insert(at, (line, said + indent + line))
        new.append(line)
        at += 1
    return "".join(text + "\n" for _, text in kept) + "".join(line + "\n" for line in pending), new, gone


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    abi = json.loads((HERE / "xlashape.abi.json").read_text(encoding="utf-8"))
    constants = [constant["name"] for constant in abi["constants"]]
    blocks, wrong = 0, 0
    for path in sorted(path for path in HERE.parent.rglob("*") if path.suffix in COMMENT and path.parent != HERE):
        suffix = path.suffix
        mark = re.escape(COMMENT[suffix])
        block = re.compile(rf"^([ \t]*){mark} members: (\S+) as (.+)\n((?:.*\n)*?)\1{mark} end of members$",
                           re.MULTILINE)
        text = path.read_text(encoding="utf-8")
        for match in reversed(list(block.finditer(text))):
            indent, pattern, template, old = match.groups()
            lines = list(expected(constants, pattern, template, suffix))
            body, new, gone = members(old, lines, indent, suffix)
            for line in new:
                print(f"{path}: {pattern}: new: {line}")
            for line in gone + ([] if lines else ["no constant has such a name"]):
                print(f"{path}: {pattern}: gone: {line}")
            blocks, wrong = blocks + 1, wrong + len(new) + len(gone) + (not lines)
            text = text[:match.start(4)] + body + text[match.end(4):]
        if not check and text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
    print(f"{blocks} blocks, {wrong} members that differ")
    return 1 if check and wrong or blocks < 30 else 0


if __name__ == "__main__":
    sys.exit(main())
