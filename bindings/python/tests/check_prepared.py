"""check_prepared.py WHEEL: that metadata which wheel.py gives before the wheel, if it does, is the wheel's."""

import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import wheel  # noqa: E402


def main(path: str) -> None:
    prepare = getattr(wheel, "prepare_metadata_for_build_wheel", None)
    if prepare is None:
        return
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        info = prepare(folder)
        names = [name for name in archive.namelist() if name.startswith(info) and not name.endswith("/RECORD")]
        assert names, info
        for name in names:
            assert (Path(folder) / name).exists(), f"{name} is missing"
            assert (Path(folder) / name).read_bytes() == archive.read(name), f"{name} is different"


if __name__ == "__main__":
    main(sys.argv[1])
