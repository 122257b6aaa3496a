# SPDX-License-Identifier: Apache-2.0
"""Writes what the fuzz target of the API knows of the functions, from the ABI file: functions.py ABI HEADER TABLE.

HEADER has a number for each function (F_...) and each kind of handle (H_...), and the masks of all bits with a common
prefix; TABLE has a Signature (api/dispatch.h) for each function: its parameters, and how it is called with words.
"""
import json
import re
import sys

MASKS = {"kEqualBits": "XLASHAPE_EQUAL_", "kLayoutFieldBits": "XLASHAPE_LAYOUT_FIELD_", "kClassBits": "XLASHAPE_CLASS_"}
SIZES = {"int32_t": 4, "uint32_t": 4, "char": 1, "uint8_t": 1}  # others have 8


def role(item):
    return "Role::k" + "".join(word.capitalize() for word in item["role"].split("_"))


def flag(value):
    return "true" if value else "false"


class Writer:
    def __init__(self, abi):
        self.abi = abi
        self.types = {typedef["name"]: typedef["type"] for typedef in abi["typedefs"]}
        self.structs = {struct["name"] for struct in abi["structs"]}
        self.handles = [handle["name"] for handle in abi["handles"]]

    def handle(self, base):
        return f"H_{base}" if base in self.handles else "kHandles"

    def size(self, item):
        base = item["base"]
        if base in self.structs:
            return f"sizeof({base})"
        if base in self.handles or base == "void":
            return "sizeof(void*)"
        return SIZES.get(self.types.get(base, base), 8)

    def parameter(self, item, names):
        # An array may be as long as another one's sum; else one parameter says its length.
        length = item.get("len", "")
        counting = re.match(r"(?:sum\()?(\w+)", length)
        count = names.index(counting.group(1)) if counting and counting.group(1) in names else -1
        direction = item.get("direction", "in")
        return (f'{{"{item["name"]}", "{item["base"]}", {role(item)}, '
                f'{flag(direction != "out")}, {flag(direction != "in")}, '
                f'{flag(item.get("nullable"))}, {flag(item.get("owned"))}, {flag(length.startswith("sum("))}, '
                f'{self.size(item)}, {count}, {self.handle(item["base"])}}}')

    def header(self):
        functions = [function["name"] for function in self.abi["functions"]]
        lines = ["#pragma once", *(f'#include "xlashape_{name}.h"' for name in ("interop", "runtime", "target", "xla"))]
        lines += ["namespace api_fuzz {", "enum Function : int {"]
        lines += [f"  F_{name}," for name in functions]
        lines += ["  kApiFunctions", "};", "enum Handle : int {"] + [f"  H_{name}," for name in self.handles]
        lines += ["  kHandles", "};", "template <class T>", "inline constexpr Handle kHandleOf = kHandles;"]
        lines += [f"template <>\ninline constexpr Handle kHandleOf<{name}> = H_{name};" for name in self.handles]
        for mask, prefix in MASKS.items():
            bits = [constant["name"] for constant in self.abi["constants"] if constant["name"].startswith(prefix)]
            lines.append(f"inline constexpr uint32_t {mask} = {' | '.join(bits)};")
        return "\n".join(lines + ["}  // namespace api_fuzz", ""])

    def table(self):
        lines = []
        for function in self.abi["functions"]:
            names = [item["name"] for item in function["parameters"]]
            parameters = ",\n     ".join(self.parameter(item, names) for item in function["parameters"])
            arguments = ", ".join(f"as<{item['type']}>(w[{i}])" for i, item in enumerate(function["parameters"]))
            returns = function["returns"]
            call = f"{function['name']}({arguments})"
            call = f"{call}, uint64_t{{0}}" if returns["role"] == "nothing" else f"word({call})"
            unused = "" if names else "/*w*/"
            lines.append(f'{{"{function["name"]}", {role(returns)}, {self.handle(returns["base"])},\n'
                         f"    {{{parameters}}},\n"
                         f"    [](const uint64_t* {unused or 'w'}) -> uint64_t {{ return {call}; }}}},\n")
        return "".join(lines)


with open(sys.argv[1], encoding="utf-8") as file:
    writer = Writer(json.load(file))
for path, text in zip(sys.argv[2:], (writer.header(), writer.table())):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
