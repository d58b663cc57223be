"""Signals become one exception, never in the middle of a step that must be undone."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest

from benchagent.errors import Stopped
from benchagent.system.interrupts import OURS, SIGNALS, held, raising

PATIENCE = 60  # s


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


def send_between_steps(*numbers: signal.Signals) -> None:
    """Send signals while a function of contextlib runs, as between a step and its reversal."""
    send = "for number in numbers:\n    os.kill(os.getpid(), number)"
    exec(send, {"__name__": "contextlib", "os": os, "numbers": numbers})


def wait_for_stop() -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        pass
    pytest.fail("the signal was lost")


@pytest.mark.parametrize(
    ("numbers", "inner"),
    [
        ((signal.SIGTERM, OURS), nullcontext),
        ((OURS, signal.SIGTERM), nullcontext),
        ((signal.SIGTERM, signal.SIGINT), nullcontext),
        ((signal.SIGTERM,), raising),
    ],
    ids=["ours second", "ours first", "two of others", "between the last steps, for the code outside"],
)
def test_of_signals_between_steps_that_of_another_process_is_obeyed(
    numbers: tuple[signal.Signals, ...], inner: Callable[[], AbstractContextManager[object]]
) -> None:
    def step() -> None:
        with inner():
            send_between_steps(*numbers)
        wait_for_stop()

    with pytest.raises(Stopped) as caught, raising():
        step()
    assert caught.value.number == signal.SIGTERM


def test_our_own_signal_between_the_last_steps_ends_nothing_outside() -> None:
    with raising():
        with raising():
            send_between_steps(OURS)
        finished = True
    assert finished


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
