"""Samples as series of at most 600 points: the sums of counters stay exact."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.packing.series import unpacked
from benchagent.formats.sampled import MOST_POINTS
from benchagent.sampling.probe import KernelFiles, Probe
from benchagent.sampling.sampler import SampleRecorder, levels_at, sums_at

NAMES = ("device_writes", "device_in_flight")
FILES_OF_BOTH = KernelFiles("file", NAMES, (1, 1), lambda content: [int(x) for x in content.split()])


def recorded(tmp_path: Path, seconds: float) -> SampleRecorder:
    """A counter that grows by 30 a second, and a level that is the time in tenths of seconds, as often as is due."""
    path = tmp_path / "file"
    path.write_text("0 0")
    probe = Probe(FILES_OF_BOTH, [str(path)])
    probe.open()
    recorder = SampleRecorder([probe], 0.1)
    time = 0.0
    while time <= seconds + 1e-6:
        path.write_text(f"{round(30 * time)} {round(10 * time)}")
        recorder.sample(1000 + time)
        time += recorder.step
    probe.close()
    return recorder


def test_a_short_round_has_a_point_for_each_step(tmp_path: Path) -> None:
    counter, level = recorded(tmp_path, 2).series()
    assert (counter.name, counter.points, counter.step, counter.source) == ("device_writes", 20, 0.1, "file")
    assert unpacked(counter.packed, 20) == list(range(3, 63, 3))
    assert unpacked(level.packed, 20) == list(range(1, 21))


def test_a_long_round_has_fewer_points_with_the_same_sum(tmp_path: Path) -> None:
    """After 120 s every second sample is dropped, and samples are taken half as often."""
    counter, level = recorded(tmp_path, 200).series()
    points = unpacked(counter.packed, MOST_POINTS)
    assert len(points) == counter.points <= MOST_POINTS
    assert points[-1] == 6000
    assert abs(counter.points * counter.step - 200) < 1e-6
    steps = {after - before for before, after in zip([0, *points], points)}
    assert max(steps) - min(steps) <= 1
    assert unpacked(level.packed, MOST_POINTS)[-1] == 2000


TIMES = st.lists(st.floats(0.01, 1), min_size=2, max_size=50)


@given(TIMES, st.data())
def test_sums_never_fall_and_end_exactly(gaps: list[float], data: st.DataObject) -> None:
    times = [sum(gaps[: i + 1]) for i in range(len(gaps))]
    growth = data.draw(st.lists(st.integers(0, 1 << 60), min_size=len(gaps), max_size=len(gaps)))
    grown = [sum(growth[: i + 1]) for i in range(len(growth))]
    points = data.draw(st.integers(1, 60))
    step = (times[-1] - times[0]) / points
    ends = [times[0] + step * number for number in range(1, points)] + [times[-1]]
    sums = sums_at(times, grown, ends)
    assert (sums[-1], sums) == (grown[-1], sorted(sums))
    assert set(levels_at(times, grown, ends)) <= set(grown)
    assert levels_at(times, grown, ends)[-1] == grown[-1]
