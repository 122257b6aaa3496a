"""corpus.py FILE...: runs golden cases (their format: tests/data/golden/README.md) through the package's own API.
Prints `FAIL <id>: got ... want ...`, and at the end `N passed, M failed`."""

import json
import sys

import xlashape
from corpus_memory import compare_relayout, moved, packed
from xlashape import (
    Bitcast,
    Category,
    ElementType,
    Ignore,
    IndexMap,
    Layout,
    PaddingValue,
    Shape,
    XlashapeError,
)

IGNORE = {
    "layout": Ignore.LAYOUT, "tile": Ignore.TILES, "element_size": Ignore.ELEMENT_SIZE,
    "memory_space": Ignore.MEMORY_SPACE, "tail_padding_alignment": Ignore.TAIL_PADDING_ALIGNMENT,
    "split_config": Ignore.SPLIT_CONFIGS, "padding": Ignore.PADDING, "minor_to_major_only": Ignore.MINOR_TO_MAJOR_ONLY,
    "element_type": Ignore.ELEMENT_TYPE, "fp_precision": Ignore.FP_PRECISION,
    "dynamic_dimension": Ignore.DYNAMIC_DIMENSION, "dimension": Ignore.DIMENSIONS, "buffer": Ignore.BUFFER,
    "dynamic": Ignore.DYNAMIC_DIMENSION, "tail_padding": Ignore.TAIL_PADDING_ALIGNMENT,
    "all_but_minor_to_major": Ignore.MINOR_TO_MAJOR_ONLY,
}  # fmt: skip


def ignored(item):
    """What `ignore` names, without the endings that the case's author may have written out."""
    mask = Ignore.NOTHING
    for name in item.get("ignore", ()):
        for ending in ("_in_layout", "_in_bits", "_in_elements", "s"):
            if name.endswith(ending) and name != ending:
                name = name[: -len(ending)]
        mask |= IGNORE[name]
    return mask


def padding_value(name):
    """By XLA's name: "ZERO_PAD"."""
    return PaddingValue[name.replace("_PAD", "")]


def read_shape(item, name="shape", prefix=""):
    """The shape in a case's field; its padding, which XLA's text cannot say, is in other fields."""
    shape = Shape(item[name], keep_missing_layout=item.get("fill_missing_layouts") is False)
    widths, value = item.get(prefix + "padded_dimensions"), item.get(prefix + "padding_value")
    if widths is None and value is None:
        return shape
    layout = shape.layout
    if widths is not None and len(widths) != layout.rank:
        # of_parts refuses what the shape's own text can still say.
        text = str(shape) if str(shape).endswith("}") else str(shape) + "{:}"
        colon = "" if ":" in text else ":"
        return Shape(f"{text[:-1]}{colon}PD({','.join(map(str, widths))})}}")
    return shape.with_layout(
        Layout.of_parts(
            layout.minor_to_major,
            tiles=layout.tiles,
            padded_dimensions=widths,
            padding_value=padding_value(value or "INVALID_PAD"),
            element_size_in_bits=layout.element_size_in_bits,
            tail_padding_alignment_in_elements=layout.tail_padding_alignment_in_elements,
            memory_space=layout.memory_space,
            splits=layout.splits,
            dynamic_shape_metadata_prefix_bytes=layout.dynamic_shape_metadata_prefix_bytes,
        )
    )


def describe_layout(layout):
    out = {"minor_to_major": list(layout.minor_to_major)}
    if layout.tiles:
        words = {xlashape.COMBINE_DIMENSION: "*", xlashape.MATCH_DIMENSION: "d"}
        out["tiles"] = [[words.get(size, size) for size in tile] for tile in layout.tiles]
    usual = (
        ("element_size_in_bits", layout.element_size_in_bits, 0),
        ("tail_padding_alignment", layout.tail_padding_alignment_in_elements, 1),
        ("memory_space", layout.memory_space, 0),
        ("metadata_prefix_bytes", layout.dynamic_shape_metadata_prefix_bytes, 0),
        ("padding_value", int(layout.padding_value), 0),
    )
    out.update({name: value for name, value, default in usual if value != default})
    if layout.splits:
        out["split_configs"] = [[split.dimension, list(split.indices)] for split in layout.splits]
    if layout.padded_dimensions:
        out["padded_dimensions"] = list(layout.padded_dimensions)
    return out


def describe(shape):
    """A shape's structure as `parse` cases expect it: fields at their default left out."""
    category = shape.category
    if category in (Category.TOKEN, Category.OPAQUE):
        return {"kind": category.name.lower()}
    if category != Category.ARRAY:
        return {"kind": category.name.lower(), "elements": [describe(element) for element in shape.elements]}
    unbounded = xlashape.UNBOUNDED
    out = {
        "kind": "array",
        "type": shape.element_type.text,
        "dimensions": ["?" if size == unbounded else size for size in shape.dimensions],
        "dynamic": list(shape.dynamic_dimensions),
    }
    if shape.has_layout:
        out["layout"] = describe_layout(shape.layout)
    return out


SHORT = {
    "tail_padding_alignment_in_elements": "tail_padding_alignment",
    "dynamic_shape_metadata_prefix_bytes": "metadata_prefix_bytes",
}


def with_short_names(value):
    """The cases' own names of layout fields, whatever length they are written out to."""
    if isinstance(value, list):
        return [with_short_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, item in value.items():
        if item is not None:
            padding = name == "padding_value" and isinstance(item, str)
            out[SHORT.get(name, name)] = int(padding_value(item)) if padding else with_short_names(item)
    return out


def multi_index(item):
    index = IndexMap(read_shape(item)).multidimensional_index(item["linear"])
    return "padding" if index is None else list(index)


def primitive(item):
    # Names that XLA's text does not know are still those of numbers.
    known = {kind.text: kind for kind in ElementType}
    kind = known.get(item["type"]) or ElementType.of(item["type"])
    return {"number": int(kind), "bits": kind.bits, "bytes": kind.storage_bits // 8}


def inserted_deleted_ones(item):
    found = a(item).inserted_or_deleted_ones(b(item))
    if found is None:
        return None
    deleted, inserted = map(list, found)
    if not isinstance(item["expect"], dict):
        return [deleted, inserted]
    # Under whatever two names the case gives them.
    return {name: inserted if "insert" in name or "add" in name else deleted for name in item["expect"]}


def align_layouts(item):
    layout = read_shape(item).align_layouts(item["output_dimensions"], Bitcast.XLA)
    return None if layout is None else list(layout.minor_to_major)


def flags(item):
    return Bitcast.XLA | (Bitcast.IGNORE_ELEMENT_TYPE if item.get("ignore_element_type") else Bitcast.EXACT)


def a(item):
    return read_shape(item, "a", "a_")


def b(item):
    return read_shape(item, "b", "b_")


def listed(value):
    return None if value is None else [listed(item) if isinstance(item, tuple) else item for item in value]


def stride(item):
    shape = read_shape(item)
    return shape.element_strides[shape.dimension_number(item["dimension"])]


def relaid(item, source, target):
    """Images are compared where they are made: the answer is what was wanted, or what differs."""
    return compare_relayout(source, target, item) or item["expect"]


def plain(shape):
    return Shape.array(shape.element_type, shape.dimensions)


KINDS = {
    "parse": lambda item: describe(read_shape(item)),
    "reject": lambda item: f"accepted as {read_shape(item)}",
    "print": lambda item: read_shape(item).to_text(with_layout=item.get("with_layout", True)),
    "linear_index": lambda item: IndexMap(read_shape(item)).linear_index(item["index"]),
    "multi_index": multi_index,
    "element_count": lambda item: read_shape(item).element_count,
    "storage_elements": lambda item: read_shape(item).sizes.storage_elements,
    "byte_size": lambda item: read_shape(item).byte_size(item.get("pointer_size", 0)),
    "stride": stride,
    "dimension_number": lambda item: read_shape(item).dimension_number(item["dimension"]),
    "next_index": lambda item: listed(read_shape(item).next_index(item["index"])),
    "to_memory": lambda item: relaid(item, plain(read_shape(item)), read_shape(item)),
    "relayout": lambda item: relaid(item, read_shape(item, "src", "src_"), read_shape(item, "dst", "dst_")),
    "pack": lambda item: packed(plain(read_shape(item)), read_shape(item), item["data"]),
    "bytes": lambda item: moved(read_shape(item, "src", "src_"), item["data"], read_shape(item, "dst", "dst_")),
    "fill_value": lambda item: ElementType.of(item["type"]).padding_element(padding_value(item["padding_value"])).hex(),
    "primitive": primitive,
    "equal": lambda item: a(item).equal(b(item), ignored(item)),
    "compatible": lambda item: a(item).compatible(b(item), ignored(item)),
    "reshape_is_bitcast": lambda item: a(item).reshape_is_bitcast(b(item), flags(item)),
    "transpose_is_bitcast": lambda item: a(item).transpose_is_bitcast(b(item), item["permutation"], flags(item)),
    "deduce_transpose": lambda item: listed(a(item).deduce_transpose(b(item), flags(item))),
    "unmodified_dims": lambda item: listed(xlashape.unmodified_dimensions(a(item).dimensions, b(item).dimensions)),
    "inserted_deleted_ones": inserted_deleted_ones,
    "align_layouts": align_layouts,
    "permute_dims": lambda item: str(read_shape(item).permute_dimensions(item["permutation"])),
    "delete_dims": lambda item: str(read_shape(item).delete_dimensions(item["dimensions"])),
    "insert_dims": lambda item: str(read_shape(item).insert_dimensions(item["at"], item["sizes"])),
    "descending_same_physical": lambda item: str(read_shape(item).to_physical_order()),
    "normalized_transpose": lambda item: listed(
        xlashape.normalized_transpose(item["output_dimensions"], item["permutation"])
    ),
    "true_rank": lambda item: read_shape(item).true_rank,
    "logical_to_physical": lambda item: list(read_shape(item).layout.logical_to_physical),
    "leaf_count": lambda item: read_shape(item).leaf_count,
    "max_split_size": lambda item: read_shape(item).max_split_size(item["dimension"]),
    "subshape": lambda item: str(read_shape(item).subshape(item["path"])),
    "proto_encode": lambda item: read_shape(item).to_proto().hex(),
}


def stage_of(error):
    if isinstance(error, xlashape.ParseError):
        return "syntax"
    refused = isinstance(error, (xlashape.InvalidArgumentError, xlashape.SizeOverflowError))
    return "validate" if refused else "value"


def run(item):
    """Empty when the case passes, else what is wrong."""
    want = item["expect"]
    wants_error = isinstance(want, dict) and "error" in want
    try:
        got = KINDS[item["kind"]](item)
    except XlashapeError as error:
        stage = stage_of(error)
        if wants_error and want.get("stage", stage) == stage:
            return ""
        return f"got {error.status} ({stage}): {error} want {want}"
    same = with_short_names(got) == with_short_names(want) if item["kind"] == "parse" else got == want
    return "" if same and not wants_error and type(got) is type(want) else f"got {got!r:.400} want {want!r:.400}"


def main(paths):
    passed = failed = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
        if not lines:
            failed += 1
            print(f"FAIL {path}: holds no case")
        for line in lines:
            item = json.loads(line)
            try:
                why = run(item)
            except Exception as error:  # noqa: BLE001 - whatever else a case brings about is its failure
                why = f"{type(error).__name__}: {error}"
            if why:
                print(f"FAIL {item.get('id')}: {why}")
            passed, failed = passed + (not why), failed + bool(why)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
