"""A service that does not answer gets the request of one caller at a time, and none for a moment."""

import pytest

from benchdb.connections.circuit_breaker import CircuitBreaker
from tests.support.waiting import wait_until

LONG = 1000.0


class Away(Exception):
    """The error of the service."""


def asked(breaker: CircuitBreaker, error: Exception | None = None) -> bool:
    """Whether the service got a request, which it answers or fails with `error`."""
    reached = False
    try:
        with breaker.attempt():
            reached = True
            if error:
                raise error
    except Away:
        pass
    return reached


def test_nobody_asks_right_after_a_failure() -> None:
    breaker = CircuitBreaker("it", Away, seconds=LONG)
    assert [asked(breaker), asked(breaker, Away()), asked(breaker), asked(breaker)] == [True, True, False, False]


def test_once_it_answers_everybody_asks_again() -> None:
    breaker = CircuitBreaker("it", Away, seconds=0.01)
    asked(breaker, Away())
    wait_until(lambda: asked(breaker))
    assert [asked(breaker), asked(breaker)] == [True, True]


def test_one_caller_tries_while_the_others_are_told() -> None:
    breaker = CircuitBreaker("it", Away, seconds=0, trial=LONG)
    asked(breaker, Away())
    with breaker.attempt():
        assert not asked(breaker)
    assert asked(breaker)


def test_whoever_tries_and_never_comes_back_is_not_waited_for() -> None:
    breaker = CircuitBreaker("it", Away, seconds=0, trial=0)
    asked(breaker, Away())
    with breaker.attempt():
        assert asked(breaker)


def test_what_else_goes_wrong_says_nothing_of_the_service() -> None:
    breaker = CircuitBreaker("it", Away, seconds=LONG)
    with pytest.raises(ValueError, match="ours"):
        asked(breaker, ValueError("ours"))
    assert asked(breaker)
