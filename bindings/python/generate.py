#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes xlashape/_raw.py, the ctypes declarations of the C headers that the package's modules use,
from the project's ABI file. Fails on a function that no module calls and that WITHOUT does not list either.

    generate.py [--check]

--check writes nothing and fails when the file in place differs from what would be written.
"""

import json
import re
import sys
from pathlib import Path
from textwrap import wrap
from typing import Any, Dict, List

HERE = Path(__file__).resolve().parent
ABI = HERE.parent / "abi" / "xlashape.abi.json"
PACKAGE = HERE / "xlashape"
OUTPUT = PACKAGE / "_raw.py"
USE = re.compile(r"\b_?raw\.(\w+)")

# Functions that the package does without, by why.
WITHOUT = {
    "an attribute, or a line of Python on some, says the same": """
        element_type_complex element_type_integral layout_are_dimensions_consecutive layout_create_major_to_minor
        layout_split layout_split_count layout_tile layout_tile_count
        shape_element_count_recursive shape_byte_size_recursive shape_fits_bounds shape_has_degenerate_dimensions
        shape_is_bounded_dynamic shape_is_effectively_most_major shape_last_dimension_is_most_minor
        shape_max_elements_per_split shape_static_element_count shape_with_dynamic_dimensions
        byte_strides_are_row_major common_factors dimension_letter dimension_from_letter""",
    "tuples of Python": """
        shape_append_to_tuple shape_copy_layouts shape_has_all_layouts shape_has_element_type shape_is_prefix
        shape_leaves_have_classes shape_replace_subshape shape_slice_tuple shape_subshape_count""",
    "another function of the library does it": """
        element_type_from_name plan_shapes shape_is_reshape_or_transpose_bitcast""",
    "one reference each": """
        layout_retain shape_retain index_map_retain index_plan_retain runtime_retain plan_retain
        program_shape_retain""",
    "structs of C that a Python program does not have": """
        element_type_to_pjrt element_type_from_pjrt layout_from_pjrt shape_to_pjrt""",
    "no protos of paths in Python": "path_to_proto path_from_proto",
    "no backends written in Python": "runtime_add_backend",
    "no memory of devices in Python": """
        memory_alloc memory_free memory_copy memory_fill queue_sync queue_wait_event queue_signal_event
        index_plan_get_requirements index_plan_task_count""",
    "what it gives is not promised": "get_extension",
}

Item = Dict[str, Any]

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""What the package uses of xlashape's C API, declared for ctypes. Written by generate.py from the ABI file:
do not edit.

Names are C's without `xlashape_` and `XLASHAPE_`. Handles, arrays, memory and text are c_void_p, so that addresses,
bytes, ctypes arrays and byref() all go; structs and single answers are typed pointers. Calls release the GIL. What the
parameters mean stands in the C headers.
"""

# fmt: off
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int32, c_int64, c_uint32, c_uint64,
                    c_void_p)
from typing import Any, Callable

from ._library import load

'''


class Writer:
    def __init__(self, abi: Item) -> None:
        self.abi = abi
        self.typedefs = {t["name"]: t["type"] for t in abi["typedefs"]}
        self.callbacks = {c["name"] for c in abi["callbacks"]}
        modules = [path for path in PACKAGE.glob("*.py") if path != OUTPUT]
        self.used = {name for path in modules for name in USE.findall(path.read_text(encoding="utf-8"))}
        self.used |= {"ABI_VERSION", "abi_version"}  # of _library.py, and of what is beside this package

    def of_library(self, items: str) -> List[Item]:
        """What is declared in the library's headers; the other one is for its plugins."""
        return [item for item in self.abi[items] if item["header"] != "xlashape_backend.h"]

    def wrong_lists(self) -> List[str]:
        functions = {short(item["name"]) for item in self.of_library("functions")}
        without = {name for names in WITHOUT.values() for name in names.split()}
        return [
            *(f"no module calls {name}, nor does WITHOUT say why" for name in sorted(functions - self.used - without)),
            *(f"WITHOUT lists {name}, which a module calls" for name in sorted(without & self.used)),
            *(f"WITHOUT lists {name}, which the library does not have" for name in sorted(without - functions)),
        ]

    def scalar(self, base: str) -> str:
        name = self.typedefs.get(base, base)
        return "c_" + (name[:-2] if name.endswith("_t") and name != "size_t" else name)

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
        if role == "struct" and item["pointers"] == 0:
            return short(item["base"])
        if callback or role in ("handle", "handles", "array", "memory", "text"):
            return "c_void_p"
        if role == "handle_out":
            return "POINTER(c_void_p)"
        if role == "scalar":
            return "POINTER(%s)" % self.scalar(item["base"])
        assert role in ("struct", "error"), item
        struct = short(item["base"])
        return "POINTER(%s)" % struct if struct in self.used else "c_void_p"

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
        constants = {item["name"][len("XLASHAPE_") :]: item["value"] for item in self.of_library("constants")}
        out = ["%s = %d" % one for one in constants.items() if one[0] in self.used]
        out += ["", "library = load(ABI_VERSION)", ""]
        out += ["%s = %s" % (short(item["name"]), self.callback(item)) for item in self.of_library("callbacks")]
        for struct in self.of_library("structs"):
            if short(struct["name"]) not in self.used:
                continue
            fields = ('("%s", %s),' % (field["name"], self.field(field)) for field in struct["fields"])
            lines = wrap(" ".join(field.replace(" ", "\0") for field in fields), 112)
            out += ["", "", "class %s(Structure):" % short(struct["name"]), "    _fields_ = ["]
            out += [*(8 * " " + line.replace("\0", " ") for line in lines), "    ]"]
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
            if name not in self.used:
                continue
            types = [self.returns(function["returns"])] + [self.type(p) for p in function["parameters"]]
            arguments = '"%s", %s' % (name, ", ".join(types))
            line = "%s = _declare(%s)" % (name, arguments)
            wrapped = wrap(arguments, 120, initial_indent="    ", subsequent_indent="    ")
            out += [line] if len(line) <= 120 else ["%s = _declare(" % name, *wrapped, ")"]
        return out


def short(name: str) -> str:
    return name[len("xlashape_") :]


def main() -> int:
    writer = Writer(json.loads(ABI.read_text(encoding="utf-8")))
    wrong = writer.wrong_lists()
    text = HEAD + "\n".join(writer.lines()) + "\n"
    if "--check" not in sys.argv:
        OUTPUT.write_text(text, encoding="utf-8")
    elif OUTPUT.read_text(encoding="utf-8") != text:
        wrong.append(f"{OUTPUT} is not what {Path(__file__).name} gives: run bindings/python/generate.py")
    print("".join(f"bindings/python/generate.py: {line}\n" for line in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
