"""Kills one part after the other at random instants and restarts it, while agents measure and upload."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from tests.faults.agent import Agent
from tests.faults.stack import Program, Stack

# Steps at which to strike: those of the spool (watch.py), and events of the agent that precede a request.
STEPS = (
    "writing a document",
    "document in the spool",
    "writing an answer",
    "answer kept, document not moved",
    "document moved",
    "finished",
    "uploaded",
    "point_started",
)
VICTIMS = ("agent", "agent", "web master", "web worker", "celery master", "celery worker")
MEASURING = "point_started"  # a target is being prepared, or a tool runs on it
# More strikes at an agent, including the first, come while there is most to undo.
STEPS_OF_AGENT = (*STEPS, MEASURING, MEASURING, MEASURING)
LONGEST_AFTER = 0.05  # seconds from a step to the strike
LONGEST_AFTER_START = 0.2  # from the start of a point, which takes longer than a step of the spool
LONGEST_AWAY = 0.5  # seconds for which a part of the server stays away


class Steps:
    """Gets steps from all threads, and wakes up threads that wait for one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._counts: Counter[str] = Counter()

    def __call__(self, step: str) -> None:
        with self._changed:
            self._counts[step] += 1
            self._changed.notify_all()

    def wait(self, step: str, seconds: float) -> bool:
        """Whether the step was taken within this many seconds from now."""
        with self._changed:
            before = self._counts[step]
            return self._changed.wait_for(lambda: self._counts[step] > before, seconds)


@dataclass
class Siege:
    """`duration`: the time of an undisturbed run, in seconds."""

    stack: Stack
    agent: Agent
    steps: Steps
    chance: random.Random
    duration: float
    struck: Counter[str] = field(default_factory=Counter)

    def strike(self) -> str:
        """Kill one part. Returns a description."""
        victim = self.chance.choice(VICTIMS) if self.struck else "agent"
        step = self.chance.choice((None, *(STEPS_OF_AGENT if victim == "agent" else STEPS)))
        step = step if self.struck else MEASURING
        longest = LONGEST_AFTER_START if step == MEASURING else LONGEST_AFTER
        after = self.chance.uniform(0, longest if step else self.duration)
        if step is None:
            end = time.monotonic() + after
            self._go_on_until(lambda: time.monotonic() >= end, 0.02)
        else:
            self._go_on_until(lambda: self.steps.wait(step, 0.1), 0)
            time.sleep(after)
        self._kill(victim)
        self.struck[victim] += 1
        return f"kill -9 of {victim}, {1000 * after:.0f} ms after {step or 'the last restart'}"

    def _go_on_until(self, reached: Callable[[], bool], pause: float) -> None:
        """Keep an agent busy until the condition holds, for a limited time: without a server it may never hold."""
        end = time.monotonic() + 3 * self.duration + 5
        while time.monotonic() < end:
            if self.agent.ended():
                self._start_agent()
            if reached():
                return
            time.sleep(pause)

    def _start_agent(self) -> None:
        """Start an agent, mostly for a new run, otherwise for an upload of what waits."""
        self.agent.upload() if self.chance.random() < 0.3 else self.agent.measure()

    def _kill(self, victim: str) -> None:
        if victim == "agent":
            if not self.agent.ended():
                self.agent.kill()
            return
        self.stack.keep_up()
        program = self.stack.programs["web" if victim.startswith("web") else "worker"]
        if victim.endswith("master"):
            program.kill()
            time.sleep(self.chance.uniform(0, LONGEST_AWAY))
            program.start()
        else:
            self._kill_child(program)

    def _kill_child(self, program: Program) -> None:
        """Kill a child. The master starts another one, unless it is just being restarted itself."""
        children = sorted(child.pid for child in program.children())
        if children:
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(children), signal.SIGKILL)
