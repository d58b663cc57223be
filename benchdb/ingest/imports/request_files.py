"""Files in a request, limited before they are read and kept in memory, so that no upload fills a disk."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from benchdb.wording.sizes import say_size

from .unpack import MOST_BYTES, MOST_FILES, GivenFile

FRAME = 4 * 1024 * 1024  # bytes allowed for the form around the files
CHUNK = 1 << 20
MOST_DROPPED = 256 * CHUNK


class RefusedRequest(Exception):
    """The request is refused with this HTTP status; the message has the reason and what to do."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _InMemory(MemoryFileUploadHandler):
    """Django's handler for files in memory, for any size; its other handler writes large files to the disk."""

    def handle_raw_input(self, *args: object, **kwargs: object) -> None:
        self.activated = True


def read_form(request: HttpRequest) -> None:
    """Read the fields and files of a request, so that `POST` and `FILES` hold them. Raises RefusedRequest."""
    most = MOST_BYTES + FRAME
    if int(request.META.get("CONTENT_LENGTH") or 0) > most:
        _drop(request)
        raise RefusedRequest(
            413, f"The request is larger than {say_size(MOST_BYTES)}. Import fewer files at a time, or compress them."
        )
    request.upload_handlers = [_InMemory(request)]
    try:
        request._load_post_and_files()
    except RequestDataTooBig:
        _drop(request)
        size = say_size(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        raise RefusedRequest(413, f"The text is longer than {size}. Save it as a file and choose the file.") from None
    except (TooManyFilesSent, TooManyFieldsSent):
        _drop(request)
        raise RefusedRequest(413, f"There are more than {MOST_FILES} files. Pack them, or give fewer.") from None
    except (MultiPartParserError, UnreadablePostError):
        raise RefusedRequest(400, "The form arrived incomplete. Send it again.") from None


def given(request: HttpRequest, field: str = "files") -> list[GivenFile]:
    """The files of a request after `read_form`."""
    return [GivenFile(file.name or "", file.read()) for file in request.FILES.getlist(field)]


def _drop(request: HttpRequest) -> None:
    """Read and discard the rest: a browser reads the answer only after it has sent everything."""
    dropped = 0
    with suppress(UnreadablePostError):
        while dropped < MOST_DROPPED and (chunk := request.read(CHUNK)):
            dropped += len(chunk)
