# SPDX-License-Identifier: Apache-2.0
"""Which systems the objects of a wheel run on: read from their headers, so that they may be of another processor."""

import re
import struct
import sysconfig
from pathlib import PurePosixPath
from typing import Dict, List, NamedTuple

# In every Linux that a wheel can be for. As auditwheel has it, but for zlib.
SYSTEM = re.compile(r"(ld-|ld64\.|linux-|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.)")
# What a wheel requires, by other wheels.
REQUIRED = re.compile(r"lib(xlashape|torch|c10)")
# For each manylinux the newest symbols that it has, as auditwheel says: GLIBC_2.N, GLIBCXX_3.4.N, CXXABI_1.3.N.
MANYLINUX = (
    *((17, 19, 7), (24, 22, 10), (27, 24, 11), (28, 24, 11)),
    *((31, 28, 12), (34, 29, 13), (35, 30, 13), (39, 33, 15)),
)
OLDER_NAMES = {17: "manylinux2014"}
VERSIONS = (rb"GLIBC_2\.(\d+)", rb"GLIBCXX_3\.4\.(\d+)", rb"CXXABI_1\.3\.(\d+)")
PROCESSORS = {62: "x86_64", 183: "aarch64"}
LOAD, DYNAMIC = 1, 2
NEEDED, STRINGS = 1, 5


class Object(NamedTuple):
    processor: str  # "" for one that has no manylinux
    needs: List[str]


def read(data: bytes) -> Object:
    """ValueError for what is no whole ELF object."""
    if data[:4] != b"\x7fELF":
        raise ValueError("it does not begin as an ELF object")
    order, wide = "<" if data[5] == 1 else ">", data[4] == 2
    try:
        machine, table = (number(data, order, at, size) for at, size in ((18, 2), (32, 8) if wide else (28, 4)))
        size, count = struct.unpack_from(order + "2H", data, 54 if wide else 42)
        parts = [struct.unpack_from(order + ("2I6Q" if wide else "8I"), data, table + at * size) for at in range(count)]
        # Both kinds of rows as (type, offset, address, size in the file).
        rows = [(row[0], row[2], row[3], row[5]) if wide else (row[0], row[1], row[2], row[4]) for row in parts]
        pair = order + ("qQ" if wide else "iI")
        dynamic = [entry for kind, offset, _, length in rows if kind == DYNAMIC
                   for entry in struct.iter_unpack(pair, data[offset : offset + length])]  # fmt: skip
        strings = next((value for tag, value in dynamic if tag == STRINGS), 0)
        start = next((offset + strings - address for kind, offset, address, length in rows
                      if kind == LOAD and address <= strings < address + length), 0)  # fmt: skip
        needs = [data[start + value : data.index(b"\0", start + value)] for tag, value in dynamic if tag == NEEDED]
    except (struct.error, ValueError) as error:
        raise ValueError(f"it is not whole: {error}") from None
    return Object(PROCESSORS.get(machine, ""), [name.decode() for name in needs])


def number(data: bytes, order: str, at: int, size: int) -> int:
    return int.from_bytes(data[at : at + size], "little" if order == "<" else "big")


def platform_tag(files: Dict[str, bytes]) -> str:
    """Of a wheel with these files, by their names: the oldest manylinux whose systems all have what its objects need,
    which is what auditwheel says; where they need more, the tag of this machine. An older name for the same systems
    follows after a dot, as in the names of wheels: pip before 20.3 knows no other. ValueError names a broken one."""
    objects = []
    for name, data in files.items():
        if ".so" in name or "/bin/" in name:
            try:
                objects.append(read(data))
            except ValueError as error:
                raise ValueError(f"{PurePosixPath(name).name} is broken: {error}") from None
    this = re.sub("[-.]", "_", sysconfig.get_platform())
    needs = {needed for one in objects for needed in one.needs}
    processors = {one.processor for one in objects}
    if len(processors) != 1 or "" in processors or "libc.so.6" not in needs:
        return this
    processor = processors.pop()
    if all(SYSTEM.match(name) or REQUIRED.match(name) for name in needs):
        found = [[int(n) for data in files.values() for n in re.findall(version, data)] for version in VERSIONS]
        newest = [max(numbers, default=0) for numbers in found]
        for has in MANYLINUX:
            if all(need <= most for need, most in zip(newest, has)):
                older = f".{OLDER_NAMES[has[0]]}_{processor}" if has[0] in OLDER_NAMES else ""
                return f"manylinux_2_{has[0]}_{processor}{older}"
    return f"linux_{processor}"


def beyond_system(files: Dict[str, bytes]) -> List[str]:
    """The libraries of the system's that not every Linux has."""
    needs = {name for file, data in files.items() if ".so" in file or "/bin/" in file for name in read(data).needs}
    return sorted(name for name in needs if not SYSTEM.match(name) and not REQUIRED.match(name))
