"""Archives are unpacked in memory, within bounds, and their entries cannot refer to other files."""

import bz2
import gzip
import io
import lzma
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchdb.ingest.imports import unpack as module
from benchdb.ingest.imports.unpack import MOST_ENTRIES, GivenFile, RefusedFiles, unpack
from tests.support.imports import tar, zipped

FILES = {"a/one.txt": b"one\n", "b/two.txt": b"two\r\n", "three": b"\xff\x00\xfe"}


def unpacked(content: bytes, name: str = "given") -> dict[str, bytes]:
    return {each.name: each.content for each in unpack([GivenFile(name, content)]).files}


def left(content: bytes) -> dict[str, str]:
    return dict(unpack([GivenFile("given", content)]).left_out)


def test_parts_of_a_gzip_file_are_bounded() -> None:
    """24 kB of zip held 200,000 empty parts, which took 3 s."""
    parts = gzip.compress(b"") * (MOST_ENTRIES + 1)

    with pytest.raises(RefusedFiles, match="more than 10,000 compressed parts"):
        unpack([GivenFile("a.zip", zipped({"a.gz": parts}))])


@pytest.mark.parametrize("pack", [zipped, tar, lambda files: tar(files, "w:")], ids=["zip", "tar.gz", "tar"])
def test_every_file_comes_out_byte_for_byte(pack: Callable[[dict[str, bytes]], bytes]) -> None:
    assert unpacked(pack(FILES)) == FILES


def test_a_gzipped_text_loses_its_suffix() -> None:
    assert unpacked(gzip.compress(b"text"), "run.txt.gz") == {"run.txt": b"text"}
    assert unpacked(gzip.compress(b"te") + gzip.compress(b"xt"), "run.log.GZ") == {"run.log": b"text"}


@pytest.mark.parametrize("preset", [0, 9])
def test_xz_is_unpacked_too(preset: int) -> None:
    def packed(content: bytes) -> bytes:
        return lzma.compress(content, preset=preset)

    assert unpacked(packed(b"text"), "run.txt.xz") == {"run.txt": b"text"}
    assert unpacked(packed(b"te") + bytes(8) + packed(b"xt"), "run.log.XZ") == {"run.log": b"text"}
    assert unpacked(packed(tar(FILES, "w:")), "runs.txz") == FILES


@pytest.mark.parametrize("pack", [zipped, tar])
def test_compressed_files_of_an_archive_are_unpacked(pack: Callable[[dict[str, bytes]], bytes]) -> None:
    """The result directories of mmtests and LKP have them."""
    files = {"r/iter-0/fsmark-1.log.gz": gzip.compress(b"one"), "r/iter-0/dbench-1.log.xz": lzma.compress(b"two")}

    assert unpacked(pack(files)) == {"r/iter-0/fsmark-1.log": b"one", "r/iter-0/dbench-1.log": b"two"}


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_a_damaged_file_of_an_archive_is_listed(compress: Callable[[bytes], bytes]) -> None:
    unpacked_files = unpack([GivenFile("given.tar.gz", tar({"a.txt": b"x", "b.gz": compress(b"y" * 99)[:-5]}))])

    assert [file.name for file in unpacked_files.files] == ["a.txt"]
    assert dict(unpacked_files.left_out)["b.gz"].startswith("it is damaged (")


def test_an_xz_file_that_needs_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 256 << 20}]
    with pytest.raises(RefusedFiles, match="Memory usage limit"):
        unpacked(lzma.compress(b"text", filters=filters))


def test_streams_of_an_xz_file_are_bounded() -> None:
    assert unpacked(lzma.compress(b"x") * 100, "a.xz") == {"a": b"x" * 100}
    with pytest.raises(RefusedFiles, match="more than 100 xz streams"):
        unpacked(lzma.compress(b"x") * 101)


def test_text_is_taken_as_it_is() -> None:
    assert unpacked(b"\r\ntext\xff") == {"given": b"\r\ntext\xff"}


def entry(name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"x", **fields: Any) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        made = tarfile.TarInfo(name)
        made.type, made.size = kind, len(content) if kind == tarfile.REGTYPE else 0
        for field, value in fields.items():
            setattr(made, field, value)
        archive.addfile(made, io.BytesIO(content))
    return packed.getvalue()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_stay_in_a_tar(kind: bytes) -> None:
    assert left(entry("etc", kind, linkname="/etc/passwd")) == {"etc": "it is a link or a device, not a file"}


def extended(fields: bytes) -> bytes:
    """A header with these fields of the entry after it."""
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, len(fields)
    return header.tobuf(tarfile.USTAR_FORMAT) + fields + bytes(-len(fields) % 512)


@pytest.mark.parametrize(
    "content",
    [
        entry("a", tarfile.GNUTYPE_SPARSE),
        extended(b"22 GNU.sparse.major=1\n") + entry("a"),
        extended(b"1" * (1 << 15)) + entry("a"),
    ],
)
def test_maps_of_sparse_files_and_long_numbers_are_refused_unread(content: bytes) -> None:
    """A map of 31 MiB took 7 s and 620 MB. For digits tarfile needs time quadratic in their number: hours for 1 MB."""
    with pytest.raises(RefusedFiles, match="sparse files or numbers of more than 40 digits"):
        unpacked(content)


@pytest.mark.parametrize(
    "content",
    [
        (extended(b"6 a=b\n" * 10_000) + entry("a")[:1024]) * 20,
        zipped({str(each): b"x" for each in range(9)}, bytes(65_532)),
    ],
)
def test_fields_of_all_entries_are_bounded_together(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """32 MiB of short fields, 176 kB packed, took 5 s; 30 MiB of empty ones of a zip, 166 kB packed, 8 s."""
    monkeypatch.setattr(module, "MOST_FIELDS", 500_000)
    with pytest.raises(RefusedFiles, match=r"its extended headers are too long|the extra fields of its entries"):
        unpacked(content)


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_what_was_inflated_before_a_damage_counts(compress: Callable[[bytes], bytes]) -> None:
    """Only whole files counted: 3,000 damaged ones of a megabyte, 32 kB packed, took 6.5 s."""
    packed = bytearray(compress(bytes(2**20 - 10)))
    packed[-5 if compress is gzip.compress else -20] ^= 255
    assert len(left(tar({f"{number}.gz": bytes(packed) for number in range(60)}))) == 60
    with pytest.raises(RefusedFiles, match="all files inflate to more than 64 MiB, or too many of them are damaged"):
        unpacked(tar({f"{number}.gz": bytes(packed) for number in range(70)}))


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "a/../../b", "..", "C:\\x", "..\\..\\x"])
def test_names_that_lead_out_of_the_archive_are_not_taken(name: str, tmp_path: Path) -> None:
    assert set(left(entry(name)).values()) == {"its name leads out of the archive"}
    assert set(left(zipped({name: b"x"})).values()) == {"its name leads out of the archive"}


def zip_entry(mode: int = 0, flags: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        made = zipfile.ZipInfo("link")
        made.external_attr = mode << 16
        archive.writestr(made, "/etc/passwd")
    content = packed.getvalue()
    directory = content.index(b"PK\x01\x02")
    return content[: directory + 8] + bytes([content[directory + 8] | flags]) + content[directory + 9 :]


def test_links_and_encrypted_entries_stay_in_a_zip() -> None:
    assert left(zip_entry(mode=0o120777)) == {"link": "it is a link or a device, not a file"}
    assert left(zip_entry(flags=1)) == {"link": "it is encrypted; pack it without a password"}


def test_packing_methods_that_need_much_memory_stay_in_a_zip() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.txt", "x")
    assert "use the usual one" in left(packed.getvalue())["a.txt"]


def test_what_is_no_output_is_listed() -> None:
    files = {"a.txt": b"x", "._a.txt": b"y", "__MACOSX/z": b"z", "empty": b"  \n", "in.zip": zipped({"b": b"c"})}
    files["in.tgz"] = tar({"b": b"c"})

    unpacked_files = unpack([GivenFile("given.zip", zipped(files))])

    assert [file.name for file in unpacked_files.files] == ["a.txt"]
    assert dict(unpacked_files.left_out).keys() == files.keys() - {"a.txt", "in.tgz"} | {"in.tar"}
    assert "archive inside" in dict(unpacked_files.left_out)["in.zip"]
    assert "archive inside" in dict(unpacked_files.left_out)["in.tar"]


def test_other_archives_are_refused_by_name() -> None:
    with pytest.raises(RefusedFiles, match=r"which is not unpacked here. Pack it as .tar.gz or .zip."):
        unpacked(bz2.compress(b"text"))


BOMB = b"0" * (8 << 20)


@pytest.mark.parametrize(
    "content",
    [
        gzip.compress(BOMB),
        lzma.compress(BOMB),
        tar({"a": BOMB}),
        tar({"a": gzip.compress(BOMB)}),
        zipped({"a": lzma.compress(BOMB)}),
        zipped({"a": BOMB}),
        zipped({str(each): BOMB[: 1 << 19] for each in range(9)}),
    ],
    ids=["gz", "xz", "tar.gz", "gz in tar.gz", "xz in zip", "zip", "zip of many"],
)
def test_bombs_are_refused_by_their_ratio(content: bytes) -> None:
    with pytest.raises(RefusedFiles, match="inflates to more than 200 times its size"):
        unpacked(content)


def test_entries_of_a_zip_that_share_their_bytes_are_refused_by_the_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    """This kind of bomb is more effective: the directory lists the same bytes again and again."""
    one = zipped({"a": b"0" * (1 << 19)})
    begin, end = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    count, directory = 50, one[begin:end] * 50
    tail = bytearray(one[end:])
    tail[8:12] = count.to_bytes(2, "little") * 2
    tail[12:16] = len(directory).to_bytes(4, "little")

    with pytest.raises(
        RefusedFiles, match=r"inflates to more than 200 times its size|Overlapped entries"
    ):  # in newer versions of Python
        unpacked(one[:begin] + directory + bytes(tail))


def test_bytes_and_files_are_bounded_over_all_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module._Room, "__init__", lambda self: self.__dict__.update(files=3, size=100, inflated=10**6))

    assert (
        len(unpack([GivenFile("a", b"x" * 50), GivenFile("b.zip", zipped({"c": b"y" * 25, "d": b"z" * 25}))]).files)
        == 3
    )
    with pytest.raises(RefusedFiles, match="There are more than"):
        unpack([GivenFile(str(number), b"x") for number in range(4)])
    with pytest.raises(RefusedFiles, match="larger than 32 MiB together"):
        unpack([GivenFile("a", b"x" * 60), GivenFile("b.zip", zipped({"c": b"y" * 41}))])


def test_bytes_of_what_is_not_taken_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise 32 MiB of archive could keep the server inflating 12 GiB of blanks."""
    monkeypatch.setattr(module._Room, "__init__", lambda self: self.__dict__.update(files=3, size=100, inflated=10**6))

    with pytest.raises(RefusedFiles, match="larger than 32 MiB together"):
        unpacked(zipped({str(each): b" " * 60 for each in range(2)}))


def shared(**fields: str) -> bytes:
    return tarfile.TarInfo.create_pax_global_header(fields)


@pytest.mark.parametrize(
    "content", [shared(**{f"k{number}": "v" for number in range(1000)}) + entry("a"), entry("a/" * 1_000_000)]
)
def test_long_headers_are_refused_unread(content: bytes) -> None:
    """tarfile copies fields for each entry: 0.2 MB of archive took 25 s and 4 GB. A name of 30 MB took 3 s."""
    with pytest.raises(RefusedFiles, match="its extended headers are too long"):
        unpacked(content)


def test_entries_of_a_tar_that_were_read_are_forgotten() -> None:
    link = entry("s", tarfile.SYMTYPE, linkname="x")[:512]
    content = shared(comment="c" * 900) + link * 9_000  # git archive writes the commit there
    tracemalloc.start()
    assert left(content)
    assert tracemalloc.get_traced_memory()[1] < len(content)  # with all entries it is more than twice as much
    tracemalloc.stop()


def test_a_million_entries_are_counted_before_any_is_made() -> None:
    one = zipped({"a": b"x"})
    begin, end = one.index(b"PK\x01\x02"), one.index(b"PK\x05\x06")
    directory = tarfile.TarInfo("d/").tobuf()
    for content in (one[:begin] + one[begin:end] * 1_000_000 + one[end:], gzip.compress(directory * 1_000_000, 1)):
        with pytest.raises(RefusedFiles, match=r"more than 10,000 entries|is larger than 32 MiB"):
            unpacked(content)


@pytest.mark.parametrize("pack", [zipped, tar])
def test_entries_are_bounded(pack: Callable[[dict[str, bytes]], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 2)

    with pytest.raises(RefusedFiles, match="more than 2 entries"):
        unpacked(pack({str(each): b"" for each in range(3)}))


@pytest.mark.parametrize("cut", [10, 40, 100])
@pytest.mark.parametrize("pack", [zipped, tar])
def test_damaged_archives_are_refused(pack: Callable[[dict[str, bytes]], bytes], cut: int) -> None:
    content = pack({"a.txt": bytes(range(256)) * 4})

    with pytest.raises(RefusedFiles, match="the archive is damaged"):
        unpacked(content[:-cut])


def test_names_are_made_storable() -> None:
    (file,) = unpack([GivenFile("a\x00\x1b[31m\udcff\n.txt" + "x" * 500, b"x")]).files

    assert len(file.name) <= module.LONGEST_NAME
    assert file.name.isprintable()
    assert "\x00" not in file.name
    file.name.encode()


@settings(max_examples=150)
@given(
    packed=st.sampled_from(
        [zipped(FILES), tar(FILES), tar(FILES, "w:"), gzip.compress(b"text"), lzma.compress(tar(FILES, "w:"))]
    ),
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=20),
    cut=st.integers(0, 400),
)
def test_whatever_is_given_is_unpacked_or_refused(packed: bytes, changes: list[tuple[int, int]], cut: int) -> None:
    content = bytearray(packed[: max(1, len(packed) - cut)])
    for position, value in changes:
        content[position % len(content)] = value
    try:
        result = unpack([GivenFile("given", bytes(content))])
    except RefusedFiles:
        return
    assert sum(len(file.content) for file in result.files) <= module.MOST_BYTES


def test_a_long_output_is_unpacked_up_to_exactly_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"".join(b"%09d\n" % number for number in range(200_000))
    packed = gzip.compress(text)
    assert len(text) > module.FREE_BYTES
    assert unpacked(packed, "run.txt.gz") == {"run.txt": text}
    monkeypatch.setattr(module, "MOST_RATIO", 0)
    monkeypatch.setattr(module, "FREE_BYTES", len(text))
    assert unpacked(packed, "run.txt.gz") == {"run.txt": text}
    monkeypatch.setattr(module, "FREE_BYTES", len(text) - 1)
    with pytest.raises(RefusedFiles, match="inflates"):
        unpacked(packed, "run.txt.gz")
