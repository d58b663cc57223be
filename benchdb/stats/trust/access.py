"""The ways in which tests use their file, as far as they matter to caches."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """OTHER: tests of metadata, of mkfs and mount, and unknown tests, for which the file size means nothing."""

    READ = "read"
    RANDOM_READ = "random_read"
    WRITE = "write"
    ONE_RECORD = "one_record"
    OTHER = "other"


_TESTS = {
    Access.READ: "raw_read read reread backward_read strided_read fread freread block_read char_read",
    Access.RANDOM_READ: "random_read random_seek",
    Access.WRITE: "write rewrite random_write fwrite frewrite block_write char_write block_rewrite",
    Access.ONE_RECORD: "record_rewrite",
}
_ACCESS = {test: access for access, tests in _TESTS.items() for test in tests.split()}


def access_of(test: str) -> Access:
    """The access of a test by its contract name. A record rewrite writes one record again and again."""
    return _ACCESS.get(test, Access.OTHER)
