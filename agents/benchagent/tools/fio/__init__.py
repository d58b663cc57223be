"""fio: its tests with parameters of the plan, or a job file as it is.

Only agent and server as a whole use it, by `benchagent.tools` and `benchagent.plan`.
"""

from __future__ import annotations

from benchagent.system.programs import find_program
from benchagent.tools.declaration import Tool

from .command_line import arguments, cold
from .completed import completed
from .expected import bytes_written, seconds
from .job_file import absolute_paths, cold_faults, local_faults, of_text, switches
from .options import NO_WORK, PARAMETERS, again, cold_fault, files, read, text_in_plan
from .over_time import series_in
from .served import served_faults
from .steady_state import with_steady_state

__all__ = ["PARAMETERS", "TOOL"]

TOOL = Tool(
    name="fio",
    program="fio",
    artifact="fio.json",
    read=read,
    arguments=arguments,
    find=lambda: find_program("fio"),
    packages=("fio",),
    files=files,
    text_in_plan=text_in_plan,
    text_faults=local_faults,
    served_faults=served_faults,
    of_text=of_text,
    paths=absolute_paths,
    bytes_written=bytes_written,
    seconds=seconds,
    cold_fault=cold_fault,
    cold_text_faults=cold_faults,
    cold=cold,
    no_work=NO_WORK,
    completed=completed,
    clock_resolution=1e-3,  # fio divides by milliseconds
    headline_tests=("write", "read", "random_read", "random_write"),
    switches=switches,
    again=again,
    series=series_in,
    with_series=with_steady_state,
    rank=2,
)
