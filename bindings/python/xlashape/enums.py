"""The interface's numbers, by name."""

from __future__ import annotations

import enum

from . import _raw as raw


class PaddingValue(enum.IntEnum):
    """What fills the positions of a layout that hold no element."""

    INVALID_PAD = raw.INVALID_PAD  # none set: zeros
    ZERO_PAD = raw.ZERO_PAD
    ONE_PAD = raw.ONE_PAD
    LOWEST_PAD = raw.LOWEST_PAD
    HIGHEST_PAD = raw.HIGHEST_PAD
    UNKNOWN_PAD = raw.UNKNOWN_PAD  # anything


class FillPolicy(enum.IntEnum):
    """What happens to destination positions that hold no element."""

    FILL = raw.FILL  # they get the layout's padding value
    PRESERVE = raw.FILL_PRESERVE  # they keep what they had
    UNSPECIFIED = raw.FILL_UNSPECIFIED  # anything: fastest


class MemorySpace(enum.IntEnum):
    """Where memory is: DLPack's device types. DEFAULT is the CPU."""

    DEFAULT = 0
    CPU = raw.SPACE_CPU
    CUDA = raw.SPACE_CUDA
    CUDA_HOST = raw.SPACE_CUDA_HOST
    OPENCL = raw.SPACE_OPENCL
    CUDA_MANAGED = raw.SPACE_CUDA_MANAGED


class QueueKind(enum.IntEnum):
    """What a device's queue is: the number that goes with it is a CUstream or a cl_command_queue."""

    NONE = raw.QUEUE_NONE
    CUDA = raw.QUEUE_CUDA
    OPENCL = raw.QUEUE_OPENCL


class Category(enum.IntEnum):
    """Kinds of shapes. A buffer answers as its array does to everything asked of an array."""

    ARRAY = raw.CATEGORY_ARRAY
    TUPLE = raw.CATEGORY_TUPLE
    TOKEN = raw.CATEGORY_TOKEN
    OPAQUE = raw.CATEGORY_OPAQUE
    BUFFER = raw.CATEGORY_BUFFER


class BackendState(enum.IntEnum):
    """How far a backend has come."""

    ABSENT = raw.BACKEND_ABSENT  # seen, not needed yet, not loaded
    LOADING = raw.BACKEND_LOADING
    READY = raw.BACKEND_READY
    FAILED = raw.BACKEND_FAILED


class Ignore(enum.IntFlag):
    """What an equality leaves out, or (COMPARE_METADATA_PREFIX) also looks at; what a compatibility leaves out."""

    NOTHING = 0
    LAYOUT = raw.IGNORE_LAYOUT
    TILES = raw.IGNORE_TILES
    ELEMENT_SIZE = raw.IGNORE_ELEMENT_SIZE
    MEMORY_SPACE = raw.IGNORE_MEMORY_SPACE
    TAIL_PADDING_ALIGNMENT = raw.IGNORE_TAIL_PADDING_ALIGNMENT
    SPLIT_CONFIGS = raw.IGNORE_SPLIT_CONFIGS
    PADDING = raw.IGNORE_PADDING
    MINOR_TO_MAJOR_ONLY = raw.MINOR_TO_MAJOR_ONLY
    ELEMENT_TYPE = raw.IGNORE_ELEMENT_TYPE
    FP_PRECISION = raw.IGNORE_FP_PRECISION
    DYNAMIC_DIMENSION = raw.IGNORE_DYNAMIC_DIMENSION
    DIMENSIONS = raw.IGNORE_DIMENSIONS
    BUFFER = raw.IGNORE_BUFFER
    COMPARE_METADATA_PREFIX = raw.COMPARE_METADATA_PREFIX


class LayoutSpace(enum.IntEnum):
    """Memory spaces of a layout, S(n), that XLA has names for. Where memory is that a plan works in: MemorySpace."""

    DEFAULT = raw.LAYOUT_SPACE_DEFAULT
    GENERIC_FAST = raw.LAYOUT_SPACE_GENERIC_FAST
    HOST = raw.LAYOUT_SPACE_HOST
    UNPINNED_HOST = raw.LAYOUT_SPACE_UNPINNED_HOST


class BitcastKind(enum.IntEnum):
    """What of a bitcast's parts changes something."""

    RESHAPE = raw.BITCAST_RESHAPE
    TRANSPOSE = raw.BITCAST_TRANSPOSE
    TRT = raw.BITCAST_TRT


class Bitcast(enum.IntFlag):
    """How the questions about bitcasts are meant."""

    EXACT = 0
    XLA = raw.BITCAST_XLA  # XLA's narrower question: minor_to_major and dimensions are all that counts
    IGNORE_ELEMENT_TYPE = raw.BITCAST_IGNORE_ELEMENT_TYPE


class Part(enum.IntFlag):
    """Parts of a layout that can be asked for and taken away."""

    LAYOUT = raw.IGNORE_LAYOUT
    TILES = raw.IGNORE_TILES
    ELEMENT_SIZE = raw.IGNORE_ELEMENT_SIZE
    MEMORY_SPACE = raw.IGNORE_MEMORY_SPACE
    TAIL_PADDING_ALIGNMENT = raw.IGNORE_TAIL_PADDING_ALIGNMENT
    SPLIT_CONFIGS = raw.IGNORE_SPLIT_CONFIGS
    PADDING = raw.IGNORE_PADDING
    METADATA_PREFIX = raw.PART_METADATA_PREFIX
    OF_DEVICE = raw.PARTS_OF_DEVICE  # everything but LAYOUT
