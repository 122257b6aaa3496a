"""`xlashape self-test --plugin` finds every deliberately wrong backend, in the right slot, and nothing wrong with the others.

Arguments: the command, the folder of the broken plugins, the shared objects that must conform. Needs only Python's
standard library.
"""

import json
import pathlib
import subprocess
import sys

# Plugin -> the slot that must be blamed, and what must be said of it.
WRONG = {
    "no_symbol": ("load", "does not export"),
    "undefined_symbol": ("load", "xlashape_yet_to_come"),
    "in_dependency": ("load", "a library it depends on"),
    "newer_abi": ("load", "plugin ABI 7.3"),
    "older_abi": ("load", "plugin ABI 0.0"),
    "wrong_name": ("load", "calls itself scalar"),
    "refuses": ("load", "licence"),
    "no_slots": ("load", "no plan_execute"),
    "garbage_table": ("load", "struct_size"),
    "wrong_everywhere": ("load", "smoke test"),
    "says_sanitized": ("load", "memory sanitizer"),
    "throwing": ("load", "threw an exception"),
    "aborting": ("load", "signal 6"),
    "crash_open": ("load", "signal 11"),
    "greedy_version": ("open", "its version was not offered"),
    "garbage_plan": ("plan_size", "asks for 18446744073709551615 bytes at alignment 3"),
    "out_of_memory": ("plan_init", "twiddle"),
    "outside_plan": ("plan_init", "writes behind the 24 bytes"),
    "ignores_memory": ("plan_init", "signal 11"),
    "leaks": ("plan_destroy", "keeps 1 allocations"),
    "wrong_16_bits": ("plan_execute", "16["),
    "wrong_to_rows": ("plan_execute", "{1,0} fill: in one go: destination byte"),
    "wrong_twice": ("plan_execute", "destination byte 0 is"),
    "quiet_nans": ("plan_execute", "64["),
    "outside_task": ("plan_execute", "both write byte"),
    "outside_array": ("plan_execute", "outside the array"),
    "changes_plan": ("plan_execute", "changes the plan"),
    "crash_execute": ("plan_execute", "signal 11"),
    "hangs": ("plan_execute", "did not come back in time"),
    "wrong_index": ("indices", "bad entries"),
}


def report(command, plugin, *more):
    run = subprocess.run([command, "self-test", "--plugin", str(plugin), "--count", "300", "--json", *more],
                         capture_output=True, text=True, timeout=600, check=False)
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        return {"conforms": None, "slots": [], "printed": run.stdout + run.stderr}, run.returncode
    return answer, run.returncode


def problems(command, folder, good):
    names = {file.stem for file in folder.glob("*.so")} - {"good", "libdependency", "sanitized"}
    for name in sorted(names ^ set(WRONG)):
        yield f"{name}: the folder and the table here do not match"
    for name in sorted(names & set(WRONG)):
        slot, text = WRONG[name]
        answer, code = report(command, folder / f"{name}.so", *(["--seconds", "5"] if name == "hangs" else []))
        said = {s["slot"]: s["first"] for s in answer["slots"] if s["problems"]}
        if code != 1 or answer["conforms"] is not False:
            yield f"{name}: exit code {code}, {answer}"
        elif text not in (said.get(slot) or ""):
            yield f"{name}: {slot} should be told about {text!r}; told was {said}"
    for plugin in [folder / "good.so", *good]:
        answer, code = report(command, plugin)
        if code != 0 or not answer["conforms"] or answer["passed"] < 300:
            yield f"{plugin}: must conform; exit code {code}, {answer}"
    answer, code = report(command, folder / "missing.so")
    if code != 1 or "No such file" not in json.dumps(answer):
        yield f"a file that is not there: exit code {code}, {answer}"


found = list(problems(sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(path) for path in sys.argv[3:]]))
print(*found, sep="\n")
print(f"{len(WRONG)} wrong backends, {len(found)} problems")
sys.exit(1 if found else 0)
