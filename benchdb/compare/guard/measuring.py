"""Facts of the measurement: tool, parameters, protocol, and the state of the file system before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchdb.compare.query.dimensions import ASKED_OF_AGING
from benchdb.runs.models import Run
from benchdb.runs.models.json_columns import StoredEvidence, StoredProtocol, StoredRound, StoredState
from benchdb.runs.page.disturbances import LARGE_SHARE
from benchdb.wording.numbers import plural, say_number

from .fact import SKIP, Guarded, GuardedFact, GuardedFamily, GuardedOptions, OfValues, Skip, apart, within
from .file_system import arguments, of_file_system
from .wording import say_hz, say_share

FILL_STEP = 0.05  # a fill level that differs by less than this share of the file system is no difference
SEVERE_FILL = 0.25
FREQUENCY_STEP, SEVERE_FREQUENCY = 0.03, 0.10  # of the greater frequency
FEW_FILES = 1000  # more than mkfs and the test itself make
EXTENTS_STEP = 0.1
HEALTHY = {"healthy", "clean", "active", "active-idle", "write-pending"}
# Parameters about reporting and choice of tests, not about the way of measuring.
MILD = frozenset({"tests", "no_latencies", "report_distributions", "auto"})


def of_tool(run: Run) -> str:
    """The tool: versions, parameters and command lines are compared only within one."""
    return run.tool


def _of_program(run: Run) -> str:
    """The tool, with the file system if each file system has a program of its own (mkfs, checks)."""
    return f"{run.tool} of {run.target.file_system}" if run.tool in ("mkfs", "maintenance") else of_tool(run)


def _protocol(run: Run) -> StoredProtocol:
    facts: StoredProtocol = run.protocol
    return facts


def _state(run: Run) -> StoredState:
    facts: StoredState = run.state_before
    return facts


def _evidence(run: Run) -> list[StoredEvidence]:
    """The evidence of each round."""
    rounds: list[StoredRound] = run.rounds
    return [round_.get("evidence") or {} for round_ in rounds]


def _machine(run: Run) -> tuple[str, int, str]:
    """The name first, which two machines can share; owner and id identify a machine."""
    return run.machine.name, run.machine.owner_id, run.machine.machine_id


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


def _extents(run: Run) -> float | None:
    return (_state(run).get("layout") or {}).get("extents_per_file")


def _free_fragments(run: Run) -> int | None:
    return (_state(run).get("layout") or {}).get("free_fragments")


def _aging(run: Run) -> str:
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


TOOL: list[Guarded] = [
    GuardedFact("tool", "tool", of_tool, severe=True),
    GuardedFact("machine", "machine", _machine, "run", lambda machine: machine[0], severe=True),
    GuardedFact("cache", "cache regime", lambda run: run.cache_regime, severe=True),
]
MEASURING: list[Guarded] = [
    GuardedFact("tool_version", "tool version", lambda run: run.tool_version, severe=True, of_kind=_of_program),
    GuardedFamily("parameter", "", lambda run: run.parameters, "run", "default", True, MILD, _of_program),
    GuardedOptions("command", "command", _command, severe=True, of_kind=of_tool),
    GuardedFact("prepare", "preparation", lambda run: _protocol(run).get("prepare"), severe=True),
    GuardedFact("aging", "aging", _aging, severe=True),
    GuardedFact("fill", "fill level", lambda run: _state(run).get("fill"), "run", say_share,
         lambda v: max(v) - min(v) >= SEVERE_FILL, _close(FILL_STEP)),
    GuardedFact("files", "files before", lambda run: _state(run).get("files"), "run", lambda n: say_number(n, 0),
         same=_few_or_alike),
    GuardedFact("extents", "extents a file before", _extents, "run", lambda n: f"{n:.3g}",
         same=lambda v: max(v) - min(v) <= EXTENTS_STEP * max(v)),
    GuardedFact("free_fragments", "free fragments before", _free_fragments, "run", lambda n: say_number(n, 0),
         same=_few_or_alike, of_kind=of_file_system),
    GuardedFact("arrays", "arrays", _arrays, severe=True),
    GuardedFact("disturbances", "disturbances", _disturbed, severe=True),
    GuardedFact("load", "other load", _load, "run", say_share,
         lambda v: max(v) - min(v) >= 5 * LARGE_SHARE, _close(LARGE_SHARE)),
    GuardedFact("frequency_inside", "processor frequency in the rounds", _sampled("frequency_inside"), "run", say_hz,
         apart(SEVERE_FREQUENCY), within(FREQUENCY_STEP)),
    GuardedFact("stolen_inside", "processors stolen by the hypervisor", _sampled("stolen_inside"), "run",
         lambda n: say_number(n, 2), lambda v: max(v) - min(v) >= 5 * LARGE_SHARE, _close(LARGE_SHARE)),
    GuardedFact("order", "order of rounds", lambda run: _protocol(run).get("order")),
    GuardedFact("warm_up", "warm-up", lambda run: _protocol(run).get("warmup_discarded"), "run", _warm_ups),
]  # fmt: skip
LAST: list[Guarded] = [
    GuardedFact("ended_by", "rounds ended by", _ended_by),
    GuardedFact("agent_version", "agent", lambda run: run.agent_version),
]
