"""The processor time that reading runs needs, announced before the queries from counts that are stored.

The figures were measured on two busy cores (docs/cost.md); only their order of magnitude matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from benchdb.http.work import expect

from .models import Run

# Seconds for each.
QUANTITY = 1e-6  # of a parse, without its result, or with its mean
RESULT = 12e-6  # a result with its statistics
SETTING = 20e-6  # an option, a parameter, or a fact of a layer, of a run that is compared with others
SETTING_OF_SET = 2e-6  # one more comparison of such a setting, among the runs of a cell
CELL = 230e-6  # a result that is compared and shown
PLACE = 25e-6  # of a surface
POINT = 450e-6  # of a trend
VALUE = 5e-7  # of a result that is read whole
DISTRIBUTION = 100e-6  # of a round whose latencies are compared
ROUND_TOTALS = 100e-6  # of a round, its sums and means
FACT, FACT_OF_RUN, ASKED_RUN = 3e-3, 1e-6, 8e-6  # of a question: a fact, a fact of a run, a run
OPTION = 4e-6  # of the runs of a question
HISTOGRAM_BYTE = 3e-7  # of a distribution that is decoded, drawn again and written

SERIES, SAMPLE = 500e-6, 10e-6  # of a round; a sample of them in a file
DRAWN, PHASE = 300e-6, 50e-6  # a series in a chart, a test on its time axis
JUDGED = 20e-3  # a test whose changes of level are searched; of hostile figures five times that


def before_quantities(results: int) -> None:
    """Announce reading what runs with so many results measured, and no result whole. Raises MustWait."""
    expect(QUANTITY * results)


def before_settings(runs: Sequence[Run]) -> None:
    """Announce the search for the settings in which these runs differ. Raises MustWait."""
    expect(SETTING * sum(map(_settings, runs)))


def before_sets(runs: Iterable[Run], sets: Collection[Collection[str]]) -> None:
    """Announce comparing the settings of the runs of each of these sets of ids. Raises MustWait."""
    settings = {str(run.id): _settings(run) for run in runs} if sets else {}
    expect(SETTING_OF_SET * sum(settings.get(run, 0) for ids in sets for run in ids))


def _settings(run: Run) -> int:
    layers = [len(layer.get("facts", ())) for layer in run.target.facts.get("stack", ())]
    sections = (run.environment.facts, run.target.facts.get("file_system", {}))
    parts = [len(part) for section in sections for part in section.values() if isinstance(part, list)]
    return len(run.target.mount_options or ()) + len(run.parameters) + sum(layers) + sum(parts)


def before_results(runs: Iterable[Run]) -> None:
    """Announce reading all results of these runs. Raises MustWait."""
    expect(sum(run.runstate.result_count * (RESULT + VALUE * run.round_count) for run in runs))


def before_cells(results: int, values: int) -> None:
    """Announce comparing so many results with so many values together. Raises MustWait."""
    expect(CELL * results + VALUE * values)


def before_places(places: int) -> None:
    """Announce a surface of so many places. Raises MustWait."""
    expect(PLACE * places)


def before_points(results: int, values: int) -> None:
    """Announce a trend of so many results with so many values together. Raises MustWait."""
    expect(POINT * results + VALUE * values)


def before_distributions(rounds: int) -> None:
    """Announce comparing the distributions of so many rounds. Raises MustWait."""
    expect(DISTRIBUTION * rounds)


def before_histograms(packed: Iterable[bytes | None]) -> None:
    """Announce decoding these distributions. Raises MustWait."""
    expect(HISTOGRAM_BYTE * sum(len(each) for each in packed if each))


def before_series(series: int) -> None:
    """Announce unpacking so many series. Raises MustWait."""
    expect(SERIES * series)


def before_samples(samples: int) -> None:
    """Announce writing so many samples of series as text. Raises MustWait."""
    expect(SAMPLE * samples)


def before_charts(series: int, phases: int) -> None:
    """Announce drawing so many series, with so many marks of tests in all charts together. Raises MustWait."""
    expect(DRAWN * series + PHASE * phases)


def before_judged(tests: int) -> None:
    """Announce the search for changes of level in the series of so many tests. Raises MustWait."""
    expect(JUDGED * tests)


def before_totals(rounds: int) -> None:
    """Announce reading and comparing what so many rounds amount to. Raises MustWait."""
    expect(ROUND_TOTALS * rounds)


def seconds_of_facts(facts: int, runs: int, options: int) -> float:
    """The seconds in which so many options become facts, and these explain the variance between so many runs."""
    return OPTION * options + FACT * facts + runs * (ASKED_RUN + FACT_OF_RUN * facts)
