"""The campaign documents of a spool: kept before anything is sent, like runs, and delivered around them.

`campaigns/` holds announcements and `ends/` the same documents with their end, each with the folders of a spool; apart,
so that an end never takes the place of an announcement that is just being sent. `running/` has a file for each campaign
that goes on, locked by its agent: one that nobody locks was killed.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .campaign import ending, tally_of_killed
from .client import Answer, Client, NotNow
from .errors import SpoolError, UnknownRun
from .progress import Reporter
from .spool import PENDING, REJECTED, SENT, STATES, Spool
from .whole_files import make_folders

ANNOUNCEMENTS, ENDS, RUNNING = "campaigns", "ends", "running"
KILLED = "The agent was killed, or the machine went down."
UNKNOWN_TO_SERVER = frozenset({404, 405})  # a server from before there were campaigns


class Campaigns:
    """Raises SpoolError where the disk refuses."""

    def __init__(self, spool: Path) -> None:
        self.announcements, self.ends = Spool(spool / ANNOUNCEMENTS), Spool(spool / ENDS)
        self._running = spool / RUNNING
        self._locks: dict[str, int] = {}

    def announce(self, document: Mapping[str, Any]) -> None:
        """Keep an announcement; from now on it ends, by `end` or by the next start of an agent."""
        campaign_id = str(document["campaign_id"])
        try:
            make_folders([self._running])
            self._locks[campaign_id] = _locked(self._running / campaign_id, os.O_CREAT | os.O_EXCL)
        except OSError as error:
            raise SpoolError(self._running, error.strerror) from error
        self.announcements.add(campaign_id, dict(document))

    def end(self, document: Mapping[str, Any]) -> None:
        """Keep how a campaign ended."""
        campaign_id = str(document["campaign_id"])
        self.ends.add(campaign_id, dict(document))
        self._forget(campaign_id)

    def end_killed(self) -> list[str]:
        """End the campaigns whose agents are gone. Returns their ids."""
        ended = []
        for campaign_id in self._abandoned():
            announced = _find(self.announcements, campaign_id)
            if announced is not None and _find(self.ends, campaign_id) is None:
                self.ends.add(campaign_id, ending(announced, "killed", tally_of_killed(announced), KILLED))
                ended.append(campaign_id)
            self._forget(campaign_id)
        return ended

    def waiting(self) -> int:
        """How many documents wait to be sent."""
        return len(self.announcements.ids(PENDING)) + len(self.ends.ids(PENDING))

    def documents(self) -> Iterator[bytes]:
        """Those that wait, byte for byte as they are sent."""
        for spool in (self.announcements, self.ends):
            for campaign_id in spool.ids(PENDING):
                yield spool.read(PENDING, campaign_id)

    def reopen(self) -> None:
        """Let what the server refused wait again."""
        for spool in (self.announcements, self.ends):
            for campaign_id in spool.ids(REJECTED):
                spool.reopen(campaign_id)

    def _abandoned(self) -> Iterator[str]:
        if not self._running.is_dir():
            return
        for path in self._running.iterdir():
            if path.name in self._locks:
                continue
            try:
                self._locks[path.name] = _locked(path, 0)
            except OSError:
                continue  # its agent goes on, has just ended, or the file is not ours to touch
            yield path.name

    def _forget(self, campaign_id: str) -> None:
        descriptor = self._locks.pop(campaign_id, None)
        try:
            (self._running / campaign_id).unlink(missing_ok=True)
        except OSError as error:
            raise SpoolError(self._running, error.strerror) from error
        finally:
            if descriptor is not None:
                os.close(descriptor)


def deliver(spool: Spool, client: Client, tell: Reporter) -> int:
    """Send the campaign documents that wait in `spool`, announcements or ends. Returns how many the server refused.

    A server from before there were campaigns refuses them; its runs are none the worse. Raises NotNow where the server
    does not decide.
    """
    refused = 0
    for campaign_id in spool.ids(PENDING):
        try:
            data = spool.read(PENDING, campaign_id)
        except UnknownRun:
            continue  # another upload at the same time has settled it
        answer = _put(client, campaign_id, data, tell)
        if answer is None:
            continue
        spool.settle(campaign_id, SENT if answer.stored else REJECTED, answer.as_dict())
        if answer.stored:
            tell.event("campaign_sent", campaign_id=campaign_id, url=answer.body.get("url"))
        elif answer.status in UNKNOWN_TO_SERVER:
            tell.event("campaigns_unknown", campaign_id=campaign_id, server=client.server)
        else:
            refused += 1
            tell.event("campaign_refused", campaign_id=campaign_id, why=answer.body["error"]["message"])
    return refused


def _put(client: Client, campaign_id: str, data: bytes, tell: Reporter) -> Answer | None:
    """The server's decision, None where it did not decide about this one only."""
    names = {"campaign_id": campaign_id}
    try:
        return client.put(
            f"campaigns/{campaign_id}",
            names,
            data,
            lambda why, seconds: tell.event("waiting", why=why, seconds=seconds),
        )
    except NotNow as why:
        if why.status in UNKNOWN_TO_SERVER:
            return Answer(why.status, {"error": {"message": str(why)}})
        if why.only_this:
            tell.event("undecided", run_id=campaign_id, point=f"campaign {campaign_id}", why=str(why))
            return None
        raise


def _find(spool: Spool, campaign_id: str) -> dict[str, Any] | None:
    """A kept document, whatever became of it; None where there is none that can be read."""
    for state in STATES:
        try:
            found = json.loads(spool.read(state, campaign_id))
        except (UnknownRun, ValueError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _locked(path: Path, flags: int) -> int:
    """The open file, locked as long as it is open. Raises OSError where another agent has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(descriptor), os.stat(path)):
            raise FileNotFoundError(path)  # its agent has just ended
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
