# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases of a run of `meson test` and shows the output of the tests that failed.

Arguments: the folder of meson's logs, the log base given to `meson test`, and the file to write "PASSED FAILED" to;
without it, the one that the variable counts names. A test counts with the cases it names: GoogleTest's summary, or a
last line `N passed, M failed`; else it counts as one.
"""

import json
import os
import pathlib
import re
import sys

SHOWN = 200  # lines of a failing test's output


def cases(test):
    """(passed, failed) of one entry of the log."""
    good = test["result"] in ("OK", "EXPECTEDFAIL", "SKIP")
    out = test.get("stdout", "")
    gtest = re.search(r"^\[  PASSED  \] (\d+) tests?\.$", out, re.MULTILINE)
    own = re.findall(r"^(\d+) passed, (\d+) failed$", out, re.MULTILINE)
    if gtest:
        lost = re.search(r"^\[  FAILED  \] (\d+) tests?, listed below:$", out, re.MULTILINE)
        passed, failed = int(gtest.group(1)), int(lost.group(1)) if lost else 0
    elif own:
        passed, failed = map(int, own[-1])
    elif test["result"] == "SKIP":
        passed, failed = 0, 0
    else:
        passed, failed = int(good), int(not good)
    return passed, failed if good else max(failed, 1)


def skipped(test):
    """The cases that a GoogleTest program said it could not run here, with its reason: {reason: [case]}."""
    found = {}
    for reason, case in re.findall(r": Skipped\n(.*)\n+(?:.*\n)??\[  SKIPPED \] (\S+) \(", test.get("stdout", "")):
        found.setdefault(reason, []).append(case)
    return found


def main():
    folder, base, *given = sys.argv[1:]
    counts = given[0] if given else os.environ["counts"]
    logs = sorted(pathlib.Path(folder).glob(base + "*.json"))
    if not logs:
        return 1
    passed = failed = 0
    for line in logs[-1].read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        p, f = cases(test)
        passed += p
        failed += f
        if f:
            output = (test.get("stdout", "") + test.get("stderr", "")).splitlines()
            print(f"FAILED: {test['name']} ({test['result']}, status {test['returncode']}, {test['duration']:.1f} s)")
            print(" ", " ".join(test["command"]))
            print(*output[-SHOWN:], sep="\n")
        elif test["result"] == "SKIP":
            print(f"NOT RUN: {test['name']}")
        for reason, names in skipped(test).items():
            print(f"NOT RUN: {len(names)} of {test['name'].split(' / ')[-1]}, {names[0]}: {reason}")
    pathlib.Path(counts).write_text(f"{passed} {failed}\n", encoding="utf-8")
    return 0 if failed == 0 and passed > 0 else 1


sys.exit(main())
