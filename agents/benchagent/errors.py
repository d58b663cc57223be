"""The errors of the agent, each with its message and exit code. docs/agents.md lists the codes.

A message describes the problem, its cause and the remedy. It is a format string for the arguments of the exception.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence


class AgentError(Exception):
    """Base of all errors that a person can remedy; any other exception is a defect, with exit code 1."""

    message = "{}"
    exit_code = 1

    def __str__(self) -> str:
        return self.message.format(*self.args)


class UsageError(AgentError):
    """An option is missing or contradicts another one."""

    exit_code = 2


class PlanError(AgentError):
    """The plan cannot be read; the argument lists every fault."""

    message = "The plan is not valid:\n{}"
    exit_code = 3


class PointsFailed(AgentError):
    """Some points failed in at least one round. All measured rounds are in the spool."""

    message = "{} of {} points failed. Their runs are kept, with the errors in them."
    exit_code = 4


class PreparationError(AgentError):
    """A target could not be prepared, or leftovers of an earlier run cannot be removed."""

    exit_code = 5


class UnsafeDirectory(PreparationError):
    """The agent runs as root, and another user can replace a directory that it would use."""

    message = (
        "As root, benchagent uses only directories that nobody else can replace, but {}. Run it as an ordinary user, "
        "or name a directory that only root can change, together with all directories above it."
    )
    exit_code = 16


class NotUndone(AgentError):
    """A preparation could not be undone. The run ends, because the leftovers would disturb the next points."""

    message = "{}\nEverything else was cleaned up. When it is no longer in use, run `benchagent clean`."
    exit_code = 5


class SpoolError(AgentError):
    """The spool cannot be read or written."""

    message = "The spool {}: {}."
    exit_code = 6


class NoRoom(SpoolError):
    """There is no space for the documents of a plan. Nothing was measured."""

    message = (
        "The spool {} has no room: this plan's documents may take {} MiB, and {:.1f} MiB are free. Nothing was "
        "measured. Free space there, or name another place with --spool."
    )


class Rescued(SpoolError):
    """Documents could not be written to the spool and are elsewhere."""

    message = (
        "The spool {}: {}. {} of {} documents are in {} instead. When there is room, send them with "
        "`benchagent upload --spool {}`."
    )


class UnknownRun(SpoolError):
    """The spool has no document, or several, whose id begins with the given text."""

    message = (
        "{!r} is not the id, or the beginning of the id, of one run in the spool {}. `benchagent status` lists them."
    )


class DocumentRejected(AgentError):
    """The server refused documents permanently; they are in rejected/ with the server's answer beside them."""

    message = "The server refused {} of {} documents. They are in {}, each with the server's answer beside it."
    exit_code = 7


class ServerUnreachable(AgentError):
    """The server did not accept the documents now; they stay in pending/."""

    message = "{}\nWaiting in the spool: {}. Send them later with `benchagent upload`."
    exit_code = 8


class UnknownOutput(AgentError):
    """No parser recognizes the text."""

    message = "{}: {}"
    exit_code = 9


class LinesUnread(UnknownOutput):
    """`parse --strict` found lines that the parser does not recognize."""

    message = "{}: {} were not read. The results above are of the other lines."


class NothingMeasured(AgentError):
    """No point could be measured."""

    message = "Nothing was measured: {}"
    exit_code = 10


class NoMachineId(AgentError):
    """The machine has no id, and the agent cannot store one of its own."""

    message = "There is no /etc/machine-id, and {} cannot hold one: {}. Make it writable, or set BENCHAGENT_STATE."
    exit_code = 11


class ConfigError(AgentError):
    """The agent's config file is invalid; the second argument lists every fault."""

    message = "The config file {} is not valid:\n{}"
    exit_code = 12


class NotConfirmed(AgentError):
    """Nobody has agreed to the formatting of a block device."""

    exit_code = 13


class ContinuationRefused(AgentError):
    """Runs cannot be continued; the argument lists every reason."""

    message = "Nothing was measured, because these runs cannot be continued:\n{}"
    exit_code = 15


class QueueRefused(AgentError):
    """The server does not let this agent claim plans, because of its token, its address or its version."""

    exit_code = 14


class RequestRefused(AgentError):
    """The server refused a request of the client: its address, its status, its words, and each fault as a sentence."""

    message = "{} answered {}: {}"
    exit_code = 17

    def __init__(self, server: str, status: int, words: str, faults: Sequence[str] = ()) -> None:
        super().__init__(server, status, "\n  ".join(" ".join(each.split()) for each in [words, *faults]))
        self.status, self.faults = status, list(faults)


class ServerSilent(AgentError):
    """The server gave the client no complete answer."""

    message = "{} {}."
    exit_code = 18


class GateWorse(AgentError):
    """A gate found a test that is worse; the argument is its summary. All results are in the spool or on the server."""

    exit_code = 19


class GateFailed(AgentError):
    """A workload of a gate failed or could not be measured, and no test is worse."""

    exit_code = 20


class GateUndecided(AgentError):
    """The budget of a gate did not suffice for a verdict on every test."""

    exit_code = 21


class Stopped(BaseException):
    """A signal stopped the agent. Not an Exception: only cleanup code may catch it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number
        self.exit_code = 128 + number

    def __str__(self) -> str:
        return f"Stopped by {signal.Signals(self.number).name}."
