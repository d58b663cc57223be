"""A service that does not answer is asked by one caller at a time, and by none for a moment."""

from __future__ import annotations

import pytest

from benchdb.absence import Absence
from tests.support.waiting import wait_until

LONG = 1000.0


class Away(Exception):
    """What the service raises."""


def asked(absence: Absence, error: Exception | None = None) -> bool:
    """Whether the service was asked; it answers, or fails with `error`."""
    reached = False
    try:
        with absence.asking():
            reached = True
            if error:
                raise error
    except Away:
        pass
    return reached


def test_nobody_asks_right_after_a_failure() -> None:
    absence = Absence("it", Away, seconds=LONG)
    assert [asked(absence), asked(absence, Away()), asked(absence), asked(absence)] == [True, True, False, False]


def test_once_it_answers_everybody_asks_again() -> None:
    absence = Absence("it", Away, seconds=0.01)
    asked(absence, Away())
    wait_until(lambda: asked(absence))
    assert [asked(absence), asked(absence)] == [True, True]


def test_one_caller_tries_while_the_others_are_told() -> None:
    absence = Absence("it", Away, seconds=0, trial=LONG)
    asked(absence, Away())
    with absence.asking():
        assert not asked(absence)
    assert asked(absence)


def test_whoever_tries_and_never_comes_back_is_not_waited_for() -> None:
    absence = Absence("it", Away, seconds=0, trial=0)
    asked(absence, Away())
    with absence.asking():
        assert asked(absence)


def test_what_else_goes_wrong_says_nothing_of_the_service() -> None:
    absence = Absence("it", Away, seconds=LONG)
    with pytest.raises(ValueError, match="ours"):
        asked(absence, ValueError("ours"))
    assert asked(absence)
