"""Turns the rounds of killed agents into documents in the spool, and ends their campaigns."""

from __future__ import annotations

import os
import stat

from benchagent import __version__
from benchagent.documents.campaign import Tally, ending, tally, tally_of_killed
from benchagent.errors import AgentError, SpoolError
from benchagent.progress import Reporter

from .campaigns import Campaigns
from .keeper import Keeper
from .rounds_file import head_of, read
from .running_files import Running, RunningFile
from .store import Spool

KILLED = "The agent was killed, or the machine went down."
PRIVATE = stat.S_IFREG | 0o600


def keep_killed(spool: Spool, tell: Reporter) -> None:
    """Keep the rounds of all killed agents. Rounds that cannot be kept now are reported and stay for the next start."""
    try:
        for file in Running(spool.directory).abandoned():
            _try(file, spool, tell)
    except SpoolError as error:
        tell.event("unrecovered", why=str(error))


def _try(file: RunningFile, spool: Spool, tell: Reporter) -> None:
    try:
        _keep(file, spool, tell)
        file.remove()
    except AgentError as error:
        why = str(error)
    except OSError as error:
        why = str(SpoolError(file.path, error.strerror))
    except Exception as error:  # a defect in one point or file; the others are kept
        why = str(SpoolError(file.path, f"a defect of the agent: {type(error).__name__}: {error}"))
    else:
        return
    finally:
        file.release()
    tell.event("unrecovered", why=why)


def _keep(file: RunningFile, spool: Spool, tell: Reporter) -> None:
    """Write the documents of one file. A repetition writes the same documents, under the same ids."""
    if not os.fstat(file.descriptor).st_size:
        _end(file, spool, tell, None)  # a file that its agent had only begun
        return
    _check(file)
    frame, records, torn = read(file)
    if torn:
        tell.event("torn", path=str(file.path), bytes=torn)
    try:
        Keeper(spool, tell, rescue_places=()).keep(records, frame)
    finally:
        _end(file, spool, tell, tally(records))


def _end(file: RunningFile, spool: Spool, tell: Reporter, counts: Tally | None) -> None:
    """End the campaign of a file, unless it was never announced or has already ended."""
    campaigns = Campaigns(spool.directory)
    announced = campaigns.announced(file.campaign_id)
    if announced is None or campaigns.has_ended(file.campaign_id):
        return
    counts = counts or tally_of_killed(announced)
    campaigns.end(ending(announced, "killed", counts, KILLED))
    tell.event("campaign_killed", campaign_id=file.campaign_id, **counts)


def _check(file: RunningFile) -> None:
    """Raise SpoolError if the file must not be unpickled here.

    A pickle can run any program, so only files that nobody but this user can have written are read. Its classes are
    those of the agent version that wrote it.
    """
    info = os.fstat(file.descriptor)
    if info.st_uid != os.geteuid() or info.st_mode != PRIVATE:
        raise SpoolError(file.path, "rounds of a killed agent of another user, who can upload them")
    head = head_of(file)
    if head is None:
        raise SpoolError(file.path, "this file does not have an agent's rounds; remove it if it is not needed")
    if head.get("agent") != __version__:
        wrote = f"rounds of a killed agent of version {head.get('agent')}; this is {__version__}"
        raise SpoolError(file.path, f"{wrote}. Keep them with `benchagent upload` of that version")
