"""No symbol of nanopb's own name is in the library: hidden in the shared one, renamed in the static one, where another
nanopb in the same program would meet it.

Arguments: the shared object or the archive. Needs only Python's standard library and nm.
"""

import re
import subprocess
import sys

library = sys.argv[1]
archive = library.endswith(".a")
lines = subprocess.run(["nm", "-g", library] if archive else ["nm", "-D", "--defined-only", library],
                       capture_output=True, text=True, check=True).stdout.splitlines()
names = {line.split()[-1] for line in lines if len(line.split()) > 1}
problems = sorted(name for name in names if re.match(r"pb_|nanopb", name))
if not archive:
    problems += sorted(name for name in names if "_pb_" in name)
elif "in_xlashape_pb_decode_varint" not in names:
    problems.append("in_xlashape_pb_decode_varint is missing: the archive does not hold nanopb, or under another name")
print(*problems, sep="\n")
print(f"{len(names)} symbols, {len(problems)} that should not be")
sys.exit(1 if problems or len(names) < 20 else 0)
