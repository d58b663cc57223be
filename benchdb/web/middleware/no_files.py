"""What becomes of files in a form that asks for none."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler


class NoFiles(FileUploadHandler):
    """Drops them. Django's own handlers would write files of any size to the disk, before it is known who sends them.

    Pages that take files read the form themselves, within bounds of their own (`benchdb.ingest.imports.request_files`).
    A form that is longer than any of ours is refused before it is read; RequestDataTooBig, which is answered with 400.
    """

    def handle_raw_input(self, input_data: Any, META: Any, content_length: int, *more: Any, **named: Any) -> None:  # noqa: N803 - Django's name
        """Before anything is read."""
        if content_length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("A form without files is never so long.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Dropped."""

    def file_complete(self, file_size: int) -> None:
        """There is none."""
