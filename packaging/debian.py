# SPDX-License-Identifier: Apache-2.0
"""Debian packages for bookworm: made by an ordinary user in a clean root that has what debian/control asks for and no
network, and then looked through by lintian. debian_check.py installs and uses them."""

import os
import shutil

import debian_check
import debian_source

BUILDER = "builder"
HOME = f"/home/{BUILDER}"
TOOLS = ("build-essential", "debhelper", "devscripts", "fakeroot")
# For as long as CHANGELOG.md has no date: that the changes are not for a suite of Debian's is so on purpose.
UNRELEASED_TAGS = ("bad-distribution-in-changes-file", "unreleased-changes")


def make(release):
    target = release.out / "debian"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    tree = source(release, 1)
    with release.root("debian-build", packages=TOOLS) as root:
        build(root, tree)
        for file in sorted((root.path / HOME.lstrip("/")).glob("*xlashape*_*")):
            shutil.copy(file, target)
            os.chown(target / file.name, 0, 0)
    packages = sorted(path.name for path in target.glob("*.deb"))
    release.expect(any(name.startswith("libxlashape0") for name in packages) and len(packages) >= 7,
                   f"Debian packages: {' '.join(packages)}")
    lint(release, target, debian_source.is_released(release, tree))


def check(release):
    debian_check.check(release, release.out / "debian")


def source(release, revision):
    folder = release.work / "debian-source"
    shutil.rmtree(folder, ignore_errors=True)
    return debian_source.write(release, folder, revision)


def build(root, tree):
    """Source and binary packages, in the builder's home."""
    root.run(f"useradd --create-home {BUILDER}")
    root.put(*tree.parent.iterdir(), to=HOME)
    root.run(f"chown -R {BUILDER}: {HOME}")
    folder = f"{HOME}/{tree.name}"
    root.run(f"apt-get -qq update && apt-get -qq build-dep -y --no-install-recommends {folder}")
    root.run(f"cd {folder} && dpkg-buildpackage --build=full --no-sign --jobs", user=BUILDER, network=False)


def lint(release, folder, is_released):
    with release.root("debian-lint", packages=("lintian",)) as root:
        root.run(f"useradd --create-home {BUILDER}")
        root.put(folder, to=HOME)
        suppressed = [] if is_released else ["--suppress-tags", ",".join(UNRELEASED_TAGS)]
        words = ["lintian", "--profile", "debian", "--display-info", "--fail-on", "error,warning", *suppressed]
        said = root.run(f"cd {HOME}/debian && {' '.join(words)} *.changes", user=BUILDER)
    (release.work / "lintian.log").write_text(said, encoding="utf-8")
    for line in said.splitlines():
        print(f"lintian: {line}", flush=True)
    release.ok("lintian has neither an error nor a warning")
