"""The form that queues a plan."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.contrib.auth.models import User

from benchdb.catalog.models import Machine
from benchdb.runs.models import Visibility

from .offers import MachineOffer, why_not
from .plan_texts import CheckedPlan, FaultyPlan, read_plan
from .queries import queueable


class QueueForm(forms.Form):
    """A plan's text, its machines (those in `offered` can be chosen), and the visibility of its runs."""

    plan = forms.CharField(strip=False, error_messages={"required": "Paste a plan, or start from one that is shipped."})
    machines = forms.ModelMultipleChoiceField(
        Machine.objects.none(),
        error_messages={
            "required": "Choose at least one machine.",
            "invalid_choice": "You have no such machine.",
            "invalid_pk_value": "You have no such machine.",
        },
    )
    visibility = forms.ChoiceField(choices=Visibility.choices, initial=Visibility.PRIVATE)

    def __init__(self, owner: User, data: Mapping[str, object] | None = None) -> None:
        super().__init__(data)
        field = self.fields["machines"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        self.offered = queueable(owner)
        field.queryset = self.offered

    def clean_plan(self) -> CheckedPlan:
        """The checked plan; each of its faults is an error of the field."""
        try:
            return read_plan(self.cleaned_data["plan"])
        except FaultyPlan as error:
            raise forms.ValidationError(list(error.faults)) from None

    def clean(self) -> dict[str, object]:
        """A fault for each machine whose agent would refuse the plan or skip all of it, by its last report."""
        checked = self.cleaned_data.get("plan")
        for machine in self.cleaned_data.get("machines", ()):
            offer = MachineOffer.of(getattr(machine, "listener", None))
            if offer and checked and (reasons := why_not(checked.plan, offer)):
                self.add_error("machines", f"{machine.name} cannot run this plan: {'; '.join(reasons)}.")
        return self.cleaned_data
