"""Drops files that are sent to a form without file fields."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Drops files. Django's own handlers would write files of any size to disk before the sender is known.

    Pages that accept files read the form themselves, within their own limits (`benchdb.ingest.imports.request_files`).
    A form longer than any of ours is refused before it is read, with RequestDataTooBig, which becomes status 400.
    """

    def handle_raw_input(
        self,
        input_data: object,
        META: object,  # noqa: N803 - Django's name
        content_length: int,
        *more: object,
        **named: object,
    ) -> None:
        """Django's hook before the body is read. Raises RequestDataTooBig."""
        if content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("A form without files is never so long.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Drop the data."""

    def file_complete(self, file_size: int) -> None:
        """Return no file."""
