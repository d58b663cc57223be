"""Sizes, rates and counts that follow from others."""

from __future__ import annotations

import pytest

from .articles import against, computed_of, outcomes

SIZES = "size arithmetic"


@pytest.mark.parametrize(
    ("statements", "agrees"),
    [
        (["file | size | 16 GB", "file | count | 1,000,000", "file | each | 1 KB"], False),
        (["file | size | 16 GB", "file | count | 16,000", "file | each | 1 MB"], True),  # units of 1000
        (["file | size | 16 GB", "file | count | 16,384", "file | each | 1 MB"], True),  # units of 1024
        (["disk | size | 202 MB", "disk | time | 3.01 s", "disk | rate | 67.10 MB/s"], True),
        (["disk | size | 202 MB", "disk | time | 3.01 s", "disk | rate | 67.50 MB/s"], False),
        (["file | size | 16 GB", "file | multiple | 2", "file | memory | 8 GB"], True),
        (["runs | count | 520", "runs | tests | 13", "runs | rounds | 10", "runs | groups | 4"], True),
        (
            ["work | operations | 3000 op/s", "work | each | 1 KiB", "work | steps | 3", "work | rate | 1000 KiB/s"],
            True,
        ),
        (
            ["work | operations | 3000 op/s", "work | each | 1 KiB", "work | steps | 3", "work | rate | 1000 Kbit/s"],
            False,
        ),
    ],
)
def test_a_law(statements: list[str], agrees: bool) -> None:
    assert outcomes(*statements) == [(SIZES, agrees)]


def test_what_is_known_of_an_object_holds_for_its_parts() -> None:
    (found,) = against("a | count | 24", "a | each | 1 GiB", "a | time | 300 s", "a / ext3 | rate | 32.7 MiB/s")

    assert found.subject == "rate of a / ext3"
    assert found.text == "rate of a / ext3: 32.7 MiB/s against 24 × 1 GiB ÷ 300 s = 85.9 MB/s (0.3992 times)."
    assert found.statements == (
        "rate of a / ext3: 32.7 MiB/s, line 4: “so it is”",
        "count of a: 24, line 1: “so it is”",
        "each of a: 1 GiB, line 2: “so it is”",
        "time of a: 300 s, line 3: “so it is”",
    )


def test_parts_of_one_object_are_not_mixed() -> None:
    assert outcomes("a / one | count | 2", "a / other | each | 3 B", "a | size | 1 B") == []


@pytest.mark.parametrize(("threads", "agrees"), [(4, False), (15, True)])
def test_threads_finish_what_they_began_before_a_time_limit(threads: int, agrees: bool) -> None:
    stated = ("a | count | 24", "a | rate | 32.7 MiB/s", "a | time limit | 300 s", "a | each | 1 GiB")
    (found,) = computed_of(*stated, f"a | threads | {threads}")  # 9.6 files at the rate, and one a thread
    assert (found.check, found.subject, found.agrees) == (SIZES, "count of a", agrees)
    assert f"at most 32.7 MiB/s × 300 s ÷ 1 GiB + {threads} begun before" in found.text
    assert len(found.statements) == 5
