"""Many relayouts in one call."""

from __future__ import annotations

from ctypes import c_uint64, c_void_p, sizeof
from typing import Any, Iterable, List, Optional, Tuple

from . import _raw as raw
from ._call import PlanHandle
from ._memory import Memory
from ._watch import Progress, watched
from .errors import XlashapeError
from .plan import Plan


def execute_list(executions: Iterable[Tuple[Plan, Any, Any]], *, progress: Optional[Progress] = None) -> None:
    """Each (plan, src, dst): what plan.execute(src, dst) does, with its checks, all in one call. The tasks of all of them are
    spread over the threads, or the executor, of the first plan's runtime together. Destinations must not overlap each other,
    nor another one's source, which is not checked. An error's `index` tells which one failed; the others may have run or
    not. progress: as of Plan.execute, with the tasks of all."""
    handles: List[PlanHandle] = []  # these lists keep what C works on
    sources: List[Memory] = []
    targets: List[Memory] = []
    for number, (plan, src, dst) in enumerate(executions):
        if not isinstance(plan, Plan):
            raise TypeError(f"execution {number}: a Plan is wanted, not {type(plan).__name__}")
        try:
            handle = plan._open()
            source, target = plan._sides(handle, src, dst)
        except XlashapeError as error:
            error.index = number
            raise
        handles.append(handle)
        sources.append(source)
        targets.append(target)
    count = len(handles)
    plans = (c_void_p * count)(*(handle.value for handle in handles))
    addresses = [(c_uint64 * count)(*(memory.address for memory in side)) for side in (sources, targets)]
    control = raw.exec(sizeof(raw.exec))
    watched(control, progress, raw.plan_execute_list, count, plans, *addresses, control)
