#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build.py OUT: builds the documentation site into the folder OUT, from what is put together in OUT-source."""

import pathlib
import re
import shutil
import subprocess
import sys

import c_reference
import pages
import python_reference

ROOT = pages.ROOT
# Without a script it leads to the empty Explorer: what is pasted has no name, and is never sent.
FIELD = """<form class="to-explorer" action="explorer/index.html">
<label for="to-explorer">Paste a shape or an error</label>
<textarea id="to-explorer" rows="2" spellcheck="false" placeholder="s32[8388608,8,4]{2,1,0:T(8,128)}"></textarea>
<button>Explore</button>
<span>Nothing that you paste leaves your browser.</span>
</form>"""


def sources():
    """Everything that Sphinx reads: path below the source folder -> bytes."""
    copied = set()
    found = {}
    for path, name in pages.pages().items():
        text = pages.rewritten(path, (ROOT / path).read_text(encoding="utf-8"), copied)
        text = pages.with_keywords(path, text) + "\n" + pages.below(path)
        if name == "index":
            text = text.replace("<!-- the field of the Explorer -->", FIELD)
            text = f"---\nhide-toc: true\n---\n{text}\n" + "\n".join(pages.toctrees())
        found[f"{name}.md"] = text
    for header in c_reference.HEADERS:
        path = ROOT / header
        found[f"reference/{path.stem}.rst"] = c_reference.page(path.name, path.read_text(encoding="utf-8"))
    found["reference/index.rst"] = c_reference.index()
    found["reference/python.rst"] = python_reference.page(ROOT / "bindings/python/xlashape")
    found = {name: text.encode() for name, text in found.items()}
    found.update({f"files/{path}": (ROOT / path).read_bytes() for path in copied})
    return found


def write(folder, files):
    """Writes what has changed, and removes what is no longer there, so that Sphinx reads again only what it must."""
    for path in sorted(folder.rglob("*")) if folder.exists() else []:
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def repair_script(out):
    """Debian has the theme's script as a module but does not load it as one, so it fails: as one file it runs."""
    script = out / "_static/scripts/furo.js"
    text = script.read_text(encoding="utf-8")
    module = re.match(r'import Gumshoe from "\./(.+)";\n', text)
    if module:
        imported = script.with_name(module.group(1)).read_text(encoding="utf-8")
        script.write_text(imported + text[module.end() :], encoding="utf-8")


def add_normalize(out):
    """Debian's theme imports a file of another package by an address at the root of a web server."""
    style = out / "_static/styles/furo.css"
    text = style.read_text(encoding="utf-8")
    imported = re.search(r"@import url\((/javascript/[\w./-]+)\);", text)
    if imported:
        rules = pathlib.Path("/usr/share" + imported.group(1)).read_text(encoding="utf-8")
        style.write_text(text.replace(imported.group(), rules), encoding="utf-8")


def without_comments(script):
    """A script without its lines of comments and without indentation: a fifth of what is loaded first. The first line,
    the licence, stays."""
    first, *lines = script.split("\n")
    kept, inside = [first], False
    for line in map(str.strip, lines):
        begins = line.startswith("/*")
        if line and not (inside or begins or line.startswith("//")):
            kept.append(line)
        inside = (inside or begins) and "*/" not in line
    return "\n".join(kept) + "\n"


def add_explorer(out, package):
    """The Explorer, with what it loads of the package for JavaScript, and a module without what it does not."""
    folder = out / "explorer"
    shutil.copytree(ROOT / "site/explorer", folder)
    shutil.copytree(package, folder / "xlashape", ignore=shutil.ignore_patterns(
        "*.json", "*.md", "*.mts", "index.mjs", "relayout.mjs", "arrays.mjs", "*.wasm"))
    shutil.copyfile(package.parent / "bindings/js/native/explorer.wasm", folder / "xlashape/xlashape.wasm")
    for script in folder.rglob("*.mjs"):
        script.write_text(without_comments(script.read_text(encoding="utf-8")), encoding="utf-8")


def main(out, package):
    out = pathlib.Path(out).resolve()
    source = out.with_name(out.name + "-source")
    try:
        write(source, sources())
    except (pages.PageError, c_reference.c_header.HeaderError) as error:
        sys.exit(str(error))
    shutil.rmtree(out, ignore_errors=True)  # pages that are no longer there would stay
    command = [sys.executable, "-B", "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-c", str(ROOT / "site"),
               "-d", str(out.with_name(out.name + "-doctrees")), str(source), str(out)]
    if subprocess.run(command, check=False).returncode != 0:
        sys.exit(1)
    repair_script(out)
    add_normalize(out)
    add_explorer(out, pathlib.Path(package))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main(*sys.argv[1:])
