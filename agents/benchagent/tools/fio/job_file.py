"""Reads fio's job files as fio does, and finds what leads out of the target's directory.

Nothing is checked that fio checks itself: a job file with an unknown option runs, and fails with fio's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchagent.toml.tables import Parameters
from benchagent.tools.declaration import Switches, switches_of_parameters

LONGEST_LINE = 4000  # characters; fio cuts a line at 4,095 bytes and reads the rest as the next line
MOST_FAULTS = 20
GLOBAL = "global"
_COMMENT = re.compile("[;#]")
_OUTSIDE = re.compile(r"/|(?:.*/)?\.\.(?:/|$)", re.DOTALL)
# Options whose value is a path, or several with colons between them.
PATHS = frozenset({"filename", "directory", "filename_format", "opendir", "write_iolog", "replay_redirect"})
PATHS |= {"write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log", "merge_blktrace_file", "aux-path"}
_TRACE = "read_iolog"
_REMEDY = "`outside` in the plan would allow"
_MEMORY = re.compile(r"(?:mmap|mmaphuge|mmapshared):(.*)", re.DOTALL)
_PATTERN_FILES = frozenset({"buffer_pattern", "verify_pattern"})
_KEYWORDS = re.compile(r"\$(?:jobname|clientuid|jobnum|filenum)", re.IGNORECASE)


@dataclass(frozen=True)
class JobLine:
    """An option in a section, or the section itself, with an empty `option`. `number` counts from 1.

    `value` is None for an option without an equals sign.
    """

    number: int
    section: str
    option: str = ""
    value: str | None = None

    @property
    def is_section(self) -> bool:
        """Whether the line begins a section; `=x` has an empty option, too."""
        return not self.option and self.value is None


def job_lines(text: str) -> Iterator[JobLine]:
    """The sections and options of a job file, in order; without comments, which begin anywhere in a line."""
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        content = _COMMENT.split(line, maxsplit=1)[0].strip()
        if content.startswith("["):
            section = content[1:-1]  # fio takes the last character for the bracket, too
            yield JobLine(number, section)
        elif content:
            option, equals, value = content.partition("=")
            yield JobLine(number, section, option.strip(), value.strip() if equals else None)


def jobs_of(text: str) -> list[dict[str, str]]:
    """The options of each job, with those of the global sections before it. An option without a value has an empty one.

    Of an option that comes several times, the last value counts.
    """
    return [{option: line.value or "" for option, line in job.items()} for job in _lines_of_jobs(text)]


def _lines_of_jobs(text: str) -> list[dict[str, JobLine]]:
    """The line of each option of each job."""
    shared: dict[str, JobLine] = {}
    jobs: list[dict[str, JobLine]] = []
    for line in job_lines(text):
        of_all = line.section.startswith(GLOBAL)
        if line.is_section:
            jobs += [] if of_all else [dict(shared)]
        elif of_all or not jobs:
            shared[line.option] = line
        else:
            jobs[-1][line.option] = line
    return jobs


def cold_faults(text: str) -> list[str]:
    """The lines by which jobs read files from the page cache although the plan has cold caches.

    fio writes missing files after the agent has emptied the caches, and drops them from the cache unless a job forbids
    it.
    """
    found: dict[int, str] = {}
    for job in _lines_of_jobs(text):
        if not _reads(job) or _value(job, "direct") not in ("", "0"):
            continue
        for option, value in (("invalidate", "0"), ("pre_read", "1")):
            if _value(job, option) == value:
                found[job[option].number] = f"{option}={value}"
    return [
        f"line {number}: {option}; a plan with cold caches cannot have it in a job that reads, because fio would read"
        " its files from the page cache"
        for number, option in sorted(found.items())
    ][:MOST_FAULTS]


def _reads(job: Mapping[str, JobLine]) -> bool:
    pattern = _value(job, "rw") or _value(job, "readwrite") or "read"
    return "read" in pattern or pattern.startswith(("rw", "randrw"))


def _value(job: Mapping[str, JobLine], option: str) -> str:
    return (job[option].value or "") if option in job else ""


def local_faults(parameters: Parameters, text: str) -> list[str]:
    """Why the agent does not run a job file of the machine's own user; each with its line."""
    allowed = parameters.get("outside", [])
    paths = tuple(str(path) for path in allowed) if isinstance(allowed, list) else ()
    faults: list[str] = []
    for number, written in enumerate(text.split("\n"), start=1):
        if len(written) > LONGEST_LINE:
            faults.append(f"line {number}: more than {LONGEST_LINE} characters, which fio reads as several lines")
    if not any(line.is_section and not line.section.startswith(GLOBAL) for line in job_lines(text)):
        faults.append("line 1: no job; a job begins with its name in square brackets")
    for line in job_lines(text):
        if len(faults) >= MOST_FAULTS:
            break
        faults += [f"line {line.number}: {fault}" for fault in _faults_of_line(line, paths)]
    return faults


def _faults_of_line(line: JobLine, allowed: tuple[str, ...]) -> Iterator[str]:
    if line.option.startswith("include"):
        yield "include; the agent gives fio one file, so put the lines of the other one here"
        return
    if "${" in f"{line.option}{line.value}":
        yield f"{line.option[:100]} has a variable of the environment, which is not part of the plan; write its value"
    for path in _paths_of(line):
        if _OUTSIDE.match(path) and not _is_below(path, allowed):
            name = line.option or "the job's name"
            yield f"{name} {path[:200]!r} is outside of the target's directory; {_REMEDY} it"
    if line.option == _TRACE and line.value and not _is_below(line.value, allowed):
        yield f"{_TRACE} replays a trace, which can name any file; {_REMEDY} {line.value[:200]!r}"


def _paths_of(line: JobLine) -> list[str]:
    """The paths that a line has. A job's name is one, because fio names its files by it."""
    if line.is_section:
        return [] if line.section.startswith(GLOBAL) else [line.section]
    value = line.value or ""
    if line.option in PATHS:
        plain = _KEYWORDS.sub("x", value) if line.option == "filename_format" else value
        return [path.strip().replace("\\:", ":") for path in re.split(r"(?<!\\):", plain)]
    if line.option == "name":
        return [value]
    if line.option in ("mem", "iomem") and (match := _MEMORY.match(value)):
        return [match[1]]
    return re.findall(r"'([^']*)'", value) if line.option in _PATTERN_FILES else []


def _is_below(path: str, allowed: tuple[str, ...]) -> bool:
    """Whether the path is one of these or below one; a path with `..` never is."""
    if not path.startswith("/") or ".." in path.split("/"):
        return False
    return any(path == each or path.startswith(each.rstrip("/") + "/") for each in allowed)


def absolute_paths(text: str) -> list[str]:
    """The absolute paths that a job file names, each once, in order."""
    found = [path for line in job_lines(text) for path in _paths_of(line) if path.startswith("/")]
    return list(dict.fromkeys(found))


_OFF = ("0", "none")


def of_text(text: str) -> Parameters:
    """`engine`, `direct`, `sync` and `fsync` of a job file, if all of its jobs have the same."""
    jobs = jobs_of(text)
    found: Parameters = {}
    if engine := _shared(jobs, "ioengine"):
        found["engine"] = engine
    if _on(_shared(jobs, "direct")):
        found["direct"] = True
    if _on(sync := _shared(jobs, "sync")):
        found["sync"] = sync if sync == "dsync" else "sync"
    if any(_on(_shared(jobs, option)) for option in ("fsync", "fdatasync", "end_fsync")):
        found["fsync"] = True
    return found


def switches(command: Sequence[str], parameters: Mapping[str, object], test: str) -> Switches:
    """The switches of all tests, from parameters of the plan or its job file, or from fio's options in other output."""
    engine = parameters.get("engine", parameters.get("ioengine"))
    return switches_of_parameters(command, {**parameters, "ioengine": engine}, test)


def _shared(jobs: Sequence[Mapping[str, str]], option: str) -> str | None:
    """The value that all jobs have for an option; None if they differ, or have none."""
    values = {job.get(option) for job in jobs}
    return values.pop() if len(values) == 1 else None


def _on(value: str | None) -> bool:
    """Whether an option is on; one without a value is."""
    return value is not None and value not in _OFF
