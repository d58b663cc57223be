"""The text of a distribution, compared with HdrHistogram's own library."""

from base64 import b64decode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchagent.formats.packing.histogram import LONGEST, as_packed_histogram, packed_histogram
from tests.stats.distributions.hdr import counts_of

COUNTS = st.dictionaries(st.integers(0, 10**15), st.integers(1, 2**40), min_size=1, max_size=40)


@settings(max_examples=25, deadline=None)
@given(COUNTS)
def test_the_library_reads_every_operation_at_its_latency(counts: dict[int, int]) -> None:
    text = packed_histogram(counts)
    read = counts_of(text)
    assert as_packed_histogram(text) == text
    assert sum(read.values()) == sum(counts.values())
    for latency in counts:
        assert min(abs(latency - other) for other in read) <= latency / 2000


def test_latencies_of_one_bucket_are_added_up() -> None:
    assert counts_of(packed_histogram({2047: 1, 1_000_000: 2, 1_000_001: 3})) == {2047: 1, 1_000_192: 5}


@pytest.mark.parametrize(
    "text", [None, 5, "", "HISTFAAAAB", "HISTEw?", "HISTEw\n", "HISTEwAA" + "A" * LONGEST, {"HISTEw": 1}]
)
def test_other_things_are_no_distributions(text: object) -> None:
    assert as_packed_histogram(text) is None


def test_the_encoding_is_not_compressed() -> None:
    assert b64decode(packed_histogram({5: 1}))[:4] == bytes.fromhex("1c849313")
