"""run.py [PATTERN]: all unit tests, or those of the files that match; ends with `N passed, M failed`. A test that is
skipped counts as neither, and is named."""

import sys
import unittest
from pathlib import Path


class Result(unittest.TestResult):
    """Counts what passed."""

    passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.passed += 1


def main(pattern: str = "test_*.py") -> int:
    folder = str(Path(__file__).resolve().parent)
    sys.path.insert(0, folder)
    result = Result()
    unittest.defaultTestLoader.discover(folder, pattern=pattern).run(result)
    failures = result.failures + result.errors
    for test, why in failures:
        print(f"FAIL {test}\n{why}")
    for test, why in result.skipped:
        print(f"NOT RUN: {test}: {why}")
    print(f"{result.passed} passed, {len(failures)} failed")
    return 1 if failures or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
