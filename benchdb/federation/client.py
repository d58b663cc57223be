"""Reads another server over HTTP. Its answers are untrusted: sizes and times are bounded, and nothing is redirected."""

from __future__ import annotations

import http.client
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal
from uuid import UUID

import requests
from django.conf import settings
from pydantic import AfterValidator, BaseModel, Field, StringConstraints, ValidationError
from urllib3.exceptions import HTTPError
from urllib3.response import BaseHTTPResponse

from benchdb import __version__
from benchdb.ingest.contract.storable_text import storable
from benchdb.ingest.request_body import RefusedBody, read_body

CONNECT_SECONDS, SILENCE_SECONDS, ANSWER_SECONDS = 5, 30, 120
MOST_OF_CHANGES = 16 * 2**20  # bytes, inflated
BUSY = (429, 502, 503, 504)
SIGNATURE = "BenchDB-Signature"


class SourceFailed(Exception):
    """The source cannot be read now, as a sentence; try again later."""


class DocumentRefused(Exception):
    """Why the document of one run is not stored, as a sentence."""


def _storable(text: str) -> str:
    if not storable(text):
        raise ValueError("text without NUL and lone surrogates")
    return text


_Label = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_storable)]
_Words = Annotated[str, StringConstraints(max_length=2000), AfterValidator(_storable)]
_Number = Annotated[int, Field(ge=0, le=2**63 - 1)]


class SourceChange(BaseModel):
    """A change of the source (benchdb/api/routes/federation.py); fields of newer servers are ignored."""

    run_id: UUID
    change: _Number
    left: Literal["withdrawn", "hidden", "deleted"] | None
    reason: _Words = ""
    labels: dict[_Label, _Label] = Field(default_factory=dict, max_length=64)
    reading: Annotated[int, Field(ge=1, le=32767)] = 1
    origin: _Words | None = None


class Changes(BaseModel):
    """A page of changes, and the greatest number of the source."""

    changes: list[SourceChange] = Field(max_length=1000)
    greatest: _Number


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """The bytes of a document, and its signature if it has one."""

    body: bytes
    signature: str | None


class SourceClient:
    """Requests to one source."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": f"BenchDB/{__version__}", "Accept-Encoding": "gzip"})

    def __enter__(self) -> SourceClient:
        return self

    def __exit__(self, *error: object) -> None:
        self._session.close()

    def changes(self, after: int) -> Changes:
        """The changes after a number, ascending. Raises SourceFailed."""
        try:
            status, _, body = self._get(f"/api/v1/changes?after={after}", MOST_OF_CHANGES)
        except RefusedBody as error:
            raise SourceFailed(f"Its list of changes is refused: {error.message}") from None
        if status != 200:
            raise SourceFailed(f"It answers {status} instead of its changes.")
        try:
            page = Changes.model_validate_json(body)
        except ValidationError as error:
            raise SourceFailed(f"Its answer is not a list of changes: {error.errors()[0]['msg']}.") from None
        numbers = [after, *(each.change for each in page.changes)]
        if any(later <= earlier for earlier, later in pairwise(numbers)):
            raise SourceFailed("The numbers of its changes do not rise.")
        return page

    def document(self, run_id: UUID) -> ReadDocument | None:
        """The document of a run; None if the run has left meanwhile. Raises SourceFailed and DocumentRefused."""
        try:
            status, headers, body = self._get(f"/api/v1/runs/{run_id}/document", settings.UPLOAD_MAX_INFLATED_BYTES)
        except RefusedBody as error:
            raise DocumentRefused(error.message) from None
        if status in (404, 410):
            return None
        if status != 200:
            raise DocumentRefused(f"The source answers {status}.")
        return ReadDocument(body, headers.get(SIGNATURE))

    def _get(self, path: str, most: int) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body. Raises SourceFailed and, for a body that is too large or damaged, RefusedBody."""
        end = time.monotonic() + ANSWER_SECONDS
        try:
            with self._session.get(
                self._address + path,
                stream=True,
                allow_redirects=False,
                timeout=(CONNECT_SECONDS, SILENCE_SECONDS),
            ) as answer:
                if answer.status_code in BUSY:
                    raise SourceFailed(f"It is busy or down: it answers {answer.status_code}.")
                if 300 <= answer.status_code < 400:
                    raise SourceFailed("It redirects to another address. Give the source its new address.")
                encoding = answer.headers.get("Content-Encoding", "")
                body = read_body(_InTime(answer.raw, end), encoding, most_sent=most, most_inflated=most)
                return answer.status_code, answer.headers, body
        except (requests.RequestException, HTTPError, http.client.HTTPException, OSError) as error:
            raise SourceFailed(f"It does not answer: {type(error).__name__}.") from error


class _InTime:
    """The body of an answer, which must be complete at a moment of the monotonic clock."""

    def __init__(self, raw: BaseHTTPResponse, end: float) -> None:
        self._raw, self._end = raw, end

    def read(self, size: int = -1, /) -> bytes:
        if time.monotonic() > self._end:
            raise SourceFailed(f"An answer was not complete after {ANSWER_SECONDS} seconds.")
        return self._raw.read1(size, decode_content=False)
