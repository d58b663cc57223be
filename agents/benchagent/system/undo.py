"""Undoes steps in reverse order, all of them even if some fail."""

from __future__ import annotations

from functools import partial
from typing import Callable

from benchagent.errors import AgentError, NotUndone

from .interrupts import held


class Undo:
    """Collects the reversals of steps, as the steps are done, for the end of a `with` block.

    No signal interrupts the reversals, and none comes between them and the block.
    """

    def __init__(self) -> None:
        self._steps: list[Callable[[], object]] = []

    def __enter__(self) -> Undo:
        return self

    def __exit__(self, *_of_exception: object) -> None:
        with held:
            self.close()

    def add(self, step: Callable[..., object], *arguments: object) -> None:
        """Add `step(*arguments)`, which undoes a step that was just done or follows."""
        self._steps.append(partial(step, *arguments))

    def close(self) -> None:
        """Undo everything. Raises NotUndone after the last step, with the messages of all failed ones."""
        stuck = []
        while self._steps:
            step = self._steps.pop()
            try:
                step()
            except (AgentError, OSError) as error:
                stuck.append(str(error))
        if stuck:
            raise NotUndone("\n".join(stuck))
