# SPDX-License-Identifier: Apache-2.0
"""Man pages and completions, in real programs. Usage: manual_test.py COMMAND ROOT.

What they must have comes from the text of --help. Where man or a shell is not installed its cases are not run, and
counted as such. Ends with `N passed, M failed`."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

import case
from case import Case

ROOT = None
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"]
# Words stand in COMP_WORDS as bash would split them; compopt is only allowed while bash completes.
ASK_BASH = r"""
compopt() { opted+=("$2"); }
source "$1" || exit
shift
opted=() COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_xlashape || exit
printf '%s\n' "${COMPREPLY[@]}" "options: ${opted[*]}"
"""


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class Manual(Case):
    def help_of(self, *command):
        """(the subcommands, the options) that --help tells."""
        text = self.run_command(*command, "--help")
        options = re.findall(r"^  (-\S+)", text, re.MULTILINE)
        table = text.partition("Subcommands:\n")[2].partition("\n\n")[0]
        commands = re.findall(r"^  ([a-z][\w-]*) ", table, re.MULTILINE)
        return commands, {name for option in options for name in option.split(",")}

    def all_commands(self):
        commands, _ = self.help_of()
        self.assertIn("explain", commands)
        return {name: self.help_of(name)[1] for name in commands}


class Pages(Manual):
    def setUp(self):
        super().setUp()
        docs = ROOT / "docs"
        subprocess.run([sys.executable, ROOT / "tools/cli/manual/pages.py", self.command, "1.2.3", docs / "command.md",
                        docs / "environment.md", self.folder / "man1"], check=True)

    def man(self, path):
        """(the page as text, what groff warns about)"""
        env = dict(os.environ, MANWIDTH="80", LC_ALL="C.UTF-8", MAN_KEEP_FORMATTING="")
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", path], env=env, capture_output=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode("utf-8"), done.stderr.decode("utf-8")

    def sections(self, name):
        text, warnings = self.man(self.folder / f"man1/{name}.1")
        self.assertEqual(warnings, "", name)
        pieces = re.split(r"^([A-Z][A-Z ]+)$", text, flags=re.MULTILINE)
        titles = pieces[1::2]
        self.assertEqual([title for title in titles if title not in ("OPERANDS", "COMMANDS")], SECTIONS, name)
        return dict(zip(titles, pieces[2::2]))

    def check_page(self, name, options):
        page = self.sections(name)
        tags = re.findall(r"^ {7}(-\S.*?)(?:  |$)", page["OPTIONS"], re.MULTILINE)
        told = {word for tag in tags for word in re.findall(r"(?<!\S)--?\w[\w-]*", tag)}
        self.assertEqual(told, options, name)
        self.assertRegex(page["EXIT STATUS"], r"(?s)\n {7}0 .*\n {7}1 .*\n {7}2 .*\n {7}3 ")
        return page

    def test_table_of_the_commands(self):
        page = (ROOT / "docs/command.md").read_text(encoding="utf-8")
        table = page.partition("| subcommand |")[2].partition("\n\n")[0]
        commands = self.all_commands()
        self.assertEqual(sorted(re.findall(r"^\| `([a-z][\w-]*)", table, re.MULTILINE)), sorted(commands))
        for name, options in commands.items():
            self.assertIn("--json", options, name)

    @needs("man")
    def test_pages(self):
        commands = self.all_commands()
        self.assertEqual({path.name for path in (self.folder / "man1").iterdir()},
                         {"xlashape.1", *(f"xlashape-{name}.1" for name in commands)})
        for name, options in commands.items():
            page = self.check_page(f"xlashape-{name}", options)
            self.assertIn(f"xlashape-{name} - ", page["NAME"])
            self.assertTrue(page["SYNOPSIS"].strip().startswith(f"xlashape {name} [OPTION]..."))
            self.assertIn("\n\n", page["DESCRIPTION"].strip(), f"{name} has no section in docs/command.md")
            # Examples use what there is.
            runs = re.findall(r"xlashape ([a-z][\w-]*)(.*)", page["EXAMPLES"])
            self.assertIn(name, [run[0] for run in runs])
            for run, words in runs:
                unknown = set(re.findall(r"(?<= )--[\w-]+", words)) - commands[run]
                self.assertFalse(unknown, f"{name}: {run}{words}")

    @needs("man")
    def test_main_page(self):
        page = self.check_page("xlashape", self.help_of()[1])
        for name in self.all_commands():
            self.assertIn(f"xlashape-{name}(1)", page["COMMANDS"])
            self.assertIn(f"xlashape-{name}(1)", page["SEE ALSO"])
        for variable in ("NO_COLOR", "XLASHAPE_BACKEND_PATH", "XLASHAPE_LOG"):
            self.assertRegex(page["ENVIRONMENT"], rf"\n {{7}}{variable}\n")
        # Characters of roff and Markdown are neither lost nor left.
        self.assertIn(r"written as \xNN. JSON is ASCII, with \u for", re.sub(r"\s+", " ", page["DESCRIPTION"]))
        self.assertNotRegex("".join(page.values()), r"`|\*\*|\]\(|\\f[BIR]")

    @needs("man")
    def test_text_for_the_shell_can_be_copied(self):
        self.assertIn("xlashape relayout photo.png tiles.bin --to '{1,0,2:T(8,128)(4,1)}' --verify\n",
                      self.sections("xlashape-relayout")["EXAMPLES"])

    @needs("man")
    def test_warnings_are_seen(self):
        bad = self.folder / "bad.1"
        bad.write_text('.TH BAD 1\n.SH NAME\nbad \\- page\n.nosuchmacro\n', encoding="ascii")
        self.assertIn("nosuchmacro", self.man(bad)[1])


class Bash(Manual):
    def ask(self, *words):
        """(what bash offers, the options set while completing)"""
        self.write("xlashape", self.run_command("completion", "bash").encode())
        done = subprocess.run(["bash", "--norc", "-c", ASK_BASH, "bash", "xlashape", "xlashape", *words], timeout=60,
                              capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        *replies, options = done.stdout.splitlines()
        return [reply for reply in replies if reply], options.removeprefix("options: ")

    def offers(self, *words):
        return self.ask(*words)[0]

    def test_commands_and_options(self):
        commands = self.all_commands()
        self.assertEqual(set(self.offers("")), {*commands, *self.help_of()[1]})
        for name, options in commands.items():
            self.assertEqual(set(self.offers(name, "-")), options)

    def test_words(self):
        targets = self.offers("scan", "--target", "")
        for name in targets:  # each is one
            self.run_command("layout-for", name, "f32[8]")
        when = ["auto", "always", "never"]
        for words, offered, options in (
                ("expl", ["explain"], ""), ("scan dump --max-w", ["--max-waste"], ""), ("nosuch -", [], ""),
                ("self-test ", [], ""),  # no operand
                ("explain --color ", when, ""), ("explain --color = al", ["always"], ""),
                ("explain --color =", when, ""), ("relayout a b --fill p", ["preserve"], ""),
                ("completion ", ["bash", "zsh", "fish"], ""),
                ("relayout --dtype bf", ["bf16"], ""), ("scan --top ", [], ""),  # any number: nothing, and no files
                ("scan --target tpu : v5", ["v5e", "v5p"], ""), ("scan --target 'tpu:v6", ["tpu:v6e"], ""),
                ("scan --target tpu :", [name[4:] for name in targets if ":" in name], ""),
                ("layout-for cpu,g", ["cpu,gpu"], ""), ("layout-for tpu : v2,tpu : v6", ["v6e"], ""),
                ("layout-for tpu : v5e bf", ["bf16["], "nospace"),  # behind the target there are shapes
                ("layout-for --color never --json c", ["cpu"], ""),
                ("explain f32[2] s1", ["s16[", "s1["], "nospace"), ("index f32[2] ", [], ""),  # takes one
                # Files are left to readline.
                *((words, [], "default") for words in ("relayout in ", "explain mod", "scan a b ", "scan --html ",
                                                       "scan - ", "picture -- -", "backends --load ./x")),
                ("relayout in out ", [], "")):
            self.assertEqual(self.ask(*words.split(" ")), (offered, options), words)

    def test_in_a_terminal(self):
        """bash itself splits the line and inserts what it is told."""
        self.write("file with blanks.npy", b"")
        answer = self.type(
            ["bash", "--norc", "--noprofile", "-i"],
            "PS1=; xlashape() { printf '<%s>' \"$@\"; echo .; }\n" f"source <('{self.command}' completion bash)\n",
            ["xlashape layout-for cpu,tpu:v6\t'f32[2]' --color=nev\t\n", "xlashape relayout fil\tout --to row\n"])
        self.assertIn("<layout-for><cpu,tpu:v6e><f32[2]><--color=never>.", answer)
        self.assertIn("<relayout><file with blanks.npy><out><--to><row>.", answer)

    def type(self, shell, start, lines):
        """What a shell in a terminal answers until each line has ended in a dot."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.environ.update(TERM="dumb", HOME=str(self.folder), INPUTRC="/dev/null", LC_ALL="C.UTF-8")
            os.execvp(shell[0], shell)
        answer = ""
        try:
            os.write(terminal, start.encode())
            for count, line in enumerate(lines, 1):
                os.write(terminal, line.encode())
                end = time.monotonic() + 30
                while len(re.findall(r">\.\r?$", answer, re.MULTILINE)) < count and time.monotonic() < end:
                    if select.select([terminal], [], [], 1)[0]:
                        answer += os.read(terminal, 4096).decode("utf-8", "replace")
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)
        return answer


class Zsh(Manual):
    def test_options(self):
        script = self.run_command("completion", "zsh")
        for name, options in self.all_commands().items():
            part = re.search(rf"^        {name}\)\n(.*?)^          ;;$", script, re.MULTILINE | re.DOTALL)[1]
            self.assertEqual(set(re.findall(r"^ +'[*(][^)\[]*?\)?(--?[\w-]+)=?\[", part, re.MULTILINE)), options, name)
        for word in ("'*--at=[An index", "'(--to)--to=["):  # that may be repeated, and that may not
            self.assertIn(word, script)

    @needs("zsh")
    def test_in_a_terminal(self):
        self.write("_xlashape", self.run_command("completion", "zsh").encode())
        self.write("readme.txt", b"")
        ask = r"""
zmodload zsh/zpty
start=$1
shift
while (( $# )); do
  zpty shell zsh -f -i
  zpty -w shell "PS1=; fpath=(\$PWD \$fpath); autoload -U compinit; compinit -u -D; bindkey '^I' list-choices
    LISTMAX=0; zstyle ':completion:*' force-list always; $start; print READ''Y"
  zpty -r shell text '*READY*'
  zpty -n -w shell "$1"$'\t'
  zpty -r shell text "$2" || exit 1
  zpty -d shell
  shift 2
done
"""
        asked = ["xlashape ex", "*explain*Show everything*", "xlashape completion ", "*bash*fish*zsh*",
                 "xlashape layout-for cpu,tpu:v6", "*tpu:v6e*", "xlashape explain bf1", "*bf16?\\[*",
                 "xlashape explain rea", "*readme.txt*",
                 "xlashape relayout a rea", "*readme.txt*", "xlashape scan --max-w", "*--max-waste*bytes in memory*"]
        # As it is installed, and as docs/command.md says.
        for start, words in ((":", asked), (f"fpath=(); source <('{self.command}' completion zsh)", asked[:2])):
            done = subprocess.run(["zsh", "-f", "-c", ask, "zsh", start, *words], cwd=self.folder, capture_output=True,
                                  timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)


class Fish(Manual):
    def test_options(self):
        script = self.run_command("completion", "fish")
        for name, options in self.all_commands().items():
            condition = f"complete -c xlashape -n '__fish_seen_subcommand_from {name}'"
            words = [line.removeprefix(condition).partition(" -d ")[0]
                     for line in script.splitlines() if line.startswith(condition)]
            told = re.findall(r" -([ls]) ([\w-]+)", "".join(words))
            told = {{"l": "--", "s": "-"}[kind] + word for kind, word in told}
            self.assertEqual(told, options, name)

    @needs("fish")
    def test_in_fish(self):
        self.write("xlashape.fish", self.run_command("completion", "fish").encode())
        self.write("readme.txt", b"")

        def offers(line):
            done = subprocess.run(["fish", "--no-config", "-c", "source xlashape.fish; complete -C $argv[1]", line],
                                  cwd=self.folder, capture_output=True, text=True, timeout=60,
                                  env=dict(os.environ, HOME="."))
            self.assertEqual((done.returncode, done.stderr), (0, ""), line)
            return [word.split("\t")[0] for word in done.stdout.splitlines()]

        commands = self.all_commands()
        self.assertEqual(set(offers("xlashape ")), set(commands))
        long = {option for option in commands["scan"] if option.startswith("--")}
        self.assertEqual(set(offers("xlashape scan --")), long)
        self.assertEqual(offers("xlashape explain --color a"), ["always", "auto"])
        self.assertEqual(offers("xlashape layout-for cpu,tpu:v6"), ["cpu,tpu:v6e"])
        self.assertEqual(offers("xlashape relayout a rea"), ["readme.txt"])
        self.assertEqual(offers("xlashape scan --html rea"), ["readme.txt"])
        self.assertEqual(offers("xlashape explain rea"), ["readme.txt"])
        self.assertEqual(offers("xlashape index rea"), [])  # takes no file


class Completion(Manual):
    def test_wrong(self):
        self.assertEqual(self.run_command("completion", "sh", exit=2), "")
        self.assertIn("sh not in {bash,zsh,fish}", self.err)
        self.run_command("completion", exit=2)

    def test_json(self):
        answer = self.run_json("completion", "fish")
        self.assertEqual(answer, {"shell": "fish", "script": self.run_command("completion", "fish")})
        told = self.run_json("--help")
        self.assertEqual([command["name"] for command in told["commands"]], list(self.all_commands()))
        (color,) = (option for option in self.run_json("explain", "--help")["options"] if "--color" in option["names"])
        self.assertEqual((color["value"], color["limits"], color["required"]), ("WHEN", "{auto,always,never}", False))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(2)).resolve()
    case.main()
