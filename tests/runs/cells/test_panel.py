"""The panel of a cell: its figures, its values and the links to its evidence."""

import pytest

from benchdb.runs.cells.panel import cell_facts, exact, show_panel
from benchdb.wording.units import UNITS
from tests.support.comparing.cells import a_cell, a_verdict

MIB_S = UNITS["MiB/s"]


def test_a_panel_has_the_values_in_the_shown_unit() -> None:
    panel = show_panel(a_cell(values=[2.0**20, None, 2.0**21]), "write", MIB_S, "iozone -a")
    assert (panel["values"], panel["each"]) == ([1.0, None, 2.0], "round")
    assert panel["labels"] == ["1.00000", "no value", "2.00000"]
    assert (panel["mean"], panel["interval"], panel["command"]) == (1.0, [0.5, 2.0], "iozone -a")


def test_facts_say_n_intervals_and_the_exact_number() -> None:
    facts = dict(cell_facts(a_cell(median_low=2.0**19, median_high=2.0**21), MIB_S))
    assert (facts["n"], facts["95 % interval"]) == ("3 rounds", "0.50000 to 2.00000 MiB/s")
    assert facts["median"] == "1.00000 (0.50000 to 2.00000) MiB/s"
    assert facts["exact"].replace("\u202f", "") == "1024 KiB/s = 1048576 B/s"
    assert facts["cache"] == "device: Bypassed."


def test_the_ratio_of_means_stands_beside_a_verdict_on_geometric_means() -> None:
    verdict = a_verdict("better", ratio=1.6, ratio_of_means=1.776, method="welch_on_logarithms")
    facts = dict(cell_facts(a_cell(verdict=verdict), MIB_S))
    assert facts["ratio of means"] == "1.8× faster; compared are the geometric means"
    by_moments = a_cell(verdict=a_verdict("better", ratio=1.6, ratio_of_means=1.6, method="welch_on_moments"))
    assert "ratio of means" not in dict(cell_facts(by_moments, MIB_S))


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (282.252, "s", "282.252 s = 4 m 42.252 s"),
        (1630.0, "min", "1\u202f630 s = 27 m 10 s"),
        (59.9, "s", "59.9 s"),
        (2.0**20, "MiB/s", "1\u202f024 KiB/s = 1\u202f048\u202f576 B/s"),
        (389.2, "op/s", "389.2 op/s"),
    ],
)
def test_an_exact_figure_is_said_as_tools_print_it_too(value: float, unit: str, text: str) -> None:
    assert exact(value, UNITS[unit]) == text


def test_where_runs_meet_their_variances_are_apart() -> None:
    facts = dict(cell_facts(a_cell(runs=["a", "b", "c"], ordinals=[1, 2, 3], within_sd=2.0**11), MIB_S))
    assert facts["n"] == "3 runs"
    assert facts["inside runs"].startswith("sd 0.00195 MiB/s")


def test_links_lead_to_each_round_or_each_run() -> None:
    places = [{"artifact": "r1.txt", "line": 3}, None, {"artifact": "r3.txt", "line": 5}]
    of_rounds = show_panel(a_cell(places=places), "write", MIB_S)["links"]
    assert [link["text"] for link in of_rounds] == ["all figures", "round 1", "round 3"]
    assert of_rounds[2]["href"].endswith("/raw/r3.txt#L5")
    run = a_cell().runs[0]
    of_runs = show_panel(a_cell(runs=[run, run], ordinals=[1, 2]), "write", MIB_S)
    assert [link["href"] for link in of_runs["links"]] == [f"/runs/{run}/results/1/", f"/runs/{run}/results/2/"]
    assert of_runs["each"] == "run"


def test_a_failed_cell_says_its_error_and_nothing_of_caches() -> None:
    facts = cell_facts(a_cell(status="failed", mean=None, n=0, error="round 1: killed\nround 2: killed"), MIB_S)
    assert facts == [("error", "round 1: killed\nround 2: killed")]
