"""What the library has, the package has: each function of its headers is called by a module, or stands in WITHOUT."""

import re
import unittest
from pathlib import Path

import xlashape

CALL = r"\b(?:_?raw\.|xlashape_)(\w+)"
PACKAGE = Path(xlashape.__file__).parent

# Functions that the package does without, by why.
WITHOUT = {
    "an attribute, or a line of Python on some, says the same": """
        element_type_complex element_type_integral layout_are_dimensions_consecutive layout_create
        layout_create_major_to_minor layout_get_spec layout_split layout_split_count layout_tile layout_tile_count
        shape_element_count_recursive shape_byte_size_recursive shape_fits_bounds shape_has_degenerate_dimensions
        shape_is_bounded_dynamic shape_is_effectively_most_major shape_last_dimension_is_most_minor
        shape_max_elements_per_split shape_static_element_count shape_with_dynamic_dimensions
        byte_strides_are_row_major common_factors dimension_letter dimension_from_letter""",
    "tuples of Python": """
        shape_append_to_tuple shape_copy_layouts shape_has_all_layouts shape_has_element_type shape_is_prefix
        shape_leaves_have_classes shape_replace_subshape shape_slice_tuple shape_subshape_count""",
    "another function of the library does it": """
        plan_create plan_shapes relayout shape_is_reshape_or_transpose_bitcast""",
    "one reference each": """
        layout_retain shape_retain index_map_retain runtime_retain plan_retain program_shape_retain""",
    "structs of C that a Python program does not have": """
        element_type_to_pjrt element_type_from_pjrt layout_from_pjrt shape_to_pjrt""",
    "no protos of paths in Python": "path_to_proto path_from_proto",
    "no backends written in Python": "runtime_add_backend",
    "no memory of devices in Python": """
        memory_alloc memory_free memory_copy memory_fill queue_sync queue_wait queue_signal""",
    "what it gives is not promised": "get_extension",
}


class Abi(unittest.TestCase):
    def test_no_function_is_forgotten(self) -> None:
        raw = (PACKAGE / "_raw.py").read_text(encoding="utf-8")
        functions = set(re.findall(r"^(\w+) = _declare", raw, re.MULTILINE))
        self.assertGreater(len(functions), 200)
        modules = [file for file in PACKAGE.glob("*.py") if file.name != "_raw.py"]
        used = {name for file in modules for name in re.findall(CALL, file.read_text(encoding="utf-8"))}
        without = {name for names in WITHOUT.values() for name in names.split()}
        self.assertEqual(functions - used - without, set(), "no module calls these, nor are they in WITHOUT")
        self.assertEqual(without - functions, set(), "WITHOUT lists these, which the library does not have")
        self.assertEqual(without & used, set(), "WITHOUT lists these, which are called")


if __name__ == "__main__":
    unittest.main()
