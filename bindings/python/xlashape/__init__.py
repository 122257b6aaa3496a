# SPDX-License-Identifier: Apache-2.0
"""XLA's shapes and layouts without XLA.

    >>> from xlashape import Shape, IndexMap, relayout
    >>> tiled = Shape("u8[3,4]{0,1:T(2,2)}")
    >>> tiled.dimensions, tiled.layout.tiles, tiled.padded_nbytes
    ((3, 4), ((2, 2),), 16)
    >>> IndexMap(tiled).linear_index((2, 3))
    14
    >>> relayout(b"abcdefghijkl", tiled, of="u8[3,4]").tobytes()
    b'aebfi\\x00j\\x00cgdhk\\x00l\\x00'
    >>> Shape.read("memref<2x3xf32, strided<[1, 2]>>"), Shape("f32[4,32,8,8]").with_words("nChw16c").destination
    (Shape('f32[2,3]{0,1}'), Shape('f32[4,32,8,8]{3,2,1,0:T(16,1,1)}'))

Shapes and layouts are immutable values; index maps, plans and runtimes can be closed, and need not be. Everything may
be used from any thread. What goes wrong is an XlashapeError.
"""

from . import _raw, npy
from .array import Array, relayout
from .box import Box
from .element_type import ElementType, FloatFormat
from .enums import (
    BackendState,
    Bitcast,
    BitcastKind,
    Category,
    FillPolicy,
    Ignore,
    LayoutField,
    LayoutSpace,
    MemorySpace,
    Notation,
    PaddingValue,
    QueueKind,
)
from .errors import (
    BusyError,
    CancelledError,
    ClosedError,
    DeviceError,
    IncompatibleError,
    InternalError,
    InvalidArgumentError,
    NoMemoryError,
    NotFoundError,
    OutOfRangeError,
    ParseError,
    SizeOverflowError,
    UnsupportedError,
    XlashapeError,
)
from .index_map import IndexMap, IndexPlan
from .layout import COMBINE_DIMENSION, MATCH_DIMENSION, Layout, Split
from .plan import UNCHECKED, Plan, Requirements, execute_list
from .program_shape import ProgramShape
from .runtime import (
    Backend,
    Runtime,
    backends,
    calibrate,
    device_text,
    forget_wisdom,
    import_wisdom,
    profile_path,
    report,
    wisdom,
)
from .scan import scan
from .shape import UNBOUNDED, Arranged, BitcastSteps, Shape, Sizes, normalized_transpose, unmodified_dimensions
from .slabs import Slab, Slabs, slabs
from .target import Target, targets
from .window import Window

# Of the library in use.
__version__: str = _raw.version().decode()
build_info: str = _raw.build_info().decode()  # what it was built with, for reports of problems
xla_version: int = _raw.xla_version()  # the XLA whose rules the library matches, as a date: yyyymmdd

__all__ = [
    "Arranged",
    "Array",
    "Backend",
    "BackendState",
    "Bitcast",
    "BitcastKind",
    "BitcastSteps",
    "Box",
    "BusyError",
    "COMBINE_DIMENSION",
    "CancelledError",
    "Category",
    "ClosedError",
    "DeviceError",
    "ElementType",
    "FillPolicy",
    "FloatFormat",
    "Ignore",
    "IncompatibleError",
    "IndexMap",
    "IndexPlan",
    "InternalError",
    "InvalidArgumentError",
    "Layout",
    "LayoutField",
    "LayoutSpace",
    "MATCH_DIMENSION",
    "MemorySpace",
    "NoMemoryError",
    "NotFoundError",
    "Notation",
    "OutOfRangeError",
    "PaddingValue",
    "ParseError",
    "Plan",
    "ProgramShape",
    "QueueKind",
    "Requirements",
    "Runtime",
    "Shape",
    "SizeOverflowError",
    "Sizes",
    "Slab",
    "Slabs",
    "Split",
    "Target",
    "UNBOUNDED",
    "UNCHECKED",
    "UnsupportedError",
    "Window",
    "XlashapeError",
    "backends",
    "build_info",
    "calibrate",
    "device_text",
    "execute_list",
    "forget_wisdom",
    "import_wisdom",
    "normalized_transpose",
    "npy",
    "profile_path",
    "relayout",
    "report",
    "scan",
    "slabs",
    "targets",
    "unmodified_dimensions",
    "wisdom",
    "xla_version",
]
