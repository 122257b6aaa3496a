"""Holds bench_rule.py against the words of the rule."""

import bench_rule as rule
from bench_cases import CLASSES, Class, rank_5_6


def begins(answer, wanted):
    assert answer == wanted or answer.startswith(wanted + ":"), (answer, wanted)


# floor, goal, ours, copy, peers
begins(rule.verdict(0.9, 0.95, 3799, 4000, {}), "PASS, below the goal")
begins(rule.verdict(0.9, 0.95, 3800, 4000, {}), "PASS")
begins(rule.verdict(0.9, 0.95, 3599, 4000, {}), "FAIL")
# A peer in between must be reached in full,
begins(rule.verdict(0.9, 0.95, 3700, 4000, {"torch": 3700, "jax": 100}), "PASS, below the goal")
begins(rule.verdict(0.9, 0.95, 3700, 4000, {"torch": 3701}), "FAIL")
begins(rule.verdict(0.5, 0.95, 3700, 4000, {"torch": 1000, "jax": 3750}), "FAIL")
# one above 95 % of the copy within 2 %.
begins(rule.verdict(0.9, 0.95, 3800, 4000, {"geam": 3870}), "PASS")
begins(rule.verdict(0.9, 0.95, 3800, 4000, {"geam": 3900}), "FAIL")
begins(rule.verdict(0.9, 0.95, 3920, 4000, {"geam": 4000}), "PASS")

one = Class("one", 0.65, 0.75, (), (0.85, 0.92))


def rows(*ratios):
    return [{"class": "one", "ratio": r, "verdict": rule.verdict(one.floor, one.goal, r, 1, {})} for r in ratios]


for ratios, wanted, count in (
    ((0.76, 0.93, 0.95), "PASS", 0),
    ((0.70, 0.93, 0.95), "PASS, below the goal", 0),
    ((0.76, 0.90, 0.95), "PASS, below the goal", 0),
    ((0.76, 0.84, 0.95), "FAIL", 1),
    ((0.64, 0.93, 0.95), "FAIL", 1),
    ((0.64, 0.64, 0.95), "FAIL", 3),
):
    begins(rule.class_verdict(one, rows(*ratios)), wanted)
    assert rule.failures([one], rows(*ratios)) == count, ratios
assert rule.failures([one], [{"class": "one", "verdict": "FAIL: no answer"}]) == 1
assert rule.spread([5, 1, 2, 3, 4]) == (3, 2)

# The set of 57, and the names, by which rows find their classes.
assert len(set(rank_5_6())) == 57
for case in rank_5_6():
    assert sorted(case.order) == list(range(len(case.dimensions))) and len(case.order) in (5, 6), case
assert len({one.name for one in CLASSES}) == len(CLASSES)
print("ok")
