"""OpenMetrics, read back by the parser of its reference library."""

import pytest
from django.contrib.auth.models import User
from prometheus_client.core import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from benchdb.exports.contents import cells
from benchdb.exports.formats import FORMATS
from benchdb.wording.clean import clean
from tests.support.comparing.exported import FROZEN, HOSTILE, KINDS, Kind, a_table, saying
from tests.support.documents import MIB


def families(written: object) -> dict[str, Metric]:
    assert isinstance(written, bytes)
    return {family.name: family for family in text_string_to_metric_families(written.decode())}


def test_a_gauge_has_unit_labels_and_interval(owner: User) -> None:
    found = families(FORMATS["metrics"].export(a_table(owner), FROZEN))

    mean = found["benchdb_throughput_bytes_per_second"]
    assert (mean.type, mean.unit) == ("gauge", "bytes_per_second")
    [xfs] = [each for each in mean.samples if each.labels | {"title": ""} == LABELS]
    assert xfs.value == pytest.approx(120 * MIB)
    assert {"benchdb_throughput_low_bytes_per_second", "benchdb_throughput_values"} <= set(found)


LABELS = {"title": "", "split": "1 MiB", "row": "xfs", "column": "Write"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_measured_cell_is_there_once(owner: User, kind: Kind) -> None:
    content = kind(owner)

    found = families(FORMATS["metrics"].export(content, FROZEN))

    measured = [
        placed.cell.n for placed in cells(content) if placed.cell.mean is not None and placed.cell.n is not None
    ]
    assert sum(len(family.samples) for name, family in found.items() if name.endswith("_values")) == len(measured)


@pytest.mark.parametrize("words", HOSTILE)
def test_hostile_words_stay_words(owner: User, words: str) -> None:
    found = families(FORMATS["metrics"].export(saying(a_table(owner), words), FROZEN))

    samples = found["benchdb_throughput_bytes_per_second"].samples
    assert {sample.labels["title"] for sample in samples} == {clean(words)}
