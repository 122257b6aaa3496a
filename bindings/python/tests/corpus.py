# SPDX-License-Identifier: Apache-2.0
"""corpus.py FILE...: runs golden cases (their format: tests/data/golden/README.md) through the package's own API.
Prints `FAIL <id>: got ... want ...`, and at the end `N passed, M failed`."""

import json
import sys

import xlashape
from xlashape import Bitcast, Category, ElementType, FillPolicy, Ignore, IndexMap, OutOfRangeError, PaddingValue, Plan
from xlashape import Shape, XlashapeError

IGNORE = {
    "layout": Ignore.LAYOUT, "tiles": Ignore.TILES, "element_size": Ignore.ELEMENT_SIZE,
    "memory_space": Ignore.MEMORY_SPACE, "tail_padding_alignment": Ignore.TAIL_PADDING_ALIGNMENT,
    "tail_padding": Ignore.TAIL_PADDING_ALIGNMENT, "split_configs": Ignore.SPLIT_CONFIGS, "padding": Ignore.PADDING,
    "minor_to_major_only": Ignore.MINOR_TO_MAJOR_ONLY, "all_but_minor_to_major": Ignore.MINOR_TO_MAJOR_ONLY,
    "element_type": Ignore.ELEMENT_TYPE, "fp_precision": Ignore.FP_PRECISION, "dimensions": Ignore.DIMENSIONS,
    "dynamic_dimension": Ignore.DYNAMIC_DIMENSION, "dynamic": Ignore.DYNAMIC_DIMENSION, "buffer": Ignore.BUFFER,
    "metadata_prefix": Ignore.METADATA_PREFIX,
}  # fmt: skip


def ignored(item):
    if "ignore" not in item:
        return Ignore.XLA
    mask = Ignore.NOTHING
    for name in item["ignore"]:
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
    value = padding_value(value or "INVALID_PAD")
    return shape.with_layout(shape.layout.replace(padded_dimensions=widths, padding_value=value))


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
        ("padded_dimensions", list(layout.padded_dimensions or ()), []),
        ("split_configs", [[split.dimension, list(split.indices)] for split in layout.splits], []),
    )
    out.update({name: value for name, value, default in usual if value != default})
    return out


def describe(shape):
    """A shape's structure as `parse` cases expect it: fields at their default left out."""
    category = shape.category
    if category in (Category.TOKEN, Category.OPAQUE):
        return {"kind": category.name.lower()}
    if category != Category.ARRAY:
        return {"kind": category.name.lower(), "elements": [describe(element) for element in shape.elements]}
    out = {
        "kind": "array",
        "type": shape.element_type.text,
        "dimensions": ["?" if size == xlashape.UNBOUNDED else size for size in shape.dimensions],
        "dynamic": list(shape.dynamic_dimensions),
    }
    if shape.has_layout:
        out["layout"] = describe_layout(shape.layout)
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
    return listed(a(item).inserted_or_deleted_ones(b(item)))


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


class Cells:
    """What an image is made of: positions of `container` bits, each holding a value of `value` bits."""

    def __init__(self, shape):
        sizes, kind = shape.sizes, shape.element_type
        if sizes.bytes > 1 << 26:
            raise RuntimeError("the image is too large to be built")
        self.count, self.bytes, self.container = sizes.storage_elements, sizes.bytes, sizes.element_bits
        self.value = min(kind.bits if kind.is_sub_byte else kind.storage_bits, self.container)

    def image(self, values):
        whole = 0
        for position, value in enumerate(values):
            whole |= (value & ((1 << self.value) - 1)) << (position * self.container)
        return bytearray(whole.to_bytes(self.bytes, "little"))

    def values(self, image):
        whole = int.from_bytes(image, "little")
        return [(whole >> (position * self.container)) & ((1 << self.value) - 1) for position in range(self.count)]


def relaid(source, image, target, preset, policy):
    out = bytearray(preset)
    with Plan(source, target, fill=policy) as plan:
        plan.execute(bytes(image), out)
    return out


def compare_relayout(source, target, item):
    """What the case wants, or what differs. The cases write tokens; each becomes a bit pattern of the element type, and
    where a type has fewer patterns than there are tokens the relayout runs several times, once for each digit of a
    token's number."""
    data, want, fill = item["data"], item["expect"], item.get("fill", "(no element)")
    cells, to = Cells(source), Cells(target)
    if not isinstance(want, list):
        want = [fill] * to.count
    if len(data) != cells.count:
        raise OutOfRangeError(f"data has {len(data)} entries, the source has {cells.count} positions")
    if len(want) != to.count:
        return f"{to.count} positions, not {len(want)}"
    tokens = {}
    for token in [fill, *data, *want]:
        tokens.setdefault(json.dumps(token), len(tokens))
    padding = target.layout.padding_value if target.has_layout else PaddingValue.INVALID
    filled = int.from_bytes(target.element_type.padding_element(padding), "little")
    index_map = IndexMap(target)
    passes = 1
    while (1 << (to.value * passes)) < len(tokens):
        passes += 1
    for number in range(passes):

        def pattern(token, number=number):
            digit = (tokens[json.dumps(token)] >> (to.value * number)) + 1
            # An odd factor keeps numbers apart in their lowest bits and fills the higher ones.
            return digit * 0xD6E8FEB86659FD93CA5A82633C6B7A85 & ((1 << to.value) - 1)

        image = cells.image([pattern(token) for token in data])
        preset = to.image([pattern(fill)] * to.count)
        expected = [pattern(token) for token in want]
        got = to.values(relaid(source, image, target, preset, FillPolicy.PRESERVE))
        if got != expected:
            return f"{got}, not {expected}: padding left alone"
        if padding != PaddingValue.INVALID:
            for position in range(to.count):
                if index_map.multidimensional_index(position) is None:
                    expected[position] = filled & ((1 << to.value) - 1)
            got = to.values(relaid(source, image, target, preset, FillPolicy.PADDING))
            if got != expected:
                return f"{got}, not {expected}: padding filled"
    return item["expect"]


def packed(source, target, data):
    """The image of `target` that holds `data`, numbers in row-major order, with zeros for padding, in hex."""
    cells = Cells(source)
    if len(data) != cells.count:
        raise OutOfRangeError(f"data has {len(data)} entries, the array has {cells.count}")
    return relaid(source, cells.image(data), target, bytes(Cells(target).bytes), FillPolicy.PADDING).hex()


def moved(source, data, target):
    """The memory of `target`, in hex, made from that of `source`."""
    return relaid(source, bytes.fromhex(data), target, bytes(Cells(target).bytes), FillPolicy.PADDING).hex()


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
    "to_memory": lambda item: compare_relayout(plain(read_shape(item)), read_shape(item), item),
    "relayout": lambda item: compare_relayout(read_shape(item, "src", "src_"), read_shape(item, "dst", "dst_"), item),
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
    return "" if got == want and not wants_error and type(got) is type(want) else f"got {got!r:.400} want {want!r:.400}"


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
