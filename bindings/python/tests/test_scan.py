# SPDX-License-Identifier: Apache-2.0
"""scan, with a command that writes down what it was asked, and with the real one; and how the command is found."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import xlashape
from cases import Case
from xlashape import Target, command, scan

HLO = """HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4,8]{1,0})->f32[4,8]{0,1}}

ENTRY %main.1 (a.1: f32[4,8]) -> f32[4,8] {
  %a.1 = f32[4,8]{1,0} parameter(0)
  ROOT %copy.1 = f32[4,8]{0,1} copy(f32[4,8]{1,0} %a.1)
}
"""

FAKE = """
import json, os, pathlib, signal, sys
folder = pathlib.Path(__file__).parent
given = {"arguments": sys.argv[1:], "stdin": sys.stdin.buffer.read().decode("latin-1")}
(folder / "given.json").write_text(json.dumps(given))
answer = json.loads((folder / "answer.json").read_text())
if answer["code"] < 0:
    os.kill(os.getpid(), -answer["code"])
sys.stdout.write(answer["out"])
sys.stderr.write(answer["err"])
sys.exit(answer["code"])
"""


def make_command(path, body):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


class Folder(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def environment(self, **values):
        patch = mock.patch.dict(os.environ, {name: str(value) for name, value in values.items()})
        patch.start()
        self.addCleanup(patch.stop)
        if "XLASHAPE_COMMAND" not in values:
            os.environ.pop("XLASHAPE_COMMAND", None)  # which the patch brings back


class Text:
    """As jax.stages.Lowered."""

    def __init__(self, text):
        self.text = text

    def as_text(self, dialect=None):
        return self.text


@unittest.skipIf(os.name == "nt", "the command is for POSIX")
class Asked(Folder):
    def setUp(self):
        super().setUp()
        (self.folder / "fake.py").write_text(FAKE)
        fake = make_command(self.folder / "fake", f"exec '{sys.executable}' -S '{self.folder / 'fake.py'}' \"$@\"")
        self.environment(XLASHAPE_COMMAND=fake)
        self.answer({"xlashape_scan": 1, "modules": []})

    def answer(self, out, code=0, err=""):
        out = out if isinstance(out, str) else json.dumps(out)
        (self.folder / "answer.json").write_text(json.dumps({"out": out, "code": code, "err": err}))

    def asked(self, *arguments, **options):
        """What the command got."""
        self.assertEqual(scan(*arguments, **options), {"xlashape_scan": 1, "modules": []})
        given = json.loads((self.folder / "given.json").read_text())
        self.assertEqual(given["arguments"][:2], ["scan", "--json"])
        return given["arguments"][2:], given["stdin"]

    def test_what_is_scanned(self):
        large = b"HloModule f\n" * 100_000
        for what, arguments, stdin in (
            ("dump", ["dump"], ""),
            (Path("a") / "b.txt", [os.path.join("a", "b.txt")], ""),
            (["a", Path("b")], ["a", "b"], ""),
            (("module_0001.f.txt",), ["module_0001.f.txt"], ""),
            # A folder of that name, neither an option nor standard input.
            (["-", "--all", "a b'\""], ["./-", "./--all", "a b'\""], ""),
            (Path("HloModule\nx"), ["HloModule\nx"], ""),
            (HLO, ["-"], HLO),
            ("HloModule f", ["-"], "HloModule f"),
            ("module @jit_f {}", ["-"], "module @jit_f {}"),
            (b"\x1f\x8b\xff\x00", ["-"], "\x1f\x8b\xff\x00"),
            (memoryview(b"abcd")[::2], ["-"], "ac"),
            (b"", ["-"], ""),
            ("é\n", ["-"], "é\n".encode().decode("latin-1")),
            (large, ["-"], large.decode()),
            (Text("module"), ["-"], "module"),
        ):
            with self.subTest(str(what)[:20]):
                self.assertEqual(self.asked(what), (arguments, stdin))
        self.asked("\udcff\n")
        asked = self.asked("d", all=True, top=5, target="tpu:v5e")
        self.assertEqual(asked, (["--target=tpu:v5e", "--all", "--top=5", "d"], ""))
        self.assertEqual(self.asked("d", target=Target("cpu"))[0], ["--target=cpu", "d"])
        make_command(self.folder / "fake", 'echo \'{"modules": 3}\'')  # reads no text
        self.assertEqual(scan(large), {"modules": 3})

    def test_bad_arguments(self):
        invalid = xlashape.InvalidArgumentError
        self.refused(
            *(
                (TypeError, "", lambda it=it: scan(it))
                for it in (3, None, {"a": 1}, [3], ["a", b"b"], [["a"]], object())
            ),
            *((invalid, "", lambda it=it: scan(it)) for it in ("", [], [""], "a\0b", ["a", "HloModule f"])),
            (xlashape.UnsupportedError, "Text gave no text, but NoneType", lambda: scan(Text(None))),
            (xlashape.NotFoundError, "", lambda: scan("d", target="tpu:v99")),
            (TypeError, "", lambda: scan("d", top=1.5)),
            (TypeError, "", lambda: scan("d", "tpu:v5e")),
        )
        self.assertFalse((self.folder / "given.json").exists())

    def test_what_it_says(self):
        error = xlashape.XlashapeError
        no_scan = '"scan" is not a subcommand'
        for code, out, err, kind, pattern in (
            (1, ["PARSE", "line 3", 17], "", xlashape.ParseError, r"^line 3 \(at byte 17\)$"),
            (1, ["NO_MEMORY", "why", None], "", xlashape.NoMemoryError, "^why$"),
            (1, ["INTERNAL", "why", None], "", xlashape.InternalError, "^why$"),
            (1, ["NEWER", "why", None], "", error, "^why$"),
            (2, ["INVALID_ARGUMENT", "why", None], "", xlashape.InvalidArgumentError, "^why$"),
            (3, ["UNSUPPORTED", "why", None], "", xlashape.UnsupportedError, "^why$"),
            (2, ["INVALID_ARGUMENT", no_scan, None], "", xlashape.IncompatibleError, "fake has no subcommand scan"),
            (1, "", "xlashape: d: Is a directory\n", error, "^d: Is a directory$"),
            (1, '{"error": 3}', "", error, "fake ended with exit code 1$"),
            (127, "", "sh: no\n", xlashape.InternalError, "exit code 127: sh: no$"),
            *((0, out, "", xlashape.InternalError, "fake printed no JSON object") for out in ("", "no JSON", "[1]")),
            (-9, "", "", xlashape.InternalError, "fake was ended by SIGKILL"),
        ):
            said = {"error": dict(zip(("code", "message", "offset"), out))} if isinstance(out, list) else out
            self.answer(said, code, err)
            with self.subTest(pattern), self.assertRaisesRegex(error, pattern) as caught:
                scan("d")
            self.assertIs(type(caught.exception), kind)

    def test_it_reads_no_input_of_ours(self):
        source = "import xlashape; xlashape.scan('d')"
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", source], input=b"ours", env=env, cwd=self.folder, check=False)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(json.loads((self.folder / "given.json").read_text())["stdin"], "")


@unittest.skipIf(os.name == "nt", "the command is for POSIX")
class Found(Folder):
    def nowhere(self):
        """Neither in the package nor beside the library."""
        for name, value in (("_PACKAGED", self.folder / "bin" / "xlashape"), ("_library_file", lambda: None)):
            patch = mock.patch.object(command, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def test_named(self):
        chosen = make_command(self.folder / "mine", "true")
        self.environment(XLASHAPE_COMMAND=chosen)
        self.assertEqual(command.find(), str(chosen))
        chosen.chmod(0o644)
        self.refused((xlashape.NotFoundError, "mine .named by XLASHAPE_COMMAND. is not an exec", command.find))
        chosen.unlink()
        self.refused((xlashape.NotFoundError, "XLASHAPE_COMMAND. does not exist", lambda: scan("d")))

    def test_never_in_the_working_folder(self):
        self.nowhere()
        make_command(self.folder / "xlashape", "true")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name in ("xlashape", "./xlashape"):
            self.environment(XLASHAPE_COMMAND=name)
            self.refused((xlashape.InvalidArgumentError, "absolute", command.find))
        for path in (os.pathsep.join((".", "", "/nonexistent")), ""):
            self.environment(PATH=path)
            self.refused((xlashape.NotFoundError, "inside the package.*PATH.*set XLASHAPE_COMMAND", command.find))

    def test_the_order(self):
        self.nowhere()
        on_path = make_command(self.folder / "path" / "xlashape", "true")
        (self.folder / "not" / "xlashape").mkdir(parents=True)
        self.environment(PATH=os.pathsep.join((str(self.folder / "not"), str(on_path.parent))))
        self.assertEqual(command.find(), str(on_path))
        library = self.folder / "usr" / "lib" / "some-linux" / "libxlashape.so"
        library.parent.mkdir(parents=True)
        library.touch()
        beside = make_command(self.folder / "usr" / "bin" / "xlashape", "true")
        with mock.patch.object(command, "_library_file", lambda: library):
            self.assertEqual(command.find(), str(beside))
            beside.chmod(0o757)  # anybody can have changed it
            self.assertEqual(command.find(), str(on_path))
            beside.chmod(0o755)
            packaged = make_command(command._PACKAGED, "true")
            self.assertEqual(command.find(), str(packaged))
            packaged.chmod(0o644)
            with self.assertRaisesRegex(xlashape.NotFoundError, "inside the package"):
                command.find()

    def test_prefixes(self):
        for library, prefix in (
            ("/usr/lib/libxlashape.so", "/usr"),
            ("/opt/x/lib64/libxlashape.so", "/opt/x"),
            ("/usr/local/lib/x86_64-linux-gnu/libxlashape.so", "/usr/local"),
            ("/home/me/build/src/libxlashape.so", "None"),
        ):
            self.assertEqual(str(command._prefix_of(Path(library))), prefix)

    @unittest.skipUnless(sys.platform == "linux", "not known to be there")
    def test_the_library_in_use(self):
        self.assertIn("libxlashape.so", command._library_file().name)

    def test_the_console_script(self):
        """Becomes the command in the package: arguments, output, exit code and signals are its own."""
        package = self.folder / "xlashape"
        shutil.copytree(Path(xlashape.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "bin"))
        env = {**os.environ, "PYTHONPATH": str(self.folder), "XLASHAPE_COMMAND": "/nonexistent"}
        source = "import sys; from xlashape.command import main; sys.exit(main())"

        def run():
            line = [sys.executable, "-c", source, "explain", "a b", "-"]
            options = {"env": env, "input": "in", "cwd": self.folder, "check": False}
            return subprocess.run(line, capture_output=True, text=True, **options)

        missing = run()
        self.assertEqual((missing.returncode, missing.stdout), (127, ""))
        self.assertRegex(missing.stderr, r"^xlashape: \S+/xlashape/bin/xlashape cannot be run: No such file")
        program = make_command(package / "bin" / "xlashape", 'echo "$#,$2"; cat; kill -PIPE $$; exit 3')
        ran = run()
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (-13, "3,a b\nin", ""))
        program.chmod(stat.S_IRUSR)
        self.assertEqual(run().returncode, 126)


def real_command():
    try:
        program = command.find()
    except xlashape.XlashapeError:
        return None
    asked = subprocess.run([program, "scan"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return None if b"is not a subcommand" in asked.stderr else program


@unittest.skipUnless(real_command(), "there is no command, or it has no scan")
class Real(Folder):
    def test_scan(self):
        path = self.folder / "f.after_optimizations.txt"
        path.write_text(HLO)
        for what in (HLO, Text(HLO), path, [str(path)]):
            found = scan(what, target="tpu:v5e")
            self.assertEqual((found["xlashape_scan"], found["target"]), (1, "tpu:v5e"))
            self.assertEqual([module["name"] for module in found["modules"]], ["jit_f"])
        compiled = Text(HLO)
        compiled.memory_analysis = lambda: (
            "CompiledMemoryStats(generated_code_size_in_bytes=10, argument_size_in_bytes=1, output_size_in_bytes=1, "
            "alias_size_in_bytes=0, temp_size_in_bytes=5)"
        )
        found = scan(compiled)
        self.assertEqual((found["modules"][0]["unparsed"], found["reports"][0]["needed"]), (0, 17))
        error = RuntimeError("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4096 bytes.")
        self.assertEqual([report["needed"] for report in scan(error)["reports"]], [4096])
        self.refused(
            (xlashape.XlashapeError, "", lambda: scan(self.folder / "none.txt")),
            (xlashape.UnsupportedError, "", lambda: scan("nothing that a compiler printed\n")),
            (xlashape.InvalidArgumentError, "", lambda: scan(HLO, top=-1)),
        )


if __name__ == "__main__":
    unittest.main()
