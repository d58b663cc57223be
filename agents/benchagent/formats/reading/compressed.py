"""Single compressed files, gzip and xz, whose bytes are read on demand, so that the reader can stop at its limits."""

from __future__ import annotations

import gzip
import lzma
from io import BytesIO
from typing import Protocol

GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
XZ_MEMORY = 80 * 1024 * 1024  # `xz -9` needs 65 MiB to unpack
MOST_STREAMS = 100  # of one xz file; each copies the rest of the file, so that a million empty ones would take hours
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
        left, packed = size, self._packed
        while packed and left:
            if len(parts) == MOST_STREAMS:
                raise lzma.LZMAError(f"more than {MOST_STREAMS} xz streams")
            stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)
            parts.append(stream.decompress(packed, left))
            left -= len(parts[-1]) if size >= 0 else 0
            if not stream.eof and left:
                raise EOFError("the xz file ends too early")
            packed = stream.unused_data.lstrip(b"\x00")  # streams may be padded
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
