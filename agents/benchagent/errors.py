"""Every way to fail, one class each: its message and its exit code. docs/agents.md lists the codes.

A message says what happened, why, and what to do. It is a format string that the exception's arguments fill.
"""

from __future__ import annotations

import signal


class AgentError(Exception):
    """Base of all failures that a person can do something about; any other exception is a defect, exit code 1."""

    message = "{}"
    exit_code = 1

    def __str__(self) -> str:
        return self.message.format(*self.args)


class UsageError(AgentError):
    """An option is missing or contradicts another one."""

    exit_code = 2


class PlanError(AgentError):
    """The plan cannot be read; the argument lists every fault found."""

    message = "The plan is not valid:\n{}"
    exit_code = 3


class PointsFailed(AgentError):
    """Some points failed in at least one round. What was measured is in the spool."""

    message = "{} of {} points failed. Their runs are kept, with the errors in them."
    exit_code = 4


class PreparationError(AgentError):
    """A target could not be prepared, or something that was left behind cannot be removed."""

    exit_code = 5


class NotUndone(AgentError):
    """Something that was prepared could not be undone. Ends the run: what is stuck would disturb what comes after."""

    message = "{}\nEverything else was undone. When nothing holds it any more, run `benchagent clean`."
    exit_code = 5


class SpoolError(AgentError):
    """The spool cannot be read or written."""

    message = "The spool {}: {}."
    exit_code = 6


class NoRoom(SpoolError):
    """There is no space for the documents that a plan may make. Nothing was measured."""

    message = (
        "The spool {} has no room: this plan's documents may take {} MiB, and {:.1f} MiB are free. Nothing was "
        "measured. Free space there, or name another place with --spool."
    )


class Rescued(SpoolError):
    """Documents could not be written to the spool and lie elsewhere."""

    message = (
        "The spool {}: {}. {} of {} documents are in {} instead. When there is room, send them with "
        "`benchagent upload --spool {}`."
    )


class UnknownRun(SpoolError):
    """No document of that id is in the spool, or several begin so."""

    message = (
        "{!r} is not the id, or the beginning of the id, of one run in the spool {}. `benchagent status` lists them."
    )


class DocumentRejected(AgentError):
    """The server refused documents for good; they lie in rejected/ with the server's answer beside them."""

    message = "The server refused {} of {} documents. They are in {}, each with the server's answer beside it."
    exit_code = 7


class ServerUnreachable(AgentError):
    """The server did not take the documents now; they stay in pending/."""

    message = "{}\nWaiting in the spool: {}. Send them later with `benchagent upload`."
    exit_code = 8


class UnknownOutput(AgentError):
    """No parser knows this text."""

    message = "{}: {}"
    exit_code = 9


class LinesUnread(UnknownOutput):
    """`parse --strict` found lines that no parser knows."""

    message = "{}: {} were not read. The results above are of the other lines."


class NothingMeasured(AgentError):
    """Not one point could be measured."""

    message = "Nothing was measured: {}"
    exit_code = 10


class NoMachineId(AgentError):
    """The machine has no id, and the agent's own cannot be kept."""

    message = "There is no /etc/machine-id, and {} cannot hold one: {}. Make it writable, or set BENCHAGENT_STATE."
    exit_code = 11


class ConfigError(AgentError):
    """The agent's config file cannot be used; the second argument lists every fault found."""

    message = "The config file {} is not valid:\n{}"
    exit_code = 12


class NotConfirmed(AgentError):
    """Nobody has agreed that a block device is formatted."""

    exit_code = 13


class QueueRefused(AgentError):
    """The server does not let this agent take queued plans: its token, its address, or an agent that is too old."""

    exit_code = 14


class Stopped(BaseException):
    """A signal asked the agent to stop. Not an Exception: only the places that clean up may catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.exit_code = 128 + number

    def __str__(self) -> str:
        return f"Stopped by {signal.Signals(self.number).name}."
