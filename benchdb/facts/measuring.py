"""The facts of the measurement: parameters, protocol, and the state of the file system before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from benchdb.wording.numbers import plural, say_number
from benchdb.wording.words import settings_in_words

from .fact import Fact
from .file_system import of_file_system
from .guarding import SKIP, Guard, GuardFamily, GuardOptions, OfValues, Skip, Weight, apart, within
from .options import arguments, settings_value
from .run import Run
from .stored import StoredEvidence, StoredProtocol, StoredRound, StoredState
from .words import say_hz, say_share
from .workload import of_program, of_tool

LARGE_SHARE = 0.05
"""The noise score from which a warning appears: other load took a twentieth of the machine or of the bytes moved."""
AGED = "aged"
ASKED_OF_AGING = ("profile", "fullness_asked", "overwrites_asked")
NOT_DETECTED = ("declared", "published", "inferred")
FILL_STEP = 0.05  # a fill level that differs by less than this share of the file system is no difference
SEVERE_FILL = 0.25
FREQUENCY_STEP, SEVERE_FREQUENCY = 0.03, 0.10  # of the greater frequency
FEW_FILES = 1000  # more than mkfs and the test itself make
EXTENTS_STEP = 0.1
HEALTHY = {"healthy", "clean", "active", "active-idle", "write-pending"}
# Parameters about reporting and choice of tests, not about the way of measuring.
MILD = frozenset({"tests", "no_latencies", "report_distributions", "auto"})


def _protocol(run: Run) -> StoredProtocol:
    facts: StoredProtocol = run.protocol
    return facts


def _state(run: Run) -> StoredState:
    facts: StoredState = run.state_before
    return facts


def rounds_of(run: Run) -> list[StoredRound]:
    """The rounds; of a run that was read `in_short`, their positions, noise scores and disturbances only."""
    short: list[StoredRound] | None = getattr(run, "short_rounds", None)
    return run.rounds if short is None else short


def _evidence(run: Run) -> list[StoredEvidence]:
    """The evidence of each round."""
    return [round_.get("evidence") or {} for round_ in rounds_of(run)]


def _command(run: Run) -> list[str]:
    """The options of the command line, if the parameters of the tool are not known."""
    return [] if run.parameters else arguments(run.command[1:])


def _ended_by(run: Run) -> str | None:
    """`rounds`; with the requested precision, if the rounds had one."""
    ended, precision = _protocol(run).get("ended_by"), _protocol(run).get("precision")
    return ended and (f"{ended.replace('_', ' ')}, asked for ± {100 * precision:g} %" if precision else ended)


def _close(step: float) -> OfValues[float]:
    return lambda values: max(values) - min(values) < step


def _few_or_alike(counts: Sequence[float]) -> bool:
    return max(counts) < FEW_FILES or max(counts) <= 2 * min(counts)


def _fill(run: Run) -> int | None:
    """The fill level, rounded to 5 %, because two file systems are never filled equally to the last block."""
    fill = _state(run).get("fill")
    return None if fill is None else 5 * round(20 * fill)


def _aging(run: Run) -> str | None:
    """The settings of the aging; its other keys are results, which depend on the file system."""
    aging = _state(run).get("aging") or {}
    asked = {key.removesuffix("_asked"): aging[key] for key in ASKED_OF_AGING if key in aging}
    return settings_value(asked) or (AGED if aging else None)


def _say_aging(value: str) -> str:
    return value if value == AGED else f"{AGED}, {settings_in_words(value)}"


def _extents(run: Run) -> float | None:
    return (_state(run).get("layout") or {}).get("extents_per_file")


def _free_fragments(run: Run) -> int | None:
    return (_state(run).get("layout") or {}).get("free_fragments")


def _aging_in_words(run: Run) -> str:
    aging = _state(run).get("aging") or {}
    settings = [f"{key.removesuffix('_asked')} {aging[key]}" for key in ASKED_OF_AGING if key in aging]
    return ", ".join(settings) or ("aged" if aging else "not aged")


def _arrays(run: Run) -> str:
    """The states of the machine's arrays, such as a rebuild, that are not healthy."""
    arrays = _state(run).get("arrays") or []
    states = {state for array in arrays if (state := array.get("state"))} - HEALTHY
    return ", ".join(sorted(states)) or "at rest"


def _load(run: Run) -> float | None:
    """The mean noise score of the rounds that have one."""
    noise = [(evidence.get("noise") or {}).get("score") for evidence in _evidence(run)]
    scores = [score for score in noise if isinstance(score, int | float)]
    return sum(scores) / len(scores) if scores else None


def _disturbed(run: Run) -> str:
    """The kinds of disturbance during the rounds of the run."""
    counts_of_rounds = [evidence.get("disturbances") or {} for evidence in _evidence(run)]
    kinds = {kind.replace("_", " ") for counts in counts_of_rounds for kind, count in counts.items() if count}
    return ", ".join(sorted(kinds)) or "undisturbed"


def _sampled(name: str) -> Callable[[Run], float | Skip]:
    """A figure of the samples of a run (`with_conditions`). Runs without samples are not compared."""

    def of(run: Run) -> float | Skip:
        figure: float | None = getattr(run, name, None)
        return SKIP if figure is None else figure

    return of


def _warm_ups(number: int) -> str:
    return f"{plural(number, 'round')} discarded" if number else "none"


def _provenance(run: Run) -> list[str]:
    """The facts that a person declared or published, and the facts that the machine contradicts."""
    texts = []
    for facts in (run.environment.facts, run.target.facts):
        texts += [
            f"{_words(pointer)} {how}"
            for pointer, how in (facts.get("provenance") or {}).items()
            if how in NOT_DETECTED
        ]
        texts += [f"{_words(clash['fact'])} contradicted" for clash in facts.get("contradictions") or []]
    return sorted(texts)


def _words(pointer: str) -> str:
    """`/raid_arrays/0/chunk` → `raid arrays chunk`."""
    return " ".join(part.replace("_", " ") for part in pointer.split("/") if part and not part.isdecimal())


MEASURING = (
    Fact("parameter.*", "",
         guard=GuardFamily(weight=Weight.MEASURING, of=attrgetter("parameters"), absent="default", severe=True,
                           mild=MILD, of_kind=of_program)),
    Fact("command", "command",
         guard=GuardOptions(weight=Weight.MEASURING, of=_command, severe=True, of_kind=of_tool)),
    Fact("prepare", "preparation",
         guard=Guard(weight=Weight.MEASURING, of=lambda run: _protocol(run).get("prepare"), severe=True)),
    Fact("fill", "fill level", _fill, kind="number", say=lambda percent: f"about {percent} %", noun="{} full",
         guard=Guard(weight=Weight.STATE, of=lambda run: _state(run).get("fill"), say=say_share,
                     severe=lambda values: max(values) - min(values) >= SEVERE_FILL, same=_close(FILL_STEP))),
    Fact("aging", "aging", _aging, say=_say_aging, absent="not aged",
         guard=Guard(weight=Weight.MEASURING, of=_aging_in_words, say=str, severe=True),
         follow="fill files extents free_fragments"),
    Fact("files", "files before",
         guard=Guard(weight=Weight.STATE, of=lambda run: _state(run).get("files"), say=lambda n: say_number(n, 0),
                     same=_few_or_alike)),
    Fact("extents", "extents a file before",
         guard=Guard(weight=Weight.STATE, of=_extents, say=lambda n: f"{n:.3g}",
                     same=lambda values: max(values) - min(values) <= EXTENTS_STEP * max(values))),
    Fact("free_fragments", "free fragments before",
         guard=Guard(weight=Weight.STATE, of=_free_fragments, say=lambda n: say_number(n, 0), same=_few_or_alike,
                     of_kind=of_file_system)),
    Fact("arrays", "arrays", guard=Guard(weight=Weight.STATE, of=_arrays, severe=True)),
    Fact("disturbances", "disturbances", guard=Guard(weight=Weight.STATE, of=_disturbed, severe=True)),
    Fact("load", "other load",
         guard=Guard(weight=Weight.STATE, of=_load, say=say_share,
                     severe=lambda values: max(values) - min(values) >= 5 * LARGE_SHARE, same=_close(LARGE_SHARE))),
    Fact("frequency_inside", "processor frequency in the rounds",
         guard=Guard(weight=Weight.STATE, of=_sampled("frequency_inside"), say=say_hz, severe=apart(SEVERE_FREQUENCY),
                     same=within(FREQUENCY_STEP))),
    Fact("stolen_inside", "processors stolen by the hypervisor",
         guard=Guard(weight=Weight.STATE, of=_sampled("stolen_inside"), say=lambda n: say_number(n, 2),
                     severe=lambda values: max(values) - min(values) >= 5 * LARGE_SHARE, same=_close(LARGE_SHARE))),
    Fact("order", "order of rounds", guard=Guard(weight=Weight.STATE, of=lambda run: _protocol(run).get("order"))),
    Fact("warm_up", "warm-up",
         guard=Guard(weight=Weight.STATE, of=lambda run: _protocol(run).get("warmup_discarded"), say=_warm_ups)),
    Fact("ended_by", "rounds ended by", guard=Guard(weight=Weight.LAST, of=_ended_by)),
    Fact("agent_version", "agent", guard=Guard(weight=Weight.LAST, of=attrgetter("agent_version"))),
    Fact("provenance", "told, not detected",
         guard=GuardOptions(weight=Weight.ORIGIN, component="snapshots", of=_provenance)),
)  # fmt: skip
