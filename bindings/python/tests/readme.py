# SPDX-License-Identifier: Apache-2.0
"""readme.py README WORK: runs the programs in a README, each followed by the output that it must have. Ends with
`N passed, M failed`. Programs under `<!-- numpy -->` are left out where there is no NumPy."""

import re
import subprocess
import sys
from pathlib import Path

try:
    import numpy
except ImportError:
    numpy = None

BLOCK = re.compile(r"<!-- (program|numpy) -->\n```python\n(.*?)```\n\n<!-- output -->\n```text\n(.*?)```", re.S)


def main(readme: str, work: str) -> int:
    passed = failed = 0
    for kind, program, wanted in BLOCK.findall(Path(readme).read_text(encoding="utf-8")):
        if kind == "numpy" and numpy is None:
            continue
        run = subprocess.run([sys.executable, "-c", program], cwd=work, capture_output=True, text=True, check=False)
        good = run.stdout == wanted and run.returncode == 0
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"FAIL {readme}, {kind}: got\n{run.stdout}{run.stderr}want\n{wanted}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
