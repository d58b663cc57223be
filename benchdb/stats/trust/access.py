"""The ways in which tests use their file, as far as they matter to caches."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """READ goes through the file in the order in which it was written.

    BACKWARD_READ begins at the end, which the cache still holds. OTHER: tests of metadata, of mkfs and mount, and
    unknown tests, for which the file size means nothing.
    """

    READ = "read"
    BACKWARD_READ = "backward_read"
    RANDOM_READ = "random_read"
    WRITE = "write"
    RANDOM_WRITE = "random_write"
    ONE_RECORD = "one_record"
    OTHER = "other"


_TESTS = {
    Access.READ: "raw_read read reread fread freread block_read char_read pread repread",
    Access.BACKWARD_READ: "backward_read",
    Access.RANDOM_READ: "random_read strided_read random_seek",
    Access.WRITE: "write rewrite fwrite frewrite block_write char_write block_rewrite pwrite repwrite",
    Access.RANDOM_WRITE: "random_write",
    Access.ONE_RECORD: "record_rewrite",
}
_ACCESS = {test: access for access, tests in _TESTS.items() for test in tests.split()}

READS = frozenset({Access.READ, Access.BACKWARD_READ, Access.RANDOM_READ})
WRITES = frozenset({Access.WRITE, Access.RANDOM_WRITE, Access.ONE_RECORD})
AT_RANDOM = frozenset({Access.RANDOM_READ, Access.RANDOM_WRITE})


def access_of(test: str) -> Access:
    """The access of a test by its contract name. A record rewrite writes one record again and again."""
    return _ACCESS.get(test, Access.OTHER)
