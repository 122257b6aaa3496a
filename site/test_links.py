#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_links.py SITE: every link within the built site leads to a file and an anchor that exist, pages and style sheets
load nothing from elsewhere, and links to elsewhere have the form of one. Nothing is fetched. Ends with
`N passed, M failed`."""

import pathlib
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}
FOLDERS_OF_OTHERS = {"_static"}  # scripts and styles of Sphinx and furo, whose pages these are not


class Page(HTMLParser):
    """The anchors of a page, and its links: (whether it is loaded, link, line)."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif (tag, name) in LOADS or (tag in ("a", "area") and name == "href"):
                self.links.append(((tag, name) in LOADS, value or "", self.getpos()[0]))


def outside(parts):
    """What is wrong with a link to elsewhere, or None."""
    if parts.scheme == "mailto":
        return None if re.fullmatch(r"[^@\s]+@[^@\s]+", parts.path) else "is no address"
    if parts.scheme not in ("https", "http"):
        return f"has the scheme {parts.scheme!r}"
    return None if re.fullmatch(r"[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+(:\d+)?", parts.netloc) else "names no host"


def check(site, path, page, pages):
    """(number of links, what is wrong with some)."""
    wrong = []
    for loaded, link, line in page.links:
        place = f"{path.relative_to(site)}:{line}: {link!r}"
        parts = urlsplit(link)
        if parts.scheme == "data":
            continue
        if parts.scheme or parts.netloc:
            problem = "is loaded from elsewhere" if loaded and parts.scheme != "data" else outside(parts)
            if problem:
                wrong.append(f"{place} {problem}")
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.is_relative_to(site):
            wrong.append(f"{place} leaves the site")
        elif not target.is_file():
            wrong.append(f"{place} leads to no file")
        elif parts.fragment.startswith("shape=") and target == site / "explorer/index.html":
            continue  # not an anchor, but what the Explorer shall show
        elif parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in pages[target].anchors:
            wrong.append(f"{place} leads to no anchor")
    return len(page.links), wrong


def check_style(site, style):
    """(number of files that a style sheet loads, what is wrong with some)."""
    wrong, found = [], re.findall(r"@import\s+['\"]([^'\"]+)|url\(\s*(?:'([^']*)'|\"([^\"]*)\"|([^)'\"]*?))\s*\)",
                                  re.sub(r"/\*.*?\*/", "", style.read_text(encoding="utf-8"), flags=re.S))
    for link in map("".join, found):
        parts = urlsplit(link)
        if parts.scheme == "data" or link.startswith("#"):
            continue
        # An address at the server's root is elsewhere, too: the site may lie anywhere.
        target = (style.parent / unquote(parts.path)).resolve()
        if parts.scheme or parts.netloc or link.startswith("/"):
            wrong.append(f"{style.relative_to(site)}: {link!r} is loaded from elsewhere")
        elif not target.is_relative_to(site) or not target.is_file():
            wrong.append(f"{style.relative_to(site)}: {link!r} leads to no file")
    return len(found), wrong


def main(site):
    site = pathlib.Path(site).resolve()
    paths = [path for path in sorted(site.rglob("*.html")) if path.relative_to(site).parts[0] not in FOLDERS_OF_OTHERS]
    pages = {path: Page(path) for path in paths}
    links, wrong = 0, [] if len(paths) > 20 else [f"{site} has only {len(paths)} pages"]
    for path, page in pages.items():
        number, problems = check(site, path, page, pages)
        links, wrong = links + number, wrong + problems
    for style in sorted(site.rglob("*.css")):
        number, problems = check_style(site, style)
        links, wrong = links + number, wrong + problems
    print(*(f"FAIL {problem}" for problem in wrong), sep="\n", end="\n" if wrong else "")
    print(f"{len(paths)} pages, {links} links")
    print(f"{links - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
