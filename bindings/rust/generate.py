#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the raw layers of the Rust binding from bindings/abi/xlashape.abi.json.

    generate.py            writes the three files
    generate.py --check    writes nothing; fails where a file is not what would be written

    xlashape-backend-sys/src/declarations.rs   xlashape_backend.h, and what a backend sees of xlashape.h
    xlashape-sys/src/declarations.rs           all the rest of all headers
    xlashape/src/ffi/calls.rs                  a row for each C function whose contract the ABI file states whole:
                                               rows.rs makes a safe function of it; the others are written by hand,
                                               and HAND says where
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ABI = HERE.parent / "abi/xlashape.abi.json"
HEADER = """// SPDX-License-Identifier: Apache-2.0
// Written by bindings/rust/generate.py from bindings/abi/xlashape.abi.json: do not edit.
"""

SCALARS = {"void": "c_void", "char": "c_char", "size_t": "usize", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64",
           "uint64_t": "u64", "uint8_t": "u8", "float": "f32"}
KEYWORDS = {"type", "ref", "box", "move", "fn"}

# What a backend sees of xlashape.h.
SEEN_BY_BACKENDS = re.compile(r"XLASHAPE_(STATUS|TYPE|SPACE|QUEUE|FILL|LOG)_\w+|XLASHAPE_INDEX_MARK_INVALID"
                              r"|xlashape_(status|element_type|error|memory_space|fill_policy|backend_open_fn|queue)"
                              r"|xlashape_(executor|task_fn|progress_fn|release_fn)")

# C functions that calls.rs leaves out, and where in xlashape/src/ffi their wrapper is. What the ABI file cannot say
# about them: several arrays share a length and NULL means something, several answers, memory whose size is nowhere,
# a cursor.
HAND = {
    "xlashape_layout_create": "shape.rs",
    "xlashape_layout_get_spec": "not wrapped: the functions for each part say the same",
    "xlashape_layout_parse_head": "shape.rs",
    "xlashape_layout_split": "shape.rs",
    "xlashape_shape_parse_head": "shape.rs",
    "xlashape_shape_decompose_bitcast": "shape.rs",
    "xlashape_shape_create_array": "shape.rs",
    "xlashape_shape_read": "shape.rs",
    "xlashape_shape_with_words": "shape.rs",
    "xlashape_shape_next_index": "shape.rs",
    "xlashape_box_next_index": "shape.rs",
    "xlashape_box_index_count": "shape.rs",
    "xlashape_box_index_at": "shape.rs",
    "xlashape_shape_next_subshape": "shape.rs",
    "xlashape_shape_window": "window.rs",
    "xlashape_shape_window_runs": "window.rs",
    "xlashape_relayout_slabs": "window.rs",
    "xlashape_shape_inserted_or_deleted_ones": "shape.rs",
    "xlashape_normalized_transpose": "shape.rs",
    "xlashape_program_shape_create": "shape.rs",
    "xlashape_layout_from_byte_strides": "shape.rs",
    "xlashape_byte_strides_are_row_major": "shape.rs",
    "xlashape_target_layout": "shape.rs",
    "xlashape_layout_from_pjrt": "foreign.rs",
    "xlashape_shape_to_pjrt": "foreign.rs",
    "xlashape_shape_from_dlpack": "foreign.rs",
    "xlashape_shape_to_dlpack": "foreign.rs",
    "xlashape_index_map_linear_index": "index.rs",
    "xlashape_index_map_multidimensional_index": "index.rs",
    "xlashape_index_plan_create": "index.rs",
    "xlashape_index_plan_execute": "index.rs",
    "xlashape_index_plan_execute_with": "foreign.rs",
    "xlashape_index_plan_backend": "index.rs",
    "xlashape_index_plan_task_count": "not wrapped: execute runs all tasks",
    "xlashape_index_plan_get_requirements": "not wrapped: slices are 8-byte aligned",
    "xlashape_runtime_create": "runtime.rs",
    "xlashape_runtime_calibrate": "runtime.rs",
    "xlashape_runtime_set_default": "runtime.rs",
    "xlashape_runtime_add_backend": "runtime.rs",
    "xlashape_runtime_load_backend": "runtime.rs",
    "xlashape_memory_alloc": "not wrapped: memory of devices is the caller's",
    "xlashape_memory_free": "not wrapped: the same",
    "xlashape_memory_copy": "not wrapped: the same",
    "xlashape_memory_fill": "not wrapped: the same",
    "xlashape_queue_sync": "not wrapped: the same",
    "xlashape_queue_wait_event": "not wrapped: the same",
    "xlashape_queue_signal_event": "not wrapped: the same",
    "xlashape_get_extension": "not wrapped: what it gives is not promised",
    "xlashape_plan_create": "plan.rs",
    "xlashape_plan_create_measured": "plan.rs",
    "xlashape_plan_execute": "plan.rs",
    "xlashape_plan_execute_with": "plan.rs",
    "xlashape_plan_execute_list": "plan.rs",
    "xlashape_plan_key": "plan.rs",
    "xlashape_plan_shapes": "plan.rs",
    "xlashape_plan_backend": "plan.rs",
    "xlashape_relayout": "plan.rs",
}
# An int32_t that a function returns is yes or no, save for these.
NUMBERS = {"xlashape_element_type_bits", "xlashape_element_type_storage_bits", "xlashape_element_type_to_pjrt",
           "xlashape_dimension_letter"}


def name_of(name):
    """A name that Rust takes; `self` cannot even be quoted."""
    return "self_" if name == "self" else f"r#{name}" if name in KEYWORDS else name


def crate_of(entry):
    """xlashape-sys gives out again what xlashape-backend-sys declares."""
    is_seen = entry["header"] == "xlashape_backend.h" or SEEN_BY_BACKENDS.fullmatch(entry["name"])
    return "xlashape-backend-sys" if is_seen else "xlashape-sys"


class Types:
    """Rust's spelling of the types of the ABI file."""

    def __init__(self, abi):
        self.known = {entry["name"] for kind in ("typedefs", "handles", "structs", "callbacks") for entry in abi[kind]}

    def base(self, base):
        if base in SCALARS:
            return SCALARS[base]
        if base not in self.known:
            raise SystemExit(f"generate.py: the ABI file uses the type {base} and does not describe it")
        return base

    def of(self, entry):
        """Of a parameter, a field or a return value."""
        if entry["role"] == "callback" and "parameters" in entry:
            return f"Option<unsafe extern \"C\" fn{self.signature(entry)}>"
        text = entry["type"]
        kind = self.base(entry["base"])
        if "count" in entry:
            return f"[{kind}; {entry['count']}]"
        pointers = entry["pointers"]
        if pointers == 0:
            return kind
        if pointers == 1:
            return ("*const " if text.startswith("const ") else "*mut ") + kind
        if text.endswith("* const*"):
            return f"*const *mut {kind}"
        if text.endswith("**"):
            return f"*mut *mut {kind}"
        raise SystemExit(f"generate.py: no rule for the type {text}")

    def signature(self, function):
        arguments = ", ".join(f"{name_of(p['name'])}: {self.of(p)}" for p in function["parameters"])
        returns = function["returns"]
        result = "" if returns["type"] == "void" else f" -> {self.of(returns)}"
        return f"({arguments}){result}"


def number(constant):
    value, kind = constant["value"], SCALARS[constant["type"]]
    if kind == "i64" and value == -2**63:
        return kind, "i64::MIN"
    return kind, f"0x{value:X}" if kind in ("u32", "u64") and value > 9 else str(value)


def struct_text(struct, types):
    """A row of `structs!`, with the sizes on machines of 64 and of 32 bits; i386 aligns int64_t to 4 bytes."""
    size = struct["size"]
    narrow = " | ".join(str(n) for n in sorted({size["ilp32"], size["ilp32_align4"]}))
    fields = "".join(f"        {name_of(f['name'])}: {types.of(f)},\n" for f in struct["fields"])
    return f"    {struct['name']} of {size['lp64']}, {narrow} {{\n{fields}    }}\n"


def callback_text(callback, types):
    return f"pub type {callback['name']} = Option<unsafe extern \"C\" fn{types.signature(callback)}>;"


def broken(line):
    """Of a line with more than 120 columns what rustfmt makes: lines for what is between <>, or for each parameter."""
    if len(line) <= 120:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    inner = re.fullmatch(r"(.* Option<)(.*)(>[,;])", line)
    if inner:
        return f"{inner[1]}\n{broken(f'{indent}    {inner[2]},')}\n{indent}{inner[3]}"
    function = re.fullmatch(r"(.*?\w\()(.*)(\).*)", line)
    parameters = "".join(f"{indent}    {parameter},\n" for parameter in function[2].split(", "))
    return f"{function[1]}\n{parameters}{indent}{function[3]}"


def declarations(abi, types, crate):
    """What that crate declares."""
    mine = {kind: [entry for entry in abi[kind] if crate_of(entry) == crate]
            for kind in ("constants", "typedefs", "handles", "callbacks", "structs", "functions")}
    out = [HEADER, "use crate::*;\nuse core::ffi::c_void;\n"]
    for constant in mine["constants"]:
        kind, value = number(constant)
        out.append(f"pub const {constant['name']}: {kind} = {value};")
    out.append("")
    out += [f"pub type {t['name']} = {SCALARS[t['type']]};" for t in mine["typedefs"]]
    out += [callback_text(c, types) for c in mine["callbacks"]]
    if mine["handles"]:
        out.append("\nhandles! {\n    " + ",\n    ".join(h["name"] for h in mine["handles"]) + "\n}")
    out += ["\nstructs! {", "\n".join(struct_text(s, types) for s in mine["structs"]) + "}"]
    if mine["functions"]:
        out.append('\nextern "C" {')
        out += [f"    pub fn {f['name']}{types.signature(f)};" for f in mine["functions"]]
        out.append("}")
    return "\n".join(broken(line) for line in "\n".join(out).split("\n")) + "\n"


class Call:
    """A row of `calls!`: how C answers, the parameters in Rust, the answer,
    and the arguments in C but for the answer's."""

    def __init__(self, function, types):
        self.function, self.types = function, types
        self.parameters, self.arguments, self.how = [], [], None
        self.lengths = {}
        for p in function["parameters"]:
            if "len" in p and re.fullmatch(r"\w+", p["len"]) and p.get("direction") != "out":
                self.lengths.setdefault(p["len"], []).append(p)
        for p in function["parameters"]:
            self.add(p)
        if self.how is None:
            self.returns(function["returns"])

    def refuse(self, p):
        name = self.function["name"]
        raise SystemExit(f"bindings/rust/generate.py: no rule for {p['name']} of {name}: "
                         "a wrapper by hand, and a line in HAND")

    def answers(self, how, answer):
        """The one answer, last among the arguments."""
        self.how, self.answer = how, answer

    def kind(self, base):
        kind = self.types.base(base)
        return f"sys::{kind}" if kind.startswith(("xlashape", "c_")) else kind

    def add(self, p):
        role, name, direction = p["role"], name_of(p["name"]), p.get("direction")
        base = p.get("base")
        if self.how in ("list", "text") and name in ("capacity", "needed"):
            return  # they belong to the answer
        if self.how and role != "error":
            self.refuse(p)
        if role == "handle":
            nullable = p.get("nullable", False)
            handle = f"&{handle_name(base)}"
            self.parameters.append(f"{name}: " + (f"Option<{handle}>" if nullable else handle))
            self.arguments.append(f"optional({name})" if nullable else f"{name}.get()")
        elif role == "handles":
            self.parameters.append(f"{name}: &[&{handle_name(base)}]")
            self.arguments.append(f"pointers({name}).as_ptr()")
        elif role in ("text", "array") and direction == "in":
            if not re.fullmatch(r"\w+", p.get("len", "")):
                self.refuse(p)
            if len(self.lengths[p["len"]]) > 1 and p is not self.lengths[p["len"]][0]:
                self.refuse(p)
            self.parameters.append(f"{name}: " + ("&str" if role == "text" else f"&[{self.types.base(base)}]"))
            self.arguments.append(f"{name}.as_ptr()" + (".cast()" if role == "text" else ""))
        elif name in self.lengths:
            self.arguments.append(f"{name_of(self.lengths[name][0]['name'])}.len() as _")
        elif role in ("text", "array") and direction == "out":
            if p.get("len") != "capacity":
                self.refuse(p)
            self.answers(*(("text", "String") if role == "text" else ("list", f"Vec<{self.types.base(base)}>")))
        elif role == "handle_out" and not p.get("nullable"):
            self.answers("new", handle_name(base))
        elif (role, direction) in (("scalar", "out"), ("struct", "inout")):
            self.answers("value", self.kind(base))
        elif role == "value":
            self.parameters.append(f"{name}: {self.kind(base)}")
            self.arguments.append(name)
        elif role != "error":
            self.refuse(p)

    def returns(self, returns):
        kind = self.types.of(returns)
        if returns["role"] == "text":
            self.how, self.answer = "word", "Option<&'static str>"
        elif returns["type"] == "int32_t" and self.function["name"] not in NUMBERS:
            self.how, self.answer = "flag", "bool"
        else:
            self.how, self.answer = "plain", "()" if kind == "c_void" else self.kind(returns["base"])

    def text(self):
        head = broken(f"    {self.how} {self.function['name']}({', '.join(self.parameters)}) -> {self.answer} =")
        arguments = f"({', '.join(self.arguments)});"
        return head + (" " if len(head) + len(arguments) < 120 else "\n        ") + arguments


def handle_name(name):
    """What calls.rs calls a handle: xlashape_index_map is IndexMap."""
    return "".join(word.capitalize() for word in name.split("_")[1:])


def calls(abi, types):
    """Safe functions, for the module `ffi` of the crate xlashape."""
    names = {f["name"] for f in abi["functions"]}
    unknown = set(HAND) - names
    if unknown:
        raise SystemExit(f"generate.py: HAND names functions that do not exist: {', '.join(sorted(unknown))}")
    handles, counted = [], set()
    for handle in abi["handles"]:
        name = handle["name"]
        if handle["threads"] != "shared":
            raise SystemExit(f"generate.py: {name} is not shared between threads, and handles! says that all are")
        counted |= {f"{name}_retain", f"{name}_release"}
        handles.append(f"    {handle_name(name)} = {name}, {name}_retain, {name}_release;")
    if counted - names:
        raise SystemExit(f"generate.py: a handle lacks {', '.join(sorted(counted - names))}")
    rows = [Call(f, types).text() for f in abi["functions"] if f["name"] not in HAND and f["name"] not in counted]
    return "\n".join([HEADER, "use super::call::{list, new, static_text, text, value};",
                      "use super::handle::{optional, pointers, Counted, Handle};", "use crate::Result;",
                      "use xlashape_sys as sys;\n", "handles! {", *handles, "}\n", "calls! {", *rows, "}"]) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(__doc__)
    abi = json.loads(ABI.read_text(encoding="utf-8"))
    types = Types(abi)
    files = {f"{crate}/src/declarations.rs": declarations(abi, types, crate)
             for crate in ("xlashape-sys", "xlashape-backend-sys")}
    files["xlashape/src/ffi/calls.rs"] = calls(abi, types)
    stale = []
    for path, text in files.items():
        file = HERE / path
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not check:
                file.write_text(text, encoding="utf-8")
    if check and stale:
        raise SystemExit(f"generate.py: not what the ABI file says, run bindings/rust/generate.py: {', '.join(stale)}")


if __name__ == "__main__":
    main()
