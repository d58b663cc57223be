"""Files, and parts of live comparisons, that workers make: requesting, making and deleting them."""

from __future__ import annotations

import gzip
import hashlib
import logging
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from io import BytesIO
from uuid import UUID

import orjson
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db import OperationalError, transaction
from django.db.models import F, QuerySet, Sum, Window
from django.utils import timezone
from redis.exceptions import RedisError

from benchdb.celery import hand_over
from benchdb.compare.content_json import from_json
from benchdb.compare.page_parts.kept import LeftToWorker, LivePart
from benchdb.compare.permalinks.pieces import frozen_pieces
from benchdb.compare.permalinks.services import etag, find
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.content import TableContent
from benchdb.http.after_response import answering
from benchdb.http.rate_limits import key_of
from benchdb.http.work import accounted
from benchdb.ingest.imports.turns import LARGE, PAGES, try_lock
from benchdb.runs import kept
from benchdb.runs.models import Run

from .contents import Content
from .errors import TooLarge
from .formats import FORMATS
from .models import Export
from .origin import CARD, Origin, frozen_origin
from .parts import MAKERS, bound, encoded
from .registry import EXPORTS_VERSION

log = logging.getLogger(__name__)

TASK = "benchdb.exports.tasks.make"
MOST_ATTEMPTS = 6  # that may end without a result, so that a file that kills its workers is given up
MOST_WAITING = 40  # files at once: imports wait while workers make those that were asked for before
MOST_WAITING_LIVE = 30  # beyond this number only files of permalinks may wait; live addresses are unlimited
MOST_WAITING_LARGE = 10  # beyond this number only small ones may wait
MOST_BYTES = 256 * 1024 * 1024  # of all stored files together
MOST_BYTES_OF_ONE = 64 * 1024 * 1024
KEPT_FOR = timedelta(days=30)  # after the last use
SECONDS_OF_TURN = 300  # after which a reader may request another file or part in any case
TRIED_AGAIN = timedelta(minutes=10)  # after a failure
LARGE_SECONDS = 0.5  # expected, which are 2 s or more: one such file is in work at a time
HURRY = 4  # a file that takes a second more comes after those that were requested in the next four seconds
SMALL_SECONDS = 6  # of a processor, after which one that was expected to be small gives its place back
ATTEMPT = timedelta(seconds=75)  # after which an interrupted one may have its turn again, by the sweep
SECONDS = 60  # of one file; then it is given up
USED = timedelta(hours=1)  # resolution of `used_at`, so that serving a file rarely writes


class Busy(Exception):
    """Too many files wait already."""


class MoreThanExpected(Exception):
    """A file that was expected to be small is large."""


class OneAtATime(Exception):
    """Another file or part waits for the same reader: the one with this digest."""

    def __init__(self, digest: str) -> None:
        super().__init__(digest)
        self.digest = digest


def ask(content: Content, origin: Origin, form: str, *askers: str) -> Export:
    """The file of a permalink's content, finished or waiting for a worker.

    Raises Busy if too many files wait, and OneAtATime if another file or part waits for one of the askers.
    """
    source = _canonical(content, origin, form)
    return _asked(hashlib.sha256(source).hexdigest(), form, source, [UUID(run) for run in content.runs], askers)


def ask_part(left: LeftToWorker, *askers: str) -> Export:
    """The part, waiting for a worker or failed. One that is kept no more is made again.

    Raises Busy if too many wait, and OneAtATime if another part waits for one of the askers.
    """
    source = orjson.dumps([[*left.part], left.reader.pk])
    return _asked(left.key.hex(), left.part.maker, source, [], askers, left.seconds)


def _asked(
    digest: str, form: str, source: bytes, runs: list[UUID], askers: Iterable[str], seconds: float = 0
) -> Export:
    now = timezone.now()
    export = Export.objects.defer("source").filter(pk=digest).first()
    gone = export is not None and form in MAKERS and export.state == Export.State.READY
    if export is None or gone:
        waiting, most = Export.objects.filter(state=Export.State.WAITING), MOST_WAITING
        if seconds > LARGE_SECONDS:
            waiting, most = waiting.filter(seconds__gt=LARGE_SECONDS), MOST_WAITING_LARGE
        elif form in MAKERS:
            most = MOST_WAITING_LIVE
        if waiting.count() >= most:
            raise Busy
        for asker in askers:
            _take_turn(asker, digest)
    if export is None:
        return _store(digest, source, form, runs, seconds)
    if gone or _is_overdue(export):
        if export.state == Export.State.FAILED or export.asked_at < now - TRIED_AGAIN:
            Export.objects.filter(pk=digest).update(attempts=0)
        _enqueue(Export.objects.filter(pk=digest))
        export.state = Export.State.WAITING
    elif export.state == Export.State.READY and export.used_at < now - USED:
        Export.objects.filter(pk=digest).update(used_at=now)
    return export


def prepare_card(permalink_id: str) -> None:
    """Request the large page, the preview picture, and of a table the badge, of a permalink for readers of its site.

    Once an hour for each site. Without them, or if too much waits, also for the owner, the first reader requests them.
    """
    link = find(permalink_id)
    if link is None or link.gone or not link.site or not _begins(f"card:{key_of(etag(link, link.site))}"):
        return
    shape, forms = (CARD, ("png", "svg")) if isinstance(link.shown, TableContent) else ("cells", ("png",))
    origin = frozen_origin(link, f"{link.site}{link.get_absolute_url()}", shape)
    try:
        for form in forms:
            ask(link.shown, origin, form)
        with accounted():  # as for a request: a large page is left to its turn
            if link.is_large:
                frozen_pieces(link, link.site)
    except LeftToWorker as left:
        with suppress(Busy, OneAtATime):
            ask_part(left, f"account {link.owner_id}")
    except Busy:
        log.info("the preview of permalink %s waits for its first reader: too many files are being made", permalink_id)


def _begins(key: str) -> bool:
    """Whether this is the first call for this key in an hour. Without a cache every one is."""
    try:
        return bool(cache.add(key, 1, timeout=int(USED.total_seconds())))
    except RedisError as error:
        log.warning("previews are not counted: the cache does not answer (%s)", error)
        return True


def _take_turn(asker: str, digest: str) -> None:
    """Allow an account or address one file or part at a time. Raises OneAtATime. Without a cache only Busy limits."""
    key = f"live:{key_of(asker)}"
    try:
        if cache.add(key, digest, timeout=SECONDS_OF_TURN):
            return
        other = cache.get(key)
        if Export.objects.filter(pk=other, state=Export.State.WAITING).exists():
            raise OneAtATime(other)
        cache.set(key, digest, timeout=SECONDS_OF_TURN)
    except RedisError as error:
        log.warning("files are not counted by reader: the cache does not answer (%s)", error)


def _canonical(content: Content, origin: Origin, form: str) -> bytes:
    """Everything that the file depends on, in a fixed order."""
    source = [EXPORTS_VERSION, form, origin.shape, origin.address, origin.frozen, origin.notices, content]
    return orjson.dumps(source)


def _store(digest: str, source: bytes, form: str, runs: list[UUID], seconds: float) -> Export:
    now = timezone.now()
    packed = gzip.compress(source, compresslevel=1, mtime=0)
    fields = {"form": form, "source": packed, "size": len(packed), "runs": runs, "asked_at": now, "used_at": now}
    turn = {"seconds": seconds, "due_at": now + HURRY * timedelta(seconds=seconds)}
    with transaction.atomic():
        export, new = Export.objects.get_or_create(digest=digest, defaults=fields | turn)
        if new:
            transaction.on_commit(lambda: hand_over(TASK))
    return export


def _is_overdue(export: Export) -> bool:
    """Whether the broker may have lost the request, or the failure is old enough for another attempt."""
    patience = {
        Export.State.WAITING: timedelta(seconds=settings.SWEEP_SECONDS),
        Export.State.FAILED: TRIED_AGAIN,
        Export.State.REFUSED: timedelta(seconds=settings.SWEEP_SECONDS),  # a run may have changed
    }.get(Export.State(export.state))
    return patience is not None and export.asked_at < timezone.now() - patience


def _enqueue(exports: QuerySet[Export]) -> int:
    """Send the files to workers (again), without waiting for files that a worker is making.

    Files that were finished since the caller looked stay as they are: their source is gone.
    """
    unfinished = exports.exclude(state=Export.State.READY, source=b"")
    with transaction.atomic():
        digests = list(unfinished.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Export.objects.filter(pk__in=digests).update(state=Export.State.WAITING, failure="", asked_at=timezone.now())
    for _ in digests:
        hand_over(TASK)
    return len(digests)


def make_next() -> None:
    """Make the file or part whose turn it is: the one that was requested first, small ones before large ones.

    Idempotent: what is finished, or in work elsewhere, is skipped. Does nothing if only large ones wait, and a large
    one is in work; its worker sends a message at the end.
    """
    is_made = False
    while not is_made and (due := _take_next()) is not None:
        digest, seconds = due
        try:
            is_made = _make(digest, seconds)
        finally:
            if seconds > LARGE_SECONDS:
                hand_over(TASK)


def _take_next() -> tuple[str, float] | None:
    """The digest and the expected seconds of what comes next; it is an attempt, even if the worker is killed."""
    waiting = Export.objects.filter(state=Export.State.WAITING).order_by("due_at")
    with transaction.atomic():  # committed at once; not of another worker's file
        free = waiting.select_for_update(skip_locked=True).values_list("pk", "seconds")
        due = free.first()
        if due is not None and not _may_begin(due[1]):
            due = free.filter(seconds__lte=LARGE_SECONDS).first()
        if due is not None:
            # If this attempt is interrupted, the next one is of a large file.
            again = {"seconds": F("seconds") + LARGE_SECONDS, "due_at": timezone.now() + ATTEMPT}
            waiting.filter(pk=due[0]).update(attempts=F("attempts") + 1, **again)
    return due


def _may_begin(seconds: float) -> bool:
    """Whether a file of so many seconds may be made, until the transaction ends."""
    return seconds <= LARGE_SECONDS or try_lock(LARGE, PAGES)


def _make(digest: str, seconds: float) -> bool:
    """Make the file or part; False if another worker was faster, or works on a large one. Errors are of this file."""
    waiting = Export.objects.filter(pk=digest, state=Export.State.WAITING)
    try:
        with _at_most(0 if seconds > LARGE_SECONDS else SMALL_SECONDS), answering(), kept.one_moment("READ WRITE"):
            export = waiting.select_for_update(skip_locked=True).first()
            if export is None or not _may_begin(seconds):
                return False
            if export.attempts > MOST_ATTEMPTS:
                raise TooLarge(f"{MOST_ATTEMPTS} attempts ended without an answer")
            source, form = gzip.decompress(export.source), export.form
            data = _part(source) if form in MAKERS else _file(source)
    except OperationalError:  # the sweep requests it again
        raise
    except MoreThanExpected:  # it has its turn among the large ones now
        waiting.update(due_at=timezone.now() + HURRY * timedelta(seconds=LARGE_SECONDS))
        hand_over(TASK)
    except SoftTimeLimitExceeded:
        fail(digest, f"not done after {SECONDS} seconds")
        raise
    except ImpossibleSelection as error:
        fail(digest, "\n".join(error.faults), Export.State.REFUSED)
    except (TooLarge, MemoryError) as error:
        fail(digest, str(error) or "not enough memory")
    except Exception as error:  # the reader sees any error; another attempt would fail again
        log.exception("export %s failed", digest)
        fail(digest, f"{type(error).__name__}: {error}")
    else:
        made = {"data": data, "source": b"", "size": len(data)} if data else {}
        waiting.update(state=Export.State.READY, seconds=seconds, **made)
    return True


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise MoreThanExpected when this process has used so much processor time, unless it is 0.

    An estimate that misses the work of some kind of run then costs others these seconds, and not a place for a minute.
    """
    if not seconds or threading.current_thread() is not threading.main_thread():  # others get no signals
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(*signalled: object) -> None:
    raise MoreThanExpected


def _part(source: bytes) -> bytes:
    """Make and keep a part (`benchdb.runs.kept`); nothing of it is stored here."""
    part, reader = orjson.loads(source)
    MAKERS[part[0]](LivePart(*part), User.objects.filter(pk=reader).first() or AnonymousUser())
    return b""


def _file(source: bytes) -> bytes:
    """The file, gzipped."""
    _, form, shape, address, frozen, notices, content = orjson.loads(source)
    packed = BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=packed, mtime=0) as out:
        for data in encoded(FORMATS[form].export(from_json(content), Origin(address, frozen, shape, tuple(notices)))):
            out.write(data)
    bound(len(packed.getvalue()), MOST_BYTES_OF_ONE)
    return packed.getvalue()


def fail(digest: str, reason: str, state: str = Export.State.FAILED) -> None:
    """Mark a file or part as failed for this reason. Its source stays for another attempt."""
    Export.objects.filter(pk=digest, state=Export.State.WAITING).update(state=state, failure=reason)


def tidy() -> dict[str, int]:
    """Request lost files again; delete files that are old, too many, or of deleted runs. Idempotent."""
    overdue = timezone.now() - timedelta(seconds=settings.SWEEP_SECONDS)
    lost = Export.objects.filter(state=Export.State.WAITING, asked_at__lt=overdue)
    return {
        "deleted": _delete(_of_deleted_runs()) + _delete(_superfluous()),
        "asked again": _enqueue(lost),
    }


def _of_deleted_runs() -> list[str]:
    """Files with figures of deleted runs. No request finds them any more, and the figures must go too."""
    runs = {run for runs in Export.objects.values_list("runs", flat=True) for run in runs}
    gone = runs - set(Run.objects.filter(pk__in=runs).values_list("pk", flat=True))
    return list(Export.objects.filter(runs__overlap=list(gone)).values_list("pk", flat=True)) if gone else []


def _superfluous() -> list[str]:
    """The least recently used files beyond the limit of all files, and files unused for a long time."""
    latest_first = Window(Sum("size"), order_by=[F("used_at").desc(), F("digest").asc()])
    too_many = Export.objects.annotate(total=latest_first).filter(total__gt=MOST_BYTES)
    unused = Export.objects.filter(used_at__lt=timezone.now() - KEPT_FOR)
    return [*too_many.values_list("pk", flat=True), *unused.values_list("pk", flat=True)]


def _delete(digests: list[str]) -> int:
    return Export.objects.filter(pk__in=digests).delete()[0] if digests else 0
