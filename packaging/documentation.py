# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: ./x site tests it while it makes it."""


def make(release):
    sources = release.sources()
    release.run("./x", "site", cwd=sources, log="site")
    target = release.out / f"xlashape-{release.version}-site.tar.gz"
    release.pack(sources / "build/site", target, f"xlashape-{release.version}-site")
    release.ok(f"{target.name}: {target.stat().st_size:,} bytes")


def check(release):
    names = release.run("tar", "-tf", release.out / f"xlashape-{release.version}-site.tar.gz").splitlines()
    for page in ("index.html", "explorer/index.html"):
        release.expect(any(name.endswith(f"-site/{page}") for name in names), f"the site has {page}")
