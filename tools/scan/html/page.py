#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins the parts of the page of `scan --html`: page.py OUTPUT HTML CSS JS...

OUTPUT is C++ that defines the functions of html.h; it has arrays of numbers, because compilers limit the length of
string literals. If it is `-` the page goes to standard output, with XLASHAPE_SCAN_JSON where the data belongs.
"""

import sys

DATA = "XLASHAPE_SCAN_JSON"


def join(html, css, scripts):
    """The page, in which DATA stands once."""

    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read().rstrip("\n")

    page = read(html)
    program = '"use strict";\n(() => {\n' + "\n\n".join(map(read, scripts)) + "\n})();"
    for mark, text, end in (("XLASHAPE_PAGE_CSS", read(css), "</style"), ("XLASHAPE_PAGE_JS", program, "</script")):
        if page.count(mark) != 1 or end in text.lower():
            sys.exit(f"page.py: {mark} must be in {html} once, and {end} not in what replaces it")
        page = page.replace(mark, text)
    if page.count(DATA) != 1:
        sys.exit(f"page.py: {DATA} must be in the page once, not {page.count(DATA)} times")
    return page


def array(name, text):
    codes = [str(byte if byte < 128 else byte - 256) for byte in text.encode("utf-8")]
    lines = [",".join(codes[i : i + 24]) for i in range(0, len(codes), 24)]
    return f"constexpr signed char {name}[] = {{\n" + ",\n".join(lines) + "};\n"


def function(name, variable):
    view = f"{{reinterpret_cast<const char*>({variable}), sizeof {variable}}}"
    return f"std::string_view {name}() {{ return {view}; }}\n"


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    output, html, css, *scripts = sys.argv[1:]
    page = join(html, css, scripts)
    if output == "-":
        sys.stdout.buffer.write(page.encode("utf-8"))
        return
    before, after = page.split(DATA)
    with open(output, "w", encoding="ascii") as file:
        file.write('// Made by page.py.\n#include "scan/html/html.h"\n\nnamespace xlashape::cli {\nnamespace {\n')
        file.write(array("kBefore", before) + array("kAfter", after) + "}  // namespace\n\n")
        file.write(function("page_before_data", "kBefore") + function("page_after_data", "kAfter"))
        file.write("}  // namespace xlashape::cli\n")


if __name__ == "__main__":
    main()
