# SPDX-License-Identifier: Apache-2.0
"""What the ABI file holds: declarations of clang's tree turned into functions, structs, handles, typedefs, constants.

Roles say what a caller has to do about a parameter:
    value           passed as it is
    error           the caller's error record, last, always nullable
    handle          a handle, borrowed for the call; `release` functions take the caller's reference instead
    handle_out      receives a handle with a reference for the caller
    handles         an array of handles
    struct          a struct, which starts with struct_size unless it is in FIXED; of a field it may be a value
    array, text     items or bytes, `len` of them
    scalar          one item
    memory          an address of an array's bytes
    callback        a function
"""

import re

# Structs that never grow, and so have no struct_size: parts of others, too.
FIXED = {"xlashape_queue", "xlashape_number"}

INTEGERS = {"int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "uint8_t", "char"}
# What an integer constant's expression has as its type, in the terms of the headers (on LP64).
CONSTANT_TYPES = {"int": "int32_t", "unsigned int": "uint32_t", "long": "int64_t", "unsigned long": "uint64_t",
                  "long long": "int64_t", "unsigned long long": "uint64_t"}


def spell(text):
    """The tree's spelling of a type in the headers' style: `const char*`, `xlashape_shape* const*`."""
    text = re.sub(r"\bstruct ", "", text)
    text = re.sub(r"\s*\*\s*", "*", text)
    return re.sub(r"\*const\b", "* const", text).replace("(*", " (*").replace("  (*", " (*")


def split_top(text):
    """Splits at commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def closing(text, start):
    """Where the parenthesis that opens at `start` closes."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise ValueError(f"no closing parenthesis in {text}")


def names_in(declaration, name):
    """Names of the parameters in the source of `type (*name)(...)`, which the tree does not keep."""
    at = re.search(rf"\(\s*\*\s*{name}\s*\)\s*\(", declaration)
    inner = declaration[at.end():closing(declaration, at.end() - 1)]
    found = []
    for part in split_top(re.sub(r"/\*.*?\*/", " ", inner, flags=re.DOTALL)):
        nested = re.search(r"\(\s*\*\s*(\w+)\s*\)", part)
        found.append(nested.group(1) if nested else re.search(r"(\w+)\s*$", part).group(1))
    return found


class Model:
    def __init__(self, texts):
        # Without the calling convention: the tree does not have it either where this runs.
        self.texts = {name: text.replace("(XLASHAPE_CALL* ", "(*") for name, text in texts.items()}
        self.functions, self.structs, self.handles = [], [], []
        self.typedefs, self.callbacks, self.constants = [], [], []
        self.struct_names, self.handle_names, self.callback_names = set(), set(), set()
        self.pending = []

    # -- Reading the tree ---------------------------------------------------------------------------------------------

    def header_of(self, name, pattern):
        """The header in which the declaration stands."""
        for header, text in self.texts.items():
            if re.search(pattern.format(name=name), text):
                return header
        raise ValueError(f"{name}: in no header")

    def add(self, node, own, of_children):
        kind, name = node["kind"], node["name"]
        if kind == "RecordDecl" and node.get("completeDefinition"):
            if node["tagUsed"] != "struct":
                raise SystemExit(f"extract.py: {name}: a {node['tagUsed']} does not cross the boundary")
            self.struct_names.add(name)
        elif kind == "TypedefDecl":
            self.add_typedef(node, own)
            return
        elif kind != "FunctionDecl":
            return
        self.pending.append((node, of_children))

    def add_typedef(self, node, own):
        name, target = node["name"], spell(node["type"]["qualType"])
        if "(*)" in target:
            header = self.header_of(name, r"\(\*{name}\)")
            text = self.texts[header]
            start = text.index(f"(*{name})")
            end = closing(text, text.index("(", start + len(name) + 3)) + 1
            self.callback_names.add(name)
            self.callbacks.append({"name": name, "header": header, "c": target, "text": text[start:end]})
        elif target == name:
            threads = [text.partition(":")[2] for text in own if text.startswith("threads:")]
            self.handle_names.add(name)
            self.handles.append({"name": name, "header": self.header_of(name, r"typedef struct {name}\b"),
                                 "threads": threads[0] if threads else None})
        elif target in INTEGERS:
            self.typedefs.append({"name": name, "header": self.header_of(name, r"typedef \w+ {name};"), "type": target})
        else:
            raise SystemExit(f"extract.py: {name}: a typedef of {target} does not cross the boundary")

    def finish(self):
        """Functions and structs, once all names are known. A struct may have had its name before its fields."""
        self.handle_names -= self.struct_names
        self.handles = [handle for handle in self.handles if handle["name"] not in self.struct_names]
        for node, of_children in self.pending:
            if node["kind"] == "RecordDecl":
                self.add_struct(node, of_children)
            else:
                self.add_function(node, of_children)
        for callback in self.callbacks:
            callback.update(self.signature(callback.pop("c"), callback.pop("text"), callback["name"]))

    def add_function(self, node, of_children):
        name = node["name"]
        parameters = [self.parameter(child["name"], child["type"]["qualType"], of_children[id(child)])
                      for child in node.get("inner", []) if child["kind"] == "ParmVarDecl"]
        spelled = node["type"]["qualType"]
        if node.get("variadic"):
            raise SystemExit(f"extract.py: {name}: variable arguments do not cross the boundary")
        returns = self.returned(name, spell(spelled[:spelled.index("(")].strip()))
        if name.endswith("_release"):
            parameters[0]["owned"] = True
        self.functions.append({"name": name, "header": self.header_of(name, r"\b{name}\("), "returns": returns,
                               "parameters": parameters})

    def add_struct(self, node, of_children):
        name, fields = node["name"], []
        header = self.header_of(name, r"struct {name} \{{")
        text = self.texts[header]
        body = text[re.search(rf"struct {name} \{{", text).end():]
        for child in node["inner"]:
            if child["kind"] != "FieldDecl":
                continue
            if child.get("isBitfield"):
                raise SystemExit(f"extract.py: {name}.{child['name']}: bit fields do not cross the boundary")
            spelled = spell(child["type"]["qualType"])
            if "(*)" in spelled:
                field = {"name": child["name"], "type": spelled, "role": "callback"}
                field.update(self.signature(spelled, body, child["name"]))
            else:
                field = self.parameter(child["name"], spelled, of_children[id(child)])
                field.pop("direction", None)
            fields.append(field)
        self.structs.append({"name": name, "header": header, "fields": fields})

    # -- Types ---------------------------------------------------------------------------------------------------------

    def kind_of(self, base):
        if base in self.handle_names:
            return "handle"
        if base in self.struct_names:
            return "struct"
        if base in self.callback_names:
            return "callback"
        if base in INTEGERS or any(typedef["name"] == base for typedef in self.typedefs):
            return "char" if base == "char" else "integer"
        if base == "float":
            return "float"  # only behind a pointer
        return "void" if base == "void" else None

    def parameter(self, name, spelled, notes):
        spelled = spell(spelled)
        if "(*)" in spelled:
            return {"name": name, "type": spelled, "role": "callback", **self.signature(spelled, None, None)}
        array = re.search(r"\[(\d+)\]$", spelled)
        plain = re.sub(r"\[\d+\]$", "", spelled)
        base = re.sub(r"\bconst\b|[*\s]", "", plain)
        depth, kind = plain.count("*"), self.kind_of(base)
        by_value = depth == 0 and not array
        if kind is None or depth > 2 or (depth == 0 and kind in ("handle", "struct", "void") and base not in FIXED) or (
                by_value and kind in ("char", "float")):
            raise SystemExit(f"extract.py: {name}: {spelled} does not cross the boundary")
        constant = plain.startswith("const ")
        lengths = [note.partition(":")[2] for note in notes if note.startswith("len:")]
        length = re.sub(r"\s*\*\s*", " * ", lengths[0]) if lengths else None
        role = self.role(name, base, kind, depth, length)
        result = {"name": name, "type": spelled, "base": base, "pointers": depth, "role": role}
        if array:
            result["count"] = int(array.group(1))
        if depth > 0:
            inside = constant or role in ("handle", "handles") or (role == "array" and depth == 2)
            result["direction"] = "in" if inside else "inout" if "inout" in notes or role == "struct" else "out"
            if role == "memory" and not constant:
                result["direction"] = "inout"
        if role == "handle_out":
            result["owned"] = True
        if "nullable" in notes or role == "error":
            result["nullable"] = True
        if length:
            result["len"] = length
        return result

    @staticmethod
    def role(name, base, kind, depth, length):
        if base == "xlashape_error" and depth == 1 and name == "err":
            return "error"
        if depth == 0:
            return kind if kind in ("callback", "struct") else "value"
        if kind == "handle":
            return "handle" if depth == 1 else "handles" if length else "handle_out"
        if kind == "struct":
            return "struct"
        if kind == "void":
            return "memory"
        if kind == "char":
            return "text"
        return "array" if length or depth == 2 else "scalar"

    def returned(self, name, spelled):
        base = re.sub(r"\bconst\b|[*\s]", "", spelled)
        result = {"type": spelled, "base": base, "pointers": spelled.count("*")}
        if spelled == "xlashape_status":
            result["role"] = "status"
        elif spelled == "void":
            result["role"] = "nothing"
        elif base in self.handle_names:
            result.update(role="handle", owned=True)
        elif spelled == "const char*":
            result["role"] = "text"
        elif "*" not in spelled and self.kind_of(base) == "integer":
            result["role"] = "value"
        elif spelled in ("void*", "const void*"):
            result["role"] = "memory"
        else:
            raise SystemExit(f"extract.py: {name}: returning {spelled} does not cross the boundary")
        return result

    def signature(self, spelled, text, name):
        """Result and parameters of a function pointer; names from the source, where there is one."""
        at = spelled.index("(*)")
        types = split_top(spelled[at + 4:closing(spelled, at + 3)])
        names = names_in(text, name) if text else [f"argument{i}" for i in range(len(types))]
        if len(names) != len(types):
            raise SystemExit(f"extract.py: {name}: {len(types)} parameters, but {len(names)} names in the source")
        return {"returns": self.returned(name, spelled[:at].strip()),
                "parameters": [self.parameter(parameter, kind, []) for parameter, kind in zip(names, types)]}

    # -- The file -----------------------------------------------------------------------------------------------------

    def add_constant(self, name, header, value, spelled):
        constant = {"name": name, "header": header, "value": value, "type": CONSTANT_TYPES[spelled]}
        group = self.group_of(name, header)
        if group:
            constant["of"] = group
        self.constants.append(constant)

    def group_of(self, name, header):
        """The integer typedef right after which the constant stands, in an unbroken run of constants."""
        lines = self.texts[header].splitlines()
        at = next(i for i, line in enumerate(lines) if re.match(rf"#define {name}\b", line))
        while at > 0:
            at -= 1
            typedef = re.match(r"typedef \w+ (\w+);", lines[at])
            if typedef:
                return typedef.group(1)
            if not re.match(r"#define |\s+\S|/\*.*\*/$", lines[at]) and not lines[at - 1].endswith("\\"):
                return None
        return None

    def problems(self):
        """What a later release could not take back."""
        found = [f"{handle['name']}: the handle has no XLASHAPE_THREADS rule" for handle in self.handles
                 if handle["threads"] not in ("shared", "exclusive")]
        for struct in self.structs:
            name, end = struct["name"], 0
            first = struct["fields"][0]
            if name not in FIXED and (first["name"], first["type"]) != ("struct_size", "uint32_t"):
                found.append(f"{name}: it does not start with uint32_t struct_size")
            for field in struct["fields"]:
                if field["offset"]["lp64"] != end:
                    hole = field["offset"]["lp64"] - end
                    found.append(f"{name}.{field['name']}: {hole} bytes of unnamed padding before it")
                end = field["offset"]["lp64"] + field["size"]["lp64"]
            if end != struct["size"]["lp64"] or end % 8 != 0:
                found.append(f"{name}: its fields end at byte {end}, which is no multiple of 8 or not its end")
        for function in self.functions:
            names = {parameter["name"] for parameter in function["parameters"]}
            for parameter in function["parameters"]:
                unknown = set(re.findall(r"[a-z_]\w*", parameter.get("len", ""))) - names - {"sum"}
                if unknown - {"rank"}:  # `rank` may be the handle's
                    found.append(f"{function['name']}: the length of {parameter['name']} names no parameter: {unknown}")
            status = function["returns"]["role"] == "status"
            last = function["parameters"][-1]["role"] if function["parameters"] else None
            if status != (last == "error"):
                found.append(f"{function['name']}: returns a status without err as its last parameter, or the reverse")
        return found

    def result(self):
        version = {constant["name"]: constant["value"] for constant in self.constants}
        return {
            "format": 1,
            "version": f"{version['XLASHAPE_VERSION_MAJOR']}.{version['XLASHAPE_VERSION_MINOR']}",
            "backend_abi": version["XLASHAPE_BACKEND_ABI_VERSION"],
            "typedefs": self.typedefs,
            "handles": self.handles,
            "callbacks": self.callbacks,
            "structs": self.structs,
            "functions": self.functions,
            "constants": self.constants,
        }
