"""Files that workers make: requesting, making and deleting them."""

from __future__ import annotations

import gzip
import hashlib
import logging
from datetime import timedelta
from io import BytesIO
from uuid import UUID

import orjson
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, QuerySet, Sum, Window
from django.utils import timezone
from redis.exceptions import RedisError

from benchdb.celery import hand_over
from benchdb.compare.content_json import from_json
from benchdb.compare.permalinks.services import find
from benchdb.compare.table.content import TableContent
from benchdb.http.rate_limits import key_of
from benchdb.runs.models import Run

from .contents import Content
from .errors import TooLarge
from .formats import FORMATS
from .models import Export
from .origin import CARD, Origin, frozen_origin
from .registry import EXPORTS_VERSION

log = logging.getLogger(__name__)

TASK = "benchdb.exports.tasks.make"
PRIORITY = 0  # in kombu on Redis: before imports (3), because a reader waits for it
MOST_ATTEMPTS = 6  # that may end without a result, so that a file that kills its workers is given up
MOST_WAITING = 40  # files at once: imports wait while workers make files
MOST_WAITING_LIVE = 30  # beyond this number only files of permalinks may wait; live addresses are unlimited
MOST_BYTES = 256 * 1024 * 1024  # of all stored files together
MOST_BYTES_OF_ONE = 64 * 1024 * 1024
MOST_UNPACKED = 256 * 1024 * 1024  # of one file, for the few clients that do not accept gzip
KEPT_FOR = timedelta(days=30)  # after the last use
SECONDS_OF_TURN = 300  # after which an address may request another live file in any case
TRIED_AGAIN = timedelta(minutes=10)  # after a failure
USED = timedelta(hours=1)  # resolution of `used_at`, so that serving a file rarely writes


class Busy(Exception):
    """Too many files wait already."""


class OneAtATime(Exception):
    """Another live file waits for the same network address."""


def ask(content: Content, origin: Origin, form: str, asker: str = "") -> Export:
    """The file of this content, finished or waiting for a worker.

    Raises Busy if too many files wait, and OneAtATime if another live file of the network address `asker` waits.
    """
    source = _canonical(content, origin, form)
    digest = hashlib.sha256(source).hexdigest()
    now = timezone.now()
    export = Export.objects.defer("source").filter(pk=digest).first()
    if export is None:
        most = MOST_WAITING if origin.frozen else MOST_WAITING_LIVE
        if Export.objects.filter(state=Export.State.WAITING).count() >= most:
            raise Busy
        if asker and not origin.frozen:
            _take_turn(asker, digest)
        export = _store(digest, source, form, content)
    elif export.state == Export.State.READY and export.used_at < now - USED:
        Export.objects.filter(pk=digest).update(used_at=now)
    elif _is_overdue(export):
        if export.state == Export.State.FAILED:
            Export.objects.filter(pk=digest).update(attempts=0)
        _enqueue(Export.objects.filter(pk=digest))
        export.state = Export.State.WAITING
    return export


def prepare_card(permalink_id: str) -> None:
    """Request the preview picture, and of a table the badge, of a permalink for readers of the site of its sharing.

    Without them, or if too many files wait, the first reader requests them.
    """
    link = find(permalink_id)
    if link is None or link.gone or not link.site:
        return
    shape, forms = (CARD, ("png", "svg")) if isinstance(link.shown, TableContent) else ("cells", ("png",))
    origin = frozen_origin(link, f"{link.site}{link.get_absolute_url()}", shape)
    try:
        for form in forms:
            ask(link.shown, origin, form)
    except Busy:
        log.info("the preview of permalink %s waits for its first reader: too many files are being made", permalink_id)


def _take_turn(asker: str, digest: str) -> None:
    """Allow one live file at a time for a network address. Raises OneAtATime. Without a cache only Busy limits."""
    key = f"live:{key_of(asker)}"
    try:
        if cache.add(key, digest, timeout=SECONDS_OF_TURN):
            return
        if Export.objects.filter(pk=cache.get(key), state=Export.State.WAITING).exists():
            raise OneAtATime
        cache.set(key, digest, timeout=SECONDS_OF_TURN)
    except RedisError as error:
        log.warning("live files are not counted by address: the cache does not answer (%s)", error)


def _canonical(content: Content, origin: Origin, form: str) -> bytes:
    """Everything that the file depends on, in a fixed order."""
    source = [EXPORTS_VERSION, form, origin.shape, origin.address, origin.frozen, origin.notices, content]
    return orjson.dumps(source)


def _store(digest: str, source: bytes, form: str, content: Content) -> Export:
    now = timezone.now()
    packed = gzip.compress(source, compresslevel=1, mtime=0)
    runs = [UUID(run) for run in content.runs]
    fields = {"form": form, "source": packed, "size": len(packed), "runs": runs, "asked_at": now, "used_at": now}
    with transaction.atomic():
        export, new = Export.objects.get_or_create(digest=digest, defaults=fields)
        if new:
            transaction.on_commit(lambda: hand_over(TASK, digest, priority=PRIORITY))
    return export


def _is_overdue(export: Export) -> bool:
    """Whether the broker may have lost the request, or the failure is old enough for another attempt."""
    patience = {
        Export.State.WAITING: timedelta(seconds=settings.SWEEP_SECONDS),
        Export.State.FAILED: TRIED_AGAIN,
    }.get(Export.State(export.state))
    return patience is not None and export.asked_at < timezone.now() - patience


def _enqueue(exports: QuerySet[Export]) -> int:
    """Send the files to workers (again), without waiting for files that a worker is making.

    Files that were finished since the caller looked stay as they are: their source is gone.
    """
    unfinished = exports.exclude(state=Export.State.READY)
    with transaction.atomic():
        digests = list(unfinished.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Export.objects.filter(pk__in=digests).update(state=Export.State.WAITING, failure="", asked_at=timezone.now())
    for digest in digests:
        hand_over(TASK, digest, priority=PRIORITY)
    return len(digests)


def make(digest: str) -> None:
    """Make the file. Idempotent: a finished file, or one in work elsewhere, is skipped."""
    waiting = Export.objects.filter(pk=digest, state=Export.State.WAITING)
    with transaction.atomic():  # committed at once, to count even if the worker is killed; not of another worker's file
        free = waiting.select_for_update(skip_locked=True).values_list("pk", flat=True)
        waiting.filter(pk__in=list(free)).update(attempts=F("attempts") + 1)
    with transaction.atomic():
        export = waiting.select_for_update(skip_locked=True).first()
        if export is None:
            log.info("export %s is made, being made or gone; nothing to do", digest)
            return
        if export.attempts > MOST_ATTEMPTS:
            _fail(export, f"{MOST_ATTEMPTS} attempts ended without an answer")
            return
        try:
            data = _export(export)
        except SoftTimeLimitExceeded:  # the task marks the file as failed, after this transaction
            raise
        except (TooLarge, MemoryError) as error:
            _fail(export, str(error) or "not enough memory")
            return
        except Exception as error:  # the reader sees any error; another attempt would fail again
            log.exception("export %s: %s failed", digest, export.form)
            _fail(export, f"{type(error).__name__}: {error}")
            return
        export.data, export.source, export.size, export.state = data, b"", len(data), Export.State.READY
        export.save()


def _export(export: Export) -> bytes:
    """The file, gzipped."""
    _, form, shape, address, frozen, notices, content = orjson.loads(gzip.decompress(export.source))
    file = FORMATS[form].export(from_json(content), Origin(address, frozen, shape, tuple(notices)))
    packed, size = BytesIO(), 0
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=packed, mtime=0) as out:
        for piece in [file] if isinstance(file, str | bytes) else file:
            data = piece.encode() if isinstance(piece, str) else piece
            size += len(data)
            _bound(size, MOST_UNPACKED)
            out.write(data)
    _bound(len(packed.getvalue()), MOST_BYTES_OF_ONE)
    return packed.getvalue()


def _bound(size: int, most: int) -> None:
    if size > most:
        raise TooLarge(f"the file would have more than {most >> 20} MiB; choose fewer runs, tests or sizes")


def _fail(export: Export, reason: str) -> None:
    Export.objects.filter(pk=export.pk).update(state=Export.State.FAILED, failure=reason)


def fail(digest: str, reason: str) -> None:
    """Mark a file as failed for this reason. Its source stays for another attempt."""
    Export.objects.filter(pk=digest, state=Export.State.WAITING).update(state=Export.State.FAILED, failure=reason)


def tidy() -> dict[str, int]:
    """Request lost files again; delete files that are old, too many, or of deleted runs. Idempotent."""
    now = timezone.now()
    overdue = now - timedelta(seconds=settings.SWEEP_SECONDS)
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
