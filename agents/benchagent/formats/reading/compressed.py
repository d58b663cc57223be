"""Single compressed files, gzip and xz, whose bytes are read on demand, so that the reader can stop at its limits."""

from __future__ import annotations

import gzip
import lzma
import re
from io import BytesIO
from typing import Protocol

GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
XZ_MEMORY = 80 * 1024 * 1024  # `xz -9` needs 65 MiB to unpack
MOST_STREAMS = 100  # of one xz file; a decoder is made for each, so that a million empty ones would take minutes
_CHUNK = 64 * 1024  # bytes that a decoder gets at once: it copies what is behind the end of its stream
_PADDING = re.compile(rb"\x00*")
_SUFFIXES = {".tgz": ".tar", ".txz": ".tar", ".gz": "", ".xz": ""}


class Stream(Protocol):
    """A file inside an archive, or the content of a compressed one."""

    def read(self, size: int = -1, /) -> bytes: ...


class XzStream:
    """The content of an xz file of one or several streams.

    Reading raises EOFError or LZMAError if the file is damaged, or needs more memory or streams than these limits.
    """

    def __init__(self, content: bytes) -> None:
        self._packed = content

    def read(self, size: int = -1, /) -> bytes:
        """The first bytes of the content, at most this many; all of them if it is negative."""
        parts: list[bytes] = []
        left, position, streams, end = size, 0, 0, len(self._packed)
        while position < end and left:
            if streams == MOST_STREAMS:
                raise lzma.LZMAError(f"more than {MOST_STREAMS} xz streams")
            streams += 1
            stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
            while left and not stream.eof:
                chunk = self._packed[position : position + _CHUNK] if stream.needs_input else b""
                if stream.needs_input and not chunk:
                    raise EOFError("the xz file ends too early")
                position += len(chunk)
                parts.append(stream.decompress(chunk, left))
                left -= len(parts[-1]) if size >= 0 else 0
            position -= len(stream.unused_data)
            if padding := _PADDING.match(self._packed, position):  # streams may be padded
                position = padding.end()
        return b"".join(parts)


def stream_of(content: bytes) -> Stream | None:
    """The inflated content of a gzip or xz file; None for anything else."""
    if content.startswith(GZIP):
        return gzip.GzipFile(fileobj=BytesIO(content))
    return XzStream(content) if content.startswith(XZ) else None


def without_suffix(name: str) -> str:
    """The name of the content: `run.log` of `run.log.gz`, `runs.tar` of `runs.tgz`."""
    for suffix, instead in _SUFFIXES.items():
        if name.lower().endswith(suffix):
            return name[: -len(suffix)] + instead
    return name
