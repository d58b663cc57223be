"""Watched trends on a machine whose agent takes plans, a change after the watch began, and the runs of its plan."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from benchdb.alerts.limits import ROUNDS
from benchdb.alerts.models import Alert, Watch
from benchdb.alerts.services import WatchSettings, make_watch
from benchdb.alerts.tasks import sweep
from benchdb.catalog.models import Machine
from benchdb.compare.trend.runs import MEASURED_FOR_ALERT
from benchdb.plans import queue
from benchdb.plans.models import Job, JobState
from benchdb.runs.models import Run
from tests.support.campaigns import of_point
from tests.support.comparing.trends import NOISE, run_of_day
from tests.support.documents import GIB, KIB, MIB, result, target, uuid7
from tests.support.store import store_run

WORK = {
    "tool": "iozone",
    "tool_version": "3.489",
    "command": ["iozone"],
    "parameters": {"file_sizes": [16 * MIB], "record_sizes": [64 * KIB], "tests": ["write"]},
}
OFFER: Any = {
    "root": True,
    "images": True,
    "directories": 1,
    "devices": 0,
    "tools": ["iozone", "fsload"],
    "file_systems": ["ext4"],
}


def image(*mount_options: str, **settings: Any) -> dict[str, Any]:
    """An image of ext4 that is mounted with these options."""
    made = {**target(), "kind": "image", "stack": [{"kind": "loop", "size": GIB}, {"kind": "image", "size": GIB}]}
    made["file_system"]["mkfs_command"] = ["mkfs.ext4", "-F", "-b", "4096"]
    return {**made, "mount": {"point": "/mnt/test", "options": ["rw", *mount_options]}, **settings}


def days(owner: User, first: int, levels: Sequence[float], **sections: Any) -> list[Run]:
    """A run a day from day `first` on, with these levels in MiB/s."""
    place = {"target": image("relatime"), "workload": WORK, "visibility": "private", **sections}
    return [run_of_day(owner, first + i, level * MIB, **place) for i, level in enumerate(levels)]


def watched(owner: User, *, place: dict[str, Any] | None = None, **chosen: Any) -> Watch:
    """Eight quiet days, and a watch that begins after them; the agent of the machine is online.

    `place` are sections of the documents, such as the machine.
    """
    runs = days(owner, 0, [100.0] * 8, **(place or {}))
    listening(owner, runs[0].machine)
    settings = WatchSettings(**{"name": "ext4 on epyc-2", "mail": False, "webhook": "", **chosen})
    watch = make_watch(owner, f"run={runs[0].pk}&test=write&vary=mount_options", settings)
    sweep()
    return watch


def listening(owner: User, machine: Machine) -> None:
    """The machine's agent asks for work."""
    queue.listen(owner, machine.machine_id, machine.name, "0.2.0", OFFER)


def slower(owner: User, first: int = 8, count: int = 4, level: float = 80.0, **sections: Any) -> list[Run]:
    """Days with a lower level, by default mounted with `sync`."""
    return days(owner, first, [level] * count, **{"target": image("sync", "relatime"), **sections})


def suspected(owner: User, *, place: dict[str, Any] | None = None, **chosen: Any) -> Alert:
    """The alert of a watch whose mount option changed; its plan is queued."""
    watch = watched(owner, place=place, **chosen)
    slower(owner, **(place or {}))
    sweep()
    return watch.alerts.get()


def measured(alert: Alert, levels: dict[str, float], **sections: Any) -> Job:
    """The agent's work on the plan of the alert: one private run for each target, at this level in MiB/s."""
    assert alert.job is not None
    campaign, owner = uuid7(), alert.watch.owner
    for side, (name, level) in enumerate(levels.items()):
        shares = [1 + 0.2 * (NOISE[(i + 3 * side) % len(NOISE)] - 1) for i in range(ROUNDS)]
        values = [level * MIB * share for share in shares]
        store_run(
            owner,
            visibility="private",
            rounds=ROUNDS,
            results=[result(values, "write", file_size=32 * GIB, record_size=MIB)],
            target=image(*(["sync", "relatime"] if name == "new" else ["relatime"])),
            workload=WORK,
            campaign=of_point(campaign, f"{name}/iozone"),
            labels={MEASURED_FOR_ALERT: str(alert.pk)},
            **sections,
        )
    return finished(alert.job, campaign)


def sweep_again(row: Alert | Watch) -> None:
    """One more sweep, after which the row is read again."""
    sweep()
    row.refresh_from_db()


def finished(job: Job, campaign: Any, state: JobState = JobState.FINISHED, reason: str = "") -> Job:
    """The job as the agent leaves it."""
    job.state, job.campaign_id, job.ended_at, job.reason = state, campaign, timezone.now(), reason
    job.save()
    return job


def confirmed(owner: User, *, place: dict[str, Any] | None = None, **chosen: Any) -> Alert:
    """An alert whose second measurement shows the change too."""
    alert = suspected(owner, place=place, **chosen)
    measured(alert, {"old": 100, "new": 80}, **(place or {}))
    sweep_again(alert)
    return alert
