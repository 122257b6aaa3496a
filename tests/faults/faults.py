#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the tests: seeds one fault at a time into a copy of the sources and says which of the everyday tests sees it.

The faults are in faults.toml beside this file: slips of the kind that people make, each of which changes bytes or
touches memory that it must not. A fault's text has to occur exactly once in its file; where the code has moved on, the
fault no longer applies, and that is a failure too, so that the list stays in step with the code. A fault with `cpu`, a
word of /proc/cpuinfo, is in code that only runs where the processor has that: elsewhere it is NOT RUN.

    tests/faults/faults.py [--folder build-faults] [--jobs 2] [NAME...]
    tests/faults/faults.py --applies    only whether each still applies, which is looked at every day

A fault is caught where a test fails, crashes or takes longer than it may, or where a static_assert keeps it from being
compiled. Tests run from the quickest on and stop at the first that sees it; a program that a fault does not change is
not run. Ends with a table and `N faults, M caught, survived: ...`; fails unless all are caught. If the variable counts
names a file, "PASSED FAILED" is written to it.
"""

import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# The quickest first; each stops at its first failure. A step is a program, or a part of one: the first of the cases
# that it has anyway see most faults in a few seconds.
TESTS = {
    "api_relayout": {},
    "api_index_map": {},
    "api_index_plan": {},
    "api_threads": {},
    "golden": {"arguments": ["tests/data/golden/packed.jsonl"]},
    "api_pieces": {},
    "api_execution": {},
    "api_in_place": {},
    "api_values, sizes": {"program": "api_values", "filter": "Sizes.*"},
    "unit_runtime_pool": {},
    "unit_runtime_gate": {},
    "unit_platform_files": {},
    "loader_slots, threads": {"program": "loader/loader_slots", "filter": "Wicked.Threads*:Wicked.Executors*"},
    "loader_places, shortages": {"program": "loader/loader_places",
                                 "needs": ["tests/loader/good.so", "src/xlashape/opencl.so"],
                                 "filter": "Places.AShortage*:Places.AProfile*:Places.LoadedNow:Places.WhatIsRefused*:"
                                           "Places.AMissing*"},
    "api_memory": {},
    "unit_index": {},
    "api_degenerate": {},
    "unit_exec, ranges": {"program": "unit_exec", "filter": "SourceRange.*"},
    "unit_wire": {},
    "unit_simd, indices": {"program": "unit_simd", "filter": "*/SimdIndex.*"},
    "differential, a few": {"program": "differential", "filter": "Real/*", "cases": "3000"},
    "unit_simd, schedules": {"program": "unit_simd", "filter": "Schedules.*", "blind": "-inl.h"},  # calls no kernel
    "unit_simd, choices": {"program": "unit_simd", "filter": "Candidates.*:Choices.*:CopyKinds.*"},
    "unit_plan": {},
    "unit_exec": {},
    "api_stack": {},
    "api_measuring": {},
    "unit_simd, relayouts": {"program": "unit_simd", "filter": "*/SimdRelayout.*"},
    "differential": {},
    "gpu_host": {"program": "gpu/gpu_host"},
    "cli_scan": {"program": "../xlashape", "needs": ["xlashape-scan"], "script": ["tests/cli/scan_test.py"]},
    "cli_files": {"program": "../xlashape", "script": ["tests/cli/files_test.py"]},
    "cli, wisdom": {"program": "../xlashape", "script": ["tests/cli/cli_test.py", "build/tests/loader", "Measuring"],
                    "needs": ["tests/loader/chooses.so"]},
}
# What the programs of the API load besides the library.
LOADED = ["src/xlashape/scalar.so", "src/xlashape/simd.so"]

# Quick to compile rather than quick to run: kernels for fewer targets, and not optimized (the last -O counts). Without
# assertions, as in a release build: what only they see would be seen by nobody there.
OPTIONS = ["-Dbuildtype=plain", "-Doptimization=1", "-Db_ndebug=true", "-Dcpp_args=-O1", "-Dwarning_level=0",
           "-Dtests=enabled", "-Dcli=enabled", "-Dopencl=enabled", "-Dcuda=disabled", "-Dsimd_targets=few"]

BUILD_LIMIT = 1800  # seconds
RUN_FACTOR, RUN_LIMIT = 4, 60  # a test may take so many times as long as on the clean copy, and so many seconds more


class Stop(Exception):
    """What keeps the whole script from running."""


def read_faults():
    faults = tomllib.loads((HERE / "faults.toml").read_text(encoding="utf-8"))["fault"]
    names = [fault["name"] for fault in faults]
    twice = [name for name, count in collections.Counter(names).items() if count > 1]
    if twice:
        raise Stop(f"two faults have one name: {', '.join(twice)}")
    for fault in faults:
        if set(fault) - {"cpu"} != {"name", "file", "find", "replace", "why"}:
            raise Stop(f"{fault['name']}: a fault has a name, file, find, replace, why, and maybe cpu")
    return faults


def why_not(fault, tree):
    """Why the fault does not apply to the sources; None if it does."""
    path = tree / fault["file"]
    if not path.is_file():
        return f"there is no {fault['file']}"
    times = path.read_text(encoding="utf-8").count(fault["find"])
    if times != 1:
        return f"its text occurs {times} times in {fault['file']}"
    if fault["find"] == fault["replace"]:
        return "it changes nothing"
    return None


def has_cpu(word):
    try:
        return word in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        return False


def sources():
    """What belongs to the checkout, without what is built."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                capture_output=True, check=True)
        names = os.fsdecode(listed.stdout).split("\0")
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                 if not path.relative_to(ROOT).parts[0].startswith(("build", ".git"))]
    return sorted(name for name in names if name and (ROOT / name).is_file())


def copy_sources(tree):
    """Brings the copy up to date. Files that are the same keep their times, so that they are not compiled again."""
    wanted = sources()
    for name in wanted:
        from_, to = ROOT / name, tree / name
        data = from_.read_bytes()
        if not to.is_file() or to.read_bytes() != data:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(data)
        shutil.copymode(from_, to)
    for path in list(tree.rglob("*")):
        if path.is_file() and str(path.relative_to(tree)) not in set(wanted):
            path.unlink()


class Copy:
    """A copy of the sources with a build folder."""

    def __init__(self, folder):
        self.folder, self.tree, self.build = folder, folder / "tree", folder / "build"

    def configure(self):
        meson = "/usr/bin/meson" if os.access("/usr/bin/meson", os.X_OK) else "meson"  # Debian's own, as in ./x
        said = self.folder / "options"
        if said.is_file() and said.read_text() == " ".join(OPTIONS) and (self.build / "build.ninja").is_file():
            return
        shutil.rmtree(self.build, ignore_errors=True)
        done = subprocess.run([meson, "setup", self.build, self.tree, *OPTIONS], capture_output=True, text=True)
        if done.returncode != 0:
            raise Stop(done.stdout + done.stderr)
        said.write_text(" ".join(OPTIONS))

    def make(self, targets, jobs):
        """None, or what the compiler said."""
        try:
            done = subprocess.run(["ninja", "-C", self.build, f"-j{jobs}", *targets], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors="replace", timeout=BUILD_LIMIT)
        except subprocess.TimeoutExpired:
            return f"the build took longer than {BUILD_LIMIT} s"
        return None if done.returncode == 0 else done.stdout

    def program(self, test):
        return self.build / "tests" / TESTS[test].get("program", test)

    def run(self, test, limit):
        """None, or how it failed."""
        part = TESTS[test]
        command = [self.program(test), "--gtest_brief=1", "--gtest_fail_fast",
                   "--gtest_filter=" + part.get("filter", "*")]
        if "arguments" in part:  # no program of GoogleTest's: files of the copy
            command = [self.program(test), *(self.tree / name for name in part["arguments"])]
        if "script" in part:  # of the command, which it is given
            script, *arguments = part["script"]
            command = [sys.executable, self.tree / script, self.build / "xlashape", *arguments]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XLASHAPE_")}
        environment["XLASHAPE_SOURCE_ROOT"] = str(self.tree)
        environment["XLASHAPE_TEST_PLUGINS"] = str(self.build / "tests/loader")
        if "cases" in part:
            environment["XLASHAPE_TEST_CASES"] = part["cases"]
        log = self.folder / "output"
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment,
                                       cwd=self.folder)
            try:
                code = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return f"longer than {limit:.0f} s"
        if code == 0:
            return None
        said = log.read_text(encoding="utf-8", errors="replace")
        first = re.search(r"^(?:\[  FAILED  \]|FAIL:?|ERROR:) ([^ ,:]+)", said, re.MULTILINE)
        if code < 0:
            return f"crash, signal {-code}"
        return first.group(1) if first else f"status {code}"


def targets(test):
    """What a step needs, as ninja calls it."""
    part = TESTS[test]
    program = os.path.normpath("tests/" + part.get("program", test))
    return [program, *(LOADED if test.startswith(("api_", "cli", "golden")) else []), *part.get("needs", [])]


def times_of(copy, test):
    """When each of these was made: the same as before the fault where it does not come into them."""
    return [(copy.build / name).stat().st_mtime_ns for name in [*targets(test), "src/libxlashape.so"]]


class Outcome:
    def __init__(self, fault):
        self.fault, self.test, self.how, self.seconds, self.build_seconds, self.runs = fault, None, "", 0.0, 0.0, []

    @property
    def caught(self):
        return self.test is not None


def seed(copy, fault, limits):
    """Builds the copy with the fault in it and runs tests until one sees it. The next fault's build takes it back."""
    outcome = Outcome(fault)
    path = copy.tree / fault["file"]
    clean = path.read_text(encoding="utf-8")
    start = time.monotonic()
    clean_times = {test: times_of(copy, test) for test in TESTS}
    path.write_text(clean.replace(fault["find"], fault["replace"]), encoding="utf-8")
    try:
        for test in TESTS:
            if fault["file"].endswith(TESTS[test].get("blind", "nothing")):
                continue
            begin = time.monotonic()
            said = copy.make(targets(test), 1)
            outcome.build_seconds += time.monotonic() - begin
            if said is not None:
                if "static assertion failed" in said:
                    outcome.test, outcome.how = "compiler", "static_assert"
                else:
                    outcome.how = "does not compile:\n" + said[-3000:]
                break
            if times_of(copy, test) == clean_times[test]:
                continue
            begin = time.monotonic()
            how = copy.run(test, limits[test])
            outcome.runs.append((test, time.monotonic() - begin))
            if how is not None:
                outcome.test, outcome.how = test, how
                break
        else:
            outcome.how = "no test sees it"
    finally:
        path.write_text(clean, encoding="utf-8")
    outcome.seconds = time.monotonic() - start
    return outcome


def run_clean(copy):
    """Seconds that each test takes where there is no fault; they must pass."""
    seconds = {}
    for test in TESTS:
        start = time.monotonic()
        how = copy.run(test, 1800)
        seconds[test] = time.monotonic() - start
        if how is not None:
            said = (copy.folder / "output").read_text(encoding="utf-8", errors="replace")
            raise Stop(f"without any fault {test} fails ({how}):\n{said[max(said.find('Failure') - 200, 0):][:4000]}")
        print(f"  clean: {test} passes, {seconds[test]:.1f} s", flush=True)
    return seconds


def main():
    parser = argparse.ArgumentParser(description="seeds faults into a copy of the sources, one at a time, and tests it")
    parser.add_argument("--folder", default=str(ROOT / "build-faults"), help="holds all that is made")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4), help="faults at a time")
    parser.add_argument("--applies", action="store_true", help="only see whether each fault still applies")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these faults")
    arguments = parser.parse_args()
    started = time.monotonic()

    faults = read_faults()
    if arguments.names:
        unknown = set(arguments.names) - {fault["name"] for fault in faults}
        if unknown:
            raise Stop(f"no such fault: {', '.join(sorted(unknown))}")
        faults = [fault for fault in faults if fault["name"] in arguments.names]
    for fault in [fault for fault in faults if "cpu" in fault and not has_cpu(fault["cpu"])]:
        print(f"  NOT RUN: {fault['name']}: this processor has no {fault['cpu']}", flush=True)
        faults.remove(fault)
    stale = [(fault, reason) for fault in faults if (reason := why_not(fault, ROOT))]
    for fault, reason in stale:
        print(f"  {fault['name']} no longer applies: {reason}", flush=True)
    if arguments.applies:
        print(f"{len(faults)} faults, {len(stale)} no longer apply")
        return 1 if stale else 0
    stale_names = {fault["name"] for fault, _ in stale}
    waiting = collections.deque(sorted((fault for fault in faults if fault["name"] not in stale_names),
                                       key=lambda fault: (fault["file"].endswith("-inl.h"), fault["file"])))

    folder = pathlib.Path(arguments.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    first = Copy(folder / "1")
    copy_sources(first.tree)
    first.configure()
    start = time.monotonic()
    said = first.make(sorted({name for test in TESTS for name in targets(test)}), os.cpu_count() or 1)
    if said is not None:
        raise Stop("the clean copy cannot be built:\n" + said[-4000:])
    print(f"  clean: built, {time.monotonic() - start:.0f} s", flush=True)
    clean_seconds = run_clean(first)
    limits = {test: RUN_FACTOR * seconds + RUN_LIMIT for test, seconds in clean_seconds.items()}
    # A copy for each job, with all that is built and the times of it.
    copies = [first]
    for job in range(2, max(1, min(arguments.jobs, len(waiting))) + 1):
        other = Copy(folder / str(job))
        shutil.rmtree(other.folder, ignore_errors=True)
        shutil.copytree(first.folder, other.folder, symlinks=True)
        copies.append(other)

    outcomes, total = [], len(waiting)
    lock = threading.Lock()

    def work(copy, from_front):
        # Faults of one file follow each other in one copy, so that its clean objects are seldom made again: every other
        # copy begins at the end of the list.
        while True:
            with lock:
                if not waiting:
                    return
                fault = waiting.popleft() if from_front else waiting.pop()
            try:
                outcome = seed(copy, fault, limits)
            except Exception as error:  # a fault of this script is none of the tests' merits
                outcome = Outcome(fault)
                outcome.how = f"{type(error).__name__}: {error}"
            with lock:
                outcomes.append(outcome)
                runs = ", ".join(f"{test} {seconds:.0f} s" for test, seconds in outcome.runs if seconds >= 0.5)
                print(f"  {len(outcomes)} of {total}, {time.monotonic() - started:.0f} s: {fault['name']} "
                      f"{'caught by ' + outcome.test if outcome.caught else 'SURVIVED'} ({outcome.how}); "
                      f"build {outcome.build_seconds:.0f} s{', ' if runs else ''}{runs}", flush=True)

    threads = [threading.Thread(target=work, args=(copy, i % 2 == 0)) for i, copy in enumerate(copies)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    outcomes.sort(key=lambda outcome: (outcome.fault["file"], outcome.fault["name"]))
    print(f"\n{'fault':34} {'file':40} {'caught by':20} {'s':>5}  how")
    for outcome in outcomes:
        print(f"{outcome.fault['name']:34} {outcome.fault['file']:40} {outcome.test or 'SURVIVED':20} "
              f"{outcome.seconds:5.0f}  {outcome.how.splitlines()[0]}")
    survived = [outcome for outcome in outcomes if not outcome.caught]
    for outcome in survived:
        print(f"\n{outcome.fault['name']}: {outcome.fault['why']}\n  {outcome.how}")
    if stale:
        print("no longer apply: " + ", ".join(sorted(stale_names)))
    caught = len(outcomes) - len(survived)
    names = ", ".join(outcome.fault["name"] for outcome in survived) or "none"
    print(f"\n{len(faults)} faults, {caught} caught, survived: {names} ({time.monotonic() - started:.0f} s)")
    if os.environ.get("counts"):
        pathlib.Path(os.environ["counts"]).write_text(f"{caught} {len(faults) - caught}\n", encoding="utf-8")
    return 0 if caught == len(faults) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as reason:
        print(reason)
        sys.exit(1)
