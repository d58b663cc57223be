"""The pages of imports: choose files, check the recognised results, enter facts, store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchdb.http.rendering import render_page
from benchdb.http.requests import AuthenticatedRequest
from benchdb.ingest.imports import page, preview, request_files, services
from benchdb.ingest.imports.chosen import TOOLS, ReadingForm
from benchdb.ingest.imports.form import StoreForm
from benchdb.ingest.imports.page import own_imports
from benchdb.ingest.imports.preview import example
from benchdb.ingest.imports.services import KEPT_FOR
from benchdb.ingest.imports.unpack import MOST_BYTES, MOST_FILES, GivenFile, RefusedFiles
from benchdb.quotas.limits import QuotaExceeded
from benchdb.runs.page.raw_output import nearest_window, page_from
from benchdb.runs.store.pieces import stored_pieces
from benchdb.wording.sizes import say_size

from .models import Import, ImportFile, ImportState

View = Callable[..., HttpResponse]


def _takes_files(view: View) -> View:
    """Read the form within bounds if the user is signed in, then check against forgery, then call the view."""
    protected = csrf_protect(view)

    @csrf_exempt  # only this wrapper: the check would read the form without bounds
    @wraps(view)
    def bounded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "POST":
            if not request.user.is_authenticated:
                return redirect("login")
            try:
                request_files.read_form(request)
            except request_files.RefusedRequest as error:
                context = {"status": error.status, "message": "Nothing was taken", "why": error}
                return render(request, "web/error.html", context, status=error.status)
        return protected(request, *args, **kwargs)

    return bounded


@require_http_methods(["GET", "HEAD", "POST"])
@_takes_files
def import_new(request: HttpRequest) -> HttpResponse:
    """Take text and files, or show the reason for refusing them."""
    if not isinstance(request.user, User):
        return render_page(request, "ingest/new.html", new_import(None))
    if request.method != "POST":
        return render_page(request, "ingest/new.html", new_import(request.user))
    text = request.POST.get("text", "")
    pasted = [GivenFile("pasted.txt", text.replace("\r\n", "\n").encode("utf-8", "replace"))] if text.strip() else []
    form = ReadingForm(request.POST)
    faults = [f"{name}: {message}" for name, message in form.faults()]
    if not faults:
        try:
            return redirect(services.begin(request.user, [*pasted, *request_files.given(request)], **form.cleaned_data))
        except (RefusedFiles, QuotaExceeded) as error:
            faults = [str(error)]
    return render_page(request, "ingest/new.html", new_import(request.user, text, faults, form), status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@_takes_files
@login_required
def import_page(request: AuthenticatedRequest, import_id: UUID) -> HttpResponse:
    """An import in its present state: being read, ready to be checked and filled in, being stored, or stored."""
    draft = _own(request, import_id)
    if request.method != "POST":
        return render_page(request, "ingest/import.html", *page.import_parts(draft))
    if draft.state != ImportState.READY:  # another tab was first
        return redirect(draft)
    data = request.POST.copy()
    if file := next(iter(request_files.given(request, "detect_file")), None):
        data["detect"] = file.content.decode("utf-8", "replace")
    form = StoreForm(draft.files.count(), data, detected=draft.detected)
    entered = {name: data.getlist(name) if name == "leave_out" else data[name] for name in form.fields if name in data}
    valid = form.is_valid()
    kept = {name: value for name, value in entered.items() if name not in ("detect", "forget_detect")}
    if data.get("do") != "store" or not valid:
        services.keep(draft, form, kept)
    if data.get("do") != "store" and _only_the_name_lacks(form):
        return redirect(draft)
    if not valid:
        return render_page(request, "ingest/import.html", *page.import_parts(draft, form), status=422)
    try:
        services.store(draft, form, kept)
    except services.NothingToStore as error:
        form.add_error(None, str(error))
        return render_page(request, "ingest/import.html", *page.import_parts(draft, form), status=422)
    except services.NotReady:
        raise Http404 from None
    return redirect(draft)


def _only_the_name_lacks(form: StoreForm) -> bool:
    """Whether a missing name is the only fault: such entries can be kept and shown, but not stored."""
    return not form.errors or (set(form.errors) == {"machine"} and not form.data.get("machine"))


@require_POST
@login_required
def import_discard(request: AuthenticatedRequest, import_id: UUID) -> HttpResponse:
    """Delete an import; one that is being stored is shown instead."""
    draft = _own(request, import_id)
    try:
        services.discard(draft)
    except services.NotReady:
        return redirect(draft)
    return redirect("imports")


@require_safe
@login_required
def import_file(request: AuthenticatedRequest, import_id: UUID, number: int) -> HttpResponse:
    """All results of one file."""
    file = _file(request, import_id, number)
    return render_page(request, "ingest/file.html", file_page(file, _number(request, "start", 0)))


@require_safe
@login_required
def import_raw(request: AuthenticatedRequest, import_id: UUID, number: int) -> HttpResponse:
    """The raw text of one file with numbered lines."""
    file = _file(request, import_id, number)
    return render_page(request, "ingest/raw.html", raw_page(file, _number(request, "from", 1)))


def _own(request: AuthenticatedRequest, import_id: UUID) -> Import:
    return get_object_or_404(Import, pk=import_id, owner=request.user)


def _file(request: AuthenticatedRequest, import_id: UUID, number: int) -> ImportFile:
    files = ImportFile.objects.filter(of=import_id, of__owner=request.user, ordinal=number)
    return get_object_or_404(files.select_related("of").defer("content"))


def _number(request: HttpRequest, name: str, default: int) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else default


MOST_SHOWN = 40


def new_import(
    owner: User | None,
    text: str = "",
    faults: Sequence[str] = (),
    form: ReadingForm | None = None,
) -> dict[str, object]:
    """The page; `owner` is None for a visitor who is not signed in, and `form` has the choices that were sent."""
    form = form or ReadingForm({})
    # The context of ingest/new.html; an import is kept for `days`, and `most_size` tells `most_bytes` in words.
    return {
        "signed_in": owner is not None,
        "faults": faults,
        "text": text,
        "most_files": MOST_FILES,
        "most_bytes": MOST_BYTES,
        "most_size": say_size(MOST_BYTES),
        "days": KEPT_FOR.days,
        "tools": TOOLS,
        "drafts": own_imports(owner, MOST_SHOWN) if owner else [],
        "example": None if owner else example(),
        "signs_up": settings.SIGN_UP == "mail",
        "tool_options": form.options("tool"),
        "unit_options": form.options("unit"),
        "section": "import",
    }


def raw_page(file: ImportFile, first: int) -> dict[str, object]:
    """The raw text of a file, with the lines from `first` on."""
    window = nearest_window(lambda: stored_pieces(ImportFile.objects.filter(pk=file.pk), "content"), first)
    path = reverse("import-raw", args=[file.of_id, file.ordinal])
    return {
        "title": {"parts": ["Import", file.name]},
        "back": reverse("import", args=[file.of_id]),
        "section": "import",
        "parts": "lines",
        "earlier": page_from(path, window.earlier),
        "later": page_from(path, window.later),
        "artifact": {
            "name": file.name,
            "size": say_size(file.size),
            "href": "",
            "page": "",
            "lines": window.lines,
            "count": window.count,
        },
    }


def file_page(file: ImportFile, start: int) -> dict[str, object]:
    """All results of one file, a page at a time."""
    start = min(max(start, 0), max(file.result_count - 1, 0))
    href, end = reverse("import-file", args=[file.of_id, file.ordinal]), start + preview.RESULTS_A_PAGE
    shown = preview.shown_file(file, 0)
    if file.state == "read":
        shown |= {"part": preview.part(file, start, preview.RESULTS_A_PAGE), "hidden": 0}
    return {
        "title": {"parts": ["Import", file.name]},
        "back": reverse("import", args=[file.of_id]),
        "section": "import",
        "parts": "results",
        "shown": f"Results {start + 1} to {min(end, file.result_count)}",
        "earlier": f"{href}?start={max(start - preview.RESULTS_A_PAGE, 0)}" if start else None,
        "later": f"{href}?start={end}" if end < file.result_count else None,
        "file": shown,
    }
