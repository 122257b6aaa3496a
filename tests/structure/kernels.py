# SPDX-License-Identifier: Apache-2.0
"""The simd backend's kernels run only where their target was chosen: no code of a target is shared with anything else,
and nothing runs when the object is loaded.

Arguments: the archive of the kernels, the shared object. A function that the compiler may merge with one of the same
name elsewhere (a weak symbol: every inline function and template that was not inlined) must be in a namespace of one
target (N_AVX2, ...); otherwise code compiled for AVX-512 could be what everybody runs. Needs nm and readelf.
"""

import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def problems(archive, library):
    targets = set()
    for line in output("nm", "-C", archive).splitlines():
        match = re.match(r"[0-9a-f]+ (\w) (.*)", line)
        if not match:
            continue
        kind, name = match.groups()
        targets.update(re.findall(r"\bN_[A-Z]\w*", name))
        if kind in "WVu" and not re.search(r"\bN_[A-Z]\w*::", name):
            yield f"{name} is weak and belongs to no target"
        if kind in "TtBbDd" and re.search(r"_GLOBAL__|static initialization|guard variable", name):
            yield f"{name} runs when the object is loaded, or at first use"
    if not targets:
        yield "the archive has no target's kernels at all"
    initialisers = re.search(r"\.init_array\s+INIT_ARRAY\s+\S+\s+\S+\s+(\w+)", output("readelf", "-W", "-S", library))
    if initialisers and int(initialisers.group(1), 16) > 16:
        yield f"runs code when it is loaded: .init_array has {int(initialisers.group(1), 16)} bytes"
    visible = {
        words[7].split("@")[0]
        for words in map(str.split, output("readelf", "-W", "--dyn-syms", library).splitlines())
        if len(words) == 8 and words[6] not in ("UND", "Ndx") and words[4] != "LOCAL" and words[3] != "OBJECT"
    }
    for name in sorted(visible - {"xlashape_backend_open_simd"}):
        yield f"{name} is visible"
    print("targets:", *sorted(targets))


found = list(problems(*sys.argv[1:]))
print(*found, sep="\n")
sys.exit(1 if found else 0)
