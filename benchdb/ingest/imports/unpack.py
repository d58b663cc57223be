"""Unpacks the files of an import in memory, within limits on their number, bytes and compression ratio.

Nothing is written to the disk, so names are harmless; a file whose name leads out of its archive is left out anyway.
"""

from __future__ import annotations

import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import PurePosixPath
from typing import Self

from benchagent.formats.mmtests import is_copy
from benchagent.formats.reading.compressed import GZIP, XZ, Stream, stream_of, without_suffix
from benchdb.wording.sizes import say_size

MOST_FILES = 500
MOST_BYTES = 32 * 1024 * 1024  # of all files together, unpacked; reading twice as much takes 700 MB (docs/load.md)
MOST_ENTRIES = 10_000  # of one archive, of any kind
MOST_RATIO = 200  # unpacked ÷ packed; output of tools reaches 30
MOST_INFLATED = 2 * MOST_BYTES  # of all archives together, and of all files in them
FREE_BYTES = 1024 * 1024  # a small archive may inflate to this size at any ratio
LONGEST_NAME = 400
# Bytes of a header in a tar for a long name or other fields, and of all that hold for every entry: tarfile copies the
# fields of the latter for each entry, so that 0.2 MB of archive took 25 s and 4 GB.
MOST_HEADER, MOST_SHARED = 64 * 1024, 1024
MOST_FIELDS = 1024 * 1024  # of all such headers together, and of all extra fields of a zip

_ZIP, _TAR = (b"PK\x03\x04", b"PK\x05\x06"), b"ustar"
_OTHERS = {
    b"BZh": "a bzip2 file",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
}
# tarfile searches extended headers for digits before a word, which takes quadratic time, and builds maps of holes.
_EXTENDED = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_LONG_NAMES = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_REFUSED_FIELDS = re.compile(rb"[0-9]{40}|GNU\.sparse\.")
_DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, OverflowError, IndexError),
    *(NotImplementedError, RecursionError, struct.error, lzma.LZMAError),
)


class RefusedFiles(Exception):
    """The files cannot be imported; the message is a sentence with the reason and what to do."""


@dataclass(frozen=True)
class GivenFile:
    """A file that a person chose."""

    name: str
    content: bytes


@dataclass
class UnpackedFiles:
    """The files, and in `left_out` the names of files left out, with the reasons."""

    files: list[GivenFile] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class _Room:
    """The remaining number and bytes of all files together, and the bytes that everything may still inflate to."""

    files: int = MOST_FILES
    size: int = MOST_BYTES
    inflated: int = MOST_INFLATED

    def take(self) -> None:
        """Count a file. Raises RefusedFiles if there are too many."""
        self.files -= 1
        if self.files < 0:
            raise RefusedFiles(f"There are more than {MOST_FILES} files. Give them in several imports.")

    def fit(self, file: GivenFile) -> None:
        """Count bytes, also those of files left out later. Raises RefusedFiles if there are too many in all."""
        self.size -= len(file.content)
        if self.size < 0:
            most = say_size(MOST_BYTES)
            raise RefusedFiles(f"{file.name}: the files are larger than {most} together. Import fewer at a time.")


@dataclass
class _Inflating:
    """The bytes that one archive may still inflate to."""

    room: _Room
    bytes_left: int

    @classmethod
    def of(cls, content: bytes, room: _Room) -> Self:
        """The limit of an archive with this content."""
        return cls(room, max(FREE_BYTES, MOST_RATIO * len(content)))

    def read(self, name: str, stream: Stream) -> bytes:
        """The whole stream. Raises RefusedFiles before memory exceeds the limits.

        A damaged one counts as all that was asked of it: nobody knows how much was inflated before the damage.
        """
        read = max(0, min(self.bytes_left, MOST_BYTES, self.room.inflated) + 1)
        try:
            content = stream.read(read)
            read = len(content)
        finally:
            self.room.inflated -= read
        self.bytes_left -= read
        if self.room.inflated < 0:
            most = say_size(MOST_INFLATED)
            raise RefusedFiles(f"{name}: all files inflate to more than {most}, or too many of them are damaged.")
        if self.bytes_left < 0:
            raise RefusedFiles(
                f"{name} inflates to more than {MOST_RATIO} times its size, which no output of a tool does."
            )
        if len(content) > MOST_BYTES:
            raise RefusedFiles(f"{name} is larger than {say_size(MOST_BYTES)} when inflated.")
        return content


def unpack(given: Iterable[GivenFile]) -> UnpackedFiles:
    """All given files, with archives unpacked one level deep, and compressed files in them. Raises RefusedFiles."""
    room, unpacked = _Room(), UnpackedFiles()
    for given_file in given:
        name = cleaned(given_file.name) or "unnamed"
        try:
            for packed in _members(name, given_file.content, room, unpacked):
                if (file := _inflated(packed, room, unpacked)) is None:
                    continue
                room.fit(file)
                if _is_wanted(file, unpacked):
                    room.take()
                    unpacked.files.append(file)
        except _DAMAGED as error:
            raise RefusedFiles(f"{name}: the archive is damaged ({error}). Pack it again.") from None
    if not unpacked.files and not unpacked.left_out:
        raise RefusedFiles("The import is empty. Paste text, or choose files that are not empty.")
    return unpacked


def _members(name: str, content: bytes, room: _Room, unpacked: UnpackedFiles) -> Iterator[GivenFile]:
    inflating = _Inflating.of(content, room)
    if stream := _stream(name, content):
        name, content = without_suffix(name), inflating.read(name, stream)
    if kind := other_archive(content):
        raise RefusedFiles(f"{name} is {kind}, which is not unpacked here. Pack it as .tar.gz or .zip.")
    if content.startswith(_ZIP):
        return (yield from _zip(name, content, inflating, unpacked))
    if is_tar(content):
        return (yield from _tar(name, content, unpacked))
    yield GivenFile(name, content)


def _inflated(file: GivenFile, room: _Room, unpacked: UnpackedFiles) -> GivenFile | None:
    """The content of a compressed file of an archive, others as they are; None if it is damaged."""
    if (stream := _stream(file.name, file.content)) is None:
        return file
    try:
        content = _Inflating.of(file.content, room).read(file.name, stream)
    except _DAMAGED as error:
        unpacked.left_out.append((file.name, f"it is damaged ({error})"))
        return None
    return GivenFile(without_suffix(file.name), content)


def _stream(name: str, content: bytes) -> Stream | None:
    """The inflated content of a compressed file. Raises RefusedFiles if it has too many parts: each takes time."""
    if content.startswith(GZIP) and content.count(GZIP + b"\x08") > MOST_ENTRIES:
        raise RefusedFiles(f"{name} consists of more than {MOST_ENTRIES:,} compressed parts. Pack it again.")
    return stream_of(content)


def is_tar(content: bytes) -> bool:
    """Whether the content is a POSIX or GNU tar, with the magic at byte 257; the oldest tars lack it."""
    return content[257:262] == _TAR


def is_archive(content: bytes) -> bool:
    """Whether the content is packed in a recognised format."""
    return content.startswith((GZIP, XZ, *_ZIP)) or is_tar(content) or other_archive(content) is not None


def other_archive(content: bytes) -> str | None:
    """The kind of an archive in an unsupported format; None for anything else."""
    return next((kind for magic, kind in _OTHERS.items() if content.startswith(magic)), None)


def cleaned(name: str) -> str:
    """A name without control characters and lone surrogates, of limited length."""
    printable = "".join(char if char.isprintable() else "?" for char in name).strip()
    return printable.encode("utf-8", "replace").decode()[-LONGEST_NAME:]


def _zip(name: str, content: bytes, inflating: _Inflating, unpacked: UnpackedFiles) -> Iterator[GivenFile]:
    # Count them before the library makes an object of each, and copies the rest of its fields for each of these.
    entries = [found.start() for found in re.finditer(b"PK\x01\x02", content)]
    if sum(int.from_bytes(content[entry + 30 : entry + 32], "little") for entry in entries) > MOST_FIELDS:
        raise RefusedFiles(f"{name}: the extra fields of its entries are too long. Pack the files without them.")
    if len(entries) > MOST_ENTRIES:
        raise RefusedFiles(
            f"{name}: the archive holds more than {MOST_ENTRIES:,} entries. Pack the tools' output alone."
        )
    with zipfile.ZipFile(BytesIO(content)) as archive:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            if reason := _reason_of_name(entry.filename) or _reason_of_entry(entry):
                unpacked.left_out.append((cleaned(entry.filename), reason))
                continue
            with archive.open(entry) as stream:
                yield GivenFile(cleaned(entry.filename), inflating.read(cleaned(entry.filename), stream))


def _reason_of_entry(entry: zipfile.ZipInfo) -> str | None:
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "it is a link or a device, not a file"
    if entry.flag_bits & 0x1:
        return "it is encrypted; pack it without a password"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is packed in a way that is not unpacked here; use the usual one (deflate)"
    return None


def _tar(name: str, content: bytes, unpacked: UnpackedFiles) -> Iterator[GivenFile]:
    stream = BytesIO(content)
    shared = fields = 0

    class Entry(tarfile.TarInfo):
        """An entry with short extended headers, which hold no more digits in a row than a size or a time has."""

        @classmethod
        def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
            nonlocal shared, fields
            entry = super().frombuf(buf, encoding, errors)
            shared += entry.size if entry.type == tarfile.XGLTYPE else 0
            size = entry.size if entry.type in (*_EXTENDED, *_LONG_NAMES) else 0
            fields += size
            if shared > MOST_SHARED or not 0 <= size <= MOST_HEADER or fields > MOST_FIELDS:
                raise tarfile.ReadError("its extended headers are too long")
            begin = stream.tell()
            is_odd = entry.type in _EXTENDED and _REFUSED_FIELDS.search(content, begin, begin + size)
            if is_odd or entry.type == tarfile.GNUTYPE_SPARSE:
                raise RefusedFiles(
                    f"{name}: it has sparse files or numbers of more than 40 digits. Pack without --sparse."
                )
            return entry

    with tarfile.open(fileobj=stream, mode="r:", tarinfo=Entry) as archive:
        for count in range(MOST_ENTRIES + 1):
            if (entry := archive.next()) is None:
                break
            archive.members = []  # type: ignore[attr-defined]  # it would keep all entries with their fields
            if count == MOST_ENTRIES:
                raise RefusedFiles(f"{name}: the archive holds more than {MOST_ENTRIES:,} entries. Pack less.")
            if entry.isdir():
                continue
            reason = _reason_of_name(entry.name)
            if not entry.isreg() or entry.size < 0:
                reason = "it is a link or a device, not a file"
            inside = None if reason else archive.extractfile(entry)
            if inside is None:
                unpacked.left_out.append((cleaned(entry.name), reason or "it is no file"))
                continue
            with inside:
                yield GivenFile(cleaned(entry.name), inside.read())


def _reason_of_name(name: str) -> str | None:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")):
        return "its name leads out of the archive"
    if path.name.startswith("._") or path.name in (".DS_Store", "Thumbs.db") or "__MACOSX" in path.parts:
        return "the packing system put it there; it is no output"
    return None


def _is_wanted(file: GivenFile, unpacked: UnpackedFiles) -> bool:
    if not file.content.strip():
        unpacked.left_out.append((file.name, "it is empty"))
        return False
    if is_archive(file.content):
        unpacked.left_out.append((file.name, "it is an archive inside an archive; unpack the outer one first"))
        return False
    if is_copy(file.name):
        unpacked.left_out.append((file.name, "mmtests repeats lines of the logs beside it in this file"))
        return False
    return True
