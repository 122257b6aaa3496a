#!/usr/bin/env python3
"""Writes pjrt_api.h from pjrt_api.json, the facts of the PJRT C API: `generate.py`. `generate.py --check` compares them."""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent

HEAD = """\
/* The PJRT C API, for C and C++: written by generate.py from pjrt_api.json. Do not edit.
 *
 * A struct of arguments begins with its size, as the caller knows it, and functions stay where they are in PJRT_Api: so
 * plugins and clients of different releases work together. A function returns NULL, or an error that the caller destroys. */
#ifndef EXAMPLE_PJRT_API_H_
#define EXAMPLE_PJRT_API_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A client of another release may have numbers that are not here: in C++, too, they are values of their types. */
#ifdef __cplusplus
#define PJRT_ENUM(name) enum name : int
extern "C" {
#else
#define PJRT_ENUM(name) enum name
#endif
"""


def field(text):
    """One member; those of a union stand on one line."""
    return f"  {text};" if not text.startswith("union") else f"  {text[: text.index('{')]}{{ {text[text.index('{') + 1 :].strip()};"


def header(facts):
    structs, enums, callbacks = facts["structs"], facts["enums"], facts["callbacks"]
    out = [HEAD]
    for side, number in zip(("MAJOR", "MINOR"), facts["version"]):
        out.append(f"#define PJRT_API_{side} {number}")
    out.append("")
    values = set()
    for name, members in enums.items():
        values.update(members)
        out += [f"typedef PJRT_ENUM({name}) {{", *(f"  {member} = {number}," for member, number in members.items()), f"}} {name};", ""]
    used = set(re.findall(r"\bPJRT_\w+", json.dumps([structs, callbacks])))
    for name in sorted(used - set(enums) - set(callbacks) - values):
        out.append(f"typedef struct {name} {name};")
    out += ["struct PJRT_Api;", ""]
    for name, (result, parameters) in callbacks.items():
        out.append(f"typedef {result} (*{name})({parameters});")
    out.append("")
    for name, fields in structs.items():
        out += [f"struct {name} {{", *map(field, fields), "};", ""]
    out += [
        "typedef struct PJRT_Api {\n  size_t struct_size;\n  PJRT_Extension_Base* extension_start;\n  PJRT_Api_Version pjrt_api_version;",
    ]
    for name in facts["api_order"]:
        result = "void" if name in facts["returns_nothing"] else "PJRT_Error*"
        out.append(f"  {result} (*{name})({name}_Args* args);")
    out += ["} PJRT_Api;", ""]
    out.append("/* X(name) for each function that returns an error, in the table's order. */")
    served = [name for name in facts["api_order"] if name not in facts["returns_nothing"]]
    out += ["#define PJRT_API_FUNCTIONS(X) \\", *(f"  X({name}) \\" for name in served[:-1]), f"  X({served[-1]})", ""]
    layouts = facts["layouts_extension"]
    out.append(f"#define PJRT_LAYOUTS_EXTENSION_VERSION {layouts['version']}")
    out.append("typedef struct PJRT_Layouts_Extension {\n  PJRT_Extension_Base base;")
    out += [f"  PJRT_Error* (*{name})({name}_Args* args);" for name in layouts["order"]]
    out += ["} PJRT_Layouts_Extension;", "", "#ifdef __cplusplus", "}", "#endif", "#endif /* EXAMPLE_PJRT_API_H_ */", ""]
    return "\n".join(out)


def main():
    text = header(json.loads((HERE / "pjrt_api.json").read_text(encoding="utf-8")))
    file = HERE / "pjrt_api.h"
    if sys.argv[1:] == ["--check"]:
        if file.read_text(encoding="utf-8") != text:
            sys.exit("pjrt_api.h is not what generate.py writes: run generate.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
