"""Undoes steps in reverse order, all of them even if some fail."""

from __future__ import annotations

from typing import Any, Callable

from benchagent.errors import AgentError, NotUndone


class Undo:
    """Collects the reversals of steps, as the steps are done."""

    def __init__(self) -> None:
        self._steps: list[tuple[Callable[..., object], tuple[Any, ...]]] = []

    def add(self, step: Callable[..., object], *arguments: Any) -> None:
        """Add `step(*arguments)`, which undoes a step that was just done or follows."""
        self._steps.append((step, arguments))

    def close(self) -> None:
        """Undo everything. Raises NotUndone after the last step, with the messages of all failed ones."""
        stuck = []
        while self._steps:
            step, arguments = self._steps.pop()
            try:
                step(*arguments)
            except (AgentError, OSError) as error:
                stuck.append(str(error))
        if stuck:
            raise NotUndone("\n".join(stuck))
