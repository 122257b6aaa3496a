# SPDX-License-Identifier: Apache-2.0
"""What the makers of packages share: where a release is made, running programs, and clean roots.

A part of a release is a module of this folder with two functions:

    make(release)    writes its packages into release.out
    check(release)   installs them, each in a clean root, and uses them as README says

Both say with release.ok(TEXT) what they have seen, and raise Failed where something is wrong.
"""

import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    """What is wrong, for people."""


class Release:
    """One release in the making. `out` gets what is published, `work` all else, which may be deleted."""

    def __init__(self, version, folder, is_preview=False):
        self.version = version
        self.is_preview = is_preview
        self.repository = REPOSITORY
        self.out = pathlib.Path(folder) / version
        self.work = pathlib.Path(folder) / "work"
        self.archive = self.out / f"xlashape-{version}.tar.gz"
        self.seen = 0
        for path in (self.out, self.work):
            path.mkdir(parents=True, exist_ok=True)

    def ok(self, text):
        self.seen += 1
        print(f"ok: {text}", flush=True)

    def expect(self, condition, text):
        if not condition:
            raise Failed(text)
        self.ok(text)

    def run(self, *words, cwd=None, environment=None, log=None):
        """Runs a program and gives what it prints; where it fails that is raised. `log`: a name, the output is kept
        as work/NAME.log in any case."""
        words = [str(word) for word in words]
        begin = time.monotonic()
        process = subprocess.Popen(words, cwd=cwd or self.repository, env={**os.environ, **(environment or {})},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")
        while True:
            try:
                said, _ = process.communicate(timeout=60)
                break
            except subprocess.TimeoutExpired:
                print(f"... {time.monotonic() - begin:.0f} s: {log or words[0]}", flush=True)
            except BaseException:
                process.terminate()
                process.wait()
                raise
        if log:
            text = f"$ {' '.join(words)}\n{said}\n({process.returncode}, {time.monotonic() - begin:.0f} s)\n"
            (self.work / f"{log}.log").write_text(text, encoding="utf-8")
        if process.returncode:
            tail = "\n".join(said.splitlines()[-25:])
            raise Failed(f"{' '.join(words[:6])} ended with {process.returncode}:\n{tail}")
        return said

    def commit(self):
        return self.run("git", "rev-parse", "HEAD").strip()

    def is_of_this_commit(self):
        """Whether the archive in `out` is of the commit that is checked out."""
        return self.archive.exists() and self.commit() in self.run(
            "bash", "-c", 'gzip -dc "$0" | git get-tar-commit-id', self.archive)

    def sources(self):
        """The unpacked source archive: what a release is made of, whatever else lies in the checkout."""
        folder = self.work / f"xlashape-{self.version}"
        mark = self.work / "unpacked"
        if not mark.exists() or mark.read_text(encoding="utf-8") != self.commit():
            self.run("rm", "-rf", folder)
            self.run("tar", "-xf", self.archive, "-C", self.work)
            mark.write_text(self.commit(), encoding="utf-8")
        return folder

    def pack(self, folder, target, name):
        """A .tar.gz of a folder, with this name inside, whose bytes depend on the files' alone."""
        def plain(entry):
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, 0, "", ""
            entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
            return entry

        with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as stream, \
                tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(folder.rglob("*")):
                archive.add(path, f"{name}/{path.relative_to(folder).as_posix()}", recursive=False, filter=plain)

    def venv(self, *packages):
        """A Python with these packages of PyPI; kept for the next time."""
        name = hashlib.sha256(" ".join([sys.executable, *packages]).encode()).hexdigest()[:12]
        folder = self.work / "venvs" / name
        if not (folder / "done").exists():
            self.run("rm", "-rf", folder)
            self.run(sys.executable, "-m", "venv", folder)
            if packages:
                self.run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *packages)
            (folder / "done").touch()
        return folder

    def mirror(self):
        """Where apt has Debian from."""
        sources = self.run("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages")
        found = next((line.split()[0] for line in sources.splitlines() if line.endswith(" bookworm")), None)
        if found is None:
            raise Failed("apt has no sources for bookworm, which say where Debian is")
        return found

    def root(self, name, suite="bookworm", packages=()):
        """A new Debian with these packages and nothing else. The empty one, and one for each list of packages, are
        kept for the next time."""
        return Root(self, name, suite, packages)


class Root:
    """A Debian of its own, entered by chroot: needs to be root and debootstrap. Use it in a `with`."""

    def __init__(self, release, name, suite, packages):
        self.release = release
        self.path = release.work / "roots" / name
        base = self._base(suite)
        if packages:
            base = self._with_packages(base, sorted(packages))
        self._copy(base, self.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._remove(self.path)

    def put(self, *files, to="/release"):
        """Copies files or folders into it."""
        folder = self.path / to.lstrip("/")
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            self.release.run("cp", "-a", file, folder)

    def run(self, command, user=None, environment=None, network=True):
        """A line for its shell; gives what it prints, raises where that fails. Processes that it starts end with it.
        `network=False`: there is none."""
        inner = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$1" "${@:2}"'
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if network else ["--net"]), "env", "-i"]
        proxies = {name: os.environ[name] for name in ("http_proxy", "https_proxy") if name in os.environ}
        settings = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    "HOME": f"/home/{user}" if user else "/root", "LANG": "C.UTF-8",
                    "DEBIAN_FRONTEND": "noninteractive", **proxies, **(environment or {})}
        words += [f"{name}={value}" for name, value in settings.items()]
        shell = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"] if user else []
        return self.release.run(*words, "bash", "-c", inner, "_", self.path, *shell, "bash", "-euc", command,
                                log=f"root-{self.path.name}")

    def install(self, *packages):
        """Debian's packages, or .deb files by their paths in the root."""
        self.run("apt-get -qq update && apt-get -qq install -y --no-install-recommends " + " ".join(packages))

    # -- How roots are made ---------------------------------------------------------------------------------------

    def _base(self, suite):
        base = self.release.work / "roots" / f"{suite}.base"
        if base.exists():
            return base
        if os.geteuid() != 0:
            raise Failed("clean roots need to be made by root")
        if not shutil.which("debootstrap"):
            raise Failed("debootstrap is not installed: apt-get install debootstrap")
        new = base.with_suffix(".new")
        self._remove(new)
        new.mkdir(parents=True)
        mirror = self.release.mirror()
        self.release.run("debootstrap", "--variant=minbase", "--include=ca-certificates", suite, new, mirror,
                         log=f"debootstrap-{suite}")
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", new / "etc" / name)
        new.rename(base)
        return base

    def _with_packages(self, base, packages):
        kept = base.with_name(f"{base.stem}+{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:12]}")
        if not kept.exists():
            target, self.path = self.path, kept.with_suffix(".new")
            self._copy(base, self.path)
            self.install(*packages)
            self.path.rename(kept)
            self.path = target
        return kept

    def _copy(self, base, to):
        self._remove(to)
        self.release.run("cp", "-a", "--reflink=auto", base, to)

    def _remove(self, folder):
        self.release.run("rm", "-rf", "--one-file-system", folder)
