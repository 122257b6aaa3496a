# SPDX-License-Identifier: Apache-2.0
"""The source package: packaging/debian with the project's names, and what is made of other files: the changelog and
the list of symbols. Its other part is the source archive as it is published."""

import datetime
import json
import re
import shutil
import tarfile

import about
from release import Failed

SUITE = "bookworm"
ABI = "0.1"  # as in the soname
OVERRIDE = """# Nobody asked for it in Debian's bug tracker, so there is no bug that the first version could close.
{}: initial-upload-closes-no-bugs
"""


def write(release, folder, revision=1):
    """Makes folder/xlashape-VERSION with its debian/, and beside it the archive under Debian's name."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(release.archive, folder / f"xlashape_{release.version}.orig.tar.gz")
    release.run("tar", "-xf", release.archive, "-C", folder)
    tree = folder / f"xlashape-{release.version}"
    debian = tree / "debian"
    shutil.copytree(tree / "packaging" / "debian", debian)
    words = {"VERSION": release.version, "URL": about.URL, "SUMMARY": about.SUMMARY, "MAINTAINER": about.MAINTAINER,
             "MAINTAINER_NAME": about.MAINTAINER.split(" <")[0]}
    for file in (path for path in debian.rglob("*") if path.is_file()):
        file.write_text(re.sub(r"@([A-Z_]+)@", lambda match: words[match[1]], file.read_text(encoding="utf-8")),
                        encoding="utf-8")
    (debian / "changelog").write_text(changelog(release, tree, revision), encoding="utf-8")
    (debian / f"libxlashape{ABI}.symbols").write_text(symbols(release, tree), encoding="utf-8")
    for name in re.findall(r"^Package: (.*)$", (debian / "control").read_text(encoding="utf-8"), re.M):
        (debian / f"{name}.lintian-overrides").write_text(OVERRIDE.format(name), encoding="utf-8")
    return tree


def is_released(release, tree):
    return section(release, tree) != "unreleased"


def section(release, tree):
    """What CHANGELOG.md says behind this version: a date, or "unreleased"."""
    text = (tree / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(release.version)} - (unreleased|\d{{4}}-\d\d-\d\d)$", text, re.M)
    if found is None:
        raise Failed(f'CHANGELOG.md has no line "## {release.version} - DATE"')
    return found[1]


def changelog(release, tree, revision):
    """As long as there is no date it is that of the sources, so that the same sources give the same packages."""
    date = section(release, tree)
    if date == "unreleased":
        with tarfile.open(release.archive) as archive:
            moment = datetime.datetime.fromtimestamp(next(iter(archive)).mtime, datetime.timezone.utc)
    else:
        moment = datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00")
    suite = SUITE if is_released(release, tree) else "UNRELEASED"
    return (f"xlashape ({release.version}-{revision}) {suite}; urgency=medium\n\n  * Release {release.version}.\n\n"
            f" -- {about.MAINTAINER}  {moment:%a, %d %b %Y %H:%M:%S} +0000\n")


def symbols(release, tree):
    """All functions that the headers declare, since this release: while the ABI is 0 nobody promises that a program
    works with an older one."""
    functions = json.loads((tree / "bindings/abi/xlashape.abi.json").read_text(encoding="utf-8"))["functions"]
    libraries = {"libxlashape": ("XLASHAPE_0", [function["name"] for function in functions]),
                 "libxlashape_draw": ("XLASHAPE_DRAW_0", ["xlashape_draw"])}
    lines = []
    for library, (node, names) in libraries.items():
        lines += [f"{library}.so.{ABI} libxlashape{ABI} #MINVER#", "* Build-Depends-Package: libxlashape-dev"]
        lines += [f" {name}@{node} {release.version}" for name in sorted([node, *names])]
    return "\n".join(lines) + "\n"
