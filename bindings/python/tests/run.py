# SPDX-License-Identifier: Apache-2.0
"""run.py [--without-numpy] [FOLDER]: all unit tests in FOLDER, else of this package; ends with `N passed, M failed`. A
test that is skipped counts as neither; why is printed."""

import sys
import unittest
from collections import Counter
from pathlib import Path

if "--without-numpy" in sys.argv:
    sys.argv.remove("--without-numpy")
    sys.modules["numpy"] = None  # an import of it fails


class Result(unittest.TestResult):
    """Counts what passed, which testsRun less the rest does not tell alike in all versions of Python."""

    passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.passed += 1


def main(folder: str = str(Path(__file__).resolve().parent)) -> int:
    sys.path.insert(0, folder)
    result = Result()
    unittest.defaultTestLoader.discover(folder, pattern="test_*.py").run(result)
    failures = result.failures + result.errors
    for test, why in failures:
        print(f"FAIL {test}\n{why}")
    for why, count in Counter(why for _, why in result.skipped).items():
        print(f"NOT RUN: {count} tests: {why}")
    print(f"{result.passed} passed, {len(failures)} failed")
    return 1 if failures or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
