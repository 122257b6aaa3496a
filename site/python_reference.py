# SPDX-License-Identifier: Apache-2.0
"""Writes the reference of the Python package from its sources, without importing it: every name that it has, with
its signature and its docstring."""

import ast
import textwrap

TITLE = "The Python package"


def exported(package):
    """(module, name) of everything that __init__.py takes from the package's modules, in its order."""
    for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for alias in node.names:
                if not alias.name.startswith("_"):
                    yield node.module, alias.name


def signature(function, is_method):
    """`(a, b=1)`, with the annotations and without self."""
    arguments = function.args
    for one in arguments.posonlyargs + arguments.args + arguments.kwonlyargs:
        one.annotation = None
    if is_method and arguments.args and not is_decorated(function, "staticmethod"):
        arguments.args = arguments.args[1:]
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(arguments)})" + (returns if function.name != "__init__" else "")


def is_decorated(function, name):
    return any(ast.unparse(one).split("(")[0].split(".")[-1] == name for one in function.decorator_list)


def text(node, indent):
    """The docstring as reStructuredText, which it is already but for its code spans, stars and backslashes."""
    said = fact(node) or ast.get_docstring(node) or ""
    said = said.replace("\\", "\\\\").replace("*", "\\*").replace("|", "\\|").replace("`", "``")
    return textwrap.indent(said, " " * indent)


def fact(node):
    """What `name = fact(..., "text")` says of that property."""
    if not isinstance(node, ast.Assign) or "fact(" not in ast.unparse(node.value).lower():
        return None
    return [one.value for one in node.value.args if isinstance(one, ast.Constant) and isinstance(one.value, str)][-1]


def members(cls):
    for node in cls.body:
        if fact(node):
            yield [f"   .. py:attribute:: {node.targets[0].id}", "", text(node, 6), ""]
        if isinstance(node, ast.FunctionDef):
            if node.name.startswith("_") and node.name != "__init__" or is_decorated(node, "overload"):
                continue
            if not ast.get_docstring(node):
                continue
            if is_decorated(node, "property") or is_decorated(node, "cached_property"):
                yield [f"   .. py:attribute:: {node.name}", "", text(node, 6), ""]
            elif node.name != "__init__":
                kinds = [kind for kind in ("classmethod", "staticmethod") if is_decorated(node, kind)]
                head = [f"   .. py:method:: {node.name}{signature(node, True)}"] + [f"      :{kind}:" for kind in kinds]
                yield head + ["", text(node, 6), ""]


def entry(node):
    if isinstance(node, ast.FunctionDef):
        return [f".. py:function:: {node.name}{signature(node, False)}", "", text(node, 3), ""]
    made = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
    out = [f".. py:class:: {node.name}{signature(made, True) if made else ''}", "", text(node, 3), ""]
    if made and ast.get_docstring(made):
        out += [text(made, 3), ""]
    return out + [line for lines in members(node) for line in lines]


def page(package):
    begin = "Every name of the package, from its sources. :doc:`/bindings/python` shows how to use it."
    out = [TITLE, "=" * len(TITLE), "", begin, "",
           ".. py:module:: xlashape", ""]
    for module, name in exported(package):
        source = package / f"{module}.py"
        tree = ast.parse(source.read_text(encoding="utf-8")) if source.exists() else ast.Module([], [])
        nodes = [node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name]
        if nodes:
            out += entry(nodes[-1])  # of overloads the last one is the function
    return "\n".join(out) + "\n"
