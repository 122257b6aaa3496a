# SPDX-License-Identifier: Apache-2.0
"""The interface's numbers, by name."""

from __future__ import annotations

import enum

from . import _raw as raw


class PaddingValue(enum.IntEnum):
    """What fills the positions of a layout that hold no element."""

    # members: PAD_(\w+) as {NAME} = raw.{SHORT}
    INVALID = raw.PAD_INVALID  # none set: zeros
    ZERO = raw.PAD_ZERO
    ONE = raw.PAD_ONE
    LOWEST = raw.PAD_LOWEST
    HIGHEST = raw.PAD_HIGHEST
    UNKNOWN = raw.PAD_UNKNOWN  # anything
    # end of members


class FillPolicy(enum.IntEnum):
    """What happens to destination positions that hold no element."""

    # members: FILL_(\w+) as {NAME} = raw.{SHORT}
    PADDING = raw.FILL_PADDING  # they get the layout's padding value
    PRESERVE = raw.FILL_PRESERVE  # they keep what they had
    UNSPECIFIED = raw.FILL_UNSPECIFIED  # anything: fastest
    # end of members


class MemorySpace(enum.IntEnum):
    """Where memory is: DLPack's device types. DEFAULT is the CPU. Numbers from 32 to 63 are for spaces of one's own."""

    DEFAULT = 0
    # members: SPACE_(\w+) as {NAME} = raw.{SHORT}
    CPU = raw.SPACE_CPU
    CUDA = raw.SPACE_CUDA
    CUDA_HOST = raw.SPACE_CUDA_HOST
    OPENCL = raw.SPACE_OPENCL
    CUDA_MANAGED = raw.SPACE_CUDA_MANAGED
    # end of members


class QueueKind(enum.IntEnum):
    """What a device's queue is: the number that goes with it is a CUstream or a cl_command_queue."""

    # members: QUEUE_(\w+) as {NAME} = raw.{SHORT}
    NONE = raw.QUEUE_NONE
    CUDA = raw.QUEUE_CUDA
    OPENCL = raw.QUEUE_OPENCL
    # end of members


class Category(enum.IntEnum):
    """Kinds of shapes. A buffer answers as its array does to everything asked of an array."""

    # members: CATEGORY_(\w+) as {NAME} = raw.{SHORT}
    ARRAY = raw.CATEGORY_ARRAY
    TUPLE = raw.CATEGORY_TUPLE
    TOKEN = raw.CATEGORY_TOKEN
    OPAQUE = raw.CATEGORY_OPAQUE
    BUFFER = raw.CATEGORY_BUFFER
    # end of members


class BackendState(enum.IntEnum):
    """How far a backend has come."""

    # members: BACKEND_STATE_(\w+) as {NAME} = raw.{SHORT}
    NOT_LOADED = raw.BACKEND_STATE_NOT_LOADED  # found; nothing has needed it yet
    LOADING = raw.BACKEND_STATE_LOADING
    READY = raw.BACKEND_STATE_READY
    FAILED = raw.BACKEND_STATE_FAILED
    # end of members


class Ignore(enum.IntFlag):
    """What an equality or a compatibility leaves out. XLA: what XLA's own ==,
    and that of shapes and layouts here, do."""

    NOTHING = 0
    # members: EQUAL_(?!STRUCTURE)(?:IGNORE_)?(\w+) as {NAME} = raw.{SHORT}
    LAYOUT = raw.EQUAL_IGNORE_LAYOUT
    TILES = raw.EQUAL_IGNORE_TILES
    ELEMENT_SIZE = raw.EQUAL_IGNORE_ELEMENT_SIZE
    MEMORY_SPACE = raw.EQUAL_IGNORE_MEMORY_SPACE
    TAIL_PADDING_ALIGNMENT = raw.EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT
    SPLIT_CONFIGS = raw.EQUAL_IGNORE_SPLIT_CONFIGS
    PADDING = raw.EQUAL_IGNORE_PADDING
    MINOR_TO_MAJOR_ONLY = raw.EQUAL_MINOR_TO_MAJOR_ONLY
    ELEMENT_TYPE = raw.EQUAL_IGNORE_ELEMENT_TYPE
    FP_PRECISION = raw.EQUAL_IGNORE_FP_PRECISION
    DYNAMIC_DIMENSION = raw.EQUAL_IGNORE_DYNAMIC_DIMENSION
    DIMENSIONS = raw.EQUAL_IGNORE_DIMENSIONS
    BUFFER = raw.EQUAL_IGNORE_BUFFER
    METADATA_PREFIX = raw.EQUAL_IGNORE_METADATA_PREFIX
    XLA = raw.EQUAL_XLA
    # end of members


class LayoutSpace(enum.IntEnum):
    """Memory spaces of a layout, S(n), that XLA has names for. Where memory is that a plan works in: MemorySpace."""

    # members: LAYOUT_SPACE_(\w+) as {NAME} = raw.{SHORT}
    DEFAULT = raw.LAYOUT_SPACE_DEFAULT
    GENERIC_FAST = raw.LAYOUT_SPACE_GENERIC_FAST
    HOST = raw.LAYOUT_SPACE_HOST
    UNPINNED_HOST = raw.LAYOUT_SPACE_UNPINNED_HOST
    COLLECTIVE = raw.LAYOUT_SPACE_COLLECTIVE
    # end of members


class BitcastKind(enum.IntEnum):
    """Which of a bitcast's steps change something."""

    # members: BITCAST_KIND_(\w+) as {NAME} = raw.{SHORT}
    RESHAPE = raw.BITCAST_KIND_RESHAPE
    TRANSPOSE = raw.BITCAST_KIND_TRANSPOSE
    TRT = raw.BITCAST_KIND_TRT
    # end of members


class Bitcast(enum.IntFlag):
    """How the questions about bitcasts are meant."""

    EXACT = 0
    # members: BITCAST_(?!KIND)(\w+) as {NAME} = raw.{SHORT}
    XLA = raw.BITCAST_XLA  # XLA's narrower question: minor_to_major and dimensions are all that counts
    IGNORE_ELEMENT_TYPE = raw.BITCAST_IGNORE_ELEMENT_TYPE
    # end of members


class LayoutField(enum.IntFlag):
    """Fields of a layout that can be asked for and taken away; ALL: the whole layout."""

    # members: LAYOUT_FIELD_(\w+) as {NAME} = raw.{SHORT}
    ALL = raw.LAYOUT_FIELD_ALL
    TILES = raw.LAYOUT_FIELD_TILES
    ELEMENT_SIZE = raw.LAYOUT_FIELD_ELEMENT_SIZE
    MEMORY_SPACE = raw.LAYOUT_FIELD_MEMORY_SPACE
    TAIL_PADDING_ALIGNMENT = raw.LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT
    SPLIT_CONFIGS = raw.LAYOUT_FIELD_SPLIT_CONFIGS
    PADDING = raw.LAYOUT_FIELD_PADDING
    METADATA_PREFIX = raw.LAYOUT_FIELD_METADATA_PREFIX
    OF_DEVICE = raw.LAYOUT_FIELD_OF_DEVICE  # whatever a host's layout does not have
    # end of members


class Notation(enum.IntEnum):
    """How other projects write a shape: Shape.to_notation. ONEDNN, PACK and JAX are of its layout alone."""

    # members: NOTATION_(\w+) as {NAME} = raw.{SHORT}
    MLIR = raw.NOTATION_MLIR  # tensor<2x3xf32>
    MEMREF = raw.NOTATION_MEMREF  # memref<2x3xf32, strided<[1, 2]>>
    CUTE = raw.NOTATION_CUTE  # (2,3):(3,1)
    NUMPY = raw.NOTATION_NUMPY  # {'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}
    ONEDNN = raw.NOTATION_ONEDNN  # aBcd16b
    PACK = raw.NOTATION_PACK  # outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]
    JAX = raw.NOTATION_JAX  # Layout(major_to_minor=(0, 1), tiling=None, sub_byte_element_size_in_bits=0)
    # end of members
