"""Steps that must be undone whatever happens: last first, and one that fails keeps none of the others from it."""

from __future__ import annotations

from typing import Any, Callable

from benchagent.errors import AgentError, NotUndone


class Undo:
    """Collects what must be undone, as it is done."""

    def __init__(self) -> None:
        self._steps: list[tuple[Callable[..., object], tuple[Any, ...]]] = []

    def add(self, step: Callable[..., object], *arguments: Any) -> None:
        """`step(*arguments)` undoes what was just done, or is about to be."""
        self._steps.append((step, arguments))

    def close(self) -> None:
        """Undo everything. Raises NotUndone with the words of every step that failed, after all of them."""
        stuck = []
        while self._steps:
            step, arguments = self._steps.pop()
            try:
                step(*arguments)
            except (AgentError, OSError) as error:
                stuck.append(str(error))
        if stuck:
            raise NotUndone("\n".join(stuck))
