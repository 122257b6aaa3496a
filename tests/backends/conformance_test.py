# SPDX-License-Identifier: Apache-2.0
"""`xlashape self-test --plugin` finds every deliberately wrong backend, in the right slot,
and nothing wrong with the others.

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
    "no_name": ("load", "its table has no name"),
    "refuses": ("load", "licence"),
    "no_slots": ("load", "no plan_execute"),
    "garbage_table": ("load", "struct_size"),
    "wrong_everywhere": ("load", "smoke test"),
    "says_sanitized": ("load", "memory sanitizer"),
    "throwing": ("load", "threw an exception"),
    "aborting": ("load", "signal 6"),
    "crash_open": ("load", "signal 11"),
    "greedy_version": ("open", "its version was not offered"),
    "garbage_plan": ("plan_size", "asks for -1 bytes at alignment 3"),
    "throws_later": ("plan_init", "threw an exception: not these"),
    "out_of_memory": ("plan_init", "twiddle"),
    "outside_plan": ("plan_init", "writes behind the 24 bytes"),
    "ignores_memory": ("plan_init", "signal 11"),
    "leaks": ("plan_destroy", "keeps 1 allocations"),
    "wrong_16_bits": ("plan_execute", "16["),
    "wrong_to_rows": ("plan_execute", "{1,0} fill: in one go: destination byte"),
    "wrong_twice": ("plan_execute", "destination byte 0 is"),
    "quiet_nans": ("plan_execute", "64["),
    "outside_task": ("plan_execute", "both write byte"),
    "outside_array": ("plan_execute", "behind the destination"),
    "changes_plan": ("plan_execute", "changes the plan"),
    "crash_execute": ("plan_execute", "signal 11"),
    "hangs": ("plan_execute", "did not come back in time"),
    "wrong_index": ("indices", "bad entries"),
    "ignores_src_offset": ("plan_execute", "src_byte_offset"),
    "ignores_dst_offset": ("plan_execute", "dst_byte_offset"),
    "ignores_index_offset": ("indices", "byte offset"),
    "writes_source": ("plan_execute", "writes to the source"),
    "reads_on": ("plan_execute", "touches memory behind the source"),
    "mallocs": ("plan_execute", "calls malloc"),
    "loses_memory": ("plan_destroy", "took by malloc"),
    "rounds_up": ("plan_execute", "how the thread rounds"),
    "deep_stack": ("plan_execute", "more than 256 KiB of stack"),
    "two_lines": ("open", "build_id is not a line"),
    "no_utf8": ("open", "build_id is not a line"),
    "no_space": ("load", "memory_spaces are 0x0"),
    "resizes_answer": ("supports", "struct_size"),
    "absurd_scratch": ("supports", "scratch_bytes is 9223372036854775807"),
    "any_kind": ("supports", "accepts an operation of kind 99"),
    "leaves_process": ("close", "leaves"),
    "closes_files": ("plan_init", "closes a file"),
    "wrong_way": ("plan_execute", "must be"),
    "long_choice": ("candidate", "candidate 1 has 256 characters"),
    "refuses_own": ("choose", "refuses \"way=2\", which is a candidate"),
    "forgets_way": ("candidate", "was chosen"),
    "half_chooses": ("choose", "and changes the plan"),
    "one_of_two": ("load", "only one of plan_candidate and plan_choose"),
    "no_profile": ("calibrate", "line 1: copy = fast"),
    "trusts_profile": ("plan_execute", "signal 6"),
}
# Right at every small size.
WRONG_WHEN_LARGE = {
    "short_loops": ("plan_execute", "must be"),
    "near_offsets": ("plan_execute", "in: "),
    "narrow_split": ("plan_execute", "tasks"),
    "counts_bytes": ("plan_execute", "position"),
}
# Right, though they take little; truncates is wrong where values are converted, which is not tried yet.
RIGHT = {"good", "nests", "refuses_indices", "chooses", "truncates"}
# Nothing that could be tried: neither right nor wrong.
IDLE = {"refuses_all"}


def report(command, plugin, *more):
    run = subprocess.run([command, "self-test", "--plugin", str(plugin), "--json", *more],
                         capture_output=True, text=True, timeout=600, check=False)
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        return {"conforms": None, "slots": [], "printed": run.stdout + run.stderr}, run.returncode
    return answer, run.returncode


def problems(command, folder, good):
    names = {file.stem for file in folder.glob("*.so")} - RIGHT - IDLE - {"libdependency", "sanitized"}
    wrong = WRONG | WRONG_WHEN_LARGE
    for name in sorted(names ^ set(wrong)):
        yield f"{name}: the folder and the table here do not match"
    for name in sorted(names & set(wrong)):
        slot, text = wrong[name]
        # Large cases that would take too long are left out, and a busy machine is slow.
        seconds = "3" if name == "hangs" else "300" if name in WRONG_WHEN_LARGE else "60"
        count = "100" if name in WRONG_WHEN_LARGE else "24"
        answer, code = report(command, folder / f"{name}.so", "--count", count, "--seconds", seconds)
        said = {s["slot"]: s["first"] for s in answer["slots"] if s["problems"]}
        if code != 1 or answer["conforms"] is not False:
            yield f"{name}: exit code {code}, {answer}"
        elif text not in (said.get(slot) or ""):
            yield f"{name}: {slot} should be told about {text!r}; told was {said}"
    right = [folder / f"{name}.so" for name in sorted(RIGHT)]
    for plugin, count in [*((plugin, "60") for plugin in right), *((plugin, "200") for plugin in good)]:
        answer, code = report(command, plugin, "--count", count, "--seconds", "60")
        if code != 0 or not answer["conforms"] or answer["passed"] < 100 or not answer["large"]:
            yield f"{plugin}: must conform; exit code {code}, {answer}"
    for name in sorted(IDLE):
        answer, code = report(command, folder / f"{name}.so", "--count", "20", "--seconds", "60")
        is_refused = not answer["passed"] and not answer["failed"] and answer["refused"]
        if code != 3 or answer["conforms"] is not False or not is_refused:
            yield f"{name}: takes no operation; exit code {code}, {answer}"
    answer, code = report(command, folder / "missing.so")
    if code != 1 or "No such file" not in json.dumps(answer):
        yield f"a file that is not there: exit code {code}, {answer}"


found = list(problems(sys.argv[1], pathlib.Path(sys.argv[2]), [pathlib.Path(path) for path in sys.argv[3:]]))
print(*found, sep="\n")
print(f"{len(WRONG) + len(WRONG_WHEN_LARGE)} wrong backends, {len(found)} problems")
sys.exit(1 if found else 0)
