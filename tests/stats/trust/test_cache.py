import pytest

from benchdb.stats import Access, CacheFacts, CacheReason, CacheVerdict, Direct, access_of, cache_verdict

GIB = 2**30
DEVICE, MIXED, CACHED, UNKNOWN = CacheVerdict.DEVICE, CacheVerdict.MIXED, CacheVerdict.CACHED, CacheVerdict.UNKNOWN


def judge(access, **facts):
    found = cache_verdict(CacheFacts(access, **facts))
    return found.verdict, found.reason


BY_SIZE = [
    # In order: a file larger than memory is evicted before it is read again, unless Linux kept a part of it.
    (Access.READ, 4, 5, CACHED, CacheReason.FITS_IN_MEMORY),
    (Access.READ, 8, 8, UNKNOWN, CacheReason.MEMORY_MAY_HOLD),
    (Access.READ, 10, 8, UNKNOWN, CacheReason.MEMORY_MAY_HOLD),
    (Access.READ, 16, 8, UNKNOWN, CacheReason.MEMORY_MAY_HOLD),
    (Access.READ, 32, 8, DEVICE, CacheReason.LARGER_THAN_MEMORY),
    # Out of order: the part of the file that is in memory is found there.
    (Access.RANDOM_READ, 4, 5, CACHED, CacheReason.FITS_IN_MEMORY),
    (Access.RANDOM_READ, 8, 8, UNKNOWN, CacheReason.MEMORY_MAY_HOLD),
    (Access.RANDOM_READ, 16, 8, MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.RANDOM_READ, 32, 8, MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.RANDOM_READ, 80, 8, DEVICE, CacheReason.LARGER_THAN_MEMORY),
    (Access.BACKWARD_READ, 16, 8, MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.ONE_RECORD, 16, 8, CACHED, CacheReason.ONE_RECORD),
    # Writes: up to 40 % of memory may still be dirty.
    (Access.WRITE, 1, 16, CACHED, CacheReason.FITS_IN_MEMORY),
    (Access.WRITE, 3, 8, UNKNOWN, CacheReason.MEMORY_MAY_HOLD),
    (Access.WRITE, 4, 8, MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.WRITE, 16, 8, MIXED, CacheReason.PARTLY_IN_MEMORY),
    (Access.WRITE, 32, 8, DEVICE, CacheReason.LARGER_THAN_MEMORY),
    (Access.RANDOM_WRITE, 32, 8, DEVICE, CacheReason.LARGER_THAN_MEMORY),
]


@pytest.mark.parametrize(("access", "file", "memory", "verdict", "reason"), BY_SIZE)
def test_size_against_memory(access, file, memory, verdict, reason):
    assert judge(access, working_set=file * GIB, memory=memory * GIB) == (verdict, reason)


# Shares of the bytes that the device moved within the measured time, by the engine's counters: fsload sweep with 64 KiB
# records, ext4 on a loop device with direct I/O, Linux 6.18, a control group (v1) with 64 MiB.
MEASURED = [
    (68, {"write": 0.27, "read": 0.21, "random_read": 0.21, "backward_read": 0.14, "fread": 0.54}),
    (80, {"write": 0.76, "read": 0.64, "random_read": 0.41, "backward_read": 0.30, "fread": 0.51}),
    (96, {"write": 0.57, "read": 0.78, "random_read": 0.52, "backward_read": 0.44, "fread": 0.84}),
    (128, {"write": 0.57, "read": 1.00, "random_read": 0.69, "backward_read": 0.60, "fread": 0.64}),
    (192, {"write": 0.78, "read": 1.00, "random_read": 0.83, "backward_read": 0.75, "fread": 0.75}),
    (256, {"write": 0.79, "read": 1.00, "random_read": 0.90, "backward_read": 0.84, "fread": 0.90}),
    (384, {"write": 0.85, "read": 1.00, "random_read": 0.95, "backward_read": 0.90, "fread": 1.00}),
    (640, {"write": 0.93, "read": 1.00, "random_read": 0.98, "backward_read": 0.95, "fread": 1.00}),
]


@pytest.mark.parametrize(("file", "shares"), MEASURED)
def test_the_rule_by_size_claims_nothing_that_was_measured_otherwise(file, shares):
    for test, share in shares.items():
        found = cache_verdict(CacheFacts(access_of(test), working_set=file, memory=64, limited=True))
        assert found.verdict is not DEVICE or share >= 0.9
        assert found.verdict is not CACHED or share <= 0.1
        assert found.reason is CacheReason.LARGER_THAN_MEMORY or share >= 1 - found.numbers["share"] - 0.005


def test_dax_has_no_page_cache_and_no_requests_to_the_device():
    for access in (Access.READ, Access.WRITE, Access.RANDOM_READ):
        assert judge(access, dax=True, **SMALL, device_bytes=0.0, logical_bytes=1.0) == (DEVICE, CacheReason.DAX)
    assert judge(Access.OTHER, dax=True) == (UNKNOWN, CacheReason.SIZE_SAYS_NOTHING)
    assert judge(Access.READ, dax=True, lower_cache=CacheReason.HOST_MAY_CACHE)[0] is UNKNOWN
    assert judge(Access.READ, dax=True, in_memory=True)[0] is CACHED


def test_a_control_group_may_be_full_of_unwritten_data():
    """Linux limits dirty memory by the machine's memory, so all of a small group's memory may be dirty."""
    assert judge(Access.WRITE, working_set=4 * GIB, memory=GIB)[0] is DEVICE
    assert judge(Access.WRITE, working_set=4 * GIB, memory=GIB, limited=True)[0] is MIXED
    assert judge(Access.WRITE, working_set=10 * GIB, memory=GIB, limited=True)[0] is DEVICE


SMALL = {"working_set": GIB, "memory": 16 * GIB}


@pytest.mark.parametrize(
    ("access", "facts", "verdict", "reason"),
    [
        (Access.READ, {"direct": Direct.HONOURED}, DEVICE, CacheReason.DIRECT),
        (Access.READ, {"direct": Direct.BUFFERED}, CACHED, CacheReason.FITS_IN_MEMORY),
        (Access.READ, {"direct": Direct.UNSURE}, UNKNOWN, CacheReason.DIRECT_UNSURE),
        (Access.ONE_RECORD, {"direct": Direct.HONOURED}, DEVICE, CacheReason.DIRECT),
        (Access.ONE_RECORD, {"synchronous": True}, DEVICE, CacheReason.FLUSHED),
        (Access.ONE_RECORD, {"flushed": True}, CACHED, CacheReason.ONE_RECORD),
        (Access.READ, {"dropped": True}, DEVICE, CacheReason.DROPPED),
        (Access.WRITE, {"dropped": True}, CACHED, CacheReason.FITS_IN_MEMORY),
        (Access.WRITE, {"flushed": True}, DEVICE, CacheReason.FLUSHED),
        (Access.WRITE, {"synchronous": True}, DEVICE, CacheReason.FLUSHED),
        (Access.WRITE, {"flushed": True, "direct": Direct.UNSURE}, DEVICE, CacheReason.FLUSHED),
        (Access.READ, {"flushed": True}, CACHED, CacheReason.FITS_IN_MEMORY),
        (Access.READ, {"own_cache": True, "dropped": True}, UNKNOWN, CacheReason.OWN_CACHE),
        (Access.READ, {"own_cache": True, "direct": Direct.UNSURE}, UNKNOWN, CacheReason.OWN_CACHE),
        (Access.READ, {"own_cache": True}, CACHED, CacheReason.FITS_IN_MEMORY),
    ],
)
def test_flags_come_before_sizes(access, facts, verdict, reason):
    assert judge(access, **SMALL, **facts) == (verdict, reason)


def test_a_large_file_needs_no_direct_access():
    assert judge(Access.READ, working_set=64 * GIB, memory=GIB, direct=Direct.UNSURE)[0] is DEVICE


@pytest.mark.parametrize(
    ("share", "verdict"), [(0.0, CACHED), (0.1, CACHED), (0.5, MIXED), (0.9, DEVICE), (1.3, DEVICE)]
)
def test_measured_bytes_come_before_everything(share, verdict):
    found = cache_verdict(
        CacheFacts(Access.READ, **SMALL, direct=Direct.HONOURED, device_bytes=share * GIB, logical_bytes=float(GIB))
    )
    assert (found.verdict, found.reason) == (verdict, CacheReason.DEVICE_BYTES)
    assert found.numbers == {"share": pytest.approx(share)}


def by_share(access, share, **facts):
    return judge(access, **SMALL, device_bytes=share * GIB, logical_bytes=float(GIB), **facts)


@pytest.mark.parametrize(
    ("access", "share", "record", "verdict"),
    [
        # 1 KiB of each page is asked for at a time. Measured with empty caches: 1.00 if the file fits, 3.52 if not.
        (Access.RANDOM_READ, 1.00, 1024, MIXED),
        (Access.RANDOM_READ, 3.52, 1024, MIXED),
        (Access.RANDOM_READ, 3.9, 1024, DEVICE),
        (Access.RANDOM_READ, 0.3, 1024, CACHED),
        (Access.RANDOM_READ, 1.0, 4096, DEVICE),
        (Access.RANDOM_READ, 1.0, 512, MIXED),
        (Access.READ, 1.0, 1024, DEVICE),
        (Access.BACKWARD_READ, 1.0, 1024, DEVICE),
        # Four writes to a page may have been written once or four times.
        (Access.RANDOM_WRITE, 2.85, 1024, MIXED),
        (Access.RANDOM_WRITE, 4.0, 1024, DEVICE),
        (Access.RANDOM_WRITE, 0.1, 1024, CACHED),
    ],
)
def test_records_below_a_page(access, share, record, verdict):
    assert by_share(access, share, record_size=record)[0] is verdict


def test_read_ahead_hides_hits():
    """Measured: strided reads of a file of 1.5 times the memory read 1.8 times the bytes, and found some in memory."""
    assert by_share(Access.RANDOM_READ, 1.8, record_size=65536) == (UNKNOWN, CacheReason.READ_AHEAD)
    assert by_share(Access.BACKWARD_READ, 1.3) == (UNKNOWN, CacheReason.READ_AHEAD)
    assert by_share(Access.RANDOM_READ, 1.05)[0] is DEVICE


def test_random_reads_of_parts_of_pages_with_empty_caches():
    facts = {"dropped": True, "record_size": 1024}
    assert judge(Access.RANDOM_READ, **SMALL, **facts) == (MIXED, CacheReason.PARTS_OF_PAGES)
    assert judge(Access.RANDOM_READ, working_set=16 * GIB, memory=GIB, **facts)[0] is DEVICE
    assert judge(Access.RANDOM_READ, **SMALL, dropped=True, record_size=4096)[0] is DEVICE
    assert judge(Access.BACKWARD_READ, **SMALL, **facts)[0] is DEVICE


def test_what_is_compressed_needs_fewer_bytes():
    assert by_share(Access.WRITE, 0.05, compresses=True) == (UNKNOWN, CacheReason.COMPRESSED)
    assert by_share(Access.READ, 0.95, compresses=True)[0] is DEVICE


def test_what_is_written_twice_needs_twice_the_bytes():
    assert by_share(Access.WRITE, 1.0, copies=2)[0] is MIXED
    assert by_share(Access.WRITE, 2.0, copies=2)[0] is DEVICE
    assert by_share(Access.READ, 1.0, copies=2)[0] is DEVICE


def test_evidence_without_logical_bytes_is_none():
    assert judge(Access.READ, **SMALL, device_bytes=5.0, logical_bytes=0.0)[1] is CacheReason.FITS_IN_MEMORY


@pytest.mark.parametrize("access", list(Access))
def test_a_file_system_in_memory_is_memory(access):
    facts = {"direct": Direct.HONOURED, "dropped": True, "device_bytes": 1.0, "logical_bytes": 1.0}
    assert judge(access, in_memory=True, **facts) == (CACHED, CacheReason.IN_MEMORY)


LOWER = [
    CacheReason.HOST_MAY_CACHE,
    CacheReason.SERVER_MAY_CACHE,
    CacheReason.FAST_DEVICE,
    CacheReason.DAEMON_MAY_CACHE,
]


@pytest.mark.parametrize("reason", LOWER)
@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({"direct": Direct.HONOURED}, UNKNOWN),
        ({"device_bytes": 0.0, "logical_bytes": 1.0}, CACHED),
        (SMALL, CACHED),
        ({"working_set": 20 * GIB, "memory": GIB}, UNKNOWN),
    ],
)
def test_above_another_cache_only_cached_is_certain(reason, facts, verdict):
    found = judge(Access.READ, lower_cache=reason, **facts)
    assert found[0] is verdict
    assert verdict is CACHED or found[1] is reason


def test_the_bytes_of_a_device_below_a_daemon_count_and_those_of_a_guest_do_not():
    seen = {"device_bytes": 1.0, "logical_bytes": 1.0}
    assert judge(Access.READ, lower_cache=CacheReason.DAEMON_MAY_CACHE, **seen)[0] is DEVICE
    assert judge(Access.READ, lower_cache=CacheReason.HOST_MAY_CACHE, **seen)[0] is UNKNOWN


def test_a_client_without_a_page_cache_says_nothing_by_size():
    facts = {"page_cache": False, "lower_cache": CacheReason.SERVER_MAY_CACHE}
    assert judge(Access.READ, **SMALL, **facts) == (UNKNOWN, CacheReason.SERVER_MAY_CACHE)


def test_a_controllers_cache_may_hold_what_memory_does_not():
    facts = {"working_set": 4 * GIB, "memory": GIB}
    assert judge(Access.READ, **facts, controller_cache=3 * GIB) == (MIXED, CacheReason.CONTROLLER_CACHE)
    assert judge(Access.READ, **facts, controller_cache=2 * GIB)[0] is DEVICE


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"memory": GIB}, CacheReason.SIZE_UNKNOWN),
        ({"working_set": GIB}, CacheReason.MEMORY_UNKNOWN),
        ({}, CacheReason.SIZE_UNKNOWN),
        ({"direct": Direct.UNSURE}, CacheReason.DIRECT_UNSURE),
    ],
)
def test_without_facts_the_verdict_is_unknown(facts, reason):
    assert judge(Access.READ, **facts) == (UNKNOWN, reason)


def test_metadata_has_no_size_to_judge_by():
    assert judge(Access.OTHER, **SMALL) == (UNKNOWN, CacheReason.SIZE_SAYS_NOTHING)


@pytest.mark.parametrize(
    ("test", "access"),
    [
        ("write", Access.WRITE),
        ("freread", Access.READ),
        ("pread", Access.READ),
        ("random_read", Access.RANDOM_READ),
        ("strided_read", Access.RANDOM_READ),
        ("backward_read", Access.BACKWARD_READ),
        ("random_write", Access.RANDOM_WRITE),
        ("record_rewrite", Access.ONE_RECORD),
        ("block_rewrite", Access.WRITE),
        ("random_seek", Access.RANDOM_READ),
        ("seq_create", Access.OTHER),
        ("mkfs", Access.OTHER),
    ],
)
def test_what_a_test_does_to_its_file(test, access):
    assert access_of(test) is access
