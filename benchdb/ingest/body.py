"""The body of an upload: read and inflated within bounds, before anything looks at what it says."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Protocol


class Readable(Protocol):
    """What `read_body` needs of a request body."""

    def read(self, size: int = -1, /) -> bytes: ...


@dataclass
class RefusedBody(Exception):
    """The body is refused with this HTTP status."""

    status: int
    code: str
    message: str


CHUNK = 1 << 20


def check_headers(content_type: str, encoding: str) -> None:
    """Raise RefusedBody (415) unless this is JSON, plain or compressed with gzip."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise RefusedBody(415, "unsupported_media_type", f"Send application/json, not {content_type or 'nothing'}.")
    if encoding.strip().lower() not in ("", "identity", "gzip"):
        raise RefusedBody(415, "unsupported_encoding", f"Send it plain or as gzip, not {encoding}.")


def read_body(stream: Readable, encoding: str, *, most_sent: int, most_inflated: int) -> bytes:
    """The body in plain bytes, never holding more than the bounds.

    Raises RefusedBody: 413 when it is larger than `most_sent` bytes as sent or `most_inflated` bytes inflated, 400 when
    it is not the gzip it claims to be.
    """
    gzipped = encoding.strip().lower() == "gzip"
    inflater = zlib.decompressobj(wbits=31) if gzipped else None
    pieces: list[bytes] = []
    sent = inflated = 0
    while chunk := stream.read(CHUNK):
        sent += len(chunk)
        if sent > most_sent:
            raise RefusedBody(413, "too_large", f"The body is larger than {most_sent} bytes.")
        if inflater is not None:
            chunk = _inflate(inflater, chunk, most_inflated - inflated + 1)
        inflated += len(chunk)
        if inflated > most_inflated:
            raise RefusedBody(413, "too_large", f"The body is larger than {most_inflated} bytes when inflated.")
        pieces.append(chunk)
    if inflater is not None and not inflater.eof:
        raise RefusedBody(400, "broken_body", "The gzip stream ends before its end. Send it again.")
    return b"".join(pieces)


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
