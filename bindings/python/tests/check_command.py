"""check_command.py SITE_PACKAGES: that the command which a wheel brought along, and its backends, find all their
libraries, in the wheel or among those that every Linux has."""

import re
import subprocess
import sys
from pathlib import Path

EVERYWHERE = re.compile(r"(ld-|ld64\.|linux-|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.)")


def main(folder: str) -> None:
    package = Path(folder).resolve() / "xlashape"
    objects = [package / "bin" / "xlashape", *sorted((package / "lib" / "xlashape").rglob("*.so"))]
    runs = [subprocess.run(["ldd", path], stdout=subprocess.PIPE, check=True, env={}) for path in objects]
    texts = "".join(run.stdout.decode() for run in runs)
    own = 0
    for line in texts.splitlines():
        name, _, path = line.split(" (")[0].strip().partition(" => ")
        if EVERYWHERE.match(Path(name).name):
            continue
        assert path and Path(path).resolve().parent == package / "lib", line
        own += 1
    assert own >= 2, texts  # the library and at least one more: else this looks wrongly


if __name__ == "__main__":
    main(sys.argv[1])
