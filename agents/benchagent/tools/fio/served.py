"""What a job file may contain in a plan that a server has queued: a list of options with the forms of their values.

Options that are not in the list are refused, so that a new option of a newer fio does no harm before it was reviewed.
Left out on purpose: commands (`exec_prerun`, `exec_postrun`, the engines `exec` and `external`), paths (`directory`,
`opendir`, `filename` with a slash, `read_iolog`, `include`), variables and arithmetic (`$`, and backticks), which fio
takes from the environment or hands to a shell, and everything that changes the machine or other processes (`cgroup`,
`uid`, `prio`, `ioscheduler`, `lockmem`, `allow_mounted_write`, zones, huge pages).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from benchagent.formats.fio.options import size_of
from benchagent.toml.quantities import format_size
from benchagent.toml.tables import Parameters

from .job_file import LONGEST_LINE, MOST_FAULTS, JobLine, job_lines, jobs_of
from .options import ENGINES

MOST_PROCESSES, MOST_SECTIONS, MOST_BUFFERS = 1024, 100, 2**30
_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}"
_TEXT = re.compile(r"[\t\r\n -~]*")  # fio reads other characters in its own way
_SIZE = r"\d{1,12}(?:[kKmMgGtT]i?[bB]?|[bB])?"
_TIME = r"\d{1,9}(?:us|ms|s|m|h)?"
_COUNT, _FLAG, _REAL = r"\d{1,9}", "[01]", r"\d{1,9}(?:\.\d{1,9})?"
_PERCENT = r"\d{1,3}%?"
_SIZES = rf"{_SIZE}(?:,{_SIZE}){{0,2}}"
_RANGES = rf"{_SIZE}-{_SIZE}(?:,{_SIZE}-{_SIZE}){{0,2}}"
_PART = rf"{_SIZE}/(?:{_PERCENT})?"
_SPLIT = rf"{_PART}(?::{_PART}){{0,15}}"
_RATES = rf"(?:{_SIZE})?(?:,(?:{_SIZE})?){{0,2}}"
_VERIFY = "md5|crc16|crc32|crc32c|crc32c-intel|crc64|crc7|xxhash|sha1|sha256|sha512|sha3-256|meta|pattern"
# Engines that make, inspect and remove names and space of files, not their contents.
_OF_NAMES = ("filecreate", "filestat", "filedelete", "dircreate", "dirstat", "dirdelete", "falloc", "ftruncate")

_FORMS: Mapping[str, Sequence[str]] = {
    _NAME: ("name", "wait_for", "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log"),
    rf"{_NAME}(?::{_NAME}){{0,15}}": ("filename",),
    r"[A-Za-z0-9 _.,+()%-]{1,200}": ("description",),
    f"(?:rand)?(?:read|write|rw|readwrite)(?::-?{_SIZE})?": ("rw", "readwrite"),
    "|".join((*ENGINES, *_OF_NAMES)): ("ioengine",),
    "sequential|identical": ("rw_sequencer",),
    "inline|offload": ("io_submit_mode",),
    "tausworthe|tausworthe64|lfsr": ("random_generator",),
    rf"random|zipf:{_REAL}|pareto:{_REAL}|normal:{_REAL}|(?:zoned|zoned_abs):[0-9/:,]{{1,200}}": (
        "random_distribution",
    ),
    r"(?:random|roundrobin|sequential)(?::\d{1,9})?": ("file_service_type",),
    "none|native|posix|keep|truncate|[01]": ("fallocate",),
    "none|sync|dsync|[01]": ("sync",),
    "none|[01]|sequential|random": ("fadvise_hint", "fadvise"),
    "linear|poisson": ("rate_process",),
    "malloc|mmap": ("mem", "iomem"),
    _VERIFY: ("verify",),
    "both|mixed|none|[012]": ("unified_rw_reporting",),
    "clock_gettime|gettimeofday|cpu": ("clocksource",),
    rf"{_REAL}(?::{_REAL}){{0,19}}": ("percentile_list",),
    r"[0-9]{1,4}(?:[-,][0-9]{1,4}){0,63}": ("cpus_allowed",),
    "repeat|working_set": ("dedupe_mode",),
    "shared|split": ("cpus_allowed_policy",),
    _SIZES: ("bs", "blocksize", "ba", "blockalign", "bs_align"),
    _RANGES: ("bsrange", "blocksize_range"),
    f"{_SPLIT}(?:,{_SPLIT}){{0,2}}": ("bssplit",),
    rf"{_SIZE}(?:-{_SIZE})?": ("filesize",),
    _SIZE: ("size", "io_size", "io_limit", "offset", "offset_align", "offset_increment", "fileoffset"),
    _RATES: ("rate", "rate_min", "ratemin", "rate_iops", "rate_iops_min"),
    _TIME: (
        *("runtime", "timeout", "ramp_time", "startdelay", "start_delay", "thinktime", "thinktime_spin"),
        *(
            "thinktime_iotime",
            "max_latency",
            "latency_target",
            "latency_window",
            "rate_cycle",
            "ratecycle",
            "rwmixcycle",
        ),
    ),
    rf"{_REAL}%?": ("latency_percentile",),
    _PERCENT: (
        *("rwmixread", "rwmixwrite", "percentage_random", "percentage_sequential", "buffer_compress_percentage"),
        *("dedupe_percentage", "dedupe_working_set_percentage"),
    ),
    _COUNT: (
        *("iodepth", "iodepth_batch", "iodepth_batch_submit", "iodepth_batch_complete", "iodepth_batch_complete_min"),
        *("iodepth_batch_complete_max", "iodepth_low", "number_ios", "nrfiles", "nr_files", "openfiles", "numjobs"),
        *("loops", "fsync", "fdatasync", "write_barrier", "thinktime_blocks", "flow", "flow_id", "flow_watermark"),
        *("flow_sleep", "randseed", "log_avg_msec", "log_hist_msec", "log_hist_coarseness", "log_offset"),
        *("bwavgtime", "iopsavgtime", "significant_figures", "buffer_compress_chunk", "verify_backlog"),
        *("verify_interval", "hipri_percentage", "iomem_align", "mem_align", "cmdprio_percentage"),
    ),
    _FLAG: (
        *("direct", "buffered", "atomic", "time_based", "norandommap", "softrandommap", "randrepeat", "allrandrepeat"),
        *(
            "overwrite",
            "file_append",
            "end_fsync",
            "fsync_on_close",
            "create_fsync",
            "create_on_open",
            "create_serialize",
        ),
        *(
            "invalidate",
            "group_reporting",
            "new_group",
            "stonewall",
            "wait_for_previous",
            "exitall",
            "thread",
            "unlink",
        ),
        *(
            "unlink_each_loop",
            "pre_read",
            "zero_buffers",
            "refill_buffers",
            "scramble_buffers",
            "do_verify",
            "verifysort",
        ),
        *(
            "verify_fatal",
            "serialize_overlap",
            "bs_unaligned",
            "blocksize_unaligned",
            "bs_is_seq_rand",
            "unique_filename",
            "per_job_logs",
        ),
        *("log_max_value", "clat_percentiles", "lat_percentiles", "slat_percentiles", "disable_lat", "disable_clat"),
        *("disable_slat", "disable_bw", "gtod_reduce", "disk_util", "rate_ignore_thinktime", "latency_run", "stats"),
        *("dedupe_global", "fixedbufs", "registerfiles", "nonvectored", "uncached", "userspace_reap", "hipri"),
    ),
}
ALLOWED = {option: re.compile(form, re.ASCII) for form, options in _FORMS.items() for option in options}
# Options that may have no value; then they are on.
_ALONE = frozenset(_FORMS[_FLAG]) | {"write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log"}


def served_faults(parameters: Parameters, text: str) -> list[str]:
    """Why a queued plan's job file is refused, each fault with its line; at most `MOST_FAULTS`."""
    faults = [f"outside is {parameters['outside']}; a queued plan cannot have it"] if "outside" in parameters else []
    lines = text.split("\n")
    for number, written in enumerate(lines, start=1):
        if len(written) > LONGEST_LINE or not _TEXT.fullmatch(written):
            faults.append(f"line {number}: expected at most {LONGEST_LINE} characters, all of ASCII")
    for line in job_lines(text):
        if len(faults) >= MOST_FAULTS:
            return faults[:MOST_FAULTS]
        if fault := _fault(line):
            shown = lines[line.number - 1].strip()[:200]
            faults.append(f"line {line.number}: {shown!r}; {fault}")
    return faults or list(_too_much(text))


def _fault(line: JobLine) -> str | None:
    if line.is_section:
        return (
            None
            if re.fullmatch(_NAME, line.section)
            else "expected a job's name of letters, digits and the signs _ . -"
        )
    form = ALLOWED.get(line.option)
    if form is None:
        return f"a queued plan may not have the option {line.option[:100]}"
    if line.value is None:
        return None if line.option in _ALONE else "expected a value"
    return None if form.fullmatch(line.value) else "a queued plan may not have this value"


def _too_much(text: str) -> Iterator[str]:
    """The faults of job files whose jobs together would be too many or too large."""
    jobs = jobs_of(text)
    if len(jobs) > MOST_SECTIONS:
        yield f"{len(jobs)} jobs; a queued plan has at most {MOST_SECTIONS}"
    processes = sum(_number(job, "numjobs") for job in jobs)
    if processes > MOST_PROCESSES:
        yield f"its jobs have {processes} processes; a queued plan has at most {MOST_PROCESSES}"
    buffers = sum(_number(job, "numjobs") * _number(job, "iodepth") * _largest_record(job) for job in jobs)
    if buffers > MOST_BUFFERS:
        yield f"its jobs hold {format_size(buffers)} of records; a queued plan has at most {format_size(MOST_BUFFERS)}"
    files = sum(_number(job, "numjobs") * max(_number(job, "nrfiles"), _number(job, "nr_files")) for job in jobs)
    if files > 1_000_000:
        yield f"its jobs have {files} files; a queued plan has at most 1000000"


def _number(job: Mapping[str, str], option: str) -> int:
    value = job.get(option, "1")
    return int(value) if value.isdecimal() else 1


def _largest_record(job: Mapping[str, str]) -> int:
    keys = ("bs", "blocksize", "bsrange", "blocksize_range", "bssplit")
    words = [word for key in keys for word in re.split("[,:/-]", job.get(key, ""))]
    return max((size_of(word, job) or 0 for word in words), default=0) or 4096
