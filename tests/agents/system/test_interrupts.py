"""Signals become one exception, never in the middle of a step that must be undone."""

from __future__ import annotations

import os
import signal

import pytest

from benchagent.errors import Stopped
from benchagent.system.interrupts import SIGNALS, held, raising


def send(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_raises(number: signal.Signals) -> None:
    with pytest.raises(Stopped) as caught, raising():
        send(number)
    assert (caught.value.number, caught.value.exit_code) == (number, 128 + number)
    assert str(caught.value) == f"Stopped by {number.name}."


def test_a_held_signal_waits_for_the_outermost_block() -> None:
    done = []

    def step() -> None:
        with raising(), held:
            with held:
                send(signal.SIGTERM)
                done.append("inner")
            done.append("outer")

    with pytest.raises(Stopped):
        step()
    assert done == ["inner", "outer"]


def test_cleaning_up_is_not_interrupted_again() -> None:
    done = []

    def step() -> None:
        try:
            send(signal.SIGINT)
        finally:
            send(signal.SIGTERM)
            done.append("cleaned up")

    with pytest.raises(Stopped) as caught, raising():
        step()
    assert caught.value.number == signal.SIGINT
    assert done == ["cleaned up"]


def test_afterwards_signals_mean_what_they_meant() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with raising():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
    with pytest.raises(Stopped), raising():
        send(signal.SIGTERM)


def test_no_except_exception_swallows_it() -> None:
    assert not issubclass(Stopped, Exception)
