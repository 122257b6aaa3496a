# SPDX-License-Identifier: Apache-2.0
"""What is refused, when, and in which words."""

import unittest

import cases  # noqa: F401  (before JAX)
import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from xlashape import InvalidArgumentError, Layout, ParseError, Shape, UnsupportedError
from xlashape_jax import memory_shape, relayout

X = np.zeros((3, 5), "f4")


class Errors(unittest.TestCase):
    def test_layouts_and_shapes(self):
        """At the call, and while tracing: no program is compiled that could not run."""
        invalid, unsupported = InvalidArgumentError, UnsupportedError
        for kind, words, to, of, x in (
            (ParseError, ["expected"], "{0,1", None, X),
            (ParseError, ["expected"], "f32[3,5", None, X),
            (invalid, ["1 entries", "rank 2"], "{0}", None, X),
            (invalid, ["size 0"], "{0,1:T(0,2)}", None, X),
            (unsupported, ["f32[3,5]{0,1:E(16)}", "16 bits", "32"], "{0,1:E(16)}", None, X),
            (unsupported, ["pred[3,5]", "32 bits", "8"], "{0,1:E(32)}", None, X != 0),
            (unsupported, ["s4[3,5]", "8 bits", "4"], "{0,1:E(8)}", None, X.astype(jnp.int4)),
            (invalid, ["f32[5,3]{1,0}", "[3, 5]"], "f32[5,3]", None, X),
            (invalid, ["bf16[3,5]", "f32"], "bf16[3,5]", None, X),
            (invalid, ["(f32[3,5]{1,0})", "array"], "(f32[3,5])", None, X),
            (unsupported, ["f32[<=3,5]{1,0}", "dynamic"], "f32[<=3,5]", None, X),
            (invalid, ["s32[3,5]", "f32"], "{0,1}", "s32[3,5]", X),
            (invalid, ["[3, 5]", "f32[3,6]{1,0}", "[18]", "[3, 6]"], "{0,1}", "f32[3,6]", X),
            (invalid, ["[3, 5]", "{0,1:T(4,2)}", "[32]"], "{0,1}", "f32[3,5]{0,1:T(4,2)}", X),
            (unsupported, ["f32[?,5]"], "{0,1}", "f32[?,5]", X),
            (invalid, ["f32[15]{0}", "[3, 5]"], "f32[15]", "f32[3,5]", np.zeros(15, "f4")),
        ):
            for function in (relayout, jax.jit(relayout, static_argnums=1, static_argnames="of")):
                with self.subTest(to=to, of=of), self.assertRaises(kind) as caught:
                    function(x, to, of=of)
                for word in words:
                    self.assertIn(word, str(caught.exception))

    def test_in_place(self):
        for function in (relayout, jax.jit(relayout, static_argnums=1, static_argnames="in_place")):
            with self.assertRaisesRegex(UnsupportedError, "in place: a layout has padding"):
                function(X, "{0,1:T(2,2)}", in_place=True)

    def test_arrays(self):
        with self.assertRaisesRegex(TypeError, "key<fry>"):
            relayout(jax.random.key(0), "{}")
        for bad in (object(), np.array(["a"])):
            with self.assertRaises(TypeError):
                relayout(bad, "{0}")
        for bad in (3, None, ("{0,1}",)):
            with self.assertRaises(TypeError):
                relayout(X, bad)
        with self.assertRaises(TypeError):
            memory_shape(None)

    def test_symbols(self):
        """Dimensions of jax.export that are no numbers."""
        symbolic = jax.ShapeDtypeStruct(jax.export.symbolic_shape("a, 5"), "f4")
        with self.assertRaisesRegex(UnsupportedError, "a, 5.*numbers"):
            jax.eval_shape(lambda x: relayout(x, "{0,1}"), symbolic)

    def test_not_linear(self):
        ones = "f32[3,5]{0,1:T(4,2)PV(one)}"
        with self.assertRaisesRegex(UnsupportedError, "not linear"):
            jax.linear_transpose(lambda x: relayout(x, ones), X)(np.zeros(32, "f4"))

    def test_to_may_be_written_in_many_ways(self):
        want = relayout(X, "{0,1:T(4,2)}")
        layout = Layout("{0,1:T(4,2)}")
        for to in (layout, " {0,1:T(4,2)}", Shape.array("f32", (3, 5), layout), "f32[3,5]{0,1:T(4,2)}"):
            self.assertTrue(np.array_equal(relayout(X, to), want))
        self.assertEqual(relayout(X, "f32[3,5]").shape, (3, 5))
        flat = X.reshape(-1)
        self.assertEqual(relayout(flat, "{0,1}", of="f32[3,5]").shape, (15,))
        self.assertEqual(relayout(flat, "{1,0}", of="f32[3,5]").shape, (3, 5))

    def test_programs_of_others(self):
        """A custom call that was written by hand: XLA gets an error with the shapes, and no byte is touched."""

        def call(**attributes):
            made = jax.ffi.ffi_call("xlashape_relayout", jax.ShapeDtypeStruct((15,), "f4"))
            return jax.jit(lambda x: made(x, **attributes))(X)

        good = call(**{"from": "f32[3,5]", "to": "f32[3,5]{0,1}"})
        self.assertEqual(good.shape, (15,))
        for words, attributes in (  # which failure has which code: native_test.cc
            ("INVALID_ARGUMENT.*attribute to is no text", {"from": "f32[3,5]", "to": np.int32(3)}),
            ("UNIMPLEMENTED.*f32\\[3,\\?\\]", {"from": "f32[3,?]", "to": "f32[3,?]"}),
        ):
            with self.assertRaisesRegex(Exception, words):
                call(**attributes)


if __name__ == "__main__":
    unittest.main()
