"""JSON: the whole content, evaluated or frozen, with every digit and its address."""

from __future__ import annotations

from benchdb.compare.content_json import to_bytes
from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.registry import ExportFormat


def export(content: Content, origin: Origin) -> str | bytes:
    """The whole content, with `notices` if there are any. It never holds NaN: an undefined number is None."""
    notices = {"notices": origin.notices} if origin.notices else {}
    return to_bytes(content, address=origin.address, frozen=origin.frozen, **notices)


FORMAT = ExportFormat(
    extension="json",
    media_type="application/json",
    label="JSON",
    hint="everything, for programs",
    export=export,
    common=True,
    with_all_values=("cells",),
)
