"""The files of a result's distributions, read by HdrHistogram's library or by hand."""

import csv
import io
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hdrh.histogram import HdrHistogram

from benchagent.formats import parse
from benchagent.formats.packing.histogram import packed_histogram
from tests.stats.distributions.hdr import counts_of
from tests.support.store import store_run

from .sent import FAST, with_distributions

SLOWER = {2 * latency: count for latency, count in FAST.items()}


@pytest.fixture
def base(owner: User) -> str:
    run = store_run(owner, with_distributions([FAST, None, SLOWER]))
    return f"/runs/{run.id}/results/1/latencies"


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    assert "attachment" in response["Content-Disposition"]
    return response.content.decode()


def test_csv_has_a_line_for_each_round_and_share(client: Client, base: str) -> None:
    lines = list(csv.DictReader(io.StringIO(text_of(client, f"{base}.csv"))))
    medians = [(line["round"], float(line["latency_s"])) for line in lines if line["share"] == "0.5"]
    assert medians == [("1", pytest.approx(1500e-9)), ("3", pytest.approx(3000e-9, rel=1e-3))]
    assert {line["operations"] for line in lines} == {"100000"}


def test_the_log_has_every_round_for_hdrhistogram(client: Client, base: str) -> None:
    lines = text_of(client, f"{base}.hlog").splitlines()
    assert lines[0] == "#[Histogram log format version 1.3]"
    rounds = [line.split(",") for line in lines if line.startswith("Tag=")]
    assert [fields[0] for fields in rounds] == ["Tag=round-1", "Tag=round-3"]
    decoded = [HdrHistogram.decode(fields[-1]) for fields in rounds]
    assert [each.get_total_count() for each in decoded] == [100_000, 100_000]
    assert decoded[0].get_value_at_percentile(50) == pytest.approx(1500, rel=1e-3)
    assert float(rounds[0][3]) == pytest.approx(5.0, rel=1e-3)


def test_the_log_is_read_back(client: Client, base: str) -> None:
    (mean,) = (each for each in parse(text_of(client, f"{base}.hlog")).results if each.metric == "latency_mean")
    assert (mean.test, len(mean.values)) == ("write", 2)
    assert [counts_of(packed or "") for packed in mean.histograms] == [
        counts_of(packed_histogram(counts)) for counts in (FAST, SLOWER)
    ]


def test_the_percentiles_are_those_of_all_rounds(client: Client, base: str) -> None:
    lines = text_of(client, f"{base}.hgrm").splitlines()
    assert lines[0].split() == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"]
    rows = [line.split() for line in lines if re.match(r" *\d", line)]
    assert rows[-1][:3] == ["9.998", "1.000000000000", "200000"]
    assert [float(row[1]) for row in rows] == sorted(float(row[1]) for row in rows)
    assert lines[-1].endswith("200000]")


@pytest.mark.parametrize("rest", ["latencies.svg", "latencies.", "latencies.csv.csv"])
def test_other_formats_are_404(client: Client, base: str, rest: str) -> None:
    assert client.get(base.replace("latencies", rest)).status_code == 404


def test_a_result_without_distributions_has_no_files(client: Client, base: str) -> None:
    assert client.get(base.replace("results/1", "results/0") + ".csv").status_code == 404


def test_a_private_run_shows_its_files_to_its_owner_only(client: Client, owner: User) -> None:
    run = store_run(owner, with_distributions([FAST], visibility="private"), visibility="private")
    address = f"/runs/{run.id}/results/1/latencies.csv"
    assert client.get(address).status_code == 404
    client.force_login(owner)
    assert client.get(address).status_code == 200
