"""hdparm's timings: of the device and of the cache, with and without O_DIRECT, in all versions, and failed ones."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden


def test_timings_of_one_kind_are_the_values_of_one_result() -> None:
    parsed = parse(golden("hdparm-timings.txt"))
    ok = [result for result in parsed.results if result.status == "ok"]
    values = {(result.test, result.params.get("direct")): result.values for result in ok}
    assert values[("raw_read", None)] == (133.23 * 2**20, 424.24 * 2**20)
    assert values[("raw_read", True)] == (4065.78 * 2**20,)
    assert values[("cached_read", True)] == (2748.23 * 2**20,)
    assert parsed.unread == ()


def test_a_timing_without_a_number_has_failed_in_hdparm_s_words() -> None:
    [failed] = [result for result in parse(golden("hdparm-timings.txt")).results if result.status == "failed"]
    assert (failed.error, failed.params["offset"]) == ("lseek() failed: Invalid argument", 2**30)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (" Timing buffer-cache reads:   128 MB in  0.44 seconds =290.91 MB/sec", 290.91 * 2**20),
        (" Timing O_DIRECT disk reads:   2 MB in 19.21 seconds = 106.63 kB/sec", 106.63 * 2**10),
        ("Timing buffered disk reads: 536 MB in 3.00 seconds = 178.60 MB/sec", 178.6 * 2**20),
    ],
)
def test_lines_of_other_versions(line: str, expected: float) -> None:
    assert parse(line).results[0].values == (expected,)


def test_devices_are_distinguished() -> None:
    text = "/dev/sda:\n Timing buffered disk reads: 858 MB in  3.00 seconds = 285.69 MB/sec\n"
    assert [result.params["place"] for result in parse(text + text.replace("sda", "sdb")).results] == ["sda", "sdb"]
    assert "location" not in parse(text).results[0].params


def test_settings_without_a_timing_are_refused() -> None:
    with pytest.raises(FormatError, match="no timing is there"):
        parse("/dev/sda:\n multcount = 8 (on)\n", "hdparm")
