"""Sizes and durations in plans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.toml.quantities import format_duration, format_size, parse_duration, parse_size


@pytest.mark.parametrize(
    ("written", "size"),
    [
        (4096, 4096),
        ("4096", 4096),
        ("4096 B", 4096),
        ("64K", 65536),
        ("64 KiB", 65536),
        ("64 kib", 65536),
        ("1.5 GiB", 3 * 2**29),
        (" 1 TiB ", 2**40),
    ],
)
def test_reads_sizes(written: object, size: int) -> None:
    assert parse_size(written) == size


@pytest.mark.parametrize(
    "written", [0, -1, True, 1.5, "", "K", "1 KB", "0", "1.3 B", "-4K", "1e3", None, "9" * 400, 2**63]
)
def test_refuses_what_is_no_size(written: object) -> None:
    with pytest.raises(ValueError, match=r"size|bytes"):
        parse_size(written)


@given(st.integers(1, 2**53))
def test_a_size_written_is_read_again(size: int) -> None:
    assert parse_size(format_size(size)) == size


@pytest.mark.parametrize(
    ("written", "seconds"), [(90, 90.0), (0.5, 0.5), ("110 s", 110.0), ("2 min", 120.0), ("2m", 120.0), ("1 h", 3600.0)]
)
def test_reads_durations(written: object, seconds: float) -> None:
    assert parse_duration(written) == seconds


@pytest.mark.parametrize("written", [0, -1, True, "", "0 s", "1 day", "soon", float("inf"), float("nan"), "9" * 400])
def test_refuses_what_is_no_duration(written: object) -> None:
    with pytest.raises(ValueError, match="a time such as"):
        parse_duration(written)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 m 0 s"), (282, "4 m 42 s"), (7500, "2 h 5 m")],
)
def test_says_durations(seconds: float, said: str) -> None:
    assert format_duration(seconds) == said
