"""Watches and alerts; only their owner sees them. Views parse, call and render."""

from __future__ import annotations

import hmac
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchdb.compare.page_parts.impossible import impossible
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.feeds.atom import PAGE, Entry, FeedPage, feed_response
from benchdb.http.rendering import render_page
from benchdb.http.requests import AuthenticatedRequest

from . import pages, services
from .forms import WatchForm, no_mail
from .models import Alert, Watch
from .words import headline, say_causes

DAYS = {str(days): days for days, _ in (*pages.MUTES, (0, ""))}


@require_safe
@login_required
def watch_list(request: AuthenticatedRequest) -> HttpResponse:
    """The reader's watches and alerts."""
    return render_page(request, "alerts/watches.html", pages.watch_list(request.user, _before(request)))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def watch_new(request: AuthenticatedRequest) -> HttpResponse:
    """Watch the trend of the query string; a faulty form returns with every fault at its field."""
    query, owner = request.GET.urlencode(), request.user
    try:
        content, machine = services.watchable(query, owner)
        form = WatchForm(owner, request.POST) if request.method == "POST" else None
        if form is not None and form.is_valid():
            watch = services.make_watch(owner, query, form.chosen)
            messages.success(request, f"“{watch.name}” is watched. Runs that arrive from now on are looked at.")
            return redirect(watch)
    except ImpossibleSelection as error:
        return impossible(request, error)
    # The trend in words, the other properties of its runs, and its query string.
    page = {
        "trend": content.title,
        "subtitle": content.subtitle,
        "query": query,
        "trend_href": f"{reverse('trend')}?{content.query}",
        "form": pages.shown_form(owner, f"{content.label} on {machine.name}"[:200], not no_mail(owner), "", form),
        "section": "account",
    }
    return render_page(request, "alerts/new.html", page, status=422 if form else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def watch_page(request: AuthenticatedRequest, watch_id: UUID) -> HttpResponse:
    """A watch with its settings and alerts. POST changes the settings."""
    watch = _own_watch(request, watch_id)
    if request.method != "POST":
        return render_page(request, "alerts/watch.html", pages.watch_page(watch, _before(request)))
    form = WatchForm(request.user, request.POST)
    if form.is_valid():
        services.change_watch(watch, form.chosen)
        return redirect(watch)
    return render_page(request, "alerts/watch.html", pages.watch_page(watch, None, form), status=422)


@require_POST
@login_required
def watch_mute(request: AuthenticatedRequest, watch_id: UUID) -> HttpResponse:
    """Send no mails and webhooks for some days; 0 ends the mute."""
    watch, days = _own_watch(request, watch_id), DAYS.get(request.POST.get("days", ""))
    if days is None:
        messages.error(request, f"days cannot be {request.POST.get('days')!r}; possible are {', '.join(DAYS)}.")
    else:
        services.mute(watch, days)
    return redirect(watch)


@require_POST
@login_required
def watch_delete(request: AuthenticatedRequest, watch_id: UUID) -> HttpResponse:
    """Delete a watch with its alerts. The runs that were measured for it stay."""
    watch = _own_watch(request, watch_id)
    watch.delete()
    messages.success(request, f"“{watch.name}” is not watched any more.")
    return redirect("watches")


@require_safe
def feed(request: HttpRequest, watch_id: UUID, key: str) -> HttpResponse:
    """The alerts of a watch, for everybody with the secret in the address."""
    watch = get_object_or_404(Watch, pk=watch_id, owner__is_active=True)
    if not hmac.compare_digest(watch.feed_key.encode(), key.encode()):
        raise Http404
    return feed_response(request, watch_feed(watch))


@require_safe
@login_required
def alert_page(request: AuthenticatedRequest, alert_id: UUID) -> HttpResponse:
    """A change with its candidate causes and its second measurement."""
    return render_page(request, "alerts/alert.html", pages.alert_page(_own_alert(request, alert_id)))


@require_POST
@login_required
def alert_acknowledge(request: AuthenticatedRequest, alert_id: UUID) -> HttpResponse:
    """Mark an alert as read."""
    alert = _own_alert(request, alert_id)
    services.acknowledge(alert)
    return redirect(alert)


def _own_watch(request: AuthenticatedRequest, watch_id: UUID) -> Watch:
    return get_object_or_404(Watch.objects.select_related("machine", "owner"), pk=watch_id, owner=request.user)


def _own_alert(request: AuthenticatedRequest, alert_id: UUID) -> Alert:
    related = ("watch__machine", "job", "before", "run")
    return get_object_or_404(Alert.objects.select_related(*related), pk=alert_id, watch__owner=request.user)


def _before(request: AuthenticatedRequest) -> Alert | None:
    """The alert before which a list continues. Raises Http404 for an invalid id."""
    text = request.GET.get("before")
    try:
        return get_object_or_404(Alert, pk=UUID(text), watch__owner=request.user) if text else None
    except ValueError:
        raise Http404 from None


def watch_feed(watch: Watch) -> FeedPage:
    """The newest alerts; two queries with the one for the watch."""
    address = reverse("watch-feed", args=[watch.pk, watch.feed_key])
    alerts = watch.alerts.select_related("watch").order_by("-created_at")[:PAGE]
    return FeedPage(
        title=f"Alerts: {watch.name}",
        page=watch.get_absolute_url(),
        first=address,
        here=address,
        following="",
        entries=[_entry(alert) for alert in alerts],
    )


def _entry(alert: Alert) -> Entry:
    return Entry(
        id=alert.pk.urn,
        title=headline(alert),
        path=alert.get_absolute_url(),
        published=alert.created_at,
        updated=alert.changed_at,
        lines=[line for line in (alert.change, alert.reason, *say_causes(alert)) if line],
        categories=[alert.kind, alert.state],
    )
