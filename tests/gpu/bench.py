"""What this GPU makes of the cases of bench_cases.py: ours, by the program gpu_bench, copies of as many bytes, and the
other libraries of bench_peers.py, in turns, one sample each a round; then the table, and JSON beside it.

  bench.py --table                                      the case table, for `gpu_bench verify`
  bench.py --json FILE [--seconds N] COMMAND...         COMMAND starts `gpu_bench serve`
  bench.py --json FILE --dry-run COMMAND...             tiny shapes, by the host's clock: the numbers mean nothing

Exit code: how many floors were missed; of a dry run how much was wrong.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

import bench_peers
import bench_rule as rule
from bench_cases import CLASSES, small_table

STARTED = time.monotonic()
LEAST, MOST, WARM = 5, 25, 3
PIECE = 1 << 16
HEADER = (
    f"{'s':>4} {'case':<52} {'MB':>6} {'ours':>6} {'iqr':>5} {'copy':>6} {'ratio':>6} "
    + " ".join(f"{name:>8}" for name in bench_peers.COLUMNS)
    + f" {'floor':>5} {'goal':>5}"
)


def say(line=""):
    print(line, flush=True)


class Server:
    """gpu_bench serve, started again when it is gone."""

    def __init__(self, command):
        self.command, self.process, self.device = command, None, ""

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        clock, self.device = self.answer().split(" ", 1)
        self.has_clock = clock == "1"

    def answer(self):
        line = self.process.stdout.readline().rstrip("\n")
        if line[:3] == "ok ":
            return line[3:]
        self.stop()
        raise RuntimeError(line or "gpu_bench ended without a word")

    def ask(self, *words):
        if self.process is None:
            self.start()
        try:
            self.process.stdin.write(" ".join(map(str, words)) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # answer says what it died of
        return self.answer()

    def prepare(self, case):
        if case.is_batch():
            dimensions = ",".join(map(str, case.dimensions))
            answer = self.ask("indices", case.kind, case.notes, dimensions, case.order[0])
        else:
            answer = self.ask("relayout", *case.shapes())
        src, dst, contenders, words = answer.split(" ", 3)
        return int(src), int(dst), contenders.split(","), words

    def stop(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process = None


def libraries(on_gpu):
    """Those that are here, and why the others are not."""
    found, absent = [], {}
    for kind in bench_peers.LIBRARIES:
        name = kind.__name__.lower()
        try:
            library = kind(on_gpu)
            found.append(library)
            absent.update(library.missing)
            say(f"{name}: {library.version}")
        except Exception as error:  # a broken installation is as good as none
            names = ("torch", "compile", "geam") if name == "torch" else (name,)
            absent.update((one, words_of(error)) for one in names)
    return found, absent


def words_of(error):
    return f"{type(error).__name__}: {error}"[:200]


class Bench:
    def __init__(self, server, found, dry):
        self.server, self.found, self.dry = server, found, dry
        self.cost = {}  # seconds that each took the last time to make ready

    def has_time(self, name, allowance):
        """Else its cost is forgotten by and by: the first case of a kind costs more than the others."""
        cost = self.cost.get(name, 0)
        if cost > allowance:
            self.cost[name] = cost / 2
        return cost <= allowance and allowance > 0

    def peers(self, case, allowance, row):
        """Samplers of those that can do the case, once they were seen to do what ours does."""
        samplers = {}
        if case.type in ("u4", "s4") or (case.kind == "pad" and case.notes):
            row["not measured"] = {"all": "nobody else has this"}
            return samplers
        total = row["dst_bytes"]
        count = min(PIECE, total)
        pieces = [(0, count), ((total - count) // 2 // 16 * 16, count)]
        ours = [bytes.fromhex(self.server.ask("bytes", *piece)) for piece in pieces]
        for library in self.found:
            wanted = [name for name in library.names if self.has_time(name, allowance)]
            row["not measured"].update((name, "no time") for name in library.names if name not in wanted)
            if not wanted:
                continue
            begun = time.monotonic()
            try:
                works = library.prepare(case)
            except Exception as error:
                row["not measured"].update((name, words_of(error)) for name in wanted)
                continue
            for name, work in works.items():
                if name not in wanted:
                    continue
                try:
                    same = library.bytes(work, case, pieces) == ours
                except Exception as error:
                    row["not measured"][name] = words_of(error)
                    continue
                self.cost[name] = time.monotonic() - begun
                begun = time.monotonic()
                if same:
                    samplers[name] = lambda library=library, work=work: library.sample(work, case.calls)
                else:
                    row["wrong"].append(name)
        return samplers

    def measure(self, one, case, allowance):
        begun = time.monotonic()
        row = {"class": one.name, "case": case.name(), "floor": one.floor, "goal": one.goal}
        row.update({"not measured": {}, "wrong": []})
        try:
            row["src_bytes"], row["dst_bytes"], contenders, row["plan"] = self.server.prepare(case)
            nbytes = row["src_bytes"] + row["dst_bytes"]
            samplers = {
                name: lambda name=name: float(self.server.ask("time", name, case.calls)) for name in contenders
            }
            samplers.update(self.peers(case, allowance, row))
            rates = {name: [] for name in samplers}
            most = 2 if self.dry else MOST
            for turn in range(WARM + most):
                if turn >= WARM + LEAST and time.monotonic() - begun > allowance:
                    break
                for name, sample in list(samplers.items()):
                    try:
                        took = sample()
                    except Exception as error:
                        if name in contenders:
                            raise
                        row["not measured"][name] = words_of(error)
                        del samplers[name], rates[name]
                        continue
                    if turn >= WARM:
                        rates[name].append(rule.rate(nbytes, took))
        except RuntimeError as error:  # the server is gone
            row["verdict"] = f"FAIL: {error}"
            return row
        finally:
            for library in self.found:
                library.release()
        row["rounds"] = len(rates["ours"])
        row["gb_per_s"], row["iqr"] = {}, {}
        for name, values in rates.items():
            row["gb_per_s"][name], row["iqr"][name] = (round(x, 4) for x in rule.spread(values))
        speed = row["gb_per_s"]
        # The ceiling is the better of two copies; where calls are what costs, it is the driver's.
        row["copy"] = speed["copy"] if case.calls > 1 else max(speed["copy"], speed["copy_kernel"])
        row["ratio"] = round(speed["ours"] / row["copy"], 4)
        theirs = {name: speed[name] for name in bench_peers.COLUMNS if name in speed}
        row["verdict"] = rule.verdict(one.floor, one.goal, speed["ours"], row["copy"], theirs)
        if self.dry:
            row["verdict"] = "ran"
        if row["wrong"]:
            row["verdict"] = f"FAIL: not the bytes of {', '.join(row['wrong'])}"
        return row


def line_of(row):
    seconds = time.monotonic() - STARTED
    if "ratio" not in row:
        return f"{seconds:4.0f} {row['case']:<52} {row['verdict']}"
    speed = row["gb_per_s"]
    peers = " ".join(f"{speed[name]:8.0f}" if name in speed else f"{'-':>8}" for name in bench_peers.COLUMNS)
    return (
        f"{seconds:4.0f} {row['case']:<52} {(row['src_bytes'] + row['dst_bytes']) / 1e6:6.0f} {speed['ours']:6.0f} "
        f"{row['iqr']['ours']:5.0f} {row['copy']:6.0f} {row['ratio']:6.3f} {peers} {row['floor']:5.2f} "
        f"{row['goal']:5.2f}  {row['verdict']}"
    )


def summary(rows, dry):
    say(f"\n{'class':<28} {'cases':>5} {'worst':>6} {'median':>6} {'floor':>15} {'goal':>15}")
    answer = []
    for one in CLASSES:
        its = [row for row in rows if row["class"] == one.name]
        measured = [row for row in its if "ratio" in row]
        if not its:
            continue
        floors, goals = (
            f"{each:.2f}" + (f", med {median:.2f}" if median else "")
            for each, median in zip((one.floor, one.goal), one.median)
        )
        if len(measured) < len(its):
            words = f"FAIL: {len(its) - len(measured)} of {len(its)} not measured"
        else:
            words = "ran" if dry else rule.class_verdict(one, its)
        ratios = [row["ratio"] for row in measured] or [0]
        worst, median = min(ratios), statistics.median(ratios)
        say(f"{one.name:<28} {len(its):5} {worst:6.3f} {median:6.3f} {floors:>15} {goals:>15}  {words}")
        answer.append({"class": one.name, "worst": worst, "median": median, "verdict": words})
    return answer


def forced(rows):
    """What kernels that were not chosen reach, where there are any."""
    for row in rows:
        speed = row.get("gb_per_s", {})
        for name in ("portable", "nvidia"):
            if name in speed:
                say(f"{row['case']}: {name} kernels {speed[name]:.0f}, the chosen ones {speed['ours']:.0f} GB/s")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--alone", action="store_true", help="without other libraries")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    if given.table:
        for src, dst in small_table():
            print(src, dst)
        return 0
    server = Server(given.command)
    try:
        server.start()
    except (OSError, RuntimeError) as error:
        say(f"{' '.join(given.command)}: {error}")
        return 1
    if not server.has_clock and not given.dry_run:
        say(f"{server.device} has no clock: nothing can be measured on it")
        return 1
    found, absent = ([], {}) if given.alone else libraries(not given.dry_run)
    for name, why in absent.items():
        say(f"{name}: not measured ({why})")
    say(f"{server.device}{': a dry run, whose numbers mean nothing' if given.dry_run else ', GB/s read and written'}")
    bench = Bench(server, found, given.dry_run)
    work = [(one, case.shrunk() if given.dry_run else case) for one in CLASSES for case in one.cases]
    # Each case of the large set has a third of what another has: it has many like it.
    weights = [1 if one.median[0] else 3 for one, _ in work]
    rows, last = [], None
    result = {"device": server.device, "dry_run": given.dry_run, "not measured": absent, "rows": rows}
    result["versions"] = {type(library).__name__.lower(): library.version for library in found}
    for i, (one, case) in enumerate(work):
        if one is not last:
            say(f"\n{one.name}\n{HEADER}")
            last = one
        # Out of time it goes on without the others, and then not at all.
        left = given.seconds - (time.monotonic() - STARTED)
        if left < -20:
            row = {"class": one.name, "case": case.name(), "wrong": [], "verdict": "FAIL: not measured, no time"}
        else:
            row = bench.measure(one, case, max(left, 0) * weights[i] / sum(weights[i:]))
        say(line_of(row))
        rows.append(row)
        result["seconds"] = round(time.monotonic() - STARTED, 1)
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
    server.stop()
    result["classes"] = summary(rows, given.dry_run)
    forced(rows)
    result["floors_missed"] = rule.failures(CLASSES, rows)
    with open(given.json, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    if given.dry_run:
        wrong = [row for row in rows if row["wrong"] or "ratio" not in row]
        turns = sum(len(row.get("gb_per_s", ())) for row in rows)
        say(f"{len(rows)} cases, {len(wrong)} wrong; {turns} contenders took turns")
        for row in wrong:
            say(f"{row['case']}: {row['verdict']}")
        return min(len(wrong), 99)
    say(f"{result['floors_missed']} floors missed, {result['seconds']} s")
    return min(result["floors_missed"], 99)


sys.exit(main())
