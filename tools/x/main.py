# SPDX-License-Identifier: Apache-2.0
"""The commands of ./x."""

import concurrent.futures
import functools
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

import build
import packages
import tests

USAGE = """\
./x build                 build the library and the command, release, into build/
./x test [PART...]        build and run all tests, or these parts; the part `library` is the library's own
         [--all]          the long tier too
         [--only WORDS]   only the parts whose title has these words
         [--list]         the parts
./x demo                  a photograph through its layouts, with pictures
./x site [--serve [PORT]] build the documentation as a site, into build/site/; --serve: show it at 127.0.0.1, port 8000
./x bench [OPTION...]     measure: --cases FILE, --random N, --threads N, --json OUT, --peers; more: ./x bench --help
./x bench --languages     what a call costs from each language beside the bare C call
./x release VERSION       make all packages and try each in a clean root; nothing is uploaded; more: ./x release
"""


def misused():
    sys.stderr.write(USAGE)
    sys.exit(2)


def execute(*words):
    sys.stdout.flush()
    os.execv(words[0], [str(word) for word in words])


# -- ./x test ---------------------------------------------------------------------------------------------------------

def counts_of(function):
    """What a part counts; whatever goes wrong in it is a failure of that part."""
    try:
        return function() or (1, 0)
    except build.Failed as reason:
        print(reason, flush=True)
    except Exception:
        traceback.print_exc(file=sys.stdout)
    return 0, 1


def run_part(name, title, function):
    """Runs it, and gives its line of the summary and its counts."""
    print(f"\n== {title}", flush=True)
    begin = time.monotonic()
    passed, failed = counts_of(function)
    return summary(title, passed, failed, time.monotonic() - begin)


def summary(title, passed, failed, seconds):
    print(f"{passed} passed, {failed} failed ({seconds:.0f} s) in: {title}", flush=True)
    return f"{title:58} {passed:6} passed {failed:4} failed {seconds:5.0f} s", passed, failed


def run_beside(name, title, _):
    """In a process of its own: what it prints, its counts and its seconds."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder) / "counts"
        result = subprocess.run([sys.executable, "-B", __file__, "part", name], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace",
                                env={**os.environ, "counts": str(counts)})
        found = (build.read(counts) or "0 1").split()
    return title, result.stdout, int(found[0]), int(found[1]), time.monotonic() - begin


def one_part(name):
    """What run_beside runs."""
    part = next(part for part in all_parts() if part[0] == name)
    passed, failed = counts_of(part[2])
    pathlib.Path(os.environ["counts"]).write_text(f"{passed} {failed}", encoding="utf-8")


def run_row(lanes):
    """The first list of parts in this process, the others beside it; their results come together."""
    results = []
    with concurrent.futures.ThreadPoolExecutor(max(1, len(lanes) - 1)) as pool:
        beside = [pool.submit(lambda parts=parts: [run_beside(*part) for part in parts]) for parts in lanes[1:]]
        results += [run_part(*part) for part in lanes[0]]
        for lane in beside:
            for title, output, passed, failed, seconds in lane.result():
                print(f"\n== {title}\n{output}", end="")
                results.append(summary(title, passed, failed, seconds))
    return results


def all_parts():
    return [part for row in tests.DAILY for lane in row for part in lane] + tests.LONG


def test(words):
    wanted, only, everything = set(), None, False
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--all":
            everything = True
        elif word == "--only" and words:
            only = words.pop(0)
        elif word == "--list":
            print(*(f"{name:14} {title}" for name, title, _ in all_parts()), sep="\n")
            return
        elif word in tests.GROUPS or word in {name for name, _, _ in all_parts()}:
            wanted.update(tests.GROUPS.get(word, [word]))
        else:
            sys.exit(f"x: there is no part {word!r} of the tests: ./x test --list names them")
    rows = tests.DAILY + [[[part]] for part in tests.LONG if everything or part[0] in wanted]

    def is_chosen(part):
        return (not wanted or part[0] in wanted) and (only is None or only in part[1])

    chosen = {part[0] for row in rows for lane in row for part in lane if is_chosen(part)}
    if not chosen:
        sys.exit(f"x: no part's title has the words: {only}")
    if chosen & tests.NEED_INSTALLED:
        chosen.add("installed")
    packages.need("all" if chosen & {part[0] for part in tests.LONG} else "test")
    results = []
    for row in rows:
        lanes = [lane for lane in ([part for part in lane if part[0] in chosen] for lane in row) if lane]
        if lanes:
            results += run_row(lanes)
    print("", *(line for line, _, _ in results), "", sep="\n")
    passed, failed = sum(result[1] for result in results), sum(result[2] for result in results)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


# -- The others -------------------------------------------------------------------------------------------------------

def build_all(words):
    if words:
        misused()
    packages.need("build")
    build.release()
    build.tell_costs("build")
    build.say("built build/src/libxlashape.so")
    if (build.BUILD / "xlashape").exists():
        build.say("built build/xlashape")


def demo(words):
    packages.need("demo")
    build.demo()
    execute(build.ROOT / "tools/demo.sh", build.BUILD, *words)


def site(words):
    if words and words[0] != "--serve" or len(words) > 2:
        misused()
    packages.need("site")
    build.site()
    build.say("built build/site/index.html")
    if words:
        serve(words[1] if len(words) > 1 else "8000")


def serve(port):
    """Shows build/site at a port of this machine only."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=build.BUILD / "site")
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler)
    except (OSError, OverflowError, ValueError) as error:
        raise build.Failed(f"x: cannot serve at port {port!r}: {error}") from None
    build.say(f"http://127.0.0.1:{server.server_port}/ until Ctrl-C")
    server.serve_forever()


def bench(words):
    packages.need("bench", *(["peers"] if "--peers" in words else ["bindings"] if "--languages" in words else []))
    if build.read(build.BUILD / ".x-packages") != packages.state():  # peers find the installed headers themselves
        for path in build.ROOT.glob("tests/bench/peer_*.cc"):
            path.touch()
    build.release()
    if words[:1] == ["--languages"]:
        build.install_tree()
        work = build.BUILD / "bindings/bench"
        work.mkdir(parents=True, exist_ok=True)
        execute(build.ROOT / "tools/language_costs.py", build.TREE, work, *words[1:])
    build.compile("build", "tests/bench")
    execute(build.BUILD / "tests/bench", *words)


def release(words):
    packages.need("release")
    execute(sys.executable, "-B", build.ROOT / "packaging/main.py", *words)


def main():
    command, *words = sys.argv[1:] or ["help"]
    commands = {"build": build_all, "test": test, "site": site, "demo": demo, "bench": bench, "release": release}
    if command in ("help", "-h", "--help"):
        sys.stdout.write(USAGE)
    elif command == "part" and len(words) == 1:
        one_part(words[0])
    elif command in commands:
        commands[command](words)
    else:
        misused()


if __name__ == "__main__":
    try:
        main()
    except build.Failed as reason:
        sys.exit(str(reason) or 1)
    except KeyboardInterrupt:
        sys.exit(130)
