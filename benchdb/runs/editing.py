"""What the owner of a run may change about it: its labels, and who may see it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django import forms

from benchdb.replica.notes import taken_back

from .models import Run, RunState, Visibility

MOST_LABELS = 64  # as in the contract (benchdb/ingest/contract/document.py), as is the length of a name
LONGEST = 200


class EditForm(forms.Form):
    """Labels as lines of `name = value`, and the visibility."""

    labels = forms.CharField(required=False, max_length=MOST_LABELS * (2 * LONGEST + 4), strip=False)
    visibility = forms.ChoiceField(choices=Visibility.choices)

    def clean_labels(self) -> dict[str, str]:
        """The labels by name. Refuses with every line that is none."""
        return parse_labels(self.cleaned_data["labels"])


def parse_labels(text: str) -> dict[str, str]:
    """`{name: value}` of lines `name = value`; empty lines do not count. Raises ValidationError with every fault."""
    found: dict[str, str] = {}
    faults = []
    for number, line in enumerate(re.split(r"\r\n?|\n", text), start=1):
        name, equals, value = (part.strip() for part in line.partition("="))
        if not line.strip():
            continue
        if not (equals and name and value):
            faults.append(f"Line {number} of the labels, “{line.strip()[:60]}”, is not of the form name = value.")
        elif max(len(name), len(value)) > LONGEST:
            faults.append(f"Line {number} of the labels has more than {LONGEST} characters on one side.")
        elif not line.strip().isprintable():
            faults.append(f"Line {number} of the labels has control characters.")
        elif name in found:
            faults.append(f"The label “{name[:60]}” is there twice; each can have one value.")
        found[name] = value
    if len(found) > MOST_LABELS:
        faults.append(f"There are {len(found)} labels; a run can have {MOST_LABELS}.")
    if faults:
        raise forms.ValidationError(faults)
    return found


def print_labels(labels: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The text that `parse_labels` reads, and the labels that no line can say: an agent may send any characters."""
    unsaid = {name: value for name, value in labels.items() if not _is_sayable(name, value)}
    return "\n".join(_line(name, value) for name, value in labels.items() if name not in unsaid), unsaid


def _line(name: str, value: str) -> str:
    return f"{name} = {value}"


def _is_sayable(name: str, value: str) -> bool:
    try:
        return parse_labels(_line(name, value)) == {name: value}
    except forms.ValidationError:
        return False


def edit(run: Run, labels: Mapping[str, str], visibility: Visibility) -> None:
    """Replace the run's labels and visibility."""
    RunState.objects.filter(pk=run.pk).update(labels=dict(labels), visibility=visibility)
    taken_back()
