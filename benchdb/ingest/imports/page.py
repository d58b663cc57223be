"""The page of an import in each of its states, and the list of an owner's imports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Count, Min, Q
from django.http import QueryDict
from django.urls import reverse

from benchagent.formats.mmtests import log_of
from benchdb.catalog.models import Machine
from benchdb.facts.fact import FormEntry
from benchdb.facts.registry import ENTRIES
from benchdb.ingest.models import Import, ImportFile, ImportState
from benchdb.runs.facts.terms import fact
from benchdb.runs.models import Run
from benchdb.runs.page.run_title import title_of
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.words import VISIBILITIES

from . import preview
from .beside import RunFiles
from .detected import DetectedSections
from .documents import planned
from .form import CACHES, PREPARATIONS, RUNS, WITH_ITERATIONS, StoreForm, read_labels
from .services import KEPT_FOR
from .turns import ahead_of

LEAST_SHOWN = 20  # of a file, as long as there is room
SHOWN = 500  # results on the page of an import; each file has a page with all of them
MOST_MACHINES = 200  # offered in the form
_GROUPS = ("Machine", "File system", "RAID", "Disks")
Entered = QueryDict | Mapping[str, object]  # the entries of the form, as sent or as kept


def own_imports(owner: User, most: int) -> list[dict[str, Any]]:
    """The owner's newest imports; `what` are their files, or the runs made of them. One query."""
    read = Count("files", filter=Q(files__state="read"))
    imports = Import.objects.filter(owner=owner).annotate(first=Min("files__name"), count=Count("files"), read=read)
    return [
        {
            "href": draft.get_absolute_url(),
            "state": _state(draft, draft.read),
            "at": draft.created_at,
            "what": _contents(draft, draft.first, draft.count),
        }
        for draft in imports.order_by("-created_at")[:most]
    ]


def _state(draft: Import, read: int) -> str:
    """The state of an import; `refused` if all files are read and none was recognized."""
    return "refused" if draft.state == ImportState.READY and not read else draft.state


def _contents(draft: Import, first: str | None, count: int) -> str:
    """The contents of an import: its files; once it is stored and they are gone, its runs."""
    if draft.state == ImportState.STORED:
        return plural(len(draft.run_ids), "run")
    return f"{first} and {count - 1} more" if count > 1 else first or "no files"


def import_parts(draft: Import, form: StoreForm | None = None) -> tuple[dict[str, object], dict[str, object]]:
    """The page of an import in its present state; `form` has the faults of the entries just sent."""
    files = list(draft.files.light())
    # The part of ingest/import.html that every state has; `days` is the time for which an import is kept.
    frame = {
        "title": {"parts": ["Import"], "time": draft.created_at, "state": _state(draft, preview.tally(files).read)},
        "draft": draft,
        "days": KEPT_FOR.days,
        "discard": reverse("import-discard", args=[draft.pk]),
        "section": "import",
    }
    if draft.state in (ImportState.READING, ImportState.STORING):
        ahead = import_ahead(draft)
        poll = reverse("api-1:import_state", args=[draft.pk])
        # An import that is being read or stored; a script asks at the address `poll` whether anything
        # changed. `ahead` is the account's import that comes first, if it is another one.
        return frame, {"poll": poll, "progress": progress(draft, files, ahead), "ahead": ahead}
    if draft.state == ImportState.STORED:
        return frame, {"runs": _stored(draft)}
    return frame, _ready(draft, files, form)


def _stored(draft: Import) -> list[dict[str, object]]:
    """The runs stored from an import, without runs deleted since; one query."""
    runs = {str(run.pk): run for run in Run.objects.filter(pk__in=draft.run_ids).with_context()}
    return [
        # A stored run with the names of its files; `similar` is the list of runs of the same tool.
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
    return f"{draft.state}.{preview.tally(files).waiting}"


def import_ahead(draft: Import) -> dict[str, object] | None:
    """The import of the same account that a worker finishes first; two queries if there is one."""
    first = ahead_of(draft)
    if first is None:
        return None
    files = first.files.aggregate(first=Min("name"), count=Count("pk"))
    return {"href": first.get_absolute_url(), "what": _contents(first, files["first"], files["count"])}


def progress(draft: Import, files: Sequence[ImportFile], ahead: Mapping[str, object] | None) -> dict[str, Any]:
    """The progress of reading or storing an import, or the import that comes first; `percent` is None if unknown."""
    if ahead is not None:
        return {"text": f"waiting for your import {ahead['what']}", "percent": None}
    if draft.state == ImportState.STORING:
        return {"text": f"{plural(len(draft.run_ids), 'run')} being stored", "percent": None}
    total = sum(file.size for file in files) or 1
    done = sum(file.size for file in files if file.state != "waiting")
    left = preview.tally(files).waiting
    return {"text": f"{len(files) - left} of {plural(len(files), 'file')} read", "percent": 100 * done // total}


def _ready(draft: Import, files: list[ImportFile], form: StoreForm | None) -> dict[str, object]:
    entered: Entered = form.data if form is not None else draft.entered
    errors = (
        {name: [*map(str, texts)] for name, texts in form.errors.items()} if form is not None and form.is_bound else {}
    )
    left_out = {file.ordinal for file in files} & {_ordinal(number) for number in _all(entered, "leave_out")}
    runs = planned(files, str(entered.get("runs") or "own"), left_out)
    own_machines = Machine.objects.filter(owner=draft.owner_id).order_by("name")
    # The context of ingest/partials/ready.html. `notes` has (name, reason) of what was not taken, `faults` are reasons
    # why storing failed, `wrong` and `errors` are the faults of the entries by label and by name. `store` is the text
    # of the button, None if there is no run.
    return {
        "files": _files(files, left_out, runs),
        "tally": preview.tally(files),
        "notes": draft.notes,
        "faults": [f"{pointer}: {expected}" if pointer else expected for pointer, expected in draft.faults],
        "wrong": [(_label(name), messages) for name, messages in errors.items()],
        "runs": preview.planned_runs(runs, draft, _labels(entered)),
        "store": f"Store {plural(len(runs), 'run')}" if runs else None,
        "groups": [
            {"label": group, "fields": [_field(entry, entered, errors) for entry in ENTRIES if entry.group == group]}
            for group in _GROUPS
        ],
        "detected": _detected(form.detected if form is not None else draft.detected),
        "machine": entered.get("machine", _detected_name(draft.detected)),
        "machines": list(own_machines.values_list("name", flat=True)[:MOST_MACHINES]),
        "entered": {"labels": entered.get("labels", ""), "measured_at": entered.get("measured_at", "")},
        "choices": {
            "visibility": _options(list(VISIBILITIES.items()), entered.get("visibility")),
            "cache": _options(CACHES, entered.get("cache")),
            "prepare": _options(PREPARATIONS, entered.get("prepare")),
            "runs": _options(_ways_of_grouping(files), entered.get("runs")),
        },
        "errors": errors,
    }


def _labels(entered: Entered) -> dict[str, str]:
    """The labels in the form; none if they are faulty, which the form says."""
    try:
        return read_labels(str(entered.get("labels") or ""))
    except ValidationError:
        return {}


def _ways_of_grouping(files: Sequence[ImportFile]) -> list[tuple[str, str]]:
    (own, text), *others = RUNS
    return [(own, WITH_ITERATIONS if any(log_of(file.name) for file in files) else text), *others]


def _all(entered: Entered, name: str) -> list[object]:
    values = entered.getlist(name) if isinstance(entered, QueryDict) else entered.get(name)
    return list(values) if isinstance(values, list) else []


def _ordinal(number: object) -> int | None:
    """The ordinal of a file from a request, which may contain anything; None if it is no ordinal."""
    text = str(number)
    return int(text) if text.isdecimal() and len(text) < 10 else None


def _label(name: str) -> str:
    labels = {entry.name: entry.label for entry in ENTRIES}
    return "" if name == "__all__" else labels.get(name) or name.replace("_", " ")


def _files(files: Sequence[ImportFile], left_out: set[int], runs: Sequence[RunFiles]) -> list[dict[str, object]]:
    """Each file with as many results as there is room for; one more query fetches them.

    `others` tells whether the import has more files, `output` names the file to whose run this one adds only its
    numbers over time.
    """
    outputs = {file.ordinal: run.outputs[index].name for run in runs for file, index in run.beside}
    room, shown = SHOWN, {}
    share = max(LEAST_SHOWN, SHOWN // (preview.tally(files).read or 1))
    for file in files:
        shown[file.pk] = min(room, share, file.result_count)
        room -= shown[file.pk]
    wanted = [pk for pk, count in shown.items() if count]
    readings = dict(ImportFile.objects.filter(pk__in=wanted).values_list("pk", "reading"))
    for file in files:
        file.reading = readings.get(file.pk)
    return [
        {
            **preview.shown_file(file, shown[file.pk]),
            "left_out": file.ordinal in left_out,
            "others": len(files) > 1,
            "output": outputs.get(file.ordinal, ""),
        }
        for file in files
    ]


def _field(field: FormEntry, entered: Entered, errors: Mapping[str, Sequence[str]]) -> dict[str, object]:
    return {
        "name": field.name,
        "label": field.label,
        "value": entered.get(field.name, ""),
        "example": field.example,
        "errors": errors.get(field.name, []),
    }


def _options(choices: Sequence[tuple[str, str]], chosen: object) -> list[dict[str, object]]:
    first = choices[0][0]
    return [{"value": value, "text": text, "selected": value == (chosen or first)} for value, text in choices]


def _detected_name(facts: DetectedSections | None) -> str:
    machine = facts.get("machine") if facts else None
    return machine["name"] if machine else ""


def _detected(facts: DetectedSections | None) -> list[dict[str, object]]:
    """The facts that were detected, in short."""
    if facts is None:
        return []
    environment, target = facts["environment"], facts["target"]
    memory, system = environment["memory"]["total"], environment["os"]
    terms = {
        "machine": _detected_name(facts),
        "CPU": environment["cpu"]["model"],
        "memory": say_size(memory) if memory else None,
        "kernel": environment["kernel"]["release"],
        "distribution": system.get("name") or system["id"],
        "file system": target["file_system"]["type"],
        "storage": ", ".join(layer["kind"] for layer in target["stack"]),
    }
    return [fact(term, value or None) for term, value in terms.items()]
