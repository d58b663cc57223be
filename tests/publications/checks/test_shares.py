"""Percentages of a whole, and changes."""

from __future__ import annotations

import pytest

from benchdb.publications.data_files import FaultyArticle

from .articles import against, outcomes

RATES = ("a | rate | 590.4 MB/s", "b | rate | 9225 MB/s", "c | rate | 1466 MB/s")


@pytest.mark.parametrize(
    ("wholes", "agrees"),
    [(["rate of c"], False), (["rate of b"], True), (["rate of c", "rate of b"], True)],
)
def test_a_share_of_one_of_several_wholes(wholes: list[str], agrees: bool) -> None:
    claim = f"a | share | 6.4 % | part = 'rate of a', whole = {wholes}"
    assert outcomes(*RATES, claim)[-1] == ("percentage", agrees)


@pytest.mark.parametrize(
    ("change", "about", "agrees"), [("-38 %", 0.02, True), ("-50 %", 0.1, False), ("38 %", 0.02, False)]
)
def test_a_change(change: str, about: float, agrees: bool) -> None:
    values = ("old | CPU use | 18.7 %", "new | CPU use | 11.6 %")
    claim = f"new | change | {change} | about = {about}, before = 'CPU use of old', after = 'CPU use of new'"
    assert outcomes(*values, claim)[-1] == ("percentage", agrees)


def test_a_finding_names_every_value() -> None:
    (found,) = against(*RATES, "a | share | 6.4 % | part = 'rate of a', whole = ['rate of c']")
    assert found.text == "share of a: 6.4 % is stated, and 590.4 MB/s ÷ 1466 MB/s is 40.27 %."
    assert len(found.statements) == 3


def test_a_share_of_something_unknown_is_a_fault_of_the_file() -> None:
    with pytest.raises(FaultyArticle, match="nothing is known of the rate of d"):
        outcomes(*RATES, "a | share | 6.4 % | part = 'rate of d', whole = ['rate of b']")
