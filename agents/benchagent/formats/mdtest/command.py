"""mdtest's command line as facts of a run, and the list of settings that ``-v`` prints."""

from __future__ import annotations

import re
import shlex

from benchagent.formats.model import Param

# The list of -v, which repeats the command line.
LISTED = re.compile(r"[a-z][a-z_]{2,30}(?:\(s\))? *: (?:True|False|[A-Z0-9]{1,20}|[0-9]{1,15})")
_COUNTS = {
    "-n": "items",
    "-I": "items_per_directory",
    "-b": "branch_factor",
    "-z": "levels",  # of directories, as in fsload
    "-w": "write_bytes",
    "-e": "read_bytes",
    "-N": "stride",
    "-W": "stonewall_seconds",
}
_FLAGS = {
    "-F": "files_only",
    "-D": "directories_only",
    "-u": "unique_directory",
    "-L": "leaf_only",
    "-y": "sync",
    "-Y": "sync_each_phase",
    "-R": "random",
    "-t": "time_unique_directory",
}
_TEXTS = {"-a": "api", "-d": "directory"}


_STARTED = re.compile(r"(?:.{0,200}[\s$#%>])?(?:mpirun|mpiexec|srun|orterun) (.{0,1000}\bmdtest\b.{0,2000})")
_TASKS = re.compile(r"(?:^| )(?:-np?|--?ntasks|--np)[ =]?([0-9]{1,7})\b")


def started(line: str) -> tuple[str, int | None] | None:
    """The command line by which MPI starts mdtest, and the number of its tasks if it is there; None for other lines."""
    match = _STARTED.fullmatch(line) if "mdtest" in line else None
    if match is None:
        return None
    before, name, after = match[1].rpartition("mdtest")
    tasks = _TASKS.search(before)
    return f"{name}{after}", int(tasks[1]) if tasks else None


def facts(command: str) -> dict[str, Param]:
    """The options of a command line that define the workload. mdtest prints each word in single or double quotes."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quote without its end: the line was cut
        return {}
    options: dict[str, Param] = {}
    for word, following in zip(words, [*words[1:], ""]):
        if word in _FLAGS:
            options[_FLAGS[word]] = True
        elif word in _TEXTS and following:
            options[_TEXTS[word]] = following
        elif word in _COUNTS and re.fullmatch("[0-9]{1,12}", following):
            options[_COUNTS[word]] = int(following)
    return options
