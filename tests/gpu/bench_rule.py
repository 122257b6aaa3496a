"""The rule of gpu.md's table: what passes, for a case, a class and a class's median."""

import statistics


def rate(nbytes, microseconds):
    return nbytes / microseconds / 1e3  # GB/s


def spread(values):
    """Median and the width of the middle half."""
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return statistics.median(ordered), ordered[-1 - quarter] - ordered[quarter]


def verdict(floor, goal, ours, copy, peers):
    """At least `floor` of the copy, and no less than the best peer of the same run; with one above 95 % of the copy
    a tie within 2 % will do. `peers`: GB/s by name."""
    ratio = ours / copy
    if ratio < floor:
        return "FAIL: below the floor"
    for name, theirs in sorted(peers.items(), key=lambda peer: -peer[1])[:1]:
        if ours < theirs * (0.98 if theirs > 0.95 * copy else 1.0):
            return f"FAIL: below {name}"
    return "PASS" if ratio >= goal else "PASS, below the goal"


def class_verdict(one, rows):
    """Of a class, by its rows: a failed case fails it, and its median must hold what is asked of it."""
    ratios = [row["ratio"] for row in rows]
    median = statistics.median(ratios)
    if median < one.median[0]:
        return "FAIL: the median is below its floor"
    failed = sum(row["verdict"].startswith("FAIL") for row in rows)
    if failed:
        return f"FAIL: {failed} of {len(rows)}"
    return "PASS" if min(ratios) >= one.goal and median >= one.median[1] else "PASS, below the goal"


def failures(classes, rows):
    """How many floors were missed: cases, and medians."""
    count = sum(row["verdict"].startswith("FAIL") for row in rows)
    for one in classes:
        ratios = [row["ratio"] for row in rows if row["class"] == one.name and "ratio" in row]
        count += bool(ratios) and statistics.median(ratios) < one.median[0]
    return count
