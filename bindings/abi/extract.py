#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derives bindings/abi/xlashape.abi.json, what the public headers promise, from clang's syntax tree of them.

    extract.py            write the file anew
    extract.py --check    exit 1, and say how they differ, when the file is not what the headers say

Needs only Python's standard library and clang-14 (or clang). What C cannot say (direction, nullability, lengths,
thread rules) comes from the XLASHAPE_* annotations of the headers: attributes under this script, nothing elsewhere.
"""

import argparse
import difflib
import json
import pathlib
import re
import shutil
import subprocess
import sys

import model

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = (
    "xlashape.h", "xlashape_runtime.h", "xlashape_xla.h",
    "xlashape_interop.h", "xlashape_target.h", "xlashape_backend.h",
)

# Where an int64_t lies in a struct depends on more than the size of pointers: i386 aligns it to 4 bytes.
TARGETS = {
    "lp64": "x86_64-linux-gnu",
    "ilp32": "armv7-linux-gnueabihf",
    "ilp32_align4": "i686-linux-gnu",
}

# The text travels as a second argument of the attribute: the JSON tree holds the arguments, not the first name.
ANNOTATIONS = """
#define XLASHAPE_ANNOTATE
#define XLASHAPE_NULLABLE __attribute__((annotate("xlashape", "nullable")))
#define XLASHAPE_INOUT __attribute__((annotate("xlashape", "inout")))
#define XLASHAPE_LEN(n) __attribute__((annotate("xlashape", "len:" #n)))
#define XLASHAPE_THREADS(rule) __attribute__((annotate("xlashape", "threads:" rule)))
"""
NO_CONSTANTS = {"XLASHAPE_API", "XLASHAPE_BUILD", "XLASHAPE_BACKEND_LINKAGE", "XLASHAPE_BACKEND_EXPORT",
                *re.findall(r"#define (\w+)", ANNOTATIONS)}


def clang():
    for name in ("clang-14", "clang"):
        if shutil.which(name):
            return name
    sys.exit("extract.py: neither clang-14 nor clang is installed")


def run_clang(include, source, options, target="lp64"):
    command = [clang(), "-target", TARGETS[target], "-ffreestanding", "-std=c11", "-I", str(include), "-x", "c",
               *options, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"extract.py: the headers do not compile:\n{result.stderr}")
    return result.stdout


def source_of_headers(extra=""):
    return ANNOTATIONS + "".join(f'#include "{name}"\n' for name in HEADERS) + extra


def tree(include, extra="", target="lp64"):
    options = ["-fsyntax-only", "-Xclang", "-ast-dump=json"]
    return json.loads(run_clang(include, source_of_headers(extra), options, target))


def annotations(node):
    """The texts of a declaration's annotations, in order."""
    found = []
    for child in node.get("inner", []):
        if child["kind"] == "AnnotateAttr":
            found += [literal["value"].strip('"') for literal in nodes(child, "StringLiteral")]
    return found


def nodes(node, kind):
    if node.get("kind") == kind:
        yield node
    for child in node.get("inner", []):
        yield from nodes(child, kind)


def constants_in_order(include):
    """(macro, header) of every constant, in the order of the headers: every macro that has a value, takes no arguments
    and is not in NO_CONSTANTS."""
    header = None
    for line in run_clang(include, source_of_headers(), ["-E", "-dD"]).splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            header = pathlib.PurePath(mark.group(1)).name
        macro = re.match(r"#define (XLASHAPE_\w+)(\(?) ?(.*)", line)
        if macro and header in HEADERS and macro.group(1) not in NO_CONSTANTS and macro.group(3) and not macro.group(2):
            yield macro.group(1), header


def values(include, expressions, target="lp64"):
    """The compiler's value and type of each constant expression: name -> (value, type)."""
    probe = "".join(f"enum {{ probe_{i} = ({text}) }};\n" for i, text in enumerate(expressions))
    found = {}
    for enum in tree(include, probe, target)["inner"]:
        for constant in enum.get("inner", []) if enum["kind"] == "EnumDecl" else []:
            if constant["name"].startswith("probe_"):
                expression = next(nodes(constant, "ConstantExpr"))
                found[constant["name"]] = int(expression["value"]), expression["type"]["qualType"]
    return [found[f"probe_{i}"] for i in range(len(expressions))]


def add_layouts(include, structs):
    """Sizes and offsets of every struct, for each kind of machine."""
    asked = []
    for struct in structs:
        asked += [f"sizeof({struct['name']})", f"_Alignof({struct['name']})"]
        for field in struct["fields"]:
            asked += [f"__builtin_offsetof({struct['name']}, {field['name']})",
                      f"sizeof((({struct['name']}*)0)->{field['name']})"]
    for target in TARGETS:
        answers = iter(value for value, _ in values(include, asked, target))
        for struct in structs:
            struct.setdefault("size", {})[target] = next(answers)
            struct.setdefault("align", {})[target] = next(answers)
            for field in struct["fields"]:
                field.setdefault("offset", {})[target] = next(answers)
                field.setdefault("size", {})[target] = next(answers)


def extract(include):
    """The ABI that the headers in this folder describe, as the file has it."""
    include = pathlib.Path(include)
    texts = {name: (include / name).read_text(encoding="utf-8") for name in HEADERS}
    abi = model.Model(texts)
    for node in tree(include)["inner"]:
        if node.get("name", "").startswith("xlashape"):
            abi.add(node, annotations(node), {id(child): annotations(child) for child in node.get("inner", [])})
    abi.finish()
    names = list(constants_in_order(include))
    for (name, header), (value, spelled) in zip(names, values(include, [name for name, _ in names])):
        abi.add_constant(name, header, value, spelled)
    add_layouts(include, abi.structs)
    problems = abi.problems()
    if problems:
        sys.exit("extract.py: the headers break the rules of the ABI:\n" + "\n".join(problems))
    return abi.result()


def lines(abi):
    """JSON that diffs well: a function, a callback, a constant, a struct's field is one line."""
    def listed(items, pad, text):
        return "[\n" + ",\n".join(pad + text(item) for item in items) + "\n" + pad[1:] + "]"

    def symbol(item):
        if "fields" not in item:
            return json.dumps(item)
        head = json.dumps({key: value for key, value in item.items() if key != "fields"})
        return head[:-1] + ', "fields": ' + listed(item["fields"], "  ", json.dumps) + "}"

    return "{\n" + ",\n".join(
        f' "{key}": ' + (listed(value, "  ", symbol) if isinstance(value, list) else json.dumps(value))
        for key, value in abi.items()) + "\n}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--include", default=HERE.parents[1] / "include", type=pathlib.Path)
    parser.add_argument("--file", default=HERE / "xlashape.abi.json", type=pathlib.Path)
    arguments = parser.parse_args()
    abi = extract(arguments.include)
    text = lines(abi) + "\n"
    if arguments.check:
        old = arguments.file.read_text(encoding="utf-8") if arguments.file.exists() else ""
        if old == text:
            print(*(f"{len(abi[key])} {key}" for key in ("functions", "structs", "constants")), sep=", ")
            return 0
        print(*difflib.unified_diff(old.splitlines(), text.splitlines(), arguments.file.name, "what the headers say",
                                    n=0, lineterm=""), sep="\n")
        print("the ABI file is stale. If the headers are as they should be, run: bindings/abi/update.sh",
              file=sys.stderr)
        return 1
    arguments.file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
