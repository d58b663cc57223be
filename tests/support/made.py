"""What workers make, made at once."""

from benchdb.exports import tasks
from benchdb.exports.models import Export


def make_all() -> None:
    """Make every file and part that waits for a worker."""
    for _digest in Export.objects.filter(state="waiting").values_list("pk", flat=True):
        tasks.make()
