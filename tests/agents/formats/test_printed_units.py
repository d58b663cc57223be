"""Values beside their raw text, in the unit in which a tool most likely printed them."""

import pytest

from benchagent import formats
from benchagent.formats import printed_units as shown
from tests.agents.formats.texts import golden


@pytest.mark.parametrize(
    ("printed", "per", "unit", "text"),
    [
        (49695, 1024, "KiB/s", "49695"),
        (5997922.12, 1024, "KiB/s", "5997922.12"),
        (44.7, 1024**2, "MiB/s", "44.7"),
        (45.1, 1e6, "MB/s", "45.1"),
        (407578737, 1, "MiB/s", "388.70"),  # in none of these units: five digits
        (0.4, 1, "MiB/s", "0.00000038147"),
    ],
)
def test_throughput_has_the_digits_of_the_text(printed: float, per: float, unit: str, text: str) -> None:
    assert shown._unit("throughput", "B/s", [printed * per]) == unit
    assert shown.say(printed * per, unit) == text


def test_latencies_are_in_microseconds_and_shares_in_percent() -> None:
    units = {
        ("latency_max", "s"): ("µs", 0.020966, "20966"),
        ("elapsed", "s"): ("s", 282.252, "282.252"),
        ("cpu_of_one_core", "ratio"): ("%", 0.99, "99"),
        ("extents_per_file", "ratio"): ("ratio", 1.3, "1.3"),
        ("rate", "op/s"): ("op/s", 28018.0, "28018"),
    }
    for (metric, base), (unit, value, text) in units.items():
        assert shown._unit(metric, base, [value]) == unit
        assert shown.say(value, unit) == text
    assert shown.say(0.0, "s") == "0"


def test_one_unit_a_metric() -> None:
    parsed = formats.parse(golden("ffsb-create_16t.txt"))
    units = shown.units(parsed.results)
    assert set(units) == {each.metric for each in parsed.results}
    assert (units["throughput"], units["cpu_of_one_core"]) == ("MiB/s", "%")
