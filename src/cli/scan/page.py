#!/usr/bin/env python3
"""Joins page.html, page.css and page.js into one page: page.py HTML CSS JS [OUTPUT].

OUTPUT is C++ which defines the functions of page.h. Arrays of numbers, because compilers limit the length of string literals.
Without OUTPUT the page goes to standard output, with XLASHAPE_SCAN_JSON where the data belongs.
"""

import sys

DATA = "XLASHAPE_SCAN_JSON"


def join(html, css, js):
    """The page, in which DATA stands once."""
    texts = []
    for path in (html, css, js):
        with open(path, encoding="utf-8", newline="") as file:
            texts.append(file.read().replace("\r\n", "\n"))
    page, style, program = texts
    for mark, text, end in (("XLASHAPE_PAGE_CSS", style, "</style"), ("XLASHAPE_PAGE_JS", program, "</script")):
        if end in text.lower() or page.count(mark) != 1:
            sys.exit(f"page.py: {mark} must stand in {html} once, and {end} must not be in what replaces it")
        page = page.replace(mark, text.rstrip("\n"))
    if page.count(DATA) != 1:
        sys.exit(f"page.py: {DATA} must be in the page once, not {page.count(DATA)} times")
    return page


def array(name, text):
    data = text.encode("utf-8")
    lines = [",".join(f"{byte if byte < 128 else byte - 256}" for byte in data[i : i + 32]) for i in range(0, len(data), 32)]
    return f"constexpr signed char {name}[] = {{\n" + ",\n".join(lines) + "};\n"


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    page = join(*sys.argv[1:4])
    if len(sys.argv) == 4:
        sys.stdout.write(page)
        return
    before, after = page.split(DATA)
    functions = ""
    for name, variable in (("page_before_data", "kBefore"), ("page_after_data", "kAfter")):
        functions += f"std::string_view {name}() {{ return {{reinterpret_cast<const char*>({variable}), sizeof {variable}}}; }}\n"
    with open(sys.argv[4], "w", encoding="ascii") as file:
        file.write('// Made by page.py.\n#include "cli/scan/page.h"\n\nnamespace xlashape::cli {\nnamespace {\n')
        file.write(array("kBefore", before) + array("kAfter", after))
        file.write("}  // namespace\n\n" + functions + "\n}  // namespace xlashape::cli\n")


if __name__ == "__main__":
    main()
