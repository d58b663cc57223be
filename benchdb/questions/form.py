"""The form of a question: its menus, the filters in force, and what a page says if no run answers it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import orjson
from django.urls import reverse

from benchagent.formats.vocabulary import test_label
from benchdb.runs.listing.filters import FACETS
from benchdb.runs.listing.in_force import filter_text
from benchdb.runs.listing.table import address
from benchdb.runs.quantities.columns import Entry
from benchdb.wording.numbers import plural, say_number
from benchdb.wording.sizes import say_size
from benchdb.wording.words import metric_label, params_in_words

from .facts import CONFIGURATION
from .query import HARDWARE, WORKLOAD, Question, printed
from .sample import MOST_RUNS, QuestionChoices, Sample
from .similar import Hardware

LABELS = {"metric": "metric", "file_size": "file size", "record_size": "record size", "threads": "threads"}
LABELS |= {"params": "parameters"}
DISKS = {"nvme": "NVMe", "ssd": "SSD", "rotational": "rotational disk", "virtual": "virtual disk"}
MOST_OPTIONS = 100


def frame(name: str, question: Question, faults: Sequence[str], found: Sample | None) -> dict[str, Any]:
    """The frame of the page `name`, "best" or "facts"; `found` is None if there are faults."""
    asked = question if found is None else found.question
    heading, other = HEADINGS[name], "facts" if name == "best" else "best"
    shown = asked.text
    # What both pages have around the answer: form, faults, links, and the message in place of an answer.
    return {
        "heading": heading,
        "choices": _form(name, question, asked, found),
        "faults": faults,
        "message": None if found is None or faults else _nothing(name, question, found),
        "workload": "" if found is None else workload_in_words(asked),
        "basis": "" if found is None else _basis(found),
        "csv": _with(reverse("question-data", args=[name, "csv"]), shown),
        "data": _with(reverse("question-data", args=[name, "json"]), shown),
        "other": {"text": HEADINGS[other], "href": _with(reverse(f"question-{other}"), shown)},
        "section": "compare",
    }


HEADINGS = {"best": "Best configurations", "facts": "What explains the variance"}


def workload_in_words(question: Question) -> str:
    """`Random write throughput of fsload, 1 GiB file, 4 KiB records`."""
    (tool,), (test,) = question.runs.facets["tool"], question.runs.facets["test"]
    entries = question.workload
    words = [f"{test_label(str(test or ''))} {metric_label(str(entries.get('metric', '')))} of {tool}".strip()]
    words += [say_entry(name, entries[name]) for name in WORKLOAD[1:] if entries.get(name) not in (None, "{}")]
    return ", ".join(words)


def say_entry(name: str, entry: Entry) -> str:
    """A dimension of a quantity in words: `1 GiB file`, `4 threads`, `fsync`."""
    if entry is None:
        return "none"
    if name == "metric":
        return metric_label(str(entry))
    if name in ("file_size", "record_size"):
        return f"{say_size(int(entry))} {'file' if name == 'file_size' else 'records'}"
    if name == "threads":
        return plural(int(entry), "thread")
    return ", ".join(params_in_words(orjson.loads(str(entry)))) or "no parameters"


def _basis(found: Sample) -> str:
    """The runs of the answer in words, with those that were not used."""
    parts = [f"{plural(len(found.runs), 'run')} on {plural(len(set(found.machines.tolist())), 'machine')}"]
    if found.matched > found.read:
        parts.append(
            f"of {'the newest ' if found.read == MOST_RUNS else ''}{say_number(found.read, 0)} of "
            f"{say_number(found.matched, 0)} runs that match"
        )
    if found.without:
        parts.append(f"{plural(found.without, 'run')} without this figure left out")
    if found.similar is not None:
        parts.append(hardware_in_words(found.similar.hardware))
    return "; ".join(parts)


def hardware_in_words(hardware: Hardware) -> str:
    """`similar hardware: SSD, 32 to 128 GiB of memory, 8 to 32 CPU threads`."""
    words = [DISKS[hardware.disk_kind]] if hardware.disk_kind else []
    if hardware.memory is not None:
        words.append(f"{say_size(hardware.memory / 2)} to {say_size(hardware.memory * 2)} of memory")
    if hardware.threads is not None:
        words.append(f"{-(-hardware.threads // 2)} to {hardware.threads * 2} CPU threads")
    return f"similar hardware: {', '.join(words) or 'nothing is known about this machine'}"


def _form(name: str, question: Question, asked: Question, found: Sample | None) -> dict[str, Any]:
    fields = [] if found is None else _workload_fields(asked, found.choices)
    names = {field["name"] for field in fields}
    if name == "best":
        fields += _hardware_fields(question, {} if found is None else found.choices.machines)
        names |= {*HARDWARE, "vary"}
    machines = {} if found is None else found.choices.machines
    return {
        "action": reverse(f"question-{name}"),
        "label": HEADINGS[name],
        "hidden": [
            pair for pair in question.pairs if pair[0] not in names and (found is None or pair[0] not in WORKLOAD)
        ],
        "fields": fields,
        "reset": reverse(f"question-{name}") if question.pairs else None,
        "chips": _chips(name, question, machines),
    }


def _chips(name: str, question: Question, machines: Mapping[str, str]) -> list[dict[str, object]]:
    """The filters of runs in force beside those with a menu."""
    shown = [pair for pair in question.runs.filters if pair[0] not in ("tool", "test")]
    rest = {pair: [other for other in question.pairs if other != pair] for pair in shown}
    return [
        {
            "text": filter_text(*pair, machines),
            "href": _with(reverse(f"question-{name}"), urlencode(rest[pair])),
        }
        for pair in shown
    ]


def _workload_fields(asked: Question, choices: QuestionChoices) -> list[dict[str, object]]:
    fields: list[dict[str, object]] = []
    for name, values in (("tool", choices.tools), ("test", choices.tests)):
        own = str(asked.runs.facets[name][0])
        counted = [(str(value), FACETS[name].print(value)) for value, _ in values if value is not None]
        fields.append(
            {
                "name": name,
                "label": name,
                "options": _options(counted, own),
            }
        )
    for name in WORKLOAD:
        entries = choices.dimensions.get(name, ())
        chosen = asked.workload.get(name)
        missing = name in asked.workload and chosen not in entries
        if len(entries) > 1 or missing:
            texts = [(printed(name, entry), say_entry(name, entry)) for entry in entries]
            texts += [(printed(name, chosen), f"{say_entry(name, chosen)} (no run)")] if missing else []
            fields.append(
                {
                    "name": name,
                    "label": LABELS[name],
                    "options": _options(texts, printed(name, chosen)),
                }
            )
    return fields


def _hardware_fields(question: Question, machines: Mapping[str, str]) -> list[dict[str, object]]:
    like = "" if question.like is None else str(question.like)
    names = sorted(machines.items(), key=lambda item: item[1])[:MOST_OPTIONS]
    if like and like not in dict(names):
        names.append((like, f"machine {like}"))
    parts = [(name, FACETS[name].label) for name in CONFIGURATION]
    several = len(question.vary) > 1
    whole = [("", "whole configuration")]
    vary = [*whole, *parts, *([(question.vary[0], "several parts")] if several else [])]
    return [
        {
            "name": "like",
            "label": "hardware like",
            "options": _options([("", "any machine"), *names], like),
        },
        {
            "name": "disk_kind",
            "label": "disks",
            "options": _options([("", "any"), *DISKS.items()], question.disk_kind),
        },
        {
            "name": "near_memory",
            "label": "memory near",
            "value": "" if question.near_memory is None else printed("file_size", question.near_memory),
            "placeholder": "64G",
        },
        {
            "name": "near_threads",
            "label": "CPU threads near",
            "value": "" if question.near_threads is None else str(question.near_threads),
            "placeholder": "16",
        },
        {
            "name": "vary",
            "label": "compare by",
            "options": _options(vary, question.vary[0] if question.vary else ""),
        },
    ]


def _options(values: Iterable[tuple[str, str]], chosen: str | None) -> list[dict[str, object]]:
    return [{"value": value, "text": text, "selected": value == chosen} for value, text in values]


def _nothing(name: str, question: Question, found: Sample) -> dict[str, object] | None:
    """The message if no run answers the question: what there is, and where to go."""
    if found.runs and not found.missing:
        return None
    page = reverse(f"question-{name}")
    if found.missing:
        entries = found.choices.dimensions.get(found.missing, ())
        there = ", ".join(say_entry(found.missing, entry) for entry in entries[:20]) or "none"
        rest = replace(question, workload={})
        return {
            "title": f"No run with this {LABELS[found.missing]}",
            "text": f"Runs of {found.question.runs.facets['test'][0]} with these filters have: {there}.",
            "next": [{"text": "What most runs have", "href": _with(page, rest.text)}],
            "command": None,
        }
    if not found.choices.tools and not question.pairs:
        return {
            "title": "No runs yet",
            "text": "The first run that an agent sends, or that you import, is the first to count here.",
            "next": [{"text": "Measure a machine", "href": reverse("agent")}],
            "command": None,
        }
    tools = ", ".join(str(tool) for tool, _ in found.choices.tools[:10]) or "none"
    where = "on similar hardware " if found.similar is not None else ""
    return {
        "title": "No run matches",
        "text": f"No run of this workload {where}has a figure. Tools with runs that pass the other filters: {tools}.",
        "next": [
            {"text": "Without hardware and workload", "href": _with(page, urlencode(_without(question)))},
            {"text": "Runs with these filters", "href": address(question.runs.filters)},
        ],
        "command": None,
    }


def _without(question: Question) -> list[tuple[str, str]]:
    left_out = {*WORKLOAD, *HARDWARE, "tool", "test"}
    return [pair for pair in question.pairs if pair[0] not in left_out]


def _with(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path
