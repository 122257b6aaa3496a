#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a header for C++ from pjrt_api.json, the facts of the PJRT C API: `generate.py OUTPUT`."""

import json
import pathlib
import re
import sys

HEAD = """\
// The PJRT C API: written by generate.py from pjrt_api.json.
//
// A struct of arguments begins with its size, as the caller knows it, and functions stay where they are in PJRT_Api: so
// plugins and clients of different releases work together. A function returns NULL, or an error that the caller
// destroys.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {
"""


def struct(name, fields):
    return [f"struct {name} {{", *(f"  {field};" for field in fields), "};", ""]


def functions(facts, names):
    """The members of a table of functions."""
    for name in names:
        yield f"{'void' if name in facts['returns_nothing'] else 'PJRT_Error*'} (*{name})({name}_Args* args)"


def header(facts):
    structs, enums, callbacks = facts["structs"], facts["enums"], facts["callbacks"]
    out = [HEAD]
    for side, number in zip(("MAJOR", "MINOR"), facts["version"]):
        out.append(f"#define PJRT_API_{side} {number}")
    out.append("")
    values = set()
    for name, members in enums.items():
        values.update(members)
        # With a type of its own, so that a number of another release is a value of the enum, too.
        out += [f"enum {name} : int {{", *(f"  {member} = {number}," for member, number in members.items()), "};", ""]
    used = set(re.findall(r"\bPJRT_\w+", json.dumps([structs, callbacks])))
    out += [f"struct {name};" for name in sorted(used - set(enums) - set(callbacks) - values)]
    out.append("")
    out += [f"typedef {result} (*{name})({parameters});" for name, (result, parameters) in callbacks.items()]
    out.append("")
    for name, fields in structs.items():
        out += struct(name, fields)
    api = ["size_t struct_size", "PJRT_Extension_Base* extension_start", "PJRT_Api_Version pjrt_api_version"]
    out += struct("PJRT_Api", [*api, *functions(facts, facts["api_order"])])
    layouts = functions(facts, facts["layouts_extension"]["order"])
    out += struct("PJRT_Layouts_Extension", ["PJRT_Extension_Base base", *layouts])
    out.append('}  // extern "C"\n')
    out.append("// X(name) for each function that returns an error, in the tables' order.")
    served = [name for name in facts["api_order"] if name not in facts["returns_nothing"]]
    for macro, names in ("PJRT_API_FUNCTIONS", served), ("PJRT_LAYOUTS_FUNCTIONS", facts["layouts_extension"]["order"]):
        out.append(" \\\n".join([f"#define {macro}(X)", *(f"  X({name})" for name in names)]) + "\n")
    return "\n".join(out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    facts = pathlib.Path(__file__).with_name("pjrt_api.json").read_text(encoding="utf-8")
    pathlib.Path(sys.argv[1]).write_text(header(json.loads(facts)), encoding="utf-8")


if __name__ == "__main__":
    main()
