"""What the storage of a target means for caches."""

import pytest

from benchdb.runs.cells.storage_caches import direct_on
from benchdb.stats import Access, Direct, compresses

HONOURED, BUFFERED, UNSURE = Direct.HONOURED, Direct.BUFFERED, Direct.UNSURE
READ, WRITE = Access.READ, Access.WRITE


@pytest.mark.parametrize(
    ("file_system", "options", "access", "record", "found"),
    [
        ("ext4", ["rw", "data=ordered"], READ, 1024, HONOURED),
        ("ext4", ["rw", "data=journal"], READ, 65536, BUFFERED),
        ("ext3", ["data=journal"], WRITE, None, BUFFERED),
        ("xfs", [], WRITE, 512, HONOURED),
        ("btrfs", [], READ, 65536, HONOURED),
        ("btrfs", [], READ, 1024, BUFFERED),
        ("btrfs", ["compress=zstd:3"], READ, 65536, UNSURE),
        ("btrfs", ["compress-force=lzo"], WRITE, 65536, HONOURED),
        ("btrfs", ["compress=no"], READ, 65536, HONOURED),
        ("f2fs", ["mode=adaptive"], WRITE, 4096, HONOURED),
        ("f2fs", ["mode=adaptive"], WRITE, 1024, BUFFERED),
        ("f2fs", ["mode=lfs"], WRITE, 4096, UNSURE),
        ("f2fs", ["compress_algorithm=lz4"], READ, 4096, UNSURE),
        *(
            (name, [], READ, 65536, UNSURE)
            for name in ("zfs", "nfs4", "cifs", "overlay", "fuse.sshfs", "reiser4", None)
        ),
    ],
)
def test_what_o_direct_does(file_system, options, access, record, found):
    target = {"file_system": {"type": file_system}, "mount": {"options": options}, "stack": []}
    assert direct_on(target, access, record) is found


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], False),
        (["compress=zstd"], True),
        (["compression=lz4"], True),
        (["compress=none"], False),
        (["noatime"], False),
    ],
)
def test_what_is_compressed(options, found):
    assert compresses(options) is found
