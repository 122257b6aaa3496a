#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_blocks.py BUILD WORK: runs or compiles the code blocks of README.md, docs/*.md and bindings/*/README.md with the
command and the library in the folder BUILD, in scratch folders below WORK. Ends with `N passed, M failed`.

What happens to a block is said by its language, and by a comment of HTML before it:

    $ command            lines like this one, with their output: each is run and the output compared
    sh, python           run; if a block after `<!-- output -->` follows, that must be the output
    c, cpp               with a main: as above; otherwise compiled, after what `given` declares
    <!-- given: T a; U b -->      what a part of a program takes for granted
    <!-- before: COMMANDS -->     run in the page's folder before the block
    <!-- not run: WHY -->         neither run nor compiled
    <!-- blocks not run: WHY -->  no block of the page is
    <!-- blocks run by FILE: WORDS -->   FILE runs those in a language among WORDS, or after `<!-- WORD -->`

A block indented by four columns is a text, unless it has lines with `$`. Blocks of a page share a folder, so later
ones see files of earlier ones. In an output `...` stands for anything: as a line for lines,
else for a part of its line. A command without any output beside it only has to succeed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 60
TEXTS = ("text", "")  # languages of blocks that show what a file or an output has
C_HEADERS = ("stdio.h", "stdlib.h", "string.h", "xlashape_xla.h", "xlashape_interop.h", "xlashape_target.h",
             "xlashape_backend.h")
CPP_HEADERS = ("atomic", "cstdint", "vector", "xlashape.hpp")
COMMANDS = re.compile(r"(xlashape|\./x|cc|c\+\+|meson|ninja|python3|cargo|go|pip|apt-get|tools/\S+|tests/\S+) ", re.M)
HEADERS = "".join(header.read_text(encoding="utf-8")
                  for header in [*(ROOT / "include").glob("*.h"), ROOT / "tools/view/xlashape_draw.h"])
NAMES = set(re.findall(r"xlashape_\w+", HEADERS))


@dataclass
class Block:
    page: str
    line: int
    language: str  # "" for an indented one
    text: str
    comments: list  # those directly before it

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    def said(self, word):
        """What a comment `<!-- word: ... -->` says, or None."""
        for comment in self.comments:
            if comment.partition(":")[0].strip() == word:
                return comment.partition(":")[2].strip()
        return None


class Failure(Exception):
    pass


def comments_of(token):
    if token.type != "html_block":
        return []
    return [found.strip() for found in re.findall(r"<!--(.*?)-->", token.content, re.S)]


def blocks(page):
    """The page's blocks, and what its comments say of all: (file, words) or None."""
    before, found, elsewhere, why = [], [], None, None
    for token in MarkdownIt("commonmark").parse((ROOT / page).read_text(encoding="utf-8")):
        if token.type in ("fence", "code_block"):
            language = token.info.strip() if token.type == "fence" else ""
            found.append(Block(page, token.map[0] + 1, language, token.content, before))
        before = before + comments_of(token) if token.type == "html_block" else []
        for comment in before:
            match = re.match(r"blocks run by (\S+): (.*)", comment)
            if match:
                elsewhere = match.group(1), set(match.group(2).split())
            why = comment.partition(":")[2] if comment.startswith("blocks not run:") else why
    if elsewhere:
        test = ROOT / elsewhere[0]
        if not test.is_file() or pathlib.PurePath(page).name not in test.read_text(encoding="utf-8"):
            raise Failure(f"{page}: {elsewhere[0]} is no test of this page")
    for block in found if why else []:
        block.comments.append(f"not run: {why}")
    return found, elsewhere


def pattern(shown):
    """A regular expression of the output that a page shows."""
    out = []
    for line in shown.rstrip("\n").split("\n"):
        words = ".*".join(re.escape(part) for part in line.rstrip().split("..."))
        out.append(r"(?:.*\n)*?" if line.strip() == "..." else words + r" *\n")
    return "".join(out)


def compare(what, shown, printed):
    if not re.fullmatch(pattern(shown), printed.rstrip("\n") + "\n"):
        raise Failure(f"{what}: the page shows\n{shown.rstrip()}\nand it printed\n{printed.rstrip()}")


class Bench:
    """A place where blocks are run."""

    def __init__(self, build, work):
        self.work = work
        shutil.rmtree(work, ignore_errors=True)
        (work / "bin").mkdir(parents=True)
        (work / "bin/xlashape").symlink_to(build / "xlashape")
        library = build / "src/libxlashape.so"
        self.environment = {
            "PATH": f"{work / 'bin'}:{os.environ['PATH']}", "HOME": str(work), "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
            "PKG_CONFIG_PATH": str(build / "meson-uninstalled"), "LD_LIBRARY_PATH": str(library.parent),
            "CPATH": f"{ROOT / 'include'}:{ROOT / 'bindings/cpp'}", "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(ROOT / "bindings/python"),
            "XLASHAPE_LIBRARY": str(library), "XLASHAPE_COMMAND": str(build / "xlashape"), "ROOT": str(ROOT),
        }

    def folder(self, page):
        folder = self.work / page.replace("/", "_")
        folder.mkdir(exist_ok=True)
        return folder

    def run(self, page, command, text=None):
        try:
            return subprocess.run(command, input=text, cwd=self.folder(page), env=self.environment, timeout=SECONDS,
                                  check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  encoding="utf-8", errors="replace")
        except subprocess.TimeoutExpired:
            raise Failure(f"{command}: still running after {SECONDS} s") from None

    def shell(self, page, command):
        return self.run(page, ["bash", "-c", command])

    def must(self, what, done):
        if done.returncode != 0:
            raise Failure(f"{what}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def session(self, block):
        """Lines with `$` and what is below each."""
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            while command.endswith("\\"):
                more, _, shown = shown.partition("\n")
                command += "\n" + more
            done = self.shell(block.page, command)
            if shown.strip():
                compare(f"$ {command}", shown, done.stdout)
            else:
                self.must(f"$ {command}", done)

    def compiled(self, block, *, whole):
        compiler, standard, suffix = ("cc", "c11", "c") if block.language == "c" else ("c++", "c++20", "cpp")
        text = block.text
        if not whole:
            headers = C_HEADERS if block.language == "c" else CPP_HEADERS
            given = "".join(f"extern {one.strip()};\n" for one in (block.said("given") or "").split(";") if one.strip())
            text = "".join(f"#include <{header}>\n" for header in headers) + given
            text += f"void block(void);\nvoid block(void) {{\n{block.text}}}\n"
        source = self.folder(block.page) / f"block_{block.line}.{suffix}"
        source.write_text(text, encoding="utf-8")
        flags = "-Wextra -Wno-missing-field-initializers" if whole else "-fsyntax-only -Wno-unused"
        program = source.with_suffix("")
        command = f"{compiler} -std={standard} -Wall -Werror {flags} {source} -o {program}"
        self.must("does not compile", self.shell(block.page, command + " $(pkg-config --libs xlashape)"))
        return program

    def printed(self, block):
        if block.language == "python":
            return self.must("the program fails", self.run(block.page, [sys.executable, "-"], block.text))
        if block.language == "sh":
            return self.must("the commands fail", self.shell(block.page, "set -euo pipefail\n" + block.text))
        return self.must("the program fails", self.run(block.page, [str(self.compiled(block, whole=True))]))


def treat(bench, block, output, elsewhere):
    """Does with a block what has to be done, and returns what that was."""
    unknown = set(re.findall(r"\b(xlashape_[a-z]\w*)\(", block.text)) - NAMES
    if unknown:
        raise Failure(f"no header declares {', '.join(sorted(unknown))}")
    if block.said("not run") is not None:
        if not block.said("not run"):
            raise Failure("the comment does not say why it is not run")
        return "marked"
    if block.said("before"):
        bench.must(block.said("before"), bench.shell(block.page, block.said("before")))
    if elsewhere and (block.language in elsewhere[1] or elsewhere[1] & set(block.comments)):
        return "run by another test"
    if re.search(r"^\$ ", block.text, re.M):
        bench.session(block)
        return "run"
    if block.language in TEXTS:
        if COMMANDS.match(block.text):
            raise Failure("commands: write each after `$`, or all as `sh`, or say why they are not run")
        if "output" in block.comments:
            raise Failure("an output without a program before it")
        return "shown"
    if block.language in ("c", "cpp") and not re.search(r"\bmain\(", block.text):
        bench.compiled(block, whole=False)
        return "compiled"
    if block.language not in ("c", "cpp", "sh", "python"):
        raise Failure(f"there is no way to run {block.language}")
    printed = bench.printed(block)
    if output:
        compare("the output", output.text, printed)
    return "run"


def main(build, work):
    pages = ["README.md"]
    for part in ("docs/*.md", "bindings/*/README.md"):
        pages += [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(part))]
    bench = Bench(pathlib.Path(build).resolve(), pathlib.Path(work).resolve())
    count, failed = Counter(), 0
    for page in pages:
        try:
            found, elsewhere = blocks(page)
        except Failure as failure:
            print(f"FAIL {failure}")
            failed += 1
            continue
        output = None
        for number, block in enumerate(found):
            if block is output:  # compared with the program before it
                continue
            after = found[number + 1] if number + 1 < len(found) else None
            output = after if after and "output" in after.comments else None
            try:
                kind = treat(bench, block, output, elsewhere)
                count[kind] += 1
                output = output if kind in ("run", "marked") else None
            except Failure as failure:
                print(f"FAIL {block.place}: {failure}")
                failed += 1
    print(", ".join(f"{number} {kind}" for kind, number in sorted(count.items())))
    print(f"{sum(count.values())} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
