# SPDX-License-Identifier: Apache-2.0
"""abi_test.py [FILE]: whether the headers have what the ABI file has. Prints what is missing, and exits 1.

Every function of the file is called by a header or stands in WITHOUT, and each number of a family of constants has an
enumerator of its name.
"""

import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ABI = HERE.parents[1] / "abi" / "xlashape.abi.json"

# Functions that the headers do without. Memory and queues of devices are for programs that have no other means for
# them: those of C++ have CUDA's or OpenCL's. What is behind xlashape_get_extension is not promised.
WITHOUT = set(
    """
    xlashape_abi_version
    xlashape_byte_strides_are_row_major
    xlashape_common_factors
    xlashape_element_type_complex
    xlashape_element_type_complex_component
    xlashape_element_type_from_pjrt
    xlashape_element_type_integral
    xlashape_element_type_to_pjrt
    xlashape_get_extension
    xlashape_layout_are_dimensions_consecutive
    xlashape_layout_create_major_to_minor
    xlashape_layout_delete_dimensions
    xlashape_layout_move_dimension_to_major
    xlashape_layout_move_dimension_to_minor
    xlashape_memory_alloc
    xlashape_memory_copy
    xlashape_memory_fill
    xlashape_memory_free
    xlashape_path_from_proto
    xlashape_path_to_proto
    xlashape_queue_signal_event
    xlashape_queue_sync
    xlashape_queue_wait_event
    xlashape_runtime_add_backend
    xlashape_shape_append_to_tuple
    xlashape_shape_byte_size_recursive
    xlashape_shape_copy_layouts
    xlashape_shape_element_count_recursive
    xlashape_shape_fits_bounds
    xlashape_shape_flatten_tuple
    xlashape_shape_has_all_layouts
    xlashape_shape_has_degenerate_dimensions
    xlashape_shape_has_element_type
    xlashape_shape_has_layout_fields
    xlashape_shape_is_bounded_dynamic
    xlashape_shape_is_effectively_most_major
    xlashape_shape_is_prefix
    xlashape_shape_is_reshape_or_transpose_bitcast
    xlashape_shape_last_dimension_is_most_minor
    xlashape_shape_leaves_have_classes
    xlashape_shape_max_elements_per_split
    xlashape_shape_replace_subshape
    xlashape_shape_slice_tuple
    xlashape_shape_static_element_count
    xlashape_shape_subshape_count
    xlashape_shape_with_default_layouts
    xlashape_shape_with_dimension
    xlashape_shape_with_dynamic_dimensions
    """.split()
)

# Numbers of this family are open: whoever brings a device adds its own.
OPEN = {"xlashape_memory_space"}


def mistakes(abi, code):
    words = set(re.findall(r"\w+", code))
    functions = {function["name"] for function in abi["functions"]}
    for name in sorted(functions - words - WITHOUT):
        yield f"{name} is not called by a header in bindings/cpp/xlashape, nor does WITHOUT list it"
    for name in sorted(WITHOUT & words):
        yield f"{name} is called: WITHOUT lists it"
    for name in sorted(WITHOUT - functions):
        yield f"{name} is no function of the ABI file: WITHOUT lists it"
    enumerators = {constant: name for name, constant in re.findall(r"\bk(\w+) = (XLASHAPE_\w+),", code)}
    for constant in abi["constants"]:
        if "of" not in constant or constant["of"] in OPEN:
            continue
        name = enumerators.get(constant["name"])
        if name is None:
            yield f"{constant['name']} has no enumerator in bindings/cpp/xlashape"
        elif not constant["name"].replace("_", "").lower().endswith(name.lower()):
            yield f"{constant['name']} is called k{name}"


def main():
    abi = json.loads(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ABI).read_text(encoding="utf-8"))
    headers = sorted(HERE.parent.glob("*.hpp")) + sorted((HERE.parent / "xlashape").glob("*.hpp"))
    code = re.sub(r"//.*", "", "\n".join(header.read_text(encoding="utf-8") for header in headers))
    found = list(mistakes(abi, code))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
