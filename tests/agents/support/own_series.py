"""What every document with a tool's own series must have."""

from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS
from tests.ingest.sent import SentRun


def assert_work_over_time(document: SentRun, test: str) -> None:
    """The tool's own series of each round are inside the samples of the machine, and have nearly all of its work."""
    values = {result.metric: result.values for result in document.results if result.test == test}
    for number in range(len(document.rounds)):
        series = {(each.name, each.test): each for each in document.series if each.round == number}
        assert {("operations", test), ("bytes", test), ("latency_max", test)} <= series.keys()
        own, cpu = series["operations", test], series["cpu_user", None]
        points = unpacked(own.packed, MOST_POINTS)
        end = cpu.start + cpu.step * len(unpacked(cpu.packed, MOST_POINTS))
        assert 0 < own.start < own.start + own.step * len(points) < end
        rates, elapsed = values["rate"], values["elapsed"]
        assert rates is not None
        assert elapsed is not None
        assert 0.8 < points[-1] / ((rates[number] or 0) * (elapsed[number] or 0)) <= 1.0001
