#!/usr/bin/env python3
"""Writes xlashape/_raw.py, the ctypes declarations of xlashape.h and xlashape_util.h, from the project's ABI file.

    generate.py [--check] [ABI_FILE] [OUTPUT]

--check writes nothing and fails when the file in place differs from what would be written.
"""

import json
import sys
from pathlib import Path
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
ABI = HERE.parent.parent / "tests" / "abi" / "xlashape.abi.json"
OUTPUT = HERE / "xlashape" / "_raw.py"

Item = Dict[str, Any]

SCALARS = {
    "char": "c_char",
    "int8_t": "c_int8",
    "uint8_t": "c_uint8",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
    "size_t": "c_size_t",
    "double": "c_double",
    "float": "c_float",
}

HEAD = '''"""The C API of xlashape, declared for ctypes. Written by generate.py from the ABI file: do not edit.

Names are C's without `xlashape_` and `XLASHAPE_`. Handles, arrays, memory and text are c_void_p, so that addresses,
bytes, ctypes arrays and byref() all go; structs and single answers are typed pointers. Calls release the GIL. What the
parameters mean stands in xlashape.h and xlashape_util.h.
"""

# fmt: off
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int32, c_int64, c_size_t, c_uint8, c_uint32,
                    c_uint64, c_void_p)
from typing import Any, Callable

from ._library import load

'''


class Writer:
    def __init__(self, abi: Item) -> None:
        self.abi = abi
        self.typedefs = {t["name"]: t["type"] for t in abi["typedefs"]}
        self.callbacks = {c["name"] for c in abi["callbacks"]}

    def of_library(self, items: str) -> List[Item]:
        """What is declared in the library's headers; the other one is for its plugins."""
        return [item for item in self.abi[items] if item["header"] != "xlashape_backend.h"]

    def scalar(self, base: str) -> str:
        return SCALARS[self.typedefs.get(base, base)]

    def callback(self, item: Item) -> str:
        return "CFUNCTYPE(%s)" % ", ".join(
            [self.returns(item["returns"])] + [self.type(p, callback=True) for p in item["parameters"]]
        )

    def type(self, item: Item, callback: bool = False) -> str:
        role = item["role"]
        if role == "callback":
            return short(item["type"]) if item["type"] in self.callbacks else self.callback(item)
        if role == "value":
            return self.scalar(item["base"])
        if callback or role in ("handle", "handles", "array", "memory", "text"):
            return "c_void_p"
        if role == "handle_out":
            return "POINTER(c_void_p)"
        if role == "scalar":
            return "POINTER(%s)" % self.scalar(item["base"])
        assert role in ("struct", "error"), item
        return "POINTER(%s)" % short(item["base"])

    def returns(self, item: Item) -> str:
        role = item["role"]
        if role == "nothing":
            return "None"
        if role == "text":
            return "c_char_p"
        return "c_void_p" if role in ("handle", "memory") else self.scalar(item["base"])

    def field(self, item: Item) -> str:
        if item["role"] == "text" and item["pointers"] == 1:
            return "c_char_p"
        if "count" in item:
            return "%s * %d" % (self.scalar(item["base"]), item["count"])
        return self.type(item)

    def lines(self) -> List[str]:
        out = ["%s = %d" % (item["name"][len("XLASHAPE_") :], item["value"]) for item in self.of_library("constants")]
        out += ["", "library = load(ABI_VERSION)", ""]
        out += ["%s = %s" % (short(item["name"]), self.callback(item)) for item in self.of_library("callbacks")]
        for struct in self.of_library("structs"):
            out += ["", "", "class %s(Structure):" % short(struct["name"]), "    _fields_ = ["]
            out += ['        ("%s", %s),' % (field["name"], self.field(field)) for field in struct["fields"]]
            out.append("    ]")
        out += [
            "",
            "",
            "def _declare(name: str, returns: Any, *parameters: Any) -> Callable[..., Any]:",
            '    function = getattr(library, "xlashape_" + name)',
            "    function.restype = returns",
            "    function.argtypes = parameters",
            "    return function  # type: ignore[no-any-return]",
            "",
            "",
        ]
        for function in self.of_library("functions"):
            name = short(function["name"])
            types = [self.returns(function["returns"])] + [self.type(p) for p in function["parameters"]]
            out.append("# %s(%s)" % (name, ", ".join(p["name"] for p in function["parameters"])))
            out.append('%s = _declare("%s", %s)' % (name, name, ", ".join(types)))
        return out


def short(name: str) -> str:
    return name[len("xlashape_") :]


def main() -> int:
    arguments = sys.argv[1:]
    check = "--check" in arguments
    paths = [Path(a) for a in arguments if a != "--check"]
    abi = json.loads((paths[0] if paths else ABI).read_text(encoding="utf-8"))
    output = paths[1] if len(paths) > 1 else OUTPUT
    text = HEAD + "\n".join(Writer(abi).lines()) + "\n"
    if not check:
        output.write_text(text, encoding="utf-8")
        return 0
    if output.read_text(encoding="utf-8") == text:
        return 0
    print("%s is not what %s gives: run bindings/python/generate.py" % (output, Path(__file__).name), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
