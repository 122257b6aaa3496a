# SPDX-License-Identifier: Apache-2.0
"""check_wheel.py WHEEL: that its RECORD, name, metadata and licenses are right, and that it has all its parts."""

import base64
import csv
import hashlib
import re
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path


def main(path: str) -> None:
    name, version, python, abi, platform = Path(path).stem.split("-")
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        info = f"{name}-{version}.dist-info"
        names = archive.namelist()
        assert len(names) == len(set(names))
        rows = list(csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()))
        assert sorted(row[0] for row in rows) == sorted(names), "RECORD names other files"
        for file, digest, size in rows:
            data = archive.read(file)
            if file != f"{info}/RECORD":
                wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert digest == f"sha256={wanted}" and int(size) == len(data), file
        wheel = archive.read(f"{info}/WHEEL").decode()
        assert all(f"Tag: {python}-{abi}-{tag}\n" in wheel for tag in platform.split(".")), wheel
        assert "Root-Is-Purelib: false" in wheel
        assert (python, abi) == ("py3", "none"), path
        metadata = archive.read(f"{info}/METADATA").decode()
        assert f"Version: {version}\n" in metadata and f"Name: {name.replace('_', '-')}\n" in metadata
        for field in ("Project-URL", "Author-email", "Summary", "Requires-Python"):
            assert f"\n{field}: " in metadata, field
        # Every part with a license of its own is named where it is inside.
        text = archive.read(f"{info}/licenses/THIRD_PARTY.txt").decode()
        parts = re.findall("^License: (.*)\nIn: (.*)$", text, re.M)
        licenses = " AND ".join(sorted({"Apache-2.0", *(license for license, _ in parts)}))
        # An expression and classifiers of licenses exclude each other; its file lies where that version looks for it.
        assert "Metadata-Version: 2.4\n" in metadata and f"License-Expression: {licenses}\n" in metadata
        assert "Classifier: License" not in metadata and "\nLicense:" not in metadata
        for file in ("LICENSE", "THIRD_PARTY.txt"):
            assert f"License-File: {file}\n" in metadata and f"{info}/licenses/{file}" in names, file
        for license, where in parts:
            assert any(fnmatch(file, pattern) for file in names for pattern in where.split()), (license, where)
        if name == "xlashape":
            check_parts(archive, info, names)
        # Nothing of another maker is copied into it.
        objects = [Path(file).name for file in names if ".so" in file]
        own = ("libxlashape", "simd.", "cuda.", "opencl.", "bound.", "_operators.")
        assert all(file.startswith(own) for file in objects), objects
        assert not [file for file in names if "__pycache__" in file]


def check_parts(archive: zipfile.ZipFile, info: str, names: list) -> None:
    for part in ("py.typed", "_raw.py", "lib/libxlashape_draw.so.0.1", "lib/xlashape/simd.so"):
        assert f"xlashape/{part}" in names, part
    # The command and its console script come together; pip gives it the mode that the archive has.
    for command in ("xlashape/bin/xlashape", "xlashape/bin/xlashape-scan"):
        assert (command in names) == (f"{info}/entry_points.txt" in names)
        assert command not in names or archive.getinfo(command).external_attr >> 16 == 0o100755


if __name__ == "__main__":
    main(*sys.argv[1:])
