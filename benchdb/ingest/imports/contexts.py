"""The contexts of the pages of imports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from benchdb.ingest.models import Import
from benchdb.runs.facts.terms import FactLine
from benchdb.runs.listing.filter_panel import SelectOption

from .preview import FileTally, PlannedRun, ShownFile


@dataclass(frozen=True, slots=True)
class OwnImport:
    """A line in the list of an owner's imports; `what` are its files, or the runs made of them."""

    href: str
    state: str
    at: datetime
    what: str


@dataclass(frozen=True, slots=True)
class ImportTitle:
    """The title of web/partials/title.html."""

    parts: Sequence[str]
    time: datetime | None = None
    state: str | None = None


@dataclass(frozen=True, slots=True)
class ImportFrame:
    """The part of ingest/import.html that every state has; `days` is the time for which an import is kept."""

    title: ImportTitle
    draft: Import
    days: int
    discard: str
    section: str = "import"


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """A worker's progress; `percent` is None if it is unknown."""

    text: str
    percent: int | None


@dataclass(frozen=True, slots=True)
class ImportAhead:
    """An earlier import of the same account: its address and its contents in words."""

    href: str
    what: str


@dataclass(frozen=True, slots=True)
class WaitingImport:
    """An import that is being read or stored; a script asks at the address `poll` whether anything changed.

    `ahead` is the account's import that comes first, if it is another one.
    """

    poll: str
    progress: ImportProgress
    ahead: ImportAhead | None


@dataclass(frozen=True, slots=True)
class ImportedRunLine:
    """A stored run with the names of its files; `similar` is the list of runs of the same tool."""

    id: str
    href: str
    title: str
    files: str
    similar: str


@dataclass(frozen=True, slots=True)
class StoredImport:
    """The runs of a stored import, without runs deleted since."""

    runs: Sequence[ImportedRunLine]


@dataclass(frozen=True, slots=True)
class FactEntry:
    """A field of the form with the present entry."""

    name: str
    label: str
    value: object
    example: str
    errors: Sequence[str]


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Fields under one heading."""

    label: str
    fields: Sequence[FactEntry]


@dataclass(frozen=True, slots=True)
class EnteredTexts:
    """Entries that are shown as they were sent."""

    labels: object
    measured_at: object


@dataclass(frozen=True, slots=True)
class ImportMenus:
    """The menus of the form."""

    visibility: Sequence[SelectOption]
    cache: Sequence[SelectOption]
    prepare: Sequence[SelectOption]
    runs: Sequence[SelectOption]


@dataclass(frozen=True, slots=True)
class ReadyImport:
    """The context of ingest/partials/ready.html.

    `notes` has (name, reason) of what was not taken, `faults` are reasons why storing failed, `wrong` and `errors` are
    the faults of the entries by label and by name. `store` is the text of the button, None if there is no run.
    """

    files: Sequence[ShownFile]
    tally: FileTally
    notes: Sequence[Sequence[str]]
    faults: Sequence[str]
    wrong: Sequence[tuple[str, Sequence[str]]]
    runs: Sequence[PlannedRun]
    store: str | None
    groups: Sequence[FactGroup]
    detected: Sequence[FactLine]
    machine: object
    machines: Sequence[str]
    entered: EnteredTexts
    choices: ImportMenus
    errors: Mapping[str, Sequence[str]]


ImportParts = tuple[ImportFrame, WaitingImport | StoredImport | ReadyImport]
