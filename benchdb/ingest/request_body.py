"""The body of an upload, read and inflated within bounds before it is parsed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Protocol


class BodyStream(Protocol):
    """A request body for `read_body`."""

    def read(self, size: int = -1, /) -> bytes: ...


@dataclass
class RefusedBody(Exception):
    """The body is refused with this HTTP status."""

    status: int
    code: str
    message: str


CHUNK = 1 << 20


def check_headers(headers: Mapping[str, str], *, most_sent: int) -> None:
    """Raise RefusedBody for headers that suffice to refuse the body: 411, 413, and 415 unless it is JSON or gzip."""
    content_type, encoding = headers.get("Content-Type", ""), headers.get("Content-Encoding", "")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise RefusedBody(415, "unsupported_media_type", f"Send application/json, not {content_type or 'nothing'}.")
    if encoding.strip().lower() not in ("", "identity", "gzip"):
        raise RefusedBody(415, "unsupported_encoding", f"Send it uncompressed or as gzip, not {encoding}.")
    length = headers.get("Content-Length", "")
    if not length.isdecimal():  # without it, WSGI hides the body, and the request looks empty
        raise RefusedBody(411, "length_required", "Send Content-Length; a body in chunks is not read.")
    if int(length) > most_sent:
        raise _too_large(most_sent)


def read_body(stream: BodyStream, encoding: str, *, most_sent: int, most_inflated: int) -> bytes:
    """The body in plain bytes, never holding more than the bounds.

    Raises RefusedBody: 413 if the body has more than `most_sent` bytes as sent or `most_inflated` bytes inflated, 400
    if it is damaged gzip.
    """
    gzipped = encoding.strip().lower() == "gzip"
    inflater = zlib.decompressobj(wbits=31) if gzipped else None
    body = BytesIO()  # which hands its bytes out without a copy
    sent = 0
    while chunk := stream.read(CHUNK):
        sent += len(chunk)
        if sent > most_sent:
            raise _too_large(most_sent)
        body.write(chunk if inflater is None else _inflate(inflater, chunk, most_inflated - body.tell() + 1))
        if body.tell() > most_inflated:
            raise RefusedBody(413, "too_large", f"The body is larger than {most_inflated} bytes when inflated.")
    if inflater is not None and not inflater.eof:
        raise RefusedBody(400, "broken_body", "The gzip stream ends before its end. Send it again.")
    return body.getvalue()


def _too_large(most_sent: int) -> RefusedBody:
    return RefusedBody(413, "too_large", f"The body is larger than {most_sent} bytes.")


def _inflate(inflater: zlib._Decompress, chunk: bytes, room: int) -> bytes:
    if inflater.eof:
        raise RefusedBody(400, "broken_body", "Something follows the end of the gzip stream.")
    try:
        plain = inflater.decompress(chunk, room)
    except zlib.error as error:
        raise RefusedBody(400, "broken_body", f"The body is not gzip: {error}.") from None
    if inflater.unused_data:
        raise RefusedBody(400, "broken_body", "Something follows the end of the gzip stream.")
    return plain
