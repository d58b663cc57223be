"""The contexts of the pages of an import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Min, Q
from django.urls import reverse

from benchagent import formats
from benchagent.formats.reading.text import split_lines
from benchdb.catalog.models import Machine
from benchdb.ingest.models import Import, ImportFile, ImportState
from benchdb.runs.cells.links import LINES_A_PAGE
from benchdb.runs.models import Run
from benchdb.runs.page.run import title_of
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.words import VISIBILITIES

from . import preview
from .documents import planned
from .facts import FACTS, FactField
from .form import CACHES, PREPARATIONS, RUNS, StoreForm
from .preview import Context
from .services import KEPT_FOR, MOST_OPEN
from .unpack import MOST_BYTES, MOST_FILES

LEAST_SHOWN = 20  # of a file, as long as there is room
SHOWN = 500  # results on the page of an import; each file has a page with all of them
MOST_MACHINES = 200  # offered in the form
_GROUPS = (
    ("Machine", ("cpu_model", "cpu_threads", "architecture", "memory", "kernel", "distribution", "virtualization")),
    ("File system", ("file_system", "block_size", "mkfs_command", "mount_options", "read_ahead", "scheduler")),
    ("RAID", ("raid_level", "raid_chunk", "raid_members")),
    ("Disks", ("disk_model", "disk_count", "disk_size", "disk_transport", "disk_kind")),
)
_BY_NAME = {fact.name: fact for fact in FACTS}


def new_context(owner: Any, text: str = "", faults: Sequence[str] = ()) -> Context:
    """The page where people paste text and choose files; `owner` is None for an anonymous visitor."""
    return {
        "section": "import",
        "signed_in": owner is not None,
        "faults": faults,
        "text": text,
        "most_files": MOST_FILES,
        "most_bytes": {"text": say_size(MOST_BYTES), "bytes": MOST_BYTES},
        "days": KEPT_FOR.days,
        "tools": sorted({format_.TOOL for format_ in formats.FORMATS}),
        "drafts": own_imports(owner, 2 * MOST_OPEN) if owner else [],
    }


def own_imports(owner: Any, most: int) -> list[Context]:
    """The owner's newest imports: address, state, time and contents; one query."""
    read = Count("files", filter=Q(files__state="read"))
    imports = Import.objects.filter(owner=owner).annotate(first=Min("files__name"), count=Count("files"), read=read)
    return [
        {
            "href": draft.get_absolute_url(),
            "state": _state(draft, draft.read),
            "at": draft.created_at,
            "what": _contents(draft),
        }
        for draft in imports.order_by("-created_at")[:most]
    ]


def _state(draft: Import, read: int) -> str:
    """The state of an import; `refused` if all files are read and none was recognised."""
    return "refused" if draft.state == ImportState.READY and not read else draft.state


def _contents(draft: Any) -> str:
    """The contents of an import: its files; once it is stored and they are gone, its runs."""
    if draft.state == ImportState.STORED:
        return plural(len(draft.run_ids), "run")
    return f"{draft.first} and {draft.count - 1} more" if draft.count > 1 else draft.first or "no files"


def import_context(draft: Import, form: StoreForm | None = None) -> Context:
    """The page of an import in its present state; `form` has the faults of the entries just sent."""
    files = list(draft.files.light())
    state = version(draft, files)
    context: Context = {
        "section": "import",
        "title": {
            "parts": ["Import"],
            "time": draft.created_at,
            "state": _state(draft, preview.tally(files)["read"]),
        },
        "draft": draft,
        "days": KEPT_FOR.days,
        "discard": reverse("import-discard", args=[draft.pk]),
    }
    if draft.state in (ImportState.READING, ImportState.STORING):
        return {**context, "poll": {"href": _state_href(draft), "version": state}, "progress": progress(draft, files)}
    if draft.state == ImportState.STORED:
        return {**context, "runs": _stored(draft)}
    return {**context, **_ready(draft, files, form)}


def _stored(draft: Import) -> list[Context]:
    """The runs stored from an import, without runs deleted since; one query."""
    runs = {str(run.pk): run for run in Run.objects.filter(pk__in=draft.run_ids).with_context()}
    return [
        {
            "id": id_,
            "href": reverse("run", args=[id_]),
            "title": " · ".join(title_of(run).parts),
            "files": ", ".join(file["name"] for file in run.extra["import"]["files"]),
            "similar": f"{reverse('runs')}?{urlencode({'q': run.tool})}",
        }
        for id_ in map(str, draft.run_ids)
        if (run := runs.get(id_))
    ]


def version(draft: Import, files: Sequence[ImportFile]) -> str:
    """A text that changes whenever the page does."""
    return f"{draft.state}.{preview.tally(files)['waiting']}"


def _state_href(draft: Import) -> str:
    return reverse("api-1:import_state", args=[draft.pk])


def progress(draft: Import, files: Sequence[ImportFile]) -> Context:
    """`{text, percent}` of a worker's progress; `percent` is None if unknown."""
    if draft.state == ImportState.STORING:
        return {"text": f"{plural(len(draft.run_ids), 'run')} being stored", "percent": None}
    total = sum(file.size for file in files) or 1
    done = sum(file.size for file in files if file.state != "waiting")
    left = preview.tally(files)["waiting"]
    return {"text": f"{len(files) - left} of {plural(len(files), 'file')} read", "percent": 100 * done // total}


def _ready(draft: Import, files: list[ImportFile], form: StoreForm | None) -> Context:
    entered = form.data if form is not None else draft.entered
    errors = form.errors if form is not None and form.is_bound else {}
    left_out = {file.ordinal for file in files} & {_ordinal(number) for number in _all(entered, "leave_out")}
    runs = planned(files, str(entered.get("runs") or "own"), left_out)
    own_machines = Machine.objects.filter(owner=draft.owner_id).order_by("name")
    return {
        "files": _files(files, left_out),
        "tally": preview.tally(files),
        "notes": draft.notes,
        "faults": [f"{pointer}: {expected}" if pointer else expected for pointer, expected in draft.faults],
        "wrong": [(_label(name), list(messages)) for name, messages in errors.items()],
        "runs": preview.runs_context(runs),
        "store": f"Store {plural(len(runs), 'run')}" if runs else None,
        "groups": [
            {"label": label, "fields": [_field(_BY_NAME[name], entered, errors) for name in names]}
            for label, names in _GROUPS
        ],
        "detected": _detected(form.detected if form is not None else draft.detected),
        "machine": entered.get("machine", _detected_name(draft)),
        "machines": list(own_machines.values_list("name", flat=True)[:MOST_MACHINES]),
        "entered": {name: entered.get(name, "") for name in ("labels", "measured_at")},
        "choices": {
            "visibility": _options(list(VISIBILITIES.items()), entered.get("visibility")),
            "cache": _options(CACHES, entered.get("cache")),
            "prepare": _options(PREPARATIONS, entered.get("prepare")),
            "runs": _options(RUNS, entered.get("runs")),
        },
        "errors": {name: list(messages) for name, messages in errors.items()},
    }


def _all(entered: Any, name: str) -> list[Any]:
    return list(entered.getlist(name) if hasattr(entered, "getlist") else entered.get(name) or [])


def _ordinal(number: Any) -> int | None:
    """The ordinal of a file from a request, which may contain anything; None if it is no ordinal."""
    text = str(number)
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _label(name: str) -> str:
    fact = _BY_NAME.get(name)
    return fact.label if fact else "" if name == "__all__" else name.replace("_", " ")


def _files(files: Sequence[ImportFile], left_out: set[int]) -> list[Context]:
    """Each file with as many results as there is room for; one more query fetches them."""
    room, shown = SHOWN, {}
    share = max(LEAST_SHOWN, SHOWN // (preview.tally(files)["read"] or 1))
    for file in files:
        shown[file.pk] = min(room, share, file.result_count)
        room -= shown[file.pk]
    wanted = [pk for pk, count in shown.items() if count]
    readings = dict(ImportFile.objects.filter(pk__in=wanted).values_list("pk", "reading"))
    for file in files:
        file.reading = readings.get(file.pk)
    return [
        {
            **preview.file_context(file, shown[file.pk]),
            "left_out": file.ordinal in left_out,
            "others": len(files) > 1,
        }
        for file in files
    ]


def _field(fact: FactField, entered: Mapping[str, Any], errors: Mapping[str, Any]) -> Context:
    return {
        "name": fact.name,
        "label": fact.label,
        "value": entered.get(fact.name, ""),
        "example": fact.example,
        "errors": list(errors.get(fact.name, [])),
    }


def _options(choices: Sequence[tuple[Any, Any]], chosen: str | None) -> list[Context]:
    first = str(choices[0][0])
    return [{"value": str(value), "text": text, "selected": str(value) == (chosen or first)} for value, text in choices]


def _detected_name(draft: Import) -> str:
    machine = (draft.detected or {}).get("machine")
    return machine["name"] if machine else ""


def _detected(facts: Mapping[str, Any] | None) -> list[Context]:
    """The facts that were detected, in short."""
    if facts is None:
        return []
    environment, target = facts["environment"], facts["target"]
    memory = environment["memory"]["total"]
    terms = {
        "machine": (facts.get("machine") or {}).get("name"),
        "CPU": environment["cpu"]["model"],
        "memory": say_size(memory) if memory else None,
        "kernel": environment["kernel"]["release"],
        "distribution": environment["os"].get("name") or environment["os"]["id"],
        "file system": target["file_system"]["type"],
        "storage": ", ".join(layer["kind"] for layer in target["stack"]) or None,
    }
    return [
        {"term": term, "value": value, "provenance": None if value else "unknown", "note": None, "href": None}
        for term, value in terms.items()
    ]


def raw_page(file: ImportFile, first: int) -> Context:
    """The raw text of a file, with the lines from `first` on; the context of web/partials/raw.html is `artifact`."""
    lines = split_lines(formats.decoded(bytes(file.content)))
    first = min(max(first, 1), max(len(lines), 1))
    href = reverse("import-raw", args=[file.of_id, file.ordinal])
    shown = lines[first - 1 : first - 1 + LINES_A_PAGE]
    artifact = {
        "name": file.name,
        "size": say_size(file.size),
        "href": None,
        "open": True,
        "anchor": "",
        "count": len(lines),
        "lines": [{"number": number, "text": text} for number, text in enumerate(shown, start=first)],
    }
    return {
        "section": "import",
        "title": {"parts": ["Import", file.name]},
        "back": reverse("import", args=[file.of_id]),
        "artifact": artifact,
        "parts": "lines",
        "earlier": f"{href}?from={max(first - LINES_A_PAGE, 1)}" if first > 1 else None,
        "later": f"{href}?from={first + LINES_A_PAGE}" if first + LINES_A_PAGE <= len(lines) else None,
    }


def file_page(file: ImportFile, start: int) -> Context:
    """All results of one file, a page at a time."""
    start = min(max(start, 0), max(file.result_count - 1, 0))
    href, end = reverse("import-file", args=[file.of_id, file.ordinal]), start + preview.RESULTS_A_PAGE
    context = preview.file_context(file, 0)
    if file.state == "read":
        context |= {**preview.part(file, start, preview.RESULTS_A_PAGE), "hidden": 0}
    return {
        "section": "import",
        "title": {"parts": ["Import", file.name]},
        "file": context,
        "back": reverse("import", args=[file.of_id]),
        "parts": "results",
        "shown": f"Results {start + 1} to {min(end, file.result_count)}",
        "earlier": f"{href}?start={max(start - preview.RESULTS_A_PAGE, 0)}" if start else None,
        "later": f"{href}?start={end}" if end < file.result_count else None,
    }
