# SPDX-License-Identifier: Apache-2.0
"""`xlashape scan --trace`: a trace in Chrome's trace-event JSON of what is in memory, compared with the page's data.

Usage: trace_test.py COMMAND. Ends with `N passed, M failed`."""

import collections
import gzip
import json
import os
import pathlib

import case
from case import Case

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "scan"
TIMED = ["cpu_decode.hlo.pb", "tpu7x_decode.txt", "tpu7x_decode.hlo.pb", "v4_sharded.hlo.pb", "v5e_decode.txt",
         "v5e_decode.hlo.pb", "v5e_smalltypes.txt", "v5e_transformer.txt", "v5e_waste.txt", "v5e_while_rnn.txt",
         "v5e_while_rnn.hlo.pb", "cpu_decode.txt"]
UNTIMED = ["v6e_zoo.txt", "v4_sharded.txt", "v5e_while_rnn.before_optimizations.txt", "decode.stablehlo.mlir"]

# Two buffers at steps 1-2 and 3-4 of one size that may share a track, one at 2-3 that overlaps both, and one whose
# shape takes less than its memory.
PROGRAM = """HloModule jit_f, is_scheduled=true

ENTRY %main (a: f32[3,4]) -> f32[3,4] {
  %a = f32[3,4]{1,0:T(8,128)} parameter(0), metadata={op_name="x['w']"}
  %b = f32[3,4]{1,0:T(8,128)} negate(%a), metadata={op_name="jit(f)/neg" source_file="f.py" source_line=3}
  %c = f32[3,4]{1,0:T(8,128)} add(%a, %b)
  %d = f32[3,4]{1,0:T(8,128)} negate(%c)
  ROOT %e = f32[3,4]{1,0:T(8,128)} add(%d, %c)
}
"""
ASSIGNMENT = """BufferAssignment:
allocation 0: size 4096, page 0, parameter 0, shape |f32[3,4]| at ShapeIndex {}:
 value: <0 a @0> (size=4096,offset=0): f32[3,4]{1,0:T(8,128)}
allocation 1: size 4096, page 0, maybe-live-out:
 value: <4 e @0> (size=4096,offset=0): f32[3,4]{1,0:T(8,128)}
allocation 2: size 12288, page 0, preallocated-temp:
 value: <1 b @0> (size=4096,offset=0): f32[3,4]{1,0:T(8,128)}
 value: <2 c @0> (size=4096,offset=8192): f32[3,4]{1,0:T(8,128)}
 value: <3 d @0> (size=8192,offset=0): f32[3,4]{1,0:T(8,128)}
"""
TIMES = """HloLiveRange (max 5):
  InstructionSequence:
    0:a
    1:b
    2:c
    3:d
    4:e
  BufferLiveRange:
    a{}:0-5
    b{}:1-2
    c{}:2-3
    d{}:3-4
    e{}:4-5
"""


class TraceCase(Case):
    def trace(self, path, *args, name="trace.json", **options):
        self.run_command("scan", path, "--trace", name, *args, **options)
        return json.loads(self.read(name))

    def page_of(self, path, *args):
        self.run_command("scan", path, "--html", "page.html", *args)
        return self.page_data()

    def page_data(self):
        page = self.read("page.html").decode()
        return json.JSONDecoder().raw_decode(page[page.index('{\n  "xlashape_scan": 1') :])[0]

    def write_program(self, assignment=ASSIGNMENT, times=TIMES):
        self.write("f.txt", PROGRAM.encode())
        self.write("f-buffer-assignment.txt", assignment.encode())
        self.write("f-live-range.txt", times.encode())
        return "f.txt"


class Format(TraceCase):
    """What the format asks of an event, and what viewers make of it."""

    def test_events(self):
        for name in TIMED:
            with self.subTest(name):
                trace = self.trace(DATA / (name + ".gz"))
                self.assertEqual(list(trace), ["traceEvents", "otherData"])
                self.assertIn("1 us is one instruction", trace["otherData"]["unit_of_time"])
                process_of = {}
                for event in trace["traceEvents"]:
                    self.assertIsInstance(event["name"], str)
                    self.assertGreater(event["pid"], 0)
                    if event["ph"] != "M":
                        self.assertIs(type(event["ts"]), int)
                        self.assertGreaterEqual(event["ts"], 0)
                    if "tid" in event:  # a number is that of one thread
                        self.assertEqual(process_of.setdefault(event["tid"], event["pid"]), event["pid"])
                    if event["ph"] == "C":
                        self.assertTrue(event["args"])
                        for number in event["args"].values():
                            self.assertIs(type(number), int)
                    elif event["ph"] == "X":
                        self.assertGreater(event["dur"], 0)
                        self.assertIn("tid", event)
                        self.assertNotIn("", event["args"].values())
                        self.assertNotIn(None, event["args"].values())
                    elif event["ph"] == "i":
                        self.assertEqual(event["s"], "p")
                    else:
                        self.assertEqual(event["ph"], "M")
                        self.assertEqual(list(event["args"]),
                                         ["sort_index" if event["name"].endswith("_sort_index") else "name"])
                # Each process and each thread has a name.
                named = {(event["name"], event["pid"], event.get("tid")) for event in trace["traceEvents"]
                         if event["ph"] == "M"}
                for event in trace["traceEvents"]:
                    self.assertIn(("process_name", event["pid"], None), named)
                    if "tid" in event:
                        self.assertIn(("thread_name", event["pid"], event["tid"]), named)

    def test_tracks(self):
        """A viewer takes slices of a track that overlap for calls within calls."""
        for name in TIMED:
            with self.subTest(name):
                tracks, live = collections.defaultdict(list), collections.defaultdict(collections.Counter)
                for event in self.trace(DATA / (name + ".gz"))["traceEvents"]:
                    if event["ph"] == "X":
                        tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
                        live[event["pid"]].update(range(event["ts"], event["ts"] + event["dur"]))
                for slices in tracks.values():
                    slices.sort()
                    for (_, end), (begin, _) in zip(slices, slices[1:]):
                        self.assertLessEqual(end, begin)
                # No more tracks than buffers that are in memory at once.
                for process, steps in live.items():
                    self.assertEqual(sum(pid == process for pid, _ in tracks), max(steps.values()))


class Contents(TraceCase):
    def test_as_the_page(self):
        """Counters and slices are the timelines and blocks of the page; the highest counter is the peak of --json."""
        for name in TIMED:
            with self.subTest(name):
                path = DATA / (name + ".gz")
                trace = self.trace(path, "--target", "tpu:v5e")
                (module,) = self.page_of(path, "--target", "tpu:v5e")["modules"]
                (told,) = self.run_json("scan", path)["modules"]
                processes = [event for event in trace["traceEvents"] if event["name"] == "process_name"]
                spaces = [space for space in module["peak"]["spaces"] if space["timeline"]]
                peaks = [space for space in told["peak"]["spaces"] if space["peak_step"] is not None]
                untimed = [space for space in module["peak"]["spaces"] if not space["timeline"]]
                self.assertEqual(len(processes), len(spaces))
                self.assertEqual(len(processes), len(peaks))
                self.assertEqual(len(untimed), name == "v4_sharded.hlo.pb")
                self.assertEqual((trace["otherData"]["buffers_left_out"], trace["otherData"]["buffers_without_times"]),
                                 (0, sum(len(space["blocks"]) for space in untimed)))
                for process, space, peak in zip(processes, spaces, peaks):
                    events = [event for event in trace["traceEvents"] if event["pid"] == process["pid"]]
                    place = f"S({space['space']})" + (f" {space['name']}" if space["name"] else "")
                    self.assertIn(f"{module['name']} {place},", process["args"]["name"])
                    counters = [[event["ts"], event["args"]["bytes"]] for event in events if event["ph"] == "C"]
                    self.assertEqual(counters, space["timeline"])
                    self.assertEqual(max(bytes for _, bytes in counters), peak["peak_bytes"])
                    (mark,) = [event for event in events if event["ph"] == "i"]
                    self.assertEqual((mark["ts"], mark["args"]), (peak["peak_step"], {
                        "bytes": peak["peak_bytes"], "instruction": peak["peak_instruction"]}))
                    self.assertEqual(sorted(map(json.dumps, (self.slice(block) for block in space["blocks"]))),
                                     sorted(json.dumps([event["name"], event["ts"], event["dur"], event["cat"],
                                                        event["args"]])
                                            for event in events if event["ph"] == "X"))

    @staticmethod
    def slice(block):
        about = {key: block[key] for key in ("shape", "bytes", "padding", "use", "allocation", "offset", "writer", "op",
                                             "operand")}
        about["argument" if block["op"] == "parameter" else "op_name"] = block["op_name"]
        about["source"] = block["source"]
        return [block["name"], block["begin"], block["end"] - block["begin"] + 1, block["use"],
                {key: value for key, value in about.items() if value not in ("", None)}]

    def test_by_hand(self):
        trace = self.trace(self.write_program())
        slices = {event["name"]: event for event in trace["traceEvents"] if event["ph"] == "X"}
        self.assertEqual({name: (event["ts"], event["dur"]) for name, event in slices.items()},
                         {"a": (0, 6), "b": (1, 2), "c": (2, 2), "d": (3, 2), "e": (4, 2)})
        self.assertEqual(slices["a"]["args"], {
            "shape": "f32[3,4]{1,0:T(8,128)}", "bytes": 4096, "padding": 4096 - 48, "use": "parameter", "allocation": 0,
            "offset": 0, "writer": "a", "op": "parameter", "argument": "x['w']"})
        self.assertEqual(slices["b"]["args"], {
            "shape": "f32[3,4]{1,0:T(8,128)}", "bytes": 4096, "padding": 4096 - 48, "use": "temporary", "allocation": 2,
            "offset": 0, "writer": "b", "op": "negate", "op_name": "jit(f)/neg", "source": "f.py:3"})
        # Not the size of its shape: what the rest is nobody says.
        self.assertNotIn("padding", slices["d"]["args"])
        tracks = {name: event["tid"] for name, event in slices.items()}
        self.assertEqual(tracks["b"], tracks["d"])
        self.assertEqual(tracks["c"], tracks["e"])
        self.assertEqual(len(set(tracks.values())), 3)
        counters = [event for event in trace["traceEvents"] if event["ph"] == "C"]
        self.assertEqual([(event["ts"], event["args"]["bytes"]) for event in counters],
                         [(0, 8192), (1, 12288), (2, 16384), (3, 20480), (4, 16384), (5, 8192)])

    def test_arguments_have_paths(self):
        slices = [event for event in self.trace(DATA / "v5e_transformer.txt.gz")["traceEvents"] if event["ph"] == "X"]
        paths = {event["args"]["argument"] for event in slices if "argument" in event["args"]}
        self.assertIn("x[0]['w2']", paths)
        self.assertTrue(any(event["args"].get("source", "").endswith(":14") for event in slices))

    def test_space(self):
        trace = self.trace(DATA / "v5e_decode.txt.gz", "--space", 1)
        (process,) = [event for event in trace["traceEvents"] if event["name"] == "process_name"]
        self.assertIn("S(1)", process["args"]["name"])

    def test_without_times(self):
        """A buffer that nothing says the time of is counted; where nothing at all does, there is no trace."""
        for name in UNTIMED:
            self.run_command("scan", DATA / (name + ".gz"), "--trace", "trace.json", exit=3)
            self.assertIn("nothing says when", self.err)
        self.assertEqual(os.listdir(self.folder), [])
        trace = self.trace(self.write_program(times=TIMES.replace("    a{}:0-5\n", "")))
        self.assertEqual(trace["otherData"]["buffers_without_times"], 1)
        self.assertEqual(sum(event["ph"] == "X" for event in trace["traceEvents"]), 4)
        # Of several modules that one alone is named.
        os.mkdir(self.folder / "dump")
        for name in ("v5e_decode.hlo.pb", "v6e_zoo.txt"):
            self.write("dump/" + name, gzip.decompress((DATA / (name + ".gz")).read_bytes()))
        trace = self.trace("dump")
        self.assertRegex(self.err, r"--trace: jit_zoo: nothing says when")
        self.trace(DATA / "v4_sharded.hlo.pb.gz")
        self.assertRegex(self.err, r"--trace: jit_sharded S\(0\): nothing says when")
        self.assertEqual({event["args"]["name"].split()[0] for event in trace["traceEvents"]
                          if event["name"] == "process_name"}, {"jit_decode"})

    def test_many(self):
        """The largest are in the trace, fewer in the page, and how many are not is said."""
        count = 100003
        lines = [f" value: <{i} v.{i} @0> (size={8 if i < 3 else 16},offset={16 * i}): u8[{8 if i < 3 else 16}]{{0}}\n"
                 for i in range(count)]
        path = self.write_program(
            f"BufferAssignment:\nallocation 0: size {16 * count}, page 0, preallocated-temp:\n" + "".join(lines),
            TIMES.split("    a{}")[0] + "".join(f"    v.{i}{{}}:{i % 4}-{i % 4}\n" for i in range(count)))
        trace = self.trace(path, "--html", "page.html")
        names = [event["name"] for event in trace["traceEvents"] if event["ph"] == "X"]
        self.assertEqual((len(set(names)), trace["otherData"]["buffers_left_out"]), (100000, 3))
        self.assertNotIn("v.1", names)
        (module,) = self.page_data()["modules"]
        self.assertEqual(module["peak"]["spaces"][0]["blocks_left_out"], count - 4000)

    def test_large_times(self):
        """Steps at the end of what a number can be."""
        last = 2**63 - 1
        trace = self.trace(self.write_program(times=TIMES.replace("d{}:3-4", f"d{{}}:3-{last}")
                                              .replace("e{}:4-5", f"e{{}}:0-{last}")))
        durations = {event["name"]: event["dur"] for event in trace["traceEvents"] if event["ph"] == "X"}
        self.assertEqual((durations["d"], durations["e"]), (last - 2, last))


class Files(TraceCase):
    def test_refusals(self):
        dump = self.write_program()
        for args in (["--trace", "./f.txt"], ["--trace", ""], ["--trace", "a.html"], ["--trace", "-", "--json"],
                     ["--trace", "-", "--html", "-"], ["--trace", "both", "--html", "both"]):
            self.run_command("scan", dump, *args, exit=2)
        self.run_command("scan", "--diff", dump, dump, "--trace", "t.json", exit=2)
        self.write("oom.txt", b"Ran out of memory in memory space hbm. Used 41.74G of 16.00G hbm. "
                   b"Exceeded hbm capacity by 25.74G.\n")
        self.run_command("scan", "oom.txt", "--trace", "t.json", exit=3)
        self.assertIn("--trace", self.err)
        self.assertEqual(len(os.listdir(self.folder)), 4)

    def test_written_whole(self):
        self.write("t.json", b"old")
        self.run_command("scan", "-", "--trace", "t.json", stdin=b"nothing", exit=3)
        self.assertEqual(self.read("t.json"), b"old")
        dump = self.write_program()
        for name in ("no/such/folder.json", "."):
            self.run_command("scan", dump, "--trace", name, exit=1)
        if os.path.exists("/dev/full"):
            self.run_command("scan", dump, "--trace", "/dev/full", exit=1)
        self.assertEqual(len(os.listdir(self.folder)), 4)

    def test_output(self):
        """- is standard output, and then nothing else is there; with --json and --html all three tell the same."""
        dump = self.write_program()
        trace = json.loads(self.run_command("scan", dump, "--trace", "-"))
        self.assertEqual(self.trace(dump), trace)
        self.assertIn("The trace is in t.json", self.run_command("scan", dump, "--trace", "t.json"))
        (module,) = self.run_json("scan", dump, "--trace", "t.json", "--html", "page.html")["modules"]
        self.assertEqual(json.loads(self.read("t.json")), trace)
        self.assertEqual(module["peak"], self.page_of(dump)["modules"][0]["peak"])


if __name__ == "__main__":
    case.main()
