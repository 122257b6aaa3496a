# SPDX-License-Identifier: Apache-2.0
"""check_sdist.py FOLDER: makes the source distribution in it twice, and looks whether it is right: the same bytes
again, all that is needed to build, nothing that points outside, and metadata that agrees with pyproject.toml."""

import re
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import backend  # noqa: E402


def main(folder: str) -> None:
    made = []
    for number in "12":
        out = Path(folder) / number
        out.mkdir(parents=True)
        made.append(out / backend.build_sdist(str(out)))
    assert made[0].read_bytes() == made[1].read_bytes(), "other bytes"
    name = made[0].name[: -len(".tar.gz")]
    with tarfile.open(made[0]) as archive:
        members = {member.name[len(name) + 1 :]: member for member in archive}
        for path in ("meson.build", "pyproject.toml", "bindings/wheel.py", "bindings/python/backend.py", "LICENSE",
                     "packaging/about.py", "src/meson.build", "include/xlashape.h"):  # fmt: skip
            assert path in members, path
        for member in members.values():
            inside = (Path("/") / name / ".." / member.name).parent / member.linkname
            assert not member.issym() or f"/{name}/" in f"/{inside.as_posix()}", member.name
        file = archive.extractfile(members["PKG-INFO"])
        assert file
        info = file.read().decode()
    project = (backend.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for field, key in (("Name", "name"), ("Summary", "description"), ("Requires-Python", "requires-python")):
        said = re.search(f'^{key} = "(.*)"$', project, re.M)
        assert said and f"\n{field}: {said.group(1)}\n" in info, field
    for value in re.findall(r'"([^"]+@[^"]+|https://[^"]+)"', project):
        assert value in info.split("\n\n")[0], value


if __name__ == "__main__":
    main(*sys.argv[1:])
