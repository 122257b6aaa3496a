# SPDX-License-Identifier: Apache-2.0
"""What the package uses of xlashape's C API, declared for ctypes. Written by generate.py from the ABI file:
do not edit.

Names are C's without `xlashape_` and `XLASHAPE_`. Handles, arrays, memory and text are c_void_p, so that addresses,
bytes, ctypes arrays and byref() all go; structs and single answers are typed pointers. Calls release the GIL. What the
parameters mean stands in the C headers.
"""

# fmt: off
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_int32, c_int64, c_uint32, c_uint64,
                    c_void_p)
from typing import Any, Callable

from ._library import load

ABI_VERSION = 1
STATUS_INVALID_ARGUMENT = 1
STATUS_OUT_OF_RANGE = 2
STATUS_OVERFLOW = 3
STATUS_PARSE = 4
STATUS_UNSUPPORTED = 5
STATUS_NOT_FOUND = 6
STATUS_INCOMPATIBLE = 7
STATUS_NO_MEMORY = 8
STATUS_DEVICE = 9
STATUS_BUSY = 10
STATUS_CANCELLED = 11
STATUS_INTERNAL = 12
SHAPE_KEEP_MISSING_LAYOUT = 1
PRINT_WITHOUT_LAYOUT = 1
PRINT_STRICT = 2
SIZE_XLA = 1
UNCHECKED = -1
TYPE_PRED = 1
TYPE_S8 = 2
TYPE_S16 = 3
TYPE_S32 = 4
TYPE_S64 = 5
TYPE_U8 = 6
TYPE_U16 = 7
TYPE_U32 = 8
TYPE_U64 = 9
TYPE_F16 = 10
TYPE_F32 = 11
TYPE_F64 = 12
TYPE_TUPLE = 13
TYPE_OPAQUE = 14
TYPE_C64 = 15
TYPE_BF16 = 16
TYPE_TOKEN = 17
TYPE_C128 = 18
TYPE_F8E5M2 = 19
TYPE_F8E4M3FN = 20
TYPE_S4 = 21
TYPE_U4 = 22
TYPE_F8E4M3B11FNUZ = 23
TYPE_F8E5M2FNUZ = 24
TYPE_F8E4M3FNUZ = 25
TYPE_S2 = 26
TYPE_U2 = 27
TYPE_F8E4M3 = 28
TYPE_F8E3M4 = 29
TYPE_S1 = 30
TYPE_U1 = 31
TYPE_F4E2M1FN = 32
TYPE_F8E8M0FNU = 33
TYPE_BUFFER = 34
TYPE_F6E3M2FN = 35
TYPE_F6E2M3FN = 36
CLASS_ARRAY = 1
CLASS_FLOAT = 2
CLASS_INTEGRAL = 4
CLASS_SIGNED = 8
CLASS_UNSIGNED = 16
CLASS_COMPLEX = 32
CLASS_SUB_BYTE = 64
COMBINE_DIMENSION = -9223372036854775808
MATCH_DIMENSION = -9223372036854775807
LAYOUT_SPACE_DEFAULT = 0
LAYOUT_SPACE_GENERIC_FAST = 1
LAYOUT_SPACE_HOST = 5
LAYOUT_SPACE_UNPINNED_HOST = 6
LAYOUT_SPACE_COLLECTIVE = 7
PAD_INVALID = 0
PAD_ZERO = 1
PAD_ONE = 2
PAD_LOWEST = 3
PAD_HIGHEST = 4
PAD_UNKNOWN = 5
EQUAL_IGNORE_LAYOUT = 1
EQUAL_IGNORE_TILES = 2
EQUAL_IGNORE_ELEMENT_SIZE = 4
EQUAL_IGNORE_MEMORY_SPACE = 8
EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT = 16
EQUAL_IGNORE_SPLIT_CONFIGS = 32
EQUAL_IGNORE_PADDING = 64
EQUAL_MINOR_TO_MAJOR_ONLY = 128
EQUAL_IGNORE_ELEMENT_TYPE = 256
EQUAL_IGNORE_FP_PRECISION = 512
EQUAL_IGNORE_DYNAMIC_DIMENSION = 1024
EQUAL_IGNORE_DIMENSIONS = 2048
EQUAL_IGNORE_BUFFER = 4096
EQUAL_IGNORE_METADATA_PREFIX = 8192
EQUAL_XLA = 8192
DIMENSION_UNBOUNDED = -9223372036854775808
MAX_DEPTH = 8192
CATEGORY_ARRAY = 1
CATEGORY_TUPLE = 2
CATEGORY_TOKEN = 3
CATEGORY_OPAQUE = 4
CATEGORY_BUFFER = 5
UNIT_ELEMENTS = 0
UNIT_BYTES = 1
UNIT_BITS = 2
SPACE_CPU = 1
SPACE_CUDA = 2
SPACE_CUDA_HOST = 3
SPACE_OPENCL = 4
SPACE_CUDA_MANAGED = 13
FILL_PADDING = 0
FILL_PRESERVE = 1
FILL_UNSPECIFIED = 2
PLAN_ALLOW_FALLBACK = 1
PLAN_KEEP_IN_CACHE = 2
PLAN_IN_PLACE = 4
PLAN_CONVERT = 8
PLAN_SATURATE = 16
PLAN_SRC_HIGH_FIRST = 32
PLAN_DST_HIGH_FIRST = 64
CONVERSION_TO_LINEAR = 1
CONVERSION_TO_MULTIDIMENSIONAL = 2
INDEX_MARK_INVALID = 256
RUNTIME_NO_ENVIRONMENT = 1
RUNTIME_NO_LIBRARY_DIR = 2
RUNTIME_NO_INSTALL_DIR = 4
RUNTIME_LOAD_NOW = 8
THREADS_ALL = -1
BACKEND_STATE_NOT_LOADED = 0
BACKEND_STATE_LOADING = 1
BACKEND_STATE_READY = 2
BACKEND_STATE_FAILED = 3
BACKEND_TEXT_NAME = 1
BACKEND_TEXT_PATH = 2
BACKEND_TEXT_DETAIL = 3
QUEUE_NONE = 0
QUEUE_CUDA = 1
QUEUE_OPENCL = 2
PROFILE_BYTES = 65536
LAYOUT_FIELD_ALL = 1
LAYOUT_FIELD_TILES = 2
LAYOUT_FIELD_ELEMENT_SIZE = 4
LAYOUT_FIELD_MEMORY_SPACE = 8
LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT = 16
LAYOUT_FIELD_SPLIT_CONFIGS = 32
LAYOUT_FIELD_PADDING = 64
LAYOUT_FIELD_METADATA_PREFIX = 128
LAYOUT_FIELD_OF_DEVICE = 2147483648
PERMUTE_KEEP_LAYOUT = 1
INSERT_MOST_MAJOR = 1
VISIT_LEAVES = 1
VISIT_MISSING_LAYOUTS = 4
BITCAST_XLA = 1
BITCAST_IGNORE_ELEMENT_TYPE = 2
BITCAST_KIND_RESHAPE = 1
BITCAST_KIND_TRANSPOSE = 2
BITCAST_KIND_TRT = 3
STRIDES_COMPACT = 2
DLPACK_SUB_BYTE_PADDED = 256
NOTATION_MLIR = 1
NOTATION_MEMREF = 2
NOTATION_CUTE = 3
NOTATION_NUMPY = 4
NOTATION_ONEDNN = 5
NOTATION_PACK = 6
NOTATION_JAX = 7
TARGET_KEEP_ORDER = 1

library = load(ABI_VERSION)

release_fn = CFUNCTYPE(None, c_void_p)
task_fn = CFUNCTYPE(None, c_void_p, c_int64, c_uint32)
backend_open_fn = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_void_p)
progress_fn = CFUNCTYPE(None, c_void_p, c_int64, c_int64)


class error(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("code", c_int32), ("index", c_int64), ("offset", c_int64), ("source", c_uint32),
        ("message_len", c_uint32), ("message", c_char * 480),
    ]


class float_format(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("significand_width", c_int32), ("exponent_width", c_int32),
        ("exponent_bias", c_int32), ("underflow_exponent", c_int32), ("overflow_exponent", c_int32),
        ("has_infinity", c_int32), ("has_nan", c_int32), ("has_negative_zero", c_int32), ("has_positive_zero", c_int32),
    ]


class layout_spec(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("padding_value", c_int32), ("rank", c_int64), ("minor_to_major", POINTER(c_int64)),
        ("padded_dimensions", POINTER(c_int64)), ("tile_count", c_int64), ("tile_ranks", POINTER(c_int64)),
        ("tile_dimensions", POINTER(c_int64)), ("element_size_in_bits", c_int64),
        ("tail_padding_alignment_in_elements", c_int64), ("memory_space", c_int64), ("split_count", c_int64),
        ("split_dimensions", POINTER(c_int64)), ("split_sizes", POINTER(c_int64)), ("split_indices", POINTER(c_int64)),
        ("dynamic_shape_metadata_prefix_bytes", c_int64),
    ]


class sizes(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("element_bits", c_int32), ("elements", c_int64), ("storage_elements", c_int64),
        ("logical_bytes", c_int64), ("bytes", c_int64), ("xla_bytes", c_int64), ("data_bytes", c_int64),
        ("dimension_padding", c_int64), ("tail_padding", c_int64),
    ]


class relayout_options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("fill_policy", c_int32), ("src_space", c_int32),
        ("dst_space", c_int32), ("device", c_int32), ("backend", c_char_p), ("src_byte_strides", POINTER(c_int64)),
        ("dst_byte_strides", POINTER(c_int64)), ("src_base", POINTER(c_int64)), ("dst_base", POINTER(c_int64)),
        ("extent", POINTER(c_int64)), ("scale_count", c_int64), ("scale", c_void_p), ("zero_point", c_void_p),
        ("scale_dimension", c_int64), ("src_element_strides", POINTER(c_int64)),
        ("dst_element_strides", POINTER(c_int64)), ("src_first_element", c_int64), ("dst_first_element", c_int64),
    ]


class plan_requirements(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("reserved", c_int32), ("src_low", c_int64), ("src_high", c_int64),
        ("dst_low", c_int64), ("dst_high", c_int64), ("src_alignment", c_int64), ("dst_alignment", c_int64),
        ("src_preferred_alignment", c_int64), ("dst_preferred_alignment", c_int64), ("scratch_bytes", c_int64),
        ("scratch_alignment", c_int64), ("stack_bytes", c_int64), ("plan_bytes", c_int64),
    ]


class index_options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("src_space", c_int32), ("dst_space", c_int32),
        ("device", c_int32), ("reserved", c_int32), ("backend", c_char_p), ("index_step", c_int64),
        ("dimension_step", c_int64),
    ]


class executor(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("max_workers", c_uint32), ("opaque", c_void_p),
        ("parallel_for", CFUNCTYPE(c_int32, c_void_p, c_int64, c_void_p, task_fn)), ("release", release_fn),
    ]


class logger(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("reserved", c_uint32), ("opaque", c_void_p),
        ("log", CFUNCTYPE(None, c_void_p, c_int32, c_uint32, c_void_p, c_int64)), ("release", release_fn),
    ]


class runtime_options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("backend_dirs", c_char_p), ("executor", POINTER(executor)),
        ("allocator", c_void_p), ("logger", POINTER(logger)), ("threads", c_int32), ("reserved", c_int32),
        ("verify_count", c_int64), ("backend", c_char_p), ("denied_backends", c_char_p), ("cpu", c_char_p),
        ("backend_options", c_char_p), ("profile", c_char_p),
    ]


class backend_info(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("state", c_int32), ("abi_version", c_uint32), ("priority", c_int32),
        ("device_count", c_int32), ("reserved", c_int32), ("memory_spaces", c_uint64),
    ]


class queue(Structure):
    _fields_ = [
        ("kind", c_int32), ("reserved", c_int32), ("handle", c_uint64),
    ]


class execute_options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("queue", queue), ("src", c_uint64), ("dst", c_uint64),
        ("src_byte_offset", c_int64), ("dst_byte_offset", c_int64), ("src_bytes", c_int64), ("dst_bytes", c_int64),
        ("task_begin", c_int64), ("task_end", c_int64), ("task_count", c_int64), ("executor", POINTER(executor)),
        ("scratch", c_uint64), ("scratch_bytes", c_int64), ("cancel", POINTER(c_int32)), ("progress", progress_fn),
        ("progress_opaque", c_void_p),
    ]


class window(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("reserved", c_uint32), ("shape", c_void_p), ("byte_offset", c_int64),
        ("bytes", c_int64), ("run_bytes", c_int64), ("run_count", c_int64),
    ]


class slabs(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("reserved", c_uint32), ("count", c_int64), ("src_bytes", c_int64),
        ("dst_bytes", c_int64), ("src_runs", c_int64), ("dst_runs", c_int64),
    ]


class calibrate_options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("budget_ns", c_int64), ("progress", progress_fn),
        ("progress_opaque", c_void_p), ("cancel", POINTER(c_int32)),
    ]


class measure_options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("budget_ns", c_int64), ("src", c_uint64), ("dst", c_uint64),
    ]


class bitcast_steps(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("kind", c_int32), ("transpose1", POINTER(c_int64)),
        ("transpose1_capacity", c_int64), ("transpose2", POINTER(c_int64)), ("transpose2_capacity", c_int64),
        ("reshape_from", c_void_p), ("reshape_to", c_void_p),
    ]


class target_info(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("lanes", c_int32), ("sublanes", c_int32), ("pointer_bytes", c_int32),
        ("tuple_alignment", c_int32), ("reserved", c_int32),
    ]


def _declare(name: str, returns: Any, *parameters: Any) -> Callable[..., Any]:
    function = getattr(library, "xlashape_" + name)
    function.restype = returns
    function.argtypes = parameters
    return function  # type: ignore[no-any-return]


version = _declare("version", c_char_p)
abi_version = _declare("abi_version", c_uint32)
xla_version = _declare("xla_version", c_uint32)
build_info = _declare("build_info", c_char_p)
status_name = _declare("status_name", c_char_p, c_int32)
shape_parse = _declare("shape_parse", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error))
shape_print = _declare("shape_print", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error))
shape_release = _declare("shape_release", None, c_void_p)
shape_byte_size = _declare("shape_byte_size", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_int64), POINTER(error))
index_map_create = _declare("index_map_create", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
index_map_linear_index = _declare(
    "index_map_linear_index", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
index_map_release = _declare("index_map_release", None, c_void_p)
relayout = _declare(
    "relayout", c_int32, c_void_p, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_int64, POINTER(relayout_options),
    POINTER(error)
)
element_type_name = _declare("element_type_name", c_char_p, c_int32)
element_type_bits = _declare("element_type_bits", c_int32, c_int32)
element_type_storage_bits = _declare("element_type_storage_bits", c_int32, c_int32)
element_type_classes = _declare("element_type_classes", c_uint32, c_int32)
element_type_float_format = _declare(
    "element_type_float_format", c_int32, c_int32, POINTER(float_format), POINTER(error)
)
element_type_cast_preserves_values = _declare("element_type_cast_preserves_values", c_int32, c_int32, c_int32)
padding_element = _declare(
    "padding_element", c_int32, c_int32, c_int32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_create = _declare("layout_create", c_int32, POINTER(layout_spec), POINTER(c_void_p), POINTER(error))
layout_create_row_major = _declare("layout_create_row_major", c_int32, c_int64, POINTER(c_void_p), POINTER(error))
layout_create_column_major = _declare("layout_create_column_major", c_int32, c_int64, POINTER(c_void_p), POINTER(error))
layout_release = _declare("layout_release", None, c_void_p)
layout_rank = _declare("layout_rank", c_int64, c_void_p)
layout_minor_to_major = _declare(
    "layout_minor_to_major", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_logical_to_physical = _declare(
    "layout_logical_to_physical", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_padded_dimensions = _declare(
    "layout_padded_dimensions", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_padding_value = _declare("layout_padding_value", c_int32, c_void_p)
layout_element_size_in_bits = _declare("layout_element_size_in_bits", c_int64, c_void_p)
layout_tail_padding_alignment_in_elements = _declare("layout_tail_padding_alignment_in_elements", c_int64, c_void_p)
layout_memory_space = _declare("layout_memory_space", c_int64, c_void_p)
layout_dynamic_shape_metadata_prefix_bytes = _declare("layout_dynamic_shape_metadata_prefix_bytes", c_int64, c_void_p)
layout_get_spec = _declare("layout_get_spec", c_int32, c_void_p, POINTER(layout_spec), POINTER(error))
layout_equal = _declare("layout_equal", c_int32, c_void_p, c_void_p, c_uint32)
layout_hash = _declare("layout_hash", c_uint64, c_void_p, c_uint32)
shape_create_array = _declare(
    "shape_create_array", c_int32, c_int32, c_void_p, c_void_p, c_int64, c_void_p, c_uint32, POINTER(c_void_p),
    POINTER(error)
)
shape_create_tuple = _declare("shape_create_tuple", c_int32, c_void_p, c_int64, POINTER(c_void_p), POINTER(error))
shape_create_token = _declare("shape_create_token", c_int32, POINTER(c_void_p), POINTER(error))
shape_create_opaque = _declare("shape_create_opaque", c_int32, POINTER(c_void_p), POINTER(error))
shape_create_buffer = _declare("shape_create_buffer", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
shape_with_layout = _declare("shape_with_layout", c_int32, c_void_p, c_void_p, POINTER(c_void_p), POINTER(error))
shape_category = _declare("shape_category", c_int32, c_void_p)
shape_element_type = _declare("shape_element_type", c_int32, c_void_p)
shape_rank = _declare("shape_rank", c_int64, c_void_p)
shape_dimensions = _declare("shape_dimensions", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error))
shape_dynamic_dimensions = _declare(
    "shape_dynamic_dimensions", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
shape_is_dynamic = _declare("shape_is_dynamic", c_int32, c_void_p)
shape_is_unbounded = _declare("shape_is_unbounded", c_int32, c_void_p)
shape_has_layout = _declare("shape_has_layout", c_int32, c_void_p)
shape_layout = _declare("shape_layout", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
shape_tuple_element_count = _declare("shape_tuple_element_count", c_int64, c_void_p)
shape_tuple_element = _declare("shape_tuple_element", c_int32, c_void_p, c_int64, POINTER(c_void_p), POINTER(error))
shape_subshape = _declare("shape_subshape", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_void_p), POINTER(error))
shape_leaf_count = _declare("shape_leaf_count", c_int64, c_void_p)
shape_equal = _declare("shape_equal", c_int32, c_void_p, c_void_p, c_uint32)
shape_compatible = _declare("shape_compatible", c_int32, c_void_p, c_void_p, c_uint32)
shape_hash = _declare("shape_hash", c_uint64, c_void_p, c_uint32)
layout_parse = _declare("layout_parse", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error))
layout_parse_head = _declare(
    "layout_parse_head", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(c_int64), POINTER(error)
)
layout_print = _declare(
    "layout_print", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_print_tile = _declare(
    "layout_print_tile", c_int32, c_void_p, c_int64, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_print_split = _declare(
    "layout_print_split", c_int32, c_void_p, c_int64, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
shape_parse_head = _declare(
    "shape_parse_head", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(c_int64), POINTER(error)
)
shape_to_proto = _declare(
    "shape_to_proto", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
shape_from_proto = _declare("shape_from_proto", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error))
layout_to_proto = _declare(
    "layout_to_proto", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
layout_from_proto = _declare(
    "layout_from_proto", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error)
)
shape_sizes = _declare("shape_sizes", c_int32, c_void_p, POINTER(sizes), POINTER(error))
shape_element_count = _declare("shape_element_count", c_int32, c_void_p, POINTER(c_int64), POINTER(error))
shape_strides = _declare(
    "shape_strides", c_int32, c_void_p, c_int32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
index_map_rank = _declare("index_map_rank", c_int64, c_void_p)
index_map_storage_elements = _declare("index_map_storage_elements", c_int64, c_void_p)
index_map_multidimensional_index = _declare(
    "index_map_multidimensional_index", c_int32, c_void_p, c_int64, c_void_p, c_int64, POINTER(c_int32), POINTER(error)
)
plan_create = _declare(
    "plan_create", c_int32, c_void_p, c_void_p, c_void_p, POINTER(relayout_options), POINTER(c_void_p), POINTER(error)
)
plan_release = _declare("plan_release", None, c_void_p)
plan_execute = _declare("plan_execute", c_int32, c_void_p, c_void_p, c_int64, c_void_p, c_int64, POINTER(error))
plan_get_requirements = _declare("plan_get_requirements", c_int32, c_void_p, POINTER(plan_requirements), POINTER(error))
plan_describe = _declare("plan_describe", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error))
plan_backend = _declare("plan_backend", c_char_p, c_void_p)
plan_key = _declare(
    "plan_key", c_int32, c_void_p, c_void_p, POINTER(relayout_options), c_void_p, c_int64, POINTER(c_int64),
    POINTER(error)
)
shape_piece_granularity = _declare(
    "shape_piece_granularity", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
index_plan_create = _declare(
    "index_plan_create", c_int32, c_void_p, c_void_p, c_int32, POINTER(index_options), POINTER(c_void_p), POINTER(error)
)
index_plan_release = _declare("index_plan_release", None, c_void_p)
index_plan_execute = _declare(
    "index_plan_execute", c_int32, c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_int64, POINTER(c_int64),
    POINTER(error)
)
index_plan_describe = _declare(
    "index_plan_describe", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
index_plan_backend = _declare("index_plan_backend", c_char_p, c_void_p)
runtime_create = _declare("runtime_create", c_int32, POINTER(runtime_options), POINTER(c_void_p), POINTER(error))
runtime_set_default = _declare("runtime_set_default", c_int32, c_void_p, POINTER(error))
runtime_release = _declare("runtime_release", None, c_void_p)
runtime_load_backend = _declare("runtime_load_backend", c_int32, c_void_p, c_void_p, c_int64, POINTER(error))
runtime_report = _declare("runtime_report", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error))
runtime_backend_count = _declare("runtime_backend_count", c_int64, c_void_p)
runtime_backend_info = _declare(
    "runtime_backend_info", c_int32, c_void_p, c_int64, POINTER(backend_info), POINTER(error)
)
runtime_backend_text = _declare(
    "runtime_backend_text", c_int32, c_void_p, c_int64, c_int32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
runtime_device_text = _declare(
    "runtime_device_text", c_int32, c_void_p, c_int64, c_int32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
plan_execute_with = _declare("plan_execute_with", c_int32, c_void_p, POINTER(execute_options), POINTER(error))
index_plan_execute_with = _declare(
    "index_plan_execute_with", c_int32, c_void_p, c_int64, POINTER(execute_options), POINTER(c_int64), POINTER(error)
)
plan_execute_list = _declare(
    "plan_execute_list", c_int32, c_int64, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, POINTER(execute_options),
    POINTER(error)
)
plan_task_count = _declare("plan_task_count", c_int64, c_void_p, c_int64)
shape_window = _declare("shape_window", c_int32, c_void_p, c_void_p, c_void_p, c_int64, POINTER(window), POINTER(error))
shape_window_runs = _declare(
    "shape_window_runs", c_int32, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_int64, c_void_p, POINTER(error)
)
shape_window_granularity = _declare(
    "shape_window_granularity", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
relayout_slabs = _declare(
    "relayout_slabs", c_int32, c_void_p, c_void_p, c_int64, c_void_p, c_int64, POINTER(c_int64), POINTER(slabs),
    POINTER(error)
)
runtime_calibrate = _declare(
    "runtime_calibrate", c_int32, c_void_p, POINTER(calibrate_options), c_void_p, c_int64, POINTER(c_int64),
    POINTER(error)
)
runtime_profile_path = _declare(
    "runtime_profile_path", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
runtime_export_wisdom = _declare(
    "runtime_export_wisdom", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
runtime_import_wisdom = _declare(
    "runtime_import_wisdom", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
runtime_forget_wisdom = _declare("runtime_forget_wisdom", None, c_void_p)
plan_predict = _declare("plan_predict", c_int32, c_void_p, POINTER(c_int64), POINTER(error))
plan_create_measured = _declare(
    "plan_create_measured", c_int32, c_void_p, c_void_p, c_void_p, POINTER(relayout_options), POINTER(measure_options),
    POINTER(c_void_p), POINTER(error)
)
element_type_complex_component = _declare("element_type_complex_component", c_int32, c_int32)
layout_move_dimension_to_major = _declare(
    "layout_move_dimension_to_major", c_int32, c_void_p, c_int64, POINTER(c_void_p), POINTER(error)
)
layout_move_dimension_to_minor = _declare(
    "layout_move_dimension_to_minor", c_int32, c_void_p, c_int64, POINTER(c_void_p), POINTER(error)
)
layout_delete_dimensions = _declare(
    "layout_delete_dimensions", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_void_p), POINTER(error)
)
shape_has_layout_fields = _declare("shape_has_layout_fields", c_int32, c_void_p, c_uint32)
shape_without_layout_fields = _declare(
    "shape_without_layout_fields", c_int32, c_void_p, c_uint32, POINTER(c_void_p), POINTER(error)
)
shape_with_default_layouts = _declare(
    "shape_with_default_layouts", c_int32, c_void_p, POINTER(c_void_p), POINTER(error)
)
shape_with_packed_elements = _declare(
    "shape_with_packed_elements", c_int32, c_void_p, POINTER(c_void_p), POINTER(error)
)
shape_with_element_type = _declare(
    "shape_with_element_type", c_int32, c_void_p, c_int32, POINTER(c_void_p), POINTER(error)
)
shape_permute_dimensions = _declare(
    "shape_permute_dimensions", c_int32, c_void_p, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error)
)
shape_to_physical_order = _declare("shape_to_physical_order", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
shape_insert_dimensions = _declare(
    "shape_insert_dimensions", c_int32, c_void_p, c_int64, c_void_p, c_int64, c_uint32, POINTER(c_void_p),
    POINTER(error)
)
shape_delete_dimensions = _declare(
    "shape_delete_dimensions", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_void_p), POINTER(error)
)
shape_drop_degenerate_dimensions = _declare(
    "shape_drop_degenerate_dimensions", c_int32, c_void_p, POINTER(c_void_p), POINTER(error)
)
shape_with_dimension = _declare(
    "shape_with_dimension", c_int32, c_void_p, c_int64, c_int64, c_int32, POINTER(c_void_p), POINTER(error)
)
shape_is_untiled = _declare("shape_is_untiled", c_int32, c_void_p)
shape_to_static = _declare("shape_to_static", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
shape_next_subshape = _declare(
    "shape_next_subshape", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(c_void_p),
    POINTER(error)
)
shape_flatten_tuple = _declare("shape_flatten_tuple", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
program_shape_create = _declare(
    "program_shape_create", c_int32, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, POINTER(c_void_p), POINTER(error)
)
program_shape_release = _declare("program_shape_release", None, c_void_p)
program_shape_parameter_count = _declare("program_shape_parameter_count", c_int64, c_void_p)
program_shape_parameter = _declare(
    "program_shape_parameter", c_int32, c_void_p, c_int64, POINTER(c_void_p), POINTER(error)
)
program_shape_parameter_name = _declare(
    "program_shape_parameter_name", c_int32, c_void_p, c_int64, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
program_shape_result = _declare("program_shape_result", c_int32, c_void_p, POINTER(c_void_p), POINTER(error))
program_shape_print = _declare(
    "program_shape_print", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
program_shape_has_all_layouts = _declare("program_shape_has_all_layouts", c_int32, c_void_p)
program_shape_with_default_layouts = _declare(
    "program_shape_with_default_layouts", c_int32, c_void_p, POINTER(c_void_p), POINTER(error)
)
program_shape_without_layout_fields = _declare(
    "program_shape_without_layout_fields", c_int32, c_void_p, c_uint32, POINTER(c_void_p), POINTER(error)
)
program_shape_equal = _declare("program_shape_equal", c_int32, c_void_p, c_void_p, c_uint32)
layout_is_dim0_major = _declare("layout_is_dim0_major", c_int32, c_void_p)
layout_is_dim0_minor = _declare("layout_is_dim0_minor", c_int32, c_void_p)
shape_true_rank = _declare("shape_true_rank", c_int64, c_void_p)
shape_is_effective_scalar = _declare("shape_is_effective_scalar", c_int32, c_void_p)
shape_max_split_size = _declare("shape_max_split_size", c_int32, c_void_p, c_int64, POINTER(c_int64), POINTER(error))
dimension_number = _declare("dimension_number", c_int32, c_int64, c_int64, POINTER(c_int64), POINTER(error))
shape_index_in_bounds = _declare("shape_index_in_bounds", c_int32, c_void_p, c_void_p, c_int64)
shape_next_index = _declare("shape_next_index", c_int32, c_void_p, c_void_p, c_int64)
box_next_index = _declare("box_next_index", c_int32, c_void_p, c_void_p, c_void_p, c_void_p, c_int64, c_void_p)
box_index_count = _declare("box_index_count", c_int32, c_void_p, c_void_p, c_int64, POINTER(c_int64), POINTER(error))
box_index_at = _declare(
    "box_index_at", c_int32, c_void_p, c_void_p, c_void_p, c_void_p, c_int64, c_int64, c_void_p, c_int64,
    POINTER(c_int64), POINTER(error)
)
shape_reshape_is_bitcast = _declare("shape_reshape_is_bitcast", c_int32, c_void_p, c_void_p, c_uint32)
shape_transpose_is_bitcast = _declare(
    "shape_transpose_is_bitcast", c_int32, c_void_p, c_void_p, c_void_p, c_int64, c_uint32
)
shape_deduce_transpose = _declare(
    "shape_deduce_transpose", c_int32, c_void_p, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
shape_decompose_bitcast = _declare(
    "shape_decompose_bitcast", c_int32, c_void_p, c_void_p, c_uint32, POINTER(bitcast_steps), POINTER(error)
)
shape_align_layouts = _declare(
    "shape_align_layouts", c_int32, c_void_p, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error)
)
dimensions_unmodified_by_reshape = _declare(
    "dimensions_unmodified_by_reshape", c_int32, c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_int64,
    POINTER(c_int64), POINTER(error)
)
shape_inserted_or_deleted_ones = _declare(
    "shape_inserted_or_deleted_ones", c_int32, c_void_p, c_void_p, c_void_p, c_int64, POINTER(c_int64), c_void_p,
    c_int64, POINTER(c_int64), POINTER(error)
)
normalized_transpose = _declare(
    "normalized_transpose", c_int32, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_int64, POINTER(c_int64),
    POINTER(error)
)
program_shape_to_proto = _declare(
    "program_shape_to_proto", c_int32, c_void_p, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
program_shape_from_proto = _declare(
    "program_shape_from_proto", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(error)
)
layout_from_byte_strides = _declare(
    "layout_from_byte_strides", c_int32, c_int32, c_void_p, c_void_p, c_int64, c_uint32, POINTER(c_void_p),
    POINTER(error)
)
shape_from_dlpack = _declare("shape_from_dlpack", c_int32, c_void_p, c_uint32, POINTER(c_void_p), POINTER(error))
shape_to_dlpack = _declare(
    "shape_to_dlpack", c_int32, c_void_p, c_uint32, c_void_p, c_int32, c_int32, c_int64, c_void_p, c_int64,
    POINTER(c_int64), POINTER(error)
)
element_type_read = _declare("element_type_read", c_int32, c_void_p, c_int64, POINTER(c_int32), POINTER(error))
shape_read = _declare(
    "shape_read", c_int32, c_void_p, c_int64, c_uint32, POINTER(c_int64), POINTER(c_void_p), POINTER(error)
)
shape_with_words = _declare(
    "shape_with_words", c_int32, c_void_p, c_void_p, c_int64, c_uint32, POINTER(c_void_p), POINTER(c_void_p),
    POINTER(error)
)
shape_print_as = _declare(
    "shape_print_as", c_int32, c_void_p, c_int32, c_uint32, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
target_count = _declare("target_count", c_int64)
target_name = _declare("target_name", c_char_p, c_int32)
target_from_name = _declare("target_from_name", c_int32, c_void_p, c_int64, POINTER(c_int32), POINTER(error))
target_properties = _declare("target_properties", c_int32, c_int32, POINTER(target_info), POINTER(error))
target_tuple_bytes = _declare("target_tuple_bytes", c_int32, c_int32, c_int64, POINTER(c_int64), POINTER(error))
target_memory_space_name = _declare(
    "target_memory_space_name", c_int32, c_int32, c_int64, c_void_p, c_int64, POINTER(c_int64), POINTER(error)
)
target_layout = _declare(
    "target_layout", c_int32, c_int32, c_int32, c_void_p, c_void_p, c_int64, POINTER(c_void_p), POINTER(error)
)
shape_for_target = _declare("shape_for_target", c_int32, c_void_p, c_int32, c_uint32, POINTER(c_void_p), POINTER(error))
