"""`PUT /api/v1/runs/{run_id}`: bodies that are not documents, and the rate limit of a token."""

import gzip
import resource
import subprocess
import sys
import zlib

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from tests.conftest import Upload
from tests.support.api import error_of, table_sizes
from tests.support.documents import document, encoded, zipped
from tests.support.store import make_token, make_user

GZIP = {"Content-Encoding": "gzip"}


def test_gzip_is_inflated(upload: Upload) -> None:
    sent = document()

    assert upload(sent, body=zipped(sent), headers={"Content-Encoding": "GZip"}).status_code == 201


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (zipped(document())[:-1], "The gzip stream ends before its end. Send it again."),
        (zipped(document())[:200], "The gzip stream ends before its end. Send it again."),
        (zipped(document()) + b"x", "Something follows the end of the gzip stream."),
        (zipped(document()) * 2, "Something follows the end of the gzip stream."),
        (encoded(document()), "The body is not gzip: "),
        (zlib.compress(b"{}"), "The body is not gzip: "),
        (b"\x1f\x8b" + b"\x00" * 100, "The body is not gzip: "),
    ],
    ids=["one byte short", "cut", "one byte more", "two members", "plain", "zlib", "zeros"],
)
def test_what_is_not_one_whole_gzip_stream_is_refused(upload: Upload, body: bytes, message: str) -> None:
    error = error_of(upload(document(), body=body, headers=GZIP), 400)

    assert error["code"] == "broken_body"
    assert error["message"].startswith(message)


def test_a_flipped_bit_is_noticed(upload: Upload) -> None:
    sent = document()
    body = bytearray(gzip.compress(encoded(sent), 0))
    body[len(body) // 2] ^= 1

    assert error_of(upload(sent, body=bytes(body), headers=GZIP), 400)["code"] == "broken_body"
    assert table_sizes()["runs.Run"] == 0


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/json5", ""])
def test_only_json_is_taken(upload: Upload, content_type: str) -> None:
    assert error_of(upload(document(), content_type=content_type), 415)["code"] == "unsupported_media_type"


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "x-gzip"])
def test_only_gzip_is_inflated(upload: Upload, encoding: str) -> None:
    error = error_of(upload(document(), headers={"Content-Encoding": encoding}), 415)

    assert error["code"] == "unsupported_encoding"


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON"])
def test_parameters_and_capitals_of_the_media_type_do_not_matter(upload: Upload, content_type: str) -> None:
    assert upload(document(), content_type=content_type).status_code == 201


def test_a_body_without_a_length_is_refused(client: Client, secret: str) -> None:
    address = f"/api/v1/runs/{document()['run_id']}"

    answer = client.generic(
        "PUT",
        address,
        headers={
            "Authorization": f"Bearer {secret}",
            "Content-Type": "application/json",
            "Transfer-Encoding": "chunked",
        },
    )

    assert error_of(answer, 411)["code"] == "length_required"


def test_a_body_that_is_too_large_is_refused_by_its_length(upload: Upload, settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 1000

    error = error_of(upload(document()), 413)

    assert error["message"] == "The body is larger than 1000 bytes."


def test_a_body_that_is_too_large_when_inflated_is_refused(upload: Upload, settings: Settings) -> None:
    settings.UPLOAD_MAX_INFLATED_BYTES = len(encoded(document())) - 1

    error = error_of(upload(document(), body=zipped(document()), headers=GZIP), 413)

    assert error["code"] == "too_large"


def test_a_body_of_the_largest_size_is_taken(upload: Upload, settings: Settings) -> None:
    sent = document()
    settings.UPLOAD_MAX_INFLATED_BYTES = len(encoded(sent))
    settings.UPLOAD_MAX_BYTES = len(zipped(sent))

    assert upload(sent, body=zipped(sent), headers=GZIP).status_code == 201


def _refuse_in_a_process(make_body: str, encoding: str) -> tuple[str, int]:
    """Read and check a body made by the Python source `make_body`. Returns the refusal and the peak memory in MiB."""
    code = f"""
import gzip, io, resource, django
django.setup()
from django.conf import settings
from benchdb.ingest.request_body import RefusedBody, read_body
from benchdb.ingest.contract import FaultyDocument, validate
body = {make_body}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
bounds = dict(most_sent=settings.UPLOAD_MAX_BYTES, most_inflated=settings.UPLOAD_MAX_INFLATED_BYTES)
try:
    validate(read_body(io.BytesIO(body), "{encoding}", **bounds))
except (RefusedBody, FaultyDocument) as refused:
    print(type(refused).__name__, getattr(refused, "status", ""))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    limit = 3 << 30  # if the bound is missing, the child ends with a MemoryError and the machine keeps its memory
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"DJANGO_SETTINGS_MODULE": "benchdb.settings", "PYTHONPATH": ".:agents", "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        capture_output=True,
        text=True,
        check=True,
    )
    refusal, mebibytes = done.stdout.splitlines()
    return refusal.strip(), int(mebibytes)


def test_two_hundred_megabytes_in_a_small_gzip_are_refused_in_bounded_memory() -> None:
    said, mebibytes = _refuse_in_a_process("gzip.compress(bytes(200 << 20))", "gzip")

    assert said == "RefusedBody 413"
    assert mebibytes < 300


@pytest.mark.parametrize(
    ("pieces", "most"),
    [('b"[]," * 20_000_000', 400), ('b"\\"\\"," * 20_000_000', 400), ("b'{\"\":0},' * 990_000", 800)],
    ids=["lists", "texts", "the most values that are looked at"],
)
def test_tiny_values_by_the_million_are_refused_in_bounded_memory(pieces: str, most: int) -> None:
    make = f"""gzip.compress(b'{{"results":[' + {pieces} + b"0]}}", 1)"""

    refusal, mebibytes = _refuse_in_a_process(make, "gzip")

    assert refusal == "FaultyDocument"
    assert mebibytes < most


def test_an_account_that_sends_too_often_must_wait(upload: Upload, settings: Settings) -> None:
    settings.UPLOAD_RATE = "2/d"
    assert [upload(document()).status_code for _ in range(2)] == [201, 201]

    answer = upload(document())

    assert error_of(answer, 429)["code"] == "too_many_requests"
    assert 1 <= int(answer["Retry-After"]) <= 86400
    assert table_sizes()["runs.Run"] == 2


def test_another_token_of_the_account_waits_too_and_another_account_does_not(
    upload: Upload, settings: Settings, owner: User
) -> None:
    settings.UPLOAD_RATE = "1/d"
    upload(document())
    error_of(upload(document()), 429)

    error_of(upload(document(), secret=make_token(owner)[1]), 429)
    assert upload(document(), secret=make_token(make_user("eve"))[1]).status_code == 201
