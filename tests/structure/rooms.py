# SPDX-License-Identifier: Apache-2.0
"""The rooms of the house: folder -> what is in it, and what its files may include in quotes besides their own folder: a
room and all that it may include in turn, a folder, or a single file. The table in HACKING.md is made of it by
`includes.py ROOT --write`."""

BACKEND = "include/xlashape_backend.h"  # of include/, only where a room names it itself
FACTS = "tools/cli/explain/facts.h"
DRAW = "tools/view/xlashape_draw.h"

ROOMS = {
    "include": ("the C interface, and that of backends, `xlashape_backend.h`", []),
    "src/ir": (
        "the form of an operation that both sides of the plugin boundary share: division by multiplication, running a"
        " `map_ir`, the list of its arrays; the text of manifests, the bytes of protocol buffers; 128-bit arithmetic,"
        " the compilers' builtins; how alike two words are",
        [BACKEND, "include"],
    ),
    "src/core/base": ("errors, checked arithmetic, small vectors, references, struct rules", ["src/ir"]),
    "src/core/platform": (
        "all that depends on the system: files, threads, processes, shared objects, who may write where; `posix/` and"
        " `win32/`",
        ["src/core/base", "src/core/platform"],
    ),
    "src/core/layout": ("layouts, the table of their fields, and their rules", ["src/core/base"]),
    "src/core/shape": ("element types, shapes, shape utilities", ["src/core/layout"]),
    "src/core/target": (
        "the machines that XLA compiles for: a row of facts each, and the rule by which their compilers choose "
        "layouts",
        ["src/core/shape"],
    ),
    "src/core/text": ("parsing and printing", ["src/core/shape"]),
    "src/core/wire": ("ShapeProto and related messages", ["src/core/shape"]),
    "src/core/index": ("sizes, logical <-> physical maps, `map_ir`", ["src/core/shape", BACKEND]),
    "src/core/bitcast": (
        "changes of a shape that move no element: bitcasts, the layouts for them, dimensions that come and go",
        ["src/core/index"],
    ),
    "src/core/window": (
        "parts of arrays that are arrays, and the parts in which an array is moved",
        ["src/core/index", "include/xlashape_runtime.h"],
    ),
    "src/core/interop": ("PJRT, DLPack, strides; arrays and layouts as people write them",
                         ["src/core/index", "src/core/target", "src/core/text"]),
    "src/core/plan": ("two maps combined: `relayout_ir`; the steps of a relayout within one array", ["src/core/index"]),
    "src/core/runtime": (
        "CPU features, finding, loading and choosing backends, the pool of `threads` > 1, the gate between executors "
        "and their tasks; what was measured: profiles, wisdom",
        ["src/core/platform", BACKEND],
    ),
    "src/core/exec": (
        "kept plans, one-shot relayouts, batches of indices: runs what `plan` made on the backend that `runtime` "
        "chose, verifies it, and measures its ways to run; the form of the smoke test",
        ["src/core/plan", "src/core/runtime", "src/core/text/print.h", BACKEND],
    ),
    "src/core/api": ("the C entry points: check, unwrap, call, wrap; no logic", ["src/core"]),
    "src/backends": (
        "the backends, each with its manifest; `common/` is what they share",
        ["src/ir", "src/backends/common", "src/backends/gpu", BACKEND],
    ),
    "tools/cli/base": (
        "what each subcommand is asked; failures, numbers and dimensions for people, time",
        ["bindings/cpp", "include", "src/ir/int128.h"],
    ),
    "tools/cli/output": ("text, colours, the progress bar, JSON", ["tools/cli/base"]),
    "tools/cli/files": (
        "texts on the command line and standard input; arrays in files: .npy, .npz, .safetensors, .png, sidecars; "
        "files that appear whole",
        ["tools/cli/output"],
    ),
    "tools/cli/execution": (
        "runtimes, plans, their execution and measuring; what a relayout must do, element by element",
        ["tools/cli/files"],
    ),
    "tools/cli/explain": ("`explain`; `facts.h`: facts about an array", ["tools/cli/files"]),
    "tools/cli/layout_for": ("`layout-for`", ["tools/cli/files", FACTS]),
    "tools/cli/index": ("`index`", ["tools/cli/files"]),
    "tools/cli/draw": ("`draw`", ["tools/cli/files"]),
    "tools/cli/picture": ("`picture`", ["tools/cli/files", FACTS]),
    "tools/cli/backends": ("`backends`", ["tools/cli/execution"]),
    "tools/cli/tune": ("`tune`", ["tools/cli/execution"]),
    "tools/cli/stream": ("relayouts between storages that need not fit into memory", ["tools/cli/execution"]),
    "tools/cli/relayout": ("`relayout` and its `--verify`", ["tools/cli/stream", FACTS]),
    "tools/cli/random_cases": ("random relayouts of all sizes, and all the ways to test one", ["tools/cli/execution"]),
    "tools/conformance": ("`self-test --plugin`: what is required of a backend", ["tools/cli/random_cases", BACKEND]),
    "tools/cli/self_test": ("`self-test`", ["tools/conformance"]),
    "tools/cli/manual": (
        "the command line as data; `completion`; what makes the man pages of that and of `docs/`",
        ["tools/cli/output"],
    ),
    "tools/cli/program": (
        "what xlashape and xlashape-scan do alike: the words of a command line, help, failures, main",
        ["tools/cli/manual", "src/ir/edit_distance.h"],
    ),
    "tools/cli": (
        "the command `xlashape`: its command line; each subcommand has a room",
        ["tools/cli/program", "tools/scan/options.h"],
    ),
    "tools/scan/program": ("a program as a dump tells it: instructions, shapes, buffers", ["tools/cli/files", FACTS]),
    "tools/scan/read": (
        "the formats of dumps: HLO text, HloProto, StableHLO, buffer assignments; folders of them; errors that memory "
        "did not suffice",
        ["tools/scan/program", "src/ir/wire_bytes.h"],
    ),
    "tools/scan/cost": (
        "what arrays, relayouts and memory cost: verdicts, trip counts, totals, peaks",
        ["tools/scan/program"],
    ),
    "tools/scan/report": (
        "the tables, the JSON, budgets, differences",
        ["tools/scan/cost", "tools/cli/explain/best_layout.h"],
    ),
    "tools/scan/html": ("the page of `scan --html`, and what joins its parts", ["tools/scan/report", FACTS]),
    "tools/scan/trace": ("the trace of `scan --trace`", ["tools/scan/report"]),
    "tools/scan": (
        "xlashape-scan, which `xlashape scan` runs",
        ["tools/scan/read", "tools/scan/html", "tools/scan/trace", "tools/cli/program"],
    ),
    "tools/view": (
        "pictures of layouts, as text, SVG and pages: libxlashape_draw, a library beside the library",
        ["include", "bindings/cpp"],
    ),
    "bindings": (
        "other languages; Rust's backend-sys mirrors `xlashape_backend.h` through the ABI file",
        ["include", "bindings/cpp", DRAW],
    ),
    "bindings/js/native": (
        "what of explain is in the WebAssembly module of JavaScript",
        ["tools/cli/output", "tools/cli/explain"],
    ),
    "integrations/jax": (
        "relayouts inside JAX's programs: a custom call, with XLA's header of its FFI",
        ["include", "bindings/cpp"],
    ),
    "integrations/torch": ("relayouts as an operator of PyTorch", ["include", "bindings/cpp"]),
    "integrations/pjrt": (
        "a PJRT plugin for real clients, with declarations that are generated from `pjrt_api.json`",
        ["include", "bindings/cpp", "integrations/pjrt"],
    ),
    "examples/device": ("a backend for a device, and a program that uses it; also an api test", []),
    "tests": ("from outside; `unit` mirrors src/core", [BACKEND, "include", DRAW]),
    "tests/api": ("", ["include", "tests/api", "examples/device", BACKEND]),
    "tests/loader": ("", ["include", "tests/loader", "examples/backend", BACKEND]),
    "tests/unit": ("", ["src/core", "src/backends", "tests/unit", BACKEND]),
    "tests/view": ("", ["tools/view", "tests/view", "tests/unit", "tests/api"]),
    "tests/differential": ("", ["tests/unit"]),
    "tests/gpu": ("", ["tests/unit", BACKEND]),
    "tests/fuzz": (
        "",
        ["tests/unit", "tests/fuzz", "tests/api/every_answer.h", "tools/cli/base", "tools/scan", DRAW, BACKEND],
    ),
    "tests/abi": ("", ["tests/api", BACKEND]),
}
# Rooms that are the files of a folder alone: each folder in it is a room of its own.
FILES_ALONE = {"tools/cli", "tools/scan"}
