# SPDX-License-Identifier: Apache-2.0
"""Installs the Debian packages in clean roots and uses them: README's programs, autopkgtest, an upgrade and a purge."""

import re

from debian_source import ABI

# Where dpkg, apt and ldconfig keep what no package lists.
KEPT = re.compile(r"^/(proc|sys|dev|run|tmp|release|root|etc/ld\.so\.cache|var/(lib/(dpkg|apt)|cache|log)|"
                  r"usr/lib/python3/dist-packages/__pycache__)(/|$)")


def check(release, folder):
    packages = [path for path in sorted(folder.glob("*.deb")) if "-dbgsym_" not in path.name]
    release.expect(packages, "there are Debian packages")
    use(release, packages)
    autopkgtest(release, folder)
    come_and_go(release, packages)


def use(release, packages):
    """What a reader of README does: a program in C, the command on a photograph, Python."""
    tests = release.sources() / "packaging" / "debian" / "tests"
    with release.root("debian-use") as root:
        root.put(*packages)
        root.put(release.sources())
        source = f"/release/{release.sources().name}"

        def run_test(name):
            root.put(tests, to=f"{source}/debian")
            root.run(f"AUTOPKGTEST_TMP=$(mktemp -d) {source}/debian/tests/{name}")

        root.install(*files(packages, f"libxlashape{ABI}", "libxlashape-dev"), "gcc", "libc6-dev", "pkgconf")
        run_test("c")
        release.ok("libxlashape-dev: README's C program prints what README says")
        said = root.run(f"dpkg -L libxlashape{ABI} | while read -r path; do test -d $path || echo $path; done")
        release.expect(said and all(ABI in path for path in said.splitlines()),
                       f"libxlashape{ABI} has no file that one of another minor version would have")
        root.install(*files(packages, "xlashape"))
        said = root.run("xlashape --version; xlashape backends")
        release.expect(re.search(r"^backends: .*\bsimd\b", said, re.M) and
                       re.search(rf"^simd .*/xlashape-{ABI}/simd\.so$", said, re.M),
                       "xlashape --version and xlashape backends name simd, from the folder of this minor version")
        root.run("mkdir /build && ln -s /usr/bin/xlashape /build/xlashape")
        said = root.run(f"apt-get -qq update && {source}/tools/demo.sh /build")
        release.expect(re.search(r"the same \d+ bytes", said) and re.search(r"^ *plan +simd", said, re.M),
                       "xlashape: the demo's photograph goes through its layouts and back, by simd")
        for path in ("man/man1/xlashape.1.gz", "man/man1/xlashape-explain.1.gz", "bash-completion/completions/xlashape",
                     "zsh/vendor-completions/_xlashape", "fish/vendor_completions.d/xlashape.fish"):
            root.run(f"test -s /usr/share/{path}")
        release.ok("xlashape: man pages, completions for bash, zsh and fish")
        root.install(*files(packages, "python3-xlashape"))
        run_test("python")
        release.ok("python3-xlashape: README's Python program prints what README says")
        root.install(*files(packages, "xlashape-backends-gpu", "xlashape-backend-bound"))
        said = root.run("xlashape backends --report")
        for name in ("cuda", "opencl"):
            release.expect(f"xlashape-{ABI}/{name}.so" in said, f"xlashape-backends-gpu: {name} is found")


def autopkgtest(release, folder):
    with release.root("debian-autopkgtest", packages=("autopkgtest",)) as root:
        root.put(folder)
        # Not those that it would build.
        said = root.run("cd /release/debian && autopkgtest --no-built-binaries --summary-file /release/summary "
                        "*.deb *.dsc -- null")
        summary = (root.path / "release" / "summary").read_text(encoding="utf-8")
    lines = [" ".join(line.split()) for line in summary.splitlines()]
    release.expect(lines and all(line.endswith("PASS") for line in lines), f"autopkgtest: {'; '.join(lines) or said}")


def come_and_go(release, packages):
    """An upgrade to the next revision; after a purge the root is what it was."""
    names = [path.name.split("_")[0] for path in packages]
    with release.root("debian-upgrade") as root:
        root.put(*packages)
        # The packages' dependencies stay, so that only what is theirs is seen to come and go.
        fields = "".join(root.run(f"dpkg-deb -f /release/{path.name} Pre-Depends Depends") for path in packages)
        wanted = [item.strip() for line in fields.splitlines() for item in line.split(":", 1)[1].split(",")]
        others = ", ".join(item for item in wanted if item.split()[0] not in names)
        root.run(f"apt-get -qq update && apt-get -qq satisfy -y --no-install-recommends '{others}'")
        before = listing(root)
        root.install(*files(packages, *names))
        root.run("dpkg --verify | tee /dev/stderr | wc -l | grep -qx 0")
        listed = set(root.run("dpkg -L " + " ".join(names)).splitlines())
        strange = sorted(path for path in listing(root) - before - listed if "/__pycache__" not in path)
        release.expect(not strange, f"dpkg --verify finds nothing, and no file is in no list{told(strange)}")
        root.run("mkdir /release/next")
        for path in packages:
            repack(root, path.name)
        root.run("apt-get -qq install -y --no-install-recommends /release/next/*.deb")
        said = root.run("dpkg-query -W -f '${Package} ${Version} ${db:Status-Status}\\n' " + " ".join(names))
        states = said.splitlines()
        release.expect(len(states) == len(names) and all(state.endswith("-2 installed") for state in states),
                       f"an upgrade to the next revision: {'; '.join(states)}")
        root.run("xlashape explain 'f32[2,3]' && python3 -c 'import xlashape' && dpkg --verify")
        root.run("dpkg --purge " + " ".join(names))
        left = sorted(listing(root) - before)
        release.expect(not left, f"after a purge nothing is left{told(left)}")


def repack(root, name):
    """The same package as the next revision."""
    root.run(f"cd /release && dpkg-deb -R {name} tree && sed -i -E '/^(Version|Depends):/s/(-)1\\b(\\)|,|$)/\\12\\2/g' "
             f"tree/DEBIAN/control && dpkg-deb --root-owner-group -b tree next/ && rm -r tree")


def files(packages, *names):
    return [f"/release/{path.name}" for name in names for path in packages if path.name.startswith(f"{name}_")]


def told(paths):
    return f", not so: {' '.join(paths)}" if paths else ""


def listing(root):
    """All that is in a root, but for what the system itself writes."""
    paths = root.run("find / -xdev").splitlines()
    return {path for path in paths if not KEPT.match(path)}
