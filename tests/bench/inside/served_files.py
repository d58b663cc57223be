"""A file system whose reads take a fixed time, one after the other; everything else takes none. For root.

Kernels have slow devices only as modules (dm-delay, null_blk), and a loop device would add the delays of the kernel's
threads. So this is a file system in memory by FUSE, served by one process. The protocol is that of <linux/fuse.h>.
"""

import ctypes
import errno
import multiprocessing
import os
import stat
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_HEADER = struct.Struct("IIQQIIII")  # length, operation, unique, node, user, group, process, padding
_ANSWER = struct.Struct("IiQ")  # length, error, unique
_MOST = 128 * 1024  # bytes of a request
_DIRECT_IO = 1
_AWAKE = 200e-6  # seconds before the end of a read in which the process watches the clock


@dataclass
class _Node:
    is_directory: bool
    data: bytearray = field(default_factory=bytearray)
    names: dict[bytes, int] = field(default_factory=dict)


class _Server:
    """Answers the kernel's requests, until the file system is unmounted."""

    def __init__(self, file: int, seconds: float) -> None:
        self._file, self._seconds, self._free_at = file, seconds, 0.0
        self._nodes = {1: _Node(is_directory=True)}
        self._answers: dict[int, Callable[[int, bytes], bytes]] = {
            1: lambda node, body: self._entry(self._child(node, body[:-1])),
            3: lambda node, _: self._attributes(node),
            4: self._set_attributes,
            9: lambda node, body: self._make(node, body[8:-1], is_directory=True),
            10: self._remove,
            11: self._remove,
            14: lambda *_: _opened(),
            15: self._read,
            16: self._write,
            17: lambda *_: struct.pack("QQQQQIII28x", 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 4096, 255, 4096),
            26: lambda *_: struct.pack("IIIIHHIIHHI28x", 7, 31, 0, 1 | 1 << 5 | 1 << 15, 256, 192, _MOST, 1, 0, 0, 0),
            27: lambda *_: _opened(),
            28: self._list,
            35: lambda node, body: self._make(node, body[16:-1], is_directory=False) + _opened(),
            **dict.fromkeys((18, 20, 25, 29, 30), lambda *_: b""),  # release, fsync and flush
        }

    def run(self) -> None:
        while True:
            try:
                request = os.read(self._file, _MOST + 4096)
            except OSError as error:
                if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                    continue
                return  # ENODEV: unmounted
            _, operation, unique, node, *_ = _HEADER.unpack_from(request)
            if operation in (2, 36, 42):  # forgotten nodes and interruptions have no answer
                continue
            answer, failed = b"", 0
            try:
                answer = self._answers[operation](node, request[_HEADER.size :])
            except KeyError:
                failed = errno.ENOENT if operation in self._answers else errno.ENOSYS
            os.write(self._file, _ANSWER.pack(_ANSWER.size + len(answer), -failed, unique) + answer)

    def _child(self, node: int, name: bytes) -> int:
        return self._nodes[node].names[name]

    def _entry(self, node: int) -> bytes:
        return struct.pack("QQQQII", node, 0, 3600, 3600, 0, 0) + self._attributes(node)[16:]

    def _attributes(self, node: int) -> bytes:
        of, size = self._nodes[node], len(self._nodes[node].data)
        mode = stat.S_IFDIR | 0o700 if of.is_directory else stat.S_IFREG | 0o600
        numbers = struct.pack("6Q10I", node, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 2, 0, 0, 0, 4096, 0)
        return struct.pack("QII", 3600, 0, 0) + numbers

    def _set_attributes(self, node: int, body: bytes) -> bytes:
        valid, _, _, size = struct.unpack_from("IIQQ", body)
        if valid & 1 << 3:
            data = self._nodes[node].data
            data[size:] = bytes(max(0, size - len(data)))
        return self._attributes(node)

    def _make(self, node: int, name: bytes, *, is_directory: bool) -> bytes:
        new = max(self._nodes) + 1
        self._nodes[new] = _Node(is_directory)
        self._nodes[node].names[name] = new
        return self._entry(new)

    def _remove(self, node: int, body: bytes) -> bytes:
        del self._nodes[node].names[body[:-1]]
        return b""

    def _list(self, node: int, body: bytes) -> bytes:
        _, offset, size = struct.unpack_from("QQI", body)
        answer = b""
        for at, (name, number) in enumerate(list(self._nodes[node].names.items())[offset:], start=offset + 1):
            kind = stat.S_IFDIR if self._nodes[number].is_directory else stat.S_IFREG
            entry = struct.pack("QQII", number, at, len(name), kind >> 12) + name
            entry += bytes(-len(entry) % 8)
            if len(answer) + len(entry) > size:
                break
            answer += entry
        return answer

    def _read(self, node: int, body: bytes) -> bytes:
        offset, size = struct.unpack_from("QI", body, 8)
        self._free_at = max(time.monotonic(), self._free_at) + self._seconds
        if (left := self._free_at - time.monotonic() - _AWAKE) > 0:
            time.sleep(left)
        while time.monotonic() < self._free_at:
            pass
        return bytes(self._nodes[node].data[offset : offset + size])

    def _write(self, node: int, body: bytes) -> bytes:
        offset, size = struct.unpack_from("QI", body, 8)
        data = self._nodes[node].data
        data.extend(bytes(max(0, offset - len(data))))
        data[offset : offset + size] = body[40 : 40 + size]
        return struct.pack("II", size, 0)


def _opened() -> bytes:
    return struct.pack("QIi", 0, _DIRECT_IO, 0)


def _serve(file: int, seconds: float) -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))  # other processes do not delay it
    _Server(file, seconds).run()


@contextmanager
def slow_reads(seconds: float) -> Iterator[Path]:
    """An empty directory in which each read takes so many seconds; nothing is left of it afterwards."""
    libc = ctypes.CDLL(None, use_errno=True)
    file = os.open("/dev/fuse", os.O_RDWR)
    with tempfile.TemporaryDirectory() as point:
        options = f"fd={file},rootmode=40000,user_id=0,group_id=0,max_read={_MOST}"
        if libc.mount(b"fuse", point.encode(), b"fuse", 0, options.encode()):
            raise OSError(ctypes.get_errno(), "mount", point)
        process = multiprocessing.get_context("fork").Process(target=_serve, args=(file, seconds), daemon=True)
        process.start()
        os.close(file)
        try:
            yield Path(point)
        finally:
            subprocess.run(["umount", point], check=True)
            process.join(10)
