"""fio's own judgement of when a job was steady: the section `steadystate` of a job in its JSON.

fio has several rules, none of them SNIA's: rates of whole seconds near their mean, or a least-squares line through them
that is nearly level. The job's option says which it was. A job ends when it is steady.
"""

from __future__ import annotations

from benchagent.formats.reading.located_json import Leaf, Object
from benchagent.formats.reading.runs import RunValue

from .job_values import number

STEADY_STATE = "steady_state"  # the name of the test whose time this is
NEVER = "not steady in this time"


def steady_state(job: Object) -> RunValue | None:
    """The seconds until the job was steady, which ended it, not yet with its test; None if nothing was judged.

    The time is the measured one of the direction that ran longest.
    """
    section = job.get("steadystate")
    attained = section.get("attained") if isinstance(section, dict) else None
    if not isinstance(attained, Leaf):
        return None
    directions = map(job.get, ("read", "write", "trim", "mixed"))
    times = [number(each.get("runtime")) or 0.0 for each in directions if isinstance(each, dict)]
    milliseconds = max(times, default=0.0) if number(attained) else 0.0
    if not milliseconds:
        return RunValue("", "elapsed", None, attained.line, error=NEVER)
    return RunValue("", "elapsed", milliseconds / 1000, attained.line)
