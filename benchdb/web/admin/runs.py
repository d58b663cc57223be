"""The admin's list of runs, whose visibility and withdrawal may change; the runs themselves are immutable."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from benchdb.audit.models import Action
from benchdb.runs.models import RunState, Visibility
from benchdb.runs.services import limit_visibility, reinstate, withdraw

from .audited import ReasonForm, reason_of
from .read_only import Ended, ReadingAdmin


@admin.register(RunState)
class Runs(ReadingAdmin):
    """Runs, newest first, with actions that withdraw and reinstate them or change their visibility."""

    fields = (
        *("run", "owner", "visibility", "labels", "state", "failure", "changed_at"),
        *("current_parse", "statistics_version", "withdrawn_at", "withdrawn_reason"),
    )
    list_display = ("run", "machine", "file_system", "owner", "visibility", "state", "withdrawn_at")
    list_select_related = ("run__machine", "run__target", "owner")
    list_filter = ("visibility", "state", ("withdrawn_at", Ended))
    search_fields = ("run__machine__name", "owner__username", "run__tool", "run__id__iexact")
    ordering = ("-run",)
    action_form = ReasonForm
    actions = ("withdraw", "reinstate", "make_public", "make_unlisted", "make_private")

    def view_on_site(self, state: RunState) -> str:
        """The address of the run's page."""
        return state.run.get_absolute_url()

    @admin.display(ordering="run__machine__name")
    def machine(self, state: RunState) -> str:
        """The name of the run's machine."""
        return str(state.run.machine)

    @admin.display(ordering="run__target__file_system", empty_value="unknown")
    def file_system(self, state: RunState) -> str | None:
        """The run's file system."""
        return state.run.target.file_system

    @admin.action(description="Withdraw (with the reason)", permissions=["keep"])
    def withdraw(self, request: HttpRequest, chosen: QuerySet[RunState]) -> None:
        """Withdraw runs: their pages stay, marked with the reason, and lists omit them."""
        if not reason_of(request):
            self.message_user(
                request, "Give the reason, for people who used the runs. Nothing was changed.", messages.ERROR
            )
            return
        for state in chosen:
            with transaction.atomic():
                withdraw(state.run, reason_of(request), by_staff=True)
                self.audit(request, state, Action.WITHDRAW, f"Withdrawn: {reason_of(request)}")
        self.message_user(request, f"{len(chosen)} withdrawn.", messages.SUCCESS)

    @admin.action(description="Let them count again", permissions=["keep"])
    def reinstate(self, request: HttpRequest, chosen: QuerySet[RunState]) -> None:
        """Undo the withdrawal."""
        for state in chosen:
            with transaction.atomic():
                reinstate(state.run, by_staff=True)
                self.audit(request, state, Action.REINSTATE, "Counts again.")
        self.message_user(request, f"{len(chosen)} count again.", messages.SUCCESS)

    @admin.action(description="Let their owners choose who sees them", permissions=["keep"])
    def make_public(self, request: HttpRequest, chosen: QuerySet[RunState]) -> None:
        """Take back a limit: their owners may show them to everybody again."""
        self._make(request, chosen, Visibility.PUBLIC)

    @admin.action(description="Make unlisted, if they are public", permissions=["keep"])
    def make_unlisted(self, request: HttpRequest, chosen: QuerySet[RunState]) -> None:
        """Show them to nobody without the address."""
        self._make(request, chosen, Visibility.UNLISTED)

    @admin.action(description="Make private", permissions=["keep"])
    def make_private(self, request: HttpRequest, chosen: QuerySet[RunState]) -> None:
        """Show them only to their owner."""
        self._make(request, chosen, Visibility.PRIVATE)

    def _make(self, request: HttpRequest, chosen: QuerySet[RunState], visibility: Visibility) -> None:
        with transaction.atomic():
            before = {state: state.visibility for state in chosen}
            limit_visibility([state.pk for state in before], visibility)
            for state, earlier in before.items():
                state.refresh_from_db(fields=["visibility"])
                self.audit(request, state, Action.VISIBILITY, f"{earlier} → {state.visibility}, {visibility} at most")
        self.message_user(request, f"{len(before)} may be {visibility} at most.", messages.SUCCESS)
