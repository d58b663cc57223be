"""The type of a stored run, for annotations: models are above this package, so only type checkers import them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchdb.runs.models import Run as Run
else:
    Run = Any
