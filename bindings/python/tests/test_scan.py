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


class Folder(unittest.TestCase):
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

    def refuse(self, code, status, message="why", offset=None):
        self.answer({"error": {"code": status, "message": message, "offset": offset}}, code, f"xlashape: {message}\n")

    def asked(self, *arguments, **options):
        """What the command got."""
        self.assertEqual(scan(*arguments, **options), {"xlashape_scan": 1, "modules": []})
        given = json.loads((self.folder / "given.json").read_text())
        self.assertEqual(given["arguments"][:2], ["scan", "--json"])
        return given["arguments"][2:], given["stdin"]

    def test_paths(self):
        self.assertEqual(self.asked("dump"), (["dump"], ""))
        self.assertEqual(self.asked(Path("a") / "b.txt"), ([os.path.join("a", "b.txt")], ""))
        self.assertEqual(self.asked(["a", Path("b")]), (["a", "b"], ""))
        self.assertEqual(self.asked(("module_0001.f.txt",)), (["module_0001.f.txt"], ""))
        # A folder of that name, neither an option nor standard input.
        self.assertEqual(self.asked(["-", "--all", "a b'\""]), (["./-", "./--all", "a b'\""], ""))
        self.assertEqual(self.asked(Path("HloModule\nx")), (["HloModule\nx"], ""))

    def test_texts(self):
        self.assertEqual(self.asked(HLO), (["-"], HLO))
        for text in ("HloModule f", "module @jit_f {}", "ENTRY\n"):
            self.assertEqual(self.asked(text), (["-"], text))
        for data in (b"\x1f\x8b\xff\x00", bytearray(b"\n"), memoryview(b"abcd")[::2], b""):
            self.assertEqual(self.asked(data), (["-"], bytes(data).decode("latin-1")))
        self.assertEqual(self.asked("é\n")[1], "é\n".encode().decode("latin-1"))
        self.asked("\udcff\n")
        large = b"HloModule f\n" * 100_000
        self.assertEqual(len(self.asked(large)[1]), len(large))

    def test_a_text_that_is_not_read(self):
        make_command(self.folder / "fake", 'echo \'{"modules": 3}\'')
        self.assertEqual(scan(b"HloModule f\n" * 100_000), {"modules": 3})

    def test_objects_with_text(self):
        self.assertEqual(self.asked(Text("module")), (["-"], "module"))
        with self.assertRaisesRegex(xlashape.UnsupportedError, "Text gave no text, but NoneType"):
            scan(Text(None))

    def test_options(self):
        asked = self.asked("d", all=True, top=5, target="tpu:v5e")
        self.assertEqual(asked, (["--target=tpu:v5e", "--all", "--top=5", "d"], ""))
        self.assertEqual(self.asked("d", target=Target("cpu"))[0], ["--target=cpu", "d"])
        with self.assertRaises(xlashape.NotFoundError):
            scan("d", target="tpu:v99")
        with self.assertRaises(TypeError):
            scan("d", top=1.5)
        with self.assertRaises(TypeError):
            scan("d", "tpu:v5e")

    def test_bad_arguments(self):
        for wrong in (3, None, {"a": 1}, [3], ["a", b"b"], [["a"]], object()):
            with self.subTest(wrong), self.assertRaises(TypeError):
                scan(wrong)
        for wrong in ("", [], [""], "a\0b", ["a", "HloModule f"]):
            with self.subTest(wrong), self.assertRaises(xlashape.InvalidArgumentError):
                scan(wrong)
        self.assertFalse((self.folder / "given.json").exists())

    def test_errors(self):
        self.refuse(1, "PARSE", "line 3: no shape", 17)
        with self.assertRaises(xlashape.ParseError) as caught:
            scan("d")
        self.assertEqual((str(caught.exception), caught.exception.offset), ("line 3: no shape (at byte 17)", 17))
        for code, status, kind in (
            (1, "INVALID_ARGUMENT", xlashape.InvalidArgumentError),
            (1, "NO_MEMORY", xlashape.NoMemoryError),
            (1, "OVERFLOW", xlashape.SizeOverflowError),
            (1, "INTERNAL", xlashape.InternalError),
            (1, "NEWER", xlashape.XlashapeError),
            (2, "INVALID_ARGUMENT", xlashape.InvalidArgumentError),
            (3, "UNSUPPORTED", xlashape.UnsupportedError),
        ):
            self.refuse(code, status)
            with self.subTest(status), self.assertRaises(xlashape.XlashapeError) as caught:
                scan("d")
            self.assertIs(type(caught.exception), kind)
            self.assertEqual((str(caught.exception), caught.exception.offset), ("why", -1))
        self.assertTrue(issubclass(xlashape.InvalidArgumentError, ValueError))

    def test_an_older_command(self):
        self.refuse(2, "INVALID_ARGUMENT", '"scan" is not a subcommand')
        with self.assertRaisesRegex(xlashape.IncompatibleError, "fake has no subcommand scan"):
            scan("d")

    def test_without_json(self):
        self.answer("", 1, "xlashape: d: Is a directory\n")
        with self.assertRaisesRegex(xlashape.XlashapeError, "^d: Is a directory$"):
            scan("d")
        self.answer('{"error": 3}', 1)
        with self.assertRaisesRegex(xlashape.XlashapeError, "fake ended with exit code 1$"):
            scan("d")
        self.answer("", 127, "sh: no\n")
        with self.assertRaisesRegex(xlashape.InternalError, "exit code 127: sh: no$"):
            scan("d")
        for out in ("", "no JSON", "[1]"):
            self.answer(out)
            with self.assertRaisesRegex(xlashape.InternalError, "fake printed no JSON object"):
                scan("d")
        self.answer("", -9)
        with self.assertRaisesRegex(xlashape.InternalError, "fake was ended by SIGKILL"):
            scan("d")

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
        with self.assertRaisesRegex(xlashape.NotFoundError, "mine .named by XLASHAPE_COMMAND. is not an executable"):
            command.find()
        chosen.unlink()
        with self.assertRaisesRegex(xlashape.NotFoundError, "XLASHAPE_COMMAND. does not exist"):
            scan("d")

    def test_never_in_the_working_folder(self):
        self.nowhere()
        make_command(self.folder / "xlashape", "true")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for name in ("xlashape", "./xlashape"):
            self.environment(XLASHAPE_COMMAND=name)
            with self.assertRaisesRegex(xlashape.InvalidArgumentError, "absolute"):
                command.find()
        self.environment(PATH=os.pathsep.join((".", "", "/nonexistent")))
        with self.assertRaisesRegex(xlashape.NotFoundError, "inside the package.*PATH.*set XLASHAPE_COMMAND"):
            command.find()
        self.environment(PATH="")
        with self.assertRaises(xlashape.NotFoundError):
            command.find()

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
    def test_text_and_path(self):
        path = self.folder / "f.after_optimizations.txt"
        path.write_text(HLO)
        for what in (HLO, HLO.encode(), Text(HLO), path, str(path), [path]):
            found = scan(what)
            self.assertEqual(found["xlashape_scan"], 1)
            self.assertEqual([module["name"] for module in found["modules"]], ["jit_f"])
        verdicts = [one["verdict"] for one in found["modules"][0]["relayouts"]]
        self.assertEqual(verdicts, ["moves"])

    def test_refusals(self):
        with self.assertRaises(xlashape.XlashapeError):
            scan(self.folder / "none.txt")
        with self.assertRaises(xlashape.UnsupportedError):
            scan("nothing that a compiler printed\n")
        with self.assertRaises(xlashape.InvalidArgumentError):
            scan(HLO, top=-1)

    def test_target(self):
        text = "module @jit_f {\n  func.func public @main(%arg0: tensor<1000x3xf32>) -> tensor<1000x3xf32> {\n"
        text += "    return %arg0 : tensor<1000x3xf32>\n  }\n}\n"
        found = scan(text, target="tpu:v5e")
        self.assertEqual((found["target"], found["modules"][0]["format"]), ("tpu:v5e", "stablehlo"))


if __name__ == "__main__":
    unittest.main()
