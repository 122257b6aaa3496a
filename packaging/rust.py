# SPDX-License-Identifier: Apache-2.0
"""The crates: xlashape-backend-sys, xlashape-sys, xlashape. xlashape-sys has the library's sources and Highway's
headers inside, for the feature `vendored`.

They depend on each other, and cargo packages what depends on published crates only. So each is laid into a registry in
a folder, which takes the place of the real one for the next crate, and for the check.
"""

import hashlib
import json
import pathlib
import re
import shutil
import time

from release import Failed

CRATES = ("xlashape-backend-sys", "xlashape-sys", "xlashape")
HIGHWAY = pathlib.Path("/usr/include/hwy")
# Documentation builds link nothing, and so does the trial build of what is packaged.
UNLINKED = {"DOCS_RS": "1", "RUSTDOCFLAGS": "-D warnings", "RUSTFLAGS": "-D warnings"}


def make(release):
    workspace = _workspace(release)
    registry = release.work / "crates"
    shutil.rmtree(registry, ignore_errors=True)
    (registry / "index").mkdir(parents=True)
    settings = ["--offline", "--config", 'source.crates-io.replace-with="made"',
                "--config", f'source.made.local-registry="{registry}"', "--target-dir", release.work / "target"]
    metadata = json.loads(release.run("cargo", "metadata", "--offline", "--no-deps", "--format-version=1",
                                      cwd=workspace))
    described = {package["name"]: package for package in metadata["packages"]}
    for name in CRATES:
        release.run("cargo", "package", "--allow-dirty", "-p", name, *settings, cwd=workspace, environment=UNLINKED,
                    log=f"package-{name}")
        file = f"{name}-{release.version}.crate"
        made = release.work / "target/package" / file
        if not made.exists():
            raise Failed(f"cargo made no {file}: does {name}/Cargo.toml have the version {release.version}?")
        shutil.copy(made, release.out)
        _lay(made, described[name], registry)
        release.ok(f"rust: {file}, {made.stat().st_size // 1024} KiB")
    release.run("cargo", "doc", "--no-deps", "--workspace", *settings, cwd=workspace, environment=UNLINKED, log="doc")
    release.ok("rust: the documentation, without warnings")


def check(release):
    """README's first program, by Debian's cargo and g++ and nothing else, with the library that is inside."""
    page = (release.sources() / "bindings/rust/README.md").read_text(encoding="utf-8")
    blocks = {language: re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL) for language in ("sh", "rust", "text")}
    with release.root("rust", packages=("cargo", "g++")) as root:
        root.put(release.work / "crates")
        (root.path / "root/.cargo").mkdir(parents=True, exist_ok=True)
        (root.path / "root/.cargo/config.toml").write_text(
            '[source.crates-io]\nreplace-with = "made"\n[source.made]\nlocal-registry = "/release/crates"\n')
        (root.path / "root/main.rs").write_text(blocks["rust"][0])
        (root.path / "root/fast.rs").write_text(FAST)
        begin = time.monotonic()
        got = root.run(f"cd /root && {blocks['sh'][0]}\ncp /root/main.rs src/\n{blocks['sh'][1]}", network=False)
        release.expect(got.endswith(blocks["text"][0]),
                       f"rust: README's program with the library inside, {time.monotonic() - begin:.0f} s from "
                       "`cargo new` on")
        got = root.run("cd /root/demo && cp /root/fast.rs src/main.rs && cargo run --offline --quiet && "
                       "ldd target/debug/demo", network=False)
        release.expect("simd: Ready" in got and "libxlashape" not in got,
                       "rust: simd is in the program, which needs no libxlashape")


FAST = """use xlashape::Runtime;

fn main() -> Result<(), xlashape::Error> {
    for backend in Runtime::new()?.backends()? {
        println!("{}: {:?}", backend.name, backend.state);
    }
    Ok(())
}
"""


def _workspace(release):
    """The sources once more, with Highway's headers where xlashape-sys has them."""
    if not shutil.which("cargo"):
        raise Failed("cargo is not installed: apt-get install cargo")
    if not (HIGHWAY / "highway.h").exists():
        raise Failed(f"{HIGHWAY}/highway.h is not there, which the crate is to contain: apt-get install libhwy-dev")
    copy = release.work / "rust"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(release.sources(), copy, symlinks=True)
    inside = copy / "bindings/rust/xlashape-sys/library/highway"
    for file in [*HIGHWAY.glob("*.h"), *(HIGHWAY / "ops").glob("*.h")]:
        to = inside / "hwy" / file.relative_to(HIGHWAY)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)
    version = ".".join(re.findall(r"#define HWY_(?:MAJOR|MINOR|PATCH) (\d+)", (HIGHWAY / "highway.h").read_text()))
    (inside / "README").write_text(f"The headers of Highway {version}, by Google LLC and others, unchanged: "
                                   "https://github.com/google/highway\nApache License 2.0: its text is this crate's "
                                   "LICENSE.\n")
    return copy / "bindings/rust"


def _lay(crate, described, registry):
    """Lays a packaged crate into a local registry of cargo's, with its line in the index."""
    shutil.copy(crate, registry)
    name = described["name"]
    dependencies = [{"name": need["name"], "req": need["req"], "features": need["features"], "kind": "normal",
                     "optional": need["optional"], "default_features": need["uses_default_features"], "target": None}
                    for need in described["dependencies"] if need["kind"] is None]
    line = {"name": name, "vers": described["version"], "deps": dependencies, "features": described["features"],
            "cksum": hashlib.sha256(crate.read_bytes()).hexdigest(), "links": described["links"], "yanked": False}
    place = registry / "index" / name[:2] / name[2:4]
    place.mkdir(parents=True, exist_ok=True)
    (place / name).write_text(json.dumps(line) + "\n", encoding="utf-8")
