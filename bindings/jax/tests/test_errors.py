"""What is refused, when, and in which words."""

import unittest

import cases  # noqa: F401  (before JAX)
import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from xlashape import InvalidArgumentError, Layout, ParseError, Shape, UnsupportedError
from xlashape.jax import memory_shape, relayout

X = np.zeros((3, 5), "f4")


class Errors(unittest.TestCase):
    def refused(self, kind, words, to, of=None, x=X):
        """At the call, and while tracing: no program is compiled that could not run."""
        for function in (relayout, jax.jit(relayout, static_argnums=1, static_argnames="of")):
            with self.assertRaises(kind) as caught:
                function(x, to, of=of)
            for word in words:
                self.assertIn(word, str(caught.exception))

    def test_layouts(self):
        self.refused(ParseError, ["expected"], "{0,1")
        self.refused(ParseError, ["expected"], "f32[3,5")
        self.refused(InvalidArgumentError, ["1 entries", "rank 2"], "{0}")
        self.refused(InvalidArgumentError, ["size 0"], "{0,1:T(0,2)}")
        self.refused(UnsupportedError, ["f32[3,5]{0,1:E(16)}", "16 bits", "32"], "{0,1:E(16)}")
        self.refused(UnsupportedError, ["pred[3,5]", "32 bits", "8"], "{0,1:E(32)}", x=X != 0)
        self.refused(UnsupportedError, ["s4[3,5]", "8 bits", "4"], "{0,1:E(8)}", x=X.astype(jnp.int4))

    def test_shapes(self):
        self.refused(InvalidArgumentError, ["f32[5,3]{1,0}", "[3, 5]"], "f32[5,3]")
        self.refused(InvalidArgumentError, ["bf16[3,5]", "f32"], "bf16[3,5]")
        self.refused(InvalidArgumentError, ["(f32[3,5]{1,0})", "array"], "(f32[3,5])")
        self.refused(UnsupportedError, ["f32[<=3,5]{1,0}", "dynamic"], "f32[<=3,5]")
        self.refused(InvalidArgumentError, ["s32[3,5]", "f32"], "{0,1}", of="s32[3,5]")
        self.refused(InvalidArgumentError, ["[3, 5]", "f32[3,6]{1,0}", "[18]", "[3, 6]"], "{0,1}", of="f32[3,6]")
        self.refused(InvalidArgumentError, ["[3, 5]", "{0,1:T(4,2)}", "[32]"], "{0,1}", of="f32[3,5]{0,1:T(4,2)}")
        self.refused(UnsupportedError, ["f32[?,5]"], "{0,1}", of="f32[?,5]")
        self.refused(InvalidArgumentError, ["f32[15]{0}", "[3, 5]"], "f32[15]", of="f32[3,5]", x=np.zeros(15, "f4"))

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
        for words, attributes in (
            ("INVALID_ARGUMENT.*no attribute to", {"from": "f32[3,5]"}),
            ("INVALID_ARGUMENT.*attribute to is no text", {"from": "f32[3,5]", "to": np.int32(3)}),
            ("INVALID_ARGUMENT.*f32\\[3,5\\] -> f32\\[5,3\\]", {"from": "f32[3,5]", "to": "f32[5,3]"}),
            ("INVALID_ARGUMENT.*not f32\\[3,5\\] -> f32\\[15\\]", {"from": "f32[3,6]", "to": "f32[3,6]"}),
            ("UNIMPLEMENTED.*f32\\[3,\\?\\]", {"from": "f32[3,?]", "to": "f32[3,?]"}),
        ):
            with self.assertRaisesRegex(Exception, words):
                call(**attributes)


if __name__ == "__main__":
    unittest.main()
