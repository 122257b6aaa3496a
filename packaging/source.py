# SPDX-License-Identifier: Apache-2.0
"""The source archive, and the notes of the release."""

import gzip
import io
import re

from release import Failed


def make(release):
    if release.run("git", "status", "--porcelain").strip():
        raise Failed("there are changes that are not committed: a release is made of a commit")
    release.archive.write_bytes(archive(release, release.repository))
    release.ok(f"{release.archive.name}: {release.archive.stat().st_size:,} bytes")
    (release.out / "NOTES.md").write_text(notes(release), encoding="utf-8")
    release.ok("NOTES.md, of CHANGELOG.md")


def archive(release, repository):
    """Depends on the commit alone: git gives all files the commit's time, and gzip's header has neither time nor
    name."""
    tar = release.work / "archive.tar"
    release.run("git", "-c", "tar.umask=0022", "-C", repository, "archive", "--format=tar",
                f"--prefix=xlashape-{release.version}/", "-o", tar, "HEAD")
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, mtime=0) as stream:
        stream.write(tar.read_bytes())
    tar.unlink()
    return packed.getvalue()


def notes(release):
    """What CHANGELOG.md has of this version."""
    text = (release.repository / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(release.version)} - (.+)\n\n([\s\S]*?)(?=^## |\Z)", text, re.MULTILINE)
    if found is None:
        raise Failed(f"CHANGELOG.md has no section {release.version}")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", found[1]) and not release.is_preview:
        raise Failed(f"CHANGELOG.md says {release.version} - {found[1]}: write the date, or make a --preview")
    return f"# xlashape {release.version}{' (preview)' if release.is_preview else ''}\n\n{found[2].rstrip()}\n"


def check(release):
    """Another clone, in another place with other habits, gives the same bytes; and nothing in it points out of it."""
    other = release.work / "another place" / "clone"
    release.run("rm", "-rf", other)
    release.run("bash", "-c", 'umask 077 && TZ=Asia/Tokyo LC_ALL=C git clone -q "$0" "$1"', release.repository, other)
    release.run("git", "-C", other, "checkout", "-q", release.run("git", "rev-parse", "HEAD").strip())
    release.expect(archive(release, other) == release.archive.read_bytes(), "a clone elsewhere gives the same archive")
    release.run("rm", "-rf", other.parent)
    inside = release.sources()
    for link in (path for path in inside.rglob("*") if path.is_symlink()):
        if not link.resolve().is_relative_to(inside.resolve()) or not link.exists():
            raise Failed(f"{link} points out of the archive")
