"""Measured plans, wisdom and profiles."""

import array
import copy
import pickle
import unittest

import xlashape
from xlashape import Plan, Runtime

ROWS, COLUMNS = "u16[64,96]{1,0}", "u16[64,96]{0,1}"
DATA = array.array("H", range(64 * 96))
MOVED = array.array("H", (DATA[row * 96 + column] for column in range(96) for row in range(64)))


def alone(**options):
    return Runtime(environment=False, backend="simd", **options)


def moved(plan):
    out = array.array("H", bytes(2 * 64 * 96))
    plan.execute(DATA, out)
    return out


class Measuring(unittest.TestCase):
    def setUp(self):
        try:
            Plan(ROWS, COLUMNS, runtime=alone())
        except xlashape.NotFoundError:
            self.skipTest("there is no backend that measures")

    def test_plans_and_wisdom(self):
        runtime, other = alone(), alone()
        for seconds in (0.02, 0.5, 5):  # on a busy machine nothing is found in a short time
            self.assertEqual(moved(Plan(ROWS, COLUMNS, runtime=runtime, measure=seconds)), MOVED)
            wisdom = runtime.wisdom()
            if wisdom.count("\n") > 2:
                break
        self.assertRegex(wisdom, r"\Axlashape wisdom 1\nprocessor \S+\n[0-9a-f]{32} simd .*\n\Z")
        self.assertEqual(other.import_wisdom(wisdom), 1)
        self.assertEqual(other.wisdom(), wisdom)
        self.assertEqual(moved(Plan(ROWS, COLUMNS, runtime=other)), MOVED)
        other.forget_wisdom()
        self.assertEqual(other.wisdom().count("\n"), 2)
        self.assertEqual(runtime.wisdom(), wisdom)

    def test_the_default_runtime(self):
        plan = pickle.loads(pickle.dumps(Plan(ROWS, COLUMNS, measure=0.02)))
        self.assertEqual(moved(plan), MOVED)
        wisdom = xlashape.wisdom()
        xlashape.forget_wisdom()
        self.assertEqual(xlashape.import_wisdom(wisdom), wisdom.count("\n") - 2)
        xlashape.forget_wisdom()
        self.assertIsInstance(xlashape.profile_path(), str)

    def test_keys_are_without_it(self):
        self.assertEqual(Plan.key(ROWS, COLUMNS, measure=1), Plan.key(ROWS, COLUMNS))

    def test_refused(self):
        runtime = alone()
        refused = xlashape.InvalidArgumentError
        for seconds, kind, text in (
            (-1, refused, "measure is -1.0 seconds"),
            (float("nan"), refused, "measure is nan"),
            (float("inf"), refused, "measure is inf"),
            (1e10, refused, "measure is 10000000000.0 seconds, it must be"),
            ("1", TypeError, "measure must be a number of seconds, not str"),
            (None, TypeError, "measure must be a number"),
        ):
            with self.assertRaisesRegex(kind, text):
                Plan(ROWS, COLUMNS, runtime=runtime, measure=seconds)
        with self.assertRaisesRegex(xlashape.ParseError, "^line 3: "):
            runtime.import_wisdom("xlashape wisdom 1\nprocessor x\nhello\n")
        with self.assertRaisesRegex(TypeError, "wisdom must be str"):
            runtime.import_wisdom(b"")
        with self.assertRaisesRegex(refused, "^profile: line 1: "):
            alone(profile="hello\n")
        with self.assertRaisesRegex(refused, "profile holds a NUL"):
            alone(profile="a\0b")
        with self.assertRaisesRegex(refused, "^seconds is -1"):
            runtime.calibrate(-1)
        runtime.close()
        for call in (runtime.wisdom, runtime.forget_wisdom, runtime.profile_path, runtime.calibrate):
            with self.assertRaises(xlashape.ClosedError):
                call()

    def test_what_an_executor_raises(self):
        def broken(count, task):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            Plan(
                "u16[1024,1536]{1,0}",
                "u16[1024,1536]{0,1}",
                runtime=alone(executor=broken, max_workers=4),
                measure=0.02,
            )

    def test_profile(self):
        seen = []
        profile = alone(profile="").calibrate(0.01, lambda done, count: seen.append((done, count)))
        self.assertRegex(profile, r"\Axlashape profile 1\nprocessor \S+\n\[simd\]\n")
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(*seen[-1])
        plan = Plan(ROWS, COLUMNS, runtime=alone(profile=profile))
        self.assertEqual(moved(plan), MOVED)
        self.assertGreater(plan.predict(), 0)

    def test_predictions(self):
        rows, columns = "u8[1024,1024]{1,0}", "u8[1024,1024]{0,1}"
        processor = alone().wisdom().splitlines()[1]
        # Stores past the caches, which have no speed here, never pay.
        head = f"xlashape profile 1\n{processor}\n[simd]\nstream_squares_bytes = 1152921504606846976\n"
        speeds = head + "ns.call = 1000\nns_per_mib.squares_1.ordinary.1024k = 2000000\n"
        plan = Plan(rows, columns, runtime=alone(profile=speeds))
        self.assertAlmostEqual(plan.predict(), 2.001e-3, places=12)
        self.assertEqual(copy.copy(plan).predict(), plan.predict())
        for profile, *shapes in (
            ("", rows, columns),
            (head, rows, columns),
            (speeds, "u4[64,64]{1,0:E(4)}", "u4[64,64]{0,1:E(4)}"),
        ):
            unknown = Plan(*shapes, runtime=alone(profile=profile))
            self.assertIsNone(unknown.predict())
            self.assertIn("not predicted: ", unknown.describe())
        plan.close()
        with self.assertRaises(xlashape.ClosedError):
            plan.predict()

    def test_a_calibration_that_is_ended(self):
        with self.assertRaises(xlashape.CancelledError):
            alone().calibrate(progress=lambda done, count: False)

        def broken(done, count):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            alone().calibrate(progress=broken)
        with self.assertRaisesRegex(TypeError, "int cannot be"):
            alone().calibrate(progress=3)


if __name__ == "__main__":
    unittest.main()
