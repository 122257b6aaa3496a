# SPDX-License-Identifier: Apache-2.0
"""The parts of ./x test: each is a function that raises Failed, or gives (passed, failed); one that gives nothing
counts as 1. A script that a part runs leaves "PASSED FAILED" in the file that the variable counts names."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import build
from build import Failed, ROOT

os.environ.setdefault("VENVS", str(build.BUILD / "venvs"))  # with other people's programs

# Sanitizers look for memory errors and races, which are the same in the kernels of every processor: the everyday tests
# use one target. Reports need only line tables.
SANITIZED = ["-Dbuildtype=debugoptimized", "-Doptimization=1", "-Ddebug=false", "-Dc_args=-g1", "-Dcpp_args=-g1",
             "-Db_lundef=false", "-Dcli=disabled", "-Dsimd_targets=least", "-Dcuda=disabled", "-Dopencl=disabled"]
ADDRESS = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1",
           "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}


# -- What parts are made of -------------------------------------------------------------------------------------------

def not_run(why):
    return Failed(f"NOT RUN: {why}")


def run(*words, environment=None, may_be_missing=False):
    """Runs a script, and gives its counts. `may_be_missing`: where it ends with 77, as it lacks a network or somebody's
    program, it counts as neither passed nor failed."""
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder) / "counts"
        status = subprocess.run([str(word) for word in words], cwd=ROOT,
                                env={**os.environ, "counts": str(counts), **(environment or {})}).returncode
        if status == 77 and may_be_missing:
            return 0, 0
        found = re.fullmatch(r"(\d+) (\d+)\s*", build.read(counts) or "")
    passed, failed = map(int, found.groups()) if found else (int(status == 0), 0)
    return passed, max(failed, int(status != 0))


def python(*words, **more):
    return run(sys.executable, "-B", *words, **more)


def counted_python(*words):
    """The same of a script that counts in its last line."""
    result = subprocess.run([sys.executable, "-B", *map(str, words)], cwd=ROOT, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")
    found = re.findall(r"^(\d+) passed, (\d+) failed$", result.stdout, re.MULTILINE)
    passed, failed = map(int, found[-1]) if found else (0, 1)
    print(result.stdout, end="", flush=True)
    return passed, max(failed, int(result.returncode != 0))


def total(*counts):
    return tuple(map(sum, zip(*counts)))


def built_tests(folder):
    """The names of tests whose programs have been built."""
    tests = json.loads((ROOT / folder / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    return [test["name"] for test in tests if all(os.path.exists(word) for word in test["cmd"] if word.startswith("/"))]


def meson_test(folder, *options, environment=None):
    """Builds all tests and runs those that the options choose; failures are shown, cases counted. A test that cannot be
    built fails; the others run."""
    names, broken = [], False
    try:
        build.compile(folder)
    except Failed as reason:
        print(reason, flush=True)
        names, broken = built_tests(folder), True
        if not names:
            return 0, 1
    logs = ROOT / folder / "meson-logs"
    for old in logs.glob("x-test*"):
        old.unlink()
    result = subprocess.run([build.MESON, "test", "-C", folder, "--no-rebuild", "--logbase", "x-test", "--quiet",
                             *options, *names], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", env={**os.environ, **(environment or {})})
    if not list(logs.glob("x-test*.json")):
        print(result.stdout, flush=True)
        return 0, 1
    passed, failed = python("tests/count.py", logs, "x-test")
    return passed, max(failed, int(broken or result.returncode != 0))


def configured(folder, *options, environment=None):
    build.configure(folder, *options, environment=environment)
    return folder


def bench_program(name):
    build.release(f"tests/{name}")
    return build.BUILD / "tests" / name


# -- The library ------------------------------------------------------------------------------------------------------

def backends():
    """Whether what is tested is what people get: every backend that this machine can have, simd for all its
    processors."""
    build.configure("build", *build.TESTS)
    build.compile("build", *build.shipped("build"))
    return python("tests/structure/backends.py", "build", len(build.SIMD))


def release():
    return meson_test(configured("build", *build.TESTS), "--no-suite", "gpu")


def gpu():
    """Kernels as host C++ in three orders of threads, OpenCL on the CPU, the cuda plugin on a test driver, ptxas."""
    counts = meson_test(configured("build", *build.TESTS), "--suite", "gpu")
    for line in (build.read(build.BUILD / "meson-logs/x-test.json") or "").splitlines():
        test = json.loads(line)
        print(f"{'NOT RUN' if test['result'] == 'SKIP' else test['result']:8}", test["name"].split(" / ")[-1])
    for name in ("cuda", "opencl"):
        if not (build.BUILD / f"src/xlashape/{name}.so").exists():
            print(f"NOT RUN: {name}.so was not built")
            counts = total(counts, (0, 1))
    return counts


def address_build():
    """ASan and UBSan use clang, which fuzzing needs: one build serves both, and takes half as long as with GCC."""
    clang = "clang-14" if shutil.which("clang-14") else "clang"
    if not shutil.which(clang):
        raise not_run("clang-14 is not installed")
    compilers = {"CC": clang, "CXX": clang.replace("clang", "clang++")}
    return configured("build-asan", *SANITIZED, "-Db_sanitize=address,undefined", "-Dfuzz=true", environment=compilers)


def address():
    return meson_test(address_build(), "--no-suite", "build", "--timeout-multiplier", "4", environment=ADDRESS)


def address_all():
    """All processors' kernels and the GPU backends, which take four times as long. Compiled by GCC, as they are
    shipped, to check its code. (clang's -O1 keeps a call of Highway's abort, its UBSan refuses functions of the test
    driver.)"""
    folder = configured("build-asan-all", *SANITIZED, "-Db_sanitize=address,undefined", "-Dsimd_targets=all",
                        "-Dcuda=auto", "-Dopencl=auto")
    return meson_test(folder, "--suite", "simd", "--suite", "differential", "--suite", "gpu", "--timeout-multiplier",
                      "20", environment=ADDRESS)


def thread():
    return meson_test(configured("build-tsan", *SANITIZED, "-Db_sanitize=thread"), "--suite", "unit", "--suite",
                      "differential", "--suite", "api", "--suite", "loader", "--timeout-multiplier", "10",
                      environment={"TSAN_OPTIONS": "halt_on_error=1"})


def memcheck():
    if not shutil.which("valgrind"):
        raise not_run("valgrind is not installed")
    return meson_test(configured("build", *build.TESTS), "--suite", "api", "--setup", "memcheck")


def fuzz(seconds):
    """Every fuzz target that long, two at a time, from the seeds of tests/fuzz/seeds.py. scan_fuzz compiles a large
    part of the command again, so it is for long runs."""
    folder = ROOT / address_build()
    programs = [name for target in build.targets_of(folder) for name in target["filename"]
                if target["type"] == "executable" and pathlib.Path(name).parent == folder / "tests/fuzz"
                and (target["name"] != "scan_fuzz" or seconds >= 60)]
    build.compile(folder.name, *(os.path.relpath(name, folder) for name in programs))
    if not programs:
        raise not_run("there are no fuzz targets")
    work = ROOT / "build-fuzz"
    environment = {**os.environ, **ADDRESS, "ASAN_OPTIONS": "allocator_may_return_null=1"}

    def one(program):
        name = pathlib.Path(program).name
        corpus, found, seeds = (work / what / name for what in ("corpus", "found", "seeds"))
        corpus.mkdir(parents=True, exist_ok=True), found.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, ROOT / "tests/fuzz/seeds.py", name, seeds], check=True)
        result = subprocess.run([program, f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2560",
                                 "-print_final_stats=1", f"-artifact_prefix={found}/", corpus,
                                 seeds], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace")
        return name, result.returncode, result.stdout

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(one, sorted(programs)))
    for name, status, output in results:
        if status == 0:
            units = re.search(r"^stat::number_of_executed_units: *(\d+)", output, re.MULTILINE)
            print(f"{name}: {units.group(1) if units else '?'} inputs in {seconds} s, nothing found")
        else:
            print(f"FAILED: {name}", *output.splitlines()[-60:], sep="\n")
            print(f"again: build-asan/tests/fuzz/{name} FILE, with a file of build-fuzz/found/{name}")
    failed = sum(status != 0 for _, status, _ in results)
    return len(results) - failed, failed


def tidy():
    """What clang-tidy sees in the library and the tools."""
    build.configure("build", *build.TESTS)
    return python("tests/structure/tidy.py", "build")


def static():
    return meson_test(configured("build-static", *build.TESTS, "-Ddefault_library=static"), "--suite", "api", "--suite",
                      "build")


def linked_in():
    """simd as part of the static library: one binary contains everything."""
    return meson_test(configured("build-linked-in", *build.TESTS, "-Ddefault_library=static", "-Dstatic_backends=simd"),
                      "--suite", "golden", "--suite", "build")


def no_loader():
    """A library without dynamic backends."""
    folder = configured("build-no-loader", *build.TESTS, "-Ddefault_library=static", "-Ddynamic_backends=false")
    return meson_test(folder, "--suite", "api", "--suite", "unit", "--suite", "golden", "--suite", "build")


def growth():
    """Programs and backends of this release with a library whose structs have grown."""
    targets = build.targets_of("build")
    programs = (os.path.relpath(name, build.BUILD) for target in targets for name in target["filename"])
    build.release(*(name for name in programs if name.startswith("tests/api_")))
    return run("tests/abi/growth.sh", "build", "build-growth")


def round_trips():
    """A million random shapes to text and bytes and back, with the time of each direction."""
    return run(bench_program("unit_wire"), "--gtest_brief=1", "--gtest_filter=ShapeProto.RoundTrips",
               environment={"XLASHAPE_ROUND_TRIPS": "1000000"})


def relayouts():
    """Every algorithm of the simd backend on every target of this processor, a thousand random relayouts each."""
    return run(bench_program("unit_simd"), "--gtest_brief=1", "--gtest_filter=*/SimdRelayout.*",
               environment={"XLASHAPE_TEST_CASES": "1000"})


def differential():
    """A million new relayouts of real size."""
    return run(bench_program("differential"), "--gtest_brief=1",
               environment={"XLASHAPE_TEST_CASES": "1000000", "XLASHAPE_TEST_SEED": "clock"})


def faults():
    """The everyday tests detect faults: each is seeded into a copy of the sources."""
    return python("tests/faults/faults.py", "--folder", "build-faults")


def bench():
    """Some cases of the benchmarks, which the everyday tests do not build, random ones, and a peer's shared object."""
    build.release("tests/bench", "tests/example_peer.so")
    program = build.BUILD / "tests/bench"
    return total(run(program, "--only", "f32_.*T8_128", "--seconds", "0.1", "--peer-library",
                     "build/tests/example_peer.so"), run(program, "--random", "3", "--seconds", "0.1"))


# -- What stands beside it --------------------------------------------------------------------------------------------

def oracle(*options):
    """Compares with XLA itself."""
    build.release()
    return run("tests/oracle/run.sh", *options, "build/src/libxlashape.so", "build", may_be_missing=True)


def files():
    """The command's files, with what others make of them."""
    build.release()
    return run("tests/cli/judges.sh", "build/xlashape", may_be_missing=True)


def tpu():
    """The compiler of TPUs as the judge of what targets are said to choose."""
    build.release()
    return run("tests/oracle/tpu/run.sh", "build/src/libxlashape.so", "build/xlashape", "build", may_be_missing=True)


def installed():
    build.release()
    build.install_tree()


def beside_library(folder, *arguments):
    """A folder's test.sh with the installed library. Those that put it into another runtime may lack that runtime."""
    work = build.BUILD / folder
    if work.exists():
        subprocess.run(["chmod", "-R", "u+w", work], check=True)  # Go write-protects what it caches
        shutil.rmtree(work)
    work.mkdir(parents=True)
    integrates = folder not in ("bindings/cpp", "bindings/rust", "bindings/go", "bindings/js", "bindings/python",
                                "bindings/embedding")
    return run(f"{folder}/test.sh", build.TREE, work, *arguments, may_be_missing=integrates)


def apart():
    """Each part by itself: the library without its neighbours, tools on the installed library."""
    return run("tests/install/apart.sh", build.TREE, build.BUILD / "apart")


def docs():
    build.release()
    build.site()
    return total((1, 0), counted_python("site/test_links.py", "build/site"),
                 counted_python("site/test_blocks.py", "build", "build/blocks"), counted_python("tests/bench/page.py"))


BROWSERS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}


def browser(kind):
    found = next(filter(None, map(shutil.which, BROWSERS[kind])), None)
    if not found:
        raise not_run(f"there is no {kind}")
    return found


def page(kind):
    """The page of scan --html: made-up data, hostile data, and what the command writes."""
    program = browser(kind)
    build.release("xlashape", "xlashape-scan")
    (build.BUILD / "pages").mkdir(exist_ok=True)
    pages, oom = [], sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/data/scan/oom/*.txt"))
    for name, *words in (("dumps", "tests/data/hlo", "tests/data/scan"), ("reports", *oom),
                         ("both", *oom, "tests/data/scan/v5e_decode.txt.gz", "--target", "tpu:v5e")):
        pages.append(f"build/pages/{name}.html")
        written = subprocess.run(["build/xlashape", "scan", *words, "--html", pages[-1]], cwd=ROOT,
                                 stdout=subprocess.DEVNULL)
        if written.returncode != 0:
            raise Failed(f"xlashape scan {' '.join(words)} --html failed")
    return counted_python("tests/cli/page_test.py", program, *pages)


def explorer(kind):
    """The Explorer against the command."""
    program = browser(kind)
    build.release("xlashape")
    build.site()
    return counted_python("tests/site/explorer_test.py", program, "build/xlashape", "build/site")


of = functools.partial


def script(*words):
    return of(run, *words)


# -- The list ---------------------------------------------------------------------------------------------------------

# Rows of (name, title, function). What uses one processor runs two at a time: a row of several lists runs them side by
# side, and parts of different lists do not need each other.
DAILY = [
    [[("backends", "the backends that this machine can have", backends)]],
    [[("release", "release build, all tests", release)]],
    [[("gpu", "GPU backends without a GPU", gpu)]],
    [[("asan", "the same under ASan and UBSan", address)]],
    [[("memcheck", "API tests under valgrind memcheck", memcheck)]],
    [[("fuzz", "fuzzing, 6 seconds a target", of(fuzz, 6))]],
    [[("oracle", "XLA as the judge, a small part", oracle),
      ("files", "NumPy, safetensors and gguf as judges of files", files)]],
    [[("installed", "the library as it is installed, for the bindings", installed)]],
    [[("rust", "Rust", of(beside_library, "bindings/rust")), ("go", "Go", of(beside_library, "bindings/go"))],
     [("cpp", "C++", of(beside_library, "bindings/cpp"))]],
    [[("pjrt", "the PJRT plugin, with jax as its client", of(beside_library, "integrations/pjrt")),
      ("python", "Python", of(beside_library, "bindings/python")),
      ("embedding", "LuaJIT, Ruby and Guile", of(beside_library, "bindings/embedding"))],
     [("js", "JavaScript under node", of(beside_library, "bindings/js", ROOT / "build-wasm"))]],
    [[("docs", "the documentation: pages, links, code blocks", docs)],
     [("apart", "each part by itself, on the installed library", apart)],
     [("jax", "relayouts in jax's programs", of(beside_library, "integrations/jax"))]],
]
LONG = [
    ("asan-all", "all kernels and the GPU backends under ASan and UBSan", address_all),
    ("tsan", "API and unit tests under TSan", thread),
    ("fuzz-long", "fuzzing, 5 minutes a target", of(fuzz, 300)),
    ("clean-roots", "README's commands in clean roots, in each order",
     of(python, "packaging/clean_root.py", "build-roots")),
    ("tidy", "clang-tidy over the library and the tools", tidy),
    ("static", "static library", static),
    ("linked-in", "simd linked into the static library", linked_in),
    ("no-loader", "a library without a loader", no_loader),
    ("growth", "a library whose structs have grown", growth),
    ("oracle-all", "XLA as the judge, in full", of(oracle, "--all")),
    ("pjrt-all", "the PJRT plugin with an older jax, under sanitizers",
     of(beside_library, "integrations/pjrt", "--all")),
    ("jax-all", "relayouts in an older jax's programs, under sanitizers",
     of(beside_library, "integrations/jax", "--all")),
    ("torch", "PyTorch (downloads 3 GB for each of two versions)", of(beside_library, "integrations/torch", "--all")),
    ("nightly", "the XLA of a recent night as the judge (downloads 650 MB)", of(oracle, "--nightly")),
    ("tpu", "the compiler of TPUs as the judge (downloads 300 MB)", tpu),
    ("page", "the page of scan in Chromium", of(page, "chromium")),
    ("page-firefox", "the page of scan in Firefox", of(page, "firefox")),
    ("explorer", "the Layout Explorer in Chromium", of(explorer, "chromium")),
    ("explorer-firefox", "the Layout Explorer in Firefox", of(explorer, "firefox")),
    ("round-trips", "a million round trips through text and bytes", round_trips),
    ("relayouts", "a thousand relayouts of each kind on each target", relayouts),
    ("differential", "a million relayouts of real size", differential),
    ("faults", "faults that the tests have to see", faults),
    ("bench", "the benchmarks", bench),
    ("aarch64", "aarch64 under qemu", script("tools/cross.sh", "aarch64", "build-aarch64")),
    ("s390x", "s390x (big-endian) under qemu", script("tools/cross.sh", "s390x", "build-s390x")),
    ("riscv64", "riscv64 under qemu", script("tools/cross.sh", "riscv64", "build-riscv64")),
    ("armhf", "armhf (32 bits) under qemu", script("tools/cross.sh", "armhf", "build-armhf")),
    ("i386", "i386 (32 bits, structs of 4 bytes' alignment)", script("tools/cross.sh", "i386", "build-i386")),
    ("musl", "musl", script("tools/cross.sh", "musl", "build-musl")),
    ("windows", "Windows under wine", script("tools/mingw.sh", "build-mingw")),
]
GROUPS = {"library": ["backends", "release", "gpu"]}
NEED_INSTALLED = {name for row in DAILY[8:] for lane in row for name, _, _ in lane if name != "docs"} | {
    "pjrt-all", "jax-all", "torch"}
