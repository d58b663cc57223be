"""The sentences for warnings, reasons and judgements, for every page and every export.

The data have codes and numbers. The templates describe what happened and, if possible, what to do about it.
"""

from __future__ import annotations

from benchdb.stats.comparing.verdict import NoVerdict
from benchdb.stats.trust.cache import CacheJudgement, CacheReason
from benchdb.stats.trust.clock import ClockVerdict

from .rounding import to_places
from .summary.diagnosis import undetectable
from .warning import PlainNumber, StatisticsWarning, WarningCode

WARNINGS: dict[WarningCode, str] = {
    WarningCode.NO_VALUES: "No round gave a value.",
    WarningCode.ONE_VALUE: "There is only one value, so its spread is unknown. Measure more rounds.",
    WarningCode.N_UNKNOWN: "The source does not state the number of values behind the mean.",
    WarningCode.MISSING_ROUNDS: "{missing} of {rounds} rounds gave no value. See the rounds for what went wrong.",
    WarningCode.OUT_OF_RANGE: "{count} values were infinite or beyond 1e100 and were left out.",
    WarningCode.ZERO_VARIANCE: ("All {n} values are equal because the tool rounds them. Measure longer."),
    WarningCode.OUTLIERS: ("Outlier: {rounds}. Included in all figures; compare the median."),
    WarningCode.WARM_UP: "The first value is far from the others. Add a warm-up round to the plan.",
    WarningCode.DRIFT: (
        "The values drift: {change} from the first round to the last (p = {p:.2g}). "
        "Conditions changed between rounds, so the intervals are not reliable."
    ),
    WarningCode.AUTOCORRELATED: (
        "A value depends on the one before it (lag-1 autocorrelation {coefficient:+.2f}, p = {p:.2g}), "
        "so the intervals are not reliable. Prepare the target again before each round."
    ),
    WarningCode.MULTIMODAL: (
        "The values have more than one level (dip test, p = {p:.2g}), so the mean may be "
        "a value that no round had. Look at the values by round."
    ),
    WarningCode.WITHIN_ONE_RUN: ("Within one run: variation between runs, or from day to day, is not included."),
    WarningCode.MOMENTS_ONLY: "Computed from mean, sd and n, because one side has no single values.",
    WarningCode.NOT_ALL_POSITIVE: "Computed without logarithms, because some values are not above 0.",
    WarningCode.RANKS_DISAGREE: (
        "Welch's test (p = {p:.2g}) and Mann–Whitney's (p = {p_ranks:.2g}) disagree. Look at the values by round."
    ),
    WarningCode.RESTS_ON_ONE_ROUND: (
        "Rests on {rounds}{side}: without it, the difference would not be significant. Measure more rounds."
    ),
    WarningCode.RESTS_ON_ONE_TEST: "Rests on {test}: without it, the 95 % interval contains no difference.",
    WarningCode.FIXED_ORDER: (
        "Every round had the same order, so an effect of one measurement on the next looks like a difference. "
        'Measure with order = "rotated".'
    ),
    WarningCode.POSITION: (
        "Values depend on the position in the round: {change} from one to the next (p = {p:.2g}). "
        "Look for what changes during a round, such as temperature or a disk that still writes."
    ),
}

NO_VERDICTS: dict[NoVerdict, str] = {
    NoVerdict.FAILED: "The test failed.",
    NoVerdict.MIXED: "One side has runs of unlike machines, disks or workloads, which have no common figure.",
    NoVerdict.COMPUTING: "The statistics of one side are still being computed.",
    NoVerdict.CLOCK: "The measured time is less than 10 ticks of the tool's clock. Use a larger file.",
    NoVerdict.NOT_MEASURED: "One side was not measured.",
    NoVerdict.CACHE: "One side measured memory, the other the device. These cannot be compared.",
    NoVerdict.N_UNKNOWN: "The number of values is unknown.",
    NoVerdict.TOO_FEW_VALUES: "One value is not enough. Measure at least two rounds.",
    NoVerdict.NO_SD: "The standard deviation is unknown.",
    NoVerdict.NOT_POSITIVE: "A mean is not above 0, so there is no ratio.",
    NoVerdict.NO_VARIATION: "No value differs from its mean on either side, so there is nothing to test against.",
}

DETECTED: dict[WarningCode, str] = {
    WarningCode.OUTLIERS: "outliers",
    WarningCode.DRIFT: "drift",
    WarningCode.AUTOCORRELATED: "dependence on the previous value",
    WarningCode.MULTIMODAL: "several levels",
}

CACHE: dict[CacheReason, str] = {
    CacheReason.IN_MEMORY: "The file system, or the disk below it, is memory.",
    CacheReason.DEVICE_BYTES: "The device moved {share} of the bytes that the test requested.",
    CacheReason.PARTS_OF_PAGES: (
        "Records are smaller than a page of memory. The device moved {share} of the bytes, in whole pages, "
        "so {requests} of the requests reached it and the others found their page in memory."
    ),
    CacheReason.READ_AHEAD: (
        "The device read {share} of the bytes that the test requested. "
        "Because of this read-ahead, the share of requests that memory served is not known."
    ),
    CacheReason.COMPRESSED: (
        "The device moved {share} of the bytes that the test requested, but the file system compresses, "
        "so a cache may have served the rest."
    ),
    CacheReason.DAX: "The file system is mounted with DAX: programs use its persistent memory without a page cache.",
    CacheReason.DIRECT: "The test bypassed the page cache (O_DIRECT).",
    CacheReason.DIRECT_UNSURE: (
        "The test requested O_DIRECT, but this file system may have used the page cache nevertheless."
    ),
    CacheReason.OWN_CACHE: (
        "The file system has its own cache, which neither O_DIRECT nor dropping the page cache reliably bypasses."
    ),
    CacheReason.ONE_RECORD: "The test writes the same record repeatedly, so it stays in memory.",
    CacheReason.DROPPED: "The caches were empty when the test began to read.",
    CacheReason.FLUSHED: "The measured time includes writing to the device.",
    CacheReason.LARGER_THAN_MEMORY: "The file is {times} the memory.",
    CacheReason.PARTLY_IN_MEMORY: "The file is {times} the memory, so up to {share} of it was in memory.",
    CacheReason.MEMORY_MAY_HOLD: (
        "The file is {times} the memory, so anything from none to {share} of it was in memory."
    ),
    CacheReason.FITS_IN_MEMORY: "The file is {times} the memory, so it fits there.",
    CacheReason.CONTROLLER_CACHE: "The file is only {times} the RAID controller's cache.",
    CacheReason.HOST_MAY_CACHE: "The host of this guest, or the file behind a loop device, may cache data.",
    CacheReason.SERVER_MAY_CACHE: "The server that stores the file may cache it.",
    CacheReason.DAEMON_MAY_CACHE: "The program behind this file system (FUSE) may cache data.",
    CacheReason.FAST_DEVICE: "A faster device caches the data of a slower one, and either may have served the test.",
    CacheReason.FASTER_THAN: (
        "This test was {ratio:.3g} times as fast as {slower} in the same run. Both cannot have come from the device, "
        "so a cache may have served part of this test."
    ),
    CacheReason.SIZE_SAYS_NOTHING: "No evidence shows whether a cache served this test.",
    CacheReason.SIZE_UNKNOWN: "The size of the file is unknown.",
    CacheReason.MEMORY_UNKNOWN: "The size of the memory is unknown.",
}

MILLION = 1_000_000
CLOCK: dict[ClockVerdict, str] = {
    ClockVerdict.FINE: "{ticks} clock ticks.",
    ClockVerdict.COARSE: "{ticks} clock ticks, so ± {error} %.",
    ClockVerdict.UNUSABLE: "{ticks} clock ticks, so ± {error} %, too coarse for a verdict.",
    ClockVerdict.UNKNOWN: "The tool's clock or the measured time is unknown.",
}


def warning_sentence(warning: StatisticsWarning) -> str:
    """The sentence of a warning; it counts rounds from 1."""
    numbers = {name: _in_words(name, value) for name, value in warning.numbers.items()}
    return WARNINGS[warning.code].format(**numbers)


def too_few_sentence(n: int, repeated: str = "round") -> str | None:
    """`3 rounds are too few to detect drift or several levels.`; None if n suffices, or is below 2."""
    names = [DETECTED[code] for code in undetectable(n)] if n > 1 else []
    if not names:
        return None
    listed = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{n} {repeated}s are too few to detect {listed}."


def cache_sentence(judgement: CacheJudgement, *, slower: str = "") -> str:
    """The reason for a cache verdict; `slower` is the other test of a contradiction, as people read it."""
    numbers = {name: _in_words(name, value) for name, value in judgement.numbers.items()}
    return CACHE[judgement.reason].format(**numbers, slower=slower)


def clock_sentence(verdict: ClockVerdict, ticks: float | None) -> str:
    """The resolution of the clock for a cell; `ticks` is None only if the verdict is unknown."""
    if ticks is None:
        return CLOCK[ClockVerdict.UNKNOWN]
    # Below one tick the clock may have measured nothing: the error is at least 100 %.
    error = "" if verdict is ClockVerdict.FINE else _about(100 / max(ticks, 1))
    many = f"{ticks / MILLION:.0f} million" if ticks >= MILLION else _about(ticks)
    return CLOCK[verdict].format(ticks=many, error=error)


def _about(number: float) -> str:
    return to_places(number, 0 if number >= 10 else 1)


def _in_words(name: str, value: PlainNumber | str | tuple[int, ...]) -> PlainNumber | str:
    """The text of rounds and shares; names and other numbers are unchanged, because the templates format them."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return f"round{'s' if len(value) > 1 else ''} " + ", ".join(str(index + 1) for index in value)
    if name == "change":
        return f"{100 * value:+.1f} %".replace("-", "−")
    if name == "side":
        return " of the baseline" if value else ""
    if name in ("share", "requests"):
        return f"{100 * value:.0f} %"
    return _times(value) if name == "times" else value


def _times(ratio: float) -> str:
    """`0.062 times`: two significant digits, unless the ratio is below 0.01 or at least 10."""
    if ratio < 0.01:
        return "less than 0.01 times"
    return f"{ratio:.0f} times" if ratio >= 10 else f"{ratio:.2g} times"
