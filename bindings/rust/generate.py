#!/usr/bin/env python3
"""Writes the raw layers of the Rust binding from tests/abi/xlashape.abi.json.

    generate.py            writes the three files
    generate.py --check    writes nothing; fails where a file is not what would be written

    xlashape-backend-sys/src/declarations.rs   xlashape_backend.h, and what a backend sees of xlashape.h
    xlashape-sys/src/declarations.rs           everything else of xlashape.h, and xlashape_util.h
    xlashape/src/ffi/calls.rs                  a safe function for each C function whose contract the ABI file states whole;
                                               the others are written by hand, and HAND says where
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ABI = HERE.parents[1] / "tests/abi/xlashape.abi.json"
HEADER = "// Written by bindings/rust/generate.py from tests/abi/xlashape.abi.json: do not edit.\n"

SCALARS = {"void": "c_void", "char": "c_char", "size_t": "usize", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64",
           "uint64_t": "u64", "uint8_t": "u8"}
KEYWORDS = {"type", "ref", "box", "move", "fn"}

# The crate that declares what a header does; xlashape-sys gives out again what xlashape-backend-sys declares.
CRATES = {"xlashape.h": "xlashape-sys", "xlashape_util.h": "xlashape-sys", "xlashape_backend.h": "xlashape-backend-sys"}
# What a backend sees of xlashape.h.
SEEN_BY_BACKENDS = re.compile(r"XLASHAPE_(STATUS|SPACE|QUEUE|FILL|LOG)_\w+|XLASHAPE_INDEX_MARK_BAD"
                              r"|xlashape_(status|error|memory_space|fill_policy|backend_open)"
                              r"|xlashape_(executor|task|progress|release)")

# C functions that calls.rs leaves out, and where in xlashape/src/ffi their wrapper is. What the ABI file cannot say about
# them: several arrays share a length and NULL means something, memory whose size is nowhere, a cursor.
HAND = {
    "xlashape_layout_create": "not wrapped: xlashape_layout_create_from_fields says the same",
    "xlashape_layout_get_spec": "not wrapped: xlashape_layout_fields says the same",
    "xlashape_relayout_from_fields": "not wrapped: xlashape_relayout takes the options as a struct",
    "xlashape_shape_decompose_bitcast": "decompose.rs",
    "xlashape_shape_create_array": "shape.rs",
    "xlashape_shape_next_index": "shape.rs",
    "xlashape_box_next_index": "shape.rs",
    "xlashape_box_index_count": "box_walk.rs",
    "xlashape_box_index_at": "box_walk.rs",
    "xlashape_shape_next_subshape": "shape.rs",
    "xlashape_shape_inserted_or_deleted_ones": "shape.rs",
    "xlashape_normalized_transpose": "shape.rs",
    "xlashape_program_shape_create": "shape.rs",
    "xlashape_layout_from_byte_strides": "shape.rs",
    "xlashape_byte_strides_are_row_major": "shape.rs",
    "xlashape_shape_draw": "shape.rs",
    "xlashape_target_layout": "target.rs",
    "xlashape_layout_from_pjrt": "foreign.rs",
    "xlashape_shape_to_pjrt": "foreign.rs",
    "xlashape_shape_from_dlpack": "foreign.rs",
    "xlashape_shape_to_dlpack": "foreign.rs",
    "xlashape_index_map_linear_index": "index_map.rs",
    "xlashape_index_map_multidimensional_index": "index_map.rs",
    "xlashape_index_map_linear_indices": "index_map.rs",
    "xlashape_index_map_multidimensional_indices": "index_map.rs",
    "xlashape_index_plan_create": "index_plan.rs",
    "xlashape_runtime_create": "runtime.rs",
    "xlashape_runtime_calibrate": "runtime.rs",
    "xlashape_runtime_add_backend": "runtime.rs",
    "xlashape_runtime_load_backend": "runtime.rs",
    "xlashape_memory_alloc": "not wrapped: memory of devices is the caller's",
    "xlashape_memory_free": "not wrapped: the same",
    "xlashape_memory_copy": "not wrapped: the same",
    "xlashape_memory_fill": "not wrapped: the same",
    "xlashape_queue_sync": "not wrapped: the same",
    "xlashape_queue_wait": "not wrapped: the same",
    "xlashape_queue_signal": "not wrapped: the same",
    "xlashape_get_extension": "not wrapped: what it gives is not promised",
    "xlashape_plan_create": "plan.rs",
    "xlashape_plan_create_from_fields": "not wrapped: xlashape_plan_create says the same",
    "xlashape_plan_execute": "plan.rs",
    "xlashape_plan_execute_batch": "plan.rs",
    "xlashape_plan_execute_ex": "plan.rs",
    "xlashape_plan_execute_list": "plan.rs",
    "xlashape_plan_key": "plan.rs",
    "xlashape_plan_backend": "plan.rs",
    "xlashape_relayout": "plan.rs",
}
# An int32_t that a function returns is yes or no, save for these.
NUMBERS = {"xlashape_element_type_bits", "xlashape_element_type_storage_bits", "xlashape_element_type_to_pjrt",
           "xlashape_dimension_letter"}
# Texts that are ASCII and written on: their wrapper also comes in forms that allocate nothing.
LENT = {"xlashape_shape_print", "xlashape_layout_print"}


def name_of(name):
    """A name that Rust takes; `self` cannot even be quoted."""
    return "self_" if name == "self" else f"r#{name}" if name in KEYWORDS else name


def crate_of(entry):
    return "xlashape-backend-sys" if SEEN_BY_BACKENDS.fullmatch(entry["name"]) else CRATES[entry["header"]]


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


def zero(field, types):
    """The value that means 'default' in a struct."""
    kind = types.of(field)
    if kind.startswith("["):
        return f"[0; {field['count']}]"
    if kind.startswith("*const"):
        return "core::ptr::null()"
    if kind.startswith("*mut"):
        return "core::ptr::null_mut()"
    return "None" if field["role"] == "callback" else "0"


def struct_text(struct, types):
    name = struct["name"]
    sized = struct["fields"][0]["name"] == "struct_size"
    out = [f"#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {name} {{"]
    out += [f"    pub {name_of(f['name'])}: {types.of(f)}," for f in struct["fields"]]
    out.append("}\n")
    if sized:
        out.append(f"impl {name} {{\n    /// Everything at its default, `struct_size` set.\n"
                   f"    pub const fn new() -> Self {{\n        Self {{")
        for field in struct["fields"]:
            value = "core::mem::size_of::<Self>() as u32" if field["name"] == "struct_size" else zero(field, types)
            out.append(f"            {name_of(field['name'])}: {value},")
        out.append("        }\n    }\n}\n")
        out.append(f"impl Default for {name} {{\n    fn default() -> Self {{\n        Self::new()\n    }}\n}}\n")
    size, align = struct["size"], struct["align"]
    out.append('#[cfg(target_pointer_width = "64")]')
    out.append(f"const _: () = assert!(core::mem::size_of::<{name}>() == {size['lp64']} "
               f"&& core::mem::align_of::<{name}>() == {align['lp64']});")
    sizes = sorted({size["ilp32"], size["ilp32_align4"]})
    out.append('#[cfg(target_pointer_width = "32")]')
    out.append("const _: () = assert!(" + " || ".join(f"core::mem::size_of::<{name}>() == {n}" for n in sizes) + ");\n")
    return "\n".join(out)


def offset_tests(structs):
    """Offsets need a place to point at, which constants of this Rust do not have: so they are a test."""
    out = ["#[cfg(all(test, target_pointer_width = \"64\"))]", "mod offsets {", "    use super::*;", "    use core::mem::MaybeUninit;",
           "    use core::ptr::addr_of;", ""]
    for struct in structs:
        out += ["    #[test]", f"    fn {struct['name']}_offsets() {{",
                f"        let place = MaybeUninit::<{struct['name']}>::uninit();",
                "        let start = place.as_ptr();", "        let at = |field: *const u8| field as usize - start as usize;"]
        for field in struct["fields"]:
            out.append(f"        assert_eq!(at(unsafe {{ addr_of!((*start).{name_of(field['name'])}) }} as *const u8), "
                       f"{field['offset']['lp64']}, \"{field['name']}\");")
        out += ["    }", ""]
    out[-1] = "}"
    return "\n".join(out) + "\n"


def link_test(functions):
    """Every function, by its address: a library without one of them does not link."""
    out = ["#[cfg(test)]", "#[test]", "fn every_function_is_there() {", "    let functions = ["]
    out += [f"        {f['name']} as *const c_void," for f in functions]
    out += ["    ];", "    assert!(functions.iter().all(|function| !function.is_null()));", "}"]
    return "\n".join(out) + "\n"


def handle_text(handle):
    rule = "any thread, concurrently" if handle["threads"] == "shared" else "one thread at a time"
    return (f"/// A handle's target. Threads: {rule}.\n#[repr(C)]\npub struct {handle['name']} {{\n    _data: [u8; 0],\n"
            "    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,\n}\n")


def callback_text(callback, types):
    return f"pub type {callback['name']} = Option<unsafe extern \"C\" fn{types.signature(callback)}>;\n"


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
    out.append("")
    out += [handle_text(h) for h in mine["handles"]]
    out += [callback_text(c, types) for c in mine["callbacks"]]
    out += [struct_text(s, types) for s in mine["structs"]]
    if mine["functions"]:
        out.append('extern "C" {')
        out += [f"    pub fn {f['name']}{types.signature(f)};" for f in mine["functions"]]
        out.append("}\n")
    out.append(offset_tests(mine["structs"]))
    if mine["functions"]:
        out.append(link_test(mine["functions"]))
    return "\n".join(out)


class Call:
    """The safe function for one C function: its parameters, what it does around the call, what it gives back."""

    def __init__(self, function, types):
        self.function, self.types = function, types
        self.parameters, self.arguments, self.before, self.results = [], [], [], []
        self.answer, self.fails = None, False
        lengths = {}
        for p in function["parameters"]:
            if "len" in p and re.fullmatch(r"\w+", p["len"]) and p.get("direction") != "out":
                lengths.setdefault(p["len"], []).append(p)
        self.lengths = lengths
        for p in function["parameters"]:
            self.add(p)

    def refuse(self, p):
        raise SystemExit(f"generate.py: no rule for {p['name']} of {self.function['name']}: a wrapper by hand, and a line in HAND")

    def add(self, p):
        role, name, direction = p["role"], name_of(p["name"]), p.get("direction")
        base = p.get("base")
        if role == "handle":
            nullable = p.get("nullable", False)
            self.parameters.append(f"{name}: " + (f"Option<&Handle<sys::{base}>>" if nullable else f"&Handle<sys::{base}>"))
            self.arguments.append(f"optional({name})" if nullable else f"{name}.get()")
        elif role == "handles":
            self.parameters.append(f"{name}: &[&Handle<sys::{base}>]")
            self.before.append(f"    let {name}: Vec<*mut sys::{base}> = {name}.iter().map(|handle| handle.get()).collect();\n")
            self.arguments.append(f"{name}.as_ptr()")
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
            if p.get("len") != "capacity" or self.answer:
                self.refuse(p)
            self.answer = "text" if role == "text" else self.types.base(base)
            self.arguments.append("out")
        elif name == "capacity" and self.answer:
            self.arguments.append("capacity")
        elif name == "needed" and self.answer:
            self.arguments.append("needed")
        elif role == "handle_out" and not p.get("nullable"):
            self.before.append(f"    let mut {name} = core::ptr::null_mut();\n")
            self.arguments.append(f"&mut {name}")
            self.results.append((f"Handle<sys::{base}>", f"unsafe {{ Handle::owned({name}) }}"))
        elif role == "scalar" and direction == "out":
            kind = self.types.base(base)
            kind = f"sys::{kind}" if kind.startswith("xlashape") else kind
            self.before.append(f"    let mut {name}: {kind} = 0;\n")
            self.arguments.append(f"&mut {name}")
            self.results.append((kind, name))
        elif role == "struct" and direction == "inout":
            self.before.append(f"    let mut {name} = sys::{base}::new();\n")
            self.arguments.append(f"&mut {name}")
            self.results.append((f"sys::{base}", name))
        elif role == "value":
            kind = self.types.base(base)
            self.parameters.append(f"{name}: " + (f"sys::{kind}" if kind.startswith(("xlashape", "c_")) else kind))
            self.arguments.append(name)
        elif role == "error":
            self.fails = True
            self.arguments.append("err")
        else:
            self.refuse(p)

    def text(self):
        """The wrapper. Texts in LENT have two more: lent, and in the caller's memory."""
        function = self.function
        name = function["name"]
        call = f"sys::{name}({', '.join(self.arguments)})"
        head = f"pub(crate) fn {name.removeprefix('xlashape_')}({', '.join(self.parameters)})"
        kinds, values = [kind for kind, _ in self.results], [value for _, value in self.results]
        if self.answer and self.results:
            return (f"{head} -> Result<({', '.join(kinds)}, Vec<{self.answer}>)> {{\n{''.join(self.before)}"
                    f"    let answer = list(|out, capacity, needed, err| unsafe {{ {call} }})?;\n"
                    f"    Ok(({', '.join(values)}, answer))\n}}\n")
        if self.answer:
            kind, helper = ("String", "text") if self.answer == "text" else (f"Vec<{self.answer}>", "list")
            if name in LENT:
                lent = (f"pub(crate) fn {name.removeprefix('xlashape_')}_to<R>({', '.join(self.parameters)}, "
                        f"take: impl FnOnce(&str) -> R) -> Result<R> {{\n"
                        f"    with_text(|out, capacity, needed, err| unsafe {{ {call} }}, take)\n}}\n\n"
                        f"#[inline]\npub(crate) fn {name.removeprefix('xlashape_')}_in<'a>({', '.join(self.parameters)}, "
                        f"room: &'a mut [u8]) -> Result<&'a str> {{\n"
                        f"    text_in(room, |out, capacity, needed, err| unsafe {{ {call} }})\n}}\n\n")
            else:
                lent = ""
            return (f"{lent}{head} -> Result<{kind}> {{\n{''.join(self.before)}"
                    f"    {helper}(|out, capacity, needed, err| unsafe {{ {call} }})\n}}\n")
        if self.fails:
            kind, value = (kinds[0], values[0]) if len(kinds) == 1 else (f"({', '.join(kinds)})", f"({', '.join(values)})")
            return (f"{head} -> Result<{kind}> {{\n{''.join(self.before)}    check(|err| unsafe {{ {call} }})?;\n"
                    f"    Ok({value})\n}}\n")
        returns = function["returns"]
        if returns["role"] == "text":
            return f"{head} -> Option<&'static str> {{\n    unsafe {{ static_text({call}) }}\n}}\n"
        kind = self.types.of(returns)
        if kind == "c_void":
            return f"{head} {{\n    unsafe {{ {call} }}\n}}\n"
        if kind == "i32" and returns["type"] == "int32_t" and name not in NUMBERS:
            return f"{head} -> bool {{\n    unsafe {{ {call} != 0 }}\n}}\n"
        kind = f"sys::{kind}" if kind.startswith(("xlashape", "c_")) else kind
        return f"{head} -> {kind} {{\n    unsafe {{ {call} }}\n}}\n"


def calls(abi, types):
    """Safe functions, for the module `ffi` of the crate xlashape."""
    out = [HEADER, "use super::call::{check, list, static_text, text, text_in, with_text};\nuse super::handle::{optional, Counted, Handle};\n"
           "use crate::Result;\nuse xlashape_sys as sys;\n"]
    names = {f["name"] for f in abi["functions"]}
    unknown = set(HAND) - names
    if unknown:
        raise SystemExit(f"generate.py: HAND names functions that do not exist: {', '.join(sorted(unknown))}")
    counted = set()
    for handle in abi["handles"]:
        name = handle["name"]
        counted |= {f"{name}_retain", f"{name}_release"}
        out.append(f"// SAFETY: the two functions of this handle; they count atomically.\nunsafe impl Counted for sys::{name} {{\n"
                   f"    unsafe fn retain(handle: *mut Self) {{\n        sys::{name}_retain(handle);\n    }}\n"
                   f"    unsafe fn release(handle: *mut Self) {{\n        sys::{name}_release(handle);\n    }}\n}}\n")
        if handle["threads"] == "shared":
            out.append(f"// SAFETY: the ABI declares it \"shared\": any thread, concurrently.\n"
                       f"unsafe impl Send for Handle<sys::{name}> {{}}\nunsafe impl Sync for Handle<sys::{name}> {{}}\n")
    if counted - names:
        raise SystemExit(f"generate.py: a handle lacks {', '.join(sorted(counted - names))}")
    for function in abi["functions"]:
        if function["name"] not in HAND and function["name"] not in counted:
            out.append(Call(function, types).text())
    return "\n".join(out)


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(__doc__)
    abi = json.loads(ABI.read_text(encoding="utf-8"))
    types = Types(abi)
    files = {f"{crate}/src/declarations.rs": declarations(abi, types, crate) for crate in set(CRATES.values())}
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
