#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what the JavaScript and the module have to agree about, from the ABI file and the JavaScript itself.

    generate.py ABI_FILE ABI_MJS EXPORTS SOURCE...

ABI_MJS gets the constants and structs that the sources name as `abi.NAME`; EXPORTS the functions that they call as
`c.NAME`. Structs are those of 32-bit machines whose int64_t is aligned to 8 bytes, as WebAssembly's are.
"""

import json
import re
import sys
from pathlib import Path

VIEWS = {"int32_t": "Int32", "uint32_t": "Uint32", "int64_t": "BigInt64", "uint64_t": "BigUint64", "char": "Uint8"}


def fields_of(struct, typedefs):
    for field in struct["fields"]:
        base = field["base"] if field["pointers"] == 0 else "uint32_t"
        yield '%s: [%d, "%s"]' % (field["name"], field["offset"]["ilp32"], VIEWS[typedefs.get(base, base)])


def main():
    abi_file, module, exports, *sources = sys.argv[1:]
    abi = json.loads(Path(abi_file).read_text(encoding="utf-8"))
    typedefs = {item["name"]: item["type"] for item in abi["typedefs"]}
    text = "\n".join(Path(source).read_text(encoding="utf-8") for source in sources)
    lines = ["// Constants and structs of the C headers. Written by native/generate.py: do not edit."]
    constants = {item["name"].removeprefix("XLASHAPE_"): item["value"] for item in abi["constants"]}
    structs = {item["name"].removeprefix("xlashape_"): item for item in abi["structs"]}
    for name in sorted(set(re.findall(r"\babi\.(\w+)", text)) - {"mjs"}):
        if name in structs:
            fields = ", ".join(fields_of(structs[name], typedefs))
            size = structs[name]["size"]["ilp32"]
            lines.append("export const %s = { size: %d, fields: { %s } };" % (name, size, fields))
        elif abs(constants[name]) < 1 << 53:
            lines.append("export const %s = %d;" % (name, constants[name]))
        else:
            lines.append("export const %s = %dn;" % (name, constants[name]))
    Path(module).write_text("\n".join(lines) + "\n", encoding="utf-8")
    functions = sorted(set(re.findall(r"\bc\.(\w+)\(", text)))
    Path(exports).write_text("\n".join("_" + name for name in functions) + "\n", encoding="utf-8")


main()
