# SPDX-License-Identifier: Apache-2.0
"""The ABI gates hold: each test changes a copy of the headers as a careless commit would, and the gate must say so."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ABI = HERE.parents[1] / "bindings/abi"
sys.path[:0] = [str(HERE), str(ABI)]

import compare  # noqa: E402
import extract  # noqa: E402
import members  # noqa: E402
import symbols  # noqa: E402

INCLUDE = HERE.parents[1] / "include"


class Gates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.now = extract.extract(INCLUDE)

    def changed(self, old, new, header="xlashape.h"):
        """The ABI of a copy of the headers with `old` replaced, once."""
        with tempfile.TemporaryDirectory() as folder:
            for name in extract.HEADERS:
                shutil.copy(INCLUDE / name, folder)
            file = pathlib.Path(folder) / header
            text = file.read_text(encoding="utf-8")
            self.assertEqual(text.count(old), 1, f"the test looks for text that is not there once: {old}")
            file.write_text(text.replace(old, new), encoding="utf-8")
            return extract.extract(folder)

    def breaks(self, *change, **where):
        return compare.compare(self.now, self.changed(*change, **where))

    def refused(self, *change, **where):
        """What extract says when the headers break a rule that no release may break."""
        with self.assertRaises(SystemExit) as caught:
            self.changed(*change, **where)
        return str(caught.exception)

    def test_nothing_changed(self):
        self.assertEqual(compare.compare(self.now, self.now), [])

    def test_field_inserted_in_the_middle(self):
        found = self.breaks("  int64_t storage_elements;  /*",
                            "  int64_t inserted;\n  int64_t storage_elements;  /*")
        self.assertIn("xlashape_sizes.inserted: inserted at byte 16 on lp64, inside the 72 bytes of the baseline",
                      found)
        self.assertIn("xlashape_sizes.storage_elements: was at byte 16 on lp64, now at 24", found)

    def test_field_inserted_where_padding_was_reserved(self):
        found = self.breaks("  int32_t threads; /*", "  int32_t renamed; /*", header="xlashape_runtime.h")
        self.assertIn("xlashape_runtime_options.threads vanished", found)

    def test_field_added_at_the_end(self):
        self.assertEqual(self.breaks("} xlashape_sizes;", "  int64_t added;\n} xlashape_sizes;"), [])

    def test_slot_inserted_in_the_middle(self):
        found = self.breaks("  int32_t(XLASHAPE_CALL* device_count)(void* self);",
                            "  void(XLASHAPE_CALL* inserted)(void* self);\n"
                            "  int32_t(XLASHAPE_CALL* device_count)(void* self);",
                            header="xlashape_backend.h")
        self.assertTrue(any(line.startswith("xlashape_backend.inserted: inserted at byte") for line in found), found)
        self.assertTrue(any(line.startswith("xlashape_backend.device_count: was at byte") for line in found), found)

    def test_slot_changed(self):
        slot = "int64_t max_workers);"
        found = self.breaks(slot, slot.replace("int64_t", "int32_t"), header="xlashape_backend.h")
        self.assertIn("xlashape_backend.plan_tasks: parameter 4 (max_workers) was int64_t, now int32_t", found)

    def test_type_changes_width(self):
        found = self.breaks("typedef int32_t xlashape_unit;", "typedef int64_t xlashape_unit;")
        self.assertIn("typedef xlashape_unit: was int32_t, now int64_t", found)
        found = self.breaks("XLASHAPE_API int64_t xlashape_shape_rank(", "XLASHAPE_API int32_t xlashape_shape_rank(")
        self.assertEqual(found, ["xlashape_shape_rank: returned int64_t, now int32_t"])

    def test_symbol_vanishes(self):
        found = self.breaks("XLASHAPE_API int64_t xlashape_shape_leaf_count(const xlashape_shape* shape);", "")
        self.assertEqual(found, ["function xlashape_shape_leaf_count vanished"])

    def test_symbol_appears(self):
        new = self.changed("XLASHAPE_API int64_t xlashape_shape_leaf_count(",
                           "XLASHAPE_API int64_t xlashape_shape_appeared(const xlashape_shape* shape);\n"
                           "XLASHAPE_API int64_t xlashape_shape_leaf_count(")
        self.assertEqual(compare.compare(self.now, new), [])  # it breaks nobody, but it is in no file yet
        names = symbols.functions(self.now)
        self.assertEqual(list(symbols.differences(names, symbols.functions(new), names)),
                         ["xlashape_shape_appeared: not in the library and the ABI file"])
        self.assertEqual(list(symbols.differences(names | {"leak"}, names, names)),
                         ["leak: not in the headers and the ABI file"])
        self.assertEqual(list(symbols.differences(names, names, names)), [])

    def test_null_is_no_longer_allowed(self):
        found = self.breaks("xlashape_layout_retain(const xlashape_layout* layout XLASHAPE_NULLABLE)",
                            "xlashape_layout_retain(const xlashape_layout* layout)")
        self.assertEqual(found, ["xlashape_layout_retain: parameter 1 (layout) could be NULL and no longer can"])

    def test_constant_changes(self):
        found = self.breaks("#define XLASHAPE_STATUS_NO_MEMORY 8", "#define XLASHAPE_STATUS_NO_MEMORY 13")
        self.assertEqual(found, ["constant XLASHAPE_STATUS_NO_MEMORY: was 8 (int32_t), now 13 (int32_t)"])

    def test_rules_of_the_boundary(self):
        self.assertIn("does not cross the boundary",
                      self.refused("XLASHAPE_API int64_t xlashape_shape_rank(",
                                   "XLASHAPE_API long xlashape_shape_rank("))
        answer = self.refused("int32_t is_signed);", "_Bool is_signed);", header="xlashape_xla.h")
        self.assertIn("does not cross the boundary", answer)
        self.assertIn("variable arguments", self.refused("xlashape_status_name(xlashape_status status);",
                                                         "xlashape_status_name(xlashape_status status, ...);"))
        self.assertIn("unnamed padding", self.refused("} xlashape_sizes;",
                                                      "  int32_t narrow;\n  int64_t wide;\n} xlashape_sizes;"))
        self.assertIn("no XLASHAPE_THREADS rule", self.refused('xlashape_plan XLASHAPE_THREADS("shared");',
                                                               "xlashape_plan;"))
        self.assertIn("names no parameter", self.refused("const char* name XLASHAPE_LEN(name_len), int64_t name_len,\n"
                                                         "                                                             "
                                                         "xlashape_element_type* type",
                                                         "const char* name XLASHAPE_LEN(length), int64_t name_len,\n"
                                                         "xlashape_element_type* type"))

    def test_stale_file(self):
        """--check fails, and names what is new, when the file is older than the headers."""
        with tempfile.TemporaryDirectory() as folder:
            old = json.loads(json.dumps(self.now))
            gone = old["functions"].pop()
            file = pathlib.Path(folder) / "old.json"
            file.write_text(extract.lines(old) + "\n", encoding="utf-8")
            result = subprocess.run([sys.executable, ABI / "extract.py", "--check", "--file", file],
                                    capture_output=True, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn(gone["name"], result.stdout)
            self.assertIn("run: bindings/abi/update.sh", result.stderr)

    def test_members(self):
        """A new constant gets a member behind the one before it; one that is gone goes, with its comment."""
        names = ["XLASHAPE_LOG_LOUD", "XLASHAPE_LOG_BF16_FP", "XLASHAPE_LOGS", "XLASHAPE_LOG_QUIET"]
        for suffix, template, old, want in (
                (".go", "Log{Name} Level = C.{C}",
                 "\tLogLoud  Level = C.XLASHAPE_LOG_LOUD // by hand\n\tLogGone  Level = C.XLASHAPE_LOG_GONE // lost\n"
                 "\tLogQuiet Level = C.XLASHAPE_LOG_QUIET\n",
                 "\tLogLoud  Level = C.XLASHAPE_LOG_LOUD // by hand\n\tLogBF16FP Level = C.XLASHAPE_LOG_BF16_FP\n"
                 "\tLogQuiet Level = C.XLASHAPE_LOG_QUIET\n"),
                (".rs", "{NAME} = sys::{C};",
                 "\t/// Gone.\n\tGONE = sys::XLASHAPE_LOG_GONE;\n\t/// By hand.\n\tQUIET = sys::XLASHAPE_LOG_QUIET;\n"
                 "\t/// First.\n\tLOUD = sys::XLASHAPE_LOG_LOUD;\n",
                 "\t/// By hand.\n\tQUIET = sys::XLASHAPE_LOG_QUIET;\n\t/// First.\n\tLOUD = sys::XLASHAPE_LOG_LOUD;\n"
                 "\t/// `XLASHAPE_LOG_BF16_FP`.\n\tBF16_FP = sys::XLASHAPE_LOG_BF16_FP;\n")):
            lines = list(members.expected(names, r"LOG_(\w+)", template, suffix))
            self.assertEqual(len(lines), 3)
            text, new, gone = members.members(old, lines, "\t", suffix)
            self.assertEqual(text, want)
            self.assertEqual((len(new), len(gone)), (1, 1))
            self.assertEqual(members.members(want, lines, "\t", suffix), (want, [], []))

    def test_annotations_arrive(self):
        """Nothing of what the macros say is lost on the way."""
        said = "".join((INCLUDE / name).read_text(encoding="utf-8") for name in extract.HEADERS)
        said = said[said.index("== Version =="):]  # behind the macros' own definitions
        parameters = [parameter for function in self.now["functions"] for parameter in function["parameters"]]
        fields = [field for struct in self.now["structs"] for field in struct["fields"]]
        for macro, count in (
                ("XLASHAPE_NULLABLE", sum("nullable" in p and p["role"] != "error" for p in parameters + fields)),
                ("XLASHAPE_LEN(", sum("len" in p for p in parameters + fields)),
                ("XLASHAPE_THREADS(", len(self.now["handles"]))):
            self.assertEqual(said.count(macro), count, macro)
            self.assertGreater(count, 5)


if __name__ == "__main__":
    unittest.main()
