import pytest

from benchdb.stats import Access, CacheFacts, CacheReason, CacheVerdict, access_of, cache_verdict

GIB = 2**30


def judge(access, **facts):
    found = cache_verdict(CacheFacts(access, **facts))
    return found.verdict, found.reason


BY_SIZE = [
    # The article's machine: 8 GiB of memory, files of 16 GiB.
    (Access.READ, 16, 8, CacheVerdict.DEVICE, CacheReason.LARGER_THAN_MEMORY),
    (Access.WRITE, 16, 8, CacheVerdict.DEVICE, CacheReason.LARGER_THAN_MEMORY),
    (Access.RANDOM_READ, 16, 8, CacheVerdict.MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.RANDOM_READ, 80, 8, CacheVerdict.DEVICE, CacheReason.LARGER_THAN_MEMORY),
    (Access.ONE_RECORD, 16, 8, CacheVerdict.CACHED, CacheReason.ONE_RECORD),
    (Access.READ, 12, 8, CacheVerdict.MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.READ, 8, 8, CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY),
    (Access.WRITE, 4, 8, CacheVerdict.MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.WRITE, 1, 16, CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY),
]


@pytest.mark.parametrize(("access", "file", "memory", "verdict", "reason"), BY_SIZE)
def test_size_against_memory(access, file, memory, verdict, reason):
    assert judge(access, working_set=file * GIB, memory=memory * GIB) == (verdict, reason)


SMALL = {"working_set": GIB, "memory": 16 * GIB}


@pytest.mark.parametrize(
    ("access", "facts", "verdict", "reason"),
    [
        (Access.READ, {"direct": True}, CacheVerdict.DEVICE, CacheReason.DIRECT),
        (Access.ONE_RECORD, {"direct": True}, CacheVerdict.DEVICE, CacheReason.DIRECT),
        (Access.READ, {"dropped": True}, CacheVerdict.DEVICE, CacheReason.DROPPED),
        (Access.WRITE, {"dropped": True}, CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY),
        (Access.WRITE, {"flushed": True}, CacheVerdict.DEVICE, CacheReason.FLUSHED),
        (Access.READ, {"flushed": True}, CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY),
    ],
)
def test_flags_come_before_sizes(access, facts, verdict, reason):
    assert judge(access, **SMALL, **facts) == (verdict, reason)


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (0.0, CacheVerdict.CACHED),
        (0.1, CacheVerdict.CACHED),
        (0.5, CacheVerdict.MIXED),
        (0.9, CacheVerdict.DEVICE),
        (1.3, CacheVerdict.DEVICE),
    ],
)
def test_measured_bytes_come_before_everything(share, verdict):
    found = cache_verdict(
        CacheFacts(Access.READ, **SMALL, direct=True, device_bytes=share * GIB, logical_bytes=float(GIB))
    )
    assert (found.verdict, found.reason) == (verdict, CacheReason.DEVICE_BYTES)
    assert found.numbers == {"share": pytest.approx(share)}


def test_evidence_without_logical_bytes_is_none():
    assert judge(Access.READ, **SMALL, device_bytes=5.0, logical_bytes=0.0)[1] is CacheReason.FITS_IN_MEMORY


@pytest.mark.parametrize(
    ("facts", "verdict", "reason"),
    [
        ({"direct": True}, CacheVerdict.UNKNOWN, CacheReason.HOST_MAY_CACHE),
        ({"device_bytes": 1.0, "logical_bytes": 1.0}, CacheVerdict.UNKNOWN, CacheReason.HOST_MAY_CACHE),
        ({"device_bytes": 0.0, "logical_bytes": 1.0}, CacheVerdict.CACHED, CacheReason.DEVICE_BYTES),
        (SMALL, CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY),
    ],
)
def test_under_a_host_that_may_cache_only_cached_is_certain(facts, verdict, reason):
    assert judge(Access.READ, host_may_cache=True, **facts) == (verdict, reason)


def test_a_controllers_cache_may_hold_what_memory_does_not():
    facts = {"working_set": 4 * GIB, "memory": GIB}
    assert judge(Access.READ, **facts, controller_cache=3 * GIB) == (CacheVerdict.MIXED, CacheReason.CONTROLLER_CACHE)
    assert judge(Access.READ, **facts, controller_cache=2 * GIB)[0] is CacheVerdict.DEVICE


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"memory": GIB}, CacheReason.SIZE_UNKNOWN),
        ({"working_set": GIB}, CacheReason.MEMORY_UNKNOWN),
        ({}, CacheReason.SIZE_UNKNOWN),
    ],
)
def test_without_facts_the_verdict_is_unknown(facts, reason):
    assert judge(Access.READ, **facts) == (CacheVerdict.UNKNOWN, reason)


def test_metadata_has_no_size_to_judge_by():
    assert judge(Access.OTHER, **SMALL) == (CacheVerdict.UNKNOWN, CacheReason.SIZE_SAYS_NOTHING)


@pytest.mark.parametrize(
    ("test", "access"),
    [
        ("write", Access.WRITE),
        ("freread", Access.READ),
        ("random_read", Access.RANDOM_READ),
        ("record_rewrite", Access.ONE_RECORD),
        ("block_rewrite", Access.WRITE),
        ("random_seek", Access.RANDOM_READ),
        ("seq_create", Access.OTHER),
        ("mkfs", Access.OTHER),
    ],
)
def test_what_a_test_does_to_its_file(test, access):
    assert access_of(test) is access
