#!/usr/bin/env python3
"""Writes src/pjrt_sys.rs, the declarations of the PJRT C API, from examples/pjrt-plugin/pjrt_api.json.

    generate.py              writes the file
    generate.py --check      writes nothing; fails where the file is not what would be written
    generate.py --layouts    prints a C program that prints where all fields are according to pjrt_api.h
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FACTS = HERE.parent / "pjrt-plugin/pjrt_api.json"
FILE = HERE / "src/pjrt_sys.rs"

HEAD = """\
//! The PJRT C API: written by generate.py from examples/pjrt-plugin/pjrt_api.json. Do not edit.

#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]

use std::ffi::c_void;
use std::mem::{size_of, MaybeUninit};
use std::os::raw::{c_char, c_int};
use std::ptr::addr_of;

/// Declares the structs, and with them what the tests compare with C: where each field is.
macro_rules! structs {
    ($($kind:ident $name:ident { $($field:ident: $type:ty,)* })*) => {
        $(
            #[repr(C)]
            #[derive(Clone, Copy)]
            pub $kind $name {
                $(pub $field: $type,)*
            }

            impl $name {
                /// All zero.
                pub fn zeroed() -> Self {
                    // SAFETY: numbers, pointers, unions of them and functions that may be missing: 0 is a value of each.
                    unsafe { MaybeUninit::zeroed().assume_init() }
                }

                /// The names of the fields, and where each begins and ends.
                pub fn fields() -> Vec<(&'static str, usize, usize)> {
                    let place = MaybeUninit::<Self>::uninit();
                    let start = place.as_ptr();
                    vec![$({
                        // SAFETY: only the address is taken.
                        let at = unsafe { addr_of!((*start).$field) } as usize - start as usize;
                        (stringify!($field), at, at + size_of::<$type>())
                    }),*]
                }
            }
        )*

        /// All structs: name, size, fields.
        pub fn layouts() -> Vec<(&'static str, usize, Vec<(&'static str, usize, usize)>)> {
            vec![$((stringify!($name), size_of::<$name>(), $name::fields())),*]
        }
    };
}

/// Says of structs of arguments that they begin with their size, as this file knows it: up to the end of the last field.
macro_rules! sized {
    ($($name:ident { $last:ident })*) => {
        $(
            impl $name {
                /// All zero, but for the size.
                #[inline]
                pub fn new() -> Self {
                    let mut args = Self::zeroed();
                    let end = addr_of!(args.$last) as usize - addr_of!(args) as usize;
                    args.struct_size = end + size_of_pointee(addr_of!(args.$last));
                    args
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self::new()
                }
            }
        )*
    };
}

fn size_of_pointee<T>(_: *const T) -> usize {
    size_of::<T>()
}
"""

SCALARS = {"void": "c_void", "char": "c_char", "int": "c_int", "size_t": "usize", "int32_t": "i32", "int64_t": "i64",
           "uint64_t": "u64", "uintptr_t": "usize", "intptr_t": "isize", "float": "f32", "bool": "bool"}
KEYWORDS = {"type"}


def name_of(name):
    return f"r#{name}" if name in KEYWORDS else name


def type_of(text):
    """Rust's spelling of a type of C that is no function: `const char* const*` is `*const *const c_char`."""
    words = re.findall(r"\w+|\*", text.replace("struct ", ""))
    is_const = words[0] == "const"
    base = words[1 if is_const else 0]
    spelled = SCALARS.get(base, base)
    if base not in SCALARS and not base.startswith("PJRT_"):
        raise SystemExit(f"generate.py: no rule for the type {text}")
    for word in words[2 if is_const else 1 :]:
        if word == "*":
            spelled = f"*{'const' if is_const else 'mut'} {spelled}"
            is_const = False
        elif word == "const":
            is_const = True  # the pointer itself: what the next one points to
        else:
            raise SystemExit(f"generate.py: no rule for the type {text}")
    return spelled


def split(parameters):
    """The parameters of a function, which may be functions."""
    depth, out = 0, [""]
    for char in parameters:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            out.append("")
        else:
            out[-1] += char
    return [p.strip() for p in out if p.strip() not in ("", "void")]


def function_of(result, parameters):
    types = ", ".join(f"{name_of(name)}: {kind}" if name else kind for name, kind in map(field_of, split(parameters)))
    return f"Option<unsafe extern \"C\" fn({types})" + ("" if result == "void" else f" -> {type_of(result)}") + ">"


def field_of(text):
    """Name and type of a field or a parameter, whose name may be missing."""
    if match := re.fullmatch(r"(.+?)\(\*(\w+)\)\((.*)\)", text):
        return match[2], function_of(match[1].strip(), match[3])
    match = re.fullmatch(r"(.*[\s*])(\w+)", text)
    if match and match[2] not in ("const",):
        return match[2], type_of(match[1])
    return "", type_of(text)


def c_name(text):
    match = re.search(r"\(\*(\w+)\)", text)
    return match[1] if match else re.search(r"(\w+)$", text)[1]


class Declarations:
    """The structs in a form that Rust and the C program are written from."""

    def __init__(self, facts):
        self.facts = facts
        self.structs = []  # kind, name, [(name, type)]
        for name, fields in facts["structs"].items():
            members = []
            for text in fields:
                if not text.startswith("union"):
                    members.append(field_of(text))
                    continue
                inner = [field_of(part.strip()) for part in text[text.index("{") + 1 : text.index("}")].split(";") if part.strip()]
                self.structs.append(("union", f"{name}_union", inner))
                members.append(("value" if name == "PJRT_NamedValue" else "layout", f"{name}_union"))
            self.structs.append(("struct", name, members))
        table = [("struct_size", "usize"), ("extension_start", "*mut PJRT_Extension_Base"), ("pjrt_api_version", "PJRT_Api_Version")]
        self.structs.append(("struct", "PJRT_Api", table + [self.function(name) for name in facts["api_order"]]))
        layouts = [("base", "PJRT_Extension_Base")] + [self.function(name) for name in facts["layouts_extension"]["order"]]
        self.structs.append(("struct", "PJRT_Layouts_Extension", layouts))

    def function(self, name):
        result = "void" if name in self.facts["returns_nothing"] else "PJRT_Error*"
        return name, function_of(result, f"{name}_Args* args")

    def opaque(self):
        """What is only pointed to."""
        text = json.dumps([self.facts["structs"], self.facts["callbacks"], self.facts["api_order"]])
        values = {value for members in self.facts["enums"].values() for value in members}
        known = {name for _, name, _ in self.structs} | set(self.facts["enums"]) | set(self.facts["callbacks"]) | values
        return sorted(set(re.findall(r"\bPJRT_\w+", text)) - known - set(self.facts["api_order"]))

    def rust(self):
        facts = self.facts
        out = [HEAD]
        for side, number in zip(("MAJOR", "MINOR"), facts["version"]):
            out.append(f"pub const PJRT_API_{side}: c_int = {number};")
        out.append("")
        for name, members in facts["enums"].items():
            out.append(f"pub type {name} = u32;")
            out += [f"pub const {member}: {name} = {number};" for member, number in members.items()]
            out.append("")
        for name in self.opaque():
            out.append(f"#[repr(C)]\npub struct {name} {{\n    _data: [u8; 0],\n}}\n")
        for name, (result, parameters) in facts["callbacks"].items():
            out.append(f"pub type {name} = {function_of(result, parameters)};")
        out += ["", "structs! {"]
        for kind, name, members in self.structs:
            out += [f"    {kind} {name} {{", *(f"        {name_of(field)}: {text}," for field, text in members), "    }", ""]
        out[-1] = "}"
        out += ["", "sized! {"]
        for kind, name, members in self.structs:
            if kind == "struct" and members[0][0] == "struct_size" and name != "PJRT_Api":
                out.append(f"    {name} {{ {name_of(members[-1][0])} }}")
        out += ["}", ""]
        return "\n".join(out)

    def c(self):
        out = ["#include <pjrt_api.h>", "#include <stdio.h>", "", "int main(void) {"]
        for kind, name, members in self.structs:
            if kind == "union":
                continue  # without a name in C: its members are fields of the struct around it
            out.append(f'  printf("{name} %zu\\n", sizeof({name}));')
            for field, text in members:
                inner = next((fields for k, n, fields in self.structs if k == "union" and n == text), None)
                for c_field in [f for f, _ in inner] if inner else [field]:
                    out.append(f'  printf("{name}.{c_field} %zu %zu\\n", offsetof({name}, {c_field}), '
                               f"offsetof({name}, {c_field}) + sizeof((({name}*)0)->{c_field}));")
        out += ["  return 0;", "}", ""]
        return "\n".join(out)


def main():
    declarations = Declarations(json.loads(FACTS.read_text(encoding="utf-8")))
    text = declarations.rust()
    if sys.argv[1:] == ["--check"]:
        if not FILE.is_file() or FILE.read_text(encoding="utf-8") != text:
            sys.exit("pjrt_sys.rs is not what generate.py writes: run generate.py")
    elif sys.argv[1:] == ["--layouts"]:
        print(declarations.c(), end="")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
