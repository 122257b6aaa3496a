# SPDX-License-Identifier: Apache-2.0
"""Whether an ABI file only adds to its baseline, so that a caller compiled against the baseline still works.

    compare.py BASELINE [CURRENT]

Prints every change that breaks a caller and exits 1 when there is one; additions are listed, and are fine.
"""

import json
import pathlib
import sys


def by_name(items):
    return {item["name"]: item for item in items}


def place(items, name):
    return next(i for i, item in enumerate(items) if item["name"] == name)


def vanished(kind, old, new):
    for name in old:
        if name not in new:
            yield f"{kind} {name} vanished"


def signatures(where, old, new):
    """Of a function, a callback or a slot."""
    if old["returns"]["type"] != new["returns"]["type"]:
        yield f"{where}: returned {old['returns']['type']}, now {new['returns']['type']}"
    before, now = old["parameters"], new["parameters"]
    if len(before) != len(now):
        yield f"{where}: had {len(before)} parameters, now {len(now)}: a new meaning is a new function"
        return
    for i, (a, b) in enumerate(zip(before, now)):
        what = f"{where}: parameter {i + 1} ({a['name']})"
        if a["type"] != b["type"]:
            yield f"{what} was {a['type']}, now {b['type']}"
        if a["role"] != b["role"] or a.get("direction") != b.get("direction"):
            yield f"{what} was {a['role']} {a.get('direction', 'in')}, now {b['role']} {b.get('direction', 'in')}"
        if a.get("owned", False) != b.get("owned", False):
            yield f"{what}: who owns the handle changed"
        if a.get("nullable") and not b.get("nullable"):
            yield f"{what} could be NULL and no longer can"
        if a.get("len") != b.get("len"):
            yield f"{what} had {a.get('len', 'no')} items, now {b.get('len', 'no')}"


def fields(old, new):
    """Fields stay where they were, in their order; new ones come after the old struct's end."""
    name, now = old["name"], by_name(new["fields"])
    for i, field in enumerate(old["fields"]):
        where = f"{name}.{field['name']}"
        if field["name"] not in now:
            yield f"{where} vanished"
            continue
        other = now[field["name"]]
        if "parameters" in field and "parameters" in other:
            yield from signatures(where, field, other)
        elif field["type"] != other["type"]:
            yield f"{where}: was {field['type']}, now {other['type']}"
        for machine in field["size"]:
            if field["size"][machine] != other["size"].get(machine):
                yield f"{where}: took {field['size'][machine]} bytes on {machine}, now {other['size'].get(machine)}"
            if field["offset"][machine] != other["offset"].get(machine):
                at = field["offset"][machine], other["offset"].get(machine)
                yield f"{where}: was at byte {at[0]} on {machine}, now at {at[1]}"
        at = place(new["fields"], field["name"])
        if at != i:
            yield f"{where}: was field {i + 1}, now field {at + 1}: fields are only added at the end"
    known = by_name(old["fields"])
    for field in new["fields"]:
        for machine, size in old["size"].items():
            if field["name"] not in known and field["offset"][machine] < size:
                yield (f"{name}.{field['name']}: inserted at byte {field['offset'][machine]} on {machine}, "
                       f"inside the {size} bytes of the baseline")


def breaks(old, new):
    """Every change from `old` to `new` that breaks a caller, as text."""
    for kind, key in (("typedef", "typedefs"), ("handle", "handles"), ("callback", "callbacks"), ("struct", "structs"),
                      ("function", "functions"), ("constant", "constants")):
        before, now = by_name(old[key]), by_name(new[key])
        yield from vanished(kind, before, now)
        for name in before.keys() & now.keys():
            a, b = before[name], now[name]
            if kind == "typedef" and a["type"] != b["type"]:
                yield f"typedef {name}: was {a['type']}, now {b['type']}"
            if kind == "handle" and a["threads"] != b["threads"] and b["threads"] != "shared":
                yield f"handle {name}: was {a['threads']} between threads, now {b['threads']}"
            if kind == "constant" and (a["value"], a["type"]) != (b["value"], b["type"]):
                yield f"constant {name}: was {a['value']} ({a['type']}), now {b['value']} ({b['type']})"
            if kind == "struct":
                yield from fields(a, b)
            if kind in ("function", "callback"):
                yield from signatures(name, a, b)


# What names a release and so changes with it.
OF_RELEASE = ("XLASHAPE_VERSION_MAJOR", "XLASHAPE_VERSION_MINOR", "XLASHAPE_VERSION_PATCH",
              "XLASHAPE_ABI_VERSION", "XLASHAPE_BACKEND_ABI_VERSION")


def without_release(abi):
    return {**abi, "constants": [item for item in abi["constants"] if item["name"] not in OF_RELEASE]}


def compare(old, new):
    return sorted(set(breaks(without_release(old), without_release(new))))


def additions(old, new):
    for key in ("functions", "structs", "constants", "handles", "typedefs"):
        count = len(by_name(new[key]).keys() - by_name(old[key]).keys())
        if count:
            yield f"{count} new {key}"


def main():
    here = pathlib.Path(__file__).resolve().parent
    old, new = (json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
                for path in (sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else here / "xlashape.abi.json"))
    found = compare(old, new)
    print(*found, sep="\n")
    added = ", ".join(additions(old, new)) or "nothing new"
    print(f"{len(found)} changes break callers of {old['version']}; {added}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
