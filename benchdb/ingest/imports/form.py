"""The form of an import, for the page and for the API, so that both report the same faults."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from django import forms
from django.utils import timezone

from benchdb.facts.registry import ENTRIES
from benchdb.runs.models import Visibility
from benchdb.wording.names import is_name, label_faults

from .detected import DetectedSections, FaultyFacts, read_detected
from .documents import ImportChoices
from .facts import STACK, read_facts

CACHES = [("uncontrolled", "uncontrolled, or not known"), ("cold", "cold: emptied before"), ("warm", "warm")]
PREPARATIONS = [
    ("none", "nothing, or not known"),
    ("mkfs", "the file system, made anew"),
    ("restore", "the file system, restored from an image"),
    ("remount", "mounted anew"),
]
WITH_ITERATIONS = "each file is a run of its own; the same log of all iterations of mmtests is one run"
RUNS = [
    ("own", "each file is a run of its own"),
    ("rounds", "files are the rounds of one run"),
    ("folders", "the files of a folder are the rounds of one run"),
]
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)


def read_labels(text: str) -> dict[str, str]:
    """Labels from lines of the form `name = value`. Raises ValidationError."""
    labels: dict[str, str] = {}
    lines = [line.strip() for line in text.splitlines()]
    for line in filter(None, lines):
        name, equals, value = (part.strip() for part in line.partition("="))
        fits = is_name(name) and is_name(value) and len(name) <= 200 and len(value) <= 200
        if not (equals and fits and line.isprintable()):
            raise forms.ValidationError(f"Expected one name = value a line, not “{line[:80]}”.")
        if name in labels:
            raise forms.ValidationError(f"The label {name} is given twice.")
        labels[name] = value
    if faults := label_faults(labels):
        raise forms.ValidationError(faults)
    return labels


class StoreForm(forms.Form):
    """All facts that a person may enter; only the machine's name is required."""

    machine = forms.CharField(max_length=200, error_messages={"required": "Name the machine. Any name is possible."})
    labels = forms.CharField(required=False, max_length=30_000)
    visibility = forms.ChoiceField(choices=Visibility.choices, required=False)
    measured_at = forms.DateTimeField(
        required=False, error_messages={"invalid": "Write a date such as 2009-05-31, or leave it empty."}
    )
    cache = forms.ChoiceField(choices=CACHES, required=False)
    prepare = forms.ChoiceField(choices=PREPARATIONS, required=False)
    runs = forms.ChoiceField(choices=RUNS, required=False)
    leave_out = forms.TypedMultipleChoiceField(coerce=int, required=False)
    forget_detect = forms.BooleanField(required=False)
    detect = forms.CharField(required=False, strip=False)

    def __init__(self, file_count: int, data: Mapping[str, object], *, detected: DetectedSections | None) -> None:
        """`detected` are the facts of an earlier form; `detect` of this form replaces them."""
        super().__init__(data)
        self.detected = detected
        for entry in ENTRIES:
            self.fields[entry.name] = forms.CharField(required=False, max_length=4096)
        leave_out = self.fields["leave_out"]
        assert isinstance(leave_out, forms.TypedMultipleChoiceField)
        leave_out.choices = [(number, str(number)) for number in range(file_count)]

    def clean_machine(self) -> str:
        """The name, refused unless it is one visible line."""
        name: str = self.cleaned_data["machine"]
        if not (name.isprintable() and is_name(name)):
            raise forms.ValidationError("Write the name as visible text in one line.")
        return name

    def clean_labels(self) -> dict[str, str]:
        """Labels from lines of the form `name = value`."""
        return read_labels(self.cleaned_data["labels"])

    def clean_measured_at(self) -> datetime | None:
        """A time between 1970 and now, in any time zone."""
        time: datetime | None = self.cleaned_data["measured_at"]
        if time is not None and not EARLIEST <= time <= timezone.now() + timedelta(days=1):
            raise forms.ValidationError("Expected a date between 1970 and today.")
        return time

    def clean_detect(self) -> str:
        """Store the output of `benchagent detect --json` as `self.detected`."""
        text: str = self.cleaned_data["detect"]
        if self.cleaned_data.get("forget_detect"):
            self.detected = None
        if text.strip():
            try:
                self.detected = read_detected(text.encode("utf-8", "replace"))
            except FaultyFacts as error:
                raise forms.ValidationError(error.faults) from None
        return ""

    def clean(self) -> dict[str, object]:
        """The cleaned fields and `facts`, the entered facts in the form of a document."""
        cleaned = super().clean() or {}
        facts, faults = read_facts({entry.name: cleaned.get(entry.name, "") for entry in ENTRIES})
        for name, expected in faults.items():
            self.add_error(name, expected)
        if self.detected and self.detected["target"]["stack"]:
            for name in STACK:
                if name in facts:
                    self.add_error(name, "The detected facts include the disks. Leave this empty.")
        defaults = {"visibility": Visibility.PRIVATE.value, "cache": "uncontrolled", "prepare": "none", "runs": "own"}
        return {**cleaned, **{name: cleaned.get(name) or default for name, default in defaults.items()}, "facts": facts}

    def chosen(self) -> ImportChoices:
        """The entries of a valid form."""
        names = ("machine", "labels", "visibility", "measured_at", "cache", "prepare", "facts")
        return ImportChoices(**{name: self.cleaned_data[name] for name in names}, detected=self.detected)
