# SPDX-License-Identifier: Apache-2.0
"""`relayout --max-memory`: parts_test.py COMMAND [INTERRUPTS]. The same bytes as without it, from and into every kind
of file; memory; what is left behind where it is killed, the disk is full or the source changes. INTERRUPTS:
tests/cli/interrupts.c, to be preloaded. Ends with `N passed, M failed`."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import case
import files
from case import Case

INTERRUPTS = None
WIDTHS = {"pred": 8, "s4": 8, "u2": 8, "u8": 8, "bf16": 16, "f32": 32, "f64": 64, "c128": 128}


def random_layout(rng, rank, bits):
    order = list(range(rank))
    rng.shuffle(order)
    text = ",".join(map(str, order))
    words = ""
    packed = f"E({bits})" if bits < 8 else ""
    if rank > 0 and rng.random() < 0.6:
        for _ in range(rng.choice((1, 1, 2))):
            words += "(" + ",".join(str(rng.choice((1, 2, 3, 4, 8))) for _ in range(rng.randint(1, min(rank, 3)))) + ")"
        words = "T" + words
    if rng.random() < 0.3:
        words += f"L({rng.choice((3, 7, 64))})"
    words += packed + ("PV(one)" if rng.random() < 0.3 else "")
    return "{" + text + (":" + words if words else "") + "}"


class Same(Case):
    """The bytes are those of the relayout of a whole array."""

    def both(self, source, words, to, *more, whole="whole.bin", parts="parts.bin", memory="1K"):
        self.run_command("relayout", source, whole, *words, "--to", to, *more)
        told = self.run_json("relayout", source, parts, *words, "--to", to, *more, "--max-memory", memory)
        return told, self.read(whole), self.read(parts)

    def test_random(self):
        rng = random.Random(9)
        several = 0
        for _ in range(40):
            dimensions = [rng.randint(1, 13) for _ in range(rng.randint(1, 4))]
            name, bits = rng.choice((("u8", 8), ("f32", 32), ("bf16", 16), ("s4", 4), ("u2", 2), ("c128", 128)))
            shape = f"{name}[{','.join(map(str, dimensions))}]"
            source = shape + random_layout(rng, len(dimensions), bits)
            to = random_layout(rng, len(dimensions), bits)
            size = self.run_json("explain", source)[0]["bytes"]
            self.write("in.bin", rng.randbytes(size))
            for memory in (200, 1000, 8000):
                with self.subTest(source=source, to=to, memory=memory):
                    words = ("in.bin", "parts.bin", "--shape", source, "--to", to, "--max-memory", memory, "--json")
                    self.run_command("relayout", *words, exit=None)
                    if "the smallest part of both arrays takes" in self.err:
                        self.assertFalse((self.folder / "parts.bin").exists())
                        continue
                    told, whole, parts = self.both("in.bin", ("--shape", source), to, memory=memory)
                    self.assertEqual(whole, parts)
                    self.assertLessEqual(told["memory"], memory)
                    self.assertEqual(self.read("whole.bin.json").replace(b"whole", b"parts"),
                                     self.read("parts.bin.json"))
                    several += told["slabs"] > 1
                    os.remove(self.folder / "parts.bin")
                    os.remove(self.folder / "parts.bin.json")
        self.assertGreater(several, 15)

    def test_files(self):
        rng = random.Random(10)
        data = rng.randbytes(4 * 60 * 50)
        self.write("in.npy", files.npy("<f4", (60, 50), data))
        self.write("big.npy", files.npy(">f4", (60, 50), data))
        self.write("order.npy", files.npy("<f4", (60, 50), data, fortran=True))
        self.write("in.safetensors", files.safetensors({"a": ("F32", [60, 50], data), "b": ("U8", [5], data[:5])}))
        self.write("behind.bin", b"header." + data + b"more")
        behind = ("--shape", "f32[60,50]", "--offset", "7", "--bytes", str(len(data)))
        for source, words in (("in.npy", ()), ("big.npy", ()), ("order.npy", ()), ("in.safetensors:a", ()),
                              ("behind.bin", behind)):
            for out in ("%s.npy", "%s.bin", "%s.safetensors:x"):
                with self.subTest(source=source, out=out):
                    self.run_command("relayout", source, out % "whole", *words, "--to", "{0,1}")
                    told = self.run_json("relayout", source, out % "parts", *words, "--to", "{0,1}", "--max-memory",
                                         "2K")
                    self.assertGreater(told["slabs"], 4)
                    file = (out % "parts").split(":")[0]
                    self.assertEqual(self.read(file), self.read(file.replace("parts", "whole")))
        # What is there beside it stays; a sidecar follows its data; a result is read back like any other.
        self.run_command("relayout", "in.npy", "parts.safetensors:y", "--to", "col", "--max-memory", "2K")
        found, _ = files.parse_safetensors(self.read("parts.safetensors"))
        self.assertEqual(sorted(found), ["x", "y"])
        self.run_command("relayout", "in.npy", "t.bin", "--to", "{1,0:T(8,128)}", "--max-memory", "20K")
        self.run_command("relayout", "in.npy", "t.bin", "--to", "{0,1:T(8,4)}", "--max-memory", "2K")
        self.run_command("relayout", "t.bin", "back.npy", "--to", "row", "--max-memory", "2K")
        self.assertEqual(files.parse_npy(self.read("back.npy"))[3], data)
        self.run_command("relayout", "t.bin.json", "back.npy", "--to", "row", "--max-memory", "2K")
        self.assertEqual(files.parse_npy(self.read("back.npy"))[3], data)

    def test_values(self):
        rng = random.Random(11)
        self.write("in.npy", files.npy("|i1", (40, 30), rng.randbytes(1200)))
        self.write("scale.npy", files.npy("<f4", (40,), b"".join(bytes([0, 0, k, 63]) for k in range(40))))
        for more in ((), ("--scale", "0.5"), ("--scale", "scale.npy", "--scale-dimension", "0"),
                     ("--zero-point", "3", "--scale", "2")):
            for to in ("f32{0,1}", "f32{1,0:T(8,16)}", "bf16 row"):
                with self.subTest(more=more, to=to):
                    told, whole, parts = self.both("in.npy", (), to, *more, memory="2000")
                    self.assertEqual(whole, parts)
                    self.assertGreater(told["slabs"], 1)
        self.write("bits.bin", rng.randbytes(60))
        for first in ("source", "destination", "both"):
            told, whole, parts = self.both("bits.bin", ("--shape", "u2[20,12]{1,0:E(2)}"), "{0,1:L(7)E(2)}",
                                           "--high-first", first, memory="70")
            self.assertEqual((whole, told["slabs"] > 1), (parts, True), first)

    def test_tail(self):
        """What aligns the end of the storage has the padding value, also in a byte that the last element shares."""
        rng = random.Random(16)
        for name, packed, more in (("u8", "", ()), ("f32", "", ()), ("u4", "E(4)", ()), ("u2", "E(2)", ()),
                                   ("u2", "E(2)", ("--high-first", "destination"))):
            for rows, order, align in ((36, "0,1", 7), (36, "0,1", 1000), (33, "1,0", 7), (33, "1,0", 1000)):
                with self.subTest(name=name, more=more, rows=rows, align=align):
                    source = f"{name}[{rows},11]" + (f"{{1,0:{packed}}}" if packed else "")
                    self.write("in.bin", rng.randbytes(self.run_json("explain", source)[0]["bytes"]))
                    told, whole, parts = self.both("in.bin", ("--shape", source),
                                                   f"{{{order}:L({align}){packed}PV(one)}}", *more, memory="130")
                    self.assertGreater(told["slabs"], 1)
                    self.assertEqual(whole, parts)

    def test_dimensions(self):
        self.write("in.npy", files.npy("<u2", (30, 20, 10), random.Random(12).randbytes(12000)))
        self.run_command("relayout", "in.npy", "whole.npy", "--transpose", "2,0,1")
        self.run_command("relayout", "in.npy", "parts.npy", "--transpose", "2,0,1", "--max-memory", "2K")
        self.assertEqual(self.read("whole.npy"), self.read("parts.npy"))
        for shape, data in (("f32[]", bytes(4)), ("f32[0,5]", b""), ("u8[1,1,1]", b"x")):
            self.write("small.bin", data)
            told, whole, parts = self.both("small.bin", ("--shape", shape), "row")
            self.assertEqual((whole, told["slabs"]), (parts, 1), shape)

    def test_pipe(self):
        """A result that is written in order may go to a pipe."""
        self.write("in.npy", files.npy("<f4", (64, 256), random.Random(13).randbytes(4 * 64 * 256)))
        words = "relayout", "in.npy", "-", "--to", "{1,0:T(8,128)}"
        whole = self.run_shell('"$@" | cat', *words)
        self.assertEqual(self.run_shell('"$@" | cat', *words, "--max-memory", "20K"), whole)
        self.assertEqual(len(whole), 4 * 64 * 256)
        got = self.run_shell('"$@" | cat', *words[:-1], "{0,1}", "--max-memory", "1K")
        self.assertEqual(got, b"")
        self.assertRegex(self.err, r"/dev/stdout: the result would be written in [\d,]+ runs, which a pipe cannot be: ")


class Left(Case):
    """What is there afterwards."""

    def make(self, name="in.npy", rows=512, columns=512):
        self.write(name, files.npy("<f4", (rows, columns), random.Random(14).randbytes(4 * rows * columns)))

    def test_memory(self):
        """An array of 256 MiB that has no blocks on the disk, through 24 MiB."""
        rows, columns = 8192, 8192
        with open(self.folder / "in.npy", "wb") as file:
            file.write(files.npy("<f4", (rows, columns), b""))
            file.truncate(file.tell() + 4 * rows * columns)
        with open(self.folder / "in.npy", "r+b") as file:
            file.seek(-4, os.SEEK_END)
            file.write(b"last")
        for to in ("{1,0:T(8,128)(2,1)}", "u8{0,1}"):
            words = "relayout", "in.npy", "out.bin", "--dtype", "u32", "--to", to, "--max-memory", "24M", "--json"
            program = subprocess.Popen([self.command, *words], cwd=self.folder, stdout=subprocess.PIPE)
            told = json.loads(program.stdout.read())
            program.stdout.close()
            _, program.returncode, used = os.wait4(program.pid, 0)
            self.assertEqual(program.returncode, 0)
            self.assertGreater(told["slabs"], 10)
            print(f"{used.ru_maxrss / 1024:.0f} MiB resident at most, of which 24 MiB are of --max-memory")
            self.assertLess(used.ru_maxrss, 56 * 1024)
            with open(self.folder / "out.bin", "rb") as file:
                file.seek(-4 if to[0] == "{" else -1, os.SEEK_END)
                self.assertEqual(file.read(), b"last" if to[0] == "{" else b"l")
            os.remove(self.folder / "out.bin")

    def test_killed(self):
        """Killed after any write: nothing has the name of the result, or the result before is there, and no other."""
        if INTERRUPTS is None:
            self.skipTest("interrupts.c was not built here")
        self.make()
        self.run_command("relayout", "in.npy", "whole.bin", "--to", "{0,1}")
        words = "relayout", "in.npy", "out.bin", "--to", "{0,1}", "--max-memory", "64K"
        for old in (None, b"before"):
            for number, sent in ((1, 9), (2, 9), (700, 9), (5, signal.SIGTERM), (90, signal.SIGINT)):
                for tmpfile in ({}, {"NO_TMPFILE": "1"}):
                    with self.subTest(old=old, number=number, sent=sent, tmpfile=tmpfile):
                        for name in os.listdir(self.folder):
                            if name not in ("in.npy", "whole.bin", "whole.bin.json"):
                                os.remove(self.folder / name)
                        if old is not None:
                            self.write("out.bin", old)
                        env = {"LD_PRELOAD": INTERRUPTS, "INTERRUPT": f"pwrite {number} {int(sent)}", **tmpfile}
                        done = subprocess.run([self.command, *words], cwd=self.folder, capture_output=True, timeout=60,
                                              env=dict(os.environ, **env))
                        self.assertEqual(done.returncode, -sent, done.stderr)
                        left = {name for name in os.listdir(self.folder) if not name.startswith("whole.bin")}
                        if sent == 9 and tmpfile:  # without O_TMPFILE a killed process leaves a name that says so
                            left = {name for name in left if not name.startswith(".xlashape-")}
                        self.assertEqual(left, {"in.npy"} if old is None else {"in.npy", "out.bin"})
                        if old is not None:
                            self.assertEqual(self.read("out.bin"), old)
        self.run_command(*words)
        self.assertEqual(self.read("out.bin"), self.read("whole.bin"))

    def test_killed_at_any_time(self):
        self.make("in.npy", 1024, 1024)
        words = [self.command, "relayout", "in.npy", "out.npy", "--to", "{0,1}", "--max-memory", "64K"]
        begin = time.monotonic()
        self.run_command(*words[1:])
        whole_time, whole = time.monotonic() - begin, self.read("out.npy")
        rng = random.Random(15)
        killed = 0
        for _ in range(12):
            (self.folder / "out.npy").unlink(missing_ok=True)
            program = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.random() * whole_time)
            program.kill()
            killed += program.wait() != 0
            self.assertLessEqual(set(os.listdir(self.folder)), {"in.npy", "out.npy"})
            if (self.folder / "out.npy").exists():
                self.assertEqual(self.read("out.npy"), whole)
        self.assertGreater(killed, 3)

    def test_full_disk(self):
        if INTERRUPTS is None:
            self.skipTest("interrupts.c was not built here")
        self.make()
        words = "relayout", "in.npy", "out.bin", "--to", "{0,1}", "--max-memory", "64K"
        self.run_command(*words, env={"LD_PRELOAD": INTERRUPTS, "ROOM": "1000"}, exit=1)
        self.assertIn("out.bin: the result has 1,048,576 bytes (1.0 MiB), its disk has 1,000 left", self.err)
        for full in ("fallocate", "40"):  # at once, or after so many writes, where a file system cannot reserve
            self.run_command(*words, env={"LD_PRELOAD": INTERRUPTS, "FULL": full}, exit=1)
            self.assertIn("out.bin: cannot write: No space left on device", self.err)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])

    def test_source_changes(self):
        """The command is stopped after a write, and goes on when the file has changed."""
        if INTERRUPTS is None:
            self.skipTest("interrupts.c was not built here")
        for change, told in ((lambda f: f.truncate(4096), "became shorter while it was read"),
                             (lambda f: f.write(b"\x93"), "in.npy: changed while it was read")):
            self.make()
            env = {"LD_PRELOAD": INTERRUPTS, "INTERRUPT": f"pwrite 20 {int(signal.SIGSTOP)}"}
            words = "relayout", "in.npy", "out.npy", "--to", "{0,1}", "--max-memory", "64K"
            program = subprocess.Popen([self.command, *words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, env=dict(os.environ, **env))
            self.assertTrue(os.WIFSTOPPED(os.waitpid(program.pid, os.WUNTRACED)[1]))
            with open(self.folder / "in.npy", "r+b") as file:
                change(file)
            program.send_signal(signal.SIGCONT)
            self.assertIn(told, program.communicate(timeout=60)[1].decode())
            self.assertEqual(program.returncode, 1)
            self.assertEqual(os.listdir(self.folder), ["in.npy"])


class Refused(Case):
    def test_options(self):
        self.write("in.npy", files.npy("<f4", (4, 6), bytes(96)))
        self.write("in.npz", files.npz({"a": files.npy("<f4", (4, 6), bytes(96))}))
        self.write("in.png", files.png(2, 2, 3, bytes(12)))
        relayout, parts = "relayout in.npy o.bin --to row", " --max-memory 1M"
        self.check_rows(
            (relayout + parts + " --verify", 2, "--verify and --max-memory: whole arrays are compared: leave one of"),
            (relayout + parts + " --flip 0", 2, "--flip and --max-memory: an array that runs backwards is read whole"),
            (relayout + parts + " --fill preserve", 2, "--fill preserve and --max-memory: a new file is written"),
            (relayout + parts + " --measure", 2, "--measure and --max-memory"),
            ("relayout in.npy o.bin" + parts, 2, "say what the result is to be, with --to or --transpose"),
            (relayout + " --max-memory 7", 1,
             "--max-memory: 7 bytes are too few: the smallest part of both arrays takes 8$"),
            (relayout + " --max-memory 0", 1, "0 bytes are too few: the smallest part of both arrays takes 8$"),
            (relayout + " --max-memory -1", 2, "is no size, like 200M, 1.5G or 4096"),
            (relayout + " --max-memory 1X", 2, "--max-memory: 1X is no size"),
            (relayout + " --max-memory 1e99", 2, "is no size"),
            ("relayout in.npz:a o.bin --to row" + parts, 1, "in.npz:a: members of a .npz file are read whole"),
            ("relayout in.png o.bin --to row" + parts, 1, "in.png: a PNG is read whole: leave --max-memory out"),
            ("relayout in.npy o.npz:a --to row" + parts, 1, "o.npz: a .npz file has a checksum before each array"),
            ("relayout - o.bin --to row" + parts, 1, "is read in parts, which a pipe or a device cannot be"),
            ("relayout none.npy o.bin --to row" + parts, 1, "none.npy: cannot open"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "in.npz", "in.png"])
        for size in ("1048576", "1024K", "1M", "1MiB", "1 MiB", "0.5M"):
            told = self.run_json("relayout", "in.npy", "o.bin", "--to", "row", "--max-memory", size)
            self.assertEqual(told["max_memory"], 1 << (19 if size[0] == "0" else 20))


if __name__ == "__main__":
    if len(sys.argv) > 2 and not sys.argv[2].startswith("-") and sys.argv[2].endswith(".so"):
        INTERRUPTS = os.path.abspath(sys.argv.pop(2))
    case.main()
