# SPDX-License-Identifier: Apache-2.0
"""What tests of the command share: a case runs it in a folder of its own; `main` runs the cases of a file."""

import fcntl
import json
import os
import pathlib
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest


class Case(unittest.TestCase):
    command = None  # the path of the command

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, *args, stdin=b"", exit=0, env=None):
        """Runs the command in the case's folder; the exit code must be right and no sanitizer may speak."""
        done = subprocess.run([self.command, *map(str, args)], input=stdin, capture_output=True, cwd=self.folder,
                              timeout=300, env=dict(os.environ, **(env or {})))
        err = done.stderr.decode("utf-8", "replace")
        self.assertNotRegex(err, "Sanitizer|runtime error")
        if exit is None:
            self.assertIn(done.returncode, (0, 1, 2, 3), err)
        else:
            self.assertEqual(done.returncode, exit, f"{args}\n{done.stdout.decode('utf-8', 'replace')}{err}")
        self.err = err
        return done.stdout.decode("utf-8")

    def run_shell(self, script, *args, exit=0, limit=60):
        """Runs a shell's words around the command, which they call "$@"; what standard output got, as bytes."""
        done = subprocess.run(["sh", "-c", script, "sh", self.command, *map(str, args)], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=limit)
        self.err = done.stderr.decode("utf-8", "replace")
        self.assertNotRegex(self.err, "Sanitizer|runtime error")
        self.assertEqual(done.returncode, exit, f"{script} {args}\n{done.stdout[-2000:]}{self.err}")
        return done.stdout

    def terminal_lines(self, columns, *args, env=None):
        """What a terminal of this width gets."""
        ours, its = os.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        program = subprocess.Popen([self.command, *map(str, args)], stdout=its, stderr=subprocess.PIPE,
                                   stdin=subprocess.DEVNULL, cwd=self.folder, env=dict(os.environ, **(env or {})))
        os.close(its)
        shown = b""
        try:
            while more := os.read(ours, 1 << 16):
                shown += more
        except OSError:  # how a terminal ends
            pass
        os.close(ours)
        self.err = program.communicate()[1].decode()
        self.assertNotRegex(self.err, "Sanitizer|runtime error")
        self.assertIn(program.returncode, (0, 1), self.err)
        return shown.decode().replace("\r", "").splitlines()

    def run_json(self, *args, **options):
        return json.loads(self.run_command(*args, "--json", **options))

    def check_rows(self, *rows):
        """Of each row the words, as for a shell, end with the exit code, and what is printed has the patterns."""
        for words, exit, *patterns in rows:
            with self.subTest(words):
                told = self.run_command(*shlex.split(words), exit=exit) + self.err
                for pattern in patterns:
                    self.assertRegex(told, "(?m)" + pattern)

    def write(self, name, data):
        (self.folder / name).write_bytes(data)
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()


def main():
    """Runs the cases of the program's file, whose first argument is the command; ends with `N passed, M failed`."""
    Case.command = os.path.abspath(sys.argv.pop(1))
    # A shell's background job ignores it, and so would the command.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    result = unittest.main(exit=False, verbosity=1).result
    bad = len(result.failures) + len(result.errors)
    for test, why in result.skipped:
        print(f"NOT RUN: {test.id()}: {why}")
    ran = result.testsRun - len(result.skipped)
    print(f"{ran - min(bad, ran)} passed, {bad} failed", flush=True)
    sys.exit(0 if result.wasSuccessful() else 1)
