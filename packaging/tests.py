# SPDX-License-Identifier: Apache-2.0
"""The tests, as CI runs them, in the unpacked archive: what is missing in it shows here."""

import re


def make(_):
    pass


def check(release):
    said = release.run("./x", "test", cwd=release.sources(), log="tests")
    found = re.findall(r"^(\d+) passed, 0 failed$", said, re.MULTILINE)
    release.expect(bool(found), f"./x test: {found[-1] if found else 'no'} passed, 0 failed")
