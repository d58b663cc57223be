"""A pytest plugin that declares one more fact, before anything derives from the registry.

This is all that a new fact takes which is no column of its own: where it is stored, and where it appears.
"""

from benchdb.facts import storage
from benchdb.facts.entries import count
from benchdb.facts.fact import Fact, Filter, FormEntry, Page
from benchdb.facts.guarding import Guard, Weight

storage.STORAGE += (
    Fact(
        "queue_limit",
        "queue limit",
        kind="number",
        noun="{} requests at once",
        path="target/nr_requests",
        filter=Filter(group="Storage"),
        guard=Guard(weight=Weight.TUNING, component="target"),
        entry=FormEntry("Disks", "64", count),
        page=Page("queue-limits"),
    ),
)
