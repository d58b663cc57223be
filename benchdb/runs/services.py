"""Writes to stored runs as a whole; `store/summaries.py` writes their summaries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from uuid import UUID

from django import forms
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from benchdb.catalog.services import collect, collect_environment, collect_target
from benchdb.quotas import services as quotas
from benchdb.quotas.limits import Amount
from benchdb.replica.positions import taken_back
from benchdb.wording.names import MOST_LABELS, is_name, label_faults

from .changes import record_change
from .models import Facets, Run, RunState, RunStateQuerySet, Tombstone, Visibility

LONGEST = 200  # of a name, as in the contract (benchdb/ingest/contract/field_types.py)


class EditForm(forms.Form):
    """Labels as lines of `name = value`, and the visibility."""

    labels = forms.CharField(required=False, max_length=MOST_LABELS * (2 * LONGEST + 4), strip=False)
    visibility = forms.ChoiceField(choices=Visibility.choices)

    def clean_labels(self) -> dict[str, str]:
        """The labels by name. Refuses a text with faulty lines and lists all of them."""
        return parse_labels(self.cleaned_data["labels"])


def parse_labels(text: str) -> dict[str, str]:
    """`{name: value}` of lines `name = value`; empty lines do not count. Raises ValidationError with every fault."""
    labels: dict[str, str] = {}
    faults = []
    for number, line in enumerate(re.split(r"\r\n?|\n", text), start=1):
        name, equals, value = (part.strip() for part in line.partition("="))
        if not line.strip():
            continue
        if not (equals and name and value):
            faults.append(f"Line {number} of the labels, “{line.strip()[:60]}”, is not of the form name = value.")
        elif max(len(name), len(value)) > LONGEST:
            faults.append(f"Line {number} of the labels has more than {LONGEST} characters on one side.")
        elif not (line.strip().isprintable() and is_name(name) and is_name(value)):
            faults.append(f"Line {number} of the labels has control characters, or nothing visible on one side.")
        elif name in labels:
            faults.append(f"The label “{name[:60]}” is there twice; each can have one value.")
        labels[name] = value
    faults += label_faults(labels)
    if faults:
        raise forms.ValidationError(faults)
    return labels


def print_labels(labels: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The text for `parse_labels`, and the labels that do not fit into a line: agents may send any characters."""
    unsaid = {name: value for name, value in labels.items() if not _fits_into_line(name, value)}
    return "\n".join(_line(name, value) for name, value in labels.items() if name not in unsaid), unsaid


def _line(name: str, value: str) -> str:
    return f"{name} = {value}"


def _fits_into_line(name: str, value: str) -> bool:
    try:
        return parse_labels(_line(name, value)) == {name: value}
    except forms.ValidationError:
        return False


class HeldByStaff(Exception):
    """The owner of a run tried to undo a decision of a maintainer; the message says which."""


def edit(run: Run, labels: Mapping[str, str], visibility: Visibility) -> None:
    """Replace the run's labels and visibility, as its owner. Raises HeldByStaff."""
    states = RunState.objects.filter(pk=run.pk)
    allowed = states.filter(Q(visibility_limit=None) | Q(visibility_limit__in=visibility.within()))
    with transaction.atomic():
        was = states.select_for_update().values_list("visibility", flat=True).first()
        if not allowed.update(labels=dict(labels), visibility=visibility):
            limit = states.values_list("visibility_limit", flat=True).first()
            if limit is not None:  # else the run was deleted meanwhile
                raise HeldByStaff(f"A maintainer has made this run {limit}: you cannot show it to more people.")
        record_change(run.pk, left=was == Visibility.PUBLIC)
        if was and was not in visibility.within():  # more people see it now
            replace_continued(run, visibility)
        taken_back()


def delete_run(run: Run) -> None:
    """Delete a run with all its data; because of the tombstone, its id answers 410 for good."""
    with transaction.atomic():
        # A worker that stores results or summaries of the run holds this lock; they are all deleted with the run.
        states = RunState.objects.select_for_update().filter(pk=run.pk)
        stored = states.values_list("facets_id", "owner_id", "value_count", "document_bytes").first()
        # Locked, so that no artifact moves into the archive meanwhile and is forgotten there.
        artifacts = run.artifacts.select_for_update().values_list("archived", flat=True)
        Tombstone.objects.get_or_create(
            run_id=run.pk, defaults={"archived": [name for name in artifacts if name] or None}
        )
        record_change(run.pk, left=True)
        run.delete()
        taken_back()
        if stored is not None:  # else somebody else has deleted it meanwhile; last, because uploads wait for this row
            _, owner_id, value_count, document_bytes = stored
            quotas.release(owner_id, Amount(1, value_count, document_bytes))
    collect_environment(run.environment_id)
    collect_target(run.target_id)
    if stored is not None and stored[0] is not None:
        collect(Facets.objects.filter(pk=stored[0], states=None))


LONGEST_REASON = 200  # as in the API (benchdb/api/text_types.py)


def withdraw(run: Run, reason: str, *, by_staff: bool = False) -> None:
    """Mark the run as withdrawn for this reason; a second withdrawal only replaces the reason.

    Raises HeldByStaff if staff has withdrawn it and this is not `by_staff`.
    """
    with transaction.atomic():
        state = _changeable(run, by_staff=by_staff)
        state.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
        state.update(withdrawn_reason=reason, withdrawn_by_staff=by_staff)
        record_change(run.pk)
    taken_back()


def replace_continued(run: Run, visibility: Visibility) -> None:
    """Withdraw the run that `run` continues, if all its readers see `run`, so that comparisons have its rounds once.

    The reason is public and does not name `run`, which may be unlisted. Runs that were withdrawn before keep theirs.
    """
    narrower = [each for each in Visibility if visibility in each.within()]
    states = RunState.objects.filter(pk=run.continues, visibility__in=narrower, withdrawn_at=None)
    for state in states.select_related("run").select_for_update(of=("self",)):
        withdraw(state.run, f"continued to {run.round_count} rounds")


def reinstate(run: Run, *, by_staff: bool = False) -> None:
    """Undo a withdrawal. Raises HeldByStaff if staff has withdrawn it and this is not `by_staff`."""
    with transaction.atomic():
        state = _changeable(run, by_staff=by_staff)
        state.update(withdrawn_at=None, withdrawn_reason="", withdrawn_by_staff=False)
        record_change(run.pk)
    taken_back()


def _changeable(run: Run, *, by_staff: bool) -> RunStateQuerySet:
    """The locked state of a run. Raises HeldByStaff."""
    states = RunState.objects.filter(pk=run.pk)
    if states.select_for_update().values_list("withdrawn_by_staff", flat=True).first() and not by_staff:
        raise HeldByStaff("A maintainer has withdrawn this run. Only a maintainer can reinstate it.")
    return states


def limit_visibility(run_ids: Iterable[UUID], visibility: Visibility) -> None:
    """Show the runs to so many people at most, as staff. Owners may choose fewer; what they keep private stays so."""
    limit = None if visibility is Visibility.PUBLIC else visibility
    chosen = list(run_ids)
    with transaction.atomic():
        states = RunState.objects.filter(pk__in=chosen)
        public = list(states.filter(visibility=Visibility.PUBLIC).select_for_update().values_list("pk", flat=True))
        states.update(visibility_limit=limit)
        states.filter(visibility__in=visibility.within()).update(visibility=visibility)
        record_change(*public, left=True)
    taken_back()
