# SPDX-License-Identifier: Apache-2.0
"""Which files of the repository are pages of the site, where they are in the navigation, and where links lead."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The navigation: title -> files in its order, or names of pages that are generated. In a pair the second one has the
# pages below the first, which are seen from there.
NAVIGATION = {
    "Begin": ["docs/tutorial.md", "docs/howto.md"],
    "I ran out of memory": ["docs/scan.md", "docs/targets.md"],
    "I convert arrays": [("docs/command.md", ["docs/words.md", "docs/values.md", "docs/large.md",
                                              "tools/view/README.md"])],
    "I embed it": [
        ("docs/embedding.md", ["docs/errors.md", "docs/ownership.md", "docs/threads.md", "docs/environment.md",
                               "docs/versioning.md"]),
        "docs/interop.md",
        ("docs/pjrt-plugin.md", ["integrations/pjrt/README.md"]),
        "docs/xla-parity.md",
    ],
    "I write a backend": [
        ("docs/backends.md", ["docs/manifest.md", "docs/bound.md", "docs/gpu.md", "src/backends/scalar/README.md",
                              "src/backends/simd/README.md", "src/backends/simd/TRIED.md",
                              "src/backends/gpu/README.md", "src/backends/bound/README.md"]),
        ("docs/performance.md", ["docs/tuning.md", "tests/bench/README.md"]),
    ],
    "Languages": ["reference/index", "bindings/cpp/README.md", ("bindings/python/README.md", ["reference/python"]),
                  "bindings/rust/README.md", "bindings/go/README.md", "bindings/js/README.md",
                  "integrations/jax/README.md", "integrations/torch/README.md",
                  ("bindings/embedding/README.md", ["bindings/abi/README.md"])],
    "The project": [
        ("README.md", ["CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md", "HACKING.md"]),
        ("docs/adding/README.md", [f"docs/adding/{name}.md" for name in (
            "function", "layout-field", "element-type", "target", "kernel", "subcommand", "small")]),
    ],
}
# What pages are called in the navigation, where their own title is long or says less beside others.
SHORT = {
    "docs/tutorial.md": "Tutorial", "docs/scan.md": "Scan", "docs/words.md": "Words", "docs/values.md": "Values",
    "docs/large.md": "Larger than memory",
    "docs/embedding.md": "Embedding", "docs/versioning.md": "Versions", "docs/interop.md": "Interoperation",
    "docs/pjrt-plugin.md": "A PJRT plugin", "integrations/pjrt/README.md": "The plugin in this repository",
    "docs/xla-parity.md": "XLA's utilities", "docs/backends.md": "Write a backend", "docs/bound.md": "Vendor routines",
    "docs/tuning.md": "Measuring", "bindings/cpp/README.md": "C++", "bindings/python/README.md": "Python",
    "bindings/rust/README.md": "Rust", "bindings/go/README.md": "Go", "bindings/js/README.md": "JavaScript",
    "integrations/jax/README.md": "JAX", "integrations/torch/README.md": "PyTorch", "reference/index": "C",
    "reference/python": "All names", "bindings/embedding/README.md": "Others", "README.md": "README",
}
# What people search for that the page has in other words. Each is an entry of the index.
KEYWORDS = {
    "docs/scan.md": ["out of memory", "OOM", "RESOURCE_EXHAUSTED", "HBM", "memory usage"],
    "docs/howto.md": ["out of memory", "OOM", "RESOURCE_EXHAUSTED", "convert weights", "offline", "safetensors"],
    "docs/large.md": ["out of core", "memory-mapped", "checkpoint", "huge file", "streaming"],
    "docs/command.md": ["convert weights", "safetensors", "npz", "npy", "offline"],
    "docs/backends.md": ["write a backend", "plugin"],
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


class PageError(Exception):
    pass


def page_name(path):
    """The page that a file becomes: docs/errors.md -> errors, bindings/go/README.md -> bindings/go."""
    if path.startswith("docs/"):
        return path[5:-3]
    if path.endswith("/README.md"):
        return path[: -len("/README.md")]
    return path[:-3].lower()


def listed():
    """All of the navigation, each page once."""
    for entries in NAVIGATION.values():
        for entry in entries:
            lead, below = entry if isinstance(entry, tuple) else (entry, [])
            yield from (lead, *below)


def pages():
    """File -> name of its page."""
    files = ["docs/index.md"] + [path for path in listed() if path.endswith(".md")]
    found = [*(ROOT / "docs").glob("*.md"), *(ROOT / "bindings").glob("*/README.md")]
    missing = {path.relative_to(ROOT).as_posix() for path in found} - set(files)
    if missing:
        raise PageError(f"site/pages.py: NAVIGATION lacks {', '.join(sorted(missing))}")
    return {path: page_name(path) for path in files}


def places():
    """What links may name besides pages -> page: folders, and headers, which have their reference."""
    found = {"docs": "index", "include": "reference/index"}
    found.update({path[: -len("/README.md")]: name for path, name in pages().items() if path.endswith("/README.md")})
    for header in [*(ROOT / "include").glob("*.h"), ROOT / "tools/view/xlashape_draw.h"]:
        found[header.relative_to(ROOT).as_posix()] = f"reference/{header.stem}"
    return found


def code_free(text):
    """(line, whether it is no code) of Markdown. Code is fenced, or indented by four columns after an empty line."""
    fence, code, empty = None, False, True
    for line in text.splitlines():
        mark = re.match(r" *(```+)", line)
        indented = line.startswith("    ")
        code = bool(line.strip()) and indented and (empty or code) or (not line.strip() and code)
        yield line, not (fence or mark or code)
        if mark:
            fence = None if fence and mark.group(1).startswith(fence) else fence or mark.group(1)
        empty = not line.strip()


def rewritten(path, text, copied):
    """The page's text with links to where the site has what they name. Files that are no page are added to `copied`."""
    names, others, depth = pages(), places(), page_name(path).count("/")
    up = "../" * depth

    def target(match):
        image, title, link = match.groups()
        if re.match(r"[a-z]+:|#", link):
            return match.group()
        file, _, anchor = link.partition("#")
        found = (ROOT / path).parent.joinpath(file).resolve()
        if not found.is_relative_to(ROOT):
            raise PageError(f"{path}: the link {link} leaves the repository")
        inside = found.relative_to(ROOT).as_posix()
        if inside.startswith("site/explorer"):  # made elsewhere, and copied as it is
            return f'<a href="{up}{inside[5:]}{"#" + anchor if anchor else ""}">{title}</a>'
        if inside in names or inside in others:
            page = names.get(inside) or others[inside]
            suffix = ".rst" if page.startswith("reference/") else ".md"
            return f"[{title}]({up}{page}{suffix}{'#' + anchor if anchor else ''})"
        if not found.is_file():
            raise PageError(f"{path}: the link {link} leads to no file")
        copied.add(inside)
        return f"{image}[{title}]({up}files/{inside})"

    return "\n".join(LINK.sub(target, line) if is_text else line for line, is_text in code_free(text)) + "\n"


def toctree(paths, caption=""):
    names = pages()
    lines = ["```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    for path in paths:
        page = f"/{names.get(path, path)}"
        lines.append(f"{SHORT[path]} <{page}>" if path in SHORT else page)
    return "\n".join([*lines, "```", ""])


def toctrees():
    """The navigation as the end of the first page."""
    for caption, entries in NAVIGATION.items():
        yield toctree([entry[0] if isinstance(entry, tuple) else entry for entry in entries], caption)


def below(path):
    """The pages below a page as its end."""
    leads = dict(entry for entries in NAVIGATION.values() for entry in entries if isinstance(entry, tuple))
    return toctree(leads[path]) if path in leads else ""


def with_keywords(path, text):
    """The page with entries of the index, behind its title."""
    title, _, rest = text.partition("\n")
    entries = "".join(f"```{{index}} single: {keyword}\n```\n" for keyword in KEYWORDS.get(path, ()))
    return f"{title}\n\n{entries}\n{rest}" if entries else text
