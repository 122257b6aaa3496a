"""run.py [NAME...]: all tests with JAX, or those in test_NAME.py; ends with `N passed, M failed`."""

import os
import sys
import unittest
import warnings
from pathlib import Path

# Before JAX is imported. Several devices, so that there is something to divide an array among.
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax  # noqa: E402

jax.config.update("jax_enable_x64", True)  # for element types of 64 bits


class Result(unittest.TestResult):
    """Counts what passed."""

    passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.passed += 1


def main() -> int:
    folder = str(Path(__file__).resolve().parent)
    sys.path.insert(0, folder)
    warnings.simplefilter("error")
    result = Result()
    for name in sys.argv[1:] or ["*"]:
        unittest.defaultTestLoader.discover(folder, pattern=f"test_{name}.py").run(result)
    failures = result.failures + result.errors
    for test, why in failures:
        print(f"FAIL {test}\n{why}")
    print(f"{result.passed} passed, {len(failures)} failed")
    return 1 if failures or not result.passed else 0


if __name__ == "__main__":
    sys.exit(main())
