# SPDX-License-Identifier: Apache-2.0
"""Writes a C and C++ file that fails to compile where a compiler does not see the ABI file's numbers in the headers.

    asserts.py [ABI FILE] >abi_asserts.c
    asserts.py --check COMPILER...     compile it: as C and C++, here and for two machines of 32 bits

Sizes, alignments and offsets of structs, widths of typedefs, values of constants, types of functions.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ABI = HERE.parents[1] / "bindings/abi"

HEAD = """/* Written by tests/abi/asserts.py from the ABI file. */
#include "xlashape_backend.h"
#include "xlashape_interop.h"
#include "xlashape_target.h"
#include "xlashape_xla.h"
#if defined(__cplusplus)
#define ABI_ASSERT(condition, text) static_assert(condition, text)
#define ABI_ALIGN(type) alignof(type)
#else
#define ABI_ASSERT(condition, text) _Static_assert(condition, text)
#define ABI_ALIGN(type) _Alignof(type)
#endif
struct abi_int64_in_a_struct {
  char first;
  int64_t second;
};
#if UINTPTR_MAX == UINT64_MAX
#define ABI_PICK(lp64, ilp32, ilp32_align4) (lp64)
#else
#define ABI_PICK(lp64, ilp32, ilp32_align4) \\
  (offsetof(struct abi_int64_in_a_struct, second) == 8 ? (ilp32) : (ilp32_align4))
#endif
"""


def pick(numbers):
    return f"ABI_PICK({numbers['lp64']}, {numbers['ilp32']}, {numbers['ilp32_align4']})"


def literal(constant):
    suffix = {"int32_t": "", "uint32_t": "u", "int64_t": "ll", "uint64_t": "ull"}[constant["type"]]
    value = constant["value"]
    return f"({value + 1}{suffix} - 1)" if value < 0 else f"{value}{suffix}"


def check(condition, text):
    return f'ABI_ASSERT({condition}, "{text}");'


def statements(abi):
    for typedef in abi["typedefs"]:
        name, kind = typedef["name"], typedef["type"]
        yield check(f"sizeof({name}) == sizeof({kind}) && (({name})-1 < 0) == (({kind})-1 < 0)", f"{name} is {kind}")
    for constant in abi["constants"]:
        yield check(f"{constant['name']} == {literal(constant)}", f"{constant['name']} is {constant['value']}")
    for struct in abi["structs"]:
        name = struct["name"]
        yield check(f"sizeof({name}) == {pick(struct['size'])}", f"size of {name}")
        yield check(f"ABI_ALIGN({name}) == {pick(struct['align'])}", f"alignment of {name}")
        for field in struct["fields"]:
            where = f"{name}.{field['name']}"
            yield check(f"offsetof({name}, {field['name']}) == {pick(field['offset'])}", f"offset of {where}")
            yield check(f"sizeof((({name}*)0)->{field['name']}) == {pick(field['size'])}", f"size of {where}")
    for function in abi["functions"]:
        types = ", ".join(parameter["type"] for parameter in function["parameters"]) or "void"
        yield f"extern {function['returns']['type']} (*abi_{function['name']})({types});"
        # A declaration that only compiles when the two types are the same.
        yield f"extern __typeof__(&{function['name']}) abi_{function['name']};"


def text(abi):
    return HEAD + "\n".join(statements(abi)) + "\n"


# Machines of both kinds with 32 bits, for the compilers that can target them without their libraries.
OTHER_TARGETS = (["-target", "armv7-linux-gnueabihf", "-ffreestanding"],
                 ["-target", "i686-linux-gnu", "-ffreestanding"])


def compile_all(abi, compilers):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "abi_asserts.c"
        file.write_text(text(abi), encoding="utf-8")
        done = failed = 0
        for compiler in compilers:
            for options in ([], *(OTHER_TARGETS if "clang" in compiler else ())):
                for language in (["-x", "c", "-std=c11"], ["-x", "c++", "-std=c++20"]):
                    command = [compiler, *options, *language, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                               str(HERE.parents[1] / "include"), str(file)]
                    result = subprocess.run(command, capture_output=True, text=True)
                    done += 1
                    if result.returncode != 0:
                        failed += 1
                        print(" ".join(command[:-2]), result.stderr, sep="\n")
        print(f"{sum(1 for _ in statements(abi))} declarations, {done} compilations, {failed} failed")
        return 1 if failed or not done else 0


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--check"]:
        return compile_all(json.loads((ABI / "xlashape.abi.json").read_text(encoding="utf-8")), arguments[1:])
    file = pathlib.Path(arguments[0]) if arguments else ABI / "xlashape.abi.json"
    sys.stdout.write(text(json.loads(file.read_text(encoding="utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
