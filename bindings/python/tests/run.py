"""run.py [--without-numpy]: all unit tests; ends with `N passed, M failed`. A test that is skipped counts as neither."""

import sys
import unittest
from pathlib import Path

if "--without-numpy" in sys.argv:
    sys.modules["numpy"] = None  # an import of it fails


def main() -> int:
    folder = str(Path(__file__).resolve().parent)
    sys.path.insert(0, folder)
    suite = unittest.defaultTestLoader.discover(folder, pattern="test_*.py")
    result = unittest.TextTestRunner(stream=open("/dev/null", "w"), verbosity=0).run(suite)
    failures = result.failures + result.errors + [(test, "unexpected success") for test in result.unexpectedSuccesses]
    for test, why in failures:
        print(f"FAIL {test}\n{why}")
    failed = len(failures)
    print(f"{result.testsRun - len(result.skipped) - failed} passed, {failed} failed")
    return 1 if failed or not result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
