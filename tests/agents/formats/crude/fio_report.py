"""A second reader of fio's report for people: one pattern for each kind of number, anywhere in the text of a job.

It knows nothing of lines: blanks, line breaks and the marks of quoted mails are the same to it.
"""

import quopri
import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from benchagent.formats import Parsed

# (job in the order of the text, direction, kind, statistic or percentile); a number in base units.
Key = tuple[int, str, str, str]
Figures = Counter[tuple[Key, float]]

JOB = re.compile(r"\(groupid=(\d+), jobs=\d+\): err= *\d+(?: \(.*?\))?: pid=(\S+)")
END = re.compile(r"\x00|Run status group \d+|(?:^|(?<=\s))\S+: \(g=\d+\): rw=|[2-5];fio-\d|\Z")
BEGIN = re.compile(r"(?<=\s)(?:(read|write|trim|mixed) ?: (?=IOPS|io=)|(fsync)/fdatasync/sync_file_range:)")
NUMBER = r" *(?:\*\*|<b>)?([\d.]+)([kKMGTP]?)"
RATES = (
    ("throughput", "", re.compile(rf"(?:BW|bw)={NUMBER}(i?)(B/s|bit/s|b/s|(?= \())")),
    ("rate", "", re.compile(rf"(?:IOPS|iops)={NUMBER}")),
    ("elapsed", "", re.compile(r"(?:runt=|/) *(\d+)()msec")),
)
FOUR = rf"min={NUMBER}, *max={NUMBER}, .{{0,30}}?avg={NUMBER}, *stdev={NUMBER}"
LATENCY = re.compile(rf"(?<=\s)(slat|clat|lat|sync) \((.)sec\) ?: *{FOUR}")
SAMPLES = re.compile(rf"(?<=\s)(?:(iops)|bw \( *([KMGT]?)(i?)(B|bit) */s\)) *: *{FOUR}")
PERCENTILES = re.compile(
    r"(?<=\s)(?<!\) )(?:(slat|clat|lat|sync) )?percentiles \((.)sec\) ?: *((?:\|? *[\d.]+th=\[.*?\],? *)+)"
)
SHARE = re.compile(r"([\d.]+)th=\[ *(\d+)([kKMG]?) *\]")
CPU = re.compile(r"cpu +: usr= *([\d.]+)%, sys= *([\d.]+)%")
STATUS = re.compile(r"Run status group (\d+) \(all jobs\):(.*?)(?=\x00|Run status group|Disk stats|\Z)")
TOTAL = re.compile(
    rf"(READ|WRITE|TRIM|MIXED): .*?(?:bw|(aggrb))= *{NUMBER}(i?)B/s.*?(?:run= *(?:\d+-)?|maxt= *)(\d+)msec"
)
KINDS = {"slat": "submission", "clat": "completion", "lat": "total", "sync": "total"}
SECONDS = {"n": 1e-9, "u": 1e-6, "m": 1e-3}
STATISTICS = ("min", "max", "mean", "sd")


def unquoted(text: str, *, filled: bool) -> str:
    """Quoted-printable decoded; ``filled`` has an empty line for each that was joined, as the parser counts lines."""
    if "=3D" not in text:
        return text
    end = "\n" if filled else ""
    joined = re.sub(r"(?:.*=\n)+.*", lambda run: run[0].replace("=\n", "") + end * run[0].count("=\n"), text)
    return quopri.decodestring(joined.encode()).decode("utf-8", "replace")


def plain(text: str) -> str:
    """The text without the marks of quotes, as long as before: every blank is a space, every blank line a NUL."""
    text = re.sub(r"(?m)^[ \t]*(?:> ?)+(?!=)", lambda mark: " " * len(mark[0]), text)
    return re.sub(r"\s", " ", re.sub(r"\n(?=[ \t\r]*\n)", "\x00", text))


def figures(text: str) -> Figures:
    """Every number but zeros, of each job and direction."""
    text = plain(unquoted(text, filled=False))
    jobs = list(JOB.finditer(text))
    found: Figures = Counter()
    for number, (job, following) in enumerate(pairwise([*jobs, None])):
        assert job is not None
        if following and _has_a_later_report(text, jobs, number):
            continue
        stop = following.start() if following else len(text)
        end = END.search(text, job.end(), stop)
        for key, value in _of_job(text[job.end() : end.start() if end else stop]):
            if value or key[2] == "sd" or key[0] == "cpu":
                found[(number, *key), float(f"{value:.9g}")] += 1
    for key, value in _of_groups(text, jobs):
        found[key, float(f"{value:.9g}")] += 1
    return found


def _of_groups(text: str, jobs: list[re.Match[str]]) -> Iterator[tuple[Key, float]]:
    """The totals of groups with several jobs."""
    before = 0
    for status in STATUS.finditer(text):
        above = [number for number, job in enumerate(jobs) if before <= job.start() < status.start()]
        if sum(jobs[number][0].startswith(f"(groupid={status[1]},") for number in above) > 1:
            for total in TOTAL.finditer(status[2]):
                step = 1024 if total[2] or total[5] else 1000
                throughput = float(total[3]) * step ** " kmgtp".index(total[4].lower() or " ")
                last = sum(job.start() < status.start() for job in jobs) - 1
                yield (last, total[1].lower(), "throughput samples", "total"), throughput
                yield (last, total[1].lower(), "elapsed samples", "total"), float(total[6]) / 1000
        if not re.match(r"\s*\x00?\s*Run status", text[status.end() :]):
            before = status.end()


def _has_a_later_report(text: str, jobs: list[re.Match[str]], number: int) -> bool:
    """Whether the same process has a further report, behind the status of its group (--status-interval)."""
    job = jobs[number]
    later = next((other for other in jobs[number + 1 :] if other.groups() == job.groups()), None)
    between = text[job.end() : later.start()] if later else ""
    return "Run status group" in between and ": (g=" not in between


def _of_job(text: str) -> Iterator[tuple[tuple[str, str, str], float]]:
    begins = list(BEGIN.finditer(text))
    cpu = CPU.search(text) if begins else None  # else the job did nothing
    if cpu:
        yield ("cpu", "user", ""), float(cpu[1]) / 100
        yield ("cpu", "system", ""), float(cpu[2]) / 100
    seen: set[str] = set()
    for begin, following in pairwise([*begins, None]):
        assert begin is not None
        direction = begin[1] or "sync"
        if direction in seen:  # not of this job
            return
        seen.add(direction)
        body = text[begin.start() : following.start() if following else len(text)]
        for kind, statistic, value in _of_direction(body, direction):
            yield (direction, kind, statistic), value


def _of_direction(text: str, direction: str) -> Iterator[tuple[str, str, float]]:
    if direction != "sync":
        of_old = "iops=" in text and "IOPS=" not in text
        for kind, statistic, form in RATES:
            match = form.search(text)
            if match and not (of_old and kind == "throughput" and match[3]):  # fio 1.1x prints kB/s as KiB/s
                yield kind, statistic, _base(kind, match, of_old)
    decimal = re.search(r"BW=[\d.]+[kKMGTP]?B/s", text) is not None
    for match in LATENCY.finditer(text):
        unit = SECONDS[match[2]]
        for statistic, digits, letter in zip(STATISTICS, match.groups()[2::2], match.groups()[3::2]):
            yield KINDS[match[1]], statistic, float(digits) * _thousands(letter) * unit
    for match in PERCENTILES.finditer(text):
        for share, digits, letter in SHARE.findall(match[3]):
            value = float(digits) * _thousands(letter) * SECONDS[match[2]]
            yield KINDS[match[1] or "clat"], str(float(share)), value
    for match in SAMPLES.finditer(text):
        kind = "rate samples" if match[1] else "throughput samples"
        step = 1000 if decimal else 1024
        unit = 1.0 if match[1] else step ** " KMGT".index(match[2] or " ") / (8 if match[4] == "bit" else 1)
        if float(match[7]):
            for statistic, digits, letter in zip(STATISTICS, match.groups()[4::2], match.groups()[5::2]):
                yield kind, statistic, float(digits) * _thousands(letter) * unit


def _base(kind: str, match: re.Match[str], of_old: bool) -> float:
    if kind != "throughput":
        return float(match[1]) * (_thousands(match[2]) if kind == "rate" else 1e-3)
    step = 1024 if of_old or match[3] else 1000
    return float(match[1]) * step ** " KMGTP".index(match[2].upper() or " ") / (8 if match[4].startswith("b") else 1)


def _thousands(letter: str) -> float:
    return float(1000 ** " kmgtp".index(letter.lower() or " "))


def of_parsed(parsed: Parsed, text: str) -> Figures:
    """The values of the parser under the same keys; the line of a value says which job it belongs to."""
    text = re.sub(r"(?m)^[ \t]*(?:> ?)+(?!=)", lambda mark: " " * len(mark[0]), unquoted(text, filled=True))
    jobs = [text.count("\n", 0, job.start()) + 1 for job in JOB.finditer(re.sub(r"[^\S\n]", " ", text))]
    found: Figures = Counter()
    for result in parsed.results:
        for line, value in zip(result.lines, result.values):
            if value is not None:
                key = _key(result.test.removeprefix("random_"), result.metric, dict(result.params))
                found[(bisect(jobs, line) - 1, *key), float(f"{value:.9g}")] += 1
    return found


def _key(direction: str, metric: str, params: dict[str, object]) -> tuple[str, str, str]:
    if metric == "cpu_of_one_core":
        return "cpu", str(params["cpu"]), ""
    view = str(params.get("view", ""))
    if not metric.startswith("latency"):
        return direction, f"{metric} samples" if view else metric, view
    kind = str(params["latency"])
    if metric in ("latency_min", "latency_max", "latency_mean"):
        return direction, kind, view or metric.removeprefix("latency_")
    if metric == "latency_percentile":
        return direction, kind, str(float(str(params["percentile"])))
    digits = metric.removeprefix("latency_p")
    return direction, kind, str(float(f"{digits[:2]}.{digits[2:]}"))
