"""For the corpus: memory images. The cases write tokens; each becomes a bit pattern of the element type, and where a
type has fewer patterns than there are tokens the relayout runs several times, once for each digit of a token's
number."""

import json

from xlashape import FillPolicy, IndexMap, OutOfRangeError, PaddingValue, Plan


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
    """Empty when the relaid image is what the case wants, else what differs."""
    data, want, fill = item["data"], item["expect"], item.get("fill", "(no element)")
    cells, to = Cells(source), Cells(target)
    if not isinstance(want, list):
        want = [fill] * to.count
    if len(data) != cells.count:
        raise OutOfRangeError(f"data has {len(data)} entries, the source has {cells.count} positions")
    if len(want) != to.count:
        return f"got {to.count} positions want {len(want)}"
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
            return f"got {got} want {expected} (padding left alone)"
        if padding != PaddingValue.INVALID:
            for position in range(to.count):
                if index_map.multidimensional_index(position) is None:
                    expected[position] = filled & ((1 << to.value) - 1)
            got = to.values(relaid(source, image, target, preset, FillPolicy.PADDING))
            if got != expected:
                return f"got {got} want {expected} (padding filled)"
    return ""


def packed(source, target, data):
    """The image of `target` that holds `data`, numbers in row-major order, with zeros for padding, in hex."""
    cells = Cells(source)
    if len(data) != cells.count:
        raise OutOfRangeError(f"data has {len(data)} entries, the array has {cells.count}")
    return relaid(source, cells.image(data), target, bytes(Cells(target).bytes), FillPolicy.PADDING).hex()


def moved(source, data, target):
    """The memory of `target`, in hex, made from that of `source`."""
    return relaid(source, bytes.fromhex(data), target, bytes(Cells(target).bytes), FillPolicy.PADDING).hex()
